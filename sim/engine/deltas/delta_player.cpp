// SPDX-License-Identifier: MIT
#include "sim/engine/deltas/delta_player.hpp"

#include <algorithm>
#include <numeric>

#include "sim/counter_random.hpp"
#include "trace-io/model/value_sequence.hpp"

namespace reprise::sim {
namespace {

constexpr std::uint32_t kNoOrder = ~std::uint32_t{0};

std::uint64_t times_modulo(std::uint64_t a, std::uint64_t b, std::uint64_t n) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(static_cast<Wide>(a) * b % n);
}

// Coprime to n and near n over the golden ratio.
std::uint64_t golden_step(std::uint64_t n) {
  if (n < 3) return 1;
  auto step = static_cast<std::uint64_t>(static_cast<double>(n) * 0.6180339887498949);
  while (std::gcd(step, n) != 1) ++step;
  return step;
}

}  // namespace

std::uint32_t DeltaPlayer::order_of(const trace_io::DeltaClass& delta) {
  const auto [at, is_new] =
      order_numbers_.emplace(&delta, static_cast<std::uint32_t>(orders_.size()));
  if (!is_new) return at->second;
  SamplingOrder& sampling_order = orders_.emplace_back();
  sampling_order.members = delta.ranks.ranks();
  for (const auto& bin : delta.durations.bins()) {
    if (bin.count == 0) continue;
    sampling_order.count += bin.count;
    sampling_order.ends.push_back(sampling_order.count);
    sampling_order.values.push_back(static_cast<double>(bin.sum) / static_cast<double>(bin.count) *
                                    1e-9);
  }
  sampling_order.step = golden_step(sampling_order.count);
  if (delta.scale_factors != nullptr && sampling_order.count % sampling_order.members.size() == 0) {
    std::uint64_t scaled = 0;
    for (const Rank rank : sampling_order.members)
      scaled += sampling_order.count / sampling_order.members.size() *
                static_cast<std::uint64_t>(scale_factor_of(*delta.scale_factors, rank));
    sampling_order.is_even = scaled == delta.scaled_count;
  }
  return at->second;
}

// Where the class is, or would be put. REQUIRES: a slot is free.
std::size_t DeltaPlayer::place_of(const trace_io::DeltaClass& delta, const DeltaState& state) {
  const std::size_t mask = state.slots.size() - 1;
  std::size_t place =
      static_cast<std::size_t>(mixed(reinterpret_cast<std::uintptr_t>(&delta))) & mask;
  while (state.slots[place].delta != nullptr && state.slots[place].delta != &delta)
    place = (place + 1) & mask;
  return place;
}

// Ranks play one class after the other as they did before: mostly it is the slot that has been fetched.
DeltaState::Slot& DeltaPlayer::slot_of(const trace_io::DeltaClass& delta, DeltaState& state) {
  if (state.expected < state.slots.size() && state.slots[state.expected].delta == &delta)
    return state.slots[state.expected];
  if (2 * (state.used + 1) > state.slots.size()) {
    std::vector<DeltaState::Slot> old(std::max<std::size_t>(4, 2 * state.slots.size()));
    old.swap(state.slots);
    state.used = 0;
    state.last = state.expected = 0;
    for (const auto& slot : old)
      if (slot.delta != nullptr) slot_of(*slot.delta, state) = slot;
  }
  auto& slot = state.slots[place_of(delta, state)];
  if (slot.delta != nullptr) return slot;
  ++state.used;
  slot.delta = &delta;
  slot.sampling_order = kNoOrder;
  return slot;
}

std::int64_t DeltaPlayer::scale_factor_of(const trace_io::RankScaleFactors& scale_factors,
                                          Rank rank) {
  const auto [at, is_new] = scale_factors_.try_emplace(&scale_factors);
  auto& of_rank = at->second;
  if (is_new) {
    const std::vector<Rank> ranks = scale_factors.ranks.ranks();
    of_rank.resize(static_cast<std::size_t>(ranks.back().value) + 1);
    trace_io::ValueSequence::Cursor cursor(scale_factors.values);
    for (const Rank one : ranks) of_rank[static_cast<std::size_t>(one.value)] = cursor.next();
  }
  return of_rank[static_cast<std::size_t>(rank.value)];
}

