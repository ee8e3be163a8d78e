// SPDX-License-Identifier: MIT
// A SimGrid platform file (XML, version 4) as a platform document of ours, so that overrides, reports and all networks work on it.
//
// Taken    one <cluster>, plain (star), with a backbone, or FAT_TREE, alone or in a <zone>, is read here; every other shape is read and
//          routed by SimGrid (read_by_simgrid.hpp). Of <config> the settings of SMPI that have a counterpart: smpi/os, smpi/ois (o_s),
//          smpi/or (o_r), smpi/async-small-thresh and smpi/send-is-detached-thresh (eager limit), smpi/bw-factor, smpi/lat-factor and
//          their network/ forms, network/loopback-bw and -lat, network/weight-S and network/TCP-gamma.
// SMPI     without <config> SMPI's own defaults hold: no overheads, sends up to 65535 bytes eager, no handshake, a path inside the
//          node of 10 GB/s and no latency that nobody shares, links shared by latency with a weight-S of 8775 and a window of 4 MiB.
//          Factor tables are the network model's affair: none unless given.
// Refused  InputError at "FILE:LINE": overheads that depend on the size, SMPI settings on hosts. Other settings of <config> have no bearing
//          here and are passed over.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "platforms/json/document.hpp"
#include "platforms/xml/xml_document.hpp"

namespace reprise::platforms {

bool looks_like_xml(std::string_view text);
// The document of a file that is read here; none where SimGrid has to read it.
std::optional<Document> read_one_cluster(const XmlElement& root, const std::string& file);
Document parse_simgrid_platform(std::string_view text, const std::string& file);

}  // namespace reprise::platforms
