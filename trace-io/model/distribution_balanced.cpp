// SPDX-License-Identifier: MIT
// Distributions whose bins follow a balanced rule: where the ranges come from.
#include <algorithm>
#include <array>

#include "trace-io/model/balanced_bins.hpp"
#include "trace-io/model/distribution.hpp"

namespace reprise::trace_io {
namespace {

__extension__ using Wide = unsigned __int128;

// What the sum of squares says beyond the bins. Means of split bins are estimates and may say too much.
double squares_within(Distribution::Squares squares, std::span<const Distribution::Bin> bins) {
  Wide between = 0;
  for (const auto& bin : bins)
    between += static_cast<Wide>(bin.sum) * static_cast<Wide>(bin.sum) / bin.count;
  const Wide all = (Wide{squares.high} << 64U) | squares.low;
  return all > between ? static_cast<double>(all - between) : 0;
}

constexpr std::array<std::string_view, 3> kRuleNames = {"ward", "balanced", "balanced_exact"};

}  // namespace

std::string_view name_of(BinRule rule) { return kRuleNames.at(static_cast<std::size_t>(rule)); }

std::optional<BinRule> bin_rule_named(std::string_view name) {
  const auto found = std::find(kRuleNames.begin(), kRuleNames.end(), name);
  if (found == kRuleNames.end()) return std::nullopt;
  return static_cast<BinRule>(found - kRuleNames.begin());
}

// REQUIRES: count() > 0.
BalancedBins Distribution::with_ranges() const {
  if (balanced_ && balanced_->has_ranges()) return *balanced_;
  BalancedBins result(balanced_ ? balanced_->rule() : BinRule::balanced);
  const Bin all{count_, sum_};
  const std::span<const Bin> bins =
      bins_.empty() ? std::span<const Bin>(&all, 1) : std::span<const Bin>(bins_);
  result.surround(bins, min_.value.value, max_.value.value, squares_within(squares_, bins),
                  std::max(bin_limit_, 1U));
  return result;
}

std::size_t Distribution::range_bytes() const { return balanced_ ? balanced_->memory_bytes() : 0; }

// REQUIRES: count, sum, squares and extremes have the value already.
void Distribution::add_to_balanced(std::int64_t value) {
  if (!balanced_->has_ranges() && !bins_.empty()) {
    const Wide square = static_cast<Wide>(value) * static_cast<Wide>(value);
    const Wide all = ((Wide{squares_.high} << 64U) | squares_.low) - square;
    const Squares before{static_cast<std::uint64_t>(all >> 64U), static_cast<std::uint64_t>(all)};
    balanced_->surround(bins_, min_.value.value, max_.value.value, squares_within(before, bins_),
                        bin_limit_);
  }
  balanced_->add(value, bin_limit_);
  balanced_->list(bins_);
}

}  // namespace reprise::trace_io
