// SPDX-License-Identifier: MIT
#include "trace-io/model/distribution.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "trace-io/model/balanced_bins.hpp"
#include "trace-io/model/distribution_bins.hpp"

namespace reprise::trace_io {
namespace {

__extension__ using Wide = unsigned __int128;
using Bin = Distribution::Bin;

Wide wide(Distribution::Squares squares) { return (Wide{squares.high} << 64U) | squares.low; }
Distribution::Squares narrow(Wide value) {
  return {static_cast<std::uint64_t>(value >> 64U), static_cast<std::uint64_t>(value)};
}

bool is_better(const Extreme& candidate, const Extreme& held, bool lower) {
  if (candidate.value == held.value) return candidate.rank < held.rank;
  return (candidate.value < held.value) == lower;
}

std::unique_ptr<BalancedBins> copy_of(const std::unique_ptr<BalancedBins>& bins) {
  return bins ? std::make_unique<BalancedBins>(*bins) : nullptr;
}

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
  if (this != &other) *this = Distribution(other);
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
  const Wide squares = wide(squares_), sum = static_cast<Wide>(sum_);
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
  if (count_ == 0 || is_better(extreme, min_, true)) min_ = extreme;
  if (count_ == 0 || is_better(extreme, max_, false)) max_ = extreme;
  const std::int64_t value = duration.value;
  ++count_;
  sum_ += value;
  squares_ = narrow(wide(squares_) + static_cast<Wide>(value) * static_cast<Wide>(value));
  if (bin_limit_ == 0) return;
  if (balanced_ != nullptr) [[unlikely]]
    return add_to_balanced(value);

  add_to_bins(value);
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
  return (static_cast<double>(wide(squares_) - whole) - rest) / static_cast<double>(count_);
}

}  // namespace reprise::trace_io
