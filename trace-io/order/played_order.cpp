// SPDX-License-Identifier: MIT
#include "trace-io/order/played_order.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "trace-io/base/integers.hpp"

namespace reprise::trace_io {
namespace {

constexpr double kUnit = 1.0 / static_cast<double>(DurationOrder::kOne);

constexpr double kNoLimit = std::numeric_limits<double>::infinity();
constexpr int kRounds = 64;  // some three are needed

double phase_of(std::uint64_t key) { return static_cast<double>(key >> 11U) * 0x1p-53; }

// Inlined always, as what has it: a rank's executions are played one after the other, and all but `place` is theirs.
[[gnu::always_inline]] inline std::uint64_t permuted_here(std::uint64_t place, std::uint64_t n,
                                                          std::uint64_t key) {
  if (n < 2) return 0;
  const auto bits = static_cast<unsigned>(std::bit_width(n - 1));
  const std::uint64_t mask = ~std::uint64_t{0} >> (64U - bits);
  const unsigned half = (bits + 1) / 2;
  do {
    place = (place * 0x9e3779b97f4a7c15U + key) & mask;
    place ^= place >> half;
    place = (place * (key | 1U)) & mask;
    place ^= place >> half;
    place = (place * 0xbf58476d1ce4e5b9U + (key >> 32U)) & mask;
    place ^= place >> half;
    place = (place * 0x94d049bb133111ebU) & mask;
  } while (place >= n);
  return place;
}

}  // namespace

std::uint64_t permuted(std::uint64_t place, std::uint64_t n, std::uint64_t key) {
  return permuted_here(place, n, key);
}

// Two classes are told apart by what they hold: the same for every reader of the trace.
PlayedOrder::PlayedOrder(const DeltaClass& delta, std::uint64_t seed)
    : delta_(delta),
      members_(delta.ranks.ranks()),
      with_rows_(delta.order != nullptr ? delta.order->ranks.ranks() : std::vector<Rank>()),
      key_(mixed_bits(mixed_bits(seed + kHashMultiplier) ^
                      static_cast<std::uint64_t>(delta.durations.sum().value) * kHashMultiplier ^
                      delta.durations.count())),
      order_(delta.order.get()) {
  if (order_ == nullptr) {
    const double mean = delta.durations.mean_ns();
    if (mean > 0)
      set_bins(delta.durations.bins(), [mean](const Distribution::Bin& bin) {
        return static_cast<double>(bin.sum) / static_cast<double>(bin.count) / mean;
      });
    return;
  }
  executions_ = order_->executions.unrolled();
  step_ = static_cast<double>(order_->step) * kUnit;
  step_common_ = static_cast<double>(order_->step_common) * kUnit;
  if (!order_->common.levels.empty()) common_ = &order_->common;
  for (const DurationOrder::Peaks& one : order_->peaks) {
    Peaks& peaks = peaks_.emplace_back();
    std::uint64_t execution = ~std::uint64_t{0};
    for (const std::int64_t distance : one.distances.unrolled())
      peaks.executions.push_back(execution += static_cast<std::uint64_t>(distance));
    for (const std::int64_t duration : one.durations.unrolled())
      peaks.values.push_back(static_cast<double>(duration) * kUnit);
  }
  peaks_of_rows_ = order_->peaks_of_rows.unrolled();
  set_bins(order_->residuals, [](const DurationOrder::Residual& residual) {
    return static_cast<double>(residual.value) * kUnit;
  });
}

template <class Bins, class Value>
void PlayedOrder::set_bins(const Bins& bins, const Value& value) {
  double all = 0, end = 0;
  for (const auto& bin : bins) all += static_cast<double>(bin.count);
  for (const auto& bin : bins) {
    if (bin.count == 0) continue;
    end += static_cast<double>(bin.count) / all;
    bins_.push_back({end, value(bin)});
  }
  if (!bins_.empty()) bins_.back().end = 2;
}

PlayedOrder::OfRank PlayedOrder::open(Rank rank, double mean_ns, std::vector<double>* kept) const {
  OfRank played;
  played.most =
      mean_ns > 0
          ? std::max(kAbove, static_cast<double>(delta_.durations.max().value.value) / mean_ns)
          : kNoLimit;
  played.key = mixed_bits(key_ + mixed_bits(static_cast<std::uint64_t>(rank.value) + 1));
  const auto member =
      static_cast<std::size_t>(std::ranges::lower_bound(members_, rank) - members_.begin());
  if (order_ == nullptr) {
    const std::uint64_t ranks = members_.size();
    played.executions = std::max<std::uint64_t>(1, (delta_.durations.count() + ranks - 1) / ranks);
    scale_bins(played);
    return played;
  }
  played.executions = static_cast<std::uint64_t>(std::max<std::int64_t>(1, executions_[member]));
  const auto row = std::ranges::lower_bound(with_rows_, rank);
  if (row != with_rows_.end() && *row == rank) {
    const auto place = static_cast<std::size_t>(row - with_rows_.begin());
    played.row = &order_->rows[place];
    if (place < peaks_of_rows_.size() && peaks_of_rows_[place] > 0)
      played.peaks = &peaks_[static_cast<std::size_t>(peaks_of_rows_[place] - 1)];
  }
  std::vector<double> own;
  std::vector<double>& values = kept != nullptr ? *kept : own;
  const std::uint64_t places = OrderLog::kept_of(played.executions, order_->stride);
  values.resize(static_cast<std::size_t>(places));
  for (std::uint64_t i = 0; i < places; ++i) values[i] = kept_value(played, i, places);
  if (order_->stride == 0)
    scale_kept(played, values);
  else
    scale_groups(played, values);
  return played;
}

// So that the mean is 1. Where some would take more than the most, what is beyond it goes to the others, which may take those beyond it:
// again, until none is. `for_each(add)` calls add(value, how often) for all executions.
template <class ForEach>
void PlayedOrder::set_scale(OfRank& played, const ForEach& for_each) {
  const auto n = static_cast<double>(played.executions);
  double sum = 0, largest = 0;
  for_each([&](double value, double times) {
    sum += value * times;
    if (times > 0) largest = std::max(largest, value);
  });
  if (sum <= 0) {
    played.most = kNoLimit;
    return;
  }
  played.scale = n / sum;
  if (played.scale * largest <= played.most) return;
  for (int round = 0; round < kRounds; ++round) {
    double at_most = 0, below = 0;
    for_each([&](double value, double times) {
      if (played.scale * value >= played.most)
        at_most += times;
      else
        below += value * times;
    });
    const double left = n - at_most * played.most;
    if (below <= 0 || left <= 0) break;  // executions of no time take none however scaled
    const double before = std::exchange(played.scale, left / below);
    if (played.scale <= before * (1 + 1e-12)) return;
  }
  played.scale = n / sum;
  played.most = kNoLimit;
}

// Of all places p the share (p + phase) / n is below the end of a bin for as many as lie below end · n − phase.
void PlayedOrder::scale_bins(OfRank& played) const {
  const auto n = static_cast<double>(played.executions);
  set_scale(played, [&](const auto& add) {
    double below = 0;
    for (const Bin& bin : bins_) {
      const double under = std::clamp(std::ceil(bin.end * n - phase_of(played.key)), below, n);
      add(bin.value, under - below);
      below = under;
    }
  });
}

void PlayedOrder::scale_kept(OfRank& played, const std::vector<double>& values) {
  set_scale(played, [&](const auto& add) {
    for (const double value : values) add(value, 1);
  });
}

void PlayedOrder::scale_groups(OfRank& played, const std::vector<double>& values) const {
  const std::uint64_t group_size = std::uint64_t{OrderLog::kBlock} << order_->stride;
  const std::size_t groups = OrderLog::groups_of(played.executions, order_->stride);
  played.factors = std::make_unique<double[]>(groups);
  // Those not kept repeat the block; of the last time perhaps its beginning alone.
  const auto for_each_of = [&](std::size_t group, const auto& add, const auto& add_repeated) {
    const std::uint64_t first = group * OrderLog::kBlock,
                        last = std::min<std::uint64_t>(first + OrderLog::kBlock, values.size()),
                        executions = std::min(group_size, played.executions - group * group_size);
    const std::uint64_t whole = executions / OrderLog::kBlock, rest = executions % OrderLog::kBlock;
    for (std::uint64_t i = first; i < last; ++i) {
      add(values[i], 1);
      if (whole > 0)
        add_repeated(values[i], static_cast<double>(whole - 1) + (i - first < rest ? 1 : 0));
    }
  };
  for (std::size_t group = 0; group < groups; ++group) {
    double block = 0, repeated = 0, here = 0;
    for_each_of(
        group,
        [&](double value, double times) {
          block += value;
          here += times;
        },
        [&](double value, double times) { repeated += value * times; });
    double more = 0;
    constexpr double kParts = DurationOrder::kGroupSteps;
    if (common_ != nullptr && group < common_->groups.size())
      more += step_common_ / kParts * common_->groups[group];
    if (played.row != nullptr && group < played.row->groups.size())
      more += step_ / kParts * played.row->groups[group];
    const auto executions =
        static_cast<double>(std::min(group_size, played.executions - group * group_size));
    const double wanted = std::max(0.0, block / here + more) * executions - block;
    played.factors[group] = repeated > 0 ? std::max(0.0, wanted / repeated) : 1;
  }
  set_scale(played, [&](const auto& add) {
    for (std::size_t group = 0; group < groups; ++group)
      for_each_of(group, add,
                  [&](double value, double times) { add(value * played.factors[group], times); });
    if (played.peaks == nullptr) return;
    for (std::size_t i = 0; i < played.peaks->executions.size(); ++i)
      if (const std::uint64_t number = played.peaks->executions[i]; number < played.executions) {
        add(played.peaks->values[i], 1);
        add(usual_value(played, number), -1);
      }
  });
}

[[gnu::always_inline]] inline double PlayedOrder::bin_value(const OfRank& played,
                                                            std::uint64_t place,
                                                            std::uint64_t places,
                                                            std::uint64_t key) const {
  if (bins_.size() < 2) return bins_.empty() ? 0 : bins_.front().value;
  const double share =
      (static_cast<double>(permuted_here(place, places, key)) + phase_of(played.key)) /
      static_cast<double>(places);
  // Shares come in no order: a search that ends somewhere is foreseen wrongly as often as not, counting all ends below one is not.
  constexpr std::size_t kFew = 8;
  std::size_t bin = 0;
  if (bins_.size() <= kFew)
    for (const Bin& one : bins_) bin += share >= one.end ? 1 : 0;
  else
    while (share >= bins_[bin].end) ++bin;
  return bins_[bin].value;
}

[[gnu::always_inline]] inline double PlayedOrder::kept_value(const OfRank& played,
                                                             std::uint64_t place,
                                                             std::uint64_t places) const {
  double value = 1;
  if (common_ != nullptr && place < common_->levels.size())
    value += step_common_ * common_->levels[static_cast<std::size_t>(place)];
  if (played.row != nullptr && place < played.row->levels.size())
    value += step_ * played.row->levels[static_cast<std::size_t>(place)];
  return std::max(0.0, value + bin_value(played, place, places, played.key));
}

std::uint64_t PlayedOrder::repeating(const OfRank& played, std::uint64_t number,
                                     std::uint64_t period) const {
  if (order_ == nullptr) return kNeverEnds;
  if (stretch(played, number) % 2 == 0) return 0;
  number %= played.executions;
  const std::uint64_t group_size = std::uint64_t{OrderLog::kBlock} << order_->stride;
  std::uint64_t end = std::min((number / group_size + 1) * group_size, played.executions);
  if (played.peaks != nullptr) {
    const auto& peaks = played.peaks->executions;
    auto peak = std::ranges::lower_bound(peaks, number > period ? number - period : 0);
    if (peak != peaks.end() && *peak < number) end = std::min(end, *peak + period);
    peak = std::ranges::lower_bound(peaks, number);
    if (peak != peaks.end()) end = std::min(end, *peak);
  }
  return end - number;
}

std::uint64_t PlayedOrder::stretch(const OfRank& played, std::uint64_t number) const {
  if (order_ == nullptr || order_->stride == 0) return 0;
  const std::uint64_t times = number / played.executions, group_bits = order_->stride;
  number -= times * played.executions;
  const std::uint64_t block = number >> OrderLog::kBlockBits, group = block >> group_bits;
  const std::uint64_t groups = OrderLog::groups_of(played.executions, order_->stride);
  return 2 * (times * groups + group) + (group << group_bits == block ? 0 : 1);
}

double PlayedOrder::value(const OfRank& played, std::uint64_t number) const {
  if (order_ == nullptr) {
    if (bins_.empty()) return 1;
    const std::uint64_t cycle = number < played.executions ? 0 : number / played.executions;
    return std::min(
        played.most,
        played.scale * bin_value(played, number - cycle * played.executions, played.executions,
                                 played.key + cycle * kHashMultiplier));
  }
  if (number >= played.executions) number %= played.executions;
  if (order_->stride == 0)
    return std::min(played.most, played.scale * kept_value(played, number, played.executions));
  if (played.peaks != nullptr) {
    const auto& peaks = played.peaks->executions;
    if (const auto peak = std::ranges::lower_bound(peaks, number);
        peak != peaks.end() && *peak == number)
      return std::min(
          played.most,
          played.scale * played.peaks->values[static_cast<std::size_t>(peak - peaks.begin())]);
  }
  return std::min(played.most, played.scale * usual_value(played, number));
}

double PlayedOrder::usual_value(const OfRank& played, std::uint64_t number) const {
  const std::uint64_t block = number >> OrderLog::kBlockBits, group = block >> order_->stride;
  const std::uint64_t place = group * OrderLog::kBlock + (number & (OrderLog::kBlock - 1));
  const double kept =
      kept_value(played, place, OrderLog::kept_of(played.executions, order_->stride));
  const double factor =
      group << order_->stride == block ? 1 : played.factors[static_cast<std::size_t>(group)];
  return kept * factor;
}

}  // namespace reprise::trace_io
