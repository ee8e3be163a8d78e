// SPDX-License-Identifier: MIT
#include "sim/confidence/paired.hpp"

#include <algorithm>
#include <cmath>

namespace reprise::sim {
namespace {

// Of values that are numbers.
struct Sample {
  std::size_t count = 0;
  double mean = 0, variance = 0;  // the variance 0 where there are fewer than two
};

Sample sample_of(const std::vector<double>& values) {
  Sample sample;
  for (const double value : values)
    if (!std::isnan(value)) {
      ++sample.count;
      sample.mean += value;
    }
  if (sample.count == 0) return sample;
  sample.mean /= static_cast<double>(sample.count);
  if (sample.count < 2) return sample;
  const double first =
      *std::find_if(values.begin(), values.end(), [](double value) { return !std::isnan(value); });
  bool differ =
      false;  // the mean of equal numbers rounds, and what does not scatter shall have no variance
  for (const double value : values)
    if (!std::isnan(value)) {
      differ |= value != first;
      sample.variance += (value - sample.mean) * (value - sample.mean);
    }
  sample.variance = differ ? sample.variance / static_cast<double>(sample.count - 1) : 0;
  return sample;
}

double variance_of(const std::vector<double>& shifts) {
  if (shifts.size() < 2) return 0;
  double sum = 0, squares = 0;
  for (const double shift : shifts) sum += shift;
  const double mean = sum / static_cast<double>(shifts.size());
  for (const double shift : shifts) squares += (shift - mean) * (shift - mean);
  return squares / static_cast<double>(shifts.size());
}

// SAMPLING: the variance that the seeds leave, with so many degrees of freedom.
Spread spread_of(double centre, double sampling, double freedom, double calibration,
                 std::vector<double> shifts) {
  Spread spread;
  const double variance = sampling + calibration * calibration;
  spread.centre = centre;
  spread.scale = std::sqrt(variance);
  if (sampling > 0) spread.freedom = freedom * (variance / sampling) * (variance / sampling);
  if (!shifts.empty()) spread.shifts = std::move(shifts);
  return spread;
}

Parts parts_of(double sampling, double calibration, const std::vector<double>& shifts) {
  const double model = variance_of(shifts), cost = calibration * calibration,
               all = sampling + cost + model;
  if (all <= 0) return {};
  return {sampling / all, cost / all, model / all};
}

}  // namespace

std::optional<Band> band_of(const Prediction& prediction) {
  const Sample sample = sample_of(prediction.log_times);
  if (sample.count == 0) return std::nullopt;
  if (sample.count < 2 && prediction.calibration <= 0 && prediction.models.size() < 2)
    return std::nullopt;
  const auto n = static_cast<double>(sample.count);
  const double sampling = sample.variance * (1 + 1 / n);
  const Interval interval = interval_of(
      spread_of(sample.mean, sampling, n - 1, prediction.calibration, prediction.models));
  return Band{interval.low, interval.high,
              parts_of(sampling, prediction.calibration, prediction.models)};
}

std::optional<Difference> compare(const Prediction& a, const Prediction& b) {
  std::vector<double> differences;
  for (std::size_t seed = 0; seed < std::min(a.log_times.size(), b.log_times.size()); ++seed)
    differences.push_back(a.log_times[seed] - b.log_times[seed]);
  const Sample sample = sample_of(differences);
  if (sample.count == 0) return std::nullopt;
  std::vector<double> shifts;
  if (a.models.size() == b.models.size())
    for (std::size_t model = 0; model < a.models.size(); ++model)
      shifts.push_back(a.models[model] - b.models[model]);
  const double calibration = a.machine == b.machine ? std::abs(a.calibration - b.calibration)
                                                    : std::hypot(a.calibration, b.calibration);
  Difference difference{sample.mean, sample.mean, sample.mean, std::nullopt, {}};
  const bool is_known =
      sample.count >= 2 || a.calibration > 0 || b.calibration > 0 || shifts.size() >= 2;
  if (!is_known) return difference;
  const auto n = static_cast<double>(sample.count);
  const double sampling = sample.variance / n;
  const Spread spread = spread_of(sample.mean, sampling, n - 1, calibration, shifts);
  const Interval interval = interval_of(spread);
  difference.low = interval.low;
  difference.high = interval.high;
  difference.probability = spread.cdf(0);
  difference.parts = parts_of(sampling, calibration, shifts);
  return difference;
}

}  // namespace reprise::sim
