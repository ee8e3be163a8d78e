// SPDX-License-Identifier: MIT
// The memory that a thread's recording may take (REPRISE_MEMORY), and what is given up when it is used up.
//
// Stages  1 timing detail: one bin per distribution; 2 nothing more is recorded: later calls are counted and timed only.
//         Calls, parameters and their order up to stage 2 stay exact, and both stages are losses by name.
// Cost    a subtraction per call. The program is measured, by a walk over all of it, only after calls that could have used up what was left: of 20 000 call sites
//         that took 10 ns a call, and half of the caches, before calls that take nothing gave back what was set aside for them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace reprise::recorder {

class MemoryBudget {
 public:
  enum class Stage : std::uint8_t { whole, one_bin, full };
  static constexpr std::uint64_t kDefault = std::uint64_t{256} << 20,
                                 kLeast = std::uint64_t{64} << 10;  // bytes

  explicit MemoryBudget(std::uint64_t limit)
      : limit_(limit), left_(static_cast<std::int64_t>(limit)) {}

  Stage stage() const { return stage_; }
  // Whether a call with so many vector elements surely fits.
  bool covers(std::size_t elements) {
    left_ -= static_cast<std::int64_t>(kCall + kElement * elements);
    return left_ >= 0;
  }
  // The call that it was asked for took none.
  void give_back() { left_ += static_cast<std::int64_t>(kCall); }
  // What the recording takes by measurement; false where that is too much. A call more may always be added.
  bool renew(std::size_t bytes) {
    if (bytes > limit_) return false;
    left_ = static_cast<std::int64_t>(std::max(limit_ - bytes, limit_ / 16));
    return true;
  }
  void next_stage() { stage_ = stage_ == Stage::whole ? Stage::one_bin : Stage::full; }

 private:
  static constexpr std::size_t kCall = 1024, kElement = 48;  // bytes at most that one call adds

  std::uint64_t limit_;
  std::int64_t left_;
  Stage stage_ = Stage::whole;
};

}  // namespace reprise::recorder
