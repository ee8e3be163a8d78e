// SPDX-License-Identifier: MIT
#include "sim/engine/loop/cold_caches.hpp"

#include <algorithm>
#include <utility>

#include "sim/time_grid.hpp"

namespace reprise::sim {

using platforms::ColdCosts;

namespace {

double cost_of(const platforms::Mpi& mpi, platforms::ColdCost cost, double computed, Bytes size,
               bool is_code_warm, double since) {
  const auto costs = [&](double after, Bytes bytes) {
    return cold_cost(mpi.cold_caches, cost, Seconds{after}, bytes).value;
  };
  const double code = is_code_warm ? costs(computed, Bytes{}) : 0;
  if (since >= computed) return on_grid(std::max(0.0, costs(computed, size) - code));
  const double bytes = std::max(0.0, costs(since, size) - costs(since, Bytes{}));
  return on_grid(std::max(0.0, costs(computed, Bytes{}) - code) + bytes);
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
    state.uses.clear();
    state.oldest = 0;
  }
  state.all += state.computed;
  state.computed = 0;
  return state;
}

double ColdCaches::use(std::uint32_t actor, const Buffer& buffer, double entered) {
  State& state = enter(actor, entered);
  if (entered >= state.until) return kNeverUsed;  // costs nothing anyway
  const auto known = std::ranges::find(state.uses, buffer, &Use::buffer);
  if (known != state.uses.end()) return state.all - std::exchange(known->computed, state.all);
  if (state.uses.size() < kBuffers) {
    state.uses.push_back({buffer, state.all});
  } else {
    state.uses[state.oldest] = {buffer, state.all};
    state.oldest = (state.oldest + 1) % kBuffers;
  }
  return kNeverUsed;
}

double ColdCaches::send(std::uint32_t actor, const platforms::Mpi& mpi, Bytes size, double entered,
                        double since) {
  State& state = enter(actor, entered);
  return cost_of(mpi, &ColdCosts::send_overhead, state.until - entered, size,
                 std::exchange(state.has_sent, true), since);
}

double ColdCaches::receive(std::uint32_t actor, const platforms::Mpi& mpi, Bytes size,
                           double entered, double since) {
  State& state = enter(actor, entered);
  return cost_of(mpi, &ColdCosts::recv_overhead, state.until - entered, size,
                 std::exchange(state.has_received, true), since);
}

double ColdCaches::copy(std::uint32_t actor, const platforms::Mpi& mpi, Bytes size, double entered,
                        double since) {
  const State& state = enter(actor, entered);
  return cost_of(mpi, &ColdCosts::copy, state.until - entered, size, false, since);
}

}  // namespace reprise::sim
