// SPDX-License-Identifier: MIT
// The machine that a trace was recorded on, as a platform: what to replay on where the user names none.
//
// The recording tells the nodes and their cores; it does not tell the network, which is therefore a stated assumption
// (kAssumedNetwork), nor how fast messages are inside a node (kAssumedMemoryPath). Where a node ran more ranks than it has cores it is given a core for each: an oversubscribed recording
// describes a machine that does not exist.
#pragma once

#include <optional>
#include <string>

#include "platforms/json/document.hpp"
#include "platforms/placement.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

inline constexpr const char* kAssumedNetwork = "100 Gbit/s, 0.6 us a link";
inline constexpr const char* kAssumedMemoryPath = "10 GB/s, 0.3 us";  // of messages inside a node

// A platform document (platforms/load.hpp), so that settings can be changed in it as in any other.
platforms::Document recorded_machine(const trace_io::Header&);
// "the machine of the recording (2 nodes of 16 cores; it was oversubscribed: it has 8), its network assumed: …, its memory
// path assumed: …"
std::string describe_recorded_machine(const trace_io::Header&);

// Each rank on the node that stands for its host, nodes in the order of the header's hosts. None where there are not several, or where a
// salvaged trace does not know the host of every rank.
std::optional<platforms::Placement> recorded_placement(const trace_io::Header&);
// More ranks than cores on some host.
bool was_oversubscribed(const trace_io::Header&);

}  // namespace reprise::sim
