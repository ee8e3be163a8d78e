// SPDX-License-Identifier: MIT
#include "trace-io/merge/scale_factor_fit.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "trace-io/merge/common_ratios.hpp"
#include "trace-io/merge/finalize.hpp"
#include "trace-io/merge/time_table.hpp"
#include "trace-io/model/trace.hpp"
#include "trace-io/order/order_fit.hpp"

namespace reprise::trace_io {
namespace {

using TimePath = TimeTable::TimePath;

constexpr double kIdle = 0.05;        // of the mean total: ranks that compute less are held to this
constexpr double kIdleInside = 0.01;  // of the run: likewise, of ranks that communicate less
constexpr double kCoarsest = 0.1;     // tolerance of a single scale factor
constexpr double kCoarsestInside = 0.5;  // likewise, of times inside calls
constexpr double kLessInside = 0.25;     // of what a path is off: the most that it may stay off
constexpr std::size_t kMostInside = 1 << 17;  // in all sets, so that the search for one stays short
// Paths that the bytes left are too few for, after which no more are tried.
constexpr std::size_t kMostTooDear = 64;
constexpr double kBulk = 0.95;  // of what has no scale factors of its own: what is scaled in common
constexpr double kShared = 0.1;  // of kEnough: what a path may be off with another's scale factors
constexpr std::size_t kReference = 4;  // bytes beside the scale factors themselves

class ScaleFactorFit {
 public:
  ScaleFactorFit(TimeTable& table, std::vector<double> weight)
      : table_(table), weight_(std::move(weight)), rest_(table.totals().size()) {
    for (const TimePath& path : table_.paths())
      for (std::size_t i = 0; i < path.rows->size(); ++i) rest_[(*path.rows)[i]] += sum_of(path, i);
  }

  // Returns how many of the bytes were used.
  std::size_t run(std::size_t bytes) {
    const std::vector<TimePath*> relevant = relevant_paths();
    while (own_.size() < kOwnScaleFactors && give_own_scale_factors(relevant)) continue;
    for (TimePath* path : relevant)
      if (is_free(*path)) shares(*path, kTolerance);
    const std::size_t used = bytes > 0 ? spend(bytes) : 0;
    if (worst_error() > kTolerance) scale_factor_in_common(kTolerance);
    return used;
  }

  // Of times inside calls: the paths whose ranks differ most first, for at most so many bytes, until no rank has more than kLeftInside of its times
  // at another call, or of another rank. Chance is no reason to level them: they are what happened, and nothing is predicted from them.
  void run_inside(std::size_t bytes) {
    coarsest_ = kCoarsestInside;
    std::vector<double> misplaced(weight_.size());  // by row, as a share
    std::vector<std::pair<double, TimePath*>> differing;
    for (TimePath& path : table_.paths())
      differing.emplace_back(add_misplaced(path, 1, misplaced), &path);
    std::ranges::stable_sort(differing, std::greater<>(), &std::pair<double, TimePath*>::first);
    std::size_t too_dear = 0;
    for (const auto& [most, path] : differing) {
      if (too_dear == kMostTooDear || most == 0 ||
          *std::ranges::max_element(misplaced) <= kLeftInside)
        break;
      const double tolerance = std::min(kToleranceInside, most * kLessInside);
      add_misplaced(*path, -1, misplaced);
      if (!shares(*path, tolerance)) {
        FoldedScaleFactors factors = folded(*path, tolerance);
        const std::size_t price = price_of(factors);
        if (price <= bytes && own_.size() * weight_.size() < kMostInside) {
          bytes -= price;
          own_.push_back(made(path->delta->ranks, *path->rows, std::move(factors)));
          apply(own_.back(), *path);
        } else {
          ++too_dear;
        }
      }
      add_misplaced(*path, 1, misplaced);
    }
    if (worst_error() > kLeftInside) scale_factor_in_common(kToleranceInside);
  }

 private:
  struct Known {
    std::shared_ptr<const RankScaleFactors> scale_factors;
    std::vector<double> of_row;  // 0 for ranks that they do not cover
  };

  static double sum_of(const TimePath& path, std::size_t i) {
    return static_cast<double>(path.delta->totals[i].sum);
  }
  static double count_of(const TimePath& path, std::size_t i) {
    return static_cast<double>(path.delta->totals[i].count);
  }
  static double off(const TimePath& path, std::size_t i) {
    return sum_of(path, i) - count_of(path, i) * path.sum / path.count;
  }
  // What a path gives each rank too much or too little as things stand, as a share of its weight, so often; returns the largest share.
  double add_misplaced(const TimePath& path, double times, std::vector<double>& to) const {
    const Known* known = known_of(path);
    double most = 0;
    for (std::size_t i = 0; i < path.rows->size(); ++i) {
      const std::uint32_t row = (*path.rows)[i];
      const double got = played(path, i, known == nullptr ? 1 : known->of_row[row]);
      const double share = std::abs(got - sum_of(path, i)) / weight_[row];
      to[row] += times * share;
      most = std::max(most, share);
    }
    return most;
  }
  const Known* known_of(const TimePath& path) const {
    if (is_free(path)) return nullptr;
    for (const Known& one : own_)
      if (one.scale_factors == path.delta->scale_factors) return &one;
    return nullptr;
  }
  static bool is_free(const TimePath& path) { return path.delta->scale_factors == nullptr; }

