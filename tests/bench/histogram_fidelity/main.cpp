// SPDX-License-Identifier: MIT
// Prints how well bins stand for durations, as Markdown tables: 5000 durations of one rank, and 64 ranks with 500 each merged as in
// MPI_Finalize and rounded as in a finished trace. Distances as in fidelity.hpp, in percent of the mean; means of 5 seeds.
//
// usage: histogram_fidelity
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "tests/unit/trace-io/model/fidelity.hpp"
#include "trace-io/model/distribution_rounding.hpp"

using namespace reprise::trace_io;
using namespace reprise::trace_io::testing;

namespace {

constexpr BinRule kRules[] = {BinRule::ward, BinRule::balanced, BinRule::balanced_exact};
constexpr int kSeeds = 5, kLevels = 6;

double alone(const Shape& shape, std::uint32_t bins, BinRule rule) {
  double sum = 0;
  for (int seed = 0; seed < kSeeds; ++seed) {
    const auto durations = durations_of(shape, static_cast<std::uint64_t>(seed), 5000);
    sum += distance(distribution_of(durations, bins, rule), durations);
  }
  return 100 * sum / kSeeds;
}

struct Merged {
  double exact = 0, finished = 0, sum_error = 0;
};

Merged merged(const Shape& shape, std::uint32_t bins, BinRule rule) {
  Merged result;
  for (int seed = 0; seed < kSeeds; ++seed) {
    std::vector<std::int64_t> all;
    const auto start = static_cast<std::uint64_t>(seed + 1) << 20U;
    const Distribution distribution =
        merged_over_ranks(shape, bins, rule, kLevels, 500, start, all);
    const Distribution finished = rounded(distribution, false).value_or(distribution);
    result.exact += 100 * distance(distribution, all) / kSeeds;
    result.finished += 100 * distance(finished, all) / kSeeds;
    std::int64_t sum = 0, of_bins = 0;
    for (const std::int64_t duration : all) sum += duration;
    for (const auto& bin : finished.bins()) of_bins += bin.sum;
    result.sum_error = std::max(result.sum_error, std::abs(static_cast<double>(of_bins - sum)));
  }
  return result;
}

}  // namespace

int main() {
  for (const std::uint32_t bins : {5U, 10U}) {
    std::printf("| one rank, %u bins | ward | balanced | balanced_exact |\n|---|---|---|---|\n",
                bins);
    for (const Shape& shape : shapes()) {
      std::printf("| %s |", shape.name);
      for (const BinRule rule : kRules) std::printf(" %.2f |", alone(shape, bins, rule));
      std::printf("\n");
    }
    std::printf(
        "\n| 64 ranks merged, %u bins; and finished | ward | balanced | balanced_exact | error of "
        "sums, ns |\n|---|---|---|---|---|\n",
        bins);
    for (const Shape& shape : shapes()) {
      std::printf("| %s |", shape.name);
      double sum_error = 0;
      for (const BinRule rule : kRules) {
        const Merged result = merged(shape, bins, rule);
        std::printf(" %.2f; %.2f |", result.exact, result.finished);
        sum_error = std::max(sum_error, result.sum_error);
      }
      std::printf(" %.0f |\n", sum_error);
    }
    std::printf("\n");
  }
  return 0;
}
