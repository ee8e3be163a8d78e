// SPDX-License-Identifier: MIT
// The quality of the bins: against a plain form of the rule, and against the samples that they stand for.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <random>
#include <span>
#include <vector>

#include "tests/unit/trace-io/model/fidelity.hpp"
#include "trace-io/model/distribution.hpp"
#include "trace-io/model/distribution_rounding.hpp"
#include "trace-io/model/united_bins.hpp"

namespace reprise::trace_io {
namespace {

using Bin = Distribution::Bin;

double cost(const Bin& a, const Bin& b) {
  const double n1 = static_cast<double>(a.count), n2 = static_cast<double>(b.count);
  const double distance = static_cast<double>(a.sum) / n1 - static_cast<double>(b.sum) / n2;
  return n1 * n2 / (n1 + n2) * distance * distance;
}

// The rule as the header states it, every cost computed for every value.
void add_plainly(std::vector<Bin>& bins, std::int64_t value, std::size_t limit) {
  const auto mean = [](const Bin& bin) {
    return static_cast<double>(bin.sum) / static_cast<double>(bin.count);
  };
  const auto place = std::find_if(bins.begin(), bins.end(), [&](const Bin& bin) {
    return mean(bin) >= static_cast<double>(value);
  });
  if (place != bins.end() && mean(*place) == static_cast<double>(value)) {
    ++place->count;
    place->sum += value;
    return;
  }
  bins.insert(place, Bin{1, value});
  if (bins.size() <= limit) return;
  std::size_t best = 1;
  for (std::size_t i = 2; i < bins.size(); ++i)
    if (cost(bins[i - 1], bins[i]) < cost(bins[best - 1], bins[best])) best = i;
  bins[best - 1].count += bins[best].count;
  bins[best - 1].sum += bins[best].sum;
  bins.erase(bins.begin() + static_cast<std::ptrdiff_t>(best));
}

// Several at once, as the header states it: where each joins a bin, all join the bins as they are; else one by one, and false.
bool add_all_plainly(std::vector<Bin>& bins, std::span<const std::uint32_t> values,
                     std::size_t limit) {
  std::vector<Bin> joined = bins;
  bool all_join = bins.size() == limit && limit > 1;
  for (const auto value : values) {
    const auto ratio = [&](std::size_t i) {
      return std::sqrt(static_cast<double>(bins[i].count) /
                       (static_cast<double>(bins[i].count) + 1));
    };
    const auto mean = [&](std::size_t i) {
      return static_cast<double>(bins[i].sum) / static_cast<double>(bins[i].count);
    };
    if (!all_join) break;
    std::size_t into = 0;
    for (std::size_t i = 0; i + 1 < bins.size(); ++i) {
      const double share = ratio(i + 1) / (ratio(i) + ratio(i + 1));
      if (value > std::floor(mean(i) + (mean(i + 1) - mean(i)) * share)) into = i + 1;
    }
    ++joined[into].count;
    joined[into].sum += value;
    for (std::size_t i = 1; i < bins.size(); ++i)
      all_join &= cost(bins[into], {1, value}) < cost(bins[i - 1], bins[i]);
  }
  if (all_join)
    bins = joined;
  else
    for (const auto value : values) add_plainly(bins, value, limit);
  return all_join;
}

// Likewise for two lists of bins.
std::vector<Bin> merged_plainly(std::span<const Bin> a, std::span<const Bin> b, std::size_t limit) {
  std::vector<Bin> bins(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), bins.begin(), bin_is_less);
  while (bins.size() > limit) {
    std::size_t best = 1;
    for (std::size_t i = 2; i < bins.size(); ++i)
      if (cost(bins[i - 1], bins[i]) < cost(bins[best - 1], bins[best])) best = i;
    bins[best - 1].count += bins[best].count;
    bins[best - 1].sum += bins[best].sum;
    bins.erase(bins.begin() + static_cast<std::ptrdiff_t>(best));
  }
  return bins;
}

constexpr int kSeeds = 5, kSamples = 5000;

double error_of(std::size_t shape, std::uint32_t bins, BinRule rule = BinRule::ward) {
  double total = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const auto durations = testing::durations_of(testing::shapes()[shape], seed, kSamples);
    total += testing::distance(testing::distribution_of(durations, bins, rule), durations);
  }
  return total / kSeeds;
}

// Fourteen at once, as a recording adds them.
double error_of_batches(std::size_t shape, std::uint32_t bins) {
  double total = 0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const auto durations = testing::durations_of(testing::shapes()[shape], seed, kSamples);
    const std::vector<std::uint32_t> values(durations.begin(), durations.end());
    Distribution distribution(bins);
    for (std::size_t i = 0; i < values.size(); i += 14)
      distribution.add_all(
          std::span(values).subspan(i, std::min<std::size_t>(14, values.size() - i)), Rank{0});
    total += testing::distance(distribution, durations);
  }
  return total / kSeeds;
}

constexpr std::size_t kNormal = 0, kBimodal = 1, kLognormal = 2, kPareto = 3;

}  // namespace