  bool is_relevant(const TimePath& path) const {
    for (std::size_t i = 0; i < path.rows->size(); ++i) {
      const double apart = std::abs(off(path, i)), count = count_of(path, i);
      const bool is_chance =
          path.deviation > 0 &&
          apart <= kStandardErrors * path.deviation * std::sqrt(count + count * count / path.count);
      if (!is_chance && apart > kRelevant * weight_[(*path.rows)[i]]) return true;
    }
    return false;
  }

  std::vector<TimePath*> relevant_paths() {
    std::vector<TimePath*> relevant;
    for (TimePath& path : table_.paths())
      if (is_relevant(path)) relevant.push_back(&path);
    return relevant;
  }

  // To the path whose ranks differ most.
  bool give_own_scale_factors(const std::vector<TimePath*>& relevant) {
    TimePath* worst = nullptr;
    double most = 0;
    for (TimePath* path : relevant) {
      if (!is_free(*path) || shares(*path, kTolerance)) continue;
      double apart = 0;
      for (std::size_t i = 0; i < path->rows->size(); ++i) apart += std::abs(off(*path, i));
      if (apart > most) {
        most = apart;
        worst = path;
      }
    }
    if (worst == nullptr) return false;
    own_.push_back(made(worst->delta->ranks, *worst->rows, folded(*worst, kTolerance)));
    apply(own_.back(), *worst);
    return true;
  }

  // The path's own, each rank's total to within `tolerance` of all that the rank computes.
  FoldedScaleFactors folded(const TimePath& path, double tolerance) const {
    std::vector<double> ratios, tolerances;
    for (std::size_t i = 0; i < path.rows->size(); ++i) {
      const double sum = sum_of(path, i), count = count_of(path, i);
      ratios.push_back(count > 0 ? sum / count * path.count / path.sum : 1);
      const double weight = weight_[(*path.rows)[i]];
      tolerances.push_back(sum > 0 ? std::clamp(tolerance * weight / sum, kTolerance, coarsest_)
                                   : 1);
    }
    return fold_scale_factors(ratios, tolerances);
  }

  // Scale factors also where chance would explain the difference, or a path matters little by itself: in the run that was recorded
  // the difference was there, and many small paths are a large one. Those that differ most first.
  std::size_t spend(std::size_t bytes) {
    std::vector<std::pair<double, TimePath*>> differing;
    double left = 0;
    for (TimePath& path : table_.paths()) {
      if (!is_free(path)) continue;
      double most = 0;
      for (std::size_t i = 0; i < path.rows->size(); ++i)
        most = std::max(most, std::abs(off(path, i)) / weight_[(*path.rows)[i]]);
      differing.emplace_back(most, &path);
      left += most;
    }
    std::ranges::stable_sort(differing, std::greater<>(), &std::pair<double, TimePath*>::first);
    std::size_t used = 0;
    for (const auto& [most, path] : differing) {
      if (left < kEnough) break;
      left -= most;
      if (shares(*path, kEnough * kShared)) continue;
      FoldedScaleFactors factors = folded(*path, kEnough);
      const std::size_t price = price_of(factors);
      if (used + price > bytes) break;
      used += price;
      own_.push_back(made(path->delta->ranks, *path->rows, std::move(factors)));
      apply(own_.back(), *path);
    }
    return used;
  }

  static std::size_t price_of(const FoldedScaleFactors& factors) {
    return kReference + std::min(folded_bytes(factors.values), plain_bytes(factors.values));
  }

  // Whether the path fits scale factors that are there already, to within `tolerance` of all that a rank computes; then it has them.
  bool shares(TimePath& path, double tolerance) {
    for (const Known& known : own_) {
      const double scaled = scaled_count(known, path);
      bool fits = scaled > 0;
      for (std::size_t i = 0; fits && i < path.rows->size(); ++i) {
        const std::uint32_t row = (*path.rows)[i];
        const double played = count_of(path, i) * known.of_row[row] * path.sum / scaled;
        fits =
            known.of_row[row] > 0 && std::abs(played - sum_of(path, i)) <= tolerance * weight_[row];
      }
      if (!fits) continue;
      apply(known, path);
      return true;
    }
    return false;
  }

  static double scaled_count(const Known& known, const TimePath& path) {
    double scaled = 0;
    for (std::size_t i = 0; i < path.rows->size(); ++i)
      scaled += count_of(path, i) * known.of_row[(*path.rows)[i]];
    return scaled;
  }

