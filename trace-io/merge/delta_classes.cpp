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

// One per rank of both, empty for those without; uses up b.
std::vector<OrderLog> joined_logs(std::vector<OrderLog> a, std::vector<OrderLog>& b,
                                  const std::vector<bool>& is_of_b) {
  std::vector<OrderLog> both;
  both.reserve(is_of_b.size());
  std::size_t in_a = 0, in_b = 0;
  for (const bool is_b : is_of_b) {
    if (is_b)
      both.push_back(b.empty() ? OrderLog() : std::move(b[in_b++]));
    else
      both.push_back(a.empty() ? OrderLog() : std::move(a[in_a++]));
  }
  return both;
}

// Behind the totals so far.
void append_totals(std::vector<RankTotal>& totals, const DeltaClass& of) {
  if (of.totals.empty() && of.ranks.size() == 1) {
    totals.push_back({of.durations.count(), of.durations.sum().value});
  } else if (!of.totals.empty()) {
    totals.insert(totals.end(), of.totals.begin(), of.totals.end());
  } else {
    const std::vector<RankTotal> more = rank_totals(of);
    totals.insert(totals.end(), more.begin(), more.end());
  }
}

std::vector<RankTotal> joined_totals(const DeltaClass& a, const DeltaClass& b,
                                     const std::vector<bool>& is_of_b) {
  const std::vector<RankTotal> of_a = rank_totals(a), of_b = rank_totals(b);
  std::vector<RankTotal> totals;
  totals.reserve(is_of_b.size());
  auto in_a = of_a.begin(), in_b = of_b.begin();
  for (const bool is_b : is_of_b) totals.push_back(is_b ? *in_b++ : *in_a++);
  return totals;
}

// Behind the logs so far; uses up b's. `ranks`: of a.
void append_logs(std::vector<OrderLog>& logs, std::size_t ranks, DeltaClass& b) {
  const auto more = static_cast<std::size_t>(b.ranks.size());
  logs.reserve(ranks + more);
  logs.resize(ranks);
  std::move(b.logs.begin(), b.logs.end(), std::back_inserter(logs));
  logs.resize(ranks + more);
}

// b into a; uses up b. REQUIRES: a starts with the lower rank.
void pool(DeltaClass& a, DeltaClass& b, RankUnions& unions) {
  const bool is_behind = unions.is_behind(a.ranks, b.ranks);
  if (!is_behind) {
    a.totals = joined_totals(a, b, unions.is_of_b(a.ranks, b.ranks));
  } else {
    const std::size_t room = unions.room(a.ranks, b.ranks);
    if (!a.totals.empty()) {
      a.totals.reserve(room);
    } else {
      std::vector<RankTotal> totals;
      totals.reserve(room);
      append_totals(totals, a);
      a.totals = std::move(totals);
    }
    append_totals(a.totals, b);
  }
  if (differ_systematically(a, b))
    a.durations.merge_scaled(b.durations);
  else
    a.durations.merge(b.durations);
  if (is_behind && (!a.logs.empty() || !b.logs.empty()))
    append_logs(a.logs, static_cast<std::size_t>(a.ranks.size()), b);
  else if (!a.logs.empty() || !b.logs.empty())
    a.logs = joined_logs(std::move(a.logs), b.logs, unions.is_of_b(a.ranks, b.ranks));
  a.ranks = unions.united(a.ranks, b.ranks);
  a.scale_factors = nullptr;
  a.order = nullptr;
  a.scaled_count = 0;
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
  sort_by_lowest_rank(a);
  return a;
}

void unite_in_one(std::vector<DeltaClass>& a, std::vector<DeltaClass>& b, RankUnions& unions) {
  if (a.size() != 1 || b.size() != 1) {
    a = one_class(std::move(a), std::move(b), unions);
    return;
  }
  a.front().durations.merge(b.front().durations);
  a.front().ranks = unions.united(a.front().ranks, b.front().ranks);
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
  sort_by_lowest_rank(a);
  for (std::size_t i = 1; i < a.size(); ++i) pool(a.front(), a[i], unions);
  a.erase(a.begin() + 1, a.end());
  return a;
}

void pool_classes(std::vector<DeltaClass>& a, std::vector<DeltaClass>& b, RankUnions& unions) {
  if (a.size() == 1 && b.size() == 1 && a.front().ranks.front() < b.front().ranks.front())
    return pool(a.front(), b.front(), unions);
  a = pooled_classes(std::move(a), std::move(b), unions);
}

}  // namespace reprise::trace_io
