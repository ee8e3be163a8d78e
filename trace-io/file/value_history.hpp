// SPDX-License-Identifier: MIT
// What followed the last time that the same values came: over all coded sequences.
//
// Cost  some 10 ns a value; memory: 8 bytes a value and 64 KiB.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "trace-io/base/integers.hpp"

namespace reprise::trace_io {

class ValueHistory {
 public:
  // That a sequence begins.
  void begin() { match_ = matched_ = length_ = 0; }
  std::optional<std::int64_t> foreseen() const {
    if (match_ == 0 || match_ >= values_.size()) return std::nullopt;
    return values_[match_];
  }
  // How many values were foreseen one after the other, at most 15.
  std::uint64_t matched() const { return std::min<std::uint64_t>(matched_, 15); }

  void note(std::int64_t value) {
    if (foreseen() == value) {
      ++match_;
      ++matched_;
    } else {
      match_ = matched_ = 0;
    }
    values_.push_back(value);
    if (++length_ < kMatch) return;
    followers_.resize(std::size_t{1} << kFollowerBits);
    WordHash hash;
    for (std::size_t back = 1; back <= kMatch; ++back)
      hash.add(static_cast<std::uint64_t>(values_[values_.size() - back]));
    std::uint32_t& follower = followers_[hash.value() * kHashMultiplier >> (64 - kFollowerBits)];
    if (match_ == 0) match_ = follower;
    follower = static_cast<std::uint32_t>(values_.size());
  }

 private:
  static constexpr std::size_t kMatch = 3;  // values that must have come before
  static constexpr unsigned kFollowerBits = 14;

  std::vector<std::int64_t> values_;      // in the order of coding
  std::vector<std::uint32_t> followers_;  // places in it, by a hash of the values before
  std::size_t match_ = 0, matched_ = 0, length_ = 0;
};

}  // namespace reprise::trace_io
