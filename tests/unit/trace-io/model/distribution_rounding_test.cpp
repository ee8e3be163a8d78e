// SPDX-License-Identifier: MIT
#include "trace-io/model/distribution_rounding.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <random>

namespace reprise::trace_io {
namespace {

Distribution random_distribution(std::mt19937_64& random, std::uint32_t bins, double sigma) {
  Distribution distribution(bins);
  const double scale = std::pow(10.0, 2.0 + static_cast<double>(random() % 6));
  const int count = 1 + static_cast<int>(random() % 3000);
  for (int i = 0; i < count; ++i) {
    double exponent = 0;  // twelve uniform numbers: about normal
    for (int k = 0; k < 12; ++k) exponent += static_cast<double>(random() >> 11U) * 0x1p-53;
    distribution.add(
        Nanoseconds{static_cast<std::int64_t>(scale * std::exp(sigma * (exponent - 6)))},
        Rank{i % 7});
  }
  return distribution;
}

}  // namespace

TEST_CASE("short float: codes ascend without gaps and stand for one number each", "[model]") {
  constexpr ShortFloat<std::uint64_t> kFour{4};
  std::uint64_t previous = 0;
  for (std::uint64_t code = 0; code <= kFour.largest_code(); ++code) {
    const std::uint64_t number = kFour.number(code);
    REQUIRE(kFour.has_code(number));
    REQUIRE(kFour.code(number) == code);
    REQUIRE(kFour.rounded(number) == number);
    REQUIRE((code == 0 || number > previous));
    previous = number;
  }
  CHECK(previous == std::uint64_t{15} << 60U);
  CHECK(kFour.rounded(16) == 16);
  CHECK(kFour.rounded(17) == 18);
  CHECK(kFour.rounded(31) == 32);
  CHECK_FALSE(kFour.has_code(17));
}

TEST_CASE("gap code: codes ascend without gaps and stand for one number each", "[model]") {
  for (const std::int64_t sum : {0L, 5'000L, 3'000'000L, 80'000'000'000L}) {
    const GapCode code(sum, 5, 7);
    std::uint64_t previous = 0;
    for (std::uint64_t i = 0; i < 5000; ++i) {
      const std::uint64_t number = code.number(i);
      REQUIRE(code.code(number) == i);
      REQUIRE(code.rounded(number) == number);
      REQUIRE((i == 0 || number > previous));
      if (i > 0) {
        const std::uint64_t middle = previous + (number - previous) / 2;
        REQUIRE((code.rounded(middle) == previous || code.rounded(middle) == number));
      }
      previous = number;
    }
    const std::uint64_t largest = code.number(code.largest_code());
    CHECK(code.code(largest) == code.largest_code());
    CHECK(largest >> 62U == 1);
  }
}

TEST_CASE("gap code: a bin uses its share of the error, and never more than 1/64 of its gap",
          "[model]") {
  // One of 5 bins, of 8 durations in 2³⁰ ns: 2³⁰ / (1024 · 4 · 8) = 2¹⁵ ns a step.
  const GapCode code(std::int64_t{1} << 30U, 5, 8);
  const std::uint64_t step = std::uint64_t{1} << 15U;
  CHECK(code.rounded(100 * step + 1) == 100 * step);
  CHECK(code.rounded(100 * step + step / 2) == 101 * step);
  CHECK(code.code(100 * step) == 15 * 32 + 100);
  CHECK(code.rounded(33'000) == 32'768);  // between 2¹⁵ and 2¹⁶: steps of 2¹⁰
  CHECK(code.rounded(33'300) == 33'792);
  CHECK(code.rounded(63) == 63);
  CHECK(code.rounded(65) == 66);
}

TEST_CASE(
    "distribution rounding: counts, sum and extremes stay, bins move by less than a thousandth of "
    "the mean",
    "[model]") {
  std::mt19937_64 random(11);
  std::uint32_t roundable = 0;
  constexpr std::uint32_t kCases = 600;
  for (std::uint32_t i = 0; i < kCases; ++i) {
    const Distribution exact = random_distribution(random, 1 + i % 20, i % 3 == 0 ? 0.01 : 0.7);
    const auto result = rounded(exact, false);
    if (!result) continue;
    ++roundable;
    REQUIRE(result->consistent());
    REQUIRE(rounded(*result, false) == result);
    REQUIRE(result->count() == exact.count());
    REQUIRE(result->sum() == exact.sum());
    REQUIRE(result->min() == exact.min());
    REQUIRE(result->max() == exact.max());
    REQUIRE(result->bins().size() == exact.bins().size());
    double moved = 0;
    for (std::size_t bin = 0; bin < exact.bins().size(); ++bin) {
      REQUIRE(result->bins()[bin].count == exact.bins()[bin].count);
      moved += std::abs(static_cast<double>(result->bins()[bin].sum - exact.bins()[bin].sum));
    }
    REQUIRE(moved <= kLargestShift * static_cast<double>(exact.sum().value));
    REQUIRE(std::abs(result->variance_ns2() - exact.variance_ns2()) <=
            exact.variance_ns2() / 16 + kLargestShift * exact.mean_ns() * exact.mean_ns());
  }
  CHECK(roundable > kCases * 3 / 4);
}

TEST_CASE("distribution rounding: the rest of the sum goes to the fullest bin", "[model]") {
  const auto exact =
      Distribution::from_parts(3, 103, 3 * 100'003 + 100 * 200'000 + 1, {0, 4'050'000'000'000},
                               {Nanoseconds{90'000}, Rank{0}}, {Nanoseconds{210'000}, Rank{1}},
                               {{3, 3 * 100'003 + 1}, {100, 100 * 200'000}});
  const auto result = rounded(exact, false);
  REQUIRE(result);
  // Its share of the error is 6608 ns, coarser than 1/32: six bits, 10 003 = 39.07 · 2⁸.
  CHECK(result->bins()[0].sum == 3 * (90'000 + 9'984));
  CHECK(result->bins()[1].sum == exact.sum().value - result->bins()[0].sum);
}

TEST_CASE(
    "distribution rounding: without bins, or where little of the sum is in the fullest bin, there "
    "is none",
    "[model]") {
  Distribution none(0);
  none.add(Nanoseconds{5}, Rank{0});
  CHECK_FALSE(rounded(none, false));
  CHECK_FALSE(rounded(Distribution(5), false));
  // Times of a few ns: whole ns are too coarse.
  const auto tiny = Distribution::from_parts(2, 5, 8, {0, 16}, {Nanoseconds{1}, Rank{0}},
                                             {Nanoseconds{3}, Rank{0}}, {{2, 3}, {3, 5}});
  REQUIRE(tiny.consistent());
  CHECK_FALSE(rounded(tiny, false));
}

}  // namespace reprise::trace_io
