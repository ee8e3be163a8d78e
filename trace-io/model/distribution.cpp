// SPDX-License-Identifier: MIT
#include "trace-io/model/distribution.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <new>
#include <utility>

#include "trace-io/model/balanced_bins.hpp"

namespace reprise::trace_io {
namespace {

using Bin = Distribution::Bin;

std::unique_ptr<BalancedBins> copy_of(const std::unique_ptr<BalancedBins>& bins) {
  return bins ? std::make_unique<BalancedBins>(*bins) : nullptr;
}

// What the sum of squares says beyond the bins. Means of split bins are estimates and may say too much.
double squares_within(Distribution::Squares squares, std::span<const Distribution::Bin> bins) {
  const Wide between = least_squares(bins), all = squares.value();
  return all > between ? static_cast<double>(all - between) : 0;
}

constexpr std::array<std::string_view, 3> kRuleNames = {"ward", "balanced", "balanced_exact"};

}  // namespace

Distribution::Distribution(std::uint32_t bin_limit, BinRule rule) : bin_limit_(bin_limit) {
  follow(rule);
}

Distribution::Distribution(const Distribution& other)
    : bin_limit_(other.bin_limit_),
      cheapest_(other.cheapest_),
      count_(other.count_),
      sum_(other.sum_),
      squares_(other.squares_),
      min_(other.min_),
      max_(other.max_),
      bins_(other.bins_),
      balanced_(copy_of(other.balanced_)) {}

Distribution::Distribution(Distribution&&) noexcept = default;
Distribution& Distribution::operator=(Distribution&&) noexcept = default;
Distribution& Distribution::operator=(const Distribution& other) {
  if (this == &other) return *this;
  if (balanced_ || other.balanced_) return *this = Distribution(other);
  bins_ = other.bins_;  // which may fail, as nothing behind it
  bin_limit_ = other.bin_limit_;
  cheapest_ = other.cheapest_;
  count_ = other.count_;
  sum_ = other.sum_;
  squares_ = other.squares_;
  min_ = other.min_;
  max_ = other.max_;
  return *this;
}
Distribution::~Distribution() = default;

void Distribution::follow(BinRule rule) {
  if (bin_limit_ == 0 || rule == this->rule()) return;
  balanced_ = rule == BinRule::ward ? nullptr : std::make_unique<BalancedBins>(rule);
  cheapest_ = 0;
}

BinRule Distribution::rule() const { return balanced_ ? balanced_->rule() : BinRule::ward; }

Distribution Distribution::from_parts(std::uint32_t bin_limit, std::uint64_t count,
                                      std::int64_t sum, Squares squares, Extreme min, Extreme max,
                                      std::vector<Bin> bins) {
  Distribution result(bin_limit);
  result.count_ = count;
  result.sum_ = sum;
  result.squares_ = squares;
  result.min_ = min;
  result.max_ = max;
  result.bins_ = std::move(bins);
  return result;
}

void Distribution::assign_parts(std::uint32_t bin_limit, std::uint64_t count, std::int64_t sum,
                                Squares squares, Extreme min, Extreme max,
                                std::span<const Bin> bins) {
  bin_limit_ = bin_limit;
  cheapest_ = 0;
  count_ = count;
  sum_ = sum;
  squares_ = squares;
  min_ = min;
  max_ = max;
  bins_.assign(bins.begin(), bins.end());
  balanced_ = nullptr;
}

bool Distribution::consistent(bool bins_are_scaled) const {
  if (count_ == 0)
    return sum_ == 0 && squares_ == Squares{} && min_ == Extreme{} && max_ == Extreme{} &&
           bins_.empty();
  const std::int64_t low = min_.value.value, high = max_.value.value;
  if (low < 0 || low > high || sum_ < 0 || min_.rank.value < 0 || max_.rank.value < 0) return false;
  const auto sum_fits = [&](std::uint64_t count, std::int64_t sum) {
    return sum >= 0 && Wide{count} * static_cast<Wide>(low) <= static_cast<Wide>(sum) &&
           static_cast<Wide>(sum) <= Wide{count} * static_cast<Wide>(high);
  };
  if (!sum_fits(count_, sum_)) return false;
  // low · sum ≤ Σ v² ≤ high · sum, since low ≤ v ≤ high and v ≥ 0; and Σ v² · count ≥ sum² (Cauchy–Schwarz).
  const Wide squares = squares_.value(), sum = static_cast<Wide>(sum_);
  if (squares < static_cast<Wide>(low) * sum || squares > static_cast<Wide>(high) * sum)
    return false;
  const Wide mean_square = sum * sum / count_;
  if (squares < mean_square) return false;

  if ((bin_limit_ == 0) != bins_.empty() || bins_.size() > bin_limit_) return false;
  std::uint64_t counted = 0;
  std::int64_t summed = 0;
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    const Bin& bin = bins_[i];
    if (bin.count == 0 || bin.count > count_ - counted || bin.sum < 0 || bin.sum > sum_ - summed)
      return false;
    if (!bins_are_scaled && !sum_fits(bin.count, bin.sum)) return false;
    if (i > 0 && bin_is_less(bin, bins_[i - 1])) return false;
    counted += bin.count;
    summed += bin.sum;
  }
  return bins_.empty() || (counted == count_ && summed == sum_);
}

