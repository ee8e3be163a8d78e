// SPDX-License-Identifier: MIT
#include "sim/engine/loop/cold_caches.hpp"

#include <algorithm>
#include <utility>

#include "sim/time_grid.hpp"

namespace reprise::sim {

using platforms::ColdCosts;

namespace {

double cost_of(const platforms::Mpi& mpi, platforms::ColdCost cost, double computed, Bytes size,
               bool is_code_warm) {
  const Seconds time{computed};
  const double code = is_code_warm ? cold_cost(mpi.cold_caches, cost, time, Bytes{}).value : 0;
  return on_grid(std::max(0.0, cold_cost(mpi.cold_caches, cost, time, size).value - code));
}

}  // namespace

ColdCaches::ColdCaches(const platforms::Platform& platform)
    : is_modelled_(!platform.mpi.cold_caches.empty() ||
                   !platform.intra_node_mpi.cold_caches.empty()) {}

ColdCaches::State& ColdCaches::enter(std::uint32_t actor, double entered) {
  State& state = states_[actor];
  if (state.computed > 0 && entered + state.computed > state.until) {
    state.until = entered + state.computed;
    state.has_sent = state.has_received = false;
  }
  state.computed = 0;
  return state;
}

double ColdCaches::send(std::uint32_t actor, const platforms::Mpi& mpi, Bytes size,
                        double entered) {
  State& state = enter(actor, entered);
  return cost_of(mpi, &ColdCosts::send_overhead, state.until - entered, size,
                 std::exchange(state.has_sent, true));
}

double ColdCaches::receive(std::uint32_t actor, const platforms::Mpi& mpi, Bytes size,
                           double entered) {
  State& state = enter(actor, entered);
  return cost_of(mpi, &ColdCosts::recv_overhead, state.until - entered, size,
                 std::exchange(state.has_received, true));
}

double ColdCaches::copy(std::uint32_t actor, const platforms::Mpi& mpi, Bytes size,
                        double entered) {
  const State& state = enter(actor, entered);
  return cost_of(mpi, &ColdCosts::copy, state.until - entered, size, false);
}

}  // namespace reprise::sim
