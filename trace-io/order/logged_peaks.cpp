// SPDX-License-Identifier: MIT
// Of the logs of one class: executions that took far longer than most (model/order_log.hpp), apart from the rest.
#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

#include "trace-io/base/integers.hpp"
#include "trace-io/order/logged_path.hpp"

namespace reprise::trace_io {
namespace {

// The longest over the shortest of peaks that are taken for one duration: where there are few, they can be told apart.
constexpr std::size_t kFewPeaks = 512;
constexpr double kAlikeOfFew = 1.02, kAlikeOfMany = 1.1;

}  // namespace

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

}  // namespace reprise::trace_io
