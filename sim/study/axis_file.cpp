// SPDX-License-Identifier: MIT
#include "sim/study/axis_file.hpp"

#include <array>
#include <charconv>
#include <filesystem>
#include <set>

#include "platforms/placement.hpp"
#include "sim/study/study_keys.hpp"  // made of study.schema.json
#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"

namespace reprise::sim {
namespace {

using nlohmann::json;
using platforms::JsonPlace;
using platforms::ObjectReader;

AxisValue parse_value(const json& value, const JsonPlace& place, const std::string& folder) {
  ObjectReader reader(value, place, kValueKeys);
  AxisValue parsed;
  parsed.place = place;
  parsed.label = reader.text("label");
  if (reader.has("platform"))
    parsed.platform = platform_beside_study(folder, reader.text("platform"));
  if (reader.has("placement"))
    parsed.placement =
        placement_beside_study(folder, reader.text("placement"), place.child("placement"));
  if (reader.has("network")) parsed.network = read_network(reader);
  if (reader.has("ranks"))
    parsed.ranks = static_cast<std::uint32_t>(reader.count("ranks", 1, std::uint64_t{1} << 22));
  if (reader.has("scenario"))
    parsed.changes = load_scenario(beside_study(folder, reader.text("scenario"))).changes;
  if (reader.has("changes"))
    for (auto& change : parse_changes(reader.any("changes"), place.child("changes")))
      parsed.changes.push_back(std::move(change));
  reader.finish();
  return parsed;
}

std::string factor_label(double factor) {
  std::array<char, 32> digits;
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), factor);
  return std::string(digits.data(), end) + "x";
}

void check_labels(const Axis& axis, const JsonPlace& place) {
  std::set<std::string> labels;
  for (const AxisValue& value : axis.values)
    if (!labels.insert(value.label).second)
      throw InputError(place.text(),
                       "two values of axis \"" + axis.name + "\" are called \"" + value.label + '"',
                       "give each a label of its own");
}

// By what a change multiplies, where KEY says so.
std::optional<double> factor_of(const Change& change, const std::string& key) {
  if (const auto* setting = std::get_if<SettingChange>(&change.what)) return setting->multiply_by;
  if (const auto* rule = std::get_if<ComputeRule>(&change.what);
      rule != nullptr && key == "multiply_by")
    return rule->factor;
  const bool is_link_factor = key == "latency" || key == "bandwidth";
  if (const auto* link = std::get_if<LinkChange>(&change.what); link != nullptr && is_link_factor)
    return key == "latency" ? link->latency : link->bandwidth;
  return std::nullopt;
}

// The key whose value is a list.
std::string varied_key(const json& axis, const JsonPlace& place) {
  std::string varied;
  for (const auto& [key, value] : axis.items()) {
    if (!value.is_array()) continue;
    if (nearest_word(key, {"values"}))
      throw InputError(place.text(), "unknown key \"" + key + '"', "did you mean \"values\"?");
    if (!varied.empty())
      throw InputError(place.text(), "both \"" + varied + "\" and \"" + key + "\" are lists",
                       "an axis varies one of them; make two axes");
    varied = key;
  }
  if (varied.empty())
    throw InputError(place.text(), "nothing is varied",
                     "an axis has \"values\", or a change in which one value is a list, such as "
                     "\"multiply_by\": [1, 2]");
  if (axis[varied].empty()) throw InputError(place.child(varied).text(), "the list is empty");
  return varied;
}

// {"name", "path": …, "multiply_by": [1, 2, 4]} and alike.
Axis changing_axis(const json& value, const JsonPlace& place) {
  if (!value.is_object())
    throw InputError(place.text(), "expected an object, found " + platforms::describe_value(value));
  const std::string varied = varied_key(value, place);
  if (!value.contains("name")) throw InputError(place.text(), "the key \"name\" is missing");
  constexpr std::array<std::string_view, 1> kName{"name"};
  const json name = {{"name", value["name"]}};
  Axis axis;
  axis.name = ObjectReader(name, place, kName).text("name");
  json written = value;
  written.erase("name");
  for (std::size_t i = 0; i < value[varied].size(); ++i) {
    const json& one = value[varied][i];
    written[varied] = one;
    AxisValue point;
    point.place = place.child(varied).child(i);
    point.changes.push_back(parse_change(written, place));
    const auto factor = factor_of(point.changes.back(), varied);
    point.label = one.is_string() ? one.get<std::string>()
                  : factor        ? factor_label(*factor)
                                  : one.dump();
    if (factor) axis.factors.push_back(*factor);
    if (const auto* setting = std::get_if<SettingChange>(&point.changes.back().what))
      axis.path = setting->pointer;
    axis.values.push_back(std::move(point));
  }
  return axis;
}

