// SPDX-License-Identifier: MIT
// Points that cannot be told apart: by how much they may differ, how sure it is that they do, and what would tell them apart.
#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/report/number_text.hpp"
#include "sim/report/sentences.hpp"

namespace reprise::sim::report {
namespace {

struct ModelRatio {
  std::string network;
  double ratio;
};

// OTHER's time over that of the fastest point, by each network model; the study's own first, empty where there is no other.
std::vector<ModelRatio> ratios_by_model(const StudyView& view, const PointView& other) {
  const auto& own = part_of(*view.fastest()->json, "models");
  const auto& its = part_of(*other.json, "models");
  std::vector<ModelRatio> ratios;
  if (own.size() < 2 || own.size() != its.size()) return ratios;
  const double asked = against_fastest(view, other).ratio;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::string network = text_of(own[i], "network");
    const double first = number_at(own[i], "ratio");
    if (network != text_of(its[i], "network") || first <= 0) return {};
    ratios.push_back({network, asked * number_at(its[i], "ratio") / first});
  }
  return ratios;
}

// By one model longer, by another shorter, and not by less than is worth a choice.
bool do_models_disagree(const std::vector<ModelRatio>& ratios) {
  if (ratios.empty()) return false;
  const auto [least, most] = std::ranges::minmax(ratios, {}, &ModelRatio::ratio);
  return least.ratio < 1 && most.ratio > 1 && most.ratio - least.ratio > kTolerance;
}

std::string models_disagree_text(const StudyView& view, const PointView& other,
                                 const std::vector<ModelRatio>& ratios) {
  std::string text;
  for (const auto& one : ratios)
    text += (text.empty()             ? " takes "
             : &one == &ratios.back() ? " and "
                                      : ", ") +
            digits(one.ratio, 3) +
            (text.empty() ? " times as long as " + bold(view.fastest()->name) : std::string()) +
            " with the " + one.network + " network";
  return bold(other.name) + text;
}

constexpr double kMostOfVariance = 0.5;

// Half the width of the point's band, as a logarithm, that is due to the fit error of its platform.
double width_by_fit(const PointView& point) {
  const auto& band = part_of(*point.json, "band");
  const double low = number_at(band, "low_s"), high = number_at(band, "high_s");
  if (low <= 0 || high <= low) return 0;
  return std::sqrt(number_at(part_of(band, "shares"), "calibration")) * std::log(high / low) / 2;
}

// Whether most of what is unsure of OTHER's difference from the fastest is the fit error of their platforms. What recordings differ by is in both
// times and cancels for the most part, so the points' own bands do not tell; of one platform, its fit error cancels.
bool is_difference_by_fit(const StudyView& view, const PointView& other) {
  const Comparison against = against_fastest(view, other);
  if (!against.low || !against.high || *against.low <= 0) return false;
  const double whole = std::log(*against.high / *against.low) / 2;
  const auto fit_error = [](const PointView& point) {
    return number_at(part_of(*point.json, "calibration"), "uncertainty");
  };
  const double a = width_by_fit(*view.fastest()), b = width_by_fit(other);
  const bool is_one_platform = fit_error(*view.fastest()) == fit_error(other);
  const double by_fit = is_one_platform ? std::abs(a - b) : std::hypot(a, b);
  return by_fit * by_fit > kMostOfVariance * whole * whole;
}

}  // namespace

std::string remedy_of(const StudyView& view) {
  const FirstPlace first = first_place(view);
  const bool is_by_fit = first.doubtful.empty()
                             ? number_at(part_of(part_of(*view.fastest()->json, "band"), "shares"),
                                         "calibration") > kMostOfVariance
                             : is_difference_by_fit(view, *first.doubtful.front());
  if (is_by_fit) return "a machine's file with a smaller fit error";
  if (view.has_runs) return "more recordings";
  return part_of(*view.json, "certainty").value("more_seeds_narrow", false)
             ? "more seeds, and several recordings of the program"
             : "several recordings of the program";
}

