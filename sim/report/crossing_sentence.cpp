// SPDX-License-Identifier: MIT
// Two values of an axis that change places along an axis of numbers: below some number one is the faster, above it the other. Of a basket, by the
// weighted geometric mean of the applications' times, as everywhere.
#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/report/number_text.hpp"
#include "sim/report/sentences.hpp"

namespace reprise::sim::report {
namespace {

using nlohmann::ordered_json;

struct WeightedPoint {
  const PointView* point;
  double weight;  // of its application; 1 where there is but one
};
// The points of all applications that have everything else in common; empty where one of them has no time.
using Together = std::vector<WeightedPoint>;

// A place on the axis of numbers, with the points of each of the two values there.
struct Step {
  double number = 0;
  std::string label;
  Together first, second;
};

double time_by(const PointView& point, const std::string& network) {
  if (network.empty()) return point.time;
  for (const auto& model : part_of(*point.json, "models"))
    if (text_of(model, "network") == network) return point.time * number_at(model, "ratio");
  return 0;
}

std::optional<double> log_time_by(const Together& points, const std::string& network) {
  double sum = 0;
  for (const auto& [point, weight] : points) {
    const double time = time_by(*point, network);
    if (time <= 0) return std::nullopt;
    sum += weight * std::log(time);
  }
  return sum;
}

// Of the second over the first, as a logarithm; none where a time is not known.
std::optional<double> lead_at(const Step& step, const std::string& network) {
  const auto first = log_time_by(step.first, network), second = log_time_by(step.second, network);
  if (!first || !second) return std::nullopt;
  return *second - *first;
}

struct Crossing {
  const Step *below, *above;
  double number = 0;  // interpolated, evenly in the logarithms
  bool is_first_below = false;
};

// The one change of places; none where there is no difference worth a choice on either side, or more than one change.
std::optional<Crossing> crossing_of(const std::vector<Step>& steps, const std::string& network) {
  std::optional<Crossing> found;
  double least = 0, most = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const auto lead = lead_at(steps[i], network);
    if (!lead) return std::nullopt;
    least = std::min(least, *lead);
    most = std::max(most, *lead);
    if (i == 0) continue;
    const double before = *lead_at(steps[i - 1], network);
    if ((before < 0) == (*lead < 0)) continue;
    if (found) return std::nullopt;
    const double part = before / (before - *lead);
    found = Crossing{&steps[i - 1], &steps[i],
                     std::exp(std::log(steps[i - 1].number) +
                              part * std::log(steps[i].number / steps[i - 1].number)),
                     before > 0};
  }
  const double worth = std::log(1 + kTolerance);
  return least < -worth && most > worth ? found : std::nullopt;
}

double number_on_axis(const StudyView& view, std::size_t axis, std::size_t i) {
  const auto& json = (*view.json)["study"]["axes"][axis];
  if (const auto& factors = part_of(json, "factors"); i < factors.size())
    return factors[i].get<double>();
  const std::string label = json["labels"][i].is_string() ? json["labels"][i].get<std::string>()
                                                          : json["labels"][i].dump();
  return number_of_label(label);
}

// The axis is not one that a baseline has a value on.
bool is_of_applications(const StudyView& view, std::size_t axis) {
  return view.applications > 0 && view.axes[axis] == "application";
}

double weight_of(const StudyView& view, const PointView& point) {
  for (const auto& one : part_of((*view.json)["study"], "applications"))
    if (text_of(one, "label") == text_of(part_of(*point.json, "labels"), "application"))
      return number_at(one, "weight");
  return 1;
}

// Where all other axes are as at the baseline.
Together points_at(const StudyView& view, std::size_t numbers, const std::string& number,
                   std::size_t values, const std::string& value) {
  const auto& baseline = part_of((*view.json)["study"], "baseline");
  Together points;
  for (const PointView& point : view.points) {
    bool is_there = point.is_done;
    for (std::size_t axis = 0; axis < view.axes.size(); ++axis)
      is_there &=
          is_of_applications(view, axis) ||
          point.labels[axis] == (axis == numbers  ? number
                                 : axis == values ? value
                                                  : text_of(baseline, view.axes[axis].c_str()));
    if (is_there) points.push_back({&point, weight_of(view, point)});
  }
  if (points.size() != std::max<std::size_t>(1, view.applications)) points.clear();
  return points;
}

std::vector<Step> steps_of(const StudyView& view, std::size_t numbers, std::size_t values,
                           const std::string& first, const std::string& second) {
  const auto& labels = part_of((*view.json)["study"]["axes"][numbers], "labels");
  std::vector<Step> steps;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const std::string label =
        labels[i].is_string() ? labels[i].get<std::string>() : labels[i].dump();
    const Step step{number_on_axis(view, numbers, i), label,
                    points_at(view, numbers, label, values, first),
                    points_at(view, numbers, label, values, second)};
    if (step.number > 0 && !step.first.empty() && !step.second.empty()) steps.push_back(step);
  }
  std::ranges::sort(steps, {}, &Step::number);
  return steps;
}

// "0.72x" of labels "0.7x" and "0.8x".
std::string number_like(double number, const std::string& label) {
  return digits(number, 3) + (label.ends_with('x') ? "x" : "");
}

std::string places_text(const StudyView& view, std::size_t numbers, const std::vector<Step>& steps,
                        const std::string& first, const std::string& second,
                        const Crossing& found) {
  const std::string &low = found.is_first_below ? first : second,
                    &high = found.is_first_below ? second : first;
  std::string text = "Along " + bold(view.axes[numbers]) +
                     (view.applications > 1 ? ", for all applications together, " : ", ") +
                     bold(low) + " is the faster up to " + found.below->label + " and " +
                     bold(high) + " from " + found.above->label + " on; they are equal at about " +
                     number_like(found.number, found.below->label);
  const auto& models = part_of(*steps.front().first.front().point->json, "models");
  for (std::size_t i = 1; i < models.size(); ++i) {
    const std::string network = text_of(models[i], "network");
    if (const auto other = crossing_of(steps, network))
      text += ", with the " + network + " network at about " +
              number_like(other->number, other->below->label);
    else
      text += ", with the " + network + " network nowhere between";
  }
  return text + ".";
}

}  // namespace

std::vector<std::string> crossing_sentences(const StudyView& view) {
  std::vector<std::string> sentences;
  const auto& baseline = part_of((*view.json)["study"], "baseline");
  for (const std::size_t numbers : view.numeric_axes)
    for (std::size_t values = 0; values < view.axes.size(); ++values) {
      if (values == numbers || is_of_applications(view, values) ||
          std::ranges::find(view.numeric_axes, values) != view.numeric_axes.end())
        continue;
      const std::string first = text_of(baseline, view.axes[values].c_str());
      for (const auto& label : part_of((*view.json)["study"]["axes"][values], "labels")) {
        const std::string second = label.is_string() ? label.get<std::string>() : label.dump();
        if (second == first) continue;
        const auto steps = steps_of(view, numbers, values, first, second);
        if (const auto found = crossing_of(steps, ""))
          sentences.push_back(places_text(view, numbers, steps, first, second, *found));
      }
    }
  return sentences;
}

}  // namespace reprise::sim::report
