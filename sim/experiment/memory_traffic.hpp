// SPDX-License-Identifier: MIT
// How many bytes a program's ranks move to and from memory while they compute, from two recordings of the same problem: one with few ranks
// a node, one with many (docs/MODEL.md, Memory bandwidth).
//
// How     C: seconds of computing over all ranks, P ranks, k on each of n nodes, M what a node's memory moves. With many ranks a node the
//         bytes are V = M n C/P, if it is memory that makes C greater than with few; then a rank moves b = V / C_few a second of the
//         computing recorded with few. b > M / k_few: the few filled the memory, too, and their computing holds waiting.
// Cost    linear in the folded traces.
// Errors  InputError naming the file: another program, ranks that are not known or differ from node to node, as many ranks a node.
#pragma once

#include <cstdint>
#include <string>

#include "trace-io/base/quantity.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

struct RecordedComputing {
  std::string path;
  std::uint32_t nodes = 1, ranks_a_node = 1;
  Seconds seconds;  // over all ranks
};

struct MemoryTraffic {
  // at_most: computing takes no longer, or not so much longer, with many ranks a node that memory must be why: its bandwidth bounds what they
  // moved, whatever else slowed them. at_least: the few fill the memory, too.
  enum class Bound : std::uint8_t { exact, at_most, at_least };
  Bound bound = Bound::exact;
  BytesPerSecond rate;
  RecordedComputing few, many;
};

// How much longer computing is that is held to be longer, relative; and from where on that is put down to memory: shared caches, lower clock rates
// and other runs' scatter make a tenth.
inline constexpr double kLonger = 0.02, kByMemory = 0.2;

RecordedComputing computing_of(const trace_io::Trace&, const std::string& path);
// The recordings in either order. BANDWIDTH: of a node that they were recorded on, above zero.
MemoryTraffic memory_traffic(const RecordedComputing&, const RecordedComputing&,
                             BytesPerSecond bandwidth);

}  // namespace reprise::sim
