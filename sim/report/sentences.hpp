// SPDX-License-Identifier: MIT
// The answer in sentences, in this order: is there a difference and how large, how sure, what limits, what would change the ranking.
//
// The first sentence depends on what was varied. One axis of numbers: how far is it worth going? Several of them: which one brings most, and do
// they help each other? Damage: what does it cost? A basket: which offer? Everything else is a choice: a winner, or a tie by factor.
// Adding a kind: a function `std::string …(const StudyView&)` in a file of its own and its line in sentences.cpp's list.
#pragma once

#include <string>
#include <vector>

#include "platforms/markup/markup.hpp"
#include "sim/report/comparison.hpp"
#include "sim/report/study_view.hpp"

namespace reprise::sim::report {

// A name that is to stand out. The marks are control characters, which plain() takes out again.
std::string bold(const std::string& name);
std::string plain(const std::string& sentence);
markup::Markup marked_up(const std::string& sentence);

// With the marks of bold(). The first answers the question.
std::vector<std::string> answer_sentences(const StudyView&);

// "Not included: …": all that the bands and probabilities leave out; empty where the results name nothing. It stands behind the first sentence.
std::string lacks_sentence(const StudyView&);

// By kind; each empty where the study is of another kind.
std::string damage_sentence(const StudyView&);
std::string numeric_sentence(const StudyView&);
std::string choice_sentence(const StudyView&);
// What each axis brings, machine by machine, from the points' effects: one sentence for each; empty where a single axis varies.
std::vector<std::string> axis_sentences(const StudyView&);
// Whether the axis has several values.
bool does_vary(const StudyView&, std::size_t axis);
// "placement block", and of an axis "nodes" with the label "8 nodes" that.
std::string setting_text(const std::string& axis, const std::string& label);
// " on HDR with placement block, seed 2": what the LABELS are on the axes that vary, but for AXIS and for those without a label here.
std::string elsewhere(const StudyView&, const std::vector<std::string>& labels, std::size_t axis);
// "How sure, over seeds alone, if both machines' files are exact: ": what was varied, and on what the probabilities behind it rest.
std::string how_sure(const StudyView&);
// "10 GbE, 1x: the first of each axis": the baseline's NAME, and how it came to be that where the study names none.
std::string baseline_text(const StudyView&, const std::string& name);
// Of two applications that are versions of one program (recordings of the same file name): what the second takes beside the first, with the interval
// where one is known; empty of others.
std::string versions_sentence(const StudyView&);
// Along an axis of numbers, where two values of another axis change places, the rest as at the baseline: one sentence for each. Of a basket, for all
// applications together.
std::vector<std::string> crossing_sentences(const StudyView&);
// What the fastest point takes in nodes, and which one does the work with the least of their time, where that is much less on another number of nodes.
std::string nodes_sentence(const StudyView&);
// The same of the best of a basket's offers, in jobs per node and hour, to follow a sentence.
std::string nodes_of_best(const StudyView&,
                          const std::vector<const nlohmann::ordered_json*>& whole_offers);
// How sure the ranking is, and what would change it.
std::string sure_sentence(const StudyView&);
std::string change_sentence(const StudyView&);
// What cannot be told from the best, and how it compares with that.
struct Doubt {
  std::string name;
  Comparison against;
};
struct DoubtWords {
  const char *verb = "takes", *amount = "as long", *worse = "is slower";
};
std::vector<Doubt> doubts_of(const StudyView&, const FirstPlace& first);
// "it takes an estimated 2.41 times as long (95 %: 0.671 to 4.50) and is slower with a probability of 92 %", each by its name where there are
// several; of many the nearest and the farthest.
std::string doubts_text(const StudyView&, std::vector<Doubt> doubts, const DoubtWords& = {});
// What narrows intervals, of what one can do: "more recordings".
std::string remedy_of(const StudyView&);
// "an estimated 2.41 times as long (95 %: 0.671 to 4.50)", of LONGER "as long".
std::string estimate_text(const StudyView&, const Comparison&, const std::string& longer);
// "What would tell ring from rabenseifner: more recordings.", or what each network model says where they disagree; empty where all points of the first place
// are equal.
std::string apart_sentence(const StudyView&, const FirstPlace&);
// "saves 5.9 %", "makes no difference", "costs an uncertain 1.0 % (over seeds: −1.0 % to +3.0 %)", with the verb's sign: of times with a change over those without.
std::string effect_text(const StudyView&, const Comparison&);
// Of several points: the band of the fastest one and of the next, what the bands are, and why they may overlap where the order is sure.
std::string bands_sentence(const StudyView&);
// " Of the variance, 60 % is the difference between recordings, 40 % is the fit error of the machine."; empty where it has one source.
std::string variance_text(const PointView&);
// By how much other network models change run times; the axis' effect that they change most, how many others by over 5 % of a run time, the slowest point.
std::string models_sentence(const StudyView&);

// Of the offers of a basket, or of machines with prices, all sentences; empty where there are none.
std::vector<std::string> offers_sentences(const StudyView&);
// Which value of each axis is the best for all applications together, the other axes held, and by how much; empty where a single axis varies.
// Compared is what the offers are ordered by: run times, or the work for the money.
std::vector<std::string> offer_axis_sentences(
    const StudyView&, const std::vector<const nlohmann::ordered_json*>& whole_offers,
    bool is_by_money);
// At which weight of an application another offer would be first, where a factor of 2 reaches it; empty elsewhere.
std::string weights_sentence(const StudyView&,
                             const std::vector<const nlohmann::ordered_json*>& whole_offers);
// The labels of an offer.
std::string offer_name(const nlohmann::ordered_json& offer);

// "X, Y and Z", after the third "X, Y, Z and 4 others"; with "; " between names that hold commas.
std::string names_text(const std::vector<std::string>& names);
// "1.34 times as fast" of 0.75, "1.20 times as long" of 1.20, "as long".
std::string ratio_text(double ratio);
// "1.234 s (median; 1.2 to 1.3 s over 5 seeds)".
std::string time_text(const PointView&);

}  // namespace reprise::sim::report
