// SPDX-License-Identifier: MIT
// How sure an estimate from a few periods is of all that were left out.
#include "sim/engine/steady/sampled_difference.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <cmath>

namespace reprise::sim {
namespace {

constexpr double kPeriod = 69.6e-6;

// A stencil on 16 ranks over a network whose messages seldom meet: periods in which they do, and by how much less the replay took there.
constexpr std::array<std::pair<unsigned, double>, 8> kMeetings{{{31, -1.59e-6},
                                                                {70, -0.53e-6},
                                                                {113, -1.57e-6},
                                                                {175, -0.23e-6},
                                                                {202, -7.0e-6},
                                                                {227, -0.53e-6},
                                                                {269, -1.07e-6},
                                                                {327, -0.30e-6}}};

TEST_CASE("periods that are all alike do not prove that those between them are") {
  SampledDifference sampled;
  double left_out = 0;  // what they differ by
  for (unsigned period = 0, window = 0; period < 390; ++window) {
    for (const unsigned end = period + (window == 0 ? 24 : 3); period < end; ++period)
      sampled.add(0, kPeriod);
    const unsigned end = std::min(390U, period + 41);
    CHECK(sampled.leave_out(end - period) == 0);
    for (; period < end; ++period)
      for (const auto& [at, difference] : kMeetings)
        if (at == period) left_out += difference;
  }
  CHECK(std::abs(left_out) > 10e-6);
  const double bound = sampled.bound(0, {});
  CHECK(std::abs(left_out) < bound);
  CHECK(bound < 0.001 * static_cast<double>(sampled.left_out()) * kPeriod);
}

TEST_CASE("the bound of periods that deviate by nothing is that of 0.15 % of each") {
  SampledDifference few, many;
  for (int i = 0; i < 24; ++i) few.add(0, kPeriod);
  for (int i = 0; i < 24; ++i) many.add(0, kPeriod);
  const auto expected = [](double periods) {
    return 1.5e-3 * kPeriod * (std::sqrt(periods) + periods / std::sqrt(24.0));
  };
  // the same quantile in both
  CHECK(many.bound(400, {}) / few.bound(100, {}) ==
        Approx(expected(400) / expected(100)).epsilon(1e-9));
  CHECK(few.bound(100, {}) / expected(100) > 2.5);
  CHECK(few.bound(100, {}) / expected(100) < 5);
}

}  // namespace
}  // namespace reprise::sim
