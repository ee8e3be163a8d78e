// SPDX-License-Identifier: MIT
// What is known of the mean of a series, and how well.
#include "sim/engine/steady/batch_means.hpp"

#include <catch2/catch.hpp>
#include <map>

namespace reprise::test {

// Batches that count are 25 to 48, so there are 24 to 47 degrees of freedom. The values are those of Student's t at 0.995 in tables.
TEST_CASE("batch means: the interval is Student's of 99 %", "[physics]") {
  sim::BatchMeans series;
  std::map<std::uint64_t, sim::BatchMeans::Estimate> estimates;  // by number of values
  double total = 0;
  for (int i = 0; i < 300; ++i) {
    total += i % 7 < 3 ? 1 : 2;
    series.add(total, total);
    if (!series.has_news()) continue;
    if (const auto estimate = series.estimate()) estimates.emplace(estimate->values, *estimate);
  }
  const std::uint64_t in_batch = 4;
  REQUIRE(estimates.contains(25 * in_batch));
  REQUIRE(estimates.contains(48 * in_batch));
  CHECK(estimates.at(25 * in_batch).quantile == Approx(2.7969395).epsilon(0).margin(1e-7));
  CHECK(estimates.at(48 * in_batch).quantile == Approx(2.6845556).epsilon(0).margin(1e-7));
}

}  // namespace reprise::test
