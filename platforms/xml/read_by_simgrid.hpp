// SPDX-License-Identifier: MIT
// A SimGrid platform file of any shape as a document whose nodes and links are SimGrid's (topologies/routed_by_simgrid.hpp).
//
// Nodes    the hosts in the order in which the file declares them, with their names, cores and speeds (which describe; they rescale
//          nothing). Neighbours of equal speed and cores are a group.
// Inside   a host's loopback link where SimGrid has one; of several different ones that of most hosts. Else SMPI's (simgrid_settings.hpp).
// Left out is listed in the document, with the file's lines: profiles of speed, bandwidth, latency and state, disks, loopbacks that are
//          not those of most hosts.
// Errors   InputError at "FILE:LINE", as simgrid_platform.hpp says; what SimGrid refuses in its words (simgrid/router.hpp).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "platforms/json/document.hpp"
#include "platforms/xml/simgrid_settings.hpp"
#include "platforms/xml/xml_document.hpp"

namespace reprise::platforms {

// What SimGrid is not asked for.
struct BesideSimgrid {
  SmpiSettings settings;
  std::vector<std::string> left_out;  // "FILE:LINE: what"
};
BesideSimgrid read_beside_simgrid(const XmlElement& root, const std::string& file);

// TEXT is the file's, and ROOT the element that it was parsed to.
Document read_by_simgrid(const XmlElement& root, std::string_view text, const std::string& file);

}  // namespace reprise::platforms
