// SPDX-License-Identifier: MIT
#include "trace-io/walk/similar_sizes.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace reprise::trace_io {
namespace {

constexpr std::int64_t kSmall = 4096;

// Sizes that stand at the same place in each of some periods.
class SizesAtPlace {
 public:
  SizesAtPlace(std::span<const std::int64_t> sizes, std::uint64_t place, std::uint64_t a_period) {
    least_ = most_ = sizes[place];
    sums_.push_back(0);
    for (std::uint64_t i = place; i < sizes.size(); i += a_period) {
      least_ = std::min(least_, sizes[i]);
      most_ = std::max(most_, sizes[i]);
      sums_.push_back(sums_.back() + static_cast<double>(sizes[i]));
      if (i != place)
        steps_.push_back(std::abs(static_cast<double>(sizes[i] - sizes[i - a_period])));
    }
  }
  bool are_similar(SizeOf size_of, double drift) {
    return (most_ <= kSmall || static_cast<double>(most_) <= 2 * mean()) &&
           (size_of == SizeOf::message || least_ > 0 || most_ == 0) &&
           (least_ == most_ || is_one_phase(drift));
  }

 private:
  std::uint64_t count() const { return sums_.size() - 1; }
  double mean() const { return sums_.back() / static_cast<double>(count()); }
  // By chance, of one size.
  double variance() {
    if (steps_.empty()) return 0;
    const auto dropped =
        static_cast<std::ptrdiff_t>(steps_.size() > 2 ? 1 + steps_.size() / 32 : 0);
    std::ranges::nth_element(steps_, steps_.end() - std::max<std::ptrdiff_t>(1, dropped));
    double squares = 0;
    for (auto step = steps_.begin(); step != steps_.end() - dropped; ++step)
      squares += *step * *step;
    return squares / 2 / static_cast<double>(steps_.end() - dropped - steps_.begin());
  }
  bool is_one_phase(double drift) {
    constexpr double kDeviations = 4;
    constexpr std::uint64_t kMostParts = 16;
    const double by_chance = kDeviations * std::sqrt(variance()),
                 by_drift = drift * std::max(mean(), static_cast<double>(kSmall));
    for (std::uint64_t parts = 2; parts <= std::min(count(), kMostParts); parts *= 2)
      for (std::uint64_t part = 0; part < parts; ++part) {
        const std::uint64_t from = part * count() / parts, to = (part + 1) * count() / parts;
        const auto sizes = static_cast<double>(to - from);
        if (std::abs((sums_[to] - sums_[from]) / sizes - mean()) >
            by_drift + by_chance / std::sqrt(sizes))
          return false;
      }
    return true;
  }

  std::int64_t least_ = 0, most_ = 0;
  std::vector<double> sums_,
      steps_;  // of the first ones, of none to all; changes from one to the next
};

bool are_similar(std::span<const std::int64_t> sizes, SizeOf size_of, std::uint64_t a_period,
                 double drift) {
  for (std::uint64_t place = 0; place < a_period; ++place)
    if (!SizesAtPlace(sizes, place, a_period).are_similar(size_of, drift)) return false;
  return true;
}

// After how many periods the first of several phases ends, if there are any.
std::uint64_t first_phase(std::span<const std::int64_t> sizes, std::uint64_t a_period) {
  double all = 0, sum = 0, furthest = 0;
  for (const std::int64_t size : sizes) all += static_cast<double>(size);
  const double mean = all / static_cast<double>(sizes.size());
  std::uint64_t end = 0;
  for (std::uint64_t i = 0; i < sizes.size(); ++i) {
    if (i > 0 && i % a_period == 0 && std::abs(sum) > furthest) {
      furthest = std::abs(sum);
      end = i / a_period;
    }
    sum += static_cast<double>(sizes[i]) - mean;
  }
  return end;
}

}  // namespace

std::uint64_t periods_of_similar_sizes(ValueSequence::Cursor values, SizeOf size_of,
                                       std::uint64_t a_period, double drift) {
  constexpr std::uint64_t kMostLooked = std::uint64_t{1} << 20, kFewestInPhase = 16;
  constexpr int kMostPhases = 8;
  std::uint64_t periods = std::min(values.remaining(), kMostLooked) / a_period;
  if (periods == 0) return 0;
  std::vector<std::int64_t> sizes(periods * a_period);
  for (std::int64_t& size : sizes) size = values.next();
  for (int phase = 0; phase < kMostPhases; ++phase) {
    if (are_similar(sizes, size_of, a_period, drift)) return periods;
    periods = first_phase(sizes, a_period);
    if (periods < kFewestInPhase) break;
    sizes.resize(periods * a_period);
  }
  return 0;
}

}  // namespace reprise::trace_io
