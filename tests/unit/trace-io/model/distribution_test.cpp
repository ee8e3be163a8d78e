// SPDX-License-Identifier: MIT
#include "trace-io/model/distribution.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <random>

namespace reprise::trace_io {
namespace {

Distribution distribution_of(const std::vector<std::int64_t>& values, std::uint32_t bins,
                             std::int32_t rank = 0) {
  Distribution result(bins);
  for (const std::int64_t value : values) result.add(Nanoseconds{value}, Rank{rank});
  return result;
}

// Log-uniform, so that all magnitudes occur.
std::vector<std::int64_t> random_durations(std::uint64_t seed, std::size_t count) {
  std::mt19937_64 random(seed);
  std::vector<std::int64_t> values(count);
  for (std::int64_t& value : values)
    value = static_cast<std::int64_t>(random() >> (24 + random() % 40));
  return values;
}

std::pair<std::uint64_t, std::int64_t> bin_totals(const Distribution& distribution) {
  std::pair<std::uint64_t, std::int64_t> totals{0, 0};
  for (const auto& bin : distribution.bins()) {
    totals.first += bin.count;
    totals.second += bin.sum;
  }
  return totals;
}

}  // namespace

TEST_CASE("distribution: an empty one has mean and variance 0 and is consistent", "[model]") {
  const Distribution empty(10);
  CHECK(empty.count() == 0);
  CHECK(empty.mean_ns() == 0);
  CHECK(empty.variance_ns2() == 0);
  CHECK(empty.bins().empty());
  CHECK(empty.consistent());
}

TEST_CASE("distribution: count, sum, squares and extremes are exact", "[model]") {
  Distribution distribution(2);
  distribution.add(Nanoseconds{5}, Rank{3});
  distribution.add(Nanoseconds{1}, Rank{4});
  distribution.add(Nanoseconds{9}, Rank{2});
  distribution.add(Nanoseconds{9}, Rank{1});
  CHECK(distribution.count() == 4);
  CHECK(distribution.sum() == Nanoseconds{24});
  CHECK(distribution.squares() == Distribution::Squares{0, 25 + 1 + 81 + 81});
  CHECK(distribution.min() == Extreme{Nanoseconds{1}, Rank{4}});
  CHECK(distribution.max() == Extreme{Nanoseconds{9}, Rank{1}});
  CHECK(distribution.mean_ns() == 6);
  CHECK(distribution.variance_ns2() == Approx(188.0 / 4 - 36));
}

TEST_CASE("distribution: squares beyond 64 bits are exact", "[model]") {
  const std::int64_t day = 86'400'000'000'000;
  const Distribution distribution = distribution_of({day, day, day}, 0);
  // 3 · 86400e9² = 22394880000 · 10¹⁸ = 1214 · 2⁶⁴ + rest
  const Wide expected = Wide{3} * static_cast<Wide>(day) * static_cast<Wide>(day);
  CHECK(distribution.squares().high == static_cast<std::uint64_t>(expected >> 64U));
  CHECK(distribution.squares().low == static_cast<std::uint64_t>(expected));
  CHECK(distribution.variance_ns2() == 0);
}

TEST_CASE("distribution: the variance of nearly equal long durations does not cancel", "[model]") {
  const std::int64_t hour = 3'600'000'000'000;
  CHECK(distribution_of({hour, hour + 2}, 0).variance_ns2() == 1);
  CHECK(distribution_of({hour, hour + 1, hour + 2}, 0).variance_ns2() ==
        Approx(2.0 / 3).epsilon(1e-12));
}

TEST_CASE("distribution: stat keeps no bins", "[model]") {
  const Distribution distribution = distribution_of({1, 2, 3}, 0);
  CHECK(distribution.bins().empty());
  CHECK(distribution.consistent());
}

TEST_CASE("distribution: as long as they fit, different values have their own bins", "[model]") {
  const Distribution distribution = distribution_of({30, 10, 20, 10}, 3);
  const std::vector<Distribution::Bin> expected = {{2, 20}, {1, 20}, {1, 30}};
  CHECK(std::equal(distribution.bins().begin(), distribution.bins().end(), expected.begin(),
                   expected.end()));
}

TEST_CASE("distribution: the neighbours that cost least become one bin", "[model]") {
  // Costs n1·n2/(n1+n2)·d²: (10,11) 0.5, (11,20) 40.5, (20,100) 3200.
  const Distribution distribution = distribution_of({10, 100, 20, 11}, 3);
  const std::vector<Distribution::Bin> expected = {{2, 21}, {1, 20}, {1, 100}};
  CHECK(std::equal(distribution.bins().begin(), distribution.bins().end(), expected.begin(),
                   expected.end()));
}

TEST_CASE("distribution: bins hold every value's count and sum", "[model]") {
  for (const std::uint32_t bins : {1U, 2U, 5U, 10U, 16U}) {
    const std::vector<std::int64_t> values = random_durations(bins, 3000);
    const Distribution distribution = distribution_of(values, bins);
    const std::int64_t sum = std::accumulate(values.begin(), values.end(), std::int64_t{0});
    CHECK(distribution.sum().value == sum);
    CHECK(bin_totals(distribution) == std::pair(std::uint64_t{3000}, sum));
    CHECK(distribution.bins().size() == bins);
    CHECK(distribution.consistent());
  }
}

TEST_CASE("distribution: what is exact does not depend on the order of adding and merging",
          "[model]") {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    std::vector<Distribution> parts;
    Distribution whole(5);
    for (std::int32_t rank = 0; rank < 7; ++rank) {
      const auto values = random_durations(100 * seed + static_cast<std::uint64_t>(rank), 40);
      parts.push_back(distribution_of(values, 5, rank));
      for (const std::int64_t value : values) whole.add(Nanoseconds{value}, Rank{rank});
    }
    std::mt19937_64 random(seed);
    std::shuffle(parts.begin(), parts.end(), random);
    Distribution merged = parts[0];
    for (std::size_t i = 1; i < parts.size(); ++i) merged.merge(parts[i]);
    REQUIRE(merged.count() == whole.count());
    REQUIRE(merged.sum() == whole.sum());
    REQUIRE(merged.squares() == whole.squares());
    REQUIRE(merged.min() == whole.min());
    REQUIRE(merged.max() == whole.max());
    REQUIRE(merged.bins().size() == 5);
    REQUIRE(bin_totals(merged) == std::pair(whole.count(), whole.sum().value));
    REQUIRE(merged.consistent());
  }
}

