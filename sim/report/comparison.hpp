// SPDX-License-Identifier: MIT
// How two predicted times compare, and the rule for when points differ. Sentences, tables and the terminal use no other:
// points that are alike share the first place, and of equal times none wins.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/report/study_view.hpp"

namespace reprise::sim::report {

struct Comparison {
  double ratio = 1;
  std::optional<double> low, high, probability;  // of the ratio; that it is below 1
  // Closer than kTolerance, whatever the interval is.
  bool is_within_tolerance() const;
  // Shares a place: within the tolerance, or 1 within the interval.
  bool is_alike() const;
  // Within the tolerance, and so the ends of the interval (where it leaves 1 out, within twice that): the same, whatever is uncertain. Texts
  // call nothing else equal.
  bool is_equal() const;
  // Alike, but perhaps different: cannot be told apart.
  bool is_doubtful() const { return is_alike() && !is_equal(); }
};
// Differences of run times below it are not worth a choice.
inline constexpr double kTolerance = 0.005;

// Of {"ratio","low","high","probability"}; where nothing is known of what scatters the ratio alone.
Comparison comparison_of(const nlohmann::ordered_json&);
// POINT's time over that of the fastest point of its application, of which the second takes it from there where the results hold none.
Comparison against_fastest(const StudyView&, const PointView& point);
Comparison against(const PointView& fastest, const PointView& point);
// Along AXIS, against the point that is at the baseline there; none where there is no such point.
std::optional<Comparison> effect_of(const PointView&, const std::string& axis);

// The points that share the first place, equal or not told apart, the one with the least median before the others.
struct FirstPlace {
  std::vector<const PointView*> points;  // several: a tie
  const PointView* next = nullptr;       // the fastest that differs from them; null: none does
  bool is_tie() const { return points.size() > 1; }
  // Those that cannot be told from the first; empty where all are equal.
  std::vector<const PointView*> doubtful;
};
// REQUIRES: a point that has a result.
FirstPlace first_place(const StudyView&);
// Sets is_fastest, is_tied, is_doubtful and probability_fastest of the points, application by application; of none that lacks
// simulations of a point. REQUIRES: the points' order and bands.
void mark_first_places(StudyView&);
// What a table calls a point or offer in the first place, of BEST "fastest": "fastest", "tied for fastest" where all there are equal, else
// "perhaps fastest".
std::string place_text(const std::string& best, bool is_tied, bool is_doubtful);
// "97 %", "more than 99.9 %".
std::string probability_text(double probability);
// " (95 %: 1.20 to 1.41)", where run-to-run variation is in it, else " (over seeds: 1.20 to 1.41)"; of RATIO or, where it is turned around, of
// 1 / RATIO; empty where nothing is known.
std::string interval_text(const StudyView&, const Comparison&, bool is_turned);

}  // namespace reprise::sim::report
