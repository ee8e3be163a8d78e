// SPDX-License-Identifier: MIT
// The ratios that paths are scaled by in common, against the closed form for two ranks and against the plain rule for many.
#include "trace-io/merge/common_ratios.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

namespace reprise::trace_io::testing {
namespace {

using TimePath = TimeTable::TimePath;

// Paths, and what they refer to.
struct SeveralPaths {
  std::vector<DeltaClass> deltas;
  std::vector<std::vector<std::uint32_t>> rows;
  std::vector<TimePath> paths;

  void add(std::vector<std::uint32_t> its_rows, const std::vector<std::uint64_t>& executions,
           double sum) {
    const auto same = std::find(rows.begin(), rows.end(), its_rows);
    const std::size_t place = static_cast<std::size_t>(same - rows.begin());
    if (same == rows.end()) rows.push_back(std::move(its_rows));
    DeltaClass& delta = deltas.emplace_back();
    for (const std::uint64_t count : executions) delta.totals.push_back({count, 0});
    const std::uint64_t all = std::accumulate(executions.begin(), executions.end(), 0UL);
    paths.push_back({nullptr, nullptr, static_cast<double>(all), sum, -1});
    of_rows_.push_back(place);
  }
  std::vector<TimePath*> all() {  // REQUIRES: nothing is added any more
    std::vector<TimePath*> all;
    for (std::size_t p = 0; p < paths.size(); ++p) {
      paths[p].delta = &deltas[p];
      paths[p].rows = &rows[of_rows_[p]];
      all.push_back(&paths[p]);
    }
    return all;
  }

 private:
  std::vector<std::size_t> of_rows_;
};

// Path after path and rank after rank, with nothing remembered.
CommonRatios by_the_rule(const std::vector<TimePath*>& paths, const std::vector<double>& goal) {
  CommonRatios result{std::vector<double>(goal.size(), 1), std::vector<double>(goal.size())};
  auto& [ratios, got] = result;
  for (int round = 0; round < kRatioRounds; ++round) {
    std::fill(got.begin(), got.end(), 0);
    for (const TimePath* path : paths) {
      const auto& rows = *path->rows;
      const auto count = [&](std::size_t i) {
        return static_cast<double>(path->delta->totals[i].count);
      };
      double scaled = 0;
      for (std::size_t i = 0; i < rows.size(); ++i) scaled += count(i) * ratios[rows[i]];
      for (std::size_t i = 0; i < rows.size(); ++i)
        got[rows[i]] += count(i) * ratios[rows[i]] * path->sum / scaled;
    }
    for (std::size_t row = 0; row < goal.size(); ++row)
      if (got[row] > 0)
        ratios[row] = std::clamp(ratios[row] * goal[row] / got[row], 1 / kMostApart, kMostApart);
  }
  return result;
}

// The same to the last bit: what a trace holds must not depend on what was remembered.
void check_by_the_rule(SeveralPaths& several, const std::vector<double>& goal) {
  const std::vector<TimePath*> paths = several.all();
  const CommonRatios found = common_ratios(paths, goal), wanted = by_the_rule(paths, goal);
  CHECK(found.ratios == wanted.ratios);
  CHECK(found.got == wanted.got);
}

std::uint32_t below(std::uint32_t limit, std::mt19937& choice) {
  return static_cast<std::uint32_t>(choice() % limit);
}

std::vector<std::uint32_t> rows_until(std::uint32_t end, std::uint32_t step = 1) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t row = 0; row < end; row += step) rows.push_back(row);
  return rows;
}

// System: two ranks execute three paths ten times each, 600 ns in all, and shall have 150 and 450: one takes three times as long as the other.
TEST_CASE("common ratios: ranks that share all paths have the ratio of their times", "[merge]") {
  SeveralPaths several;
  for (const double sum : {100.0, 200.0, 300.0}) several.add({0, 1}, {10, 10}, sum);
  const CommonRatios found = common_ratios(several.all(), std::vector<double>{150, 450});
  CHECK(found.ratios[1] / found.ratios[0] == Approx(3));
  CHECK(found.got[0] == Approx(150));
  CHECK(found.got[1] == Approx(450));
}

TEST_CASE("common ratios: no rank is scaled beyond the limit", "[merge]") {
  SeveralPaths several;
  several.add({0, 1}, {1, 1}, 1000);
  const CommonRatios found = common_ratios(several.all(), std::vector<double>{0, 1000});
  CHECK(found.ratios[0] == 1 / kMostApart);
}

TEST_CASE("common ratios: what paths share is remembered, and changes nothing", "[merge]") {
  std::mt19937 choice(7);
  SeveralPaths several;
  constexpr std::uint32_t kRows = 24;
  for (int path = 0; path < 200; ++path) {
    const std::vector<std::uint32_t> rows = rows_until(kRows, 1 + below(3, choice));
    std::vector<std::uint64_t> executions(rows.size(), 6);
    if (below(4, choice) == 0)  // on few ranks once more
      for (std::uint64_t& count : executions) count += below(8, choice) == 0 ? 1 : 0;
    several.add(rows, executions, 1000 + below(100'000, choice));
  }
  std::vector<double> goal;
  for (std::uint32_t row = 0; row < kRows; ++row)
    goal.push_back(100'000 + below(1'000'000, choice));
  check_by_the_rule(several, goal);
}

TEST_CASE("common ratios: nor does it matter that too much would have to be remembered",
          "[merge]") {
  std::mt19937 choice(11);
  SeveralPaths several;
  constexpr std::uint32_t kRows = 4096;
  constexpr std::size_t kPaths = kMostExecutionBytes / sizeof(double) / kRows + 5;
  for (std::size_t path = 0; path < kPaths; ++path) {
    std::vector<std::uint64_t> executions;
    for (std::uint32_t row = 0; row < kRows; ++row) executions.push_back(1 + below(9, choice));
    several.add(rows_until(kRows), executions, 1e6);
  }
  std::vector<double> goal;
  for (std::uint32_t row = 0; row < kRows; ++row) goal.push_back(1 + below(100'000, choice));
  check_by_the_rule(several, goal);
}

}  // namespace
}  // namespace reprise::trace_io::testing
