// SPDX-License-Identifier: MIT
#include "trace-io/model/distribution_rounding.hpp"

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace reprise::trace_io {
namespace {

using Bin = Distribution::Bin;

constexpr ShortFloat<std::uint64_t> kFloatGap{6};

std::int64_t nearest_mean(const Bin& bin) {
  return static_cast<std::int64_t>((static_cast<std::uint64_t>(bin.sum) + bin.count / 2) /
                                   bin.count);
}

// False where a bin lies beyond an extreme or the rest of the sum is none.
bool round_means(std::vector<Bin>& bins, const Distribution& of) {
  const std::size_t fullest = fullest_bin(bins);
  const auto rounded_gap = [&](const Bin& bin, std::int64_t gap) {
    return static_cast<std::int64_t>(
        GapCode(of.sum().value, bins.size(), bin.count).rounded(static_cast<std::uint64_t>(gap)));
  };
  const auto set_mean = [](Bin& bin, std::int64_t mean) {
    return mean >= 0 &&
           !__builtin_mul_overflow(mean, static_cast<std::int64_t>(bin.count), &bin.sum);
  };
  std::int64_t from = of.min().value.value;
  std::int64_t rest = of.sum().value;
  for (std::size_t i = 0; i < fullest; ++i) {
    const std::int64_t mean = nearest_mean(bins[i]);
    if (mean < from) return false;
    from += rounded_gap(bins[i], mean - from);
    if (!set_mean(bins[i], from) || (rest -= bins[i].sum) < 0) return false;
  }
  from = of.max().value.value;
  for (std::size_t i = bins.size() - 1; i > fullest; --i) {
    const std::int64_t mean = nearest_mean(bins[i]);
    if (mean > from) return false;
    from -= rounded_gap(bins[i], from - mean);
    if (!set_mean(bins[i], from) || (rest -= bins[i].sum) < 0) return false;
  }
  bins[fullest].sum = rest;
  return true;
}

bool moves_little(std::span<const Bin> before, std::span<const Bin> after, std::int64_t sum) {
  double moved = 0;
  for (std::size_t i = 0; i < before.size(); ++i)
    moved += std::abs(static_cast<double>(after[i].sum - before[i].sum));
  return moved <= kLargestShift * static_cast<double>(sum);
}

}  // namespace

// Rounding by half a step moves the bin's durations, and the fullest bin's as far the other way.
GapCode::GapCode(std::int64_t sum, std::size_t bins, std::uint64_t count) {
  static_assert(kLargestShift == 1.0 / 1024);
  const Wide steps = (static_cast<Wide>(bins - 1) * count) << 10U;
  for (Wide step = static_cast<Wide>(sum) / steps; step > 1; step >>= 1U) ++shift_;
}

std::uint64_t GapCode::rounded(std::uint64_t gap) const {
  if (is_float(gap)) return kFloatGap.rounded(gap);
  return (gap + (std::uint64_t{1} << shift_ >> 1U)) >> shift_ << shift_;
}

std::uint64_t GapCode::code(std::uint64_t gap) const {
  return is_float(gap) ? kFloatGap.code(gap) : (std::uint64_t{shift_} << 5U) + (gap >> shift_);
}

std::uint64_t GapCode::number(std::uint64_t code) const {
  const std::uint64_t floats = std::uint64_t{shift_} << 5U;
  return code < floats + 64 ? kFloatGap.number(code) : (code - floats) << shift_;
}

std::uint64_t GapCode::largest_code() const {
  return (std::uint64_t{shift_} << 5U) + (~std::uint64_t{0} >> 1U >> shift_);
}

std::size_t fullest_bin(std::span<const Bin> bins) {
  const auto fullest = std::max_element(
      bins.begin(), bins.end(), [](const Bin& a, const Bin& b) { return a.count < b.count; });
  return static_cast<std::size_t>(fullest - bins.begin());
}

std::optional<Distribution> rounded(const Distribution& exact, bool bins_are_scaled) {
  if (exact.bins().empty()) return std::nullopt;
  std::vector<Bin> bins(exact.bins().begin(), exact.bins().end());
  if (!round_means(bins, exact) || !moves_little(exact.bins(), bins, exact.sum().value))
    return std::nullopt;
  const Wide squares = exact.squares().value();
  const Wide least = least_squares(exact.bins());
  if (squares < least || squares - least >= Wide{1} << 126U) return std::nullopt;
  const Wide now = least_squares(bins) + kRoundedSquares.rounded(squares - least);
  Distribution result = Distribution::from_parts(exact.bin_limit(), exact.count(),
                                                 exact.sum().value, Distribution::Squares::of(now),
                                                 exact.min(), exact.max(), std::move(bins));
  if (!result.consistent(bins_are_scaled)) return std::nullopt;
  result.follow(exact.rule());
  return result;
}

}  // namespace reprise::trace_io