void Distribution::add(Nanoseconds duration, Rank rank) noexcept {
  const Extreme extreme{duration, rank};
  if (count_ == 0 || extreme.is_below(min_)) min_ = extreme;
  if (count_ == 0 || extreme.is_above(max_)) max_ = extreme;
  const std::int64_t value = duration.value;
  ++count_;
  sum_ += value;
  squares_ = Squares::of(squares_.value() + static_cast<Wide>(value) * static_cast<Wide>(value));
  if (bin_limit_ == 0) return;
  try {
    if (balanced_ != nullptr) [[unlikely]]
      return add_to_balanced(value);
    add_to_bins(value);
  } catch (
      const std::bad_alloc&) {  // goes on without bins, as where no memory may be used for them
    bins_ = {};
    balanced_.reset();
    bin_limit_ = 0;
  }
}

bool operator==(const Distribution& a, const Distribution& b) {
  return a.bin_limit_ == b.bin_limit_ && a.count_ == b.count_ && a.sum_ == b.sum_ &&
         a.squares_ == b.squares_ && a.min_ == b.min_ && a.max_ == b.max_ && a.bins_ == b.bins_;
}

double Distribution::mean_ns() const {
  return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_);
}

double Distribution::variance_ns2() const {
  if (count_ == 0) return 0;
  // Σ v² − (Σ v)²/n in integers, but for the remainder: nothing cancels.
  const Wide sum = static_cast<Wide>(sum_), whole = sum * sum / count_;
  const double rest = static_cast<double>(static_cast<std::uint64_t>(sum * sum % count_)) /
                      static_cast<double>(count_);
  return (static_cast<double>(squares_.value() - whole) - rest) / static_cast<double>(count_);
}

// Distributions whose bins follow a balanced rule: where the ranges come from.

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
  result.make_ranges(bins, min_.value.value, max_.value.value, squares_within(squares_, bins),
                     std::max(bin_limit_, 1U));
  return result;
}

std::size_t Distribution::range_bytes() const { return balanced_ ? balanced_->memory_bytes() : 0; }

// REQUIRES: count, sum, squares and extremes have the value already.
void Distribution::add_to_balanced(std::int64_t value) {
  if (!balanced_->has_ranges() && !bins_.empty()) {
    const Wide square = static_cast<Wide>(value) * static_cast<Wide>(value);
    balanced_->make_ranges(bins_, min_.value.value, max_.value.value,
                           squares_within(Squares::of(squares_.value() - square), bins_),
                           bin_limit_);
  }
  balanced_->add(value, bin_limit_);
  balanced_->list(bins_);
}

}  // namespace reprise::trace_io