  Known made(const RankList& ranks, const std::vector<std::uint32_t>& rows,
             FoldedScaleFactors folded) const {
    Known known;
    known.scale_factors =
        std::make_shared<const RankScaleFactors>(RankScaleFactors{ranks, std::move(folded.values)});
    known.of_row.resize(weight_.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      known.of_row[rows[i]] = static_cast<double>(folded.each[i]);
    return known;
  }

  void apply(const Known& known, TimePath& path) {
    std::uint64_t scaled = 0;
    for (std::size_t i = 0; i < path.rows->size(); ++i) {
      std::uint64_t of_rank = 0;
      const auto scale_factor = static_cast<std::uint64_t>(known.of_row[(*path.rows)[i]]);
      if (__builtin_mul_overflow(path.delta->totals[i].count, scale_factor, &of_rank) ||
          __builtin_add_overflow(scaled, of_rank, &scaled) || scaled > kLargestScaledCount)
        return;
    }
    if (scaled == 0) return;
    path.delta->scale_factors = known.scale_factors;
    path.delta->scaled_count = scaled;
  }

  // What the paths with scale factors, and those without, give each rank as things stand.
  static double played(const TimePath& path, std::size_t i, double scale_factor) {
    return is_free(path) ? count_of(path, i) * path.sum / path.count
                         : count_of(path, i) * scale_factor * path.sum /
                               static_cast<double>(path.delta->scaled_count);
  }

  // By row: what is left of the totals when everything but the paths in `but` has been played.
  std::vector<double> left_for(const std::vector<TimePath*>& but) {
    std::vector<double> left = rest_;
    std::vector<bool> is_left_out(table_.paths().size());
    for (const TimePath* path : but)
      is_left_out[static_cast<std::size_t>(path - table_.paths().data())] = true;
    for (const TimePath& path : table_.paths()) {
      if (is_left_out[static_cast<std::size_t>(&path - table_.paths().data())]) continue;
      const Known* known = known_of(path);
      for (std::size_t i = 0; i < path.rows->size(); ++i) {
        const std::uint32_t row = (*path.rows)[i];
        left[row] -= played(path, i, known == nullptr ? 1 : known->of_row[row]);
      }
    }
    return left;
  }

  double worst_error() {
    double worst = 0;
    const std::vector<double> left = left_for({});
    for (std::size_t row = 0; row < left.size(); ++row)
      worst = std::max(worst, std::abs(left[row]) / weight_[row]);
    return worst;
  }

  std::vector<TimePath*> bulk() {
    std::vector<TimePath*> free;
    double all = 0, taken = 0;
    for (TimePath& path : table_.paths())
      if (is_free(path)) {
        free.push_back(&path);
        all += path.sum;
      }
    std::stable_sort(free.begin(), free.end(),
                     [](const TimePath* a, const TimePath* b) { return a->sum > b->sum; });
    std::size_t count = 0;
    while (count < free.size() && taken < kBulk * all) taken += free[count++]->sum;
    free.resize(count);
    return free;
  }

  void scale_factor_in_common(double tolerance) {
    const std::vector<TimePath*> paths = bulk();
    const std::vector<double> goal = left_for(paths);
    const CommonRatios common = common_ratios(paths, goal);
    std::vector<double> tolerances;
    std::vector<std::uint32_t> rows;
    for (std::uint32_t row = 0; row < goal.size(); ++row) {
      rows.push_back(row);
      tolerances.push_back(
          common.got[row] > 0
              ? std::clamp(tolerance * weight_[row] / common.got[row], kTolerance, coarsest_)
              : 1);
    }
    const Known known = made(table_.ranks(), rows, fold_scale_factors(common.ratios, tolerances));
    for (TimePath* path : paths) apply(known, *path);
  }

  static constexpr std::uint64_t kLargestScaledCount = std::uint64_t{1} << 62;

  TimeTable& table_;
  std::vector<double> weight_;  // by row: what errors are measured by
  std::vector<double> rest_;    // by row: spent on the table's paths
  std::vector<Known> own_;
  double coarsest_ = kCoarsest;
};

}  // namespace

std::size_t fit_scale_factors(Trace& trace, std::size_t bytes) {
  TimeTable table(trace, Spent::computing);
  if (table.paths().empty()) return 0;
  std::vector<double> weight = table.totals();
  double all = 0;
  for (const double total : weight) all += total;
  for (double& one : weight) one = std::max(one, kIdle * all / static_cast<double>(weight.size()));
  return ScaleFactorFit(table, std::move(weight)).run(bytes);
}

void fit_scale_factors_inside_calls(Trace& trace) {
  TimeTable table(trace, Spent::inside_calls);
  if (table.paths().empty()) return;
  std::vector<double> weight = table.totals();
  const double run =
      std::max(static_cast<double>(trace.header.elapsed.value), *std::ranges::max_element(weight));
  for (double& one : weight) one = std::max(one, kIdleInside * run);
  const std::size_t bytes =
      kBytesInside + kBytesOfARankInside * weight.size() + table.paths().size();
  ScaleFactorFit(table, std::move(weight)).run_inside(bytes);
}

}  // namespace reprise::trace_io
