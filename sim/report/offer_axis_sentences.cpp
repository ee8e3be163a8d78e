// SPDX-License-Identifier: MIT
// Which value of an axis is the best for a basket, all else equal: offers that differ on this axis alone are a line, and the best of each line is
// compared with the next that differs.
#include <algorithm>
#include <cmath>
#include <map>

#include "sim/report/number_text.hpp"
#include "sim/report/sentences.hpp"

namespace reprise::sim::report {
namespace {

using nlohmann::ordered_json;
using Offers = std::vector<const ordered_json*>;

struct Line {
  std::string where;              // " on HDR with placement block"
  std::vector<std::string> best;  // labels of those that are equal or cannot be told apart
  std::string next;               // of the first that differs; empty: none does
  Comparison against;             // its, with the best
  std::size_t offers = 0;
  // Of those that share the best place, the one that may differ most, against the first; none where all are equal.
  std::string doubtful;
  Comparison doubt;

  // Of the applications' nodes, 0 where they differ among the applications of an offer.
  double best_nodes = 0, next_nodes = 0;

  bool is_alike() const { return next.empty(); }
  double gain() const { return is_alike() ? 1 : against.ratio; }
};

double nodes_of_offer(const ordered_json& offer) {
  const auto& applications = part_of(offer, "applications");
  if (applications.empty()) return 0;
  const double first = number_at(applications.front(), "nodes");
  for (const auto& one : applications)
    if (number_at(one, "nodes") != first) return 0;
  return first;
}

// The words for a comparison of values over a whole basket.
struct Wording {
  const StudyView& view;
  bool has_applications = false, is_by_money = false;

