// SPDX-License-Identifier: MIT
#include "trace-io/merge/delta_classes.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace reprise::trace_io {
namespace {

double count_of(const DeltaClass& deltas) { return static_cast<double>(deltas.durations.count()); }

double standard_error_squared(const DeltaClass& deltas) {
  return deltas.durations.variance_ns2() / count_of(deltas);
}

double executions_per_rank(const DeltaClass& deltas) {
  return count_of(deltas) / deltas.ranks.size();
}

bool agree(const DeltaClass& x, const DeltaClass& y, Nanoseconds elapsed) {
  if (x.durations.count() == 0 || y.durations.count() == 0) return true;
  const double mean_x = x.durations.mean_ns(), mean_y = y.durations.mean_ns(),
               apart = std::abs(mean_x - mean_y);
  if (apart <= kAgreement * std::max(mean_x, mean_y)) return true;
  if (apart <= kStandardErrors * std::sqrt(standard_error_squared(x) + standard_error_squared(y)))
    return true;
  const double over_a_run = apart * std::max(executions_per_rank(x), executions_per_rank(y));
  return over_a_run <= kNegligibleShare * static_cast<double>(elapsed.value);
}

// n1·n2/(n1+n2)·(m1−m2)²: what the union adds to the sum of squares within classes (Ward 1963).
double added_variance(const DeltaClass& x, const DeltaClass& y) {
  const double n = count_of(x), m = count_of(y),
               apart = x.durations.mean_ns() - y.durations.mean_ns();
  return n + m == 0 ? 0 : n * m / (n + m) * apart * apart;
}

bool is_lower(const DeltaClass& x, const DeltaClass& y) {
  const double mean_x = x.durations.mean_ns(), mean_y = y.durations.mean_ns();
  return mean_x != mean_y ? mean_x < mean_y : x.ranks.front() < y.ranks.front();
}

// The neighbours (by mean) to unite next: its lower one's place, or the end where all may stay.
std::size_t next_pair(const std::vector<DeltaClass>& classes, Nanoseconds elapsed) {
  const bool too_many = classes.size() > kClassLimit;
  std::size_t best = classes.size();
  for (std::size_t i = 0; i + 1 < classes.size(); ++i) {
    if (!too_many && !agree(classes[i], classes[i + 1], elapsed)) continue;
    if (best == classes.size() || added_variance(classes[i], classes[i + 1]) <
                                      added_variance(classes[best], classes[best + 1]))
      best = i;
  }
  return best;
}

}  // namespace

std::vector<DeltaClass> united_classes(std::vector<DeltaClass> a, std::vector<DeltaClass> b,
                                       Nanoseconds elapsed, RankUnions& unions) {
  std::move(b.begin(), b.end(), std::back_inserter(a));
  std::sort(a.begin(), a.end(), is_lower);
  for (std::size_t i = next_pair(a, elapsed); i < a.size(); i = next_pair(a, elapsed)) {
    DeltaClass& lower = a[i];
    const DeltaClass& upper = a[i + 1];
    lower.durations.merge(upper.durations);
    lower.ranks = unions.united(lower.ranks, upper.ranks);
    a.erase(a.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
  std::sort(a.begin(), a.end(), [](const DeltaClass& x, const DeltaClass& y) {
    return x.ranks.front() < y.ranks.front();
  });
  return a;
}

std::vector<DeltaClass> one_class(std::vector<DeltaClass> a, std::vector<DeltaClass> b,
                                  RankUnions& unions) {
  std::move(b.begin(), b.end(), std::back_inserter(a));
  for (std::size_t i = 1; i < a.size(); ++i) {
    a[0].durations.merge(a[i].durations);
    a[0].ranks = unions.united(a[0].ranks, a[i].ranks);
  }
  if (a.size() > 1) a.erase(a.begin() + 1, a.end());
  return a;
}

}  // namespace reprise::trace_io
