// SPDX-License-Identifier: MIT
// Ranks whose times on one path differ by factors up to a million share one distribution: what each of them plays of it.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

#include "tests/unit/trace-io/order/ordered_job.hpp"
#include "trace-io/order/played_order.hpp"

using namespace reprise;
using namespace reprise::trace_io;
using namespace reprise::trace_io::testing;

namespace {

using Times = std::vector<std::vector<double>>;  // by rank, then execution of the loop's path; ns

Times recorded(const OrderedJob& job) {
  Times times(static_cast<std::size_t>(job.ranks));
  for (int rank = 0; rank < job.ranks; ++rank)
    for (int step = 1; step < job.steps; ++step)
      times[static_cast<std::size_t>(rank)].push_back(
          static_cast<double>(job.duration(rank, step)));
  return times;
}

Times played(const OrderedJob& job, std::uint64_t seed) {
  const Trace trace = merged(job);
  const DeltaClass& delta = looped(trace);
  const PlayedOrder order(delta, seed);
  Times times(static_cast<std::size_t>(job.ranks));
  for (int rank = 0; rank < job.ranks; ++rank) {
    const double mean = relative_mean(delta, Rank{rank}) * delta.durations.mean_ns();
    const auto its = order.open(Rank{rank}, mean);
    for (std::uint64_t k = 0; k + 1 < static_cast<std::uint64_t>(job.steps); ++k)
      times[static_cast<std::size_t>(rank)].push_back(order.value(its, k) * mean);
  }
  return times;
}

double sum_of(const std::vector<double>& times) {
  double sum = 0;
  for (const double time : times) sum += time;
  return sum;
}

double sum_of(const Times& times) {
  double sum = 0;
  for (const auto& row : times) sum += sum_of(row);
  return sum;
}

double longest(const Times& times) {
  double most = 0;
  for (const auto& row : times) most = std::max(most, *std::ranges::max_element(row));
  return most;
}

// Ranks of means that are `apart` at most, each with noise of its own; now and then one takes many times its mean.
OrderedJob random_job(unsigned seed, double apart, std::uint64_t budget) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> share(0, 1);
  const int ranks = 2 + static_cast<int>(random() % 7),
            steps = 40 + static_cast<int>(random() % 60);
  std::vector<std::vector<std::int64_t>> times;
  for (int rank = 0; rank < ranks; ++rank) {
    const double mean = rank == 0 ? 2e7 : 2e7 / std::pow(apart, share(random));
    const double noise = 0.5 * share(random), outliers = mean < 1e5 ? 30 : 1 + share(random);
    auto& row = times.emplace_back();
    for (int step = 0; step < steps; ++step) {
      const double factor = 1 + noise * (2 * share(random) - 1);
      row.push_back(
          std::llround(mean * factor * (step == steps / 2 || random() % 40 == 0 ? outliers : 1)));
    }
  }
  return {.ranks = ranks, .steps = steps, .budget = budget, .duration = [times](int r, int s) {
            return times[static_cast<std::size_t>(r)][static_cast<std::size_t>(s)];
          }};
}

}  // namespace

TEST_CASE("unlike ranks: no time is longer than the longest recorded, and every sum stays",
          "[trace-io]") {
  const double apart = GENERATE(1.0, 3.0, 30.0, 1e3, 1e6);
  const std::uint64_t budget = GENERATE(0U, 8192U);
  for (unsigned seed = 1; seed <= 25; ++seed) {
    const OrderedJob job = random_job(seed, apart, budget);
    const Times truth = recorded(job);
    const double of_all = sum_of(truth);
    const Times times = played(job, seed);
    INFO("means apart " << apart << ", budget " << budget << ", seed " << seed);
    CHECK(sum_of(times) == Approx(of_all).epsilon(1e-6));
    CHECK(longest(times) <= 1.011 * longest(truth));
    for (std::size_t rank = 0; rank < times.size(); ++rank) {
      const double weight =
          std::max(sum_of(truth[rank]), 0.05 * of_all / static_cast<double>(truth.size()));
      INFO("rank " << rank);
      CHECK(std::abs(sum_of(times[rank]) - sum_of(truth[rank])) <= 0.02 * weight);
    }
  }
}

TEST_CASE("unlike ranks: what an idle rank scatters by is not played on the busy one",
          "[trace-io]") {
  const int others = GENERATE(1, 3, 7);
  const std::uint64_t budget = GENERATE(0U, 8192U);
  // The others take 3 us, 50 us once; rank 0 takes 20 ms, and a fifth longer in every tenth step.
  const OrderedJob job{
      .ranks = 1 + others, .steps = 61, .budget = budget, .duration = [](int rank, int step) {
        if (rank > 0) return std::int64_t{step == 3 + rank ? 50'000 : 2'500 + step % 7 * 200};
        return std::int64_t{step % 10 == 0 ? 24'000'000 : 20'000'000 + step * 1000};
      }};
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const Times times = played(job, seed);
    CHECK(sum_of(times[0]) == Approx(sum_of(recorded(job)[0])).epsilon(0.005));
    std::vector<double> steps = times[0];
    std::ranges::sort(steps);
    CHECK(steps.front() >= 0.98 * 20e6);
    CHECK(steps.back() <= 1.011 * 24e6);
    CHECK(steps[steps.size() - 6] == Approx(24e6).epsilon(0.02));
    CHECK(steps[steps.size() - 9] <= 1.02 * 20.06e6);
  }
}
