// SPDX-License-Identifier: MIT
// A basket, or machines with prices: which offer does most work, or most for the money, how sure is it, what is missing.
#include <algorithm>
#include <map>

#include "sim/report/number_text.hpp"
#include "sim/report/sentences.hpp"

namespace reprise::sim::report {
namespace {

using nlohmann::ordered_json;

double number_of(const ordered_json& offer, const char* key, double otherwise = 0) {
  const auto* value = find(offer, key);
  return value != nullptr && value->is_number() ? value->get<double>() : otherwise;
}

bool is_alike_best(const ordered_json* offer) {
  const auto* against = find(*offer, "against_best");
  return against == nullptr || comparison_of(*against).is_alike();
}

std::vector<const ordered_json*> whole_offers(const ordered_json& offers) {
  std::vector<const ordered_json*> whole;
  for (const auto& offer : part_of(offers, "list"))
    if (part_of(offer, "missing").empty()) whole.push_back(&offer);
  return whole;
}

std::string merit_text(const ordered_json& offers, const ordered_json& best) {
  if (const double jobs = number_of(best, "jobs_per_money"); jobs > 0)
    return digits(jobs, 3) + " jobs per " + offers.value("currency", "");
  return digits(number_of(best, "jobs_per_hour"), 3) + " jobs per hour";
}

// Of single jobs, which is another question than how many a machine does at once.
std::string speed_text(const ordered_json& best) {
  const double speedup = number_of(best, "speedup");
  if (speedup <= 0 || best.value("is_baseline", false)) return "";
  return " A job runs " + digits(speedup, 3) + " times as fast on it as on the baseline.";
}

std::string answer_of(const StudyView& view, const ordered_json& offers,
                      const std::vector<const ordered_json*>& whole) {
  const ordered_json& best = *whole.front();
  // By money the order is that of the work for it, else that of the speed-ups.
  const bool is_by_money = offers.value("by", "") != "work";
  const std::string work = is_by_money ? "does most work for the money" : "runs the jobs fastest";
  if (whole.size() == 1)
    return "Only " + bold(offer_name(best)) + " has an answer: " + merit_text(offers, best) + ".";
  std::vector<std::string> same;
  for (const auto* offer : whole)
    if (is_alike_best(offer)) same.push_back(offer_name(*offer));
  if (same.size() == whole.size())
    return "The choice of offer makes no difference: all " + counted(whole.size(), "offer") +
           (is_by_money ? " do as much work for the money, " : " are as fast, ") +
           merit_text(offers, best) + ", within 0.5\u202f% or the statistical uncertainty.";
  if (same.size() > 1)
    return names_text(same) +
           (is_by_money ? " do most work for the money" : " run the jobs fastest") +
           " and cannot be distinguished: " + merit_text(offers, best) + " (" + offer_name(best) +
           ").";
  const ordered_json& next = *whole[1];
  const Comparison against = comparison_of(next["against_best"]);
  return bold(offer_name(best)) + " " + work + ": " + merit_text(offers, best) + ", " +
         digits(against.ratio, 3) +
         (is_by_money ? " times as many as on " : " times as fast as on ") +
         bold(offer_name(next)) + ", the next" + interval_text(view, against, false) + "." +
         speed_text(best);
}

std::string sure_of(const StudyView& view, const std::vector<const ordered_json*>& whole) {
  if (whole.size() < 2) return "";
  const auto next = std::ranges::find_if_not(whole, is_alike_best);
  if (next == whole.end()) return "";
  const Comparison against = comparison_of((**next)["against_best"]);
  if (!against.probability) {
    const bool is_named = !part_of(part_of(*view.json, "certainty"), "lacks").empty();
    return is_named ? "How sure: unknown, because nothing that varies was measured." : "";
  }
  const bool is_tie = next != whole.begin() + 1;
  const auto* chance = find(*whole.front(), "probability_best");
  return (view.has_runs ? "How sure: " : "How sure, over " + view.scatter + " alone: ") +
         bold(offer_name(*whole.front())) + " is better than " + bold(offer_name(**next)) +
         (is_tie ? ", the next that differs," : "") + " with a probability of " +
         probability_text(1 - *against.probability) +
         (chance == nullptr || is_tie
              ? ""
              : ", and best of all with " + probability_text(chance->get<double>())) +
         ".";
}

// Which applications speak for another offer: by the offer on which they are fastest.
std::string change_of(const ordered_json& offers, const std::vector<const ordered_json*>& whole) {
  if (whole.size() < 2) return "";
  std::map<std::string, std::vector<std::string>> others;
  const auto& own = part_of(*whole.front(), "applications");
  for (std::size_t i = 0; i < own.size(); ++i) {
    const ordered_json* fastest = whole.front();
    for (const auto* offer : whole)
      if (number_of(part_of(*offer, "applications")[i], "time_s") <
          0.995 * number_of(part_of(*fastest, "applications")[i], "time_s"))
        fastest = offer;
    if (fastest != whole.front()) others[offer_name(*fastest)].push_back(own[i].value("label", ""));
  }
  std::string text;
  for (const auto& [offer, labels] : others)
    text += (text.empty() ? "What would change the ranking: other weights, for " : ", and ") +
            names_text(labels) + (labels.size() == 1 ? " runs" : " run") + " fastest on " +
            bold(offer);
  if (!text.empty()) text += ".";
  const auto most = std::ranges::max_element(
      whole, {}, [](const ordered_json* offer) { return number_of(*offer, "jobs_per_hour"); });
  if (offers.value("by", "") != "work" && *most != whole.front())
    text += (text.empty() ? "" : " ") +
            std::string("Regardless of cost, the most work is done by ") +
            bold(offer_name(**most)) + ", " + digits(number_of(**most, "jobs_per_hour"), 3) +
            " jobs per hour, compared with " +
            digits(number_of(*whole.front(), "jobs_per_hour"), 3) + ".";
  return text;
}

}  // namespace

std::vector<std::string> offers_sentences(const StudyView& view) {
  const auto* offers = find(*view.json, "offers");
  if (offers == nullptr) return {};
  const auto whole = whole_offers(*offers);
  std::vector<std::string> sentences;
  if (whole.empty())
    sentences.emplace_back("No offer runs all applications; the table names what is missing.");
  if (!whole.empty()) sentences.push_back(answer_of(view, *offers, whole));
  std::string missing;
  for (const auto& offer : part_of(*offers, "list"))
    for (const auto& one : part_of(offer, "missing"))
      missing +=
          (missing.empty() ? "" : "; ") + bold(offer_name(offer)) + ", " + one.get<std::string>();
  for (auto text : {sure_of(view, whole), change_of(*offers, whole),
                    missing.empty() ? "" : "Without an answer: " + missing + "."})
    if (!text.empty()) sentences.push_back(std::move(text));
  return sentences;
}

}  // namespace reprise::sim::report
