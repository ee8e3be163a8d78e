// SPDX-License-Identifier: MIT
// The answer in words.
#include <algorithm>
#include <cmath>

#include "sim/report/number_text.hpp"
#include "sim/report/sections.hpp"
#include "sim/report/sentences.hpp"
#include "sim/report/time_ratio.hpp"

namespace reprise::sim::report {
namespace {

Markup strong(const std::string& text) { return element("strong", text); }

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
  for (const auto& row : tolerances_of(*point.json))
    list += (list.empty() ? "" : "; ") + cost_text(row);
  if (list.empty()) return {};
  return element("p", "What the run time depends on (" + point.name + "): " + list + ".");
}

// Of a single run: what its band is made of, and that of the platform's calibration.
Markup band(const PointView& point) {
  Markup text;
  if (const auto parts = variance_text(point); !parts.empty())
    text += element("p", parts.substr(1));
  if (point.band == nullptr) return text;
  const TimeUnit unit = unit_for(point.time);
  return text + element("p", "With messages ", percent(point.band->value("uncertainty", 0.0)),
                        " cheaper or more expensive (the platform's fit error) it takes ",
                        range_text(point.band->value("low_s", 0.0),
                                   point.band->value("high_s", 0.0), unit, " to "),
                        "\u202f", unit.name, ".");
}

// A what-if beside the run without its changes.
Markup without_changes(const PointView& point) {
  const auto& found = part_of(*point.json, "without_changes");
  const double ratio = number_at(found, "ratio");
  if (ratio <= 0) return {};
  const auto change = [ratio](double to) {
    return is_told_as_factor(ratio) ? digits(to, 3)
                                    : (to < 1 ? "−" : "+") + percent(std::abs(to - 1));
  };
  const std::string difference =
      "the run takes " + (std::abs(ratio - 1) < 5e-5 ? "the same time" : time_ratio(ratio));
  std::string bounds;
  if (find(found, "low") != nullptr)
    bounds = " (" + change(number_at(found, "low")) + " to " + change(number_at(found, "high")) +
             (is_told_as_factor(ratio) ? " times as long" : "") +
             ", by fit error and fast-forward)";
  return element("p", "Without the changes it takes ",
                 seconds(number_at(found, "predicted_time_s")), ". With them ", difference, bounds,
                 ".");
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
  const auto sentences = answer_sentences(view);
  for (const auto& sentence : sentences) {
    const bool is_first = &sentence == &sentences.front();
    const auto lacks = is_first ? lacks_sentence(view) : "";
    text += element(is_first ? "p.sentence" : "p", marked_up(sentence),
                    lacks.empty() ? Markup() : " " + element("span.lacks", marked_up(lacks)));
  }
  const auto* fastest = view.fastest();
  if (fastest != nullptr && view.points.size() == 1) text += band(*fastest);
  if (fastest != nullptr) text += without_changes(*fastest);
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
