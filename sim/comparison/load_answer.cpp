// SPDX-License-Identifier: MIT
#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>

#include "sim/comparison/answer_fields.hpp"
#include "sim/comparison/comparison.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;

ordered_json read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path, "cannot be read", "");
  std::ostringstream text;
  text << file.rdbuf();
  if (text.str().starts_with("\x89reprise"))  // trace-io/FORMAT.md
    throw InputError(path, "is a trace, not the answer of a replay",
                     "compare answers: reprise replay " + path +
                         " -p MACHINE --details critical-path --format json -o FILE; two traces "
                         "are compared with reprise trace diff");
  ordered_json json = ordered_json::parse(text.str(), nullptr, false);
  if (json.is_discarded())
    throw InputError(path, "is not JSON", "write it with `reprise replay … --format json -o FILE`");
  return json;
}

bool is_answer(const ordered_json& json) {
  const auto time = json.is_object() ? json.find("predicted_time_s") : json.end();
  return json.is_object() && time != json.end() && time->is_number();
}

// The keys of the recordings that POINT is of; none where an application has several, of sizes of
// which the point does not say its own.
ordered_json keys_in_study(const ordered_json& results, const ordered_json& point) {
  const auto& study = part_of(results, "study");
  const std::string application = text_at(part_of(point, "labels"), "application");
  auto keys = ordered_json::array();
  const auto add = [&keys](const ordered_json& recordings) {
    for (const auto& one : recordings)
      if (const auto key = text_at(one, "key"); !key.empty()) keys.push_back(key);
  };
  for (const auto& one : part_of(study, "applications")) {
    const auto& traces = part_of(one, "traces");
    if (text_at(one, "label") == application &&
        (traces.size() == 1 || point.contains("by_recording")))
      add(traces);
  }
  if (study.contains("traces"))
    add(study["traces"]);
  else if (study.contains("trace"))
    add(ordered_json::array({study["trace"]}));
  return keys;
}

// "0 (halo, EDR), 1 (halo, fast CPU)", of many the first ones.
std::string points_text(const ordered_json& points) {
  constexpr std::size_t kMost = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(points.size(), kMost); ++i) {
    std::string name;
    for (const auto& [axis, label] : part_of(points[i], "labels").items())
      name += (name.empty() ? "" : ", ") +
              (label.is_string() ? label.template get<std::string>() : label.dump());
    text +=
        (text.empty() ? "" : ", ") + std::to_string(i) + (name.empty() ? "" : " (" + name + ")");
  }
  return points.size() > kMost ? text + ", … to " + std::to_string(points.size() - 1) +
                                     ", in the order of the study's table"
                               : text;
}

}  // namespace

ordered_json load_answer(const std::string& place) {
  const std::size_t colon = place.rfind(':');
  std::size_t number = 0;
  const char* const end = place.data() + place.size();
  const bool names_point = colon != std::string::npos && colon + 1 < place.size() &&
                           std::from_chars(place.data() + colon + 1, end, number).ptr == end;
  const std::string path = names_point ? place.substr(0, colon) : place;
  const ordered_json json = read(path);
  const auto points = json.is_object() ? json.find("points") : json.end();
  if (json.is_object() && points != json.end() && points->is_array()) {
    if (!names_point)
      throw InputError(path, "contains a study's results",
                       "name a point, such as " + path + ":0; its points: " + points_text(*points));
    if (number >= points->size())
      throw InputError(path, "has no point " + std::to_string(number),
                       "its points are 0 to " + std::to_string(points->size() - 1));
    ordered_json point = (*points)[number];
    // Over seeds and recordings a point has a distribution of run times.
    if (const auto time = point.find("predicted_time_s"); time != point.end() && time->is_object())
      *time = ordered_json(time->value("median", ordered_json()));
    if (!is_answer(point))
      throw InputError(path, "point " + std::to_string(number) + " has no result", "");
    point["trace_keys"] = keys_in_study(json, point);
    return point;
  }
  if (!is_answer(json))
    throw InputError(
        path, "does not contain the answer of a replay",
        "write one with `reprise replay … --details critical-path --format json -o FILE`");
  return json;
}

}  // namespace reprise::sim
