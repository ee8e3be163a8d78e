// SPDX-License-Identifier: MIT
#include "trace-io/model/time_pools.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace reprise::trace_io {
namespace {

using Bin = Distribution::Bin;

bool is_member(const DeltaClass& delta) { return delta.pool != DeltaClass::kOwnTimes; }

std::uint64_t share_of(std::uint64_t whole, std::uint64_t part, std::uint64_t of) {
  return static_cast<std::uint64_t>(Wide{whole} * part / of);
}

// How many of `count` executions fall into each bin: in proportion, by largest remainders (ties: the lower bin).
std::vector<std::uint64_t> counts_in_bins(std::span<const Bin> bins, std::uint64_t all,
                                          std::uint64_t count) {
  std::vector<std::uint64_t> counts(bins.size()), remainders(bins.size());
  std::uint64_t left = count;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    const Wide quota = Wide{bins[i].count} * count;
    counts[i] = static_cast<std::uint64_t>(quota / all);
    remainders[i] = static_cast<std::uint64_t>(quota % all);
    left -= counts[i];
  }
  for (; left > 0; --left) {
    const auto most = std::max_element(remainders.begin(), remainders.end());
    ++counts[static_cast<std::size_t>(most - remainders.begin())];
    *most = 0;
  }
  return counts;
}

// Bins of the pool's shape whose sums are scaled to the given one; ascending, none empty.
std::vector<Bin> scaled_bins(std::span<const Bin> bins, std::uint64_t all, std::uint64_t count,
                             std::uint64_t sum) {
  const std::vector<std::uint64_t> counts = counts_in_bins(bins, all, count);
  std::vector<Bin> parts;
  std::uint64_t shape = 0;  // the sum before it is scaled
  for (std::size_t i = 0; i < bins.size(); ++i) {
    if (counts[i] == 0) continue;
    const std::uint64_t its_sum =
        share_of(static_cast<std::uint64_t>(bins[i].sum), counts[i], bins[i].count);
    parts.push_back({counts[i], static_cast<std::int64_t>(its_sum)});
    shape += its_sum;
  }
  std::uint64_t left = sum;
  for (Bin& part : parts) {
    const std::uint64_t its_sum = shape == 0
                                      ? share_of(sum, part.count, count)
                                      : share_of(sum, static_cast<std::uint64_t>(part.sum), shape);
    part.sum = static_cast<std::int64_t>(its_sum);
    left -= its_sum;
  }
  parts.back().sum += static_cast<std::int64_t>(left);
  std::stable_sort(parts.begin(), parts.end(), bin_is_less);  // rounding may turn neighbours round
  return parts;
}

// Of whole nanoseconds that are as near to a bin's mean as can be.
Wide even_squares(const Bin& bin) {
  const auto sum = static_cast<std::uint64_t>(bin.sum);
  const Wide low = sum / bin.count, more = sum % bin.count;
  return (bin.count - more) * low * low + more * (low + 1) * (low + 1);
}

}  // namespace

std::string pools_problem(const Trace& trace) {
  std::vector<std::uint64_t> left;
  for (const Distribution& pool : trace.pools) left.push_back(pool.count());
  std::string problem;
  if (trace.compute_pools > trace.pools.size()) problem = "more pools of compute times than pools";
  for (const Distribution& pool : trace.pools)
    if (pool.bins().size() > kPoolBins || !pool.consistent())
      problem = "a pool of " + std::to_string(pool.bins().size()) + " bins, " +
                std::to_string(kPoolBins) +
                " can be, or one whose counts, sums and extremes contradict each other";
  for_each_class(trace, [&](const DeltaClass& delta, bool is_compute) {
    if (!is_member(delta) || !problem.empty()) return;
    if (delta.pool >= left.size() || (delta.pool < trace.compute_pools) != is_compute)
      problem = "pool " + std::to_string(delta.pool) + " of " +
                (is_compute ? "compute times" : "times inside calls") + " does not exist";
    else if (!delta.totals.empty() || delta.order != nullptr || !delta.logs.empty())
      problem = "totals of ranks or an order of times where a pool has the times";
    else if (delta.ranks.empty() || delta.durations.count() == 0 ||
             delta.durations.count() > left[delta.pool])
      problem = "calls with the times of pool " + std::to_string(delta.pool) +
                " that are none, or more than it has";
    else
      left[delta.pool] -= delta.durations.count();
  });
  for (std::size_t i = 0; i < left.size() && problem.empty(); ++i)
    if (left[i] != 0 || trace.pools[i].count() == 0)
      problem = "pool " + std::to_string(i) + " has " + std::to_string(trace.pools[i].count()) +
                " times, calls refer to " + std::to_string(trace.pools[i].count() - left[i]);
  return problem;
}

