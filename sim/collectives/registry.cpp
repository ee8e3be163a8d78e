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
    Algorithm{Collective::barrier, false, "linear", linear_barrier},
    Algorithm{Collective::barrier, false, "double_ring", double_ring_barrier},
    Algorithm{Collective::barrier, false, "recursive_doubling", recursive_doubling_barrier},
    Algorithm{Collective::barrier, false, "tree", tree_barrier},
    Algorithm{Collective::barrier, false, "two_level", nullptr, two_level_barrier},
    Algorithm{Collective::bcast, false, "binomial", binomial_bcast},
    Algorithm{Collective::bcast, false, "linear", linear_bcast},
    Algorithm{Collective::bcast, false, "chain", chain_bcast},
    Algorithm{Collective::bcast, false, "pipeline", pipeline_bcast},
    Algorithm{Collective::bcast, false, "binary", binary_bcast},
    Algorithm{Collective::bcast, false, "split_binary", split_binary_bcast},
    Algorithm{Collective::bcast, false, "doubling", doubling_bcast},
    Algorithm{Collective::bcast, false, "knomial", knomial_bcast},
    Algorithm{Collective::bcast, false, "scatter_recursive_doubling", scatter_doubling_bcast},
    Algorithm{Collective::bcast, false, "scatter_ring", scatter_ring_bcast},
    Algorithm{Collective::bcast, false, "two_level", nullptr, two_level_bcast},
    Algorithm{Collective::reduce, false, "binomial", binomial_reduce},
    Algorithm{Collective::reduce, false, "linear", linear_reduce},
    Algorithm{Collective::reduce, false, "linear_nb", linear_nb_reduce, nullptr, true},
    Algorithm{Collective::reduce, false, "chain", chain_reduce, nullptr, true},
    Algorithm{Collective::reduce, false, "pipeline", pipeline_reduce, nullptr, true},
    Algorithm{Collective::reduce, false, "binary", binary_reduce, nullptr, true},
    Algorithm{Collective::reduce, false, "binomial_tree", binomial_tree_reduce, nullptr, true},
    Algorithm{Collective::reduce, false, "in_order_binary", in_order_binary_reduce},
    Algorithm{Collective::reduce, false, "rabenseifner", rabenseifner_reduce, nullptr, true},
    Algorithm{Collective::reduce, false, "two_level", nullptr, two_level_reduce, true},
    Algorithm{Collective::allreduce, false, "recursive_doubling", recursive_doubling_allreduce},
    Algorithm{Collective::allreduce, false, "linear", linear_allreduce},
    Algorithm{Collective::allreduce, false, "linear_nb_binomial", linear_nb_binomial_allreduce},
    Algorithm{Collective::allreduce, false, "ring", plain_ring_allreduce, nullptr, true},
    Algorithm{Collective::allreduce, false, "segmented_ring", ring_allreduce, nullptr, true},
    Algorithm{Collective::allreduce, false, "rabenseifner", rabenseifner_allreduce, nullptr, true},
    Algorithm{Collective::allreduce, false, "reduce_scatter_allgather", halving_allreduce, nullptr,
              true},
    Algorithm{Collective::allreduce, false, "nonoverlapping", nullptr, nonoverlapping_allreduce},
    Algorithm{Collective::allreduce, false, "two_level", nullptr, two_level_allreduce, true},
    Algorithm{Collective::scan, false, "recursive_doubling", recursive_doubling_scan},
    Algorithm{Collective::scan, false, "linear", linear_scan},
    Algorithm{Collective::scan, false, "linear_nb", linear_nb_scan},
    Algorithm{Collective::exscan, false, "recursive_doubling", recursive_doubling_scan},
    Algorithm{Collective::exscan, false, "linear", linear_scan},
    Algorithm{Collective::exscan, false, "linear_nb", linear_nb_scan},
    Algorithm{Collective::gather, false, "binomial", binomial_gather},
    Algorithm{Collective::gather, false, "linear", linear_gather},
    Algorithm{Collective::gather, false, "linear_nb", linear_nb_gather},
    Algorithm{Collective::gather, false, "linear_sync", linear_sync_gather},
    Algorithm{Collective::gatherv, false, "linear", linear_gatherv},
    Algorithm{Collective::scatter, false, "binomial", binomial_scatter},
    Algorithm{Collective::scatter, false, "linear", linear_scatter},
    Algorithm{Collective::scatter, false, "linear_nb", linear_nb_scatter},
    Algorithm{Collective::scatterv, false, "linear", linear_scatterv},
    Algorithm{Collective::allgather, false, "ring", ring_allgather},
    Algorithm{Collective::allgather, false, "bruck", bruck_allgather},
    Algorithm{Collective::allgather, false, "recursive_doubling", recursive_doubling_allgather},
    Algorithm{Collective::allgather, false, "neighbor_exchange", neighbor_exchange_allgather},
    Algorithm{Collective::allgather, false, "linear_nb", linear_nb_allgather},
    Algorithm{Collective::allgather, false, "gather_bcast", gather_bcast_allgather},
    Algorithm{Collective::allgatherv, false, "ring", ring_allgather},
    Algorithm{Collective::allgatherv, false, "bruck", bruck_allgather},
    Algorithm{Collective::allgatherv, false, "recursive_doubling", recursive_doubling_allgather},
    Algorithm{Collective::allgatherv, false, "neighbor_exchange", neighbor_exchange_allgather},
    Algorithm{Collective::allgatherv, false, "linear_nb", linear_nb_allgather},
    Algorithm{Collective::allgatherv, false, "gather_bcast", gather_bcast_allgather},
    Algorithm{Collective::alltoall, false, "pairwise", ring_alltoall},
    Algorithm{Collective::alltoall, false, "exclusive_or", pairwise_exclusive_or_alltoall},
    Algorithm{Collective::alltoall, false, "linear", linear_alltoall},
    Algorithm{Collective::alltoall, false, "scattered", scattered_alltoall},
    Algorithm{Collective::alltoall, false, "bruck", bruck_alltoall},
    Algorithm{Collective::alltoallv, false, "linear", linear_alltoallv},
    Algorithm{Collective::alltoallv, false, "pairwise", ring_alltoall},
    Algorithm{Collective::alltoallv, false, "exclusive_or", pairwise_exclusive_or_alltoall},
    Algorithm{Collective::alltoallv, false, "linear_reverse", linear_alltoall},
    Algorithm{Collective::alltoallv, false, "scattered", scattered_alltoall},
    Algorithm{Collective::alltoallw, false, "linear", linear_alltoallv},
    Algorithm{Collective::alltoallw, false, "pairwise", ring_alltoall},
    Algorithm{Collective::alltoallw, false, "exclusive_or", pairwise_exclusive_or_alltoall},
    Algorithm{Collective::alltoallw, false, "linear_reverse", linear_alltoall},
    Algorithm{Collective::alltoallw, false, "scattered", scattered_alltoall},
    Algorithm{Collective::reduce_scatter, false, "pairwise", pairwise_reduce_scatter},
    Algorithm{Collective::reduce_scatter, false, "recursive_doubling",
              recursive_doubling_reduce_scatter},
    Algorithm{Collective::reduce_scatter, false, "recursive_halving",
              recursive_halving_reduce_scatter, nullptr, true},
    Algorithm{Collective::reduce_scatter, false, "butterfly", butterfly_reduce_scatter},
    Algorithm{Collective::reduce_scatter, false, "ring", ring_reduce_scatter, nullptr, true},
    Algorithm{Collective::reduce_scatter, false, "nonoverlapping", nullptr,
              nonoverlapping_reduce_scatter},
    Algorithm{Collective::reduce_scatter_block, false, "pairwise", pairwise_reduce_scatter},
    Algorithm{Collective::reduce_scatter_block, false, "recursive_doubling",
              recursive_doubling_reduce_scatter},
    Algorithm{Collective::reduce_scatter_block, false, "recursive_halving",
              recursive_halving_reduce_scatter, nullptr, true},
    Algorithm{Collective::reduce_scatter_block, false, "butterfly", butterfly_reduce_scatter},
    Algorithm{Collective::reduce_scatter_block, false, "ring", ring_reduce_scatter, nullptr, true},
    Algorithm{Collective::reduce_scatter_block, false, "nonoverlapping", nullptr,
              nonoverlapping_reduce_scatter},
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

}  // namespace

std::span<const Algorithm> algorithms() { return kAlgorithms; }

const Algorithm* find_algorithm(Collective operation, bool on_intercommunicator,
                                std::string_view name) {
  const auto found =
      std::find_if(kAlgorithms.begin(), kAlgorithms.end(), [&](const Algorithm& algorithm) {
        return algorithm.operation == operation &&
               algorithm.on_intercommunicators == on_intercommunicator && algorithm.name == name;
      });
  return found == kAlgorithms.end() ? nullptr : &*found;
}

const Algorithm& simple_algorithm(Collective operation, bool on_intercommunicator) {
  const auto found =
      std::find_if(kAlgorithms.begin(), kAlgorithms.end(), [&](const Algorithm& algorithm) {
        return algorithm.operation == operation &&
               algorithm.on_intercommunicators == on_intercommunicator;
      });
  REPRISE_ASSERT(found != kAlgorithms.end(), "the operation exists on that kind of communicator");
  return *found;
}

}  // namespace reprise::sim
