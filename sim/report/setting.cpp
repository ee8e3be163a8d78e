// SPDX-License-Identifier: MIT
// What was run on what, in lines that stand above the answer.
#include <algorithm>
#include <set>

#include "sim/report/number_text.hpp"
#include "sim/report/study_page.hpp"
#include "sim/report/study_view.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;
using report::counted;
using report::find;
using report::part_of;

std::string string_at(const ordered_json& object, const char* key) {
  const auto* value = find(object, key);
  return value != nullptr && value->is_string() ? value->get<std::string>() : "";
}

std::string application_line(const ordered_json& study) {
  if (find(study, "applications") != nullptr) return "";
  const auto& trace = part_of(study, "trace");
  const auto& traces = part_of(study, "traces");
  const std::string program = string_at(trace, "program");
  if (program.empty()) return "";
  std::set<double> ranks{report::number_at(trace, "ranks")};
  for (const auto& one : traces) ranks.insert(report::number_at(one, "ranks"));
  std::string text = program.substr(program.rfind('/') + 1);
  if (ranks.size() == 1 && *ranks.begin() > 0)
    text += ", " + counted(static_cast<std::uint64_t>(*ranks.begin()), "rank");
  if (const auto placement = string_at(study, "placement"); !placement.empty())
    text += ", " + placement + " placement";
  return text + ", " +
         (traces.size() > 1 ? counted(traces.size(), "recording") : std::string("one recording"));
}

// What the study's axes call it.
std::string labels_of_machine(const ordered_json& study, const std::string& platform) {
  std::string text;
  for (const auto& axis : part_of(study, "axes")) {
    const auto &platforms = part_of(axis, "platforms"), &labels = part_of(axis, "labels");
    for (std::size_t i = 0; i < std::min(platforms.size(), labels.size()); ++i)
      if (platforms[i] == platform && labels[i].is_string() && labels[i] != platform)
        text += (text.empty() ? "" : ", ") + labels[i].get<std::string>();
  }
  return text;
}

std::string machine_line(const ordered_json& study, const ordered_json& machine) {
  const std::string source = string_at(machine, "source");
  const std::string size =
      counted(static_cast<std::uint64_t>(report::number_at(machine, "nodes")), "node") + " of " +
      counted(static_cast<std::uint64_t>(report::number_at(machine, "cores")), "core");
  const auto labels = labels_of_machine(study, string_at(machine, "platform"));
  std::string text = (labels.empty() ? "" : labels + ": ") + string_at(machine, "name");
  // sources often begin with the size, or, of the recording's machine, with the name
  if (source.rfind(text, 0) == 0 && labels.empty()) return source;
  if (source.find(size) == std::string::npos) text += ", " + size;
  return text + (source.empty() ? "" : " (" + source + ")");
}

}  // namespace

std::vector<std::string> setting_lines(const ordered_json& results) {
  std::vector<std::string> lines;
  const auto& study = part_of(results, "study");
  if (auto line = application_line(study); !line.empty()) lines.push_back(std::move(line));
  for (const auto& machine : part_of(study, "machines"))
    lines.push_back(machine_line(study, machine));
  return lines;
}

std::vector<FastestPoint> fastest_points(const ordered_json& results) {
  std::vector<FastestPoint> fastest;
  for (const auto& point : report::view_of(results).points)
    if (point.is_fastest) fastest.push_back({point.number, point.is_tied, point.is_doubtful});
  return fastest;
}

void mark_fastest_points(ordered_json& results) {
  const auto points = report::view_of(results).points;
  for (const auto& point : points) {
    if (!point.is_first) continue;
    ordered_json& json = results["points"][point.number];
    json["fastest"] = point.is_tied ? "tied" : "alone";
    if (!point.is_tied || !point.probability_fastest || json.contains("probability_least"))
      continue;
    json["probability_least"] = json["probability_fastest"];
    json["probability_fastest"] = *point.probability_fastest;
  }
}

}  // namespace reprise::sim
