// SPDX-License-Identifier: MIT
#include "sim/comparison/recordings.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "sim/comparison/answer_fields.hpp"
#include "sim/confidence/spread.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;

// An answer's trace_key, or of a point of a study all that load_answer() found.
std::set<std::string> keys_of(const ordered_json& answer) {
  std::set<std::string> keys;
  if (const auto key = text_at(answer, "trace_key"); !key.empty()) keys.insert(key);
  for (const auto& key : part_of(answer, "trace_keys"))
    if (key.is_string()) keys.insert(key.get<std::string>());
  return keys;
}

std::vector<double> by_recording(const ordered_json& answer, const char* key) {
  std::vector<double> times;
  for (const auto& row : part_of(answer, "by_recording"))
    if (row.contains(key)) times.push_back(number_at(row, key));
  return times;
}

struct Sample {
  double mean = 0, variance = 0;  // the variance that of the mean
  double freedom = 0;
};

Sample sample_of(const std::vector<double>& values) {
  Sample sample;
  const auto n = static_cast<double>(values.size());
  for (const double value : values) sample.mean += value / n;
  for (const double value : values)
    sample.variance += (value - sample.mean) * (value - sample.mean) / (n - 1) / n;
  sample.freedom = n - 1;
  return sample;
}

Range range_of(double centre, double variance, double freedom) {
  if (variance <= 0) return {centre, centre};
  Spread spread;
  spread.centre = centre;
  spread.scale = std::sqrt(variance);
  spread.freedom = freedom;
  const Interval interval = interval_of(spread);
  return {interval.low, interval.high};
}

}  // namespace

Recordings recordings_of(const ordered_json& before, const ordered_json& after) {
  const auto a = keys_of(before), b = keys_of(after);
  if (a.empty() || b.empty()) return Recordings::unknown;
  return a == b ? Recordings::same : Recordings::different;
}

const char* name_of(Recordings recordings) {
  switch (recordings) {
    case Recordings::unknown:
      return "unknown";
    case Recordings::same:
      return "same";
    case Recordings::different:
      return "different";
  }
  return "";
}

std::size_t recordings_in(const ordered_json& answer) {
  return std::max<std::size_t>(part_of(answer, "by_recording").size(), 1);
}

std::optional<Range> range_of_change(const ordered_json& before, const ordered_json& after,
                                     const char* key) {
  const auto a = by_recording(before, key), b = by_recording(after, key);
  if (a.size() < 2 || b.size() < 2) return std::nullopt;
  if (recordings_of(before, after) == Recordings::same && a.size() == b.size()) {
    std::vector<double> changes;
    for (std::size_t i = 0; i < a.size(); ++i) changes.push_back(b[i] - a[i]);
    const Sample sample = sample_of(changes);
    return range_of(sample.mean, sample.variance, sample.freedom);
  }
  const Sample first = sample_of(a), second = sample_of(b);
  const double variance = first.variance + second.variance;
  const double squares = first.variance * first.variance / first.freedom +
                         second.variance * second.variance / second.freedom;
  return range_of(second.mean - first.mean, variance,
                  squares > 0 ? variance * variance / squares : 1);
}

double sampling_error(double share_s, double seconds, double samples) {
  if (seconds <= 0 || samples <= 0) return 0;
  const double share = std::clamp(share_s / seconds, 0.0, 1.0);
  return seconds * std::sqrt(share * (1 - share) / samples);
}

}  // namespace reprise::sim
