// SPDX-License-Identifier: MIT
// Which paths get rank scale factors, and which share them, told from what each rank plays of each path.
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <set>
#include <vector>

#include "tests/unit/trace-io/merge/job.hpp"
#include "trace-io/merge/finalize.hpp"
#include "trace-io/model/value_sequence.hpp"
#include "trace-io/walk/cursor.hpp"
#include "trace-io/walk/programs.hpp"

namespace reprise::trace_io::testing {
namespace {

constexpr int kSteps = 50;
constexpr std::int32_t kRanks = 8;

// slowness[place][rank]: a rank computes 1 ms times that before the call at each place, in every step.
Job steady_job(const std::vector<std::vector<double>>& slowness) {
  Job job;
  job.ranks = kRanks;
  job.procedures.assign(slowness.size(), "MPI_Barrier");
  job.communicators.resize(kRanks);
  for (std::size_t rank = 0; rank < kRanks; ++rank) {
    auto& calls = job.calls.emplace_back();
    for (int step = 0; step < kSteps; ++step)
      for (std::uint32_t place = 0; place < slowness.size(); ++place) {
        Call call;
        call.place = place;
        call.scalars = {0};
        call.compute = Nanoseconds{static_cast<std::int64_t>(1e6 * slowness[place][rank])};
        calls.push_back(call);
      }
  }
  return job;
}

std::int64_t scale_factor_of(const RankScaleFactors& scale_factors, std::int32_t rank) {
  ValueSequence::Cursor cursor(scale_factors.values);
  for (const Rank one : scale_factors.ranks.ranks()) {
    const std::int64_t scale_factor = cursor.next();
    if (one.value == rank) return scale_factor;
  }
  return 0;
}

struct Played {
  std::vector<double> seconds;                // by place
  std::set<const RankScaleFactors*> used;     // one per set
  std::vector<const RankScaleFactors*> last;  // by place
};

Played played(const Trace& trace, std::int32_t rank, std::size_t places) {
  const Programs programs(trace);
  Played result;
  result.seconds.resize(places);
  result.last.resize(places);
  std::size_t event = 0;
  for (Cursor cursor(programs, Rank{rank}, 0); cursor.advance(); ++event) {
    const DeltaClass* delta = cursor.compute();
    if (delta == nullptr) continue;
    double mean = delta->durations.mean_ns();
    if (delta->scale_factors != nullptr) {
      mean = static_cast<double>(scale_factor_of(*delta->scale_factors, rank)) *
             static_cast<double>(delta->durations.sum().value) /
             static_cast<double>(delta->scaled_count);
      result.used.insert(delta->scale_factors.get());
    }
    result.seconds[event % places] += mean * 1e-9;
    result.last[event % places] = delta->scale_factors.get();
  }
  return result;
}

// Sets of scale factors in the merged trace, after checking that every rank plays its own time of every place within 1 %.
std::size_t sets_of(const std::vector<std::vector<double>>& slowness) {
  const Trace trace = merged_in_tree(steady_job(slowness));
  std::set<const RankScaleFactors*> sets;
  for (std::int32_t rank = 0; rank < kRanks; ++rank) {
    const Played found = played(trace, rank, slowness.size());
    for (std::size_t place = 0; place < slowness.size(); ++place) {
      CAPTURE(rank, place);
      CHECK(found.seconds[place] ==
            Approx(kSteps * 1e-3 * slowness[place][static_cast<std::size_t>(rank)]).epsilon(0.01));
    }
    sets.insert(found.used.begin(), found.used.end());
  }
  return sets.size();
}

using Slowness = std::vector<double>;
const Slowness kEven{1, 1, 1, 1, 1, 1, 1, 1}, kLastApart{1, 1, 1, 1, 1, 1, 1, 1.5},
    kThirdApart{1, 1, 1.5, 1, 1, 1, 1, 1}, kFirstApart{1.5, 1, 1, 1, 1, 1, 1, 1};

}  // namespace

TEST_CASE("scale factors: even paths have none", "[merge]") { CHECK(sets_of({kEven, kEven}) == 0); }

TEST_CASE("scale factors: paths whose ranks differ alike share one set", "[merge]") {
  CHECK(sets_of({kLastApart, kLastApart}) == 1);
  CHECK(sets_of({kLastApart, kEven, kLastApart}) == 1);
}

TEST_CASE("scale factors: a path shares a set only if every one of its ranks fits", "[merge]") {
  CHECK(sets_of({kLastApart, kThirdApart}) == 2);
  CHECK(sets_of({kThirdApart, kLastApart}) == 2);
  CHECK(sets_of({kFirstApart, kLastApart, kThirdApart}) == 3);
}

// System: the slow rank of both paths is the last one; on the second the first rank takes 4 % longer, too. Expectation: that is
// 2 % of this rank's time, so the second path cannot share the set of the first, whatever all other ranks say.
TEST_CASE("scale factors: the first rank of a path has to fit like all others", "[merge]") {
  const Slowness first_a_little{1.04, 1, 1, 1, 1, 1, 1, 1.5};
  CHECK(sets_of({kLastApart, first_a_little}) == 2);
  CHECK(sets_of({first_a_little, kLastApart}) == 2);
}

// System: 8 ranks, 50 steps, 1 ms before the second call; before the first 356 µs, on the last rank 16 µs more. Of the path from the
// second call to the first (49 times) the last rank has 49 · 16 · 7/8 = 686 µs more than the mean, 1 % of its 50 · 1372 µs.
// Expectation: that much is left to the set in common, which scales the second path, too; 10 ns more a step are not.
TEST_CASE("scale factors: a path gets its own where a rank differs by more than 1 % of its time",
          "[merge]") {
  const auto second_path_of_last_rank = [](double last) {
    const Slowness first{0.356, 0.356, 0.356, 0.356, 0.356, 0.356, 0.356, last};
    const Trace trace = merged_in_tree(steady_job({first, kEven}));
    return played(trace, kRanks - 1, 2).seconds[1];
  };
  CHECK(second_path_of_last_rank(0.372) > 1.005 * kSteps * 1e-3);
  CHECK(second_path_of_last_rank(0.37201) == Approx(kSteps * 1e-3));
}

// System: 8 ranks, 40 paths of 1 ms a step, 10 steps; one execution of the 20th on the third rank takes 100 ms instead, a fifth of what the
// rank computes otherwise. It is chance: one execution among 80.
// Expectation: without a budget for the order of compute times the ranks' totals are kept by a set that many paths share, which scales
// them all; with one, the path has a set of its own, and no other path of the rank is longer for it.
TEST_CASE("scale factors: with an order, an outlier stays on the path where it happened",
          "[merge]") {
  constexpr std::size_t kPlaces = 40, kOutlier = 20, kSlowRank = 2;
  Job job = steady_job(std::vector<Slowness>(kPlaces, kEven));
  for (auto& calls : job.calls) calls.resize(10 * kPlaces);
  job.calls[kSlowRank][5 * kPlaces + kOutlier].compute = Nanoseconds{100'000'000};
  const auto of_slow_rank = [&](std::uint64_t budget) {
    job.order_budget = Bytes{budget};
    return played(merged_in_tree(job), static_cast<std::int32_t>(kSlowRank), kPlaces).seconds;
  };
  const std::vector<double> without = of_slow_rank(0), with = of_slow_rank(8192);
  CHECK(without[kOutlier] < 0.05);
  CHECK(without[kOutlier - 1] > 1.05 * 10e-3);
  CHECK(with[kOutlier] == Approx(0.109).epsilon(0.005));
  CHECK(with[kOutlier - 1] == Approx(10e-3).epsilon(0.002));
}

// System: seven paths, on each another rank is slow by half: more kinds of path than there are sets of their own.
TEST_CASE("scale factors: ranks keep their totals beyond the sets that paths have of their own",
          "[merge]") {
  constexpr std::size_t kPlaces = 7;
  static_assert(kPlaces > kOwnScaleFactors);
  std::vector<Slowness> slowness(kPlaces, kEven);
  for (std::size_t place = 0; place < kPlaces; ++place) slowness[place][place] = 1.5;
  const Trace trace = merged_in_tree(steady_job(slowness));
  std::set<const RankScaleFactors*> sets;
  for (std::int32_t rank = 0; rank < kRanks; ++rank) {
    const Played found = played(trace, rank, kPlaces);
    sets.insert(found.used.begin(), found.used.end());
    // Of paths that differ alike the first ones have their own; the one into the first call is executed once less.
    const auto& of_place = found.last;
    CHECK(std::set(of_place.begin() + 1, of_place.begin() + 5).size() == 4);
    CHECK(std::set{of_place[0], of_place[5], of_place[6]}.size() == 1);
    const std::vector<double>& seconds = found.seconds;
    const double own = kPlaces + (rank < static_cast<std::int32_t>(kPlaces) ? 0.5 : 0);
    CAPTURE(rank);
    CHECK(std::accumulate(seconds.begin(), seconds.end(), 0.0) ==
          Approx(kSteps * 1e-3 * own).epsilon(0.01));
  }
  CHECK(sets.size() == 4 + 1);  // the last three paths share the common one
  // Its factors are ratios to the mean in units of 1/4096 or 1/160: they add up to one a rank.
  for (const RankScaleFactors* set : sets) {
    double sum = 0;
    for (std::int32_t rank = 0; rank < kRanks; ++rank)
      sum += static_cast<double>(scale_factor_of(*set, rank));
    CAPTURE(sum);
    CHECK(
        (sum / kRanks == Approx(4096).epsilon(0.01) || sum / kRanks == Approx(160).epsilon(0.01)));
  }
}

}  // namespace reprise::trace_io::testing
