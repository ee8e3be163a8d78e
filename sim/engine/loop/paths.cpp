// SPDX-License-Identifier: MIT
#include "sim/engine/loop/paths.hpp"

#include "sim/engine/loop/own_messages.hpp"
#include "sim/time_grid.hpp"

namespace reprise::sim {
namespace {

platforms::Mpi with_overheads_on_grid(platforms::Mpi mpi) {
  mpi.send_overhead = Seconds{on_grid(mpi.send_overhead.value)};
  mpi.recv_overhead = Seconds{on_grid(mpi.recv_overhead.value)};
  return mpi;
}

std::vector<platforms::NodeIndex> ends_of(const platforms::Platform& platform,
                                          const std::vector<platforms::RankLocation>& locations) {
  std::vector<platforms::NodeIndex> ends;
  for (const auto& location : locations)
    ends.push_back(platform.end_of(location.node, location.core));
  return ends;
}

}  // namespace

Paths::Paths(const platforms::Platform& platform, std::vector<platforms::RankLocation> locations)
    : network_(with_overheads_on_grid(platform.mpi)),
      intra_node_(with_overheads_on_grid(platform.intra_node_mpi)),
      locations_(std::move(locations)),
      ends_(ends_of(platform, locations_)) {}

double Paths::send_cost(const Request& request) {
  const platforms::Mpi& mpi = between(request.me, request.peer);
  const bool is_copied =
      request.mode == trace_io::SendMode::buffered ||
      (is_own_copy(mpi, request.me, request.peer) &&
       request.mode != trace_io::SendMode::synchronous &&
       (request.bytes <= mpi.eager_limit || request.mode == trace_io::SendMode::ready));
  if (!is_copied) return mpi.send_overhead.value;
  use_between(request.me, request.peer).has_copies = true;
  return mpi.send_overhead.value + on_grid(mpi.copy_time(request.bytes).value);
}

double Paths::receive_cost(const Request& request) {
  const platforms::Mpi& mpi = between(request.sender, request.me);
  if (!request.was_late) return mpi.recv_overhead.value;
  use_between(request.sender, request.me).has_copies = true;
  return mpi.recv_overhead.value + on_grid(mpi.copy_time(request.received).value);
}

}  // namespace reprise::sim
