// SPDX-License-Identifier: MIT
// How well bins stand for durations: shapes of durations, and the distance of bins from them. For tests and the benchmark.
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "trace-io/model/distribution.hpp"

namespace reprise::trace_io::testing {

struct Shape {
  const char* name;
  double (*draw)(std::mt19937_64&);  // ns
};

// Normal (a tenth of the mean wide), bimodal (1 : 20, the higher one 1 in 21), log-normal (σ = 1), Pareto (exponent 1.5).
std::span<const Shape> shapes();

std::vector<std::int64_t> durations_of(const Shape&, std::uint64_t seed, std::size_t count);

Distribution distribution_of(std::span<const std::int64_t> durations, std::uint32_t bins, BinRule,
                             std::int32_t rank = 0);

// As a file gives it back: without what a recording keeps beside the bins.
Distribution stored(const Distribution&);

// Wasserstein distance of order 1 between the bins, each at its mean, and the durations; over the mean of the durations.
double distance(const Distribution&, std::vector<std::int64_t> durations);

// Of 2^levels ranks with `each` durations of the shape; the upper halves come as a file would give them. `all` gets their durations.
Distribution merged_over_ranks(const Shape&, std::uint32_t bins, BinRule, int levels,
                               std::size_t each, std::uint64_t seed,
                               std::vector<std::int64_t>& all);

}  // namespace reprise::trace_io::testing
