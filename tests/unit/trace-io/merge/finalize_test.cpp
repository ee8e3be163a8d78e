// SPDX-License-Identifier: MIT
#include "trace-io/merge/finalize.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <random>
#include <set>

#include "tests/unit/trace-io/merge/job.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/merge/delta_classes.hpp"
#include "trace-io/merge/merge.hpp"
#include "trace-io/merge/scale_factor_fit.hpp"
#include "trace-io/model/unseen_time.hpp"
#include "trace-io/model/value_sequence.hpp"
#include "trace-io/text/text.hpp"
#include "trace-io/walk/cursor.hpp"
#include "trace-io/walk/programs.hpp"

namespace reprise::trace_io::testing {
namespace {

constexpr int kSteps = 50;

// Steps of two calls; before the first a rank computes for about 1 ms · slowness(rank), before the second for about 200 us.
template <class Slowness>
Job job_of(std::int32_t ranks, const Slowness& slowness, double scatter = 0.05) {
  Job job;
  job.ranks = ranks;
  job.procedures = {"MPI_Barrier", "MPI_Barrier"};
  std::mt19937 random(7);
  std::uniform_real_distribution<double> noise(1 - scatter, 1 + scatter);
  job.communicators.resize(static_cast<std::size_t>(ranks));
  for (std::int32_t rank = 0; rank < ranks; ++rank) {
    auto& calls = job.calls.emplace_back();
    for (int step = 0; step < kSteps; ++step)
      for (std::uint32_t place = 0; place < 2; ++place) {
        Call call;
        call.place = place;
        call.scalars = {0};
        const double mean = place == 0 ? 1e6 * slowness(rank) : 2e5;
        call.compute = Nanoseconds{static_cast<std::int64_t>(mean * noise(random))};
        calls.push_back(call);
      }
  }
  return job;
}

double recorded(const Job& job, std::int32_t rank) {
  double sum = 0;
  for (const Call& call : job.calls[static_cast<std::size_t>(rank)])
    sum += static_cast<double>(call.compute.value);
  return sum;
}

std::int64_t scale_factor_of(const RankScaleFactors& scale_factors, Rank rank) {
  ValueSequence::Cursor cursor(scale_factors.values);
  for (const Rank one : scale_factors.ranks.ranks()) {
    const std::int64_t scale_factor = cursor.next();
    if (one == rank) return scale_factor;
  }
  return 0;
}

// As a replay of mean durations has it.
double played(const Trace& trace, std::int32_t rank) {
  const Programs programs(trace);
  double sum = 0;
  for (Cursor cursor(programs, Rank{rank}, 0); cursor.advance();) {
    const DeltaClass* delta = cursor.compute();
    if (delta == nullptr) continue;
    if (delta->scale_factors == nullptr)
      sum += delta->durations.mean_ns();
    else
      sum += static_cast<double>(scale_factor_of(*delta->scale_factors, Rank{rank})) *
             static_cast<double>(delta->durations.sum().value) /
             static_cast<double>(delta->scaled_count);
  }
  return sum;
}

struct Fidelity {
  double worst = 0, total = 0;  // relative errors
};
Fidelity fidelity(const Job& job, const Trace& trace) {
  Fidelity result;
  double all = 0, all_played = 0;
  for (std::int32_t rank = 0; rank < job.ranks; ++rank) {
    const double truth = recorded(job, rank), replayed = played(trace, rank);
    result.worst = std::max(result.worst, std::abs(replayed / truth - 1));
    all += truth;
    all_played += replayed;
  }
  result.total = std::abs(all_played / all - 1);
  return result;
}

double gradient(std::int32_t rank, std::int32_t ranks) {
  return 1 + static_cast<double>(rank) / (ranks - 1);
}

}  // namespace

TEST_CASE("finalize: every rank keeps its total within 1 %, all ranks together exactly",
          "[merge]") {
  const std::int32_t ranks = GENERATE(4, 16, 64);
  const int shape = GENERATE(0, 1, 2, 3, 4);
  const auto slowness = [&](std::int32_t rank) {
    switch (shape) {
      case 0:
        return 1.0;
      case 1:
        return rank == 3 ? 1.3 : 1.0;
      case 2:
        return rank % 4 < 2 ? 1.0 : 1.5;
      case 3:
        return gradient(rank, ranks);
      default:
        return 1 + 0.5 * std::sin(rank * 2.4);  // irregular
    }
  };
  const Job job = job_of(ranks, slowness);
  const Trace trace = deserialise(serialise(merged_in_tree(job)), "merged");
  const Fidelity found = fidelity(job, trace);
  CAPTURE(ranks, shape);
  CHECK(found.worst < 0.01);
  CHECK(found.total < 1e-12);
}

TEST_CASE("finalize: a rank apart, groups and gradients cost few bytes on 64 ranks as on 16",
          "[merge]") {
  const auto bytes = [](std::int32_t ranks, const auto& slowness) {
    return static_cast<int>(serialise(merged_in_tree(job_of(ranks, slowness, 0.02))).size());
  };
  const auto even = [](std::int32_t) { return 1.0; };
  const auto one = [](std::int32_t rank) { return rank == 3 ? 1.3 : 1.0; };
  const auto two = [](std::int32_t rank) { return rank % 4 < 2 ? 1.0 : 1.5; };
  for (const std::int32_t ranks : {16, 64}) {
    const int usual = bytes(ranks, even);
    CAPTURE(ranks);
    CHECK(bytes(ranks, one) < usual + 48);
    CHECK(bytes(ranks, two) < usual + 48);
    CHECK(bytes(ranks, [&](std::int32_t rank) { return gradient(rank, ranks); }) < usual + 48);
  }
}

TEST_CASE("finalize: ranks that differ by chance only have no scale factors", "[merge]") {
  const Trace trace = merged_in_tree(job_of(
      16, [](std::int32_t) { return 1.0; }, 0.02));
  CHECK(dump(trace).find(" scale=") == std::string::npos);
}

TEST_CASE("finalize: ranks of unlike means share a shape as narrow as their own", "[merge]") {
  const Trace trace = merged_in_tree(job_of(
      64, [](std::int32_t rank) { return gradient(rank, 64); }, 0.1));
  const Programs programs(trace);
  const Distribution* shape = nullptr;
  for (Cursor cursor(programs, Rank{0}, 0);
       cursor.advance();)  // not the way that a rank takes but once
    if (const DeltaClass* delta = cursor.compute();
        delta != nullptr && delta->durations.count() > 64 && delta->durations.mean_ns() > 1e6)
      shape = &delta->durations;
  REQUIRE(shape != nullptr);
  const auto mean_of = [](const Distribution::Bin& bin) {
    return static_cast<double>(bin.sum) / static_cast<double>(bin.count);
  };
  CHECK(mean_of(shape->bins().front()) > 0.85 * shape->mean_ns());
  CHECK(mean_of(shape->bins().back()) < 1.15 * shape->mean_ns());
  CHECK(static_cast<double>(shape->max().value.value) >
        1.9e6);  // the extremes are those that were recorded
}

TEST_CASE("finalize: a trace of some of the ranks keeps their exact totals until it is finalized",
          "[merge]") {
  const Job job = job_of(4, [](std::int32_t rank) { return 1.0 + rank; });
  Trace half = merge(trace_of_rank(job, 0), trace_of_rank(job, 3));
  CHECK(dump(half).find(" totals=[") != std::string::npos);
  CHECK(assemble(dump(half), "half").header.recorded.text() == "0,3");
  finalize(half);
  CHECK(dump(half).find(" totals=[") == std::string::npos);
  CHECK(played(half, 3) == Approx(recorded(job, 3)).epsilon(0.01));
}

TEST_CASE("scale factors: groups are as few values as they are, gradients one run", "[merge]") {
  std::vector<double> groups, gradient_of, tolerances(64, 0.005);
  for (int rank = 0; rank < 64; ++rank) {
    groups.push_back(rank % 2 == 0 ? 1.0 : 1.5);
    gradient_of.push_back(1 + rank / 63.0);
  }
  const auto two = fold_scale_factors(groups, tolerances);
  REQUIRE(two.each.size() == 64);
  for (std::size_t rank = 0; rank < 64; ++rank) CHECK(two.each[rank] == two.each[rank % 2]);
  CHECK(two.each[0] == 4096);  // in the middle of what the tolerance allows, in units of 1/4096
  CHECK(two.each[1] == 6144);
  CHECK(fold_scale_factors(gradient_of, tolerances).values.term_count() == 1);
}

TEST_CASE("scale factors: a gradient goes through the middle of what the tolerances allow",
          "[merge]") {
  std::vector<double> ratios;
  for (int rank = 0; rank < 64; ++rank) ratios.push_back(1 + rank / 63.0);
  const std::vector<double> tolerances(64, 0.1);
  const auto factors = fold_scale_factors(ratios, tolerances);
  REQUIRE(factors.values.term_count() == 1);
  CHECK(factors.each.front() == 4096);
  CHECK(factors.each.back() == 4096 + 63 * 65);  // 65.02 a rank
}

// A rank that does nothing has no say in how fine the units are: 1/4096 as long as no other is below 100 / 4096.
TEST_CASE("scale factors: units are fine enough for the least factor that is not 0", "[merge]") {
  const std::vector<double> tolerances(4, 0.001);
  using Factors = std::vector<std::int64_t>;
  CHECK(fold_scale_factors(std::vector<double>{0, 1, 1, 2}, tolerances).each ==
        Factors{0, 4096, 4096, 8192});
  CHECK(fold_scale_factors(std::vector<double>{0.01, 1, 1, 2}, tolerances).each ==
        Factors{100, 10000, 10000, 20000});
}

// System: two halves whose ranks scatter by 0.3 % around 1 and 1.5.
TEST_CASE("scale factors: groups that scatter within the tolerance are two levels in fine units",
          "[merge]") {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> noise(0.997, 1.003);
  std::vector<double> ratios, tolerances(64, 0.005);
  for (int rank = 0; rank < 64; ++rank) ratios.push_back((rank < 32 ? 1.0 : 1.5) * noise(random));
  const auto factors = fold_scale_factors(ratios, tolerances);
  REQUIRE(factors.each.size() == ratios.size());
  for (std::size_t rank = 0; rank < ratios.size(); ++rank)
    CHECK(static_cast<double>(factors.each[rank]) / 4096 == Approx(ratios[rank]).epsilon(0.006));
  CHECK(std::set<std::int64_t>(factors.each.begin(), factors.each.end()).size() == 2);
}

TEST_CASE("scale factors: every ratio is met within its tolerance, and 0 stays 0", "[merge]") {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> ratio_of(0.4, 2), tolerance_of(0.005, 0.1);
  for (int round = 0; round < 50; ++round) {
    std::vector<double> ratios{1, 0}, tolerances{0.005, 1};
    for (int rank = 2; rank < 40; ++rank) {
      ratios.push_back(ratio_of(random));
      tolerances.push_back(tolerance_of(random));
    }
    const auto factors = fold_scale_factors(ratios, tolerances);
    REQUIRE(factors.each.size() == ratios.size());
    REQUIRE(factors.values.unrolled() == factors.each);
    CHECK(factors.each[1] == 0);
    const double unit = static_cast<double>(factors.each[0]);
    for (std::size_t i = 2; i < ratios.size(); ++i)  // half a unit of 160 is what rounding adds
      CHECK(std::abs(static_cast<double>(factors.each[i]) / unit / ratios[i] - 1) <
            tolerances[i] + 0.005 + 0.012);
  }
}

TEST_CASE("relative mean: what one execution takes a rank, against all of its class", "[merge]") {
  RankScaleFactors factors{RankList::all(3), {}};
  for (const std::int64_t factor : {100, 300, 500}) factors.values.append(factor);
  DeltaClass delta{RankList::all(2), Distribution(4)};
  for (int i = 0; i < 8; ++i) delta.durations.add(Nanoseconds{1000}, Rank{0});
  CHECK(relative_mean(delta, Rank{1}) == 1);
  delta.scale_factors = std::make_shared<const RankScaleFactors>(factors);
  delta.scaled_count = 4 * 100 + 4 * 300;
  CHECK(relative_mean(delta, Rank{0}) == 0.5);
  CHECK(relative_mean(delta, Rank{1}) == 1.5);
}

// System: first touches on all ranks, each rank's by itself below 10 ms.
TEST_CASE("finalize: first touches are a loss above 2 % of all ranks' time", "[finalize]") {
  const auto is_kept = [](const std::string& elapsed, const std::string& touched,
                          const std::string& clock = "wall") {
    Trace trace = assemble("reprise-text 1\nranks 16\nclock " + clock + "\nelapsed " + elapsed +
                               "\nloss \"" + kFirstTouches + "\" notice count 16 time " + touched +
                               "\nthread 0 {\nMPI_Barrier | compute 50ms\n}\n",
                           "test");
    finalize(trace);
    return !trace.losses.empty();
  };
  CHECK(is_kept("50ms", "131ms"));
  CHECK(is_kept("50ms", "16ms"));
  CHECK_FALSE(is_kept("50ms", "15ms"));
  CHECK_FALSE(is_kept("1ms", "9ms"));
  CHECK_FALSE(is_kept("900ms", "131ms"));
  CHECK(is_kept("900ms", "131ms", "cpu"));
  CHECK_FALSE(is_kept("900ms", "15ms", "cpu"));
}

}  // namespace reprise::trace_io::testing
