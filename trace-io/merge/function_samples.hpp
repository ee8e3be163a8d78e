// SPDX-License-Identifier: MIT
// Samples of functions of two traces of disjoint ranks become one.
//
// Alike    ranks share their counts where the shares of the functions that they executed (innermost frames between calls) differ by no more than
//          kAlikeShare in all, or by no more than kNoiseTimes what so few samples differ by themselves. Nearest ones first;
//          beyond kMostRankClasses the nearest are put together all the same.
// Kept     the sum of all counts is exact whatever is put together.
// Cost     O(classes² · functions).
#pragma once

#include <cstdint>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

inline constexpr double kAlikeShare = 0.05, kNoiseTimes = 2;
inline constexpr std::size_t kMostRankClasses = 8;

// B's samples go into A's. PATHS, SITES: which number each call path and site of b has in a, whose tables are united already.
void unite_function_samples(Trace& a, const Trace& b, const std::vector<std::uint32_t>& paths,
                            const std::vector<SiteId>& sites);

}  // namespace reprise::trace_io
