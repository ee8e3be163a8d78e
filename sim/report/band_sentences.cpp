// SPDX-License-Identifier: MIT
// What a probability rests on, and which range of a run time is what.
#include <algorithm>
#include <cmath>

#include "sim/report/number_text.hpp"
#include "sim/report/sentences.hpp"

namespace reprise::sim::report {
namespace {

using nlohmann::ordered_json;

// No interval holds the error of a machine whose file states none, so that every probability is one under this condition.
std::string condition_of(const StudyView& view) {
  const auto& machines = part_of(part_of(*view.json, "study"), "machines");
  std::vector<std::string> names;
  bool has_recorded = false;
  for (const auto& machine : machines)
    if (!machine.value("states_uncertainty", false)) {
      names.push_back(text_of(machine, "name"));
      has_recorded |= text_of(machine, "platform").empty();
    }
  if (names.empty()) return "";
  if (names.size() == 1 && has_recorded) return ", if the recording's machine is as described";
  if (names.size() == machines.size())
    return names.size() == 1   ? ", if the machine's file is exact"
           : names.size() == 2 ? ", if both machines' files are exact"
                               : ", if all machines' files are exact";
  if (names.size() == 1) return ", if the file of " + names[0] + " is exact";
  return ", if the files of " + whole(static_cast<double>(names.size())) + " of the " +
         counted(machines.size(), "machine") + " are exact";
}

std::string unit_text(const Interval& interval) {
  const TimeUnit unit = unit_for(interval.high);
  return range_text(interval.low, interval.high, unit, " to ") + "\u202f" + unit.name;
}

// Why bands that overlap do not contradict a sure order.
std::string overlap_text(const StudyView& view, const PointView& next) {
  const PointView& fastest = *view.fastest();
  const bool overlaps = next.time_band->low <= fastest.time_band->high;
  if (!overlaps || against_fastest(view, next).is_alike()) return "";
  return std::string(" These bands overlap, yet the order is sure: points are compared ") +
         (view.has_runs ? "recording by recording, so that a slow run counts for both."
                        : "seed by seed, so that what slows one down slows the other, too.");
}

}  // namespace

std::string variance_text(const PointView& point) {
  std::string parts;
  std::size_t count = 0;
  const auto& shares = part_of(part_of(*point.json, "band"), "shares");
  for (const auto& [key, what] :
       {std::pair{"compute_times", point.recordings > 1 ? "the difference between recordings"
                                                        : "the difference between seeds"},
        std::pair{"calibration", "the fit error of the machine"},
        std::pair{"network_model", "the difference between network models"}})
    if (const double share = number_at(shares, key); share >= 0.005) {
      parts += (parts.empty() ? "" : ", ") + percent(share) + " is " + what;
      ++count;
    }
  return count < 2 ? "" : " Of the variance, " + parts + ".";
}

std::string how_sure(const StudyView& view) {
  return "How sure, over " + view.scatter + (view.has_runs ? "" : " alone") + condition_of(view) +
         ": ";
}

std::string bands_sentence(const StudyView& view) {
  if (view.done() < 2 || find(*view.json, "certainty") == nullptr) return "";
  const PointView& fastest = *view.fastest();
  if (!fastest.time_band || find(*fastest.json, "band") == nullptr) return "";
  const FirstPlace first = first_place(view);
  const PointView* next = first.next != nullptr ? first.next : first.points[1];
  const bool has_next = next->time_band.has_value();
  const bool is_undisturbed =
      part_of(*view.json, "certainty").value("leaves_preemption_out", false);
  std::string text = !view.has_runs   ? "Over " + view.scatter + " alone, "
                     : is_undisturbed ? "If nothing preempts it, a further run of "
                                      : "A further run of ";
  text += bold(fastest.name) + " takes " + unit_text(*fastest.time_band);
  if (has_next)
    text += (view.has_runs ? ", and one of " : ", and ") + bold(next->name) + " " +
            unit_text(*next->time_band);
  if (view.has_runs)
    text += ", with a probability of 95\u202f%; a range \u201cover " +
            counted(fastest.recordings, "recording") +
            "\u201d is from the least to the most of these";
  return text + "." + (has_next ? overlap_text(view, *next) : std::string()) +
         variance_text(fastest);
}

std::string baseline_text(const StudyView& view, const std::string& name) {
  const ordered_json& study = part_of(*view.json, "study");
  if (study.value("baseline_named", true)) return name;
  std::size_t varying = 0;
  bool is_first = true;
  for (const auto& axis : part_of(study, "axes")) {
    const auto& labels = part_of(axis, "labels");
    const auto* at = find(part_of(study, "baseline"), text_of(axis, "name").c_str());
    if (at == nullptr || labels.size() < 2) continue;
    ++varying;
    is_first &= *at == labels.front();
  }
  if (varying == 0) return name;
  return name + (!is_first      ? ", the default"
                 : varying == 1 ? ", the first value"
                                : ", the first of each axis");
}

}  // namespace reprise::sim::report