TEST_CASE("distribution bins: remembering the cheapest pair changes nothing", "[model]") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    std::mt19937_64 random(seed);
    const auto limit = static_cast<std::uint32_t>(1 + seed % 12);
    Distribution distribution(limit);
    std::vector<Bin> plain;
    for (int i = 0; i < 400; ++i) {
      const auto value = static_cast<std::int64_t>(random() % (seed % 2 == 0 ? 50U : 1000000U));
      distribution.add(Nanoseconds{value}, Rank{0});
      add_plainly(plain, value, limit);
      REQUIRE(std::equal(distribution.bins().begin(), distribution.bins().end(), plain.begin(),
                         plain.end()));
    }
  }
}

// Values that wait are added together: bins that are still to be opened, ties, more bins than are kept in place, and values too many or too long to join
// together, which are added one by one.
TEST_CASE("distribution bins: several values at once join the bins, or come one after the other",
          "[model]") {
  constexpr std::int64_t kLong = std::int64_t{1} << 30U;  // ns
  int batches = 0, joins = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    std::mt19937_64 random(seed);
    const auto limit = static_cast<std::uint32_t>(seed % 18);
    const std::uint64_t scale = std::uint64_t{4} << seed % 31U;
    Distribution one_by_one(limit), at_once(limit);
    std::vector<Bin> plain;
    for (int i = 0; i < 60; ++i) {
      std::vector<std::uint32_t> values(random() % 19);
      for (auto& value : values) value = static_cast<std::uint32_t>(random() % scale);
      for (const auto value : values) one_by_one.add(Nanoseconds{value}, Rank{i % 3});
      at_once.add_all(values, Rank{i % 3});
      CHECK(at_once.count() == one_by_one.count());
      CHECK(at_once.sum() == one_by_one.sum());
      CHECK(at_once.squares() == one_by_one.squares());
      CHECK(at_once.min() == one_by_one.min());
      CHECK(at_once.max() == one_by_one.max());
      REQUIRE(at_once.consistent());
      if (limit == 0) continue;
      ++batches;
      if (values.size() > 1 && values.size() <= 16 && limit <= 15 &&
          at_once.max().value.value < kLong)
        joins += add_all_plainly(plain, values, limit) ? 1 : 0;
      else
        for (const auto value : values) add_plainly(plain, value, limit);
      REQUIRE(std::ranges::equal(at_once.bins(), plain));
    }
  }
  CHECK(joins > batches / 5);
  CHECK(joins < batches / 5 * 4);
}

TEST_CASE("distribution bins: a balanced rule takes several values one after the other",
          "[model]") {
  std::mt19937_64 random(3);
  Distribution one_by_one(5, BinRule::balanced), at_once(5, BinRule::balanced);
  for (int i = 0; i < 60; ++i) {
    std::vector<std::uint32_t> values(random() % 9);
    for (auto& value : values) value = static_cast<std::uint32_t>(random() % 5000);
    for (const auto value : values) one_by_one.add(Nanoseconds{value}, Rank{0});
    at_once.add_all(values, Rank{0});
    REQUIRE(at_once == one_by_one);
  }
}

