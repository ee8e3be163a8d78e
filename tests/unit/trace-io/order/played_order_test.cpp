// SPDX-License-Identifier: MIT
// What is played of an order: sums exact, residuals shuffled and never drawn twice.
#include "trace-io/order/played_order.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <map>
#include <numeric>
#include <vector>

#include "trace-io/order/order_code.hpp"

using namespace reprise;
using namespace reprise::trace_io;

namespace {

// Four ranks, 12 executions each, of 10 us and 30 us.
DeltaClass two_bins() {
  DeltaClass delta;
  delta.ranks = RankList::all(4);
  delta.durations = Distribution(5);
  for (int i = 0; i < 48; ++i)
    delta.durations.add(Nanoseconds{i % 4 == 0 ? 30'000 : 10'000}, Rank{i / 12});
  return delta;
}

constexpr double kSmallMean = 100;  // ns: a mean of which the longest recorded time is no limit

std::vector<double> played(const DeltaClass& delta, std::int32_t rank, std::uint64_t seed,
                           std::uint64_t count, double mean_ns = kSmallMean) {
  const PlayedOrder order(delta, seed);
  const auto its = order.open(Rank{rank}, mean_ns);
  std::vector<double> values;
  for (std::uint64_t k = 0; k < count; ++k) values.push_back(order.value(its, k));
  return values;
}

}  // namespace

TEST_CASE("played_order: a permutation visits every place once, by key", "[trace-io]") {
  std::map<std::vector<std::uint64_t>, int> seen;
  for (std::uint64_t key = 1; key <= 40; ++key)
    for (const std::uint64_t n : {1U, 2U, 3U, 7U, 64U, 240U}) {
      std::vector<std::uint64_t> places(n), all(n);
      std::iota(all.begin(), all.end(), 0);
      for (std::uint64_t i = 0; i < n; ++i) places[i] = permuted(i, n, key * 0x9e3779b97f4a7c15U);
      if (n == 240) ++seen[places];
      std::ranges::sort(places);
      CHECK(places == all);
    }
  CHECK(seen.size() == 40);
}

TEST_CASE("played_order: without an order each bin is played as often as it was recorded",
          "[trace-io]") {
  const DeltaClass delta = two_bins();
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    for (std::int32_t rank = 0; rank < 4; ++rank) {
      const auto values = played(delta, rank, seed, 12);
      CHECK(std::accumulate(values.begin(), values.end(), 0.0) == Approx(12));
      CHECK(std::ranges::count_if(values, [](double v) { return v > 1.5; }) == 3);  // a quarter
    }
  CHECK(played(delta, 0, 1, 12) != played(delta, 0, 2, 12));
  CHECK(played(delta, 0, 1, 12) != played(delta, 1, 1, 12));
  CHECK(played(delta, 0, 1, 12) == played(delta, 0, 1, 12));
}

// Rank 1: 1, 1 + 2 · 1/2, 1 − 1/2 …; the mean of its levels is 1, so nothing is scaled.
TEST_CASE("played_order: levels are played at their execution, common and own", "[trace-io]") {
  DeltaClass delta = two_bins();
  auto order = std::make_shared<DurationOrder>();
  for (int rank = 0; rank < 4; ++rank) order->executions.append(4);
  order->ranks = RankList::single(Rank{1});
  order->step = DurationOrder::kOne / 2;
  order->step_common = DurationOrder::kOne / 4;
  REQUIRE(shape_rows(*order, delta.ranks, true) == 8);
  order->rows[0].levels = {0, 2, -1, -1};
  order->common.levels = {-1, 1, 0, 0};
  delta.order = order;
  REQUIRE(order_problem(delta).empty());
  CHECK(played(delta, 1, 1, 5) == std::vector<double>{0.75, 2.25, 0.5, 0.5, 0.75});
  CHECK(played(delta, 0, 1, 4) == std::vector<double>{0.75, 1.25, 1, 1});
}

// The longest time recorded is 30 us. Of a rank whose mean is 15 us, 1/4 of a mean is left to the others; they share it in proportion.
TEST_CASE("played_order: no time is longer than the longest recorded, and sums stay exact",
          "[trace-io]") {
  DeltaClass delta = two_bins();
  auto order = std::make_shared<DurationOrder>();
  for (int rank = 0; rank < 4; ++rank) order->executions.append(4);
  order->ranks = RankList::single(Rank{1});
  order->step = DurationOrder::kOne / 4;
  shape_rows(*order, delta.ranks, false);
  order->rows[0].levels = {-1, 5, -2, -2};
  delta.order = order;
  const auto values = played(delta, 1, 1, 4, 15'000);
  const std::vector<double> expected = {0.75 * 8 / 7, 2, 0.5 * 8 / 7, 0.5 * 8 / 7};
  for (std::size_t i = 0; i < 4; ++i) CHECK(values[i] == Approx(expected[i]));
  // A rank whose mean is the longest there was: 1 % above it at most, which three of the four then take.
  const auto even = played(delta, 1, 1, 4, 30'000);
  CHECK(std::ranges::max(even) == Approx(1.01));
  CHECK(std::accumulate(even.begin(), even.end(), 0.0) == Approx(4));
}

// Two blocks a group. The kept block takes 1 each, its group 1.5 in the mean: the other block twice as long.
TEST_CASE("played_order: what was not kept takes what its group's mean leaves", "[trace-io]") {
  DeltaClass delta = two_bins();
  auto order = std::make_shared<DurationOrder>();
  order->stride = 1;
  for (int rank = 0; rank < 4; ++rank) order->executions.append(256);
  order->ranks = RankList::all(4);
  order->step = DurationOrder::kOne;
  shape_rows(*order, delta.ranks, false);
  for (auto& row : order->rows) row.groups = {2, -2};  // quarters of a step: +1/2, −1/2
  delta.order = order;
  REQUIRE(order_problem(delta).empty());
  const auto values = played(delta, 2, 1, 256);
  CHECK(values[0] == Approx(1));
  CHECK(values[64] == Approx(2));
  CHECK(values[128] == Approx(1));
  CHECK(values[192] == Approx(0).margin(1e-12));
  CHECK(std::accumulate(values.begin(), values.end(), 0.0) == Approx(256));
}

TEST_CASE("played_order: no time is negative, and sums stay exact for all that", "[trace-io]") {
  DeltaClass delta = two_bins();
  auto order = std::make_shared<DurationOrder>();
  for (int rank = 0; rank < 4; ++rank) order->executions.append(8);
  order->ranks = RankList::all(4);
  order->step = DurationOrder::kOne;
  order->residuals = {{16, -DurationOrder::kOne}, {16, DurationOrder::kOne}};
  shape_rows(*order, delta.ranks, false);
  for (auto& row : order->rows) row.levels = {-1, 3, -1, 0, 0, -1, 0, 0};
  delta.order = order;
  for (std::int32_t rank = 0; rank < 4; ++rank) {
    const auto values = played(delta, rank, 3, 8);
    CHECK(std::ranges::all_of(values, [](double v) { return v >= 0; }));
    CHECK(std::accumulate(values.begin(), values.end(), 0.0) == Approx(8));
  }
}
