// SPDX-License-Identifier: MIT
// Noise drawn play by play: the same numbers for the same seed in every version, so that a study can be resumed by a later one.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sim/engine/compute/disturbances.hpp"

namespace reprise::test {
namespace {

using Arrivals = sim::NoiseChange::Arrivals;

// Nanoseconds of noise in each of six stretches of 1 ms.
std::vector<std::int64_t> noise(Arrivals arrivals, std::uint64_t seed, std::int32_t rank,
                                std::uint32_t thread, std::size_t source = 0) {
  sim::Conditions conditions;
  for (std::size_t i = 0; i <= source; ++i) {
    conditions.noise.push_back({"noise", {}, {}, 700e-6, 25e-6, arrivals});
    if (i < source) conditions.noise.back().ranks = {{99, 99}};
  }
  std::vector<platforms::RankLocation> locations(100);
  sim::Disturbances disturbances(conditions, locations, seed);
  std::vector<std::int64_t> sums;
  for (int i = 0; i < 6; ++i)
    sums.push_back(std::llround(1e9 * disturbances.noise(0, Rank{rank}, thread, 1e-3)));
  return sums;
}

using Sums = std::vector<std::int64_t>;

}  // namespace

TEST_CASE("noise: draws are a function of seed, source, rank, thread and number", "[physics]") {
  CHECK(noise(Arrivals::random, 1, 0, 0) == Sums{34917, 125709, 9394, 19742, 19175, 0});
  CHECK(noise(Arrivals::random, 2, 0, 0) == Sums{47268, 0, 21, 88875, 68985, 45506});
  CHECK(noise(Arrivals::random, 1, 1, 0) == Sums{10544, 59960, 1832, 0, 0, 0});
  CHECK(noise(Arrivals::random, 1, 0, 1) == Sums{143623, 28331, 81431, 114244, 11684, 195570});
  CHECK(noise(Arrivals::random, 1, 0, 0, 1) == Sums{21669, 49912, 0, 37691, 41472, 0});
}

// Interruptions at u, u + 0.7 ms, u + 1.4 ms …, of 25 us each.
TEST_CASE("noise: a period begins at a drawn place and keeps its length", "[physics]") {
  CHECK(noise(Arrivals::periodic, 1, 0, 0) == Sums{50000, 25000, 25000, 50000, 25000, 50000});
  CHECK(noise(Arrivals::periodic, 1, 1, 0) == Sums{25000, 50000, 25000, 50000, 25000, 25000});
}

}  // namespace reprise::test
