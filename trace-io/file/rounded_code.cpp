// SPDX-License-Identifier: MIT
#include "trace-io/file/rounded_code.hpp"

#include <utility>

namespace reprise::trace_io {
namespace {

using Bin = Distribution::Bin;

// Arithmetic is modulo 2⁶⁴, as in distribution_code.cpp.
std::uint64_t bits(std::int64_t number) { return static_cast<std::uint64_t>(number); }

WideNumber least_squares(const Bin& bin) { return static_cast<WideNumber>(bin.sum) * static_cast<WideNumber>(bin.sum) / bin.count; }

class Taker {
 public:
  Taker(ColumnReader& in, const DistributionSetting& setting) : in_(in), setting_(setting) {}

  Distribution take(std::uint32_t bin_limit, std::uint64_t form) {
    const std::uint64_t fullest = form / (std::uint64_t{bin_limit} + 1);
    const std::uint64_t bin_count =
        in_.checked_count(form % (std::uint64_t{bin_limit} + 1), Column::bin_counts, Column::bin_counts, "bins");
    if (fullest >= bin_count) in_.refuse(Column::bin_counts, "the fullest bin is none of " + std::to_string(bin_count));
    take_counts(bin_count, fullest);
    Extreme min, max;
    const std::uint64_t least = in_.take(Column::bin_times);
    const std::uint64_t most = least + in_.take(Column::extremes);
    take_means(least, most, fullest);
    min.value = Nanoseconds{static_cast<std::int64_t>(least)};
    max.value = Nanoseconds{static_cast<std::int64_t>(most)};
    min.rank = take_rank();
    max.rank = take_rank();
    WideNumber squares = kRoundedSquares.number(take_code(Column::squares, kRoundedSquares.largest_code()));
    std::int64_t sum = 0;
    for (const Bin& bin : bins_) {
      squares += least_squares(bin);
      if (__builtin_add_overflow(sum, bin.sum, &sum)) refuse_times();
    }
    return Distribution::from_parts(bin_limit, count_, sum,
                                    {static_cast<std::uint64_t>(squares >> 64U), static_cast<std::uint64_t>(squares)}, min, max,
                                    std::move(bins_));
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
    for (std::uint64_t i = 0; i < fullest; ++i) set_sum(bins_[i], below += take_gap(), 0);
    for (std::uint64_t i = bins_.size() - 1; i > fullest; --i) set_sum(bins_[i], above -= take_gap(), 0);
    Bin& bin = bins_[fullest];
    const std::uint64_t mean = below + in_.take(Column::bin_times);
    const std::uint64_t rest = bin.count > 1 ? in_.take(Column::bin_times) : 0;
    if (rest >= bin.count) refuse_times();
    set_sum(bin, mean, rest);
  }

  void set_sum(Bin& bin, std::uint64_t mean, std::uint64_t rest) {
    const WideNumber sum = WideNumber{mean} * bin.count + rest;
    if (sum >> 63U != 0) refuse_times();
    bin.sum = static_cast<std::int64_t>(sum);
  }

  std::uint64_t take_gap() { return kRoundedGap.number(take_code(Column::bin_times, kRoundedGap.largest_code())); }

  std::uint64_t take_code(Column column, std::uint64_t largest) {
    const std::uint64_t code = in_.take(column);
    if (code > largest) in_.refuse(column, "code " + std::to_string(code) + " of a rounded number does not exist");
    return code;
  }

  Rank take_rank() {
    const auto limit = static_cast<std::uint64_t>(setting_.ranks);
    return Rank{static_cast<std::int32_t>(in_.take_index(Column::extreme_ranks, limit, "rank", "ranks"))};
  }

  [[noreturn]] void refuse_times() const { in_.refuse(Column::bin_times, "a bin's times do not add up"); }

  ColumnReader& in_;
  const DistributionSetting& setting_;
  std::uint64_t count_ = 0;
  std::vector<Bin> bins_;
};

}  // namespace

void put_rounded(ColumnWriter& out, const Distribution& distribution, std::uint64_t previous_count) {
  const auto bins = distribution.bins();
  const std::size_t fullest = fullest_bin(bins);
  out.put(Column::bin_counts, 1 + 2 * (bins.size() + (std::uint64_t{distribution.bin_limit()} + 1) * fullest));
  out.put_signed(Column::bin_counts, static_cast<std::int64_t>(distribution.count() - previous_count));
  WideNumber least = 0;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    if (i != fullest) out.put(Column::bin_counts, bins[i].count);
    least += least_squares(bins[i]);
  }
  const auto mean_of = [](const Bin& bin) { return bits(bin.sum) / bin.count; };
  std::uint64_t below = bits(distribution.min().value.value), above = bits(distribution.max().value.value);
  out.put(Column::bin_times, below);
  out.put(Column::extremes, above - below);
  for (std::size_t i = 0; i < fullest; ++i)
    out.put(Column::bin_times, kRoundedGap.code(mean_of(bins[i]) - std::exchange(below, mean_of(bins[i]))));
  for (std::size_t i = bins.size() - 1; i > fullest; --i)
    out.put(Column::bin_times, kRoundedGap.code(std::exchange(above, mean_of(bins[i])) - mean_of(bins[i])));
  out.put(Column::bin_times, mean_of(bins[fullest]) - below);
  if (bins[fullest].count > 1) out.put(Column::bin_times, bits(bins[fullest].sum) % bins[fullest].count);
  out.put(Column::extreme_ranks, static_cast<std::uint32_t>(distribution.min().rank.value));
  out.put(Column::extreme_ranks, static_cast<std::uint32_t>(distribution.max().rank.value));
  const auto squares = distribution.squares();
  out.put(Column::squares, kRoundedSquares.code(((WideNumber{squares.high} << 64U) | squares.low) - least));
}

Distribution take_rounded(ColumnReader& in, std::uint32_t bin_limit, std::uint64_t form, const DistributionSetting& setting) {
  return Taker(in, setting).take(bin_limit, form);
}

}  // namespace reprise::trace_io
