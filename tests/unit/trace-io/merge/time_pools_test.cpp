// SPDX-License-Identifier: MIT
#include "trace-io/model/time_pools.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <random>
#include <regex>

#include "tests/unit/trace-io/files/random_trace.hpp"
#include "tests/unit/trace-io/payload_version.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/check/check.hpp"
#include "trace-io/file/format.hpp"
#include "trace-io/file/payload.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/merge/finalize.hpp"
#include "trace-io/merge/merge.hpp"
#include "trace-io/merge/pool_choice.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::trace_io {
namespace {

constexpr int kSteps = 6, kRanks = 4;

std::string text_of(int sites) {
  std::string text = "reprise-text 1\nranks " + std::to_string(kRanks) +
                     "\ntiming path\nbins 5\nthread 0 {\n  loop " + std::to_string(kSteps) + " {\n";
  for (int site = 0; site < sites; ++site)
    text += "    MPI_Barrier at s" + std::to_string(site) + " | compute 1us | communicate 1us\n";
  return text + "  }\n}\n";
}

// As many call sites, each with a mean of its own between 100 ns and 1 ms.
Trace many_sites(std::uint32_t seed, int sites) {
  Trace trace = assemble(text_of(sites), "many sites");
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> magnitude(2, 6), noise(0.5, 1.5);
  for_each_class(trace, [&](DeltaClass& delta, bool) {
    const double mean = std::pow(10, magnitude(random));
    delta.durations = Distribution(trace.header.bins);
    for (int rank = 0; rank < kRanks; ++rank)
      for (int step = 0; step < kSteps; ++step)
        delta.durations.add(Nanoseconds{static_cast<std::int64_t>(mean * noise(random))},
                            Rank{rank});
  });
  return trace;
}

struct Total {
  std::uint64_t count = 0;
  std::int64_t sum = 0;
  friend bool operator==(const Total&, const Total&) = default;
};
std::map<bool, Total> totals_of(const Trace& trace) {
  std::map<bool, Total> totals;
  for_each_class(trace, [&](const DeltaClass& delta, bool is_compute) {
    totals[is_compute].count += delta.durations.count();
    totals[is_compute].sum += delta.durations.sum().value;
  });
  return totals;
}

std::vector<const DeltaClass*> classes_of(const Trace& trace, bool of_compute) {
  std::vector<const DeltaClass*> all;
  for_each_class(trace, [&](const DeltaClass& delta, bool is_compute) {
    if (is_compute == of_compute) all.push_back(&delta);
  });
  return all;
}

double misplaced(const Trace& before, const Trace& after, bool of_compute) {
  const auto own = classes_of(before, of_compute), pooled = classes_of(after, of_compute);
  double apart = 0, all = 0;
  for (std::size_t i = 0; i < own.size(); ++i) {
    apart +=
        std::abs(static_cast<double>((own[i]->durations.sum() - pooled[i]->durations.sum()).value));
    all += static_cast<double>(own[i]->durations.sum().value);
  }
  return apart / all;
}

std::string problem_of(const std::string& text) {
  try {
    assemble(text, "t");
  } catch (const InputError& error) {
    return error.where() + ": " + error.problem();
  }
  return "";
}

}  // namespace

TEST_CASE("time_pools: counts and sums of compute times, and of times inside calls, stay exact",
          "[trace-io]") {
  for (std::uint32_t seed = 1; seed <= 20; ++seed) {
    const Trace own = many_sites(seed, 60);
    Trace pooled = own;
    pool_times(pooled, 0.05, 10);
    REQUIRE(pooled_times(pooled).pooled > 60);
    REQUIRE(totals_of(pooled) == totals_of(own));
    round_durations(pooled);
    REQUIRE(totals_of(pooled) == totals_of(own));
    REQUIRE(check_structure(pooled).empty());
  }
}

TEST_CASE("time_pools: no more time stands at another call than was allowed", "[trace-io]") {
  const Trace own = many_sites(3, 400);
  for (const double share : {0.001, 0.01, 0.1}) {
    Trace pooled = own;
    pool_times(pooled, share, 1);
    for (const bool is_compute : {true, false}) {
      REQUIRE(misplaced(own, pooled, is_compute) <= share * 1.0001);
      REQUIRE(misplaced(own, pooled, is_compute) > 0);
    }
  }
}

TEST_CASE("time_pools: every call takes the mean of its pool", "[trace-io]") {
  Trace trace = many_sites(5, 100);
  pool_times(trace, 0.05, 1);
  REQUIRE(!trace.pools.empty());
  for_each_class(trace, [&](const DeltaClass& delta, bool) {
    if (delta.pool == DeltaClass::kOwnTimes) return;
    REQUIRE(std::abs(delta.durations.mean_ns() - trace.pools[delta.pool].mean_ns()) <= 1);
    REQUIRE(delta.durations.consistent());
  });
}

TEST_CASE("time_pools: parts of a pool are sound for any count, and keep its shape", "[trace-io]") {
  std::mt19937 random(11);
  for (const std::uint32_t bins : {0U, 1U, 5U}) {
    Distribution pool(bins);
    for (int i = 0; i < 90; ++i)
      pool.add(Nanoseconds{static_cast<std::int64_t>(random() % 50)}, Rank{1});
    for (int i = 0; i < 10; ++i) pool.add(Nanoseconds{5000}, Rank{0});
    for (const std::uint64_t count : {1U, 2U, 3U, 7U, 10U, 50U, 100U})
      for (const std::int64_t sum : {0, 1, 17, 1000, 123456}) {
        const Distribution part = part_of_pool(pool, count, sum, Rank{2});
        REQUIRE(part.count() == count);
        REQUIRE(part.sum() == Nanoseconds{sum});
        REQUIRE(part.consistent());
      }
    const Distribution half = part_of_pool(pool, 50, pool.sum().value / 2, Rank{0});
    if (bins == 5) {
      REQUIRE(half.bins().back().count == 5);
      REQUIRE(half.max().value.value == Approx(5000).epsilon(0.001));
    }
  }
}

