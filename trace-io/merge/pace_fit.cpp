// SPDX-License-Identifier: MIT
#include "trace-io/merge/pace_fit.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "trace-io/merge/delta_classes.hpp"
#include "trace-io/merge/pace_fold.hpp"
#include "trace-io/merge/settle.hpp"

namespace reprise::trace_io {
namespace {

using Way = ComputeTable::Way;

constexpr double kIdle = 0.05;     // of the mean total: ranks that compute less are held to this
constexpr double kCoarsest = 0.1;  // tolerance of a single pace
constexpr double kBulk = 0.95;     // of what has no paces of its own: what is paced in common
constexpr double kMostApart = 64;  // ratio to the mean of a rank paced in common
constexpr int kRounds = 40;

class PaceFit {
 public:
  explicit PaceFit(ComputeTable& table)
      : table_(table), weight_(table.totals()), rest_(table.totals().size()) {
    double all = 0;
    for (const double total : weight_) all += total;
    for (double& weight : weight_)
      weight = std::max(weight, kIdle * all / static_cast<double>(weight_.size()));
    for (const Way& way : table_.ways())
      for (std::size_t i = 0; i < way.rows->size(); ++i) rest_[(*way.rows)[i]] += sum_of(way, i);
  }

  void run() {
    while (own_.size() < kOwnPaces && give_own_paces()) continue;
    share_own_paces();
    if (worst_error() > kTolerance) pace_in_common();
  }

 private:
  struct Known {
    std::shared_ptr<const Paces> paces;
    std::vector<double> of_row;  // 0 for ranks that they do not cover
  };

  static double sum_of(const Way& way, std::size_t i) {
    return static_cast<double>(way.delta->totals[i].sum);
  }
  static double count_of(const Way& way, std::size_t i) {
    return static_cast<double>(way.delta->totals[i].count);
  }
  static double off(const Way& way, std::size_t i) {
    return sum_of(way, i) - count_of(way, i) * way.sum / way.count;
  }
  static bool is_free(const Way& way) { return way.delta->paces == nullptr; }

  bool is_relevant(const Way& way) const {
    for (std::size_t i = 0; i < way.rows->size(); ++i) {
      const double apart = std::abs(off(way, i)), count = count_of(way, i);
      const bool is_chance =
          way.deviation > 0 &&
          apart <= kStandardErrors * way.deviation * std::sqrt(count + count * count / way.count);
      if (!is_chance && apart > kRelevant * weight_[(*way.rows)[i]]) return true;
    }
    return false;
  }

  // To the way whose ranks differ most.
  bool give_own_paces() {
    Way* worst = nullptr;
    double most = 0;
    for (Way& way : table_.ways()) {
      if (!is_free(way) || !is_relevant(way) || shares(way)) continue;
      double apart = 0;
      for (std::size_t i = 0; i < way.rows->size(); ++i) apart += std::abs(off(way, i));
      if (apart > most) {
        most = apart;
        worst = &way;
      }
    }
    if (worst == nullptr) return false;
    std::vector<double> ratios, tolerances;
    for (std::size_t i = 0; i < worst->rows->size(); ++i) {
      const double sum = sum_of(*worst, i), count = count_of(*worst, i);
      ratios.push_back(count > 0 ? sum / count * worst->count / worst->sum : 1);
      const double weight = weight_[(*worst->rows)[i]];
      tolerances.push_back(sum > 0 ? std::clamp(kTolerance * weight / sum, kTolerance, kCoarsest)
                                   : 1);
    }
    own_.push_back(made(worst->delta->ranks, *worst->rows, fold_paces(ratios, tolerances)));
    apply(own_.back(), *worst);
    return true;
  }

  void share_own_paces() {
    for (Way& way : table_.ways())
      if (is_free(way) && is_relevant(way)) shares(way);
  }

  // Whether the way fits paces that are there already; then it has them.
  bool shares(Way& way) {
    for (const Known& known : own_) {
      const double paced = paced_count(known, way);
      bool fits = paced > 0;
      for (std::size_t i = 0; fits && i < way.rows->size(); ++i) {
        const std::uint32_t row = (*way.rows)[i];
        const double played = count_of(way, i) * known.of_row[row] * way.sum / paced;
        fits =
            known.of_row[row] > 0 && std::abs(played - sum_of(way, i)) <= kTolerance * weight_[row];
      }
      if (!fits) continue;
      apply(known, way);
      return true;
    }
    return false;
  }

  static double paced_count(const Known& known, const Way& way) {
    double paced = 0;
    for (std::size_t i = 0; i < way.rows->size(); ++i)
      paced += count_of(way, i) * known.of_row[(*way.rows)[i]];
    return paced;
  }

