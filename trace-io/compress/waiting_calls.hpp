// SPDX-License-Identifier: MIT
// The latest calls of a leaf that are in none of its counters yet: all that a call touches, side by side in two lines of a cache.
//
// Why     between two calls the program's data, or those of thousands of other leaves, drive a leaf out of the caches, and its counters lie in
//         twenty lines: durations as bins, their order, a sequence for each parameter. A call notes its two times only; every kMost calls
//         all of them are added, one after the other. So the counters become what they would have become one by one.
// Which   calls without lists whose parameters are those of the call before. Any other one is added at once, behind those that wait.
// Cost    noting: some thirty instructions. Memory: 116 bytes a leaf.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "trace-io/model/event.hpp"

namespace reprise::trace_io {

class WaitingCalls {
 public:
  static constexpr unsigned kMost = 7;

  // Notes a call with the same parameters after the same predecessor as the latest; false, and no change, where it cannot wait.
  [[gnu::always_inline]] bool note(const EventView& event, SiteId predecessor) {
    if (predecessor != predecessor_ || !are_same(event.scalars) || !event.vectors.empty())
      return false;
    constexpr std::int64_t kLongest = std::numeric_limits<std::uint32_t>::max();
    if (event.compute.value > kLongest || event.communicate.value > kLongest) return false;
    computes_[count_] = static_cast<std::uint32_t>(event.compute.value);
    communicates_[count_] = static_cast<std::uint32_t>(event.communicate.value);
    paths_[count_++] = path_;
    is_steady_ = true;
    return true;
  }
  // A call that was added at once, on that path of the leaf's: the next ones may be like it.
  void follow(const EventView&, SiteId predecessor, std::size_t path);
  // Whether one with these parameters can wait, after whatever predecessor.
  bool are_same(std::span<const std::int64_t> scalars) const {
    if (scalars.size() != scalars_) return false;
    for (std::size_t i = 0; i < scalars_; ++i)
      if (scalars[i] != last_[i]) return false;
    return true;
  }
  // The next one comes after another site, on that path. False where this path's number is too large.
  bool turn_to(SiteId predecessor, std::size_t path);

  bool is_full() const { return count_ == kMost; }
  // Whether the next call is one that is added with those that wait, as far as can be told.
  bool is_due() const { return !is_steady_ || count_ + 1U >= kMost; }
  unsigned count() const { return count_; }
  std::span<const std::uint32_t> computes() const { return {computes_.data(), count_}; }  // ns
  std::span<const std::uint32_t> communicates() const { return {communicates_.data(), count_}; }
  std::size_t path(std::size_t call) const { return paths_[call]; }
  std::span<const std::int32_t> scalars() const { return {last_.data(), scalars_}; }  // of each
  // They are in the counters.
  void clear() { count_ = 0; }

 private:
  static constexpr std::uint8_t kNone = 255;  // no call can be like the latest

  std::uint8_t count_ = 0, scalars_ = kNone, path_ = 0;
  bool is_steady_ = false;
  SiteId predecessor_ = kNoSite;
  std::array<std::int32_t, 11> last_;  // parameters
  std::array<std::uint32_t, kMost> computes_, communicates_;
  std::array<std::uint8_t, kMost> paths_;
};

}  // namespace reprise::trace_io