TEST_CASE("distribution bins: values at once that are too many for their products to fit",
          "[model]") {
  const std::int64_t sum = std::int64_t{1} << 61U;
  const std::uint64_t count = std::uint64_t{1} << 60U;
  const auto many = Distribution::from_parts(
      2, count, sum, Distribution::Squares::of(Wide{4} * count), {Nanoseconds{1}, Rank{0}},
      {Nanoseconds{2}, Rank{0}}, {{count / 2, sum / 2 - 1}, {count / 2, sum / 2 + 1}});
  Distribution one_by_one = many, at_once = many;
  const std::vector<std::uint32_t> values{4'000'000'000U, 3, 0, 2};
  for (const auto value : values) one_by_one.add(Nanoseconds{value}, Rank{0});
  at_once.add_all(values, Rank{0});
  CHECK(at_once == one_by_one);
}

// Few bins are united where they lie, many beside each other: from 16 a side on.
TEST_CASE("distribution bins: those of two are united as the rule says, few as well as many",
          "[model]") {
  std::mt19937_64 choice(5);
  for (const std::uint32_t limit : {1U, 2U, 5U, 15U, 16U, 17U, 40U})
    for (int trial = 0; trial < 50; ++trial) {
      Distribution a(limit), b(limit);
      const std::uint64_t scale = 1 + choice() % 1'000'000;
      for (std::uint64_t i = choice() % 100; i > 0; --i)
        a.add(Nanoseconds{static_cast<std::int64_t>(choice() % scale)}, Rank{0});
      for (std::uint64_t i = choice() % 100; i > 0; --i)  // some means are equal
        b.add(Nanoseconds{static_cast<std::int64_t>(choice() % scale / 8 * 8)}, Rank{1});
      const std::vector<Bin> wanted = merged_plainly(a.bins(), b.bins(), limit);
      a.merge(b);
      REQUIRE(std::ranges::equal(a.bins(), wanted));
    }
}

TEST_CASE("distribution bins: few bins stand well for durations as programs have them", "[model]") {
  // Bounds: what the same rule reached in trials with these shapes (k = 5 and 10), a fifth more for other samples.
  CHECK(error_of(kNormal, 5) < 1.2 * 0.023);
  CHECK(error_of(kNormal, 10) < 1.2 * 0.012);
  CHECK(error_of(kBimodal, 5) < 1.2 * 0.012);
  CHECK(error_of(kBimodal, 10) < 1.2 * 0.007);
  CHECK(error_of(kLognormal, 5) < 1.2 * 0.27);
  CHECK(error_of(kLognormal, 10) < 1.2 * 0.13);
  CHECK(error_of(kPareto, 5) < 1.2 * 0.35);
  CHECK(error_of(kPareto, 10) < 1.2 * 0.18);
}

TEST_CASE("distribution bins: values at once make bins as good as one by one", "[model]") {
  for (std::size_t shape = 0; shape < testing::shapes().size(); ++shape)
    for (const std::uint32_t bins : {5U, 10U}) {
      const double one_by_one = error_of(shape, bins), at_once = error_of_batches(shape, bins);
      CAPTURE(shape, bins, one_by_one, at_once);
      CHECK(at_once < 1.03 * one_by_one);
    }
}

TEST_CASE("distribution bins: the balanced rules stand for durations as they did in trials",
          "[model]") {
  for (const BinRule rule : {BinRule::balanced, BinRule::balanced_exact}) {
    CHECK(error_of(kNormal, 5, rule) < 1.2 * 0.026);
    CHECK(error_of(kNormal, 10, rule) < 1.2 * 0.013);
    CHECK(error_of(kLognormal, 5, rule) < 1.2 * 0.31);
    CHECK(error_of(kLognormal, 10, rule) < 1.2 * 0.20);
    CHECK(error_of(kPareto, 5, rule) < 1.2 * 0.41);
    CHECK(error_of(kPareto, 10, rule) < 1.2 * 0.33);
  }
}

TEST_CASE(
    "distribution bins: Ward's rule is nearer to every shape than the balanced ones, to two "
    "separate modes by far",
    "[model]") {
  for (const std::uint32_t bins : {5U, 10U})
    for (const BinRule rule : {BinRule::balanced, BinRule::balanced_exact}) {
      for (std::size_t shape = 0; shape < testing::shapes().size(); ++shape)
        CHECK(error_of(shape, bins) < error_of(shape, bins, rule));
      CHECK(20 * error_of(kBimodal, bins) < error_of(kBimodal, bins, rule));
    }
}

TEST_CASE("distribution bins: merged over 64 ranks and rounded, sums are exact and the shape stays",
          "[model]") {
  const double most[] = {0.026, 0.013, 0.35,
                         0.55};  // 5 bins; a shape's tail is longer in 32 000 values than in 5000
  for (std::size_t shape = 0; shape < testing::shapes().size(); ++shape) {
    std::vector<std::int64_t> all;
    const Distribution merged = testing::merged_over_ranks(testing::shapes()[shape], 5,
                                                           BinRule::ward, 6, 500, 1 << 20, all);
    const Distribution finished = rounded(merged, false).value_or(merged);
    const std::int64_t sum = std::accumulate(all.begin(), all.end(), std::int64_t{0});
    CHECK(merged.sum().value == sum);
    CHECK(finished.sum().value == sum);
    CHECK(finished.consistent());
    CHECK(testing::distance(merged, all) < most[shape]);
    CHECK(std::abs(testing::distance(finished, all) - testing::distance(merged, all)) <=
          kLargestShift);
  }
}

TEST_CASE("distribution bins: a huge first value does not spoil the bins", "[model]") {
  Distribution distribution(5);
  distribution.add(Nanoseconds{1'000'000'000'000}, Rank{0});
  for (int i = 0; i < 1000; ++i) distribution.add(Nanoseconds{100 + 100 * (i % 4)}, Rank{0});
  const std::vector<Bin> expected = {
      {250, 25000}, {250, 50000}, {250, 75000}, {250, 100000}, {1, 1'000'000'000'000}};
  CHECK(std::equal(distribution.bins().begin(), distribution.bins().end(), expected.begin(),
                   expected.end()));
}

TEST_CASE("distribution bins: neighbours are united by what that costs, empty ones go", "[model]") {
  const std::vector<Bin> groups = {{0, 0}, {4, 40}, {4, 48}, {0, 0}, {1, 1000}, {2, 2020}, {0, 0}};
  CHECK(united(groups, 4) == std::vector<Bin>{{4, 40}, {4, 48}, {1, 1000}, {2, 2020}});
  CHECK(united(groups, 3) == std::vector<Bin>{{8, 88}, {1, 1000}, {2, 2020}});  // 8 and 67 ns²
  CHECK(united(groups, 2) == std::vector<Bin>{{8, 88}, {3, 3020}});
  CHECK(united(groups, 1) == std::vector<Bin>{{11, 3108}});
  CHECK(united({}, 5).empty());
}

}  // namespace reprise::trace_io