std::string estimate_text(const StudyView& view, const Comparison& against,
                          const std::string& longer) {
  return "an estimated " + digits(against.ratio, std::abs(against.ratio - 1) < 0.01 ? 4 : 3) +
         " times " + longer + interval_text(view, against, false);
}

std::vector<Doubt> doubts_of(const StudyView& view, const FirstPlace& first) {
  std::vector<Doubt> doubts;
  for (const PointView* point : first.doubtful)
    doubts.push_back({point->name, against_fastest(view, *point)});
  return doubts;
}

std::string doubts_text(const StudyView& view, std::vector<Doubt> doubts, const DoubtWords& words) {
  constexpr std::size_t kMost = 3;
  const bool is_single = doubts.size() == 1, is_cut = doubts.size() > kMost;
  if (is_cut) {
    std::ranges::stable_sort(doubts, {}, [](const Doubt& one) { return one.against.ratio; });
    doubts = {doubts.front(), doubts.back()};
  }
  std::string text;
  for (const auto& [name, against] : doubts) {
    text += (text.empty() ? is_cut ? "from " : ""
             : is_cut     ? ", to "
                          : "; ") +
            (is_single ? std::string("it") : bold(name)) +
            (is_cut ? std::string(", which") : std::string()) + " " + words.verb + " " +
            estimate_text(view, against, words.amount);
    if (against.probability)
      text += std::string(" and ") + words.worse + " with a probability of " +
              probability_text(1 - *against.probability);
  }
  return text;
}

std::string apart_sentence(const StudyView& view, const FirstPlace& first) {
  if (first.doubtful.empty()) return "";
  std::vector<std::string> names;
  std::size_t settled = 0;  // by more of what varied
  std::string disputed;
  for (const PointView* point : first.doubtful) {
    names.push_back(point->name);
    const auto ratios = ratios_by_model(view, *point);
    if (!do_models_disagree(ratios))
      ++settled;
    else if (disputed.empty())
      disputed = models_disagree_text(view, *point, ratios);
  }
  std::string text =
      "What would tell " + names_text(names) + " from " + bold(view.fastest()->name) + ": ";
  if (settled > 0) text += remedy_of(view);
  if (disputed.empty()) return text + ".";
  if (settled == 0)
    return text + "no further recording, since the network models disagree: " + disputed + ".";
  return text + "; but not where the network models disagree: " + disputed + ".";
}

std::string effect_text(const StudyView& view, const Comparison& found) {
  const double by = found.ratio - 1;
  // Positive is what the verb says, less time of what saves and more of what costs.
  const auto change = [sign = by < 0 ? -1 : 1](double ratio) {
    const double more = sign * (ratio - 1);
    return (more < 0 ? "−" : "+") + percent(std::abs(more));
  };
  const bool is_open = found.low && found.high && *found.low <= 1 && *found.high >= 1;
  if (is_open && found.is_doubtful())
    return std::string(by < 0 ? "saves" : "costs") + " an uncertain " + percent(std::abs(by)) +
           " (" + (view.has_runs ? "95\u202f%" : "over " + view.scatter) + ": " +
           change(by < 0 ? *found.high : *found.low) + " to " +
           change(by < 0 ? *found.low : *found.high) + ")";
  if (std::abs(by) < 5e-4) return "makes no difference";
  if (is_open) return "makes no measurable difference";
  const std::string text = std::string(by < 0 ? "saves " : "costs ") + percent(std::abs(by));
  if (!found.low || !found.high) return text;
  // What is sure to save may be little to save.
  constexpr double kLeast = 0.05, kShare = 0.25;
  const double least = std::min(std::abs(*found.low - 1), std::abs(*found.high - 1)),
               most = std::max(std::abs(*found.low - 1), std::abs(*found.high - 1)),
               off = std::max(std::abs(by) - least, most - std::abs(by));
  if (off <= std::max(kLeast, kShare * std::abs(by))) return text;
  return text + " (" + (view.has_runs ? "95\u202f%" : "over " + view.scatter) + ": " +
         percent(least) + " to " + percent(most) + ")";
}

}  // namespace reprise::sim::report
