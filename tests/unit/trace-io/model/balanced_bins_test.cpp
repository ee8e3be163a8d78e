// SPDX-License-Identifier: MIT
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>

#include "tests/unit/trace-io/model/fidelity.hpp"
#include "trace-io/model/distribution.hpp"

namespace reprise::trace_io {
namespace {

using Bin = Distribution::Bin;
using Values = std::vector<std::int64_t>;
using testing::distribution_of;
using testing::stored;

constexpr BinRule kBalanced[] = {BinRule::balanced, BinRule::balanced_exact};

std::vector<Bin> bins_of(const Values& values, std::uint32_t bins,
                         BinRule rule = BinRule::balanced) {
  const Distribution made = distribution_of(values, bins, rule);
  return {made.bins().begin(), made.bins().end()};
}

// Of all magnitudes, of one, constant, falling, mostly zero, with a huge first value.
std::vector<Values> series(std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Values> all(6, Values(800));
  for (std::size_t i = 0; i < 800; ++i) {
    all[0][i] = static_cast<std::int64_t>(random() >> (24 + random() % 40));
    all[1][i] = 1000 + static_cast<std::int64_t>(random() % 20);
    all[2][i] = 7;
    all[3][i] = 8000 - static_cast<std::int64_t>(10 * i);
    all[4][i] = random() % 9 == 0 ? static_cast<std::int64_t>(random() % 5) : 0;
    all[5][i] = i == 0 ? std::int64_t{1} << 50 : static_cast<std::int64_t>(random() % 3000);
  }
  return all;
}

void require_whole(const Distribution& distribution, const Values& values, std::uint32_t bins) {
  REQUIRE(distribution.consistent());
  REQUIRE(distribution.bins().size() <= bins);
  std::uint64_t count = 0;
  std::int64_t sum = 0;
  for (const Bin& bin : distribution.bins()) {
    count += bin.count;
    sum += bin.sum;
  }
  REQUIRE(count == values.size());
  REQUIRE(sum == std::accumulate(values.begin(), values.end(), std::int64_t{0}));
  REQUIRE(distribution.sum().value == sum);
}

}  // namespace

TEST_CASE(
    "balanced bins: the first value is the middle of equal ranges, whose ends belong to the lower "
    "one",
    "[model]") {
  // Ranges of 20 from 0 to 100.
  CHECK(bins_of({50, 20, 21, 0, 100}, 5) == std::vector<Bin>{{2, 20}, {1, 21}, {1, 50}, {1, 100}});
}

TEST_CASE("balanced bins: a value beyond the last range makes that range longer", "[model]") {
  CHECK(bins_of({50, 90, 500, 300}, 5) == std::vector<Bin>{{1, 50}, {3, 890}});
}

TEST_CASE("balanced bins: after a first value of 0 ranges are a nanosecond wide", "[model]") {
  CHECK(bins_of({0, 1, 2, 3, 9}, 4) == std::vector<Bin>{{2, 1}, {1, 2}, {1, 3}, {1, 9}});
}

TEST_CASE(
    "balanced bins: the fullest range is cut at its mean, by half a deviation or as evenly spread "
    "values are",
    "[model]") {
  // Ranges of 20 from 0 to 80; eight values in the second one, of mean 32 and deviation 8; the third and fourth become one.
  const Values values = {40, 24, 40, 24, 40, 24, 40, 24};
  CHECK(bins_of(values, 4) == std::vector<Bin>{{4, 4 * 28}, {4, 4 * 36}});
  CHECK(bins_of(values, 4, BinRule::balanced_exact) ==
        std::vector<Bin>{{4, 100}, {4, 156}});  // 4 · (32 − 8 · √¾) = 100.3
}

TEST_CASE("balanced bins: counts, sums and the number of bins hold for every series", "[model]") {
  for (const BinRule rule : kBalanced)
    for (const std::uint32_t bins : {1U, 2U, 3U, 5U, 10U, 40U})
      for (const Values& values : series(bins))
        require_whole(distribution_of(values, bins, rule), values, bins);
}

TEST_CASE("balanced bins: a distribution from its stored parts goes on with the rule", "[model]") {
  for (const BinRule rule : kBalanced)
    for (const std::uint32_t bins : {2U, 5U, 10U})
      for (const Values& values : series(17 * bins)) {
        const auto middle = values.begin() + 400;
        Distribution again = stored(distribution_of(Values(values.begin(), middle), bins, rule));
        REQUIRE(again.rule() == rule);
        for (auto next = middle; next != values.end(); ++next)
          again.add(Nanoseconds{*next}, Rank{0});
        require_whole(again, values, bins);
      }
}

TEST_CASE("balanced bins: what is exact does not depend on the order of merging", "[model]") {
  for (const BinRule rule : kBalanced)
    for (const Values& values : series(5)) {
      Distribution there(5, rule), back(5, rule);
      for (std::size_t part = 0; part < 8; ++part) {
        const auto of = [&](std::size_t number) {
          const auto start = values.begin() + static_cast<std::ptrdiff_t>(100 * number);
          return distribution_of(Values(start, start + 100), 5, rule,
                                 static_cast<std::int32_t>(number));
        };
        there.merge(part % 2 == 0 ? of(part) : stored(of(part)));
        back.merge(of(7 - part));
      }
      require_whole(there, values, 5);
      require_whole(back, values, 5);
      REQUIRE(there.squares() == back.squares());
      REQUIRE(there.min() == back.min());
      REQUIRE(there.max() == back.max());
    }
}

TEST_CASE("balanced bins: scaled to a common mean, sums stay exact", "[model]") {
  for (const BinRule rule : kBalanced)
    for (const Values& values : series(9)) {
      Values slower = values;
      for (std::int64_t& value : slower) value += value / 2;
      Distribution both = distribution_of(values, 5, rule);
      both.merge_scaled(distribution_of(slower, 5, rule, 1));
      REQUIRE(both.consistent(true));
      both.pull_bins_in();
      slower.insert(slower.end(), values.begin(), values.end());
      require_whole(both, slower, 5);
    }
}

TEST_CASE("balanced bins: the smaller number of bins holds, and the own rule", "[model]") {
  const Values values = series(3)[0];
  Distribution few = distribution_of(values, 3, BinRule::balanced);
  few.merge(distribution_of(values, 8, BinRule::ward));
  CHECK(few.bin_limit() == 3);
  CHECK(few.rule() == BinRule::balanced);
  Distribution many = distribution_of(values, 8, BinRule::balanced_exact);
  many.merge(distribution_of(values, 3, BinRule::balanced));
  CHECK(many.bins().size() <= 3);
  CHECK(many.rule() == BinRule::balanced_exact);
  Distribution none(4, BinRule::balanced);
  none.merge(distribution_of(values, 8, BinRule::ward));
  CHECK(none.bins().size() == 4);
  CHECK(none.rule() == BinRule::balanced);
}

TEST_CASE("balanced bins: rules have names, distributions without bins have none", "[model]") {
  for (const BinRule rule : {BinRule::ward, BinRule::balanced, BinRule::balanced_exact})
    CHECK(bin_rule_named(name_of(rule)) == rule);
  CHECK_FALSE(bin_rule_named("Ward"));
  CHECK(Distribution(0, BinRule::balanced).rule() == BinRule::ward);
}

}  // namespace reprise::trace_io