double DeltaPlayer::value_at(const SamplingOrder& sampling_order, std::uint64_t place) const {
  const auto bin = std::upper_bound(sampling_order.ends.begin(), sampling_order.ends.end(), place);
  return sampling_order.values[static_cast<std::size_t>(bin - sampling_order.ends.begin())];
}

// The sum of a member's plays before scaling. R divides N and the step is coprime to N: the member's places (member + k·R)·step modulo N,
// 0 ≤ k < N/R, are those congruent to member·step modulo R, each once.
double DeltaPlayer::dealt(const SamplingOrder& sampling_order, std::uint64_t member) {
  const std::uint64_t ranks = sampling_order.members.size(),
                      first = times_modulo(member, sampling_order.step, ranks);
  double sum = 0;
  std::uint64_t below = 0;
  for (std::size_t bin = 0; bin < sampling_order.ends.size(); ++bin) {
    const std::uint64_t under_end = (sampling_order.ends[bin] + ranks - 1 - first) / ranks;
    sum += static_cast<double>(under_end - below) * sampling_order.values[bin];
    below = under_end;
  }
  return sum;
}

// A rank's first play of a class.
void DeltaPlayer::open(DeltaState::Slot& slot, const trace_io::DeltaClass& delta, Rank rank) {
  slot.sampling_order = order_of(delta);
  const SamplingOrder& sampling_order = orders_[slot.sampling_order];
  slot.next = static_cast<std::uint64_t>(
      std::lower_bound(sampling_order.members.begin(), sampling_order.members.end(), rank) -
      sampling_order.members.begin());
  slot.mean = delta.durations.mean_ns() * 1e-9;
  if (delta.scale_factors == nullptr) return;
  slot.mean = static_cast<double>(scale_factor_of(*delta.scale_factors, rank)) *
              static_cast<double>(delta.durations.sum().value) /
              static_cast<double>(delta.scaled_count) * 1e-9;
  const double mean = slot.mean;
  if (mode_ == Deltas::mean || sampling_order.count == 0) {
    slot.scale = mean;
    return;
  }
  const double of_all = delta.durations.mean_ns() * 1e-9;
  slot.scale = of_all > 0 ? mean / of_all : 1;
  if (mode_ != Deltas::distribution || !sampling_order.is_even) return;
  const std::uint64_t plays = sampling_order.count / sampling_order.members.size();
  const double played = dealt(sampling_order, slot.next);
  if (played > 0) slot.scale = mean * static_cast<double>(plays) / played;
}

const trace_io::PlayedOrder& DeltaPlayer::recorded_order_of(const trace_io::DeltaClass& delta,
                                                            std::uint32_t& number) {
  const auto [at, is_new] =
      order_numbers_.emplace(&delta, static_cast<std::uint32_t>(recorded_orders_.size()));
  if (is_new)
    recorded_orders_.push_back(std::make_unique<const trace_io::PlayedOrder>(delta, seed_));
  number = at->second;
  return *recorded_orders_[number];
}

// A rank's first play of a class, mode `ordered`.
void DeltaPlayer::open_in_order(DeltaState::Slot& slot, const trace_io::DeltaClass& delta,
                                DeltaState& state) {
  slot.opened = static_cast<std::uint32_t>(state.opened.size());
  slot.mean = delta.durations.mean_ns() * 1e-9;
  if (delta.scale_factors != nullptr)
    slot.mean = static_cast<double>(scale_factor_of(*delta.scale_factors, state.rank)) *
                static_cast<double>(delta.durations.sum().value) /
                static_cast<double>(delta.scaled_count) * 1e-9;
  state.opened.push_back(
      recorded_order_of(delta, slot.sampling_order).open(state.rank, slot.mean * 1e9));
}

Seconds DeltaPlayer::mean(const trace_io::DeltaClass& delta, DeltaState& state) {
  if (delta.durations.count() == 0) return Seconds{};
  if (delta.scale_factors == nullptr) return Seconds{delta.durations.mean_ns() * 1e-9};
  if (state.last < state.slots.size() && state.slots[state.last].delta == &delta)
    return Seconds{state.slots[state.last].mean};
  return Seconds{slot_of(delta, state).mean};
}

