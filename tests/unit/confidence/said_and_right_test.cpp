// SPDX-License-Identifier: MIT
// Is what is said to be 95 % sure right as often? Pairs of machines of which it is known which one is the faster, and by how much.
//
// A pair    two machines, 1, 3 or 10 % apart, either one the faster. A seed moves both by the same 5 % (the order of compute times), and
//           each by 2 % of its own. Once the noise is normal, once skewed (exponential), as waiting is.
// Figures   printed with `test_confidence -s`; docs/STUDIES.md holds them.
#include <catch2/catch.hpp>
#include <cmath>
#include <numbers>

#include "sim/confidence/paired.hpp"
#include "sim/counter_random.hpp"

namespace reprise::sim {
namespace {

constexpr int kPairs = 200, kSeeds = 8;

struct Noise {
  bool is_skewed;
  std::uint64_t next = 0;
  double uniform() { return unit_interval(mixed(0x5eed + next++)); }
  // Mean 0, standard deviation 1.
  double operator()() {
    if (is_skewed) return -std::log(uniform()) - 1;
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }
};

struct Tally {
  int said = 0, right = 0, inside = 0;
};

Tally tally_of(double apart, Noise& noise) {
  Tally tally;
  for (int pair = 0; pair < kPairs; ++pair) {
    const double truth = (pair % 2 == 0 ? 1 : -1) * std::log(1 + apart);
    Prediction a{{}, 0, "a", {}}, b{{}, 0, "b", {}};
    for (int seed = 0; seed < kSeeds; ++seed) {
      const double both = 0.05 * noise();
      a.log_times.push_back(both + 0.02 * noise());
      b.log_times.push_back(both + truth + 0.02 * noise());
    }
    const auto found = compare(a, b);
    REQUIRE(found->probability);
    const double probability = *found->probability;  // that a takes less time
    if (probability >= 0.95 || probability <= 0.05) {
      ++tally.said;
      tally.right += (probability >= 0.95) == (truth > 0);
    }
    tally.inside += found->low <= -truth && -truth <= found->high;
  }
  return tally;
}

}  // namespace

TEST_CASE("said and right: of pairs said to be 95 % sure at least 93 % are right", "[confidence]") {
  for (const bool is_skewed : {false, true}) {
    Noise noise{is_skewed};
    Tally all;
    for (const double apart : {0.01, 0.03, 0.10}) {
      const Tally tally = tally_of(apart, noise);
      INFO((is_skewed ? "skewed" : "normal")
           << " noise, " << 100 * apart << " % apart: said of " << tally.said << " of " << kPairs
           << ", right " << tally.right << ", truth inside the interval " << tally.inside);
      CHECK(tally.said > 0);
      CHECK(tally.right >= 0.93 * tally.said);
      if (apart == 0.10) CHECK(tally.said == kPairs);
      all.said += tally.said;
      all.right += tally.right;
      all.inside += tally.inside;
    }
    CHECK(all.right >= 0.93 * all.said);
    // 600 intervals of 95 %: three standard deviations are 2.7 %
    CHECK(all.inside >= 0.923 * 3 * kPairs);
    CHECK(all.inside <= 0.977 * 3 * kPairs);
  }
}

// Who are equal are said to differ as often as 95 % in each direction allow, and not more often.
TEST_CASE("said and right: equals are said to differ in one of ten cases", "[confidence]") {
  Noise noise{false};
  const Tally tally = tally_of(0, noise);
  CHECK(tally.said >= 0.02 * kPairs);
  CHECK(tally.said <= 0.17 * kPairs);
}

}  // namespace reprise::sim
