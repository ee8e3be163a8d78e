// SPDX-License-Identifier: MIT
// What each axis brings, all else equal: from the points' effects, machine by machine.
#include <algorithm>
#include <cmath>
#include <set>

#include "sim/report/number_text.hpp"
#include "sim/report/sentences.hpp"

namespace reprise::sim::report {
namespace {

using nlohmann::ordered_json;

// One value of the axis against the baseline's, with the other axes where a point has them.
struct AxisEffect {
  Comparison against;
  std::string where;  // " on HDR with placement block"
};

struct AxisValueEffects {
  std::string label;
  double factor = 0;  // over the baseline's, of an axis that multiplies; 0: of others
  std::vector<AxisEffect> effects;
};

const ordered_json& axis_json(const StudyView& view, std::size_t axis) {
  return (*view.json)["study"]["axes"][axis];
}

std::vector<AxisValueEffects> values_of(const StudyView& view, std::size_t axis) {
  const auto& labels = part_of(axis_json(view, axis), "labels");
  const auto& factors = part_of(axis_json(view, axis), "factors");
  const auto& baseline = part_of(*find(*view.json, "study"), "baseline");
  const auto* at_baseline = find(baseline, view.axes[axis].c_str());
  double unit = 0;
  for (std::size_t i = 0; i < factors.size() && i < labels.size(); ++i)
    if (at_baseline != nullptr && labels[i] == *at_baseline) unit = factors[i].get<double>();
  std::vector<AxisValueEffects> values;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    AxisValueEffects value{labels[i].is_string() ? labels[i].get<std::string>() : labels[i].dump(),
                           unit > 0 && i < factors.size() ? factors[i].get<double>() / unit : 0,
                           {}};
    std::vector<const PointView*> points;
    for (const PointView& point : view.points)
      if (point.is_done && point.labels[axis] == value.label) points.push_back(&point);
    std::ranges::sort(points, {}, &PointView::number);
    for (const PointView* point : points)
      if (const auto effect = effect_of(*point, view.axes[axis]))
        value.effects.push_back({*effect, elsewhere(view, point->labels, axis)});
    if (!value.effects.empty()) values.push_back(std::move(value));
  }
  return values;
}

double mean_ratio(const AxisValueEffects& value) {
  double sum = 0;
  for (const auto& effect : value.effects) sum += std::log(std::max(effect.against.ratio, 1e-300));
  return sum / static_cast<double>(value.effects.size());
}

// Of many values the two that say most: the ends of an axis of numbers, the best and the worst of others.
void keep_two(std::vector<AxisValueEffects>& values) {
  if (values.size() <= 2) return;
  const bool has_factors =
      std::ranges::all_of(values, [](const auto& one) { return one.factor > 0; });
  const auto [least, most] =
      has_factors ? std::ranges::minmax_element(values, {}, &AxisValueEffects::factor)
                  : std::ranges::minmax_element(values, {}, mean_ratio);
  values = {*std::min(least, most), *std::max(least, most)};
}

// "saves 5.9 %", its verb apart so that it need not be repeated.
struct Said {
  std::string verb, amount;
};

Said said_of(const StudyView& view, const Comparison& found) {
  const std::string text = effect_text(view, found);
  const auto end = text.find(' ');
  const bool has_amount = text.starts_with("saves ") || text.starts_with("costs ");
  return has_amount ? Said{text.substr(0, end), text.substr(end)} : Said{text, ""};
}

std::string subject_of(const StudyView& view, std::size_t axis, const AxisValueEffects& value) {
  if (value.factor > 0) {
    const std::string count = value.factor == 2     ? "twice"
                              : value.factor == 0.5 ? "half"
                              : value.factor == std::round(value.factor)
                                  ? whole(value.factor) + " times"
                                  : digits(value.factor, 3) + " times";
    return count + " the " + bold(view.axes[axis]);
  }
  const auto* baseline =
      find(part_of(*find(*view.json, "study"), "baseline"), view.axes[axis].c_str());
  const bool is_numeric = std::ranges::find(view.numeric_axes, axis) != view.numeric_axes.end();
  return (is_numeric ? "the " + bold(view.axes[axis]) + " " + value.label : bold(value.label)) +
         " instead of " +
         (baseline != nullptr && baseline->is_string() ? baseline->get<std::string>()
                                                       : std::string("the baseline's"));
}

std::string effects_text(const StudyView& view, std::vector<AxisEffect> effects) {
  constexpr std::size_t kMost = 4;
  std::set<std::string> different;
  for (const auto& one : effects) {
    const Said said = said_of(view, one.against);
    different.insert(said.verb + said.amount);
  }
  if (different.size() == 1) return " " + *different.begin();
  const bool is_cut = effects.size() > kMost;
  if (is_cut) {
    std::ranges::stable_sort(effects, {}, [](const auto& one) { return one.against.ratio; });
    effects = {effects.front(), effects.back()};
  }
  std::string text, verb;
  for (const auto& one : effects) {
    const Said said = said_of(view, one.against);
    text += text.empty()              ? " "
            : is_cut                  ? " at best and "
            : &one == &effects.back() ? " and "
                                      : ", ";
    const bool is_repeated = said.verb == verb && !said.amount.empty();
    text += (is_repeated ? said.amount.substr(1) : said.verb + said.amount) + one.where;
    verb = said.verb;
  }
  return text + (is_cut ? " at worst" : "");
}

std::string with_capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z')
    text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

}  // namespace

bool does_vary(const StudyView& view, std::size_t axis) {
  return part_of(axis_json(view, axis), "labels").size() > 1;
}

std::string setting_text(const std::string& axis, const std::string& label) {
  const bool says_axis = label.ends_with(" " + axis) || label.starts_with(axis + " ");
  return says_axis ? label : axis + " " + label;
}

std::string elsewhere(const StudyView& view, const std::vector<std::string>& labels,
                      std::size_t axis) {
  std::string machines, others;
  for (std::size_t other = 0; other < view.axes.size(); ++other) {
    if (other == axis || labels[other].empty() || !does_vary(view, other)) continue;
    if (find(axis_json(view, other), "platforms") != nullptr)
      machines += " on " + labels[other];
    else
      others += (others.empty() ? " with " : ", ") + setting_text(view.axes[other], labels[other]);
  }
  return machines + others;
}

std::vector<std::string> axis_sentences(const StudyView& view) {
  std::vector<std::string> sentences;
  std::size_t varying = 0;
  for (std::size_t axis = 0; axis < view.axes.size(); ++axis) varying += does_vary(view, axis);
  if (varying < 2 || view.applications > 0) return sentences;
  for (std::size_t axis = 0; axis < view.axes.size(); ++axis) {
    if (!does_vary(view, axis)) continue;
    auto values = values_of(view, axis);
    keep_two(values);
    std::string text;
    for (const auto& value : values)
      text += (text.empty() ? "" : "; ") + subject_of(view, axis, value) +
              effects_text(view, value.effects);
    if (!text.empty()) sentences.push_back(with_capital(text) + ".");
  }
  return sentences;
}

}  // namespace reprise::sim::report
