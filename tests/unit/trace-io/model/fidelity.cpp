// SPDX-License-Identifier: MIT
#include "tests/unit/trace-io/model/fidelity.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace reprise::trace_io::testing {
namespace {

// Box and Muller, because the library's distributions differ between implementations.
double uniform(std::mt19937_64& random) {
  return (static_cast<double>(random() >> 11U) + 0.5) * 0x1p-53;
}
double normal(std::mt19937_64& random) {
  const double radius = std::sqrt(-2 * std::log(uniform(random)));
  return radius * std::cos(2 * std::acos(-1.0) * uniform(random));
}

constexpr std::array<Shape, 4> kShapes = {
    Shape{"normal", [](std::mt19937_64& random) { return 1e5 * (1 + 0.1 * normal(random)); }},
    Shape{"bimodal 1:20",
          [](std::mt19937_64& random) {
            return (uniform(random) < 1.0 / 21 ? 2e6 : 1e5) * (1 + 0.02 * normal(random));
          }},
    Shape{"log-normal", [](std::mt19937_64& random) { return 2e4 * std::exp(normal(random)); }},
    Shape{"Pareto",
          [](std::mt19937_64& random) { return 1e4 / std::pow(uniform(random), 1 / 1.5); }}};

}  // namespace

std::span<const Shape> shapes() { return kShapes; }

std::vector<std::int64_t> durations_of(const Shape& shape, std::uint64_t seed, std::size_t count) {
  std::mt19937_64 random(seed);
  std::vector<std::int64_t> durations(count);
  for (std::int64_t& duration : durations)
    duration = static_cast<std::int64_t>(std::max(0.0, shape.draw(random)));
  return durations;
}

Distribution distribution_of(std::span<const std::int64_t> durations, std::uint32_t bins,
                             BinRule rule, std::int32_t rank) {
  Distribution distribution(bins, rule);
  for (const std::int64_t duration : durations) distribution.add(Nanoseconds{duration}, Rank{rank});
  return distribution;
}

Distribution stored(const Distribution& made) {
  const std::vector<Distribution::Bin> bins(made.bins().begin(), made.bins().end());
  Distribution again = Distribution::from_parts(made.bin_limit(), made.count(), made.sum().value,
                                                made.squares(), made.min(), made.max(), bins);
  again.follow(made.rule());
  return again;
}

double distance(const Distribution& distribution, std::vector<std::int64_t> durations) {
  std::sort(durations.begin(), durations.end());
  double moved = 0;
  auto next = durations.begin();
  for (const auto& bin : distribution.bins())
    for (std::uint64_t i = 0; i < bin.count; ++i)
      moved += std::abs(static_cast<double>(*next++) -
                        static_cast<double>(bin.sum) / static_cast<double>(bin.count));
  return moved / static_cast<double>(distribution.sum().value);
}

Distribution merged_over_ranks(const Shape& shape, std::uint32_t bins, BinRule rule, int levels,
                               std::size_t each, std::uint64_t seed,
                               std::vector<std::int64_t>& all) {
  if (levels == 0) {
    const auto durations = durations_of(shape, seed, each);
    const auto rank = static_cast<std::int32_t>(all.size() / each);
    all.insert(all.end(), durations.begin(), durations.end());
    return distribution_of(durations, bins, rule, rank);
  }
  Distribution lower = merged_over_ranks(shape, bins, rule, levels - 1, each, 2 * seed, all);
  lower.merge(stored(merged_over_ranks(shape, bins, rule, levels - 1, each, 2 * seed + 1, all)));
  return lower;
}

}  // namespace reprise::trace_io::testing
