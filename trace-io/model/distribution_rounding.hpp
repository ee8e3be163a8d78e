// SPDX-License-Identifier: MIT
// Distributions rounded so that files store them in half of the bytes: for finished traces, when nothing more is added or merged.
//
// Exact    count, sum, extremes and the counts of bins.
// Rounded  means of bins, by their distance from what is next to them on the side of the nearer extreme: bins below the fullest one
//          are counted upwards from the minimum, bins above it downwards from the maximum. The fullest bin takes the rest of the
//          sum. The sum of squares, by what it exceeds the least that the bins allow.
// Error    at most kLargestShift of the mean in the Wasserstein distance, of which every bin but the fullest may use the same share: a bin
//          of few durations is placed more coarsely than one of many, but never by more than 1/64 of its distance. What whole
//          nanoseconds would move further has no rounded form.
#pragma once

#include <cstddef>
#include <optional>

#include "trace-io/base/integers.hpp"
#include "trace-io/model/distribution.hpp"

namespace reprise::trace_io {

inline constexpr ShortFloat<Wide> kRoundedSquares{4};  // ns²
inline constexpr double kLargestShift = 1.0 / 1024;

// How the distance of one bin is rounded and what it is in a file: in steps that suit its share of the error, or, where those are coarser
// than 1/32 of it, to six significant bits. Codes ascend with the distance, without gaps.
class GapCode {
 public:
  // Of a distribution of so many bins with that sum; the bin holds `count` of its durations. REQUIRES: sum ≥ 0, bins ≥ 2, count ≥ 1.
  GapCode(std::int64_t sum, std::size_t bins, std::uint64_t count);

  std::uint64_t rounded(
      std::uint64_t gap) const;  // the nearest that has a code; REQUIRES: gap < 2⁶³
  std::uint64_t code(std::uint64_t gap) const;     // REQUIRES: rounded
  std::uint64_t number(std::uint64_t code) const;  // REQUIRES: code ≤ largest_code()
  std::uint64_t largest_code() const;

 private:
  bool is_float(std::uint64_t gap) const { return (gap >> shift_) >> 6U == 0; }

  unsigned shift_ = 0;  // steps of 2^shift_ ns
};

// The lowest of those with the most members. REQUIRES: bins.
std::size_t fullest_bin(std::span<const Distribution::Bin>);

// Rounding what is rounded changes nothing. `bins_are_scaled`: as in Distribution::consistent.
std::optional<Distribution> rounded(const Distribution&, bool bins_are_scaled);

}  // namespace reprise::trace_io
