// SPDX-License-Identifier: MIT
// The latest calls of a leaf as far as they are in none of its counters yet: all that a call touches, in two lines of a cache.
//
// Why     between two calls the program's data, or those of thousands of other leaves, drive a leaf out of the caches, and its counters lie in
//         twenty lines: durations as bins, their order, a sequence for each parameter. A call notes its two times only; every kMost calls
//         all of them are added together (Distribution::add_all).
// Parameters that are those of the call before are counted only; others are for the sequences at once, behind those that were counted.
// Layout  behind 28 bytes of a node its first line has all but times (fold_node.hpp), and each further line as many times as it has room for.
// Cost    noting: some thirty instructions. Memory: 164 bytes a leaf.
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
  static constexpr unsigned kInLine = 7, kMost = 2 * kInLine;

  // Counts a call with the parameters of the one before; false, and no change, where they are others.
  [[gnu::always_inline]] bool repeat(std::span<const std::int64_t> scalars) {
    if (scalars.size() != scalars_ || repeats_ == std::numeric_limits<std::uint32_t>::max())
      return false;
    for (std::size_t i = 0; i < scalars_; ++i)
      if (scalars[i] != last_[i]) return false;
    ++repeats_;
    return true;
  }
  // Those counted are in the sequences, and so are these.
  void follow(std::span<const std::int64_t>);
  std::uint32_t repeats() const { return repeats_; }
  std::span<const std::int32_t> scalars() const { return {last_.data(), scalars_}; }  // of each
  void clear_repeats() { repeats_ = 0; }

  // Notes times after the same predecessor as the latest; false, and no change, where they cannot wait.
  [[gnu::always_inline]] bool note(Nanoseconds compute, Nanoseconds communicate,
                                   SiteId predecessor) {
    constexpr std::int64_t kLongest = std::numeric_limits<std::uint32_t>::max();
    if (predecessor != predecessor_ || path_ == kNone || compute.value > kLongest ||
        communicate.value > kLongest)
      return false;
    Line& line = lines_[count_ >= kInLine ? 1 : 0];
    const unsigned place = count_ >= kInLine ? count_ - kInLine : count_;
    line.computes[place] = static_cast<std::uint32_t>(compute.value);
    line.communicates[place] = static_cast<std::uint32_t>(communicate.value);
    line.paths[place] = path_;
    ++count_;
    return true;
  }
  // The next one comes after that site, on that path of the leaf's.
  void turn_to(SiteId predecessor, std::size_t path) {
    predecessor_ = predecessor;
    path_ = path < kNone ? static_cast<std::uint8_t>(path) : kNone;
  }
  bool is_full() const { return count_ == kMost; }
  unsigned count() const { return count_; }
  // Of one of them; times in ns.
  std::uint32_t compute(std::size_t call) const {
    return lines_[call / kInLine].computes[call % kInLine];
  }
  std::uint32_t communicate(std::size_t call) const {
    return lines_[call / kInLine].communicates[call % kInLine];
  }
  std::size_t path(std::size_t call) const { return lines_[call / kInLine].paths[call % kInLine]; }
  void clear_times() { count_ = 0; }

  // Whether the next call's parameters, or its times with all that wait, are for the counters, as far as can be told; and else, where its times
  // will be noted.
  bool are_scalars_due() const { return repeats_ == 0; }
  bool are_times_due() const { return count_ + 1U >= kMost; }
  const void* next_times() const { return &lines_[count_ >= kInLine ? 1 : 0]; }

 private:
  static constexpr std::uint8_t kNone = 255;

  std::uint8_t count_ = 0, path_ = kNone;
  std::uint8_t scalars_ = kNone;  // kNone: no call can be like the latest
  SiteId predecessor_ = kNoSite;
  std::uint32_t repeats_ = 0;
  std::array<std::int32_t, 6> last_;  // parameters
  struct Line {
    std::array<std::uint32_t, kInLine> computes, communicates;
    std::array<std::uint8_t, kInLine> paths;
  };
  static_assert(sizeof(Line) == 64);
  std::array<Line, 2> lines_;
};

}  // namespace reprise::trace_io
