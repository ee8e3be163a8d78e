// SPDX-License-Identifier: MIT
#include "sim/confidence/ranking.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

namespace reprise::sim {

// Three standard deviations of a share of the draws.
constexpr double kOff = 3 * 0.5 / 64;

TEST_CASE("ranking: of two it says what the pair says", "[confidence]") {
  const std::vector<std::vector<Prediction>> pairs = {
      {{{0, 0.1, 0.05, 0.02}, 0, "a", {}}, {{0.03, 0.11, 0.04, 0.08}, 0, "b", {}}},
      {{{0}, 0.03, "a", {}}, {{0.04}, 0.04, "b", {}}},
      {{{0, 0.2}, 0, "a", {0, 0.3, 0}}, {{0.1, 0.3}, 0, "a", {0, 0.1, 0}}}};
  for (const auto& pair : pairs) {
    const auto shares = probability_of_least(pair);
    REQUIRE(shares.size() == 2);
    CHECK(shares[0] + shares[1] == Approx(1));
    CHECK(shares[0] == Approx(*compare(pair[0], pair[1])->probability).margin(kOff));
  }
}

TEST_CASE("ranking: equals share, and who has no time has no part", "[confidence]") {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const Prediction one{{0.1, 0.3, 0.2}, 0, "a", {}}, absent{{none, none, none}, 0, "b", {}};
  const auto shares = probability_of_least({one, absent, one, one});
  REQUIRE(shares.size() == 4);
  CHECK(shares[0] == Approx(1.0 / 3));
  CHECK(shares[1] == 0);
  CHECK(shares[2] == Approx(1.0 / 3));
  CHECK(probability_of_least({{{0.1}, 0, "a", {}}, {{0.2}, 0, "a", {}}}).empty());
}

TEST_CASE("ranking: three that are independent and alike each have a third", "[confidence]") {
  // calibrations of three machines: independent, of the same width
  const auto shares = probability_of_least(
      {{{0.1}, 0.05, "a", {}}, {{0.1}, 0.05, "b", {}}, {{0.1}, 0.05, "c", {}}});
  for (const double share : shares) CHECK(share == Approx(1.0 / 3).margin(kOff));
}

}  // namespace reprise::sim
