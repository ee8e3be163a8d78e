// SPDX-License-Identifier: MIT
#include "trace-io/merge/delta_classes.hpp"

#include <catch2/catch.hpp>

namespace reprise::trace_io::testing {
namespace {

// `count` durations of one rank: `mean` − `spread` and `mean` + `spread` in turn.
DeltaClass durations_of(std::int32_t rank, std::int64_t mean, std::int64_t spread, int count) {
  DeltaClass deltas{RankList::single(Rank{rank}), Distribution(4)};
  for (int i = 0; i < count; ++i)
    deltas.durations.add(Nanoseconds{mean + (i % 2 == 0 ? -spread : spread)}, Rank{rank});
  return deltas;
}

std::vector<DeltaClass> united(std::vector<DeltaClass> a, std::vector<DeltaClass> b,
                               std::int64_t elapsed = 0) {
  RankUnions unions;
  return united_classes(std::move(a), std::move(b), Nanoseconds{elapsed}, unions);
}

TEST_CASE("delta classes: ranks whose means agree within 2 % share a class", "[merge]") {
  const auto classes = united({durations_of(0, 10000, 0, 10)}, {durations_of(1, 10150, 0, 10)});
  REQUIRE(classes.size() == 1);
  CHECK(classes[0].ranks.text() == "0-1");
  CHECK(classes[0].durations.count() == 20);
  CHECK(classes[0].durations.sum() == Nanoseconds{201500});
}

TEST_CASE("delta classes: ranks that differ systematically stay apart, ordered by lowest rank",
          "[merge]") {
  const auto classes = united({durations_of(0, 20000, 10, 10), durations_of(1, 10000, 10, 10)},
                              {durations_of(2, 20000, 10, 10), durations_of(3, 10000, 10, 10)});
  REQUIRE(classes.size() == 2);
  CHECK(classes[0].ranks.text() == "0,2");
  CHECK(classes[1].ranks.text() == "1,3");
}

// System: both ranks scatter by ±50 %, their means are 10 % apart. Standard error of the difference: 5000·√(2/10) = 2236 ns
// for ten durations each, and a tenth of that for a thousand; the means differ by 1000 ns, 0.4 and 4.5 of them.
TEST_CASE("delta classes: a difference that chance explains makes no class", "[merge]") {
  CHECK(united({durations_of(0, 10000, 5000, 10)}, {durations_of(1, 11000, 5000, 10)}).size() == 1);
  CHECK(united({durations_of(0, 10000, 5000, 1000)}, {durations_of(1, 11000, 5000, 1000)}).size() ==
        2);
}

// System: 100 executions that differ by 1 µs each: 100 µs over a run.
TEST_CASE("delta classes: a difference that is nothing in the whole run makes no class",
          "[merge]") {
  const std::int64_t ten_seconds = 10'000'000'000,
                     a_second = 1'000'000'000;  // a 1e-5 of them: 100 µs, 10 µs
  CHECK(united({durations_of(0, 1000, 0, 100)}, {durations_of(1, 2000, 0, 100)}, ten_seconds)
            .size() == 1);
  CHECK(united({durations_of(0, 1000, 0, 100)}, {durations_of(1, 2000, 0, 100)}, a_second).size() ==
        2);
}

TEST_CASE("delta classes: beyond the limit the nearest classes are united and nothing is lost",
          "[merge]") {
  std::vector<DeltaClass> a, b;
  std::int64_t sum = 0;
  for (std::int32_t rank = 0; rank < 4; ++rank) {
    const std::int64_t mean = 1000 * (rank + 1) * (rank + 1);
    a.push_back(durations_of(rank, mean, 0, 1));
    sum += mean;
  }
  b.push_back(durations_of(4, 1100, 0, 1));  // 10 % from rank 0's, further from all others
  sum += 1100;
  const auto classes = united(a, b);
  REQUIRE(classes.size() == kClassLimit);
  CHECK(classes[0].ranks.text() == "0,4");
  std::int64_t kept = 0;
  for (const DeltaClass& deltas : classes) kept += deltas.durations.sum().value;
  CHECK(kept == sum);
}

TEST_CASE("delta classes: the order of the sides does not matter", "[merge]") {
  const std::vector<DeltaClass> a{durations_of(0, 1000, 10, 5), durations_of(2, 3000, 10, 5)},
      b{durations_of(1, 1010, 10, 5), durations_of(3, 9000, 10, 5)};
  const auto one = united(a, b), other = united(b, a);
  REQUIRE(one.size() == 3);
  REQUIRE(other.size() == 3);
  for (std::size_t i = 0; i < one.size(); ++i) {
    CHECK(one[i].ranks == other[i].ranks);
    CHECK(one[i].durations == other[i].durations);
  }
}

TEST_CASE("delta classes: a side without durations leaves the other as it is", "[merge]") {
  const auto classes = united({}, {durations_of(1, 500, 0, 3)});
  REQUIRE(classes.size() == 1);
  CHECK(classes[0].ranks.text() == "1");
  CHECK(united({}, {}).empty());
}

TEST_CASE("delta classes: means agree up to 2 % of the larger one, and no further", "[merge]") {
  CHECK(united({durations_of(0, 9800, 0, 10)}, {durations_of(1, 10000, 0, 10)}).size() == 1);
  CHECK(united({durations_of(0, 9799, 0, 10)}, {durations_of(1, 10000, 0, 10)}).size() == 2);
}

// System: 1 µs more in each execution: 10 µs over the run of the one rank, 1 ms over that of the other; 1e-5 of 10 s are 100 µs.
TEST_CASE("delta classes: what counts is the rank that executes the call more often", "[merge]") {
  const std::int64_t ten_seconds = 10'000'000'000;
  CHECK(united({durations_of(0, 1000, 0, 10)}, {durations_of(1, 2000, 0, 1000)}, ten_seconds)
            .size() == 2);
  // 80 executions are 40 a rank where two ranks share the class: 40 and 80 µs.
  DeltaClass of_two = durations_of(0, 1000, 0, 160);
  of_two.ranks = RankList::all(2);
  CHECK(united({of_two}, {durations_of(2, 2000, 0, 80)}, ten_seconds).size() == 1);
}

// Uniting 1000 and 1200 ns, 1000 durations each, adds 500 · 200² = 2·10⁷ ns² of variance; uniting single durations of 5000
// and 5500 ns adds 1/2 · 500² = 125000 ns², though they are further apart.
TEST_CASE("delta classes: beyond the limit the pair that adds the least variance is united",
          "[merge]") {
  const auto classes = united(
      {durations_of(0, 1000, 0, 1000), durations_of(1, 1200, 0, 1000)},
      {durations_of(2, 5000, 0, 1), durations_of(3, 5500, 0, 1), durations_of(4, 20000, 0, 1)});
  REQUIRE(classes.size() == kClassLimit);
  CHECK(classes[0].ranks.text() == "0");
  CHECK(classes[1].ranks.text() == "1");
  CHECK(classes[2].ranks.text() == "2-3");
  CHECK(classes[3].ranks.text() == "4");
}

TEST_CASE("delta classes: one class of all holds every duration", "[merge]") {
  RankUnions unions;
  const auto classes = one_class({durations_of(0, 1000, 0, 3), durations_of(2, 9000, 0, 1)},
                                 {durations_of(1, 50000, 0, 2)}, unions);
  REQUIRE(classes.size() == 1);
  CHECK(classes[0].ranks.text() == "0-2");
  CHECK(classes[0].durations.count() == 6);
  CHECK(classes[0].durations.sum() == Nanoseconds{112000});
  CHECK(one_class({}, {}, unions).empty());
}

TEST_CASE("pooled classes: every rank's total stands at its place, whichever side it came from",
          "[merge]") {
  RankUnions unions;
  auto even = pooled_classes({durations_of(0, 1000, 0, 2)}, {durations_of(2, 1000, 0, 4)}, unions);
  auto odd = pooled_classes({durations_of(3, 1000, 0, 5)}, {durations_of(1, 1000, 0, 3)}, unions);
  const auto all = pooled_classes(std::move(odd), std::move(even), unions);
  REQUIRE(all.size() == 1);
  CHECK(all[0].ranks.text() == "0-3");
  CHECK(all[0].totals == std::vector<RankTotal>{{2, 2000}, {3, 3000}, {4, 4000}, {5, 5000}});
  CHECK(all[0].durations.count() == 14);
  CHECK(pooled_classes({}, {}, unions).empty());
}

// One log a rank where any has one: those of ranks without are empty, on whichever side they are.
TEST_CASE("pooled classes: logs stand at their ranks' places", "[merge]") {
  const auto executions = [](const std::vector<DeltaClass>& classes) {
    std::vector<std::uint64_t> counts;
    for (const OrderLog& log : classes.at(0).logs) counts.push_back(log.count());
    return counts;
  };
  const auto logged = [](std::int32_t rank, int count) {
    DeltaClass deltas = durations_of(rank, 1000, 0, count);
    OrderLog& log = deltas.logs.emplace_back();
    for (int i = 0; i < count; ++i) log.add(Nanoseconds{1000});
    return deltas;
  };
  using Counts = std::vector<std::uint64_t>;
  RankUnions unions;
  auto both = pooled_classes({logged(0, 2)}, {logged(2, 3)}, unions);
  CHECK(executions(both) == Counts{2, 3});
  auto behind = pooled_classes({durations_of(0, 1000, 0, 1)}, {logged(2, 3)}, unions);
  CHECK(executions(behind) == Counts{0, 3});
  auto in_front = pooled_classes({logged(0, 2)}, {durations_of(2, 1000, 0, 1)}, unions);
  CHECK(executions(in_front) == Counts{2, 0});
  CHECK(executions(pooled_classes(both, {logged(3, 4)}, unions)) == Counts{2, 3, 4});
  CHECK(executions(pooled_classes(both, {logged(1, 4)}, unions)) == Counts{2, 4, 3});
  CHECK(executions(pooled_classes(both, {durations_of(1, 1000, 0, 1)}, unions)) == Counts{2, 0, 3});
  CHECK(pooled_classes({durations_of(0, 1000, 0, 1)}, {durations_of(1, 1000, 0, 1)}, unions)
            .at(0)
            .logs.empty());
}

// Rank 0 of eight has united with rank 1, and will with all others. What all of its ranks have grows with each of them, what rank 0 alone has need not.
TEST_CASE("pooled classes: totals of what all ranks have take their room once", "[merge]") {
  RankUnions unions;
  unions.foresee(1, 8);
  auto grown = pooled_classes({durations_of(0, 1000, 0, 1)}, {durations_of(1, 1000, 0, 1)}, unions);
  const RankTotal* const first = grown.at(0).totals.data();
  CHECK(grown.at(0).totals.capacity() == 8);
  unions.foresee(2, 8);
  const auto few =
      pooled_classes({durations_of(0, 1000, 0, 1)}, {durations_of(2, 1000, 0, 1)}, unions);
  CHECK(few.at(0).totals.capacity() == 2);
  auto next = pooled_classes({durations_of(2, 1000, 0, 1)}, {durations_of(3, 1000, 0, 1)}, unions);
  pool_classes(grown, next, unions);
  CHECK(grown.at(0).totals.data() == first);
  CHECK(grown.at(0).totals == std::vector<RankTotal>(4, RankTotal{1, 1000}));
}

TEST_CASE("pooled classes: shapes are scaled to the common mean from four executions a rank on",
          "[merge]") {
  RankUnions unions;
  const auto lowest_mean = [&](int count) {
    const auto classes = pooled_classes({durations_of(0, 1000, 0, count)},
                                        {durations_of(1, 3000, 0, count)}, unions);
    const auto bin = classes.at(0).durations.bins().front();
    return bin.sum / static_cast<std::int64_t>(bin.count);
  };
  CHECK(lowest_mean(3) == 1000);
  CHECK(lowest_mean(4) == 2000);
}

TEST_CASE("rank totals: of a class without totals, executions are divided evenly and sums add up",
          "[merge]") {
  DeltaClass delta = durations_of(0, 1000, 3, 11);
  delta.ranks = RankList::all(3);
  const auto totals = rank_totals(delta);
  REQUIRE(totals.size() == 3);
  CHECK(totals[0].count == 4);
  CHECK(totals[1].count == 4);
  CHECK(totals[2].count == 3);
  CHECK(totals[0].sum + totals[1].sum + totals[2].sum == delta.durations.sum().value);
  CHECK(totals[0].sum == 3998);  // 4 of 11 of 10997
}

// 100 executions that differ by 1 us: 100 us, which is 1e-5 of 10 s, and more than that of 1 ns less.
TEST_CASE("delta classes: what is negligible in a run is up to 1e-5 of it", "[merge]") {
  const std::int64_t ten_seconds = 10'000'000'000;
  CHECK(united({durations_of(0, 1000, 0, 100)}, {durations_of(1, 2000, 0, 100)}, ten_seconds)
            .size() == 1);
  CHECK(united({durations_of(0, 1000, 0, 100)}, {durations_of(1, 2000, 0, 100)}, ten_seconds - 1)
            .size() == 2);
}

// Means 10000 and 11000 ns with a deviation of 5000 ns: √(2 · 5000² / n) is a quarter of their difference for n = 800.
TEST_CASE("delta classes: chance explains up to four standard errors", "[merge]") {
  CHECK(united({durations_of(0, 10000, 5000, 796)}, {durations_of(1, 11000, 5000, 796)}).size() ==
        1);
  CHECK(united({durations_of(0, 10000, 5000, 804)}, {durations_of(1, 11000, 5000, 804)}).size() ==
        2);
}

TEST_CASE("delta classes: as many as the limit stay apart", "[merge]") {
  std::vector<DeltaClass> a, b;
  for (std::int32_t rank = 0; rank < static_cast<std::int32_t>(kClassLimit); ++rank)
    (rank % 2 == 0 ? a : b).push_back(durations_of(rank, 1000 << rank, 0, 5));
  CHECK(united(a, b).size() == kClassLimit);
  CHECK(kClassLimit == 4);
}

TEST_CASE("delta classes: a class that executed nothing is in any", "[merge]") {
  const DeltaClass empty{RankList::single(Rank{1}), Distribution(4)};
  const auto classes = united({durations_of(0, 1000, 0, 5)}, {empty});
  REQUIRE(classes.size() == 1);
  CHECK(classes[0].ranks.text() == "0-1");
  CHECK(united({empty}, {DeltaClass{RankList::single(Rank{2}), Distribution(4)}}).size() == 1);
}

// Of ranks 0 to 2, five executions of 3 ns altogether: the sums add up though 5/3 · 0.6 ns is no whole number.
TEST_CASE("rank totals: the last rank has what the others have left", "[merge]") {
  DeltaClass delta = durations_of(0, 1, 0, 3);
  delta.durations.add(Nanoseconds{0}, Rank{0});
  delta.durations.add(Nanoseconds{0}, Rank{0});
  delta.ranks = RankList::all(3);
  const auto totals = rank_totals(delta);
  CHECK(totals == std::vector<RankTotal>{{2, 1}, {2, 1}, {1, 1}});
  delta.totals = {{5, 3}, {0, 0}, {0, 0}};
  CHECK(rank_totals(delta) == delta.totals);
}

}  // namespace
}  // namespace reprise::trace_io::testing
