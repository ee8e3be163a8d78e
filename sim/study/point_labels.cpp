// SPDX-License-Identifier: MIT
#include "sim/study/point_labels.hpp"

#include <algorithm>

#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"

namespace reprise::sim {
namespace {

using nlohmann::json;
using platforms::JsonPlace;

std::string hint(const std::string& word, const std::vector<std::string>& known,
                 const std::string& introduction) {
  if (known.empty()) return "";
  if (const auto nearest = nearest_word(word, known)) return "did you mean \"" + *nearest + "\"?";
  std::string list;
  for (const std::string& name : known) list += (list.empty() ? " \"" : ", \"") + name + '"';
  return introduction + list;
}

}  // namespace

std::size_t axis_called(const std::vector<Axis>& axes, const std::string& name,
                        const JsonPlace& place) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].name == name) return i;
    names.push_back(axes[i].name);
  }
  throw InputError(place.text(), "no axis \"" + name + '"', hint(name, names, "the axes are"));
}

std::size_t value_called(const Axis& axis, const json& label, const JsonPlace& place) {
  if (!label.is_string())
    throw InputError(place.text(), "expected a label, found " + platforms::describe_value(label));
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < axis.values.size(); ++i) {
    if (axis.values[i].label == label.get_ref<const std::string&>()) return i;
    labels.push_back(axis.values[i].label);
  }
  throw InputError(place.text(),
                   "axis \"" + axis.name + "\" has no value \"" + label.get<std::string>() + '"',
                   hint(label.get<std::string>(), labels, "its values are"));
}

Exclusion points_called(const std::vector<Axis>& axes, const json& object,
                        const std::vector<std::string>& others, const JsonPlace& place) {
  if (!object.is_object())
    throw InputError(place.text(),
                     "expected an object, found " + platforms::describe_value(object));
  Exclusion points;
  for (const auto& [name, labels] : object.items()) {
    if (std::find(others.begin(), others.end(), name) != others.end()) continue;
    const std::size_t axis = axis_called(axes, name, place);
    std::vector<std::size_t> values;
    for (const json& label : labels.is_array() ? labels : json::array({labels}))
      values.push_back(value_called(axes[axis], label, place.child(name)));
    points.axes.emplace_back(axis, std::move(values));
  }
  return points;
}

}  // namespace reprise::sim
