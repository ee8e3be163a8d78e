// SPDX-License-Identifier: MIT
// Times that many stored calls share: what a trace holds in place of their own where there are many calls, each of which matters little.
//
// Pool      an ordinary distribution, the union of those of its members: exact count, sum, sum of squares and extremes.
// Member    a delta class that refers to a pool and keeps its own count. Its durations follow: each bin of the pool in proportion, scaled so that the mean is
//           the pool's, and the sums of all members add up to the pool's, to the nanosecond. So whoever reads a trace finds durations in every class.
//           Scale factors, by which its ranks differ, are the member's own.
// Error     a class's sum is its count times the pool's mean: what the pool has too much at one call it has too little at others. merge/pool_choice.hpp
//           bounds how much time stands at another call than it was spent in.
// Cost      spread_pools: O(classes · bins).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// A trace of more than kFewestToPool · kTimesKept distributions is pooled until it has some kTimesKept (merge/pool_choice.hpp).
inline constexpr std::size_t kTimesKept = 256;   // distributions in a file: some 3 KiB
inline constexpr std::size_t kFewestToPool = 4;  // times those kept
// About what a distribution of its own takes in a file, beyond a reference to a pool: 26 bytes in NWChem's.
inline constexpr std::size_t kBytesApart = 24;

// Bins of a pool, at most: each member gets as many.
inline constexpr std::uint32_t kPoolBins = 8;

// Calls visit(delta, is_compute) for every delta class of a trace, in the order of the file.
template <class AnyTrace, class Visit>
void for_each_class(AnyTrace& trace, const Visit& visit) {
  for (auto& program : trace.threads)
    for_each_leaf(program, [&](auto& leaf) {
      for (auto& path : leaf.compute)
        for (auto& delta : path.classes) visit(delta, true);
      for (auto& delta : leaf.communicate) visit(delta, false);
    });
}

// Empty where every member refers to a pool of its kind that exists and has no order of times, and the members' counts add up to the pools'.
std::string pools_problem(const Trace&);

// What the members of pools have in memory: the durations that follow from the pool, or, where a trace is only to be written, whatever they had.
enum class PoolMembers : std::uint8_t { spread, as_they_were };

// Gives every member the durations that follow from its count. REQUIRES: pools_problem() is empty.
void spread_pools(Trace&);

// The durations of `count` executions, the sum of which is given. REQUIRES: the pool is not empty; count ≥ 1; sum ≥ 0.
Distribution part_of_pool(const Distribution& pool, std::uint64_t count, std::int64_t sum, Rank);

// Members become classes with durations of their own, those that they have: for whoever changes durations.
void release_pools(Trace&);

// What is pooled.
struct PooledTimes {
  std::uint64_t classes = 0, pooled = 0;  // of durations: all, members of pools
  std::uint64_t calls = 0;                // stored calls with pooled times
  Nanoseconds compute{}, pooled_compute{};
  Nanoseconds communicate{}, pooled_communicate{};
};
PooledTimes pooled_times(const Trace&);
// "2871 stored calls take the mean times of 93 pools". REQUIRES: there are pools.
std::string pools_text(const Trace&);

// Of all times: what may stand at another call than it was spent in, unless asked otherwise.
inline constexpr double kPooledShare = 0.01;
// The share that "each" (0), "pooled" (kPooledShare) or "pooled:2%" asks for.
inline constexpr const char* kPooledForms =
    "each, pooled or pooled:SHARE with a share above 0 % and up to 50 %, such as pooled:1%";
std::optional<double> pooled_share_of(std::string_view);

}  // namespace reprise::trace_io
