// SPDX-License-Identifier: MIT
#include "trace-io/file/distribution_code.hpp"

#include <limits>
#include <utility>

#include "trace-io/file/rounded_code.hpp"

namespace reprise::trace_io {
namespace {

// All arithmetic is modulo 2⁶⁴ (squares: 2¹²⁸): what the reader adds is what the writer subtracted, whatever the values.
std::uint64_t bits(std::int64_t number) { return static_cast<std::uint64_t>(number); }

struct Means {
  std::uint64_t first = 0, last = 0;
  Wide least_squares = 0;
};

void account(Means& means, bool is_first, std::uint64_t mean, std::uint64_t count,
             std::uint64_t sum) {
  if (is_first) means.first = mean;
  means.last = mean;
  means.least_squares += static_cast<Wide>(sum) * sum / count;
}

}  // namespace

void put_distribution(ColumnWriter& out, const Distribution& distribution, bool is_scaled,
                      DistributionSetting& setting) {
  out.put_signed(Column::deltas,
                 static_cast<std::int64_t>(distribution.bin_limit()) - setting.usual_bins);
  const std::uint64_t previous_count = std::exchange(setting.previous_count, distribution.count());
  if (rounded(distribution, is_scaled) == distribution) {
    put_rounded(out, distribution, previous_count);
    return;
  }
  out.put(Column::bin_counts, 2 * distribution.bins().size());
  Means means;
  std::uint64_t previous = 0;
  const auto put_part = [&](std::uint64_t count, std::uint64_t sum, bool is_first) {
    out.put(Column::bin_counts, count);
    if (count == 0) return;
    const std::uint64_t mean = sum / count;
    out.put(Column::bin_times, mean - previous);
    if (count > 1) out.put(Column::bin_times, sum % count);
    account(means, is_first, mean, count, sum);
    previous = mean;
  };
  for (const auto& bin : distribution.bins())
    put_part(bin.count, bits(bin.sum), &bin == distribution.bins().data());
  if (distribution.bins().empty())
    put_part(distribution.count(), bits(distribution.sum().value), true);
  if (distribution.count() == 0) return;
  out.put(Column::extremes, means.first - bits(distribution.min().value.value));
  out.put(Column::extremes, bits(distribution.max().value.value) - means.last);
  out.put(Column::extreme_ranks, static_cast<std::uint32_t>(distribution.min().rank.value));
  out.put(Column::extreme_ranks, static_cast<std::uint32_t>(distribution.max().rank.value));
  const auto squares = distribution.squares();
  out.put_wide(Column::squares,
               ((static_cast<Wide>(squares.high) << 64) | squares.low) - means.least_squares);
}

Distribution take_distribution(ColumnReader& in, DistributionSetting& setting) {
  const std::int64_t difference = in.take_signed(Column::deltas);
  const auto limit = static_cast<std::int64_t>(bits(difference) + setting.usual_bins);
  if (limit < 0 || limit > std::numeric_limits<std::uint32_t>::max())
    in.refuse(Column::deltas, "a distribution's bin limit does not fit 32 bits");
  const std::uint64_t form =
      setting.version == 1 ? 2 * in.take(Column::bin_counts) : in.take(Column::bin_counts);
  if (form % 2 == 1) {
    Distribution distribution =
        take_rounded(in, static_cast<std::uint32_t>(limit), form / 2, setting);
    setting.previous_count = distribution.count();
    return distribution;
  }
  const std::uint64_t bin_count =
      in.checked_count(form / 2, Column::bin_counts, Column::bin_counts, "bins");
  Means means;
  std::uint64_t previous = 0, count = 0, sum = 0;
  const auto take_part = [&](bool is_first) {
    Distribution::Bin bin;
    bin.count = in.take(Column::bin_counts);
    if (bin.count == 0) return bin;
    const std::uint64_t mean = previous + in.take(Column::bin_times);
    const std::uint64_t rest = bin.count > 1 ? in.take(Column::bin_times) : 0;
    const std::uint64_t bin_sum = mean * bin.count + rest;
    if (rest >= bin.count || bin_sum / bin.count != mean ||
        bin_sum > bits(std::numeric_limits<std::int64_t>::max()))
      in.refuse(Column::bin_times, "a bin's times do not add up");
    account(means, is_first, mean, bin.count, bin_sum);
    previous = mean;
    bin.sum = static_cast<std::int64_t>(bin_sum);
    count += bin.count;
    sum += bin_sum;
    return bin;
  };
  std::vector<Distribution::Bin> bins;
  bins.reserve(bin_count);
  for (std::uint64_t i = 0; i < bin_count; ++i) bins.push_back(take_part(i == 0));
  if (bins.empty()) take_part(true);
  Extreme min, max;
  Distribution::Squares squares;
  if (count > 0) {
    min.value = Nanoseconds{static_cast<std::int64_t>(means.first - in.take(Column::extremes))};
    max.value = Nanoseconds{static_cast<std::int64_t>(means.last + in.take(Column::extremes))};
    const auto limit_ranks = static_cast<std::uint64_t>(setting.ranks);
    min.rank = Rank{static_cast<std::int32_t>(
        in.take_index(Column::extreme_ranks, limit_ranks, "rank", "ranks"))};
    max.rank = Rank{static_cast<std::int32_t>(
        in.take_index(Column::extreme_ranks, limit_ranks, "rank", "ranks"))};
    const Wide all = means.least_squares + in.take_wide(Column::squares);
    squares = {static_cast<std::uint64_t>(all >> 64), static_cast<std::uint64_t>(all)};
  }
  setting.previous_count = count;
  return Distribution::from_parts(static_cast<std::uint32_t>(limit), count,
                                  static_cast<std::int64_t>(sum), squares, min, max,
                                  std::move(bins));
}

}  // namespace reprise::trace_io
