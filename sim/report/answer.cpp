// SPDX-License-Identifier: MIT
// The answer in words.
#include <algorithm>
#include <cmath>

#include "sim/report/number_text.hpp"
#include "sim/report/sections.hpp"

namespace reprise::sim::report {
namespace {

Markup strong(const std::string& text) { return element("strong", text); }

std::string time_text(const PointView& point) {
  if (point.seeds == 1) return seconds(point.time);
  const TimeUnit unit = unit_for(point.time);
  return seconds(point.time) + " (" + range_text(point.low, point.high, unit, " to ") + "\u202f" +
         unit.name + " over " + counted(point.seeds, "seed") + ")";
}

std::string compared(const PointView& point, const PointView& baseline) {
  const std::string than = " the baseline (" + baseline.name + ")";
  if (point.speedup >= 1.005) return digits(point.speedup, 3) + " times as fast as" + than;
  if (point.speedup > 0 && point.speedup <= 0.995)
    return digits(1 / point.speedup, 3) + " times as long as" + than;
  return "as long as" + than;
}

// Whether no point with a result takes a time that can be told from the fastest one's.
bool is_alike(const PointView& point, const PointView& fastest) {
  return point.low <= fastest.high || point.time <= fastest.time * 1.005;
}
bool all_alike(const StudyView& view) {
  return std::ranges::all_of(view.points, [&view](const PointView& point) {
    return !point.is_done || is_alike(point, *view.fastest());
  });
}

Markup sentence(const StudyView& view) {
  const auto* fastest = view.fastest();
  const auto* baseline = view.baseline();
  if (fastest == nullptr) return "No simulation of this study has a result.";
  const bool is_study = view.done() > 1, is_whole = view.missing() == 0;
  const std::string among = "Of the " + counted(view.done(), "point") + " of " +
                            whole(static_cast<double>(view.points.size())) + " with a result ";
  const std::string among_all = is_whole
                                    ? "all " + counted(view.done(), "point")
                                    : "the " + counted(view.done(), "point") + " with a result";
  Markup text;
  if (is_study && all_alike(view)) {
    text = "Nothing that was varied makes a difference: " + among_all + " take the same time, " +
           time_text(*fastest) + ", within 0.5\u202f% or their bands";
  } else if (fastest == baseline && is_study) {
    const PointView& next = view.points[1];
    text = (is_whole ? "Nothing" : among + "none") + " is faster than the baseline, " +
           strong(fastest->name) + ": the run takes " + time_text(*fastest) + ". Next is " +
           strong(next.name) + " with " + time_text(next);
  } else {
    text = is_study ? (is_whole ? "Fastest" : among + "the fastest") + std::string(" is ") +
                          strong(fastest->name) + ": the run takes "
           : is_whole ? Markup("The run takes ")
                      : "Only " + strong(fastest->name) + " has a result: the run takes ";
    text += time_text(*fastest);
    if (baseline != nullptr && fastest != baseline) text += ", " + compared(*fastest, *baseline);
  }
  if (const std::string limit = limit_of(*fastest); !limit.empty())
    text += "; " +
            std::string(is_study && all_alike(view)       ? "the run"
                        : fastest == baseline && is_study ? "the baseline"
                                                          : "it") +
            " is limited by " + limit;
  return text + ".";
}

Markup alike(const StudyView& view, const PointView& fastest) {
  std::vector<std::string> names;
  for (const auto& point : view.points)
    if (&point != &fastest && point.is_done && is_alike(point, fastest))
      names.push_back(point.name);
  if (names.empty()) return {};
  Markup text = "Not told apart from it: ";
  for (std::size_t i = 0; i < names.size() && i < 3; ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + strong(names[i]);
  if (names.size() > 3) text += " and " + counted(names.size() - 3, "other");
  return element("p", text + ", whose run time is within 0.5\u202f% of it or within its band.");
}

// What 10 % more of the parameter (less, of bandwidth) does to the run time.
std::string cost_text(const nlohmann::ordered_json& row) {
  const std::string parameter = row.value("parameter", "");
  const bool is_bandwidth = parameter == "bandwidth";
  const double elasticity = row.value("elasticity", 0.0), spread = row.value("uncertainty", 0.0);
  const auto change_at = [is_bandwidth](double slope) {
    return std::pow(is_bandwidth ? 0.9 : 1.1, slope) - 1;
  };
  const double change = change_at(elasticity);
  const std::string what = parameter == "compute"   ? "computing 10\u202f% longer"
                           : is_bandwidth           ? "10\u202f% less bandwidth"
                           : parameter == "latency" ? "10\u202f% more latency"
                                                    : parameter;
  // Nearby values say now this, now that: no sentence may take one of them for a rule.
  if (const double most = std::max(std::abs(change_at(elasticity - spread)),
                                   std::abs(change_at(elasticity + spread)));
      spread > std::abs(elasticity) && most >= 0.0005)
    return what + " may cost or save up to " + percent(most);
  if (change <= -0.0005) return what + " saves " + percent(-change);
  return what + (change < 0.0005 ? " costs next to nothing" : " costs " + percent(change));
}

Markup sensitivities(const PointView& point) {
  std::string list;
  for (const auto& row : part_of(*point.json, "sensitivities"))
    list += (list.empty() ? "" : "; ") + cost_text(row);
  if (list.empty()) return {};
  return element("p", "What the run time hangs on (" + point.name + "): " + list + ".");
}

Markup band(const PointView& point) {
  if (point.band == nullptr) return {};
  const TimeUnit unit = unit_for(point.time);
  return element(
      "p", "With messages ", percent(point.band->value("uncertainty", 0.0)),
      " cheaper or dearer, which is how far the platform is from its measurements, it "
      "takes ",
      range_text(point.band->value("low_s", 0.0), point.band->value("high_s", 0.0), unit, " to "),
      "\u202f", unit.name, ".");
}

// Notices stand below, with all that is not represented.
Markup notes(const StudyView& view) {
  Markup text;
  for (const Note& note : view.notes) {
    if (note.severity.empty())
      text += element("p", "Note: " + note.text + ".");
    else if (note.is_grave())
      text += element("p.warning", strong(note.severity) + ": " + note.text + ".");
  }
  return text;
}

}  // namespace

Markup answer(const StudyView& view) {
  Markup text = view.question.empty() ? Markup() : element("p.question", view.question);
  text += element("p.sentence", sentence(view));
  const auto* fastest = view.fastest();
  if (fastest != nullptr && view.points.size() == 1) text += band(*fastest);
  if (fastest != nullptr && !all_alike(view)) text += alike(view, *fastest);
  if (const auto* shown = view.baseline() != nullptr ? view.baseline() : fastest)
    text += sensitivities(*shown);
  text += notes(view);
  if (const std::size_t missing = view.points.size() - view.done(); missing > 0)
    text += element("p.warning", strong(counted(missing, "point") + " of " +
                                        whole(static_cast<double>(view.points.size())) +
                                        (missing == 1 ? " has" : " have") + " no result") +
                                     "; the table names the reasons.");
  return element("section", attr("class", "card answer"), attr("id", "answer"),
                 attr("aria-label", "the answer"), text) +
         "\n";
}

}  // namespace reprise::sim::report
