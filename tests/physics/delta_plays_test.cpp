// SPDX-License-Identifier: MIT
// The order in which a recorded distribution is played: the fixed permutation, the draws, and the table of the classes met so far.
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "sim/engine/deltas/delta_player.hpp"
#include "tests/physics/near.hpp"

namespace reprise::test {
namespace {

using Bins = std::vector<trace_io::Distribution::Bin>;
using sim::Deltas;

// Bins of (count, mean in us).
trace_io::DeltaClass delta_class(std::int32_t ranks,
                                 const std::vector<std::pair<std::uint64_t, std::int64_t>>& bins) {
  Bins parts;
  std::uint64_t count = 0;
  std::int64_t sum = 0;
  for (const auto& [times, microseconds] : bins) {
    parts.push_back({times, static_cast<std::int64_t>(times) * microseconds * 1000});
    count += times;
    sum += parts.back().sum;
  }
  trace_io::DeltaClass made;
  made.ranks = trace_io::RankList::all(ranks);
  made.durations = trace_io::Distribution::from_parts(8, count, sum, {}, {}, {}, parts);
  return made;
}

sim::DeltaState state_of(std::int32_t rank, std::uint32_t thread = 0) {
  sim::DeltaState state;
  state.rank = Rank{rank};
  state.thread = thread;
  return state;
}

// The next plays, in whole microseconds.
std::vector<int> plays(sim::DeltaPlayer& player, const trace_io::DeltaClass& delta,
                       sim::DeltaState& state, int count) {
  std::vector<int> times;
  for (int i = 0; i < count; ++i)
    times.push_back(static_cast<int>(std::lround(player.play(delta, state).value * 1e6)));
  return times;
}

std::vector<int> drawn(std::uint64_t seed, std::int32_t rank, std::uint32_t thread, int count) {
  const auto delta = delta_class(8, {{1, 1}, {1, 2}, {1, 3}, {1, 4}, {1, 5}, {1, 6}, {1, 7}});
  sim::DeltaPlayer player(Deltas::sample, seed);
  auto state = state_of(rank, thread);
  return plays(player, delta, state, count);
}

}  // namespace

// System       eight durations, one bin each: 10, 20 … 80 us.
// Expectation  places 0, 5, 2, 7, 4, 1, 6, 3, and from the beginning again.
// because      8 / golden ratio = 4.94…; 4 is not coprime to 8, 5 is.
TEST_CASE("deltas: the plays of a rank visit its bins in multiples of a golden step", "[physics]") {
  const auto delta =
      delta_class(1, {{1, 10}, {1, 20}, {1, 30}, {1, 40}, {1, 50}, {1, 60}, {1, 70}, {1, 80}});
  sim::DeltaPlayer player(Deltas::distribution, 1);
  auto state = state_of(0);
  CHECK(plays(player, delta, state, 10) ==
        std::vector<int>{10, 60, 30, 80, 50, 20, 70, 40, 10, 60});
}

// Places as above: 0 to 2 are in the bin of 10 us, 3 to 7 in that of 20 us.
TEST_CASE("deltas: a bin is played for as many places as it has durations", "[physics]") {
  const auto delta = delta_class(1, {{3, 10}, {5, 20}});
  sim::DeltaPlayer player(Deltas::distribution, 1);
  auto state = state_of(0);
  CHECK(plays(player, delta, state, 8) == std::vector<int>{10, 20, 10, 20, 20, 10, 20, 20});
}

// Plays k·R + i: rank 0 takes the first, third … place, rank 1 those between.
TEST_CASE("deltas: the ranks of a class take turns on the places", "[physics]") {
  const auto delta =
      delta_class(2, {{1, 10}, {1, 20}, {1, 30}, {1, 40}, {1, 50}, {1, 60}, {1, 70}, {1, 80}});
  sim::DeltaPlayer player(Deltas::distribution, 1);
  auto first = state_of(0), second = state_of(1);
  CHECK(plays(player, delta, second, 4) == std::vector<int>{60, 80, 20, 40});
  CHECK(plays(player, delta, first, 4) == std::vector<int>{10, 30, 50, 70});
}

TEST_CASE("deltas: two durations alternate, one is played always", "[physics]") {
  const auto two = delta_class(1, {{1, 10}, {1, 20}}), one = delta_class(1, {{1, 10}}),
             three = delta_class(1, {{1, 10}, {1, 20}, {1, 30}});
  sim::DeltaPlayer player(Deltas::distribution, 1);
  auto state = state_of(0);
  CHECK(plays(player, two, state, 4) == std::vector<int>{10, 20, 10, 20});
  CHECK(plays(player, one, state, 2) == std::vector<int>{10, 10});
  CHECK(plays(player, three, state, 4) == std::vector<int>{10, 20, 30, 10});
}

// More classes than the table begins with, played turn by turn: each goes on where it was.
TEST_CASE("deltas: every class keeps its own place in its order", "[physics]") {
  std::vector<trace_io::DeltaClass> classes;
  for (int i = 0; i < 50; ++i)
    classes.push_back(delta_class(1, {{1, 100 * i + 1}, {1, 100 * i + 2}, {1, 100 * i + 3}}));
  sim::DeltaPlayer player(Deltas::distribution, 1);
  auto state = state_of(0);
  for (int turn = 0; turn < 6; ++turn)
    for (int i = 0; i < 50; ++i)
      CHECK(plays(player, classes[static_cast<std::size_t>(i)], state, 1) ==
            std::vector<int>{100 * i + 1 + turn % 3});
  CHECK(state.used == 50);
  CHECK(2 * state.used <= state.slots.size());
}

// System       N durations in bins of 10, 50 and 90 us; rank i of R takes 1 + 0.7 i times as long as rank 0.
// Expectation  the plays of each rank add up to its share of the recorded sum.
// because      plays are scaled by what the bins that fall to the rank come to.
TEST_CASE("deltas: a rank's plays have its own sum, whichever bins fall to it", "[physics]") {
  for (const std::int32_t count : {20, 420, 4620}) {
    for (const std::int32_t ranks : {2, 4, 5, 10}) {
      const auto part = static_cast<std::uint64_t>(count) / 20;
      auto delta = delta_class(ranks, {{9 * part, 10}, {4 * part, 50}, {7 * part, 90}});
      auto factors = std::make_shared<trace_io::RankScaleFactors>();
      factors->ranks = trace_io::RankList::all(ranks);
      const int of_each = count / ranks;
      std::int64_t scaled = 0;
      for (std::int64_t rank = 0; rank < ranks; ++rank) {
        factors->values.append(100 + 70 * rank);
        scaled += (100 + 70 * rank) * of_each;
      }
      delta.scale_factors = factors;
      delta.scaled_count = static_cast<std::uint64_t>(scaled);
      sim::DeltaPlayer player(Deltas::distribution, 1);
      for (std::int32_t rank = 0; rank < ranks; ++rank) {
        CAPTURE(count, ranks, rank);
        auto state = state_of(rank);
        double sum = 0;
        for (int i = 0; i < of_each; ++i) sum += player.play(delta, state).value;
        const double of_all = 920e-6 * static_cast<double>(part);
        const double mean = of_all * (100 + 70 * rank) / static_cast<double>(scaled);
        CHECK(sum == Approx(mean * of_each).epsilon(1e-12));
        CHECK(player.mean(delta, state).value == Approx(mean).epsilon(1e-12));
      }
    }
  }
}

// System: 20 durations of 10, 50 and 90 us; rank 1 takes twice as long as rank 0. Expectation: a draw is a bin's mean times 2/3 or 4/3.
TEST_CASE("deltas: a draw is scaled by the ratio of the rank's mean to the class's", "[physics]") {
  auto delta = delta_class(2, {{9, 10}, {4, 50}, {7, 90}});
  auto factors = std::make_shared<trace_io::RankScaleFactors>();
  factors->ranks = trace_io::RankList::all(2);
  factors->values.append(100);
  factors->values.append(200);
  delta.scale_factors = factors;
  delta.scaled_count = 10 * 100 + 10 * 200;
  sim::DeltaPlayer player(Deltas::sample, 1);
  for (std::int32_t rank = 0; rank < 2; ++rank) {
    auto state = state_of(rank);
    for (int i = 0; i < 50; ++i) {
      const double unscaled = player.play(delta, state).value * 1e6 / (rank + 1) * 1.5;
      CAPTURE(rank, i, unscaled);
      CHECK((unscaled == Approx(10) || unscaled == Approx(50) || unscaled == Approx(90)));
    }
  }
}

// Held as numbers: the same for the same seed in every version, so that a study can be resumed by a later one.
TEST_CASE("deltas: draws are a function of seed, rank, thread and number", "[physics]") {
  CHECK(drawn(1, 0, 0, 12) == std::vector<int>{5, 5, 3, 2, 2, 7, 2, 2, 7, 2, 5, 6});
  CHECK(drawn(1, 1, 0, 12) == std::vector<int>{7, 1, 2, 2, 4, 3, 1, 3, 2, 2, 7, 2});
  CHECK(drawn(1, 0, 1, 12) == std::vector<int>{1, 2, 5, 4, 5, 1, 5, 6, 7, 2, 3, 6});
  CHECK(drawn(2, 0, 0, 12) == std::vector<int>{5, 3, 7, 6, 2, 6, 3, 3, 4, 4, 6, 1});
}

// 70 000 draws of seven bins: 10 000 each, with a standard deviation of 93.
TEST_CASE("deltas: bins are drawn as often as they were recorded", "[physics]") {
  std::vector<int> times(8);
  for (const int time : drawn(3, 2, 0, 70'000)) ++times[static_cast<std::size_t>(time)];
  for (int bin = 1; bin <= 7; ++bin)
    CHECK(times[static_cast<std::size_t>(bin)] == Approx(10'000).margin(400));
}

TEST_CASE("deltas: where nothing was recorded nothing is played", "[physics]") {
  const auto empty = delta_class(1, {});
  for (const auto mode : {Deltas::mean, Deltas::distribution, Deltas::sample}) {
    sim::DeltaPlayer player(mode, 1);
    auto state = state_of(0);
    CHECK(player.play(empty, state).value == 0);
    CHECK(player.mean(empty, state).value == 0);
  }
}

namespace {

// DELTA with a scale factor for each rank, in hundredths.
trace_io::DeltaClass scaled_class(trace_io::DeltaClass delta,
                                  const std::vector<std::int64_t>& hundredths,
                                  std::uint64_t scaled_count) {
  auto factors = std::make_shared<trace_io::RankScaleFactors>();
  factors->ranks = trace_io::RankList::all(static_cast<std::int32_t>(hundredths.size()));
  for (const std::int64_t factor : hundredths) factors->values.append(factor);
  delta.scale_factors = factors;
  delta.scaled_count = scaled_count;
  return delta;
}

}  // namespace

// System       three durations of two ranks, of which rank 0 has two and the second takes twice as long: 60 us in 400 hundredths.
// Expectation  rank 0's mean is 60 · 100 / 400 = 15 us, rank 1's 30 us; what is played is scaled by mean / 20 us.
// because      how many times a rank plays is not what its share of the places would be, so its sum cannot be met.
TEST_CASE("deltas: where ranks play unequally often each play is scaled by the means",
          "[physics]") {
  const auto odd = scaled_class(delta_class(2, {{1, 10}, {1, 20}, {1, 30}}), {100, 200}, 400);
  // Four durations, three of them rank 0's: 100 us in 500 hundredths.
  const auto even =
      scaled_class(delta_class(2, {{1, 10}, {1, 20}, {1, 30}, {1, 40}}), {100, 200}, 500);
  sim::DeltaPlayer player(Deltas::distribution, 1);
  auto first = state_of(0), second = state_of(1);
  for (const double bin : {10e-6, 30e-6, 20e-6})
    CHECK(player.play(odd, first).value == Approx(bin * 0.75));
  CHECK(player.play(odd, second).value == Approx(20e-6 * 1.5));
  CHECK(player.play(even, first).value == Approx(10e-6 * 0.8));
  CHECK(player.mean(even, first).value == Approx(20e-6));
  CHECK(player.play(even, second).value == Approx(40e-6 * 1.6));
  CHECK(player.mean(even, second).value == Approx(40e-6));
}

TEST_CASE("deltas: as means each rank plays its own, whatever the bins", "[physics]") {
  const auto delta = scaled_class(delta_class(2, {{1, 10}, {1, 30}}), {100, 300}, 400);
  const auto without_bins = scaled_class(
      [] {
        auto made = delta_class(2, {{1, 10}, {1, 30}});
        made.durations = trace_io::Distribution::from_parts(0, 2, 40'000, {}, {}, {}, {});
        return made;
      }(),
      {100, 300}, 400);
  for (const auto mode : {Deltas::mean, Deltas::distribution, Deltas::sample}) {
    sim::DeltaPlayer player(mode, 1);
    auto first = state_of(0), second = state_of(1);
    const auto& played = mode == Deltas::mean ? delta : without_bins;
    for (int i = 0; i < 3; ++i) {
      CHECK(player.play(played, first).value == Approx(10e-6));
      CHECK(player.play(played, second).value == Approx(30e-6));
    }
  }
}

// A rank may get nothing but bins of no time at all: it plays them as they are, since no factor makes them longer.
TEST_CASE("deltas: times of zero stay zero, whatever they are scaled by", "[physics]") {
  const auto one_is_zero = scaled_class(delta_class(2, {{1, 0}, {1, 40}}), {100, 300}, 400),
             all_are_zero = scaled_class(delta_class(2, {{2, 0}}), {100, 300}, 400);
  for (const auto mode : {Deltas::mean, Deltas::distribution, Deltas::sample}) {
    sim::DeltaPlayer player(mode, 1);
    auto first = state_of(0), second = state_of(1);
    CHECK(plays(player, all_are_zero, first, 2) == std::vector<int>{0, 0});
    CHECK(plays(player, all_are_zero, second, 2) == std::vector<int>{0, 0});
    if (mode != Deltas::distribution) continue;
    CHECK(player.play(one_is_zero, first).value == 0);
    CHECK(player.play(one_is_zero, second).value == Approx(30e-6));
  }
}

TEST_CASE("deltas: a bin without durations is never played and moves no sum", "[physics]") {
  const auto plain = scaled_class(delta_class(2, {{1, 10}, {1, 30}}), {100, 300}, 400),
             with_empty = scaled_class(delta_class(2, {{0, 0}, {1, 10}, {0, 0}, {1, 30}, {0, 0}}),
                                       {100, 300}, 400);
  sim::DeltaPlayer player(Deltas::distribution, 1);
  for (std::int32_t rank = 0; rank < 2; ++rank) {
    auto one = state_of(rank), other = state_of(rank);
    for (int i = 0; i < 4; ++i)
      CHECK(player.play(with_empty, one).value == player.play(plain, other).value);
  }
}

}  // namespace reprise::test
