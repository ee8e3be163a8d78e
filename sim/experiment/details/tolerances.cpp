// SPDX-License-Identifier: MIT
#include "sim/experiment/details/tolerances.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sim/experiment/details/critical_path.hpp"
#include "sim/experiment/details/one_parameter.hpp"
#include "sim/processes/at_once.hpp"
#include "sim/text/numbers.hpp"

namespace reprise::sim {
namespace {

constexpr double kCost = 1.05, kLargestFactor = 1024, kFactorTolerance = 1e-3;
// Slopes over steps up to this one that are further apart than curvature makes them: the run time is not smooth there.
constexpr double kReach = 0.1, kReachOfEstimates = 0.3, kSmooth = 5e-3;
// Where the run has to take 5 % longer too, beyond the factor that costs it.
constexpr double kBeyond[] = {1.1, 1.5};
constexpr int kMostCrossings = 4;

class Measurement {
 public:
  explicit Measurement(const Replayed& base)
      : base_(base), path_(gradients_of(*base.observation.path(), base.outcome)) {
    place_ = links_that_matter(base);
  }

  // WHOLE: without fast-forward.
  Outcome replay_with(Parameter parameter, double factor, bool whole = false) const {
    ReplaySettings settings = base_.settings;
    if (whole) settings.fast_forward = false;
    if (parameter == Parameter::compute) {
      settings.compute_scale *= factor;
      return replay(base_.trace, base_.platform, settings);
    }
    const auto quantity =
        parameter == Parameter::latency ? LinkQuantity::latency : LinkQuantity::bandwidth;
    return replay(base_.trace, with_scaled_links(base_.platform, quantity, place_, factor),
                  settings);
  }

  // All but the threshold.
  Tolerance slopes(Parameter parameter) const {
    Tolerance result;
    result.parameter = parameter;
    const double time = base_.outcome.predicted_time.value;
    if (time <= 0) return result;
    // Over a step of 1 % what fast-forward leaves open of two replays would be fifty times as large a part of the slope.
    const bool exact = base_.outcome.forwarded.error_bound.value <= 1e-6 * time &&
                       base_.outcome.operations <= kMostWhole;
    const double step = exact ? 0.01 : 0.1, reach = exact ? kReach : kReachOfEstimates;
    result.is_of_path = path_.why_not.empty();
    const auto slope = [&](Parameter of, double over) { return slope_over(of, over, exact); };
    const Slope close = result.is_of_path ? Slope{step, slope_of_path(parameter) / time, 0}
                                          : slope(parameter, step),
                wide = slope(parameter, reach);
    result.elasticity = close.value;
    result.uncertainty = close.error;
    // The path's slope is that of the machine as it is; a per cent further another path may take over.
    if (std::abs(wide.value - close.value) > kSmooth + wide.error + close.error) {
      const Slope near = std::exchange(result.is_of_path, false) ? slope(parameter, step) : close;
      take_neighbourhood(result, {near, slope(parameter, std::sqrt(step * reach)), wide});
    }
    return result;
  }

  // A factor at which the run takes 5 % longer, and still does somewhat beyond it: the run time need not grow with the factor.
  std::optional<double> threshold(Parameter parameter) const {
    if (base_.outcome.predicted_time.value <= 0) return std::nullopt;
    std::optional<double> found = crossing(parameter, 1, 1 - kCost);
    for (int crossings = 1; found && crossings < kMostCrossings; ++crossings) {
      double from = 0, at_from = 0;
      for (const double beyond : kBeyond)
        if (*found * beyond <= kLargestFactor)
          if (const double value = excess(parameter, *found * beyond); value < 0) {
            from = *found * beyond;
            at_from = value;
          }
      if (from == 0) break;
      found = crossing(parameter, from, at_from);
    }
    if (found && parameter == Parameter::bandwidth) return 1 / *found;
    return found;
  }

 private:
  struct Slope {
    double step = 0, value = 0, error = 0;
  };

  // Seconds by which the path grows with the logarithm of the parameter.
  double slope_of_path(Parameter parameter) const {
    return path_.of[static_cast<std::size_t>(parameter_at(parameter, place_))].seconds;
  }

  // The central difference over ± `step`; 0 where there is none.
  Slope slope_over(Parameter parameter, double step, bool whole) const {
    const Outcome less = replay_with(parameter, std::exp(-step), whole),
                  more = replay_with(parameter, std::exp(step), whole);
    const double change = std::log(more.predicted_time.value / less.predicted_time.value);
    const double bounds = less.forwarded.error_bound.value + more.forwarded.error_bound.value;
    return {step, std::isfinite(change) ? change / (2 * step) : 0,
            bounds / base_.outcome.predicted_time.value / (2 * step)};
  }