Distribution part_of_pool(const Distribution& pool, std::uint64_t count, std::int64_t sum,
                          Rank rank) {
  const Bin all{count, sum};
  std::vector<Bin> bins;
  if (!pool.bins().empty())
    bins = scaled_bins(pool.bins(), pool.count(), count, static_cast<std::uint64_t>(sum));
  const std::span<const Bin> parts = bins.empty() ? std::span(&all, 1) : std::span(bins);
  Wide squares = 0;
  for (const Bin& part : parts) squares += even_squares(part);
  const auto least = static_cast<std::uint64_t>(parts.front().sum) / parts.front().count,
             most = (static_cast<std::uint64_t>(parts.back().sum) + parts.back().count - 1) /
                    parts.back().count;
  return Distribution::from_parts(pool.bin_limit(), count, sum, Distribution::Squares::of(squares),
                                  {Nanoseconds{static_cast<std::int64_t>(least)}, rank},
                                  {Nanoseconds{static_cast<std::int64_t>(most)}, rank},
                                  std::move(bins));
}

void spread_pools(Trace& trace) {
  std::vector<std::uint64_t> executed(trace.pools.size(), 0);  // by the members so far
  for_each_class(trace, [&](DeltaClass& delta, bool) {
    if (!is_member(delta)) return;
    const Distribution& pool = trace.pools[delta.pool];
    const std::uint64_t count = delta.durations.count(), before = executed[delta.pool];
    executed[delta.pool] += count;
    const auto sum = static_cast<std::uint64_t>(pool.sum().value);
    const std::uint64_t its_sum =
        share_of(sum, before + count, pool.count()) - share_of(sum, before, pool.count());
    delta.durations =
        part_of_pool(pool, count, static_cast<std::int64_t>(its_sum), delta.ranks.front());
    delta.durations.follow(trace.header.bin_rule);
  });
}

void release_pools(Trace& trace) {
  if (trace.pools.empty()) return;
  for_each_class(trace, [](DeltaClass& delta, bool) { delta.pool = DeltaClass::kOwnTimes; });
  trace.pools.clear();
  trace.compute_pools = 0;
}

PooledTimes pooled_times(const Trace& trace) {
  PooledTimes all;
  for_each_class(trace, [&](const DeltaClass& delta, bool is_compute) {
    const Nanoseconds time = delta.durations.sum();
    ++all.classes;
    (is_compute ? all.compute : all.communicate) += time;
    if (!is_member(delta)) return;
    ++all.pooled;
    (is_compute ? all.pooled_compute : all.pooled_communicate) += time;
  });
  for (const auto& program : trace.threads)
    for_each_leaf(program, [&](const Leaf& leaf) {
      bool has_any = false;
      for (const PathDeltas& path : leaf.compute)
        has_any = has_any || std::ranges::any_of(path.classes, is_member);
      if (has_any || std::ranges::any_of(leaf.communicate, is_member)) ++all.calls;
    });
  return all;
}

std::string pools_text(const Trace& trace) {
  const std::uint64_t calls = pooled_times(trace).calls;
  return std::to_string(calls) + (calls == 1 ? " stored call takes" : " stored calls take") +
         " the mean times of " + std::to_string(trace.pools.size()) +
         (trace.pools.size() == 1 ? " pool" : " pools");
}

std::optional<double> pooled_share_of(std::string_view text) {
  constexpr std::string_view kPooled = "pooled";
  constexpr double kMostPercent = 50;
  if (text == "each") return 0;
  if (text == kPooled) return kPooledShare;
  if (!text.starts_with("pooled:") || !text.ends_with('%')) return std::nullopt;
  const std::string number(text.substr(kPooled.size() + 1, text.size() - kPooled.size() - 2));
  char* end = nullptr;
  const double percent = std::strtod(number.c_str(), &end);
  if (number.empty() || *end != '\0' || !(percent > 0) || percent > kMostPercent)
    return std::nullopt;
  return percent / 100;
}

}  // namespace reprise::trace_io
