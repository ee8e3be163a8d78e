// SPDX-License-Identifier: MIT
// A choice among labels: a winner, or a tie, factor by factor; and the single run.
#include <algorithm>
#include <functional>

#include "sim/report/number_text.hpp"
#include "sim/report/sentences.hpp"

namespace reprise::sim::report {
namespace {

// The others on the line through the fastest point along the axis.
std::vector<const PointView*> others_along(const StudyView& view, std::size_t axis) {
  std::vector<const PointView*> line;
  for (const PointView& point : view.points) {
    bool is_on = point.is_done && &point != view.fastest();
    for (std::size_t other = 0; other < view.axes.size(); ++other)
      is_on &= other == axis || point.labels[other] == view.fastest()->labels[other];
    if (is_on) line.push_back(&point);
  }
  return line;
}

bool is_alike(const StudyView& view, const PointView* point) {
  return against_fastest(view, *point).is_alike();
}

// Where the other axes are as in the fastest point: " with placement filled nodes".
std::string where_text(const StudyView& view, std::size_t axis) {
  std::string text;
  for (std::size_t other = 0; other < view.axes.size(); ++other)
    if (other != axis && (*view.json)["study"]["axes"][other]["labels"].size() > 1)
      text += (text.empty() ? " with " : ", ") +
              setting_text(view.axes[other], view.fastest()->labels[other]);
  return text;
}

// Axes that make no difference through the fastest point, and those that do, the largest effect first.
struct Factors {
  struct Effect {
    double ratio;
    std::string axis, text;  // "block is 1.30 times as fast as cyclic with machine B"
  };
  std::vector<std::string> without;  // "the bandwidth makes no difference with machine HDR"
  std::vector<std::string> unclear;  // "whether the bandwidth makes a difference with …"
  std::vector<Effect> with;

