// SPDX-License-Identifier: MIT
// What the network models say that were not asked for: of run times, of what the axes bring, and of the order of the points.
#include <algorithm>
#include <cmath>

#include "sim/report/number_text.hpp"
#include "sim/report/sentences.hpp"

namespace reprise::sim::report {
namespace {

constexpr double kShift = 0.05;  // of a run time: an effect that is another one

// The network's time over that of the one that was asked for; 0 where it is not known.
double model_ratio(const PointView& point, const std::string& network) {
  for (const auto& model : part_of(*point.json, "models"))
    if (text_of(model, "network") == network) return number_at(model, "ratio");
  return 0;
}

// A point's effect along an axis, as asked and by another model.
struct Shift {
  const PointView* point = nullptr;
  std::size_t axis = 0;
  double asked = 1, other = 1;  // ratios
  double size() const { return std::abs(asked - other); }
};

std::string baseline_of(const StudyView& view, std::size_t axis) {
  return text_of(part_of(*find(*view.json, "study"), "baseline"), view.axes[axis].c_str());
}

const PointView* at_labels(const StudyView& view, const std::vector<std::string>& labels) {
  const auto found = std::ranges::find(view.points, labels, &PointView::labels);
  return found != view.points.end() && found->is_done ? &*found : nullptr;
}

// The largest first, in the order of the points where alike.
std::vector<Shift> shifts_by(const StudyView& view, const std::string& network) {
  std::vector<const PointView*> points;
  for (const PointView& point : view.points)
    if (point.is_done) points.push_back(&point);
  std::ranges::sort(points, {}, &PointView::number);
  std::vector<Shift> shifts;
  for (const PointView* point : points)
    for (std::size_t axis = 0; axis < view.axes.size(); ++axis) {
      const auto effect = effect_of(*point, view.axes[axis]);
      auto labels = point->labels;
      labels[axis] = baseline_of(view, axis);
      const PointView* base = at_labels(view, labels);
      if (!effect || base == nullptr || base == point) continue;
      const double its = model_ratio(*point, network), bases = model_ratio(*base, network);
      if (its <= 0 || bases <= 0) continue;
      const Shift shift{point, axis, effect->ratio, effect->ratio * its / bases};
      if (shift.size() > kShift) shifts.push_back(shift);
    }
  std::ranges::stable_sort(shifts, std::ranges::greater(), &Shift::size);
  return shifts;
}

std::string amount_text(double ratio) {
  if (std::abs(ratio - 1) < 5e-4) return "makes no difference";
  return (ratio < 1 ? "saves " : "costs ") + percent(std::abs(ratio - 1));
}

// "pairwise instead of linear costs 13 % instead of 85 % with bandwidth 1x".
std::string shift_text(const StudyView& view, const Shift& shift) {
  const bool is_numeric =
      std::ranges::find(view.numeric_axes, shift.axis) != view.numeric_axes.end();
  const std::string asked = amount_text(shift.asked), other = amount_text(shift.other);
  const bool same_verb = asked.substr(0, 6) == other.substr(0, 6) && asked[0] != 'm';
  return (is_numeric ? view.axes[shift.axis] + " " : std::string()) +
         bold(shift.point->labels[shift.axis]) + " instead of " + baseline_of(view, shift.axis) +
         " " + other + (same_verb ? " instead of " + asked.substr(6) : ", not " + asked) +
         elsewhere(view, shift.point->labels, shift.axis);
}

// The point that takes longest; null where that is none alone.
const PointView* slowest_by(const StudyView& view, const std::string& network) {
  const PointView* slowest = nullptr;
  double most = 0;
  for (const PointView& point : view.points) {
    const double time = point.is_done ? point.time * model_ratio(point, network) : 0;
    if (time > most * (1 + kTolerance))
      slowest = &point;
    else if (time * (1 + kTolerance) > most)
      slowest = nullptr;
    most = std::max(most, time);
  }
  return slowest;
}

// Which effects and which last place are others, by each network that was not asked for; empty where none are.
std::string shifts_text(const StudyView& view) {
  if (view.applications > 0 || view.fastest() == nullptr) return "";
  const auto& models = part_of(*view.fastest()->json, "models");
  std::string text;
  for (std::size_t i = 1; i < models.size(); ++i) {
    const std::string network = text_of(models[i], "network");
    std::string own;
    const auto shifts = shifts_by(view, network);
    if (!shifts.empty()) own += " " + shift_text(view, shifts.front());
    if (shifts.size() > 1)
      own += "; " + whole(static_cast<double>(shifts.size() - 1)) + " more such " +
             (shifts.size() == 2 ? "difference changes" : "differences change") + " by more than " +
             percent(kShift);
    const PointView* asked = slowest_by(view, text_of(models[0], "network"));
    const PointView* other = slowest_by(view, network);
    if (view.done() > 2 && asked != nullptr && other != nullptr && asked != other)
      own += std::string(own.empty() ? "" : ";") + " slowest is " + bold(other->name) + ", not " +
             bold(asked->name);
    if (!own.empty()) text += ". By " + network + own;
  }
  return text;
}

}  // namespace

std::string models_sentence(const StudyView& view) {
  double low = 1, high = 1;
  std::string asked;
  std::vector<std::string> others;
  for (const PointView& point : view.points) {
    const auto& models = part_of(*point.json, "models");
    for (const auto& model : models) {
      const std::string name = model.value("network", "");
      if (&model == &models.front())
        asked = name;  // the one that was asked for comes first
      else if (std::ranges::find(others, name) == others.end())
        others.push_back(name);
      low = std::min(low, number_at(model, "ratio", 1));
      high = std::max(high, number_at(model, "ratio", 1));
    }
  }
  if (others.empty()) return "";
  std::string names;
  for (std::size_t i = 0; i < others.size(); ++i)
    names += (i == 0 ? "" : i + 1 == others.size() ? " or " : ", ") + others[i];
  const auto change = [](double ratio) {
    return (ratio < 1 ? "−" : "+") + percent(std::abs(ratio - 1));
  };
  return "With " + names + " as the network model instead of " + asked + ", run times change by " +
         (std::max(high - 1, 1 - low) < 5e-4 ? std::string("less than 0.1\u202f%")
          : high - 1 < 5e-5                  ? "up to " + change(low)
          : 1 - low < 5e-5                   ? "up to " + change(high)
                                             : change(low) + " to " + change(high)) +
         shifts_text(view) + ".";
}

}  // namespace reprise::sim::report
