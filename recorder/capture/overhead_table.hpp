// SPDX-License-Identifier: MIT
// The overhead curves of a recording as a table, and what has been taken off by it.
//
// Steps   an overhead for each octave of the period, that of the octave's geometric mean.
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

class OverheadTable {
 public:
  // REQUIRES: curves with points.
  explicit OverheadTable(const trace_io::Compensation& compensation) {
    for (std::size_t kind = 0; kind < trace_io::kOverheadKinds; ++kind)
      for (std::size_t octave = 0; octave < kOctaves; ++octave)
        overheads_[kind][octave] =
            overhead_at(compensation.curves[kind],
                        Nanoseconds{std::llround(std::exp2(static_cast<double>(octave) - 0.5))});
  }

  // What of COMPUTE, the time before a call that took COMMUNICATE, is the program's. Neither is negative. What a time is too short for
  // is owed by the next ones: the overhead is a mean, and cutting at 0 what deviates downwards would leave what deviates upwards. Not
  // more than kMostOwed overheads, so that a curve that is too high takes nothing from computing that is far longer.
  [[gnu::always_inline]] Nanoseconds take_off(Nanoseconds compute, Nanoseconds communicate,
                                              trace_io::OverheadKind kind, TakenOff& taken) const {
    const auto octave = static_cast<std::size_t>(
        std::bit_width(static_cast<std::uint64_t>((compute + communicate).value)));
    const Nanoseconds overhead =
        overheads_[static_cast<std::size_t>(kind)][std::min(octave, kOctaves - 1)];
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

 private:
  static constexpr std::int64_t kMostOwed = 16;
  static constexpr std::size_t kOctaves = 48;  // the last one: 39 hours and more
  std::array<std::array<Nanoseconds, kOctaves>, trace_io::kOverheadKinds> overheads_;
};

}  // namespace reprise::recorder
