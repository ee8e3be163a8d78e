// SPDX-License-Identifier: MIT
// The quality of the bins: against a plain form of the rule, and against the samples that they stand for.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <functional>
#include <random>

#include "trace-io/model/distribution.hpp"

namespace reprise::trace_io {
namespace {

using Bin = Distribution::Bin;

double cost(const Bin& a, const Bin& b) {
  const double n1 = static_cast<double>(a.count), n2 = static_cast<double>(b.count);
  const double distance = static_cast<double>(a.sum) / n1 - static_cast<double>(b.sum) / n2;
  return n1 * n2 / (n1 + n2) * distance * distance;
}

// The rule as the header states it, every cost computed for every value.
void add_plainly(std::vector<Bin>& bins, std::int64_t value, std::size_t limit) {
  const auto mean = [](const Bin& bin) { return static_cast<double>(bin.sum) / static_cast<double>(bin.count); };
  const auto place =
      std::find_if(bins.begin(), bins.end(), [&](const Bin& bin) { return mean(bin) >= static_cast<double>(value); });
  if (place != bins.end() && mean(*place) == static_cast<double>(value)) {
    ++place->count;
    place->sum += value;
    return;
  }
  bins.insert(place, Bin{1, value});
  if (bins.size() <= limit) return;
  std::size_t best = 1;
  for (std::size_t i = 2; i < bins.size(); ++i)
    if (cost(bins[i - 1], bins[i]) < cost(bins[best - 1], bins[best])) best = i;
  bins[best - 1].count += bins[best].count;
  bins[best - 1].sum += bins[best].sum;
  bins.erase(bins.begin() + static_cast<std::ptrdiff_t>(best));
}

// Mean distance between the sorted samples and the means of their bins, over the mean of the samples.
double error_of(const std::function<double(std::mt19937_64&)>& sample, std::uint32_t bins) {
  double total = 0;
  constexpr int kSeeds = 5, kSamples = 5000;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    std::mt19937_64 random(seed);
    Distribution distribution(bins);
    std::vector<double> samples;
    for (int i = 0; i < kSamples; ++i) {
      const auto value = static_cast<std::int64_t>(std::max(0.0, sample(random)));
      samples.push_back(static_cast<double>(value));
      distribution.add(Nanoseconds{value}, Rank{0});
    }
    std::sort(samples.begin(), samples.end());
    double distance = 0;
    auto next = samples.begin();
    for (const Bin& bin : distribution.bins())
      for (std::uint64_t i = 0; i < bin.count; ++i)
        distance += std::abs(*next++ - static_cast<double>(bin.sum) / static_cast<double>(bin.count));
    total += distance / static_cast<double>(distribution.sum().value);
  }
  return total / kSeeds;
}

// Box and Muller, because the library's distributions differ between implementations.
double uniform(std::mt19937_64& random) { return (static_cast<double>(random() >> 11U) + 0.5) * 0x1p-53; }
double normal(std::mt19937_64& random) {
  const double radius = std::sqrt(-2 * std::log(uniform(random)));
  return radius * std::cos(2 * std::acos(-1.0) * uniform(random));
}

}  // namespace

TEST_CASE("distribution bins: remembering the cheapest pair changes nothing", "[model]") {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    std::mt19937_64 random(seed);
    const auto limit = static_cast<std::uint32_t>(1 + seed % 12);
    Distribution distribution(limit);
    std::vector<Bin> plain;
    for (int i = 0; i < 400; ++i) {
      const auto value = static_cast<std::int64_t>(random() % (seed % 2 == 0 ? 50U : 1000000U));
      distribution.add(Nanoseconds{value}, Rank{0});
      add_plainly(plain, value, limit);
      REQUIRE(std::equal(distribution.bins().begin(), distribution.bins().end(), plain.begin(), plain.end()));
    }
  }
}

TEST_CASE("distribution bins: few bins stand well for durations as programs have them", "[model]") {
  // Bounds: what the same rule reached in trials with these shapes (k = 5 and 10), a fifth more for other samples.
  const auto normal_shape = [](std::mt19937_64& random) { return 1e5 * (1 + 0.1 * normal(random)); };
  CHECK(error_of(normal_shape, 5) < 1.2 * 0.023);
  CHECK(error_of(normal_shape, 10) < 1.2 * 0.012);
  const auto bimodal = [](std::mt19937_64& random) {
    return (uniform(random) < 1.0 / 21 ? 2e6 : 1e5) * (1 + 0.02 * normal(random));
  };
  CHECK(error_of(bimodal, 5) < 1.2 * 0.012);
  CHECK(error_of(bimodal, 10) < 1.2 * 0.007);
  const auto lognormal = [](std::mt19937_64& random) { return 2e4 * std::exp(normal(random)); };
  CHECK(error_of(lognormal, 5) < 1.2 * 0.27);
  CHECK(error_of(lognormal, 10) < 1.2 * 0.13);
  const auto pareto = [](std::mt19937_64& random) { return 1e4 / std::pow(uniform(random), 1 / 1.5); };
  CHECK(error_of(pareto, 5) < 1.2 * 0.35);
  CHECK(error_of(pareto, 10) < 1.2 * 0.18);
}

TEST_CASE("distribution bins: a huge first value does not spoil the bins", "[model]") {
  Distribution distribution(5);
  distribution.add(Nanoseconds{1'000'000'000'000}, Rank{0});
  for (int i = 0; i < 1000; ++i) distribution.add(Nanoseconds{100 + 100 * (i % 4)}, Rank{0});
  const std::vector<Bin> expected = {{250, 25000}, {250, 50000}, {250, 75000}, {250, 100000}, {1, 1'000'000'000'000}};
  CHECK(std::equal(distribution.bins().begin(), distribution.bins().end(), expected.begin(), expected.end()));
}

}  // namespace reprise::trace_io
