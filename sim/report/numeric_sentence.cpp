// SPDX-License-Identifier: MIT
// Axes of numbers: how far along one is worth going, which of several brings most, and whether they help each other.
#include <algorithm>
#include <cmath>

#include "sim/report/number_text.hpp"
#include "sim/report/sentences.hpp"

namespace reprise::sim::report {
namespace {

constexpr double kLittle = 0.05;  // less than this left is not worth going further for

// What one axis alone brings, all else as in the baseline.
struct Gain {
  std::string axis;
  const PointView* best = nullptr;
  Comparison against;  // of the best, against the baseline
  std::vector<const PointView*>
      points;  // in the order of the labels, from the baseline to the best
};

// The points on the line through LIKE along the axis, in the order of the labels.
std::vector<const PointView*> line_through(const StudyView& view, const PointView& like,
                                           std::size_t axis) {
  std::vector<const PointView*> line;
  for (const auto& label : (*view.json)["study"]["axes"][axis]["labels"])
    for (const PointView& point : view.points) {
      bool is_on = point.is_done && point.labels[axis] == label;
      for (std::size_t other = 0; other < view.axes.size(); ++other)
        is_on &= other == axis || point.labels[other] == like.labels[other];
      if (is_on) line.push_back(&point);
    }
  return line;
}

Gain gain_of(const StudyView& view, std::size_t axis) {
  Gain gain;
  gain.axis = view.axes[axis];
  const PointView& baseline = *view.baseline();
  gain.best = &baseline;
  auto line = line_through(view, baseline, axis);
  for (const PointView* point : line)
    if (point->time < gain.best->time) gain.best = point;
  if (gain.best != &baseline)
    gain.against = effect_of(*gain.best, gain.axis)
                       .value_or(Comparison{gain.best->time / baseline.time, {}, {}, {}});
  const auto from = std::find(line.begin(), line.end(), &baseline),
             to = std::find(line.begin(), line.end(), gain.best);
  if (from <= to)
    gain.points.assign(from, to + 1);
  else
    gain.points.assign(std::make_reverse_iterator(from + 1), std::make_reverse_iterator(to));
  return gain;
}

std::string label_on(const StudyView& view, const PointView& point, const std::string& axis) {
  const auto at = std::find(view.axes.begin(), view.axes.end(), axis);
  return point.labels[static_cast<std::size_t>(at - view.axes.begin())];
}

// "; from 4x on less than 5 % is left", or that the last step is still worth its while.
std::string knee_text(const StudyView& view, const Gain& gain) {
  if (gain.points.size() < 3) return "";
  const auto knee = std::find_if(
      gain.points.begin(), gain.points.end(),
      [&](const PointView* point) { return point->time / gain.best->time - 1 < kLittle; });
  if (*knee != gain.best && knee != gain.points.begin())
    return "; from " + label_on(view, **knee, gain.axis) +
           " on, less than 5\u202f% is left to gain (" +
           percent((*knee)->time / gain.best->time - 1) + ")";
  if (*knee != gain.best) return "";
  const PointView* before = gain.points[gain.points.size() - 2];
  return "; the last step, from " + label_on(view, *before, gain.axis) + " on, still gains " +
         percent(before->time / gain.best->time - 1);
}

std::string one_axis(const StudyView& view, const Gain& gain) {
  if (gain.best == view.baseline() || gain.against.is_alike()) {
    const auto line = line_through(view, *view.baseline(), view.numeric_axes[0]);
    const PointView* worst = *std::max_element(
        line.begin(), line.end(), [](const auto* a, const auto* b) { return a->time < b->time; });
    const auto harm = effect_of(*worst, gain.axis);
    if (!harm || harm->is_alike()) return "";
    const bool is_open = gain.against.is_doubtful();
    return "No value of " + bold(gain.axis) + " makes the run " + (is_open ? "reliably " : "") +
           "faster than the baseline (" + baseline_text(view, view.baseline()->name) + "), " +
           time_text(*view.baseline()) + "; " +
           (is_open ? bold(gain.best->name) + " " + effect_text(view, gain.against) + "; " : "") +
           bold(worst->name) + " takes " + ratio_text(harm->ratio) +
           interval_text(view, *harm, false) + ".";
  }
  return "At " + bold(gain.best->name) + " the run is " + ratio_text(gain.against.ratio) +
         interval_text(view, gain.against, true) + " as the baseline (" +
         baseline_text(view, view.baseline()->name) + "): " + time_text(*gain.best) +
         " instead of " + time_text(*view.baseline()) + knee_text(view, gain) + ".";
}

std::string several_axes(const StudyView& view, std::vector<Gain> gains) {
  std::stable_sort(gains.begin(), gains.end(),
                   [](const Gain& a, const Gain& b) { return a.against.ratio < b.against.ratio; });
  std::string text;
  double alone = 0;  // what all save, each without the others
  for (const Gain& gain : gains) {
    const bool has_gain = gain.best != view.baseline() && !gain.against.is_alike();
    if (&gain == &gains.front() && !has_gain) return "";
    if (text.empty())
      text = "Most is gained by " + bold(gain.axis) + ": at " +
             label_on(view, *gain.best, gain.axis) + " alone the run is " +
             ratio_text(gain.against.ratio) + interval_text(view, gain.against, true) +
             " as the baseline (" + baseline_text(view, view.baseline()->name) + ")" +
             knee_text(view, gain);
    else
      text +=
          "; " + bold(gain.axis) +
          (has_gain ? " at " + label_on(view, *gain.best, gain.axis) + " alone makes it " +
                          ratio_text(gain.against.ratio) + interval_text(view, gain.against, true)
           : gain.best == view.baseline() ? std::string(" alone saves nothing")
                                          : " alone " + effect_text(view, gain.against));
    alone += view.baseline()->time - gain.best->time;
  }
  const double before = view.baseline()->time, together = before - view.fastest()->time;
  if (view.fastest() != gains.front().best && together > 0.005 * before) {
    text += ". Together, " + bold(view.fastest()->name) + ", they make it " +
            digits(before / view.fastest()->time, 3) + " times as fast";
    if (together > (1 + kLittle) * alone)
      text += " and save " + seconds(together) + ", more than what each saves alone, " +
              seconds(alone) + ": each is worth more with the other";
    else if (together < (1 - kLittle) * alone)
      text += " and save " + seconds(together) + ", less than what each saves alone, " +
              seconds(alone) + ": in part they save the same time";
    else
      text += " and save what each saves alone";
  }
  return text + ".";
}

}  // namespace

std::string numeric_sentence(const StudyView& view) {
  if (view.baseline() == nullptr || view.done() < 2 || view.numeric_axes.empty()) return "";
  std::vector<Gain> gains;
  for (std::size_t axis = 0; axis < view.axes.size(); ++axis) {
    const bool varies = (*view.json)["study"]["axes"][axis]["labels"].size() > 1;
    const bool is_numeric = std::find(view.numeric_axes.begin(), view.numeric_axes.end(), axis) !=
                            view.numeric_axes.end();
    if (varies && !is_numeric) return "";
    if (varies) gains.push_back(gain_of(view, axis));
  }
  return gains.size() == 1 ? one_axis(view, gains[0]) : several_axes(view, std::move(gains));
}

}  // namespace reprise::sim::report
