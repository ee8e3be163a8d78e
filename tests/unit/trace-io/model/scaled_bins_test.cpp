// SPDX-License-Identifier: MIT
// Distributions of unlike means as one shape: each side in the share of its time.
#include <catch2/catch.hpp>
#include <cstdint>
#include <vector>

#include "trace-io/model/distribution.hpp"

namespace reprise::trace_io {
namespace {

using Bin = Distribution::Bin;

Distribution of(const std::vector<std::int64_t>& values, BinRule rule, std::int32_t rank) {
  Distribution result(5, rule);
  for (const std::int64_t value : values) result.add(Nanoseconds{value}, Rank{rank});
  return result;
}

Distribution merged(Distribution a, const Distribution& b) {
  a.merge_scaled(b);
  CHECK(a.consistent(true));
  return a;
}

double mean_of(const Bin& bin) {
  return static_cast<double>(bin.sum) / static_cast<double>(bin.count);
}

const std::vector<std::int64_t> kBusy = {20'000'000, 20'000'000, 20'000'000, 24'000'000},
                                kIdle = {2'000, 2'000, 2'000, 12'000}, kNothing = {0, 0, 0, 0};

}  // namespace

TEST_CASE("scaled bins: an idle side counts for its sums and not for the shape", "[model]") {
  const BinRule rule = GENERATE(BinRule::ward, BinRule::balanced, BinRule::balanced_exact);
  for (const auto* idle : {&kIdle, &kNothing})
    for (const bool is_idle_first : {true, false}) {
      const Distribution a = of(kBusy, rule, 0), b = of(*idle, rule, 1),
                         all = is_idle_first ? merged(b, a) : merged(a, b);
      CHECK(all.count() == 8);
      CHECK(all.sum().value == a.sum().value + b.sum().value);
      CHECK(all.max().value == a.max().value);
      CHECK(all.min().value == b.min().value);
      CHECK(all.rule() == rule);
      const double mean = all.mean_ns();
      REQUIRE(!all.bins().empty());
      for (const Bin& bin : all.bins()) {
        CHECK(mean_of(bin) >= 0.93 * mean);  // 20 of 21
        CHECK(mean_of(bin) <= 1.16 * mean);  // 24 of 21
      }
    }
}

TEST_CASE("scaled bins: sides that take 1 and 3 times as long count as 1 and 3", "[model]") {
  // Of the side that takes longer all are alike; of the other one half of the times take three times as long as the other half.
  const Distribution all = merged(of({100, 100, 300, 300}, BinRule::ward, 0),
                                  of({600, 600, 600, 600}, BinRule::ward, 1));
  const std::vector<Bin> expected = {{1, 200}, {6, 2400}, {1, 600}};
  CHECK(std::vector<Bin>(all.bins().begin(), all.bins().end()) == expected);
}

TEST_CASE("scaled bins: what has no share left is no bin, and sums stay exact", "[model]") {
  // The side's only time that is not 0 would be a quarter of an execution.
  const Distribution all =
      merged(of({0, 0, 0, 4}, BinRule::ward, 0), of({3, 3, 3, 3}, BinRule::ward, 1));
  CHECK(all.count() == 8);
  CHECK(all.sum().value == 16);
  std::uint64_t count = 0;
  std::int64_t sum = 0;
  for (const Bin& bin : all.bins()) {
    count += bin.count;
    sum += bin.sum;
  }
  CHECK(count == 8);
  CHECK(sum == 16);
  // Two of nothing stay nothing.
  CHECK(merged(of(kNothing, BinRule::ward, 0), of(kNothing, BinRule::ward, 1)).sum().value == 0);
}

}  // namespace reprise::trace_io