TEST_CASE("distribution: equal extremes belong to the lower rank, in either order of merging",
          "[model]") {
  const Distribution low = distribution_of({5, 9}, 2, 1), high = distribution_of({5, 9}, 2, 6);
  Distribution a = low, b = high;
  a.merge(high);
  b.merge(low);
  CHECK(a == b);
  CHECK(a.min() == Extreme{Nanoseconds{5}, Rank{1}});
  CHECK(a.max() == Extreme{Nanoseconds{9}, Rank{1}});
}

TEST_CASE("distribution: merging with an empty one changes nothing", "[model]") {
  const Distribution some = distribution_of({5, 9, 4, 4}, 3), none(3);
  Distribution a = some, b = none;
  a.merge(none);
  b.merge(some);
  CHECK(a == some);
  CHECK(b == some);
}

TEST_CASE("distribution: parts make the same distribution again", "[model]") {
  const Distribution made = distribution_of(random_durations(5, 500), 10);
  const std::vector<Distribution::Bin> bins(made.bins().begin(), made.bins().end());
  Distribution again = Distribution::from_parts(10, made.count(), made.sum().value, made.squares(),
                                                made.min(), made.max(), bins);
  CHECK(again == made);
  Distribution grown = made;
  for (const std::int64_t value : random_durations(6, 500)) {
    grown.add(Nanoseconds{value}, Rank{0});
    again.add(Nanoseconds{value}, Rank{0});
  }
  CHECK(again == grown);
}

TEST_CASE("distribution: parts that contradict each other are inconsistent", "[model]") {
  const auto with = [](std::uint64_t count, std::int64_t sum, std::uint64_t squares,
                       std::int64_t min, std::int64_t max, std::vector<Distribution::Bin> bins) {
    return Distribution::from_parts(2, count, sum, {0, squares}, {Nanoseconds{min}, Rank{0}},
                                    {Nanoseconds{max}, Rank{0}}, std::move(bins))
        .consistent();
  };
  CHECK(with(3, 6, 14, 1, 3, {{2, 3}, {1, 3}}));
  CHECK_FALSE(with(0, 6, 14, 1, 3, {}));
  CHECK_FALSE(with(3, 6, 14, 3, 1, {{2, 3}, {1, 3}}));          // extremes crossed
  CHECK_FALSE(with(3, 6, 14, -1, 3, {{2, 3}, {1, 3}}));         // a negative duration
  CHECK_FALSE(with(3, 10, 14, 1, 3, {{2, 5}, {1, 5}}));         // mean above the maximum
  CHECK_FALSE(with(3, 2, 14, 1, 3, {{2, 1}, {1, 1}}));          // mean below the minimum
  CHECK_FALSE(with(3, 6, 11, 1, 3, {{2, 3}, {1, 3}}));          // squares less than sum²/count
  CHECK_FALSE(with(3, 6, 19, 1, 3, {{2, 3}, {1, 3}}));          // squares more than max · sum
  CHECK_FALSE(with(3, 6, 14, 1, 3, {{1, 3}, {2, 3}}));          // bins in the wrong order
  CHECK_FALSE(with(3, 6, 14, 1, 3, {{2, 3}}));                  // a value in no bin
  CHECK_FALSE(with(3, 6, 14, 1, 3, {{2, 3}, {1, 2}}));          // sums that do not add up
  CHECK_FALSE(with(3, 6, 14, 1, 3, {{1, 1}, {1, 2}, {1, 3}}));  // more bins than the limit
  CHECK_FALSE(with(3, 6, 14, 1, 3, {}));
  CHECK_FALSE(with(3, 6, 14, 1, 3, {{0, 0}, {3, 6}}));
}

}  // namespace reprise::trace_io
