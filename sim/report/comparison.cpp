// SPDX-License-Identifier: MIT
#include "sim/report/comparison.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "sim/report/number_text.hpp"

namespace reprise::sim::report {
// Medians that differ by the tolerance to the last digit round to either side of it.
bool Comparison::is_within_tolerance() const { return std::abs(ratio - 1) <= kTolerance + 1e-9; }

bool Comparison::is_alike() const {
  return is_within_tolerance() || (low && high && *low <= 1 && *high >= 1);
}

bool Comparison::is_equal() const {
  // A difference that is sure, and too small to be worth a choice, may be as large again at one end.
  const bool is_sure = low && high && (*low > 1 || *high < 1);
  const double most = (is_sure ? 2 : 1) * kTolerance + 1e-9;
  const auto is_near = [most](double end) { return std::abs(end - 1) <= most; };
  return is_within_tolerance() && is_near(low.value_or(1)) && is_near(high.value_or(1));
}

Comparison comparison_of(const nlohmann::ordered_json& json) {
  Comparison found;
  found.ratio = number_at(json, "ratio", 1);
  if (const auto* probability = find(json, "probability")) {
    found.probability = probability->get<double>();
    found.low = number_at(json, "low", found.ratio);
    found.high = number_at(json, "high", found.ratio);
  }
  return found;
}

Comparison against(const PointView& fastest, const PointView& point) {
  if (const auto* json = find(*point.json, "against_fastest")) return comparison_of(*json);
  const double ratio = fastest.time > 0 ? point.time / fastest.time : 1;
  return {.ratio = ratio, .low = {}, .high = {}, .probability = {}};
}

Comparison against_fastest(const StudyView& view, const PointView& point) {
  return against(*view.fastest(), point);
}

std::optional<Comparison> effect_of(const PointView& point, const std::string& axis) {
  const auto* effects = find(*point.json, "effects");
  const auto* effect = effects == nullptr ? nullptr : find(*effects, axis.c_str());
  if (effect == nullptr) return std::nullopt;
  return comparison_of(*effect);
}

FirstPlace first_place(const StudyView& view) {
  FirstPlace first;
  for (const PointView& point : view.points) {
    if (!point.is_done) continue;
    const Comparison against = against_fastest(view, point);
    if (&point == view.fastest() || against.is_alike())
      first.points.push_back(&point);
    else if (first.next == nullptr)
      first.next = &point;
    if (&point != view.fastest() && against.is_doubtful()) first.doubtful.push_back(&point);
  }
  return first;
}

void mark_first_places(StudyView& view) {
  std::map<std::string, std::vector<PointView*>> members;
  std::set<std::string> incomplete;  // where a point without its simulations may be the fastest
  for (PointView& point : view.points) {
    const std::string application = view.applications > 0 ? point.labels[0] : "";
    if (point.is_done) members[application].push_back(&point);
    if (text_of(*point.json, "status") == "missing") incomplete.insert(application);
  }
  for (auto& [application, points] : members) {
    if (incomplete.contains(application)) continue;
    std::vector<PointView*> first;
    std::optional<double> together;
    bool is_doubtful = false;
    for (PointView* point : points) {
      for (const char* key : {"probability_fastest", "probability_least"})  // the latter: in a tie
        if (const auto* share = find(*point->json, key))
          point->probability_fastest = share->get<double>();
      if (point != points.front() && !against(*points.front(), *point).is_alike()) continue;
      first.push_back(point);
      is_doubtful |= point != points.front() && against(*points.front(), *point).is_doubtful();
      if (point->probability_fastest) together = together.value_or(0) + *point->probability_fastest;
    }
    for (PointView* point : first) {
      point->is_first = points.size() > 1;
      point->is_fastest = first.size() < points.size();
      point->is_tied = first.size() > 1;
      point->is_doubtful = is_doubtful;
      if (together) point->probability_fastest = std::min(1.0, *together);
    }
  }
}

std::string place_text(const std::string& best, bool is_tied, bool is_doubtful) {
  return (is_doubtful ? "perhaps " : is_tied ? "tied for " : "") + best;
}

std::string probability_text(double probability) {
  if (probability > 0.999) return "more than 99.9\u202f%";
  if (probability < 0.001) return "less than 0.1\u202f%";
  if (probability >= 0.995) return digits(100 * probability, 3) + "\u202f%";  // never "100 %"
  return percent(probability);
}

std::string interval_text(const StudyView& view, const Comparison& found, bool is_turned) {
  if (!found.low || !found.high || *found.low <= 0 || *found.low == *found.high) return "";
  const double low = is_turned ? 1 / *found.high : *found.low,
               high = is_turned ? 1 / *found.low : *found.high;
  const std::string from = digits(low, 3), to = digits(high, 3);
  if (from == to) return "";
  return std::string(" (") + (view.has_runs ? "95\u202f%" : "over " + view.scatter) + ": " + from +
         " to " + to + ")";
}

}  // namespace reprise::sim::report
