// SPDX-License-Identifier: MIT
// The answer in sentences, in this order: is there a difference and how large, how sure, what limits, what would change the ranking.
//
// The first sentence depends on what was varied. One axis of numbers: how far is it worth going? Several of them: which one brings most, and do
// they help each other? Damage: what does it cost? A basket: which offer? Everything else is a choice: a winner, or a tie by factor.
// Adding a kind: a function `std::string …(const StudyView&)` in a file of its own and its line in sentences.cpp's list.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platforms/markup/markup.hpp"
#include "sim/report/study_view.hpp"

namespace reprise::sim::report {

// A name that is to stand out. The marks are control characters, which plain() takes out again.
std::string bold(const std::string& name);
std::string plain(const std::string& sentence);
markup::Markup marked_up(const std::string& sentence);

// With the marks of bold(). The first answers the question.
std::vector<std::string> answer_sentences(const StudyView&);

// By kind; each empty where the study is of another kind.
std::string damage_sentence(const StudyView&);
std::string numeric_sentence(const StudyView&);
std::string choice_sentence(const StudyView&);

// Of the offers of a basket, or of machines with prices, all sentences; empty where there are none.
std::vector<std::string> offers_sentences(const StudyView&);
// The labels of an offer.
std::string offer_name(const nlohmann::ordered_json& offer);

// What is known of a time over another one's.
struct Comparison {
  double ratio = 1;
  std::optional<double> low, high, probability;  // of the ratio; that it is below 1
  // Not told apart: within 0.5 %, or 1 within the interval.
  bool is_alike() const;
};
// Of {"ratio","low","high","probability"}; where nothing is known of what scatters the ratio alone.
Comparison comparison_of(const nlohmann::ordered_json&);
// "97 %", "more than 99.9 %".
std::string probability_text(double probability);
Comparison against_fastest(const StudyView&, const PointView&);
// Along AXIS, against the point that is at the baseline there; none where there is no such point.
std::optional<Comparison> effect_of(const PointView&, const std::string& axis);
// " (95 %: 1.20 to 1.41)", of RATIO or, where it is turned around, of 1 / RATIO; empty where nothing is known.
std::string interval_text(const Comparison&, bool is_turned);

// "X, Y and Z", after the third "X, Y, Z and 4 others".
std::string names_text(const std::vector<std::string>& names);
// "1.34 times as fast" of 0.75, "1.20 times as long" of 1.20, "as long".
std::string ratio_text(double ratio);
// "1.234 s (1.2 to 1.3 s over 5 seeds)".
std::string time_text(const PointView&);

}  // namespace reprise::sim::report
