// SPDX-License-Identifier: MIT
#include "platforms/calibration/disturbance.hpp"

#include <algorithm>
#include <cmath>

#include "platforms/calibration/four_digits.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::platforms {
namespace {

using What = Series::What;

// Single medians may be: their 10 % quantiles stand in. Where a tenth are, many of these are disturbed as well.
constexpr std::size_t kFewDisturbed = 4;
constexpr double kMostDisturbed = 0.1;
// Of the times in another state than the usual one; and how much longer than usual only a rank without a core takes.
constexpr double kMostOther = 0.5, kWithoutCore = 10;
constexpr std::uint64_t kSmall = 64;
constexpr double kMostSmall = 1e-3, kMostAgainstLarger = 10;

bool is_of_messages(const Series& series) {
  return series.what == What::kOneWay || series.what == What::kExchange;
}

std::string absurd_in(const Series& series) {
  const auto time_text = [](const Sample& sample) {
    return to_text(sample.bytes) + " took " + to_four_digits(sample.time);
  };
  const Sample* fastest = nullptr;  // of those that are larger
  std::string found;
  for (auto sample = series.samples.rbegin(); sample != series.samples.rend(); ++sample) {
    if (sample->is_of_base) continue;
    if (sample->bytes.value <= kSmall && sample->time.value > kMostSmall)
      found = time_text(*sample);
    else if (fastest != nullptr && sample->time.value > kMostAgainstLarger * fastest->time.value)
      found = time_text(*sample) + ", and " + time_text(*fastest);
    if (fastest == nullptr || sample->time < fastest->time) fastest = &*sample;
  }
  return found;
}

std::string state_refusal(const Reference& reference, std::size_t times) {
  if (static_cast<double>(reference.other_times) <= kMostOther * static_cast<double>(times) ||
      reference.most.value <= kWithoutCore * reference.usual.value)
    return "";
  return std::to_string(reference.other_times) + " of " + std::to_string(times) +
         " times were measured while the machine did something else: " + to_text(reference.bytes) +
         " took up to " + to_four_digits(reference.most) + ", usually " +
         to_four_digits(reference.usual);
}

}  // namespace

Disturbance disturbance_of(const Measurements& measured) {
  Disturbance result;
  for (const Series& series : measured.series) {
    result.times += series.samples.size();
    result.disturbed +=
        static_cast<std::size_t>(std::ranges::count_if(series.samples, &Sample::is_disturbed));
  }
  if (result.disturbed > kFewDisturbed &&
      static_cast<double>(result.disturbed) > kMostDisturbed * static_cast<double>(result.times)) {
    result.refusal = std::to_string(result.disturbed) + " of " + std::to_string(result.times) +
                     " measured times include time slices of other processes";
    return result;
  }
  for (const Series& series : measured.series)
    if (result.refusal.empty() && is_of_messages(series)) result.refusal = absurd_in(series);
  for (const Reference& reference : measured.references)
    if (result.refusal.empty()) result.refusal = state_refusal(reference, result.times);
  if (result.refusal.empty() && measured.not_measured > 0)
    result.refusal = "the probe had no time for " + std::to_string(measured.not_measured) + " of " +
                     std::to_string(measured.not_measured + result.times) +
                     " times, within six times --seconds";
  return result;
}

}  // namespace reprise::platforms