  std::string together(const char* preposition) const {
    return has_applications ? std::string(" ") + preposition + " all applications together" : "";
  }
  std::string amount(const Line& line) const {
    return digits(line.against.ratio, 3) +
           (is_by_money ? " times as much work for the money as " : " times as fast as ");
  }
  // " (on twice the nodes)"; with prices the work for the money holds it.
  std::string nodes_text(const Line& line) const {
    if (is_by_money || line.best_nodes <= 0 || line.next_nodes <= 0 ||
        line.best_nodes == line.next_nodes)
      return "";
    const double factor = line.best_nodes / line.next_nodes;
    return " (on " +
           (factor == 2     ? std::string("twice")
            : factor == 0.5 ? std::string("half")
                            : digits(factor, factor == std::floor(factor) ? 1 : 3) + " times") +
           " the nodes)";
  }
  // "1.40 times as fast as HDR, the next (over seeds: 1.35 to 1.45), WHERE".
  std::string against_next(const Line& line, const std::string& where) const {
    const bool has_more = line.offers > line.best.size() + 1;
    return amount(line) + bold(line.next) + (has_more ? ", the next" : "") +
           interval_text(view, line.against, false) + nodes_text(line) +
           (has_more && !where.empty() ? "," : "") + where;
  }
};

std::string best_text(const Line& line) {
  return names_text(line.best) + (line.best.size() < 2    ? ""
                                  : line.doubtful.empty() ? ", which count as equal"
                                                          : ", which cannot be told apart");
}

// "cyclic takes an estimated 1.01 times as long as block (over seeds: 0.99 to 1.03) WHERE", of the line with the largest estimate.
std::string open_text(const Wording& wording, const std::vector<Line>& open) {
  const Line& most =
      *std::ranges::max_element(open, {}, [](const Line& line) { return line.doubt.ratio; });
  return bold(most.doubtful) + (wording.is_by_money ? " needs " : " takes ") +
         estimate_text(
             wording.view, most.doubt,
             (wording.is_by_money ? "as much money for the same work as " : "as long as ") +
                 bold(most.best.front())) +
         most.where;
}

// The best first in WHOLE; lines in the order of the axes' values. A line of one offer compares nothing.
std::vector<Line> lines_of(const StudyView& view, const Offers& whole, std::size_t axis) {
  std::map<std::vector<std::size_t>, Line> lines;
  for (const ordered_json* offer : whole) {
    std::vector<std::string> labels;
    std::vector<std::size_t> place;
    for (std::size_t i = 0; i < view.axes.size(); ++i) {
      labels.push_back(text_of(part_of(*offer, "labels"), view.axes[i].c_str()));
      const auto& all = part_of((*view.json)["study"]["axes"][i], "labels");
      const auto at = std::ranges::find_if(
          all, [&](const ordered_json& label) { return label == labels.back(); });
      if (i != axis) place.push_back(static_cast<std::size_t>(at - all.begin()));
    }
    Line& line = lines[place];
    ++line.offers;
    if (line.offers == 1) line.where = elsewhere(view, labels, axis);
    const auto* along = find(part_of(*offer, "against_best_along"), view.axes[axis].c_str());
    const Comparison against = along == nullptr ? Comparison{} : comparison_of(*along);
    if (against.is_alike()) {
      if (line.best.empty()) line.best_nodes = nodes_of_offer(*offer);
      line.best.push_back(labels[axis]);
      if (against.is_doubtful() && (line.doubtful.empty() || against.ratio > line.doubt.ratio)) {
        line.doubtful = labels[axis];
        line.doubt = against;
      }
    } else if (line.is_alike()) {
      line.next = labels[axis];
      line.next_nodes = nodes_of_offer(*offer);
      line.against = against;
    }
  }
  std::vector<Line> in_order;
  for (auto& [place, line] : lines)
    if (line.offers > 1) in_order.push_back(std::move(line));
  return in_order;
}

// Of lines with the same best: each where it is, or, of many, the least and the largest gain.
std::string gains_text(const Wording& wording, const std::vector<Line>& lines) {
  constexpr std::size_t kMost = 4;
  const auto anywhere = [&](const Line& line) { return wording.against_next(line, ""); };
  const auto there = [&](const Line& line) { return wording.against_next(line, line.where); };
  const bool are_same = std::ranges::all_of(
      lines, [&](const Line& line) { return anywhere(line) == anywhere(lines.front()); });
  if (are_same && lines.size() > 1) return anywhere(lines.front());
  if (lines.size() > kMost) {
    const auto [least, most] = std::ranges::minmax(lines, {}, &Line::gain);
    return "from " + there(least) + " to " + there(most);
  }
  std::string gains;
  for (const Line& line : lines)
    gains += (gains.empty() ? "" : &line == &lines.back() ? " and " : ", ") + there(line);
  return gains;
}

std::string sentence_of(const Wording& wording, const std::string& axis,
                        const std::vector<Line>& lines) {
  std::vector<Line> equal, open;
  std::vector<std::pair<std::string, std::vector<Line>>> by_best;
  for (const Line& line : lines) {
    if (line.is_alike()) {
      (line.doubtful.empty() ? equal : open).push_back(line);
      continue;
    }
    const auto same =
        std::ranges::find(by_best, best_text(line), [](auto& one) { return one.first; });
    if (same == by_best.end())
      by_best.push_back({best_text(line), {line}});
    else
      same->second.push_back(line);
  }
  const auto places = [&](const std::vector<Line>& own) {
    return own.size() == 1 ? own.front().where
                           : " in " + whole(static_cast<double>(own.size())) + " others";
  };
  if (by_best.empty() && open.empty())
    return "The " + bold(axis) + " makes no difference" + wording.together("to") +
           ", within 0.5\u202f%.";
  if (by_best.empty())
    return "Whether the " + bold(axis) + " makes a difference" + wording.together("to") +
           " is open: " + (open.size() > 1 ? "at most, " : "") + open_text(wording, open) +
           (equal.empty() ? "" : "; no difference" + places(equal) + ", within 0.5\u202f%") + ".";
  std::ranges::stable_sort(by_best, std::ranges::greater(),
                           [](const auto& one) { return one.second.size(); });
  std::string text = "Best " + bold(axis) + wording.together("for") + ": ";
  for (const auto& [best, own] : by_best) {
    if (&own != &by_best.front().second) text += "; ";
    text += best;
    if (own.size() < lines.size() && own.size() > 1)
      text += " in " + whole(static_cast<double>(own.size())) + " of " +
              counted(lines.size(), "combination") + " of the other axes";
    text += ", " + gains_text(wording, own);
  }
  if (!equal.empty()) text += "; no difference" + places(equal) + ", within 0.5\u202f%";
  if (!open.empty())
    text += "; open" + (open.size() > 1 ? places(open) : std::string()) + ": " +
            (open.size() > 1 ? "at most, " : "") + open_text(wording, open);
  return text + ".";
}

}  // namespace

std::vector<std::string> offer_axis_sentences(const StudyView& view, const Offers& whole,
                                              bool is_by_money) {
  // Results of earlier versions do not compare along axes.
  const bool are_compared = std::ranges::any_of(
      whole, [](const ordered_json* offer) { return find(*offer, "against_best_along"); });
  if (!are_compared) return {};
  const Wording wording{view, view.applications > 1, is_by_money};
  std::vector<std::string> sentences;
  for (std::size_t axis = 0; axis < view.axes.size(); ++axis) {
    const bool is_of_offers =
        find(part_of(*whole.front(), "labels"), view.axes[axis].c_str()) != nullptr;
    if (!is_of_offers || !does_vary(view, axis)) continue;
    if (const auto lines = lines_of(view, whole, axis); !lines.empty())
      sentences.push_back(sentence_of(wording, view.axes[axis], lines));
  }
  return sentences;
}

}  // namespace reprise::sim::report