Seconds DeltaPlayer::play(const trace_io::DeltaClass& delta, DeltaState& state) {
  const trace_io::Distribution& durations = delta.durations;
  if (durations.count() == 0) return Seconds{};
  const bool plays_mean = mode_ == Deltas::mean || durations.bins().empty();
  if (plays_mean && delta.scale_factors == nullptr) return Seconds{durations.mean_ns() * 1e-9};
  auto& slot = slot_of(delta, state);
  const auto number = static_cast<std::uint32_t>(&slot - state.slots.data());
  if (number != state.expected)
    state.slots[state.last].behind = number;  // else that says so already
  state.last = number;
  state.expected = slot.behind;
  if (slot.sampling_order == kNoOrder) {
    if (mode_ == Deltas::ordered)
      open_in_order(slot, delta, state);
    else
      open(slot, delta, state.rank);
  }
  if (mode_ == Deltas::sample && !plays_mean) {
    const SamplingOrder& sampling_order = orders_[slot.sampling_order];
    const std::uint64_t stream =
        mixed(seed_ ^ mixed(static_cast<std::uint64_t>(state.rank.value) << 32 | state.thread));
    return Seconds{slot.scale * value_at(sampling_order, mixed(stream + mixed(state.draws++)) %
                                                             sampling_order.count)};
  }
  return play(slot, state);
}

Seconds DeltaPlayer::play(DeltaState::Slot& slot, const DeltaState& state) const {
  if (mode_ == Deltas::ordered)
    return Seconds{slot.mean * recorded_orders_[slot.sampling_order]->value(
                                   state.opened[slot.opened], slot.next++)};
  if (mode_ == Deltas::mean || slot.delta->durations.bins().empty()) return Seconds{slot.scale};
  const SamplingOrder& sampling_order = orders_[slot.sampling_order];
  const std::uint64_t place =
      times_modulo(slot.next % sampling_order.count, sampling_order.step, sampling_order.count);
  slot.next += sampling_order.members.size();
  return Seconds{slot.scale * value_at(sampling_order, place)};
}

const DeltaState::Slot* DeltaPlayer::find_slot(const trace_io::DeltaClass& delta,
                                               const DeltaState& state) const {
  if (state.slots.empty()) return nullptr;
  const DeltaState::Slot& slot = state.slots[place_of(delta, state)];
  return slot.delta == nullptr || slot.sampling_order == kNoOrder ? nullptr : &slot;
}

void DeltaPlayer::set_plays(DeltaState& state, const DeltaState::Slot& slot) {
  state.slots[place_of(*slot.delta, state)].next = slot.next;
}

std::vector<std::uint64_t> DeltaPlayer::plays(const DeltaState& state) {
  std::vector<std::uint64_t> plays;
  for (const auto& slot : state.slots) plays.push_back(slot.next);
  return plays;
}

std::uint64_t DeltaPlayer::periods_alike(const DeltaState& state,
                                         std::span<const std::uint64_t> taken) const {
  using trace_io::OrderLog;
  using trace_io::PlayedOrder;
  std::uint64_t periods = PlayedOrder::kNeverEnds;
  if (taken.size() != state.slots.size()) return 0;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const DeltaState::Slot& slot = state.slots[i];
    if (taken[i] == 0 || slot.delta == nullptr || slot.sampling_order == kNoOrder) continue;
    const std::uint64_t more = recorded_orders_[slot.sampling_order]->repeating(
        state.opened[slot.opened], slot.next, taken[i]);
    if (more == PlayedOrder::kNeverEnds) continue;
    periods = taken[i] % OrderLog::kBlock == 0 ? std::min(periods, more / taken[i]) : 0;
  }
  return periods;
}

bool DeltaPlayer::has_shuffled(const DeltaState& state,
                               std::span<const std::uint64_t> taken) const {
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const std::uint32_t order = state.slots[i].sampling_order;
    if (taken[i] > 0 && state.slots[i].delta != nullptr && order != kNoOrder &&
        recorded_orders_[order]->is_shuffled())
      return true;
  }
  return false;
}

std::uint64_t DeltaPlayer::stretches(const DeltaState& state) const {
  std::uint64_t sum = 0;  // of what never decreases
  for (const auto& slot : state.slots)
    if (slot.delta != nullptr && slot.sampling_order != kNoOrder)
      sum += recorded_orders_[slot.sampling_order]->stretch(state.opened[slot.opened], slot.next);
  return sum;
}

void DeltaPlayer::leave_out(DeltaState& state, std::span<const std::uint64_t> taken,
                            std::uint64_t periods) {
  for (std::size_t i = 0; i < taken.size(); ++i) state.slots[i].next += periods * taken[i];
}

}  // namespace reprise::sim
