// SPDX-License-Identifier: MIT
// At which weight of an application another offer would be first.
//
// The weight w of one application becomes w', and those of the others keep their proportions: they are multiplied by (1 − w') / (1 − w). Of single jobs,
// log score = −Σ wᵢ log Tᵢ, and of work for the money, cost = c Σ wᵢ nᵢ Tᵢ, both linear in w', so that two offers change places at most once.
#include <algorithm>
#include <cmath>
#include <optional>

#include "sim/report/number_text.hpp"
#include "sim/report/sentences.hpp"

namespace reprise::sim::report {
namespace {

using nlohmann::ordered_json;

constexpr double kPlausible = 2;  // times the weight, up or down

// What an offer takes at the weights: for each application its part without the weight. Less is better.
struct Burden {
  std::vector<double> parts;
  // With the weight of application K at W instead of at its own.
  double at(const std::vector<double>& weights, std::size_t k, double w) const {
    double rest = 0;
    for (std::size_t i = 0; i < parts.size(); ++i)
      if (i != k) rest += weights[i] * parts[i];
    return w * parts[k] + (1 - w) / (1 - weights[k]) * rest;
  }
};

// Of one job where there are no prices, else of the money for it.
std::optional<Burden> burden_of(const ordered_json& offer, const std::vector<double>& weights,
                                bool is_by_money) {
  Burden burden;
  double node_seconds = 0;
  const auto& applications = part_of(offer, "applications");
  if (applications.size() != weights.size()) return std::nullopt;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double time = number_at(applications[i], "time_s"),
                 at_once = number_at(applications[i], "jobs_at_once"),
                 nodes = at_once > 0 ? number_at(offer, "nodes") / at_once  // with those left over
                                     : number_at(applications[i], "nodes", 1);
    if (time <= 0) return std::nullopt;
    burden.parts.push_back(is_by_money ? nodes * time : std::log(time));
    node_seconds += weights[i] * nodes * time;
  }
  if (!is_by_money) return burden;
  const double jobs = number_at(offer, "jobs_per_money"),
               per_hour = number_at(offer, "jobs_per_hour"), price = number_at(offer, "price");
  const double cost = jobs > 0 ? 1 / jobs : per_hour > 0 ? price / per_hour : 0;
  if (cost <= 0) return std::nullopt;
  for (double& part : burden.parts) part *= cost / node_seconds;
  return burden;
}

// Where OTHER passes BEST; none where it does not, or does already.
std::optional<double> turning_weight(const Burden& best, const Burden& other,
                                     const std::vector<double>& weights, std::size_t k) {
  const auto lead = [&](double w) { return other.at(weights, k, w) - best.at(weights, k, w); };
  const double at_none = lead(0), at_all = lead(1);
  if (lead(weights[k]) <= 0 || at_none == at_all) return std::nullopt;
  const double w = at_none / (at_none - at_all);
  return w > 0 && w < 1 ? std::optional(w) : std::nullopt;
}

}  // namespace

std::string weights_sentence(const StudyView& view, const std::vector<const ordered_json*>& whole) {
  const auto& offers = part_of(*view.json, "offers");
  const auto& own = part_of(*whole.front(), "applications");
  std::vector<double> weights;
  for (const auto& application : own) {
    weights.push_back(number_at(part_of(offers, "weights"), text_of(application, "label").c_str()));
    if (weights.back() <= 0 || weights.back() >= 1) return "";
  }
  const bool is_by_money = offers.value("by", "") != "work";
  const auto best = burden_of(*whole.front(), weights, is_by_money);
  if (!best || weights.size() < 2) return "";
  double least = kPlausible;
  std::string text;
  for (const ordered_json* offer : whole) {
    const auto* against = find(*offer, "against_best");
    if (against == nullptr || comparison_of(*against).is_alike()) continue;
    const auto other = burden_of(*offer, weights, is_by_money);
    for (std::size_t k = 0; other && k < weights.size(); ++k) {
      const auto w = turning_weight(*best, *other, weights, k);
      const double factor = w ? std::max(*w / weights[k], weights[k] / *w) : kPlausible;
      if (factor >= least) continue;
      least = factor;
      text = "What would change the ranking: a weight of " + bold(text_of(own[k], "label")) +
             (*w > weights[k] ? " above " : " below ") + percent(*w) + " instead of " +
             weight_text(weights[k]) + " would put " + bold(offer_name(*offer)) + " first.";
    }
  }
  return text;
}

}  // namespace reprise::sim::report
