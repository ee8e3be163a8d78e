// SPDX-License-Identifier: MIT
#include "sim/report/sentence.hpp"

#include <cmath>
#include <vector>

#include "sim/report/html.hpp"

namespace reprise::sim::report {
namespace {

std::string strong(const std::string& text) { return "<strong>" + escaped(text) + "</strong>"; }

std::string time_text(const PointView& point) {
  std::string text = seconds(point.time);
  if (point.seeds > 1) {
    const TimeUnit unit = unit_for(point.time);
    text += " (" + digits(point.low / unit.seconds, 4) + " to " +
            digits(point.high / unit.seconds, 4) + "\u202f" + unit.name + " over " +
            counted(point.seeds, "seed") + ")";
  }
  return escaped(text);
}

std::string compared(const PointView& point, const PointView& baseline) {
  const std::string than = " the baseline (" + escaped(baseline.name) + ")";
  if (point.speedup >= 1.005) return digits(point.speedup, 3) + " times as fast as" + than;
  if (point.speedup > 0 && point.speedup <= 0.995)
    return digits(1 / point.speedup, 3) + " times as long as" + than;
  return "as long as" + than;
}

// 10 % more of the parameter, in words.
std::string hangs_on(const nlohmann::ordered_json& row) {
  const std::string parameter = row.value("parameter", "");
  const double elasticity = row.value("elasticity", 0.0);
  const double change = std::pow(parameter == "bandwidth" ? 0.9 : 1.1, elasticity) - 1;
  const std::string what = parameter == "compute"     ? "computing 10\u202f% longer"
                           : parameter == "bandwidth" ? "10\u202f% less bandwidth"
                           : parameter == "latency"   ? "10\u202f% more latency"
                                                      : escaped(parameter);
  return what + (change < 0.0005 ? " costs next to nothing" : " costs " + percent(change));
}

std::string alike(const StudyView& view, const PointView& fastest) {
  std::vector<std::string> names;
  for (const auto& point : view.points)
    if (&point != &fastest && point.is_done &&
        (point.low <= fastest.high || point.time <= fastest.time * 1.005))
      names.push_back(point.name);
  if (names.empty()) return "";
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < 3; ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + strong(names[i]);
  if (names.size() > 3) text += " and " + counted(names.size() - 3, "other");
  return "<p>Not told apart from it: " + text +
         ", whose run time is within 0.5\u202f% of it or within its band.</p>";
}

}  // namespace

std::string answer_sentence(const StudyView& view) {
  const auto* fastest = view.fastest();
  const auto* baseline = view.baseline();
  if (fastest == nullptr) return "No simulation of this study has a result.";
  std::string text;
  if (fastest == baseline && view.done() > 1) {
    const PointView& next = view.points[1];
    text = "Nothing is faster than the baseline, " + strong(fastest->name) + ": the run takes " +
           time_text(*fastest) + ". Next is " + strong(next.name) + " with " + time_text(next);
  } else {
    text = (view.done() > 1 ? "Fastest is " + strong(fastest->name) + ": the run takes "
                            : std::string("The run takes ")) +
           time_text(*fastest);
    if (baseline != nullptr && fastest != baseline) text += ", " + compared(*fastest, *baseline);
  }
  const std::string limit = limit_of(*fastest);
  if (!limit.empty())
    text += std::string("; ") + (fastest == baseline && view.done() > 1 ? "the baseline" : "it") +
            " is limited by " + escaped(limit);
  return text + ".";
}

std::string further_sentences(const StudyView& view) {
  std::string text;
  const auto* fastest = view.fastest();
  if (fastest != nullptr) text += alike(view, *fastest);
  const auto* shown = view.baseline() != nullptr ? view.baseline() : fastest;
  if (shown != nullptr && shown->json->contains("sensitivities") &&
      !(*shown->json)["sensitivities"].empty()) {
    std::string list;
    for (const auto& row : (*shown->json)["sensitivities"])
      list += (list.empty() ? "" : "; ") + hangs_on(row);
    text += "<p>What the run time hangs on (" + escaped(shown->name) + "): " + list + ".</p>";
  }
  if (view.json->contains("remarks"))
    for (const auto& remark : (*view.json)["remarks"])
      if (remark.is_string()) text += "<p>Note: " + escaped(remark.get<std::string>()) + ".</p>";
  const std::size_t missing = view.points.size() - view.done();
  if (missing > 0)
    text += "<p class=\"warning\"><strong>" + counted(missing, "point") + " of " +
            whole(static_cast<double>(view.points.size())) + (missing == 1 ? " has" : " have") +
            " no result</strong>; the table names the reasons.</p>";
  return text;
}

}  // namespace reprise::sim::report
