// SPDX-License-Identifier: MIT
// Small machines with round numbers, for closed forms.
#pragma once

#include <cstdint>
#include <string>

#include "platforms/platform.hpp"

namespace reprise::test {

// L: latency of a route between two nodes (two links, L/2 each). B: bandwidth of a link, each way. o_s, o_r: overheads.
inline constexpr double kLatency = 2e-6, kBandwidth = 1e9, kSendOverhead = 0.3e-6,
                        kReceiveOverhead = 0.5e-6;
// Inside a node.
inline constexpr double kNodeLatency = 0.2e-6, kNodeBandwidth = 8e9;
inline constexpr std::uint64_t kEagerLimit = 64 * 1024;

inline platforms::Platform star(std::uint32_t nodes, std::uint32_t cores = 1,
                                platforms::Sharing sharing = platforms::Sharing::kFullDuplex) {
  platforms::Platform machine;
  machine.name = "star";
  machine.nodes.count = nodes;
  machine.nodes.cores = cores;
  machine.intra_node = {BytesPerSecond{kNodeBandwidth}, Seconds{kNodeLatency},
                        platforms::Sharing::kShared};
  machine.network = platforms::Network{
      platforms::Star{}, {BytesPerSecond{kBandwidth}, Seconds{kLatency / 2}, sharing}};
  machine.mpi.eager_limit = Bytes{kEagerLimit};
  machine.mpi.send_overhead = Seconds{kSendOverhead};
  machine.mpi.recv_overhead = Seconds{kReceiveOverhead};
  machine.intra_node_mpi = machine.mpi;
  return machine;
}

// Every flow has the whole bandwidth: what is left are latencies, sizes and overheads.
inline platforms::Platform uncontended_star(std::uint32_t nodes) {
  return star(nodes, 1, platforms::Sharing::kUncontended);
}

// Two levels: `pods` switches with `per_pod` nodes each, one switch above. A route inside a pod has two links, else four.
inline platforms::Platform fat_tree(std::uint32_t pods, std::uint32_t per_pod) {
  platforms::Platform machine = star(pods * per_pod);
  const platforms::LinkSpec link = machine.network->link;
  machine.network->topology = platforms::FatTree{{{per_pod, 1, 1, link}, {pods, 1, 1, link}}};
  return machine;
}

// One message alone, from the end of the send overhead to its last byte.
inline double wire(double bytes) { return kLatency + bytes / kBandwidth; }
// One eager message from call to the end of its receive.
inline double eager(double bytes) { return kSendOverhead + wire(bytes) + kReceiveOverhead; }
// The same by rendezvous where the receive is posted already.
inline double rendezvous(double bytes) {
  return kSendOverhead + 2 * kLatency + wire(bytes) + kReceiveOverhead;
}

}  // namespace reprise::test