  Known made(const RankList& ranks, const std::vector<std::uint32_t>& rows,
             FoldedPaces folded) const {
    Known known;
    known.paces = std::make_shared<const Paces>(Paces{ranks, std::move(folded.values)});
    known.of_row.resize(weight_.size());
    for (std::size_t i = 0; i < rows.size(); ++i)
      known.of_row[rows[i]] = static_cast<double>(folded.each[i]);
    return known;
  }

  void apply(const Known& known, Way& way) {
    std::uint64_t paced = 0;
    for (std::size_t i = 0; i < way.rows->size(); ++i) {
      std::uint64_t of_rank = 0;
      const auto pace = static_cast<std::uint64_t>(known.of_row[(*way.rows)[i]]);
      if (__builtin_mul_overflow(way.delta->totals[i].count, pace, &of_rank) ||
          __builtin_add_overflow(paced, of_rank, &paced) || paced > kLargestPacedCount)
        return;
    }
    if (paced == 0) return;
    way.delta->paces = known.paces;
    way.delta->paced_count = paced;
  }

  // What the ways with paces, and those without, give each rank as things stand.
  double played(const Way& way, std::size_t i, double pace) const {
    return is_free(way)
               ? count_of(way, i) * way.sum / way.count
               : count_of(way, i) * pace * way.sum / static_cast<double>(way.delta->paced_count);
  }

  // By row: what is left of the totals when everything but the ways in `but` has been played.
  std::vector<double> left_for(const std::vector<Way*>& but) {
    std::vector<double> left = rest_;
    std::vector<bool> is_left_out(table_.ways().size());
    for (const Way* way : but)
      is_left_out[static_cast<std::size_t>(way - table_.ways().data())] = true;
    for (const Way& way : table_.ways()) {
      if (is_left_out[static_cast<std::size_t>(&way - table_.ways().data())]) continue;
      const Known* known = nullptr;
      for (const Known& one : own_)
        if (one.paces == way.delta->paces) known = &one;
      for (std::size_t i = 0; i < way.rows->size(); ++i) {
        const std::uint32_t row = (*way.rows)[i];
        left[row] -= played(way, i, known == nullptr ? 1 : known->of_row[row]);
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

  std::vector<Way*> bulk() {
    std::vector<Way*> free;
    double all = 0, taken = 0;
    for (Way& way : table_.ways())
      if (is_free(way)) {
        free.push_back(&way);
        all += way.sum;
      }
    std::stable_sort(free.begin(), free.end(),
                     [](const Way* a, const Way* b) { return a->sum > b->sum; });
    std::size_t count = 0;
    while (count < free.size() && taken < kBulk * all) taken += free[count++]->sum;
    free.resize(count);
    return free;
  }

  void pace_in_common() {
    const std::vector<Way*> ways = bulk();
    const std::vector<double> goal = left_for(ways);
    std::vector<double> ratio(goal.size(), 1), got(goal.size());
    for (int round = 0; round < kRounds; ++round) {
      std::fill(got.begin(), got.end(), 0);
      for (const Way* way : ways) {
        double paced = 0;
        for (std::size_t i = 0; i < way->rows->size(); ++i)
          paced += count_of(*way, i) * ratio[(*way->rows)[i]];
        for (std::size_t i = 0; i < way->rows->size(); ++i)
          got[(*way->rows)[i]] += count_of(*way, i) * ratio[(*way->rows)[i]] * way->sum / paced;
      }
      for (std::size_t row = 0; row < goal.size(); ++row)
        if (got[row] > 0)
          ratio[row] = std::clamp(ratio[row] * goal[row] / got[row], 1 / kMostApart, kMostApart);
    }
    std::vector<double> tolerances;
    std::vector<std::uint32_t> rows;
    for (std::uint32_t row = 0; row < goal.size(); ++row) {
      rows.push_back(row);
      tolerances.push_back(
          got[row] > 0 ? std::clamp(kTolerance * weight_[row] / got[row], kTolerance, kCoarsest)
                       : 1);
    }
    const Known common = made(table_.ranks(), rows, fold_paces(ratio, tolerances));
    for (Way* way : ways) apply(common, *way);
  }

  static constexpr std::uint64_t kLargestPacedCount = std::uint64_t{1} << 62;

  ComputeTable& table_;
  std::vector<double> weight_;  // by row: what errors are measured by
  std::vector<double> rest_;    // by row: computed on the table's ways
  std::vector<Known> own_;
};

}  // namespace

void fit_paces(ComputeTable& table) { PaceFit(table).run(); }

}  // namespace reprise::trace_io