  // The line of least squares through the neighbourhood's points, and how far the slopes are from it.
  static void take_neighbourhood(Tolerance& result, const std::array<Slope, 3>& slopes) {
    double weight = 0, sum = 0;
    for (const Slope& one : slopes) {
      weight += one.step * one.step;
      sum += one.step * one.step * one.value;
    }
    result.elasticity = sum / weight;
    for (const Slope& one : slopes)
      result.uncertainty =
          std::max(result.uncertainty, std::abs(one.value - result.elasticity) + one.error);
  }

  // By how much more than 5 % the run takes longer where the parameter is so many times worse.
  double excess(Parameter parameter, double worse) const {
    const double factor = parameter == Parameter::bandwidth ? 1 / worse : worse;
    return replay_with(parameter, factor).predicted_time.value /
               base_.outcome.predicted_time.value -
           kCost;
  }

  // From a factor on that costs less.
  std::optional<double> crossing(Parameter parameter, double from, double at_from) const {
    double low = from, at_low = at_from, high = from, at_high = at_from;
    while (at_high < 0) {
      if (high >= kLargestFactor) return std::nullopt;
      low = high;
      at_low = at_high;
      high = std::min(high * 4, kLargestFactor);
      at_high = excess(parameter, high);
    }
    double weight_low = at_low, weight_high = at_high;
    for (int round = 0, side = 0; round < 60 && high / low > 1 + kFactorTolerance && at_high != 0;
         ++round) {
      double middle = (low * weight_high - high * weight_low) / (weight_high - weight_low);
      // Also close the bracket from its other end: a step of the tolerance to that side where the root is next to one.
      middle =
          std::clamp(middle, low * (1 + kFactorTolerance / 2), high * (1 - kFactorTolerance / 4));
      const double value = excess(parameter, middle);
      if (value < 0) {
        low = middle;
        weight_low = at_low = value;
        if (side == -1) weight_high /= 2;
        side = -1;
      } else {
        high = middle;
        weight_high = at_high = value;
        if (side == 1) weight_low /= 2;
        side = 1;
      }
    }
    return high;
  }

  const Replayed& base_;
  const PathGradients path_;
  LinkPlace place_ = LinkPlace::network;
};

}  // namespace

Tolerances tolerances(const Replayed& base) {
  const Measurement measurement(base);
  constexpr std::array kAll{Parameter::latency, Parameter::bandwidth, Parameter::compute};
  // Thresholds first: they take more replays, one after the other.
  const auto parts = at_once(base.jobs, 2 * kAll.size(), kFurtherReplay, [&](std::size_t i) {
    const Parameter parameter = kAll[i % kAll.size()];
    if (i >= kAll.size()) return measurement.slopes(parameter);
    return Tolerance{.costs_5_percent_at = measurement.threshold(parameter)};
  });
  Tolerances result;
  for (std::size_t i = 0; i < kAll.size(); ++i) {
    result.of.push_back(parts[kAll.size() + i]);
    result.of.back().costs_5_percent_at = parts[i].costs_5_percent_at;
  }
  return result;
}

nlohmann::ordered_json Tolerances::json() const {
  auto rows = nlohmann::ordered_json::array();
  for (const auto& one : of) {
    rows.push_back({{"parameter", name_of(one.parameter)},
                    {"elasticity", one.elasticity},
                    {"uncertainty", one.uncertainty},
                    {"method", one.is_of_path ? "critical path" : "two replays"},
                    {"costs_5_percent_at", nullptr}});
    if (one.costs_5_percent_at) rows.back()["costs_5_percent_at"] = *one.costs_5_percent_at;
  }
  return rows;
}

std::string Tolerances::text() const {
  std::string text =
      formatted("\n%12s  %-22s  %s\n", "tolerance", "1% more changes time", "costs 5% from");
  for (const auto& one : of) {
    const std::string change =
        formatted("%+.3f%%", one.elasticity) +
        (one.uncertainty >= 5e-4 ? formatted(" ± %.3f%%", one.uncertainty) : "");
    text += formatted("%12s  ", std::string(name_of(one.parameter)).c_str()) + padded(change, 22) +
            "  ";
    text += one.costs_5_percent_at ? formatted("× %.4g\n", *one.costs_5_percent_at)
                                   : std::string("no factor up to 1024\n");
  }
  return text +
         "  1% more of a parameter changes the run time by the first column;\n"
         "  with the parameter times the second column, the run takes 5% longer.\n";
}

extern const Detail kTolerances = {
    .name = "tolerances",
    .key = "tolerances",
    .cost = "up to about fifty",
    .further_replays = 40,
    .many_replays = true,
    .scope = DetailScope::points_on_request,
    .watched = {.slopes = true},
    .measure = [](const Replayed& replayed) -> std::unique_ptr<Figure> {
      return std::make_unique<Tolerances>(tolerances(replayed));
    }};

}  // namespace reprise::sim
