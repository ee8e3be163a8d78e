// SPDX-License-Identifier: MIT
// Bands and pairs against closed forms: with two seeds Student's t is Cauchy's distribution, without any it is the normal one.
#include "sim/confidence/paired.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <numbers>

namespace reprise::sim {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
// Quantiles at 0.975 from tables.
constexpr double kCauchy = 12.706204736174694, kTwoDegrees = 4.302652729749462,
                 kNormal = 1.959963984540054;

Prediction seeds(std::vector<double> log_times) { return {std::move(log_times), 0, "m", {}}; }

}  // namespace

TEST_CASE("paired: two seeds make Cauchy's distribution", "[confidence]") {
  const auto found = compare(seeds({0.03, 0.09}), seeds({0, 0.02}));  // differences 0.03 and 0.07
  REQUIRE(found);
  CHECK(found->mean == Approx(0.05));
  const double error = 0.02;
  CHECK(found->low == Approx(0.05 - kCauchy * error));
  CHECK(found->high == Approx(0.05 + kCauchy * error));
  REQUIRE(found->probability);
  CHECK(*found->probability == Approx(0.5 + std::atan(-0.05 / error) / std::numbers::pi));
  CHECK(found->parts.compute_times == 1);
}

TEST_CASE("paired: what moves both alike is no doubt", "[confidence]") {
  // 50 % from seed to seed, and always 1 % apart
  const auto found = compare(seeds({0, 0.5, -0.25}), seeds({0.0078125, 0.5078125, -0.2421875}));
  REQUIRE(found);
  CHECK(found->probability == 1.0);
  CHECK(found->low == Approx(-0.0078125).epsilon(1e-12));
  CHECK(found->high == Approx(-0.0078125).epsilon(1e-12));
  const auto turned = compare(seeds({0.0078125, 0.5078125}), seeds({0, 0.5}));
  CHECK(turned->probability == 0.0);
  CHECK(compare(seeds({0.1, 0.2}), seeds({0.1, 0.2}))->probability == 0.5);
}

TEST_CASE("paired: calibrated machines differ each for itself, one machine together",
          "[confidence]") {
  const Prediction a{{0.0}, 0.03, "a", {}}, b{{0.1}, 0.04, "b", {}}, c{{0.1}, 0.04, "a", {}};
  const auto apart = compare(a, b);
  REQUIRE(apart->probability);
  CHECK(*apart->probability == Approx(0.5 * std::erfc(-0.1 / 0.05 / std::numbers::sqrt2)));
  CHECK(apart->high == Approx(-0.1 + kNormal * 0.05));
  CHECK(apart->parts.calibration == 1);
  const auto together = compare(a, c);
  CHECK(together->high == Approx(-0.1 + kNormal * 0.01));
}

TEST_CASE("paired: seeds and calibration add up with Satterthwaite's degrees of freedom",
          "[confidence]") {
  // differences −0.1, 0, 0.1: variance of the mean 0.01 / 3, two degrees of freedom
  const double sampling = 0.01 / 3, c = std::sqrt(sampling);
  const Prediction a{{-0.1, 0, 0.1}, 0, "a", {}}, b{{0, 0, 0}, c, "b", {}};
  const auto found = compare(a, b);
  // twice the variance, so four times the degrees of freedom: t of 8 at 0.975
  CHECK(found->high == Approx(2.306004135204166 * std::sqrt(2 * sampling)));
  CHECK(found->parts.compute_times == Approx(0.5));
  CHECK(found->parts.calibration == Approx(0.5));
}

TEST_CASE("paired: network models are the same for both, and each as likely", "[confidence]") {
  const Prediction a{{0, 0}, 0, "a", {0, 0.3, 0}}, b{{0.1, 0.1}, 0, "a", {0, 0.1, 0}};
  // a − b: −0.1, +0.1, −0.1
  const auto found = compare(a, b);
  CHECK(*found->probability == Approx(2.0 / 3));
  CHECK(found->low == Approx(-0.1));
  CHECK(found->high == Approx(0.1));
  CHECK(found->parts.network_model == 1);
}

TEST_CASE("paired: models that all say more make an interval that is lopsided", "[confidence]") {
  // The ratio is that of the model that was asked for; the two others make a 20 % and 30 % slower.
  const Prediction a{{0.1, 0.1}, 0, "a", {0, 0.2, 0.3}}, b{{0, 0}, 0, "a", {0, 0, 0}};
  const auto found = compare(a, b);
  CHECK(found->mean == Approx(0.1));
  CHECK(found->low == Approx(0.1));
  CHECK(found->high == Approx(0.4));
}

TEST_CASE("paired: only seeds that both have count, and nothing is known of nothing",
          "[confidence]") {
  const auto one = compare(seeds({0.2, kNone, 0.4}), seeds({kNone, 0.1, 0.1}));
  REQUIRE(one);
  CHECK(one->mean == Approx(0.3));
  CHECK_FALSE(one->probability);
  CHECK_FALSE(compare(seeds({kNone}), seeds({0.1})));
}

TEST_CASE("band: of a run that is to come, not of the mean", "[confidence]") {
  const auto band = band_of(seeds({-0.1, 0, 0.1}));
  REQUIRE(band);
  CHECK(band->high == Approx(kTwoDegrees * 0.1 * std::sqrt(1 + 1.0 / 3)));
  CHECK(band->low == Approx(-band->high));
  CHECK(band->parts.compute_times == 1);
  CHECK_FALSE(band_of(seeds({0.1})));
  const auto calibrated = band_of({{0.5}, 0.02, "m", {}});
  CHECK(calibrated->low == Approx(0.5 - kNormal * 0.02));
  const auto models = band_of({{0.5}, 0, "m", {0, -0.1, 0.2}});
  CHECK(models->low == Approx(0.4));
  CHECK(models->high == Approx(0.7));
  const auto still = band_of(seeds({0.3, 0.3}));  // seeds that change nothing
  CHECK(still->low == still->high);
}

TEST_CASE("spread: the quantile of a mixture is where its distribution says so", "[confidence]") {
  const Spread spread{1, 0.5, 3, {0, 2, -1}};
  for (const double share : {0.025, 0.3, 0.5, 0.975})
    CHECK(spread.cdf(spread.quantile(share)) == Approx(share).epsilon(1e-9));
}

}  // namespace reprise::sim
