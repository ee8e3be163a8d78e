// SPDX-License-Identifier: MIT
// The overhead curves of a recording as a table, and what has been taken off by it.
//
// Steps   an overhead for each octave of the period, that of the octave's geometric mean.
// Samples the curves are measured in calls of the recorder's own. Where the program's wrappers take longer outside their readings (cold
//         caches, many requests) or shorter, samples show it (wrapper_samples.hpp): the mean difference is added to the curves, and a
//         sampled time itself is without what its own wrappers took.
// Cost    take_off(): some fifteen instructions.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include "trace-io/model/compensation.hpp"

namespace reprise::recorder {

// Of one thread.
struct TakenOff {
  std::uint64_t count = 0, clamped_count = 0;
  Nanoseconds time{},
      clamped_time{};  // clamped: what is still to be taken off, of times that were shorter

  TakenOff& operator+=(const TakenOff& other) {
    count += other.count;
    clamped_count += other.clamped_count;
    time += other.time;
    clamped_time += other.clamped_time;
    return *this;
  }
};

// Of an overhead, by the period: what a sample finds of the wrappers, and what it does not find (the processor's caches, the call itself).
struct OverheadParts {
  std::array<trace_io::OverheadCurve, trace_io::kOverheadKinds> wrappers, rest;
};

// What samples of one thread have found beyond the curves.
class OverheadCorrection {
 public:
  Nanoseconds of(trace_io::OverheadKind kind) const {
    return kinds_[static_cast<std::size_t>(kind)].now;
  }
  // The largest one that was in use, not below 0: what is taken off a time is at most so much above its curve.
  Nanoseconds largest(trace_io::OverheadKind kind) const {
    return kinds_[static_cast<std::size_t>(kind)].largest;
  }
  // A sample of `wrappers` where the curve says `expected`. One that an interrupt has made long counts as one that is merely long.
  void add(trace_io::OverheadKind kind, Nanoseconds wrappers, Nanoseconds expected) {
    Kind& here = kinds_[static_cast<std::size_t>(kind)];
    const Nanoseconds usual = std::max(expected + here.now, Nanoseconds{});
    const std::int64_t most = kMostTimes * usual.value + kAlwaysKept;
    here.sum += std::min(wrappers.value, most) - expected.value;
    if (++here.count < here.next) return;
    here.next *= 2;
    here.now = Nanoseconds{here.sum / here.count};
    here.largest = std::max(here.largest, here.now);
  }

 private:
  static constexpr std::int64_t kMostTimes = 4, kAlwaysKept = 1000;  // ns
  static constexpr std::int64_t kEnough = 16;                        // samples; then 32, 64 …
  struct Kind {
    std::int64_t sum = 0, count = 0, next = kEnough;
    Nanoseconds now{}, largest{};
  };
  std::array<Kind, trace_io::kOverheadKinds> kinds_;
};

class OverheadTable {
 public:
  // REQUIRES: curves with points. Without curves of parts there is nothing to compare samples with.
  explicit OverheadTable(const trace_io::Compensation& compensation,
                         const OverheadParts& parts = {}) {
    for (std::size_t kind = 0; kind < trace_io::kOverheadKinds; ++kind) {
      fill(overheads_[kind], compensation.curves[kind]);
      if (parts.wrappers[kind].empty() || parts.rest[kind].empty()) {
        has_parts_ = false;
        continue;
      }
      fill(wrappers_[kind], parts.wrappers[kind]);
      fill(rest_[kind], parts.rest[kind]);
      for (std::size_t octave = 0; octave < kOctaves; ++octave)
        rest_[kind][octave] =
            std::clamp(rest_[kind][octave], Nanoseconds{}, overheads_[kind][octave]);
    }
  }
  bool has_parts() const { return has_parts_; }

  // What of COMPUTE, the time before a call that took COMMUNICATE, is the program's. Neither is negative. What a time is too short for
  // is owed by the next ones: the overhead is a mean, and cutting at 0 what deviates downwards would leave what deviates upwards. Not
  // more than kMostOwed overheads, so that a curve that is too high takes nothing from computing that is far longer.
  [[gnu::always_inline]] Nanoseconds take_off(Nanoseconds compute, Nanoseconds communicate,
                                              trace_io::OverheadKind kind, TakenOff& taken,
                                              Nanoseconds correction = {}) const {
    const Nanoseconds overhead =
        overheads_[static_cast<std::size_t>(kind)][octave_of(compute + communicate)] + correction;
    return less(compute, std::max(overhead, Nanoseconds{}), taken);
  }
  // The same of a time in which the wrappers took `wrappers` outside their readings, by a sample. REQUIRES: has_parts(), `wrappers` ≤ `compute`.
  Nanoseconds take_off_sampled(Nanoseconds compute, Nanoseconds communicate, Nanoseconds wrappers,
                               trace_io::OverheadKind kind, TakenOff& taken,
                               OverheadCorrection& correction) const {
    const auto of_kind = static_cast<std::size_t>(kind);
    const std::size_t octave = octave_of(compute + communicate);
    correction.add(kind, wrappers, wrappers_[of_kind][octave]);
    return less(compute, wrappers + rest_[of_kind][octave], taken);
  }

 private:
  static constexpr std::int64_t kMostOwed = 16;
  static constexpr std::size_t kOctaves = 48;  // the last one: 39 hours and more
  using Octaves = std::array<Nanoseconds, kOctaves>;

  static void fill(Octaves& octaves, const trace_io::OverheadCurve& curve) {
    for (std::size_t octave = 0; octave < kOctaves; ++octave)
      octaves[octave] = overhead_at(
          curve, Nanoseconds{std::llround(std::exp2(static_cast<double>(octave) - 0.5))});
  }
  static std::size_t octave_of(Nanoseconds period) {
    return std::min<std::size_t>(
        static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(period.value))),
        kOctaves - 1);
  }
  [[gnu::always_inline]] static Nanoseconds less(Nanoseconds compute, Nanoseconds overhead,
                                                 TakenOff& taken) {
    const Nanoseconds owed = overhead + taken.clamped_time, off = std::min(owed, compute);
    ++taken.count;
    taken.time += off;
    taken.clamped_time = owed - off;
    if (off < overhead) [[unlikely]] {
      ++taken.clamped_count;
      taken.clamped_time = std::min(taken.clamped_time, Nanoseconds{kMostOwed * overhead.value});
    }
    return compute - off;
  }

  std::array<Octaves, trace_io::kOverheadKinds> overheads_, wrappers_{}, rest_{};
  bool has_parts_ = true;
};

}  // namespace reprise::recorder
