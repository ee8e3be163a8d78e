// SPDX-License-Identifier: MIT
// Damage: a run as it is, and scenarios that harm it. What does each cost?
#include <algorithm>

#include "sim/report/number_text.hpp"
#include "sim/report/sentences.hpp"

namespace reprise::sim::report {
namespace {

struct Cost {
  const PointView* point;
  Comparison against;
};

}  // namespace

// One axis of scenarios, and none of them makes the baseline faster.
std::string damage_sentence(const StudyView& view) {
  const PointView* baseline = view.baseline();
  if (view.axes.size() != 1 || view.axes[0] != "scenario" || baseline == nullptr || view.done() < 2)
    return "";
  std::vector<Cost> costs;
  for (const PointView& point : view.points) {
    if (!point.is_done || &point == baseline) continue;
    const auto effect = effect_of(point, view.axes[0]);
    if (!effect) return "";
    if (effect->ratio < 1 && !effect->is_alike()) return "";
    costs.push_back({&point, *effect});
  }
  std::stable_sort(costs.begin(), costs.end(),
                   [](const Cost& a, const Cost& b) { return a.against.ratio > b.against.ratio; });
  std::vector<std::string> harmless;
  std::string text, unsure;
  for (const Cost& cost : costs) {
    if (cost.against.is_doubtful()) {
      unsure += "; " + bold(cost.point->name) + " " + effect_text(view, cost.against);
      continue;
    }
    if (cost.against.is_alike()) {
      harmless.push_back(cost.point->name);
      continue;
    }
    const double more = cost.against.ratio - 1;
    text += text.empty()
                ? "Most is lost to " + bold(cost.point->name) + ": the run takes " + percent(more) +
                      " longer, " + time_text(*cost.point) + " instead of " + time_text(*baseline) +
                      interval_text(view, cost.against, false)
                : "; " + bold(cost.point->name) + " costs " + percent(more) +
                      interval_text(view, cost.against, false);
  }
  if (text.empty()) return "";
  text += unsure;
  if (!harmless.empty())
    text += "; " + names_text(harmless) + (harmless.size() == 1 ? " costs" : " cost") +
            " nothing measurable";
  return text + ".";
}

}  // namespace reprise::sim::report