// A change takes its list from the key that it varies.
void need_no_change(const json& value, const JsonPlace& place) {
  struct Pair {
    const char *of, *with;
  };
  for (const Pair& pair :
       {Pair{"path", "\"multiply_by\" (a list of factors) or \"set_to\" (a list of values)"},
        Pair{"compute", "\"multiply_by\" (a list of factors)"},
        Pair{"link", "\"latency\" or \"bandwidth\" (a list of factors)"},
        Pair{"collective", "\"algorithm\" (a list of names)"}})
    if (value.contains(pair.of))
      throw InputError(
          place.text(), std::string("both \"") + pair.of + "\" and \"values\"",
          std::string("with \"") + pair.of + "\" goes " + pair.with +
              " instead of \"values\"; \"values\" are objects with a \"label\" and, for "
              "instance, a \"platform\"");
}

Axis values_axis(const json& value, const JsonPlace& place, const std::string& folder) {
  need_no_change(value, place);
  ObjectReader reader(value, place, kValuesAxisKeys);
  Axis axis;
  axis.name = reader.text("name");
  const json& list = reader.list("values", 1);
  for (std::size_t i = 0; i < list.size(); ++i)
    axis.values.push_back(parse_value(list[i], place.child("values").child(i), folder));
  reader.finish();
  return axis;
}

}  // namespace

Axis parse_axis(const json& value, const JsonPlace& place, const std::string& folder) {
  const bool has_values = value.is_object() && value.contains("values");
  Axis axis = has_values ? values_axis(value, place, folder) : changing_axis(value, place);
  check_labels(axis, place);
  return axis;
}

Axis scenario_axis(ObjectReader& study, const std::string& folder) {
  Axis axis;
  axis.name = "scenario";
  const json& list = study.list("scenarios", 1);
  const JsonPlace place = study.place().child("scenarios");
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (!list[i].is_string())
      throw InputError(place.child(i).text(),
                       "expected a file, found " + platforms::describe_value(list[i]));
    AxisValue value;
    value.place = place.child(i);
    value.label = list[i].get<std::string>();
    if (value.label != "none") {
      Scenario scenario = load_scenario(beside_study(folder, value.label));
      value.label = scenario.name;
      value.changes = std::move(scenario.changes);
    }
    axis.values.push_back(std::move(value));
  }
  check_labels(axis, place);
  return axis;
}

NetworkKind read_network(ObjectReader& reader) {
  return static_cast<NetworkKind>(reader.choice("network", network_names()));
}

std::size_t neutral_value(const Axis& axis) {
  for (std::size_t i = 0; i < axis.factors.size(); ++i)
    if (axis.factors[i] == 1) return i;
  for (std::size_t i = 0; i < axis.values.size(); ++i) {
    const AxisValue& value = axis.values[i];
    if (!value.platform && !value.placement && !value.network && value.changes.empty()) return i;
  }
  return 0;
}

std::string beside_study(const std::string& folder, const std::string& path) {
  return (std::filesystem::path(folder) / path)
      .lexically_normal()
      .string();  // an absolute path stays
}

std::string platform_beside_study(const std::string& folder, const std::string& platform) {
  const bool is_path = platform.find('/') != std::string::npos || platform.ends_with(".json") ||
                       platform.ends_with(".xml");
  if (!is_path) return platform;
  const std::string path = beside_study(folder, platform);
  return path.find('/') == std::string::npos ? "./" + path : path;
}

std::string placement_beside_study(const std::string& folder, const std::string& placement,
                                   const JsonPlace& place) {
  std::error_code ignored;
  if (const auto path = beside_study(folder, placement);
      std::filesystem::is_regular_file(path, ignored))
    return path;
  platforms::parse_placement(placement, place.text());
  return placement;
}

}  // namespace reprise::sim
