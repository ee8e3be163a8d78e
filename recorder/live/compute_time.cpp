// SPDX-License-Identifier: MIT
#include "recorder/live/compute_time.hpp"

#include "trace-io/model/trace.hpp"

namespace reprise::live {
// SplitMix64: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014.
double DeltaDraws::uniform() {
  std::uint64_t x = state_ += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return static_cast<double>((x ^ (x >> 31)) >> 11) * 0x1p-53;
}

double DeltaDraws::nanoseconds(const trace_io::DeltaClass& delta) {
  if (delta.durations.count() == 0) return 0;
  auto known = known_.find(&delta);
  if (known == known_.end()) {
    known = known_
                .emplace(&delta, Known{state_ += 0x632be59bd9b4e019u,
                                       trace_io::relative_mean(delta, rank_)})
                .first;
    if (mode_ == Deltas::ordered) {
      Known& added = known->second;
      added.order = std::make_unique<const trace_io::PlayedOrder>(delta, seed_);
      added.in_order = added.order->open(rank_, added.scale * delta.durations.mean_ns());
      added.next = 0;
    }
  }
  Known& its = known->second;
  if (its.order != nullptr)
    return its.scale * delta.durations.mean_ns() * its.order->value(its.in_order, its.next++);
  return its.scale * played(delta.durations, its);
}

double DeltaDraws::played(const trace_io::Distribution& distribution, Known& known) {
  const auto bins = distribution.bins();
  if (mode_ == Deltas::mean || bins.empty()) return distribution.mean_ns();
  double place = 0;
  if (mode_ == Deltas::sample) {
    place = uniform();
  } else {
    // Multiples of 2⁶⁴ over the golden ratio, modulo 2⁶⁴.
    place = static_cast<double>((known.next += 0x9e3779b97f4a7c15u) >> 11) * 0x1p-53;
  }
  double rest = place * static_cast<double>(distribution.count());
  for (const auto& bin : bins) {
    rest -= static_cast<double>(bin.count);
    if (rest < 0) return static_cast<double>(bin.sum) / static_cast<double>(bin.count);
  }
  return static_cast<double>(bins.back().sum) / static_cast<double>(bins.back().count);
}

}  // namespace reprise::live
