// SPDX-License-Identifier: MIT
// How sure the ranking is, and what would change it.
#include <algorithm>
#include <cmath>
#include <map>

#include "sim/report/number_text.hpp"
#include "sim/report/sentences.hpp"

namespace reprise::sim::report {
namespace {

bool lacks_anything(const StudyView& view) {
  return !part_of(part_of(*view.json, "certainty"), "lacks").empty();
}

std::string unknown_text(const StudyView& view) {
  return lacks_anything(view) ? "How sure: unknown, because nothing that varies was measured." : "";
}

// Of a study with one point.
std::string band_sentence(const StudyView& view) {
  const auto* band = find(*view.fastest()->json, "band");
  if (band == nullptr) return unknown_text(view);
  const double low = number_at(*band, "low_s"), high = number_at(*band, "high_s");
  const TimeUnit unit = unit_for(high);
  return how_sure(view) +
         (view.has_runs ? "with a probability of 95\u202f% one run takes " : "the run takes ") +
         range_text(low, high, unit, " to ") + "\u202f" + unit.name + ".";
}

std::vector<std::string> names_of(const FirstPlace& first) {
  std::vector<std::string> names;
  for (const PointView* point : first.points) names.push_back(point->name);
  return names;
}

std::string tie_text(const StudyView& view, const FirstPlace& first) {
  const auto apart = against_fastest(view, *first.next);
  if (!apart.probability) return unknown_text(view);
  std::string text = how_sure(view);
  text += names_text(names_of(first)) +
          (first.doubtful.empty() ? " count as equal; " : " cannot be told apart; ");
  text += bold(view.fastest()->name) + " takes less time than " + bold(first.next->name) +
          ", the next that differs, with a probability of " +
          probability_text(1 - *apart.probability);
  if (const auto together = view.fastest()->probability_fastest; together)
    text += "; one of the " + std::string(first.points.size() == 2 ? "two" : "these") +
            " is the fastest of all with a probability of " + probability_text(*together);
  return text + ".";
}

// Under another network model another point may be the fastest.
std::string models_text(const StudyView& view) {
  std::map<std::string, std::pair<double, const PointView*>> best;
  for (const PointView& point : view.points)
    for (const auto& model : part_of(*point.json, "models")) {
      const std::string name = model.value("network", "");
      const double time = point.time * number_at(model, "ratio", 1);
      const auto [at, is_new] = best.try_emplace(name, time, &point);
      if (!is_new && time < at->second.first) at->second = {time, &point};
    }
  std::string text;
  for (const auto& [name, found] : best)
    if (found.second != view.fastest() && !against_fastest(view, *found.second).is_alike())
      text += (text.empty() ? "with the " : ", with the ") + name + " network " +
              bold(found.second->name) + " would be first";
  return text;
}

// By how much messages on the fastest point's machine must be dearer, so that OTHER is before it.
std::string calibration_text(const StudyView& view, const PointView& other) {
  const PointView& fastest = *view.fastest();
  if (fastest.band == nullptr) return "";
  const double u = number_at(*fastest.band, "uncertainty"), low = number_at(*fastest.band, "low_s"),
               high = number_at(*fastest.band, "high_s");
  if (u <= 0 || low <= 0 || high <= low) return "";
  const double step = std::log(high / low) / 2, gap = std::log(other.time / fastest.time),
               z = gap / step;
  if (z > 3) return "";
  return "messages " + percent(std::pow(1 + u, z) - 1) +
         " more expensive than calibrated would put " + bold(other.name) + " before it";
}

}  // namespace

std::string sure_sentence(const StudyView& view) {
  if (find(*view.json, "certainty") == nullptr || view.done() == 0) return "";
  if (view.done() == 1) return view.points.size() == 1 ? band_sentence(view) : "";
  const FirstPlace first = first_place(view);
  if (first.next == nullptr)
    return against_fastest(view, *first.points[1]).probability ? "" : unknown_text(view);
  if (first.is_tie()) return tie_text(view, first);
  const Comparison against = against_fastest(view, *first.next);
  if (!against.probability) return unknown_text(view);
  std::string text = how_sure(view) + bold(view.fastest()->name) + " takes less time than " +
                     bold(first.next->name) + " with a probability of " +
                     probability_text(1 - *against.probability) +
                     interval_text(view, against, false);
  if (const auto share = view.fastest()->probability_fastest; share && view.done() > 2)
    text += "; it is the fastest of all with a probability of " + probability_text(*share);
  return text + ".";
}

std::string change_sentence(const StudyView& view) {
  if (view.done() < 2 || find(*view.json, "certainty") == nullptr) return "";
  const FirstPlace first = first_place(view);
  std::string text = models_text(view);
  if (first.next != nullptr)
    if (const auto more = calibration_text(view, *first.next); !more.empty())
      text += (text.empty() ? "" : "; ") + more;
  if (!text.empty()) return "What would change the ranking: " + text + ".";
  return "";
}

}  // namespace reprise::sim::report
