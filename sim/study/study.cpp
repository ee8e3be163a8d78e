// SPDX-License-Identifier: MIT
#include "sim/study/study.hpp"

#include <algorithm>

#include "trace-io/base/error.hpp"

namespace reprise::sim {
namespace {

bool is_excluded(const Study& study, const std::vector<std::size_t>& values) {
  return std::any_of(study.exclude.begin(), study.exclude.end(),
                     [&](const Exclusion& exclusion) { return matches(exclusion, values); });
}

// The next combination; false after the last.
bool advance(const Study& study, std::vector<std::size_t>& values) {
  for (std::size_t axis = values.size(); axis-- > 0;) {
    if (++values[axis] < study.axes[axis].values.size()) return true;
    values[axis] = 0;
  }
  return false;
}

}  // namespace

bool matches(const Exclusion& points, const std::vector<std::size_t>& values) {
  return std::all_of(points.axes.begin(), points.axes.end(), [&](const auto& part) {
    return std::find(part.second.begin(), part.second.end(), values[part.first]) !=
           part.second.end();
  });
}

std::vector<Point> points_of(const Study& study) {
  std::uint64_t simulations = 0;
  for (const Application& one : study.applications)
    simulations += std::max<std::uint64_t>(study.seeds, one.traces.size());
  for (const Axis& axis : study.axes) {
    simulations *= axis.values.size();
    if (simulations > kMostSimulations)
      throw InputError(study.file, "more than " + std::to_string(kMostSimulations) + " simulations",
                       "axis values multiply: shorten an axis, or split the study");
  }
  std::vector<Point> points;
  for (std::size_t application = 0; application < study.applications.size(); ++application) {
    std::vector<std::size_t> values(study.axes.size());
    do {
      if (!is_excluded(study, values))
        points.push_back({values, application, values == study.baseline});
    } while (advance(study, values));
  }
  return points;
}

nlohmann::ordered_json labels_of(const Study& study, const Point& point) {
  auto labels = nlohmann::ordered_json::object();
  if (study.is_basket) labels[kApplicationAxis] = study.applications[point.application].label;
  for (std::size_t axis = 0; axis < study.axes.size(); ++axis)
    labels[study.axes[axis].name] = study.axes[axis].values[point.values[axis]].label;
  return labels;
}

std::string describe(const Study& study, const Point& point) {
  std::string text;
  if (study.is_basket)
    text = std::string(kApplicationAxis) + ' ' + study.applications[point.application].label;
  for (std::size_t axis = 0; axis < study.axes.size(); ++axis)
    text += (text.empty() ? "" : ", ") + study.axes[axis].name + ' ' +
            study.axes[axis].values[point.values[axis]].label;
  return text.empty() ? "the only point" : text;
}

}  // namespace reprise::sim
