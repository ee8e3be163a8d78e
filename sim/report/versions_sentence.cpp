// SPDX-License-Identifier: MIT
// Two applications that are versions of one program, before and after a change: what the second takes beside the first, at the same points.
#include <algorithm>
#include <cmath>
#include <set>

#include "sim/report/number_text.hpp"
#include "sim/report/sentences.hpp"

namespace reprise::sim::report {
namespace {

using nlohmann::ordered_json;

// Whether all recordings of both are of a program of the same file name.
bool are_versions(const ordered_json& applications) {
  std::set<std::string> names;
  for (const auto& application : applications)
    for (const auto& trace : part_of(application, "traces")) {
      const std::string program = text_of(trace, "program");
      names.insert(program.substr(program.rfind('/') + 1));
    }
  return applications.size() == 2 && names.size() == 1 && !names.begin()->empty();
}

// "12 % less time"
std::string change_text(double ratio) {
  if (std::abs(ratio - 1) < 5e-5) return "the same time";
  return percent(std::abs(ratio - 1)) + (ratio < 1 ? " less time" : " more time");
}

std::string bounds_text(const StudyView& view, const ordered_json& against) {
  const double low = number_at(against, "low"), high = number_at(against, "high");
  if (!(high > low))
    return " (how sure is not known: one simulation of each, or seeds that change nothing)";
  const double level = number_at(part_of(*view.json, "certainty"), "level", 0.95);
  return " (" + percent(level) + ": " + change_text(low) + " to " + change_text(high) + ")";
}

}  // namespace

std::string versions_sentence(const StudyView& view) {
  const auto& applications = part_of((*view.json)["study"], "applications");
  if (!are_versions(applications)) return "";
  const PointView* shown = nullptr;  // the baseline, else the fastest
  double least = 0, most = 0;
  std::size_t compared = 0;
  for (const PointView& point : view.points) {
    const double ratio = number_at(part_of(*point.json, "against_first_application"), "ratio");
    if (ratio <= 0) continue;
    if (shown == nullptr || (point.is_baseline && !shown->is_baseline)) shown = &point;
    least = compared == 0 ? ratio : std::min(least, ratio);
    most = std::max(most, ratio);
    ++compared;
  }
  if (shown == nullptr) return "";
  const auto& against = part_of(*shown->json, "against_first_application");
  std::string text = bold(text_of(applications[1], "label")) + " takes " +
                     change_text(number_at(against, "ratio")) + " than " +
                     bold(text_of(applications[0], "label"));
  if (std::abs(number_at(against, "ratio") - 1) < 5e-5)
    text = bold(text_of(applications[1], "label")) + " takes as long as " +
           bold(text_of(applications[0], "label"));
  text += bounds_text(view, against);
  if (compared > 1)
    text += std::string(shown->is_baseline ? " at the baseline" : " where it is fastest") +
            "; over the " + std::to_string(compared) + " combinations " + change_text(least) +
            " to " + change_text(most);
  return text + ".";
}

}  // namespace reprise::sim::report
