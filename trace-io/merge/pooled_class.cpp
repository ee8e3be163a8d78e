// SPDX-License-Identifier: MIT
#include "trace-io/merge/pooled_class.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "trace-io/merge/delta_classes.hpp"

namespace reprise::trace_io {
namespace {

constexpr double kFewExecutions =
    4;  // per rank: with fewer, a rank's own mean says little about the shape

bool differ_systematically(const DeltaClass& a, const DeltaClass& b) {
  const auto count_of = [](const DeltaClass& one) {
    return static_cast<double>(one.durations.count());
  };
  for (const DeltaClass* one : {&a, &b})
    if (count_of(*one) < kFewExecutions * one->ranks.size()) return false;
  const double error = std::sqrt(a.durations.variance_ns2() / count_of(a) +
                                 b.durations.variance_ns2() / count_of(b));
  return std::abs(a.durations.mean_ns() - b.durations.mean_ns()) > kStandardErrors * error;
}

// REQUIRES: a starts with the lower rank.
DeltaClass pooled(DeltaClass a, const DeltaClass& b, RankUnions& unions) {
  const std::vector<bool>& is_of_b = unions.is_of_b(a.ranks, b.ranks);
  const std::vector<RankTotal> of_a = rank_totals(a), of_b = rank_totals(b);
  std::vector<RankTotal> totals;
  totals.reserve(is_of_b.size());
  auto in_a = of_a.begin(), in_b = of_b.begin();
  for (const bool is_b : is_of_b) totals.push_back(is_b ? *in_b++ : *in_a++);
  if (differ_systematically(a, b))
    a.durations.merge_scaled(b.durations);
  else
    a.durations.merge(b.durations);
  a.ranks = unions.united(a.ranks, b.ranks);
  a.totals = std::move(totals);
  a.scale_factors = nullptr;
  a.scaled_count = 0;
  return a;
}

}  // namespace

std::vector<RankTotal> rank_totals(const DeltaClass& delta) {
  if (!delta.totals.empty()) return delta.totals;
  const auto ranks = static_cast<std::size_t>(delta.ranks.size());
  const std::uint64_t count = delta.durations.count();
  std::vector<RankTotal> totals(ranks);
  std::int64_t left = delta.durations.sum().value;
  for (std::size_t i = 0; i < ranks; ++i) {
    totals[i].count = count / ranks + (i < count % ranks ? 1 : 0);
    totals[i].sum = i + 1 == ranks
                        ? left
                        : static_cast<std::int64_t>(delta.durations.mean_ns() *
                                                    static_cast<double>(totals[i].count));
    totals[i].sum = std::min(totals[i].sum, left);
    left -= totals[i].sum;
  }
  return totals;
}

std::vector<DeltaClass> pooled_classes(std::vector<DeltaClass> a, std::vector<DeltaClass> b,
                                       RankUnions& unions) {
  std::move(b.begin(), b.end(), std::back_inserter(a));
  if (a.size() < 2) return a;
  std::sort(a.begin(), a.end(), [](const DeltaClass& x, const DeltaClass& y) {
    return x.ranks.front() < y.ranks.front();
  });
  DeltaClass all = std::move(a.front());
  for (std::size_t i = 1; i < a.size(); ++i) all = pooled(std::move(all), a[i], unions);
  std::vector<DeltaClass> result;
  result.push_back(std::move(all));
  return result;
}

}  // namespace reprise::trace_io
