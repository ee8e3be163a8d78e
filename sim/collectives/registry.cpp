// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "sim/collectives/schedules.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::sim {
namespace {

using trace_io::Collective;

constexpr std::array kAlgorithms = {
    Algorithm{Collective::barrier, false, "dissemination", dissemination_barrier},
    Algorithm{Collective::bcast, false, "binomial", binomial_bcast},
    Algorithm{Collective::reduce, false, "binomial", binomial_reduce},
    Algorithm{Collective::allreduce, false, "recursive_doubling", recursive_doubling_allreduce},
    Algorithm{Collective::scan, false, "recursive_doubling", recursive_doubling_scan},
    Algorithm{Collective::exscan, false, "recursive_doubling", recursive_doubling_scan},
    Algorithm{Collective::gather, false, "binomial", binomial_gather},
    Algorithm{Collective::gatherv, false, "linear", linear_gatherv},
    Algorithm{Collective::scatter, false, "binomial", binomial_scatter},
    Algorithm{Collective::scatterv, false, "linear", linear_scatterv},
    Algorithm{Collective::allgather, false, "ring", ring_allgather},
    Algorithm{Collective::allgatherv, false, "ring", ring_allgather},
    Algorithm{Collective::alltoall, false, "pairwise", pairwise_alltoall},
    Algorithm{Collective::alltoallv, false, "linear", linear_alltoallv},
    Algorithm{Collective::alltoallw, false, "linear", linear_alltoallv},
    Algorithm{Collective::reduce_scatter, false, "pairwise", pairwise_reduce_scatter},
    Algorithm{Collective::reduce_scatter_block, false, "pairwise", pairwise_reduce_scatter},
    Algorithm{Collective::neighbor_allgather, false, "linear", linear_neighborhood},
    Algorithm{Collective::neighbor_allgatherv, false, "linear", linear_neighborhood},
    Algorithm{Collective::neighbor_alltoall, false, "linear", linear_neighborhood},
    Algorithm{Collective::neighbor_alltoallv, false, "linear", linear_neighborhood},
    Algorithm{Collective::neighbor_alltoallw, false, "linear", linear_neighborhood},
    Algorithm{Collective::barrier, true, "dissemination", inter_barrier},
    Algorithm{Collective::bcast, true, "binomial", inter_bcast},
    Algorithm{Collective::reduce, true, "binomial", inter_reduce},
    Algorithm{Collective::allreduce, true, "leaders", inter_allreduce},
    Algorithm{Collective::gather, true, "linear", inter_gather},
    Algorithm{Collective::gatherv, true, "linear", inter_gather},
    Algorithm{Collective::scatter, true, "linear", inter_scatter},
    Algorithm{Collective::scatterv, true, "linear", inter_scatter},
    Algorithm{Collective::allgather, true, "linear", inter_alltoall},
    Algorithm{Collective::allgatherv, true, "linear", inter_alltoall},
    Algorithm{Collective::alltoall, true, "linear", inter_alltoall},
    Algorithm{Collective::alltoallv, true, "linear", inter_alltoall},
    Algorithm{Collective::alltoallw, true, "linear", inter_alltoall},
    Algorithm{Collective::reduce_scatter, true, "leaders", inter_reduce_scatter},
    Algorithm{Collective::reduce_scatter_block, true, "leaders", inter_reduce_scatter},
};

constexpr std::size_t kOperations = static_cast<std::size_t>(Collective::neighbor_alltoallw) + 1;

std::array<std::array<Schedule, 2>, kOperations> first_of_each() {
  std::array<std::array<Schedule, 2>, kOperations> table{};
  for (const Algorithm& algorithm : kAlgorithms) {
    Schedule& entry = table[static_cast<std::size_t>(algorithm.operation)][algorithm.on_intercommunicators ? 1 : 0];
    if (entry == nullptr) entry = algorithm.schedule;
  }
  return table;
}

}  // namespace

std::span<const Algorithm> algorithms() { return kAlgorithms; }

Schedule default_schedule(Collective operation, bool on_intercommunicator) {
  static const auto table = first_of_each();
  const Schedule schedule = table[static_cast<std::size_t>(operation)][on_intercommunicator ? 1 : 0];
  REPRISE_ASSERT(schedule != nullptr, "the operation exists on that kind of communicator");
  return schedule;
}

}  // namespace reprise::sim
