// SPDX-License-Identifier: MIT
#include "sim/experiment/details/sensitivities.hpp"

#include <algorithm>
#include <cmath>

#include "sim/experiment/details/critical_path.hpp"
#include "sim/experiment/details/platform_variants.hpp"
#include "sim/text/numbers.hpp"

namespace reprise::sim {
namespace {

constexpr double kCost = 1.05, kFurthest = 1024, kFactorTolerance = 1e-3;

class Measurement {
 public:
  explicit Measurement(const Replayed& base) : base_(base), path_(critical_path_of(base)) {
    const auto places = platforms::place_ranks(static_cast<std::uint32_t>(base.trace.header.ranks),
                                               base.platform, base.settings.placement);
    const bool one_node = std::all_of(places.begin(), places.end(), [&](const auto& place) {
      return place.node == places.front().node;
    });
    place_ = one_node ? LinkPlace::inside_node : LinkPlace::network;
  }

  Outcome replay_with(Parameter parameter, double factor) const {
    if (parameter == Parameter::compute) {
      ReplaySettings settings = base_.settings;
      settings.compute_scale *= factor;
      return replay(base_.trace, base_.platform, settings);
    }
    const auto quantity =
        parameter == Parameter::latency ? LinkQuantity::latency : LinkQuantity::bandwidth;
    return replay(base_.trace, with_scaled_links(base_.platform, quantity, place_, factor),
                  base_.settings);
  }

  Sensitivity measure(Parameter parameter) const {
    Sensitivity result;
    result.parameter = parameter;
    const double time = base_.outcome.predicted_time.value;
    if (time <= 0) return result;
    if (path_.why_not.empty()) {
      result.is_of_path = true;
      const bool has_links = parameter != Parameter::compute && place_ == LinkPlace::inside_node;
      result.elasticity =
          path_.gradient_of((has_links ? "intra_node/" : "") + std::string(name_of(parameter))) /
          time;
    } else {
      compare(parameter, time, result);
    }
    result.costs_5_percent_at = threshold(parameter);
    return result;
  }

 private:
  void compare(Parameter parameter, double time, Sensitivity& result) const {
    const double step = base_.outcome.forwarded.error_bound.value <= 1e-6 * time ? 0.01 : 0.1;
    const Outcome less = replay_with(parameter, std::exp(-step)),
                  more = replay_with(parameter, std::exp(step));
    const double change = std::log(more.predicted_time.value / less.predicted_time.value);
    result.uncertainty =
        (less.forwarded.error_bound.value + more.forwarded.error_bound.value) / time / (2 * step);
    if (std::isfinite(change)) result.elasticity = change / (2 * step);
  }

  // By how much more than 5 % the run takes longer where the parameter is so many times worse.
  double excess(Parameter parameter, double worse) const {
    const double factor = parameter == Parameter::bandwidth ? 1 / worse : worse;
    return replay_with(parameter, factor).predicted_time.value /
               base_.outcome.predicted_time.value -
           kCost;
  }

  std::optional<double> threshold(Parameter parameter) const {
    double low = 1, at_low = 1 - kCost, high = 1, at_high = at_low;
    while (at_high < 0) {
      if (high >= kFurthest) return std::nullopt;
      low = high;
      at_low = at_high;
      high = std::min(high * 4, kFurthest);
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
    return parameter == Parameter::bandwidth ? 1 / high : high;
  }

  const Replayed& base_;
  const CriticalPathParts path_;
  LinkPlace place_ = LinkPlace::network;
};

}  // namespace

std::string_view name_of(Parameter parameter) {
  switch (parameter) {
    case Parameter::latency:
      return "latency";
    case Parameter::bandwidth:
      return "bandwidth";
    case Parameter::compute:
      return "compute";
  }
  return "";
}

Sensitivities sensitivities(const Replayed& base) {
  const Measurement measurement(base);
  Sensitivities result;
  for (const auto parameter : {Parameter::latency, Parameter::bandwidth, Parameter::compute})
    result.of.push_back(measurement.measure(parameter));
  return result;
}

nlohmann::ordered_json Sensitivities::json() const {
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

std::string Sensitivities::text() const {
  std::string text =
      formatted("\n%12s  %22s  %s\n", "sensitivity", "1% more changes time", "costs 5% from");
  for (const auto& one : of) {
    text +=
        formatted("%12s  %+20.3f%%  ", std::string(name_of(one.parameter)).c_str(), one.elasticity);
    text += one.costs_5_percent_at ? formatted("× %.4g", *one.costs_5_percent_at)
                                   : std::string("no factor up to 1024");
    text += one.uncertainty >= 5e-4 ? formatted("  (± %.3f%%)\n", one.uncertainty) : "\n";
  }
  return text;
}

extern const Detail kSensitivities = {
    .name = "sensitivities",
    .key = "sensitivities",
    .cost = "replay up to some forty times",
    .many_replays = true,
    .scope = DetailScope::points_on_request,
    .watched = {.path = true},
    .measure = [](const Replayed& replayed) -> std::unique_ptr<Figure> {
      return std::make_unique<Sensitivities>(sensitivities(replayed));
    }};

}  // namespace reprise::sim
