// SPDX-License-Identifier: MIT
#include "trace-io/file/distribution_code.hpp"

#include <limits>
#include <utility>

#include "trace-io/model/distribution_rounding.hpp"

namespace reprise::trace_io {
namespace {

using Bin = Distribution::Bin;

constexpr ShortFloat<std::uint64_t> kLongGap{
    10};  // of the form that is read, but not written any more

// Arithmetic is modulo 2⁶⁴, as in distribution_code.cpp.
std::uint64_t bits(std::int64_t number) { return static_cast<std::uint64_t>(number); }

std::uint64_t mean_of(const Bin& bin) { return bits(bin.sum) / bin.count; }

// The code that the excess of squares would have if a bin's durations filled a quarter of the way between its neighbours' means: what
// its code is relative to.
std::uint64_t expected_excess(std::span<const Bin> bins, std::uint64_t least, std::uint64_t most) {
  Wide spread = 0;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    if (bins[i].count == 1) continue;
    const std::uint64_t below = i == 0 ? least : mean_of(bins[i - 1]),
                        above = i + 1 == bins.size() ? most : mean_of(bins[i + 1]);
    spread += bins[i].count * Wide{above - below} * (above - below);
  }
  return kRoundedSquares.code(kRoundedSquares.rounded(spread % (Wide{1} << 126U) / 16));
}

class RoundedReader {
 public:
  RoundedReader(ColumnReader& in, const DistributionContext& setting)
      : in_(in), setting_(setting) {}

  Distribution take(std::uint32_t bin_limit, std::uint64_t form) {
    std::uint64_t fullest = form / (std::uint64_t{bin_limit} + 1);
    const bool is_short = fullest >= bin_limit;
    if (is_short) fullest -= bin_limit;
    const std::uint64_t bin_count = in_.checked_count(
        form % (std::uint64_t{bin_limit} + 1), Column::bin_counts, Column::bin_counts, "bins");
    if (fullest >= bin_count)
      in_.refuse(Column::bin_counts, "the fullest bin is none of " + std::to_string(bin_count));
    take_counts(bin_count, fullest);
    Extreme min, max;
    const std::uint64_t least = in_.take(Column::bin_times);
    const std::uint64_t most = least + in_.take(Column::extremes);
    if (is_short)
      take_all_and_gaps(least, most, fullest);
    else
      take_means(least, most, fullest);
    min.value = Nanoseconds{static_cast<std::int64_t>(least)};
    max.value = Nanoseconds{static_cast<std::int64_t>(most)};
    min.rank = take_rank();
    max.rank = take_rank();
    Wide squares = kRoundedSquares.number(
        is_short ? take_excess(least, most)
                 : take_code(Column::squares, kRoundedSquares.largest_code()));
    std::int64_t sum = 0;
    for (const Bin& bin : bins_)
      if (__builtin_add_overflow(sum, bin.sum, &sum)) refuse_times();
    squares += least_squares(bins_);
    return Distribution::from_parts(bin_limit, count_, sum, Distribution::Squares::of(squares), min,
                                    max, std::move(bins_));
  }

 private:
  void take_counts(std::uint64_t bin_count, std::uint64_t fullest) {
    count_ = setting_.previous_count + bits(in_.take_signed(Column::bin_counts));
    bins_.resize(bin_count);
    std::uint64_t left = count_;
    for (std::uint64_t i = 0; i < bin_count; ++i) {
      if (i == fullest) continue;
      bins_[i].count = in_.take(Column::bin_counts);
      if (bins_[i].count == 0 || bins_[i].count >= left)
        in_.refuse(Column::bin_counts, "a bin's count is 0 or leaves nothing for the fullest bin");
      left -= bins_[i].count;
    }
    if (left == 0) in_.refuse(Column::bin_counts, "a rounded distribution counts nothing");
    bins_[fullest].count = left;
  }

  void take_means(std::uint64_t least, std::uint64_t most, std::uint64_t fullest) {
    std::uint64_t below = least, above = most;
    for (std::uint64_t i = 0; i < fullest; ++i) set_sum(bins_[i], below += take_long_gap(), 0);
    for (std::uint64_t i = bins_.size() - 1; i > fullest; --i)
      set_sum(bins_[i], above -= take_long_gap(), 0);
    Bin& bin = bins_[fullest];
    const std::uint64_t mean = below + in_.take(Column::bin_times);
    const std::uint64_t rest = bin.count > 1 ? in_.take(Column::bin_times) : 0;
    if (rest >= bin.count) refuse_times();
    set_sum(bin, mean, rest);
  }

  // The sum of all comes first: it says how finely the bins are placed.
  void take_all_and_gaps(std::uint64_t least, std::uint64_t most, std::uint64_t fullest) {
    Bin all{count_, 0};
    set_sum(all, least, in_.take(Column::bin_times));
    const std::int64_t sum = all.sum;
    const auto take_gap = [&](const Bin& bin) {
      const GapCode code(sum, bins_.size(), bin.count);
      return code.number(take_code(Column::bin_times, code.largest_code()));
    };
    const auto place = [&](Bin& bin, std::uint64_t at) {
      set_sum(bin, at, 0);
      if (__builtin_sub_overflow(all.sum, bin.sum, &all.sum) || all.sum < 0) refuse_times();
    };
    std::uint64_t below = least, above = most;
    for (std::uint64_t i = 0; i < fullest; ++i) place(bins_[i], below += take_gap(bins_[i]));
    for (std::uint64_t i = bins_.size() - 1; i > fullest; --i)
      place(bins_[i], above -= take_gap(bins_[i]));
    bins_[fullest].sum = all.sum;
  }

