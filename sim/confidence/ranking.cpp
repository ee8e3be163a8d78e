// SPDX-License-Identifier: MIT
#include "sim/confidence/ranking.hpp"

#include <algorithm>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <map>

#include "sim/counter_random.hpp"

namespace reprise::sim {
namespace {

// Numbers by what they are for: draw, purpose, index.
double uniform(std::size_t draw, std::uint64_t purpose, std::size_t index) {
  const double value = unit_interval(mixed(mixed(mixed(draw) + purpose) + index));
  return std::min(value, 1 - 0x1p-53);
}
double normal(std::size_t draw, std::uint64_t purpose, std::size_t index) {
  return boost::math::quantile(boost::math::normal(), uniform(draw, purpose, index));
}
enum Purpose : std::uint64_t { of_seed = 1, of_scale, of_machine, of_model };

// Seeds that all predictions with a time have.
std::vector<std::size_t> shared_seeds(const std::vector<Prediction>& predictions) {
  std::vector<std::size_t> shared;
  std::size_t most = 0;
  for (const auto& one : predictions) most = std::max(most, one.log_times.size());
  for (std::size_t seed = 0; seed < most; ++seed) {
    bool have_all = true, has_any = false;
    for (const auto& one : predictions) {
      const bool has_time = std::any_of(one.log_times.begin(), one.log_times.end(),
                                        [](double time) { return !std::isnan(time); });
      const bool has_seed = seed < one.log_times.size() && !std::isnan(one.log_times[seed]);
      have_all &= has_seed || !has_time;
      has_any |= has_seed;
    }
    if (have_all && has_any) shared.push_back(seed);
  }
  return shared;
}

class Draws {
 public:
  explicit Draws(const std::vector<Prediction>& predictions)
      : predictions_(predictions), seeds_(shared_seeds(predictions)) {
    for (const auto& one : predictions) {
      machines_.try_emplace(one.machine, machines_.size());
      if (!has_time(one)) continue;
      models_ = has_models_ ? std::min(models_, one.models.size()) : one.models.size();
      has_models_ = true;
      is_calibrated_ |= one.calibration > 0;
    }
    for (const auto& one : predictions) {
      double sum = 0;
      if (has_time(one))
        for (const std::size_t seed : seeds_) sum += one.log_times[seed];
      means_.push_back(seeds_.empty() ? 0 : sum / static_cast<double>(seeds_.size()));
    }
  }

  bool knows_anything() const {
    return !seeds_.empty() && (seeds_.size() >= 2 || is_calibrated_ || models_ >= 2);
  }

  std::vector<double> shares() const {
    std::vector<double> wins(predictions_.size());
    for (std::size_t draw = 0; draw < kDraws; ++draw) {
      const std::vector<double> times = times_of(draw);
      const double least = *std::min_element(times.begin(), times.end());
      const auto count = static_cast<double>(std::count(times.begin(), times.end(), least));
      for (std::size_t i = 0; i < times.size(); ++i)
        if (times[i] == least) wins[i] += 1 / count;
    }
    for (double& win : wins) win /= static_cast<double>(kDraws);
    return wins;
  }

 private:
  bool has_time(const Prediction& one) const {
    return !seeds_.empty() && one.log_times.size() > seeds_.front() &&
           !std::isnan(one.log_times[seeds_.front()]);
  }

  // Σ g (x − mean) / √(n (n − 1)) over the seeds, g standard normal, has the covariance of the means; over √(χ² / (n − 1)) it is their t.
  std::vector<double> weights_of(std::size_t draw) const {
    const auto n = static_cast<double>(seeds_.size());
    std::vector<double> weights;
    if (n < 2) return weights;
    const double chi =
        boost::math::quantile(boost::math::chi_squared(n - 1), uniform(draw, of_scale, 0));
    const double scale = 1 / std::sqrt(n * (n - 1) * std::max(chi, 1e-300) / (n - 1));
    for (std::size_t i = 0; i < seeds_.size(); ++i)
      weights.push_back(normal(draw, of_seed, i) * scale);
    return weights;
  }

  std::vector<double> times_of(std::size_t draw) const {
    const std::vector<double> weights = weights_of(draw);
    const auto model = static_cast<std::size_t>(
        uniform(draw, of_model, 0) * static_cast<double>(std::max<std::size_t>(models_, 1)));
    std::vector<double> times;
    for (std::size_t i = 0; i < predictions_.size(); ++i) {
      const Prediction& one = predictions_[i];
      if (!has_time(one)) {
        times.push_back(std::numeric_limits<double>::infinity());
        continue;
      }
      double time = means_[i];
      for (std::size_t seed = 0; seed < weights.size(); ++seed)
        time += weights[seed] * (one.log_times[seeds_[seed]] - means_[i]);
      if (one.calibration > 0)
        time += one.calibration * normal(draw, of_machine, machines_.at(one.machine));
      if (models_ >= 2) time += one.models[model];
      times.push_back(time);
    }
    return times;
  }

  const std::vector<Prediction>& predictions_;
  std::vector<std::size_t> seeds_;
  std::map<std::string, std::size_t> machines_;
  std::vector<double> means_;
  std::size_t models_ = 0;
  bool has_models_ = false, is_calibrated_ = false;
};

}  // namespace

std::vector<double> probability_of_least(const std::vector<Prediction>& predictions) {
  const Draws draws(predictions);
  return draws.knows_anything() ? draws.shares() : std::vector<double>();
}

}  // namespace reprise::sim
