// SPDX-License-Identifier: MIT
#include "sim/report/view.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>

#include "sim/report/html.hpp"

namespace reprise::sim::report {
namespace {

using nlohmann::ordered_json;

const ordered_json* find(const ordered_json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

std::string text_of(const ordered_json& object, const char* key) {
  const auto* value = find(object, key);
  return value == nullptr ? "" : value->is_string() ? value->get<std::string>() : value->dump();
}

std::string last_part(const std::string& path) { return path.substr(path.rfind('/') + 1); }

double number_of(const ordered_json& object, const char* key) {
  const auto* value = find(object, key);
  return value != nullptr && value->is_number() ? value->get<double>() : 0;
}

// "0.5x", "× 2", "64": a positive number, perhaps as a factor.
bool is_number(const std::string& label) {
  std::string digits = label;
  for (const char* sign : {"×", "x", " "})
    for (std::size_t at; (at = digits.find(sign)) != std::string::npos;)
      digits.erase(at, std::string_view(sign).size());
  char* end = nullptr;
  const double value = std::strtod(digits.c_str(), &end);
  return !digits.empty() && std::isdigit(static_cast<unsigned char>(digits[0])) != 0 &&
         *end == '\0' && value > 0;
}

// An axis of numbers: several values, with factors, or with labels that are numbers.
bool is_numeric_axis(const ordered_json& axis) {
  const auto* labels = find(axis, "labels");
  const auto* factors = find(axis, "factors");
  if (labels == nullptr || labels->size() < 2) return false;
  if (factors != nullptr && factors->is_array() && factors->size() == labels->size()) return true;
  return std::all_of(labels->begin(), labels->end(), [](const ordered_json& label) {
    return label.is_string() && is_number(label.get<std::string>());
  });
}

PointView point_of(const ordered_json& json, std::size_t number, const ordered_json& study,
                   const std::vector<std::string>& axes, const std::vector<bool>& varies,
                   const std::vector<bool>& is_numeric) {
  PointView point;
  point.json = &json;
  point.number = number;
  const auto* labels = find(json, "labels");
  const auto* baseline = find(study, "baseline");
  point.is_baseline = baseline != nullptr && !axes.empty();
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    point.labels.push_back(labels == nullptr ? "" : text_of(*labels, axes[axis].c_str()));
    if (varies[axis])
      point.name += (point.name.empty() ? "" : ", ") + (is_numeric[axis] ? axes[axis] + " " : "") +
                    point.labels.back();
    if (point.is_baseline && text_of(*baseline, axes[axis].c_str()) != point.labels.back())
      point.is_baseline = false;
  }
  if (point.name.empty()) point.name = "the run";
  point.is_done = text_of(json, "status") == "done";
  if (const auto* time = find(json, "predicted_time_s")) {
    point.time = time->is_number() ? time->get<double>() : number_of(*time, "median");
    point.low = time->is_number() ? point.time : number_of(*time, "low");
    point.high = time->is_number() ? point.time : number_of(*time, "high");
    point.seeds = std::max<std::uint64_t>(
        1, static_cast<std::uint64_t>(time->is_number() ? 1 : number_of(*time, "seeds")));
  }
  point.speedup = number_of(json, "speedup");
  point.compute = number_of(json, "compute_s");
  point.communication = number_of(json, "communication_s");
  point.wait = number_of(json, "wait_s");
  point.efficiencies = find(json, "efficiencies");
  return point;
}

}  // namespace

const PointView* StudyView::baseline() const {
  const auto found = std::find_if(points.begin(), points.end(),
                                  [](const auto& point) { return point.is_baseline; });
  return found != points.end() && found->is_done ? &*found : nullptr;
}

std::size_t StudyView::done() const {
  return static_cast<std::size_t>(
      std::count_if(points.begin(), points.end(), [](const auto& point) { return point.is_done; }));
}

StudyView view_of(const ordered_json& results) {
  static const ordered_json kNothing = ordered_json::object();
  const auto* found = find(results, "study");
  const ordered_json& study = found == nullptr ? kNothing : *found;
  StudyView view;
  view.json = &results;
  view.name = text_of(study, "name");
  view.question = text_of(study, "question");
  if (const auto* trace = find(study, "trace"))
    view.program = last_part(text_of(*trace, "program"));
  std::vector<bool> varies, is_numeric;
  if (const auto* axes = find(study, "axes"))
    for (const auto& axis : *axes) {
      const auto* labels = find(axis, "labels");
      varies.push_back(labels != nullptr && labels->size() > 1);
      is_numeric.push_back(is_numeric_axis(axis));
      if (is_numeric.back()) view.numeric_axes.push_back(view.axes.size());
      view.axes.push_back(text_of(axis, "name"));
    }
  if (const auto* points = find(results, "points"))
    for (std::size_t i = 0; i < points->size(); ++i)
      view.points.push_back(point_of((*points)[i], i, study, view.axes, varies, is_numeric));
  std::stable_sort(view.points.begin(), view.points.end(),
                   [](const PointView& a, const PointView& b) {
                     return a.is_done != b.is_done ? a.is_done : a.is_done && a.time < b.time;
                   });
  return view;
}

std::string limit_of(const PointView& point) {
  if (!point.is_done) return "";
  if (point.efficiencies == nullptr) {
    const double whole = point.compute + point.communication + point.wait;
    if (whole <= 0) return "";
    if (point.compute >= 0.9 * whole)
      return "computing (" + percent(point.compute / whole) + " of the time)";
    return point.wait >= point.communication
               ? "waiting (" + percent(point.wait / whole) + " of the time)"
               : "moving data (" + percent(point.communication / whole) + " of the time)";
  }
  const auto& e = *point.efficiencies;
  const double balance = number_of(e, "load_balance"),
               serialisation = number_of(e, "serialisation"), transfer = number_of(e, "transfer");
  if (number_of(e, "parallel") >= 0.9)
    return "computing (" + percent(number_of(e, "parallel")) + " of the time)";
  if (balance <= serialisation && balance <= transfer)
    return "uneven work between ranks (load balance " + percent(balance) + ")";
  if (serialisation <= transfer)
    return "ranks waiting for one another (serialisation " + percent(serialisation) + ")";
  return "moving data (transfer " + percent(transfer) + ")";
}

}  // namespace reprise::sim::report
