// SPDX-License-Identifier: MIT
// Noise drawn play by play: the same numbers for the same seed in every version, so that a study can be resumed by a later one.
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/counter_random.hpp"
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

namespace {

// The draws of the only source of rank 0, as docs/MODEL.md has them: uniform in (0, 1].
double drawn(std::uint64_t seed, std::uint64_t number) {
  const std::uint64_t stream = sim::mixed(seed ^ sim::mixed(sim::mixed(0x6e6f6973U)));
  return sim::unit_interval(sim::mixed(stream + sim::mixed(number)));
}

sim::Disturbances disturbances(const sim::Conditions& conditions) {
  const std::vector<platforms::RankLocation> locations{{0}, {1}, {1}};
  return {conditions, locations, 1};
}

}  // namespace

// System: work up to just before the moment of the first interruption, then what is left to it, then a period.
TEST_CASE("noise: an interruption comes when its moment is reached, not before", "[physics]") {
  const double every = 1e-3, duration = 25e-6;
  for (const auto arrivals : {Arrivals::periodic, Arrivals::random}) {
    sim::Conditions conditions;
    conditions.noise = {{"noise", {}, {}, every, duration, arrivals}};
    auto noise = disturbances(conditions);
    const bool is_periodic = arrivals == Arrivals::periodic;
    const double first = (is_periodic ? drawn(1, 0) : -std::log(drawn(1, 0))) * every;
    CHECK(noise.noise(0, Rank{0}, 0, 0) == 0);
    auto again = disturbances(conditions);
    CHECK(again.noise(0, Rank{0}, 0, std::nextafter(first, 0)) == 0);
    const double taken = noise.noise(0, Rank{0}, 0, first);
    CHECK(taken == Approx(is_periodic ? duration : -std::log(drawn(1, 1)) * duration));
    CHECK(noise.total_noise().value == taken);
    if (!is_periodic) continue;
    CHECK(noise.noise(0, Rank{0}, 0, 3.5 * every) == Approx(3 * duration));
    CHECK(noise.total_noise().value == Approx(4 * duration));
  }
}

TEST_CASE("noise: facts of what had no effect name each source", "[physics]") {
  sim::Conditions conditions;
  conditions.noise = {{"a", {}, {}, 1e-3, 1e-6, Arrivals::periodic},
                      {"b", {}, {}, 1e+3, 1e-6, Arrivals::periodic}};
  auto noise = disturbances(conditions);
  noise.noise(0, Rank{0}, 0, 1);
  std::vector<std::string> facts;
  noise.add_without_effect(Seconds{1}, facts);
  CHECK(facts == std::vector<std::string>{"b: no interruption hit a computing rank"});
}

// System: node 1 is slow from 1 s to 2 s; ranks compute up to it, after it, on another node, and in it.
TEST_CASE("slow node: it has had an effect where a rank of it computed while it held",
          "[physics]") {
  sim::Conditions conditions;
  conditions.nodes = {{"slow", {{1, 1}}, {1, 2}, 2}};
  auto nodes = disturbances(conditions);
  const auto facts = [&](double end) {
    std::vector<std::string> told;
    nodes.add_without_effect(Seconds{end}, told);
    return told;
  };
  CHECK(nodes.speed(0) == nullptr);
  REQUIRE(nodes.speed(1) != nullptr);
  CHECK(nodes.speed(2) == nodes.speed(1));
  CHECK(nodes.speed_of_node(2) == nullptr);
  CHECK(nodes.speed(1)->at(1.5) == 0.5);
  nodes.note(1, 0, 1);
  nodes.note(1, 2, 3);
  nodes.note(0, 0, 3);
  CHECK(facts(3) == std::vector<std::string>{"slow: no rank of node 1 computed during it"});
  CHECK(facts(1) == std::vector<std::string>{"slow: the run is over before 1 s"});
  nodes.note(2, 1.9, 2.5);
  CHECK(facts(3).empty());
}

TEST_CASE("slow node: changes without effect are listed one by one, in their order", "[physics]") {
  sim::Conditions conditions;
  conditions.nodes = {{"a", {{0, 0}}, {5, 6}, 2},
                      {"b", {{0, 0}}, {1, 2}, 2},
                      {"c", {{1, 1}}, {0, 1}, 3},
                      {"d", {{0, 0}}, {1, 2}, 1}};
  auto nodes = disturbances(conditions);
  nodes.note(0, 1, 2);
  std::vector<std::string> facts;
  nodes.add_without_effect(Seconds{3}, facts);
  CHECK(facts == std::vector<std::string>{"a: the run is over before 5 s",
                                          "c: no rank of node 1 computed during it"});
}

TEST_CASE("time span: a run that ends when a change begins is over before it", "[physics]") {
  const sim::TimeSpan when{.from = 1, .to = 2};
  CHECK(sim::why_without_effect(when, Seconds{1}, "otherwise") == "the run is over before 1 s");
  CHECK(sim::why_without_effect(when, Seconds{0.5}, "otherwise") == "the run is over before 1 s");
  CHECK(sim::why_without_effect(when, Seconds{1.5}, "otherwise") == "otherwise");
}

}  // namespace reprise::test
