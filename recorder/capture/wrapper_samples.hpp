// SPDX-License-Identifier: MIT
// How long a wrapper works outside its own clock readings, sampled while the program runs.
//
// What     the last reading of one call to its very end, and the beginning of the next call to its first reading: the calibration in
//          MPI_Init measures both in calls of its own, whose caches are warm and whose arguments are few (overhead_table.hpp corrects its curves by the difference).
// Sample   of some calls, the clock is read once more at the end, and once more at the beginning of the next. Between these two readings stands
//          what the program computed, without those parts of the wrappers.
// Cost     a call: two comparisons and a decrement; a sample: two readings, some 80 ns. Samples are taken so seldom that they cost a
//          call 1 ns in the mean, and a hundredth of wrappers that are slow themselves. Of those that take microseconds each one is sampled, for 2 % of
//          their time: interrupts fall into most of them sooner or later, and only in the one where it was is it the recorder's.
// Threads  of one thread.
#pragma once

#include <algorithm>
#include <cstdint>

#include "trace-io/base/quantity.hpp"

namespace reprise::recorder {

class WrapperSamples {
 public:
  static constexpr std::uint32_t kFirst = 4;  // calls until the first sample, then twice as many …

  // From now on; `every`: each call, for a calibration.
  void start(bool every) {
    every_ = every;
    left_ = interval_ = every ? 1 : kFirst;
    stage_ = Stage::none;
  }
  void stop() {
    left_ = kNever;
    stage_ = Stage::none;
  }

  // A call has been recorded, and leaves its wrapper soon.
  [[gnu::always_inline]] void recorded() {
    if (--left_ == 0) [[unlikely]]
      stage_ = Stage::leaving;
  }
  [[gnu::always_inline]] bool is_leaving() const { return stage_ == Stage::leaving; }
  void left(std::uint64_t reading) {
    left_at_ = reading;
    stage_ = Stage::outside;
  }
  [[gnu::always_inline]] bool is_away() const { return stage_ >= Stage::outside; }
  // REQUIRES: is_away(). At the beginning of a call: false where the call before it came to no compute time.
  bool returns() {
    if (stage_ == Stage::outside) return true;
    drop();
    return false;
  }
  void entered(std::uint64_t reading) {
    entered_at_ = reading;
    stage_ = Stage::entered;
  }
  // Before the compute time is known something else has happened than computing.
  void drop() {
    if (!is_away()) return;
    stage_ = Stage::none;
    wait();
  }

  [[gnu::always_inline]] bool is_complete() const { return stage_ == Stage::entered; }
  struct Outside {
    std::uint64_t begin, end;  // readings
  };
  // REQUIRES: is_complete().
  Outside outside() const { return {left_at_, entered_at_}; }
  // `wrappers`: what they took outside their readings; the next sample is due accordingly.
  void taken(Nanoseconds wrappers) {
    const std::int64_t took = std::clamp<std::int64_t>(wrappers.value, 0, kLongest);
    const auto steady =
        took >= kSlow ? 1 : 1 + kSeldom / (1 + static_cast<std::uint32_t>(took / kShort));
    interval_ = every_ ? 1 : std::min(2 * interval_, steady);
    stage_ = Stage::none;
    wait();
  }

 private:
  // For `interval_` calls in the mean, never in step with a loop of the program.
  void wait() {
    random_ = random_ * 1664525u + 1013904223u;
    left_ = 1 + (random_ >> 16) % (2 * interval_ - 1);
  }
  static constexpr std::uint32_t kSeldom = 96;
  static constexpr std::int64_t kShort = 64, kSlow = 4096, kLongest = 1'000'000;  // ns
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  enum class Stage : std::uint8_t { none, leaving, outside, entered };

  Stage stage_ = Stage::none;
  bool every_ = false;
  std::uint32_t interval_ = kFirst, random_ = 1;
  std::uint64_t left_ = kNever;
  std::uint64_t left_at_ = 0, entered_at_ = 0;  // readings
};

}  // namespace reprise::recorder