TEST_CASE(
    "time_pools: a trace of few distributions, and one for which each was asked, stay as they are",
    "[trace-io]") {
  const Trace own = many_sites(7, 100);
  Trace trace = own;
  pool_times(trace);
  REQUIRE(same_trace(trace, own));
  pool_times(trace, 0, 1);
  REQUIRE(same_trace(trace, own));
  REQUIRE(pooled_share_of("each") == 0.0);
  REQUIRE(pooled_share_of("pooled") == kPooledShare);
  REQUIRE(pooled_share_of("pooled:2.5%") == 0.025);
  for (const char* text :
       {"", "pool", "pooled:", "pooled:%", "pooled:0%", "pooled:51%", "pooled:1", "pooled:x%"})
    REQUIRE(!pooled_share_of(text));
}

TEST_CASE("time_pools: a pooled trace is smaller, and comes back from its file and its text",
          "[trace-io]") {
  const Trace own = many_sites(9, 1500);
  Trace pooled = own, each = own;
  pool_times(pooled);
  round_durations(pooled);
  round_durations(each);
  const auto file = serialise(pooled);
  REQUIRE(file.size() * 2 < serialise(each).size());
  constexpr std::uint32_t kOfManyCalls = 10;  // the version of all files with so many calls
  REQUIRE(testing::payload_version(file) == kOfManyCalls);
  REQUIRE(same_trace(deserialise(file, "t"), pooled));
  REQUIRE(same_trace(assemble(dump(pooled), "t"), pooled));
  REQUIRE(testing::payload_version(serialise(each)) == kOfManyCalls);
}

TEST_CASE("time_pools: a file is the same whether or not members have the times of their pools",
          "[trace-io]") {
  Trace spread = many_sites(9, 1500), as_they_were = spread;
  pool_times(spread);
  round_durations(spread);
  pool_times(as_they_were, kPooledShare, kTimesKept, PoolMembers::as_they_were);
  round_durations(as_they_were, PoolMembers::as_they_were);
  REQUIRE(!as_they_were.pools.empty());
  REQUIRE(serialise(as_they_were) == serialise(spread));
}

TEST_CASE("time_pools: random traces come back, whatever is pooled", "[trace-io]") {
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    Trace trace = random_trace(seed);
    const auto totals = totals_of(trace);
    pool_times(trace, 0.3, 1);
    REQUIRE(totals_of(trace) == totals);
    REQUIRE(same_trace(deserialise(serialise(trace), "t"), trace));
    REQUIRE(same_trace(assemble(dump(trace), "t"), trace));
  }
}

TEST_CASE("time_pools: traces that are merged have no pools any more, but the same totals",
          "[trace-io]") {
  const auto part_of = [](int rank) {
    const std::string text = std::to_string(rank);
    const std::string call =
        "  MPI_Barrier at a | compute (pool=0 count=1)\n  MPI_Barrier at b | compute (pool=0 "
        "count=1)\n";
    return assemble("reprise-text 1\nranks 2\nrecorded " + text +
                        "\nbins 5\npool 0 compute (limit=5 count=2 sum=30 squares=0:500 min=10@" +
                        text + " max=20@" + text + " bins=[1/10, 1/20])\nthread 0 {\n" + call +
                        "}\n",
                    "part");
  };
  const Trace both = merge(part_of(0), part_of(1));
  REQUIRE(both.pools.empty());
  REQUIRE(totals_of(both) == std::map<bool, Total>{{true, {4, 60}}});
  REQUIRE(check_structure(both).empty());
}

TEST_CASE("time_pools: damaged references are refused with their place", "[trace-io]") {
  const std::string start =
      "reprise-text 1\nranks 1\nbins 5\n"
      "pool 0 compute (limit=5 count=2 sum=30 squares=0:500 min=10@0 max=20@0 bins=[1/10, "
      "1/20])\nthread 0 "
      "{\n";
  const std::string member = "  MPI_Barrier | compute (pool=0 count=1)\n";
  REQUIRE(problem_of(start + member + member + "}\n").empty());
  REQUIRE(problem_of(start + member + "}\n") ==
          "t: pools of times: pool 0 has 2 times, calls refer to 1");
  REQUIRE(problem_of(start + member + member + member + "}\n") ==
          "t: pools of times: calls with the times of pool 0 that are none, or more than it has");
  REQUIRE(problem_of(start + member + "  MPI_Barrier | compute (pool=1 count=1)\n}\n") ==
          "t: pools of times: pool 1 of compute times does not exist");

  Trace trace = assemble(start + member + member + "}\n", "t");
  for_each_class(trace, [](DeltaClass& delta, bool) { delta.pool = 6; });
  std::string problem;
  try {
    decode_payload(encode_payload(trace), kPoolsVersion, "t");
  } catch (const InputError& error) {
    problem = error.where() + ": " + error.problem();
  }
  REQUIRE(std::regex_match(
      problem,
      std::regex(
          "t at payload byte [0-9]+: pool of times reference 7 is beyond 1, the last so far")));
}

}  // namespace reprise::trace_io