  std::uint64_t take_excess(std::uint64_t least, std::uint64_t most) {
    const std::uint64_t distance = in_.take(Column::squares);
    if (distance == 0) return 0;
    const std::uint64_t code = expected_excess(bins_, least, most) +
                               (((distance - 1) >> 1U) ^ (0 - ((distance - 1) & 1U)));
    if (code - 1 >= kRoundedSquares.largest_code()) refuse_code(Column::squares, code);
    return code;
  }

  void set_sum(Bin& bin, std::uint64_t mean, std::uint64_t rest) {
    const Wide sum = Wide{mean} * bin.count + rest;
    if (sum >> 63U != 0) refuse_times();
    bin.sum = static_cast<std::int64_t>(sum);
  }

  std::uint64_t take_long_gap() {
    return kLongGap.number(take_code(Column::bin_times, kLongGap.largest_code()));
  }

  std::uint64_t take_code(Column column, std::uint64_t largest) {
    const std::uint64_t code = in_.take(column);
    if (code > largest) refuse_code(column, code);
    return code;
  }

  Rank take_rank() {
    const auto limit = static_cast<std::uint64_t>(setting_.ranks);
    return Rank{
        static_cast<std::int32_t>(in_.take_index(Column::extreme_ranks, limit, "rank", "ranks"))};
  }

  [[noreturn]] void refuse_code(Column column, std::uint64_t code) const {
    in_.refuse(column, "code " + std::to_string(code) + " of a rounded number does not exist");
  }
  [[noreturn]] void refuse_times() const {
    in_.refuse(Column::bin_times, "a bin's times do not add up");
  }

  ColumnReader& in_;
  const DistributionContext& setting_;
  std::uint64_t count_ = 0;
  std::vector<Bin> bins_;
};

void put_rounded(ColumnWriter& out, const Distribution& distribution,
                 std::uint64_t previous_count) {
  const auto bins = distribution.bins();
  const std::size_t fullest = fullest_bin(bins);
  const std::uint64_t limit = distribution.bin_limit(), count = distribution.count(),
                      sum = bits(distribution.sum().value);
  out.put(Column::bin_counts, 1 + 2 * (bins.size() + (limit + 1) * (limit + fullest)));
  out.put_signed(Column::bin_counts, static_cast<std::int64_t>(count - previous_count));
  for (std::size_t i = 0; i < bins.size(); ++i) {
    if (i != fullest) out.put(Column::bin_counts, bins[i].count);
  }
  const std::uint64_t least = bits(distribution.min().value.value),
                      most = bits(distribution.max().value.value);
  out.put(Column::bin_times, least);
  out.put(Column::extremes, most - least);
  out.put(Column::bin_times, sum - count * least);
  const auto put_gap = [&](const Bin& bin, std::uint64_t gap) {
    out.put(Column::bin_times, GapCode(distribution.sum().value, bins.size(), bin.count).code(gap));
  };
  std::uint64_t below = least, above = most;
  for (std::size_t i = 0; i < fullest; ++i)
    put_gap(bins[i], mean_of(bins[i]) - std::exchange(below, mean_of(bins[i])));
  for (std::size_t i = bins.size() - 1; i > fullest; --i)
    put_gap(bins[i], std::exchange(above, mean_of(bins[i])) - mean_of(bins[i]));
  out.put(Column::extreme_ranks, static_cast<std::uint32_t>(distribution.min().rank.value));
  out.put(Column::extreme_ranks, static_cast<std::uint32_t>(distribution.max().rank.value));
  const std::uint64_t excess =
      kRoundedSquares.code(distribution.squares().value() - least_squares(bins));
  const auto distance = static_cast<std::int64_t>(excess - expected_excess(bins, least, most));
  out.put(Column::squares, excess == 0 ? 0 : 1 + zigzag(distance));
}

Distribution take_rounded(ColumnReader& in, std::uint32_t bin_limit, std::uint64_t form,
                          const DistributionContext& setting) {
  return RoundedReader(in, setting).take(bin_limit, form);
}

// All arithmetic is modulo 2⁶⁴ (squares: 2¹²⁸): what the reader adds is what the writer subtracted, whatever the values.

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
                      DistributionContext& setting) {
  out.put_signed(Column::deltas,
                 static_cast<std::int64_t>(distribution.bin_limit()) - setting.default_bins);
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

Distribution take_distribution(ColumnReader& in, DistributionContext& setting) {
  const std::int64_t difference = in.take_signed(Column::deltas);
  const auto limit = static_cast<std::int64_t>(bits(difference) + setting.default_bins);
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
