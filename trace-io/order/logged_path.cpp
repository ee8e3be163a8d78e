// SPDX-License-Identifier: MIT
#include "trace-io/order/logged_path.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "trace-io/model/united_bins.hpp"
#include "trace-io/order/order_code.hpp"

namespace reprise::trace_io {
namespace {

std::int32_t level(double deviation, double step) {
  const double size = std::abs(deviation) / step;
  if (size < kFromZero) return 0;
  const auto rounded = static_cast<std::int32_t>(std::min(std::floor(size + 1 - kFromZero), 2e9));
  return deviation < 0 ? -rounded : rounded;
}

}  // namespace

std::vector<std::uint64_t> executions_of(const DeltaClass& delta) {
  if (delta.totals.empty()) return {delta.durations.count()};
  std::vector<std::uint64_t> executions;
  for (const RankTotal& total : delta.totals) executions.push_back(total.count);
  return executions;
}

std::uint64_t most_executions(const DeltaClass& delta) {
  if (delta.totals.empty()) return delta.durations.count();
  std::uint64_t most = 0;
  for (const RankTotal& total : delta.totals) most = std::max(most, total.count);
  return most;
}

LoggedPath::LoggedPath(DeltaClass& its_delta, unsigned its_stride)
    : delta(&its_delta),
      stride(its_stride),
      executions(executions_of(its_delta)),
      mean(its_delta.durations.mean_ns()) {
  const std::vector<Rank> all = delta->ranks.ranks();
  double squares = 0, count = 0;
  for (std::size_t member = 0; member < delta->logs.size(); ++member) {
    OrderLog& log = delta->logs[member];
    if (log.count() == 0 || log.count() != executions[member]) continue;
    while (log.stride() < stride) log.thin();
    const std::int64_t total =
        delta->totals.empty() ? delta->durations.sum().value : delta->totals[member].sum;
    const double its_mean = static_cast<double>(total) / static_cast<double>(log.count());
    members.push_back(member);
    ranks.push_back(all[member]);
    means.push_back(its_mean);
    auto& row = times.emplace_back();
    for (const std::uint16_t code : log.codes())
      row.push_back(its_mean > 0 ? static_cast<double>(OrderLog::kDurations.number(code)) / its_mean
                                 : 1);
    peaks.emplace_back(log.peaks().begin(), log.peaks().end());
    take_out_peaks(log, its_mean);
  }
  if (std::ranges::any_of(peaks, [](const auto& its) { return !its.empty(); })) {
    double sum = 0, all = 0;
    for (const auto& row : usual) {
      for (const double time : row) sum += time;
      all += static_cast<double>(row.size());
    }
    middle_ = sum / all;
  }
  for (std::size_t r = 0; r < usual.size(); ++r)
    for (const double time : usual[r]) {
      squares += std::pow((time - middle_) * means[r], 2);
      farthest_ = std::max(farthest_, std::abs(time - middle_));
      ++count;
    }
  deviation = count > 0 ? std::sqrt(squares / count) : 0;
  together_ = common();
  for (const double one : together_)
    farthest_together_ = std::max(farthest_together_, std::abs(one));
}

// The mean of the ranks at each execution less the middle; empty where they do not vary together.
std::vector<double> LoggedPath::common() const {
  const auto all_ranks = static_cast<double>(usual.size());
  if (usual.size() < 2) return {};
  std::size_t longest = 0;
  for (const auto& row : usual) longest = std::max(longest, row.size());
  std::vector<double> mean_of(longest), ranks_of(longest);
  double each = 0, together = 0, count = 0;
  for (const auto& row : usual)
    for (std::size_t i = 0; i < row.size(); ++i) {
      mean_of[i] += row[i] - middle_;
      ++ranks_of[i];
      each += (row[i] - middle_) * (row[i] - middle_);
      ++count;
    }
  for (std::size_t i = 0; i < longest; ++i) {
    mean_of[i] /= ranks_of[i];
    together += mean_of[i] * mean_of[i];
  }
  if (each <= 0) return {};
  const double ratio = all_ranks * (together / static_cast<double>(longest)) / (each / count);
  return (ratio - 1) / (all_ranks - 1) > kTogether ? mean_of : std::vector<double>();
}

// Whether all levels would be 0, seen without making any.
bool LoggedPath::is_flat(double own, double shared) const {
  return stride == 0 && level(farthest_, own) == 0 &&
         (together_.empty() || level(farthest_together_, shared) == 0);
}

std::shared_ptr<DurationOrder> LoggedPath::order(double step) {
  if (members.empty() || mean <= 0) return nullptr;
  const auto in_units = [](double share) {
    return static_cast<std::int64_t>(
        std::clamp(std::round(share * DurationOrder::kOne), 1.0, 1e15));
  };
  const std::vector<double>& together = together_;
  const std::int64_t step_own = in_units(step / mean),
                     step_shared = together.empty()
                                       ? 0
                                       : in_units(step / mean /
                                                  std::sqrt(static_cast<double>(members.size())));
  const double unit = 1.0 / DurationOrder::kOne, own = static_cast<double>(step_own) * unit,
               shared = static_cast<double>(step_shared) * unit;
  if (this->is_flat(own, shared)) return nullptr;
  if (shape_ == nullptr) {
    auto shape = std::make_shared<DurationOrder>();
    shape->stride = stride;
    for (const std::uint64_t count : executions)
      shape->executions.append(static_cast<std::int64_t>(count));
    shape->ranks = RankList::from_ranks(ranks);
    shape_rows(*shape, delta->ranks, !together.empty());
    shape_ = std::move(shape);
  }
  auto made = std::make_shared<DurationOrder>(*shape_);
  made->step = step_own;
  made->step_common = step_shared;
  bool is_flat = true;
  for (std::size_t i = 0; i < together.size(); ++i) {
    made->common.levels[i] = level(together[i], shared);
    is_flat = is_flat && made->common.levels[i] == 0;
  }
  for (std::size_t r = 0; r < usual.size(); ++r)
    for (std::size_t i = 0; i < usual[r].size(); ++i) {
      const double rest =
          usual[r][i] - middle_ - (together.empty() ? 0 : shared * made->common.levels[i]);
      made->rows[r].levels[i] = level(rest, own);
      is_flat = is_flat && made->rows[r].levels[i] == 0;
    }
  if (stride > 0) set_groups(*made);
  for (const auto& row : made->rows)
    for (const std::int32_t more : row.groups) is_flat = is_flat && more == 0;
  if (stride > 0) set_peaks(*made);
  if (peaks_in(*made) > DurationOrder::kMostPeaks) return nullptr;
  return is_flat && made->peaks.empty() ? nullptr : made;
}

// By how much a group's mean is more than that of the block that is kept of it, as a replay has it.
void LoggedPath::set_groups(DurationOrder& made) const {
  const double unit = 1.0 / DurationOrder::kOne / DurationOrder::kGroupSteps;
  const double own = static_cast<double>(made.step) * unit,
               shared = static_cast<double>(made.step_common) * unit;
  const auto excess = [&](std::size_t r, std::size_t group) {
    const std::size_t first = group * OrderLog::kBlock,
                      last = std::min<std::size_t>(first + OrderLog::kBlock, usual[r].size());
    double block = 0;
    for (std::size_t i = first; i < last; ++i) block += usual[r][i];
    return group_means[r][group] - block / static_cast<double>(last - first);
  };
  for (std::size_t group = 0; group < made.common.groups.size(); ++group) {
    double sum = 0, count = 0;
    for (std::size_t r = 0; r < usual.size(); ++r)
      if (group < group_means[r].size()) {
        sum += excess(r, group);
        ++count;
      }
    if (count > 0) made.common.groups[group] = level(sum / count, shared);
  }
  for (std::size_t r = 0; r < usual.size(); ++r)
    for (std::size_t group = 0; group < group_means[r].size(); ++group) {
      const double together = made.common.groups.empty() ? 0 : shared * made.common.groups[group];
      made.rows[r].groups[group] = level(excess(r, group) - together, own);
    }
}

void LoggedPath::set_residuals(DurationOrder& made) const {
  const double unit = 1.0 / DurationOrder::kOne, own = static_cast<double>(made.step) * unit,
               shared = static_cast<double>(made.step_common) * unit;
  std::size_t size = 0;
  for (const auto& row : usual) size += row.size();
  std::vector<double> residuals;
  residuals.reserve(size);
  for (std::size_t r = 0; r < usual.size(); ++r)
    for (std::size_t i = 0; i < usual[r].size(); ++i)
      residuals.push_back(usual[r][i] - 1 - own * made.rows[r].levels[i] -
                          (made.common.levels.empty() ? 0 : shared * made.common.levels[i]));
  // Groups of equal width first: all are within about a step, and bins by adding one value after the other took ten times as long.
  constexpr std::size_t kGroups = kMostUnited;
  const auto [low, high] = std::ranges::minmax_element(residuals);
  const double least = *low, width = (*high - least) / kGroups;
  std::array<Distribution::Bin, kGroups> groups{};
  std::array<double, kGroups> sums{};
  for (const double residual : residuals) {
    const double above = residual - least;
    const auto place = width > 0 ? static_cast<std::size_t>(above / width) : 0;
    const std::size_t group = std::min(place, kGroups - 1);
    ++groups[group].count;
    sums[group] += above;
  }
  for (std::size_t g = 0; g < kGroups; ++g)
    groups[g].sum = std::llround(sums[g] * DurationOrder::kOne);
  const auto lowest = static_cast<std::int64_t>(std::round(least * DurationOrder::kOne));
  for (const auto& bin : united(groups, DurationOrder::kResidualBins))
    made.residuals.push_back(
        {bin.count, lowest + (bin.sum + static_cast<std::int64_t>(bin.count) / 2) /
                                 static_cast<std::int64_t>(bin.count)});
}

}  // namespace reprise::trace_io
