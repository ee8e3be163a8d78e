// SPDX-License-Identifier: MIT
// What a finished trace says of each rank's times inside calls that a replay computes.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "tests/unit/trace-io/merge/job.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/merge/finalize.hpp"

namespace reprise::trace_io::testing {
namespace {

constexpr int kRounds = 100;
constexpr double kRound = 20e6;  // ns, of each rank: what it computes and what it waits

// Of two barriers in each round a rank waits in the first for that part of the round that it does not compute, and shortly in the second.
template <class Computing>
Job waiting_job(std::int32_t ranks, const Computing& computing) {
  Job job;
  job.ranks = ranks;
  job.procedures = {"MPI_Barrier", "MPI_Barrier"};
  job.communicators.resize(static_cast<std::size_t>(ranks));
  std::mt19937 random(3);
  std::uniform_real_distribution<double> noise(0.98, 1.02);
  const auto time = [&](double mean) {
    return Nanoseconds{static_cast<std::int64_t>(mean * noise(random))};
  };
  for (std::int32_t rank = 0; rank < ranks; ++rank) {
    auto& calls = job.calls.emplace_back();
    for (int round = 0; round < kRounds; ++round) {
      const double share = computing(rank);
      calls.push_back({0, {0}, {}, time(share * kRound), time((1 - share) * kRound)});
      calls.push_back({1, {0}, {}, time(1e3), time(5e3)});
    }
  }
  return job;
}

double inside(const Job& job, std::int32_t rank) {
  double sum = 0;
  for (const Call& call : job.calls[static_cast<std::size_t>(rank)])
    sum += static_cast<double>(call.communicate.value);
  return sum;
}

double inside(const Leaf& leaf, std::int32_t rank) {
  double sum = 0;
  for (const DeltaClass& delta : leaf.communicate)
    if (delta.durations.count() > 0 && delta.ranks.contains(Rank{rank}))
      sum += static_cast<double>(delta.durations.sum().value) / delta.ranks.size() *
             relative_mean(delta, Rank{rank});
  return sum;
}

double inside(const Trace& trace, std::int32_t rank) {
  double sum = 0;
  for (const auto& program : trace.threads)
    for_each_leaf(program, [&](const Leaf& leaf) { sum += inside(leaf, rank); });
  return sum;
}

std::size_t without_scale_factors_inside(Trace trace) {
  for (auto& program : trace.threads)
    for_each_leaf(program, [](Leaf& leaf) {
      for (DeltaClass& delta : leaf.communicate) {
        delta.scale_factors = nullptr;
        delta.scaled_count = 0;
        delta.durations.pull_bins_in();
      }
    });
  return serialise(trace).size();
}

bool has_scale_factors_inside(const Trace& trace) {
  bool has = false;
  for (const auto& program : trace.threads)
    for_each_leaf(program, [&](const Leaf& leaf) {
      for (const DeltaClass& delta : leaf.communicate) has = has || delta.scale_factors != nullptr;
    });
  return has;
}

}  // namespace

TEST_CASE("times inside calls: each rank has its own where ranks wait for unlike times",
          "[merge]") {
  const std::int32_t ranks = GENERATE(2, 4, 16);
  const Job job = waiting_job(ranks, [](std::int32_t rank) { return rank == 0 ? 0.99 : 0.1; });
  const Trace trace = deserialise(serialise(merged_in_tree(job)), "merged");
  CAPTURE(ranks);
  double all = 0, recorded = 0;
  for (std::int32_t rank = 0; rank < ranks; ++rank) {
    CAPTURE(rank);
    CHECK(inside(trace, rank) == Approx(inside(job, rank)).epsilon(kLeftInside));
    all += inside(trace, rank);
    recorded += inside(job, rank);
  }
  CHECK(all == Approx(recorded).epsilon(1e-9));
}

TEST_CASE("times inside calls: ranks that wait alike share them", "[merge]") {
  const Job job = waiting_job(4, [](std::int32_t) { return 0.5; });
  CHECK_FALSE(has_scale_factors_inside(merged_in_tree(job)));
}

// Rank 1 is late 10 times in 200, for 6 ms, at each of four barriers, so that rank 0 waits there, and rank 0 once before a fifth. No place differs by more than
// four standard errors, and the fifth alone takes scale factors of nine bytes.
TEST_CASE("times inside calls: ranks have their own at each call also where they scatter",
          "[merge]") {
  constexpr std::uint32_t kPlaces = 4;
  Job job;
  job.ranks = 2;
  job.procedures.assign(kPlaces + 1, "MPI_Barrier");
  job.communicators.resize(2);
  for (std::int32_t rank = 0; rank < 2; ++rank) {
    auto& calls = job.calls.emplace_back();
    for (int round = 0; round < 200; ++round)
      for (std::uint32_t place = 0; place < kPlaces; ++place) {
        const bool waits = rank == 0 && round % 20 == static_cast<int>(place);
        calls.push_back({place,
                         {0},
                         {},
                         Nanoseconds{200'000},
                         Nanoseconds{(waits ? 6'000'000 : 4'000) + round % 7 * 100}});
      }
    calls.push_back(
        {kPlaces, {0}, {}, Nanoseconds{200'000}, Nanoseconds{rank == 0 ? 20'000 : 80'000'000}});
  }
  const Trace trace = deserialise(serialise(merged_in_tree(job)), "merged");
  std::vector<const Leaf*> leaves;
  for_each_leaf(trace.threads.front(), [&](const Leaf& leaf) { leaves.push_back(&leaf); });
  REQUIRE(leaves.size() == kPlaces + 1);
  for (std::int32_t rank = 0; rank < 2; ++rank) {
    CAPTURE(rank);
    const double all = inside(job, rank);
    CHECK(inside(trace, rank) == Approx(all).epsilon(kLeftInside));
    for (std::uint32_t place = 0; place < leaves.size(); ++place) {
      CAPTURE(place);
      double spent = 0;
      for (const Call& call : job.calls[static_cast<std::size_t>(rank)])
        if (call.place == place) spent += static_cast<double>(call.communicate.value);
      CHECK(std::abs(inside(*leaves[place], rank) - spent) < kLeftInside * all);
    }
  }
}

TEST_CASE("times inside calls: what tells ranks apart takes few bytes, whatever they do",
          "[merge]") {
  const std::int32_t ranks = GENERATE(2, 4, 16, 64, 256);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(0.01, 0.99);
  std::vector<double> shares(static_cast<std::size_t>(ranks));
  for (double& share : shares) share = any(random);
  const Trace trace = merged_in_tree(waiting_job(
      ranks, [&](std::int32_t rank) { return shares[static_cast<std::size_t>(rank)]; }));
  CAPTURE(ranks, has_scale_factors_inside(trace));
  constexpr std::size_t kBins = 12;  // those of a shape beside those of all ranks
  CHECK(serialise(trace).size() <= without_scale_factors_inside(trace) + kBytesInside + kBins +
                                       static_cast<std::size_t>(ranks) * kBytesOfARankInside);
}

}  // namespace reprise::trace_io::testing
