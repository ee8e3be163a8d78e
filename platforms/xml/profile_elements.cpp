// SPDX-License-Identifier: MIT
#include "platforms/xml/profile_elements.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::platforms {
namespace {

using nlohmann::json;
using Of = SimgridProfile::Of;

constexpr char kNeverOff[] = ": links and hosts are never off";

struct Attribute {
  const char* name;
  Of of;
};
constexpr Attribute kAttributes[] = {{"availability_file", Of::speed},  // its older name
                                     {"speed_file", Of::speed},
                                     {"bandwidth_file", Of::bandwidth},
                                     {"latency_file", Of::latency}};

std::string get(const XmlElement& element, std::string_view key) {
  const std::string* value = element.attribute(key);
  return value == nullptr ? "" : *value;
}

// Of a link, or of one that is split the half that goes up: both are alike. Null where there is none.
const SimgridLink* find_link(const SimgridMachine& machine, const std::string& name) {
  for (const std::string& wanted : {name, name + "_UP"}) {
    const auto found = std::find_if(machine.links.begin(), machine.links.end(),
                                    [&](const SimgridLink& link) { return link.name == wanted; });
    if (found != machine.links.end()) return &*found;
  }
  return nullptr;
}

// What a profile's values are factors of; 0 where there is nothing.
double whole(const ProfileOf& profile, const SimgridMachine& machine) {
  if (profile.of == Of::speed) return 1;  // they are factors
  const SimgridLink* link = find_link(machine, profile.name);
  if (link == nullptr) return 0;
  return profile.of == Of::bandwidth ? link->bandwidth.value : link->latency.value;
}

const char* name_of(Of of) {
  switch (of) {
    case Of::bandwidth:
      return "bandwidth";
    case Of::latency:
      return "latency";
    case Of::speed:
      break;
  }
  return "speed";
}

}  // namespace

std::string place(const std::string& file, const XmlElement& element) {
  return file + ':' + std::to_string(element.line);
}

std::string named(const XmlElement& element) {
  const std::string* id = element.attribute("id");
  return '<' + element.name + '>' + (id == nullptr ? "" : " \"" + *id + '"');
}

void ProfileElements::take(const XmlElement& element, BesideSimgrid& found) {
  if (element.name == "trace")
    define(element);
  else if (element.name == "trace_connect")
    connect(element, found);
  else
    take_attributes(element, found);
}

void ProfileElements::take_attributes(const XmlElement& element, BesideSimgrid& found) {
  for (const auto& [attribute, of] : kAttributes)
    if (const std::string path = get(element, attribute); !path.empty())
      found.profiles.push_back({of, get(element, "id"), place(file_, element),
                                std::string(attribute) + " of " + named(element),
                                in_file(element, attribute, path)});
  if (!get(element, "state_file").empty())
    found.left_out.push_back(place(file_, element) + ": state_file of " + named(element) +
                             kNeverOff);
}

void ProfileElements::define(const XmlElement& trace) {
  if (const std::string path = get(trace, "file"); !path.empty()) {
    traces_[get(trace, "id")] = in_file(trace, "file", path);
    return;
  }
  const std::string text = get(trace, "periodicity");
  double periodicity = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), periodicity);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(periodicity))
    throw InputError(
        place(file_, trace),
        "the periodicity \"" + text + "\" of " + named(trace) + " is not a number of seconds",
        "write 0 for a profile that does not repeat");
  traces_[get(trace, "id")] = parse_profile(trace.text, file_, trace.text_line, periodicity);
}

void ProfileElements::connect(const XmlElement& element, BesideSimgrid& found) const {
  const std::string kind = get(element, "kind"), trace = get(element, "trace"),
                    of = get(element, "element");
  const std::string what =
      "the profile of " + (kind.empty() ? "HOST_AVAIL" : kind) + " of \"" + of + '"';
  const auto values = traces_.find(trace);
  if (values == traces_.end())
    throw InputError(place(file_, element), "there is no <trace> \"" + trace + "\" before it",
                     "define it, or correct the name");
  const auto add = [&](Of kind_of) {
    found.profiles.push_back({kind_of, of, place(file_, element), what, values->second});
  };
  if (kind == "SPEED") return add(Of::speed);
  if (kind == "BANDWIDTH") return add(Of::bandwidth);
  if (kind == "LATENCY") return add(Of::latency);
  found.left_out.push_back(place(file_, element) + ": " + what + kNeverOff);
}

const ProfileValues& ProfileElements::in_file(const XmlElement& element,
                                              const std::string& attribute,
                                              const std::string& name) {
  namespace fs = std::filesystem;
  const fs::path path = fs::path(file_).parent_path() / name;
  if (const auto known = files_.find(path.string()); known != files_.end()) return known->second;
  std::error_code ignored;
  std::ifstream in;
  if (fs::is_regular_file(path, ignored)) in.open(path, std::ios::binary);
  if (!in.is_open())
    throw InputError(place(file_, element),
                     "its " + attribute + " \"" + name + "\" cannot be opened",
                     "the file's place is relative to the folder of the platform file");
  if (fs::file_size(path, ignored) > kMaxProfileBytes)
    throw InputError(path.string(),
                     "larger than " + std::to_string(kMaxProfileBytes >> 20) + " MiB");
  std::ostringstream text;
  text << in.rdbuf();
  return files_[path.string()] = parse_profile(text.str(), path.string(), 1, 0);
}

std::string why_left_out(const ProfileOf& profile, const SimgridMachine& machine) {
  const auto& steps = profile.values.steps;
  if (profile.values.is_stochastic) return ": stochastic, and no two runs of it are alike";
  if (steps.empty()) return ": it says nothing";
  const bool is_of_link = profile.of != Of::speed;
  if (is_of_link && machine.has_coordinates)
    return ": links of a machine whose latencies come from host coordinates do not change";
  if (whole(profile, machine) <= 0)
    return profile.of == Of::latency ? ": a link without latency cannot get one for a time"
                                     : ": SimGrid has no such link";
  const bool has_zero =
      std::any_of(steps.begin(), steps.end(), [&](const ProfileValues::Step& step) {
        const double factor = step.value / whole(profile, machine);
        return !(factor > 0) || !std::isfinite(factor);
      });
  return has_zero ? std::string(": a ") + name_of(profile.of) + " of 0 is not supported" : "";
}

json profile_json(const ProfileOf& profile, const SimgridMachine& machine) {
  json one = {{"of", name_of(profile.of)}, {"name", profile.name}, {"source", profile.where}};
  for (const ProfileValues::Step& step : profile.values.steps)
    one["steps"].push_back(
        {{"from", to_text(step.from)}, {"factor", step.value / whole(profile, machine)}});
  if (profile.values.repeat_every.value > 0)
    one["repeat_every"] = to_text(profile.values.repeat_every);
  return one;
}

}  // namespace reprise::platforms
