// SPDX-License-Identifier: MIT
#include "trace-io/order/logged_path.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

#include "trace-io/base/integers.hpp"
#include "trace-io/order/order_code.hpp"

namespace reprise::trace_io {
namespace {

// The longest over the shortest of peaks that are taken for one duration: where there are few, they can be told apart.
constexpr std::size_t kFewPeaks = 512;
constexpr double kAlikeOfFew = 1.02, kAlikeOfMany = 1.1;

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
      ++count;
    }
  deviation = count > 0 ? std::sqrt(squares / count) : 0;
  together_ = common();
}

// Of the rank added last: the executions kept, peaks at the mean of the others, and the groups' means without peaks.
void LoggedPath::take_out_peaks(const OrderLog& log, double its_mean) {
  auto& row = usual.emplace_back(times.back());
  std::vector<std::size_t> places;  // of peaks that are kept
  double sum = 0;
  for (const OrderLog::Peak& peak : log.peaks())
    if (const auto place = OrderLog::place_of(peak.execution(), stride)) places.push_back(*place);
  for (const std::size_t place : places) row[place] = 0;
  for (const double time : row) sum += time;
  const double mean_of_others =
      places.size() < row.size() ? sum / static_cast<double>(row.size() - places.size()) : 1;
  for (const std::size_t place : places) row[place] = mean_of_others;

  auto& groups = group_means.emplace_back();
  const std::uint64_t size = std::uint64_t{OrderLog::kBlock} << stride;
  auto peak = log.peaks().begin();
  for (std::size_t g = 0; g < log.sums().size(); ++g) {
    auto n = static_cast<double>(std::min(size, log.count() - g * size)),
         took = static_cast<double>(log.sums()[g]);
    for (; peak != log.peaks().end() && peak->execution() / size == g; ++peak) {
      --n;
      took -= static_cast<double>(peak->duration());
    }
    groups.push_back(its_mean <= 0 ? 1
                     : n > 0       ? std::max(0.0, took / n / its_mean)
                                   : mean_of_others);
  }
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

std::shared_ptr<DurationOrder> LoggedPath::order(double step) const {
  if (members.empty() || mean <= 0) return nullptr;
  auto made = std::make_shared<DurationOrder>();
  made->stride = stride;
  for (const std::uint64_t count : executions)
    made->executions.append(static_cast<std::int64_t>(count));
  made->ranks = RankList::from_ranks(ranks);
  const auto in_units = [](double share) {
    return static_cast<std::int64_t>(
        std::clamp(std::round(share * DurationOrder::kOne), 1.0, 1e15));
  };
  const std::vector<double>& together = together_;
  shape_rows(*made, delta->ranks, !together.empty());
  made->step = in_units(step / mean);
  if (!together.empty())
    made->step_common = in_units(step / mean / std::sqrt(static_cast<double>(members.size())));
  const double unit = 1.0 / DurationOrder::kOne, own = static_cast<double>(made->step) * unit,
               shared = static_cast<double>(made->step_common) * unit;
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

void LoggedPath::set_peaks(DurationOrder& made) const {
  std::vector<double> all;
  for (std::size_t r = 0; r < peaks.size(); ++r)
    for (const OrderLog::Peak& peak : peaks[r])
      all.push_back(means[r] > 0 ? static_cast<double>(peak.duration()) / means[r] : 1);
  if (all.empty()) return;
  std::ranges::sort(all);
  const double alike = all.size() <= kFewPeaks ? kAlikeOfFew : kAlikeOfMany;
  std::vector<std::pair<double, std::int64_t>> levels;  // up to which duration, what stands for it
  for (std::size_t first = 0, next = 0; first < all.size(); first = next) {
    double sum = 0;
    for (; next < all.size() && all[next] <= alike * all[first]; ++next) sum += all[next];
    const double of_all = sum / static_cast<double>(next - first) * DurationOrder::kOne;
    levels.emplace_back(all[next - 1],
                        static_cast<std::int64_t>(std::round(std::min(of_all, 1e14))));
  }
  std::unordered_map<std::uint64_t, std::size_t> known;  // by hash, the number of the list
  for (std::size_t r = 0; r < peaks.size(); ++r) {
    DurationOrder::Peaks its;
    std::int64_t before = -1;
    for (const OrderLog::Peak& peak : peaks[r]) {
      const auto execution = static_cast<std::int64_t>(peak.execution());
      its.distances.append(execution - std::exchange(before, execution));
      const double duration = means[r] > 0 ? static_cast<double>(peak.duration()) / means[r] : 1;
      its.durations.append(
          std::ranges::lower_bound(levels, duration, {}, &std::pair<double, std::int64_t>::first)
              ->second);
    }
    if (peaks[r].empty()) {
      made.peaks_of_rows.append(0);
      continue;
    }
    auto& number = known[its.distances.hash() * kHashMultiplier + its.durations.hash()];
    if (number == 0 || made.peaks[number - 1] != its) {
      made.peaks.push_back(std::move(its));
      number = made.peaks.size();
    }
    made.peaks_of_rows.append(static_cast<std::int64_t>(number));
  }
}

double LoggedPath::longest_peaks() const {
  std::map<std::uint64_t, std::uint64_t> longest;
  for (const auto& its : peaks)
    for (const OrderLog::Peak& peak : its) {
      auto& most = longest[peak.execution()];
      most = std::max(most, peak.duration());
    }
  double sum = 0;
  for (const auto& [execution, duration] : longest) sum += static_cast<double>(duration);
  return sum;
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
  std::vector<double> residuals;
  for (std::size_t r = 0; r < usual.size(); ++r)
    for (std::size_t i = 0; i < usual[r].size(); ++i)
      residuals.push_back(usual[r][i] - 1 - own * made.rows[r].levels[i] -
                          (made.common.levels.empty() ? 0 : shared * made.common.levels[i]));
  const double least = *std::ranges::min_element(residuals);
  Distribution bins(DurationOrder::kResidualBins);
  const auto steps_of = [&](double residual) {
    return static_cast<std::int64_t>(std::round((residual - least) * DurationOrder::kOne));
  };
  for (const double residual : residuals) bins.add(Nanoseconds{steps_of(residual)}, Rank{0});
  const auto lowest = static_cast<std::int64_t>(std::round(least * DurationOrder::kOne));
  for (const auto& bin : bins.bins())
    made.residuals.push_back(
        {bin.count, lowest + (bin.sum + static_cast<std::int64_t>(bin.count) / 2) /
                                 static_cast<std::int64_t>(bin.count)});
}

}  // namespace reprise::trace_io