  // What the axes do to a tie: ": the bandwidth makes no difference with machine HDR; the machine does: …".
  std::string of_tie() const {
    std::string text;
    for (const auto& one : without) text += (text.empty() ? ": " : ", ") + one;
    if (text.empty()) return "";
    for (const auto& one : with) text += "; the " + bold(one.axis) + " does: " + one.text;
    return text;
  }
  // " Whether the machine makes a difference with placement block is open; the placement makes one: …."
  std::string of_doubt() const {
    if (is_single() || unclear.empty()) return of_winner();
    std::string text;
    for (const auto& one : unclear)
      text += (text.empty() ? " Whether " : "; whether ") + one + " is open";
    for (const auto& one : with) text += "; the " + bold(one.axis) + " makes one: " + one.text;
    for (const auto& one : without) text += "; " + one;
    return text + ".";
  }
  // Of one axis the points say it all.
  bool is_single() const { return with.size() + without.size() + unclear.size() < 2; }
  // " The placement matters most: …; the machine less: ….", where there are several.
  std::string of_winner() const {
    std::string text;
    if (is_single()) return text;
    for (const auto& one : with)
      text += (text.empty() ? " The " : "; the ") + bold(one.axis) +
              (with.size() == 1 ? " matters: "
               : text.empty()   ? " matters most: "
                                : " less: ") +
              one.text;
    for (const auto& one : without) text += (text.empty() ? " " : "; ") + one;
    return text + ".";
  }
};

Factors factors_of(const StudyView& view) {
  Factors factors;
  for (std::size_t axis = 0; axis < view.axes.size(); ++axis) {
    const auto line = others_along(view, axis);
    if (line.empty()) continue;
    const bool all_alike =
        std::ranges::all_of(line, [&](const PointView* point) { return is_alike(view, point); });
    const std::string name = "the " + bold(view.axes[axis]);
    if (all_alike) {
      const bool all_equal = std::ranges::all_of(line, [&view](const PointView* point) {
        return against_fastest(view, *point).is_equal();
      });
      if (all_equal)
        factors.without.push_back(name + " makes no difference" + where_text(view, axis));
      else
        factors.unclear.push_back(name + " makes a difference" + where_text(view, axis));
      continue;
    }
    const PointView* worst = *std::ranges::max_element(
        line, [](const auto* a, const auto* b) { return a->time < b->time; });
    const Comparison against = against_fastest(view, *worst);
    factors.with.push_back({against.ratio, view.axes[axis],
                            bold(view.fastest()->labels[axis]) + " is " + digits(against.ratio, 3) +
                                " times as fast as " + bold(worst->labels[axis]) +
                                interval_text(view, against, false) + where_text(view, axis)});
  }
  std::ranges::stable_sort(factors.with, std::ranges::greater(), &Factors::Effect::ratio);
  return factors;
}

// " on 16 nodes"; empty where the results do not say.
std::string nodes_text(const PointView& point) {
  const auto nodes = static_cast<std::uint64_t>(number_at(*point.json, "nodes_used"));
  return nodes == 0 ? "" : " on " + counted(nodes, "node");
}

std::string compared(const StudyView& view, const PointView& point, const PointView& baseline) {
  return ratio_text(point.speedup > 0 ? 1 / point.speedup : 1) + " as the baseline (" +
         baseline_text(view, baseline.name) + ")";
}

// The run time of points that count as equal: one, or from the least median to the largest.
std::string time_of_tie(const FirstPlace& first) {
  const auto [least, most] = std::ranges::minmax(first.points, {}, &PointView::time);
  if (seconds(least->time) == seconds(most->time)) return time_text(*least);
  const TimeUnit unit = unit_for(most->time);
  return range_text(least->time, most->time, unit, " to ") + "\u202f" + unit.name;
}

// Points outside the first place: "C (1.20 times as long)".
std::vector<std::string> others_of(const StudyView& view, const FirstPlace& first) {
  std::vector<std::string> others;
  for (const PointView& point : view.points)
    if (point.is_done && std::ranges::find(first.points, &point) == first.points.end())
      others.push_back(point.name + " (" + ratio_text(against_fastest(view, point).ratio) + ")");
  return others;
}

// Where nearly all points share the first place, the others are the news.
bool do_most_tie(const StudyView& view, const FirstPlace& first, std::size_t others) {
  constexpr std::size_t kFew = 3;
  return first.points.size() > kFew && others <= kFew && view.missing() == 0;
}

// Of points that cannot be told from the fastest one: which takes the least time, and how much more the others may take.
std::string doubt_sentence(const StudyView& view, const FirstPlace& first,
                           const std::string& among) {
  const auto others = others_of(view, first);
  std::vector<std::string> doubtful, equal;
  for (const PointView* point : first.points)
    if (std::ranges::find(first.doubtful, point) != first.doubtful.end())
      doubtful.push_back(point->name);
    else if (point != view.fastest())
      equal.push_back(point->name);
  std::string text =
      among + bold(view.fastest()->name) + " takes the least time, " + time_text(*view.fastest());
  if (const auto* baseline = view.baseline();
      baseline != nullptr && baseline != view.fastest() && !is_alike(view, baseline))
    text += ", " + compared(view, *view.fastest(), *baseline);
  text += ", but ";
  if (doubtful.size() > 1 && first.next == nullptr && equal.empty())
    text += "none of the other " + counted(doubtful.size(), "point") + " can";
  else if (do_most_tie(view, first, others.size()) && equal.empty())
    text += "of the others only " + names_text(others) + " can";
  else
    text += names_text(doubtful) + " cannot";
  text += " be told from it: " + doubts_text(view, doubts_of(view, first));
  if (!equal.empty())
    text += "; " + names_text(equal) + (equal.size() == 1 ? " takes" : " take") +
            " the same time, within 0.5\u202f%";
  return text + "." + factors_of(view).of_doubt();
}

std::string tie_sentence(const StudyView& view, const FirstPlace& first, const std::string& among) {
  if (const auto others = others_of(view, first); do_most_tie(view, first, others.size()))
    return "All points count as equal, " + time_of_tie(first) + ", within 0.5\u202f%, except " +
           names_text(others) + ".";
  std::vector<std::string> names;
  for (const PointView* point : first.points) names.push_back(point->name);
  std::string text = among + names_text(names) + " are the fastest and count as equal, " +
                     time_of_tie(first) + ", within 0.5\u202f%";
  if (const auto* baseline = view.baseline(); baseline != nullptr && !is_alike(view, baseline))
    text += ", " + compared(view, *view.fastest(), *baseline);
  return text + factors_of(view).of_tie() + ".";
}

// Why no time changes along any axis, where the replays say so and say the same: " (each rank has a core of its own before and after)".
std::string why_nothing_changes(const StudyView& view) {
  std::string reason;
  for (const auto& remark : part_of(*view.json, "remarks")) {
    const auto text = remark.get<std::string>();
    if (!text.starts_with("no time changes along the axis ")) continue;
    const auto at = text.find("\": ");
    const std::string own = at == std::string::npos ? "" : text.substr(at + 3);
    if (own.empty() || (!reason.empty() && own != reason)) return "";
    reason = own;
  }
  return reason.empty() ? "" : ": " + reason;
}

}  // namespace

std::string choice_sentence(const StudyView& view) {
  const PointView& fastest = *view.fastest();
  const PointView* baseline = view.baseline();
  const bool is_whole = view.missing() == 0;
  if (view.done() == 1)
    return (view.points.size() == 1
                ? std::string("The predicted run time is ")
                : "Only " + bold(fastest.name) + " has a result: the run takes ") +
           time_text(fastest) + nodes_text(fastest) + ".";
  const FirstPlace first = first_place(view);
  const std::string among = is_whole
                                ? ""
                                : "Of the " + whole(static_cast<double>(view.done())) + " of " +
                                      counted(view.points.size(), "point") + " that are complete, ";
  if (!first.doubtful.empty()) return doubt_sentence(view, first, among);
  if (first.next == nullptr)
    return (is_whole
                ? "Nothing that was varied makes a difference: all " + counted(view.done(), "point")
                : "Nothing that was varied makes a difference: the " +
                      counted(view.done(), "point") + " with a result") +
           " take the same time, " + time_of_tie(first) + ", within 0.5\u202f%" +
           why_nothing_changes(view) + ".";
  if (first.is_tie()) return tie_sentence(view, first, among);
  if (&fastest == baseline) {
    const PointView& next = view.points[1];
    return (is_whole ? "Nothing" : among + "none") + " is faster than the baseline, " +
           bold(fastest.name) + ": the run takes " + time_text(fastest) + nodes_text(fastest) +
           ". Next is " + bold(next.name) + " with " + time_text(next) + nodes_text(next) + ".";
  }
  std::string text = (is_whole ? "Fastest is " : among + "the fastest is ") + bold(fastest.name) +
                     ": the run takes " + time_text(fastest) + nodes_text(fastest);
  if (baseline != nullptr) text += ", " + compared(view, fastest, *baseline);
  return text + "." + factors_of(view).of_winner();
}

}  // namespace reprise::sim::report
