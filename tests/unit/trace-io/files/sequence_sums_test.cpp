// SPDX-License-Identifier: MIT
#include "trace-io/check/sequence_sums.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

using namespace reprise::trace_io;

TEST_CASE("sequence_sums: prefixes of random sequences agree with adding up their values",
          "[trace-io]") {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    // Periodic, affine and irregular stretches, so that runs and nested loops occur.
    ValueSequence sequence;
    std::vector<std::int64_t> values;
    while (values.size() < 60) {
      const int period = 1 + static_cast<int>(random() % 4), times = static_cast<int>(random() % 6);
      const std::int64_t base = static_cast<std::int64_t>(random() % 7) - 3,
                         stride = static_cast<std::int64_t>(random() % 5) - 2;
      for (int t = 0; t < times; ++t)
        for (int p = 0; p < period; ++p) values.push_back(base + p * stride);
    }
    for (const auto value : values) sequence.append(value);
    const SequenceSums sums(sequence);
    REQUIRE(sums.size() == values.size());
    REQUIRE(sums.least() == *std::min_element(values.begin(), values.end()));
    REQUIRE(sums.greatest() == *std::max_element(values.begin(), values.end()));
    std::int64_t total = 0;
    for (std::size_t n = 0; n <= values.size(); ++n) {
      REQUIRE(static_cast<std::int64_t>(sums.sum(n)) == total);
      for (std::int64_t threshold = -5; threshold < 8; ++threshold)
        REQUIRE(sums.count_above(n, threshold) ==
                static_cast<std::uint64_t>(
                    std::count_if(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(n),
                                  [&](std::int64_t v) { return v > threshold; })));
      if (n < values.size()) total += values[n];
    }
  }
}

TEST_CASE("sequence_sums: the largest sequences do not overflow", "[trace-io]") {
  ValueSequence sequence;
  sequence.append_run(INT64_MAX, 0, std::uint64_t{1} << 62);
  const SequenceSums sums(sequence);
  REQUIRE(sums.sum(sums.size()) ==
          static_cast<WideSigned>(INT64_MAX) * (static_cast<WideSigned>(1) << 62));
  ValueSequence ramp;
  ramp.append_run(INT64_MIN, 1, INT64_MAX);
  const SequenceSums ramp_sums(ramp);
  REQUIRE(ramp_sums.count_above(ramp_sums.size(), -3) == 1);  // the last value is −2
}
