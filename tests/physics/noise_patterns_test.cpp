// SPDX-License-Identifier: MIT
// Noise by patterns: as it was recorded, rank by rank, and as a machine's cores have it.
#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>

#include "sim/engine/compute/disturbances.hpp"

namespace reprise::test {
namespace {

using Arrivals = sim::NoiseChange::Arrivals;
using Patterns = sim::NoiseChange::Patterns;
constexpr double kNever = std::numeric_limits<double>::infinity();

sim::Disturbances disturbances(Patterns are, std::vector<sim::NoisePattern> patterns,
                               Arrivals arrivals = Arrivals::periodic) {
  sim::Conditions conditions;
  sim::NoiseChange& change = conditions.noise.emplace_back();
  change.where = "noise";
  change.patterns_are = are;
  change.patterns = std::move(patterns);
  change.arrivals = arrivals;
  const std::vector<platforms::RankLocation> locations{{0, 0}, {0, 1}, {1, 2}, {1, 3}};
  return {conditions, locations, 1};
}

double suffered(sim::Disturbances& noise, std::int32_t rank, double work, int pieces) {
  double sum = 0;
  for (int i = 0; i < pieces; ++i)
    sum += noise.noise(static_cast<std::uint32_t>(rank), Rank{rank}, 0, work / pieces);
  return sum;
}

}  // namespace

// Four preemptions of 1 ms in all, two of them three times as long as the others, in 4 ms of computing; rank 1 had none.
TEST_CASE("noise: what was recorded is played as often and for as long, however it is cut",
          "[physics]") {
  const std::vector<sim::NoisePattern> recorded{{1e-3, {{0.5, 100e-6}, {1, 300e-6}}, 4, 1e-3},
                                                {kNever, {}, 0, 0}};
  for (const int pieces : {1, 4, 999}) {
    auto noise = disturbances(Patterns::of_ranks, recorded);
    CHECK(suffered(noise, 0, 4e-3 + 1e-12, pieces) == Approx(1e-3).epsilon(1e-12));
    CHECK(suffered(noise, 1, 4e-3, pieces) == 0);
    CHECK(suffered(noise, 3, 4e-3, pieces) == 0);
    CHECK(noise.total_noise().value == Approx(1e-3).epsilon(1e-12));
  }
  auto noise = disturbances(Patterns::of_ranks, recorded);
  std::vector<double> each;
  for (int i = 0; i < 4; ++i) each.push_back(noise.noise(0, Rank{0}, 0, 1e-3));
  std::sort(each.begin(), each.end());
  CHECK(each == std::vector<double>{each[0], each[0], each[3], each[3]});
  CHECK(each[0] == Approx(125e-6));
  CHECK(each[3] == Approx(375e-6));
}

TEST_CASE("noise: more computing than was recorded has more of the same noise", "[physics]") {
  auto noise = disturbances(Patterns::of_ranks, {{1e-3, {{1, 50e-6}}, 3, 180e-6}});
  CHECK(suffered(noise, 0, 30e-3 + 1e-9, 7) == Approx(30 * 60e-6));
}

TEST_CASE("noise: a rank has the noise of its core, by number modulo those measured", "[physics]") {
  const std::vector<sim::NoisePattern> cores{{kNever, {}, 0, 0}, {1e-3, {{1, 25e-6}}, 0, 0}};
  auto noise = disturbances(Patterns::of_cores, cores);
  CHECK(suffered(noise, 0, 10e-3, 3) == 0);
  CHECK(suffered(noise, 1, 10e-3 + 1e-12, 3) == Approx(250e-6));
  CHECK(suffered(noise, 2, 10e-3, 3) == 0);
  CHECK(suffered(noise, 3, 10e-3 + 1e-12, 3) == Approx(250e-6));
}

// 20 000 interruptions of 10 us (3 of 4) or 50 us: 20 us in the mean, standard error 0.12 us of durations and 0.7 % of arrivals.
TEST_CASE("noise: durations come in their shares, random arrivals at their rate", "[physics]") {
  const std::vector<sim::NoisePattern> cores{{1e-3, {{0.75, 10e-6}, {1, 50e-6}}, 0, 0}};
  for (const auto arrivals : {Arrivals::periodic, Arrivals::random}) {
    auto noise = disturbances(Patterns::of_cores, cores, arrivals);
    CHECK(suffered(noise, 0, 20, 50) == Approx(20'000 * 20e-6).epsilon(0.03));
  }
}

}  // namespace reprise::test
