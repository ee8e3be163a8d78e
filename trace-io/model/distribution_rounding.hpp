// SPDX-License-Identifier: MIT
// Distributions rounded so that files store them in two thirds of the bytes: for finished traces, when nothing more is added or merged.
//
// Exact    count, sum, extremes and the counts of bins.
// Rounded  means of bins, by their distance from what is next to them on the side of the nearer extreme: bins below the fullest one
//          are counted upwards from the minimum, bins above it downwards from the maximum. The fullest bin takes the rest of the
//          sum. The sum of squares, by what it exceeds the least that the bins allow.
// Error    at most kLargestShift of the mean in the Wasserstein distance; what would be moved further has no rounded form.
#pragma once

#include <cstddef>
#include <optional>

#include "trace-io/base/short_float.hpp"
#include "trace-io/model/distribution.hpp"

namespace reprise::trace_io {

__extension__ using WideNumber = unsigned __int128;

inline constexpr ShortFloat<std::uint64_t> kRoundedGap{10};   // between means, ns
inline constexpr ShortFloat<WideNumber> kRoundedSquares{4};   // ns²
inline constexpr double kLargestShift = 1.0 / 1024;

// The lowest of those with the most members. REQUIRES: bins.
std::size_t fullest_bin(std::span<const Distribution::Bin>);

// Rounding what is rounded changes nothing. `bins_are_scaled`: as in Distribution::consistent.
std::optional<Distribution> rounded(const Distribution&, bool bins_are_scaled);

}  // namespace reprise::trace_io
