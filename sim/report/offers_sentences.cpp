// SPDX-License-Identifier: MIT
// A basket, or machines with prices: which offer runs its applications fastest, or does most for the money, how sure is it, what is missing.
//
// Without prices nothing relates machines of different size: no sentence counts the jobs of a whole machine, and applications are compared by
// their run times, on the ranks that each combination gives them.
#include <algorithm>

#include "sim/report/number_text.hpp"
#include "sim/report/sentences.hpp"

namespace reprise::sim::report {
namespace {

using nlohmann::ordered_json;
using Whole = std::vector<const ordered_json*>;  // offers that run all applications, best first

double number_of(const ordered_json& offer, const char* key, double otherwise = 0) {
  const auto* value = find(offer, key);
  return value != nullptr && value->is_number() ? value->get<double>() : otherwise;
}

bool is_alike_best(const ordered_json* offer) {
  const auto* against = find(*offer, "against_best");
  return against == nullptr || comparison_of(*against).is_alike();
}

Whole whole_offers(const ordered_json& offers) {
  Whole whole;
  for (const auto& offer : part_of(offers, "list"))
    if (part_of(offer, "missing").empty()) whole.push_back(&offer);
  return whole;
}

const ordered_json* baseline_of(const Whole& whole) {
  const auto found = std::ranges::find_if(
      whole, [](const ordered_json* offer) { return offer->value("is_baseline", false); });
  return found == whole.end() ? nullptr : *found;
}

std::string whole_machine_jobs(const ordered_json& offer) {
  const double nodes = number_of(offer, "nodes");
  return digits(number_of(offer, "jobs_per_hour"), 3) + " jobs per hour" +
         (nodes > 0
              ? " of the whole machine of " + counted(static_cast<std::uint64_t>(nodes), "node")
              : std::string());
}

std::string money_text(const ordered_json& offers, const ordered_json& offer) {
  const std::string currency = offers.value("currency", "");
  if (const double jobs = number_of(offer, "jobs_per_money"); jobs > 0)
    return digits(jobs, 3) + " jobs per " + currency;
  return whole_machine_jobs(offer) + " for " + digits(number_of(offer, "price"), 3) + " " +
         currency;
}

std::string mean_text(const ordered_json& offer) {
  return part_of(offer, "applications").size() > 1
             ? ", in the weighted geometric mean over the applications"
             : "";
}

// Of single jobs, which is another question than how many a machine does at once.
std::string speed_text(const StudyView& view, const ordered_json& best, const Whole& whole) {
  const double speedup = number_of(best, "speedup");
  const auto* baseline = baseline_of(whole);
  if (speedup <= 0 || baseline == nullptr || baseline == &best) return "";
  return " A job runs " + digits(speedup, 3) + " times as fast on it as on the baseline (" +
         baseline_text(view, offer_name(*baseline)) + ")" + mean_text(best) + ".";
}

// "small takes 3.642 ms instead of 8.636 ms, large 10.94 ms instead of 15.86 ms"; empty where there are too many.
std::string times_of(const ordered_json& offer, const ordered_json* baseline) {
  constexpr std::size_t kMost = 4;
  const auto& own = part_of(offer, "applications");
  if (own.empty() || own.size() > kMost) return "";
  std::string text;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::string label = own[i].value("label", "");
    text += (text.empty() ? bold(label) + " takes " : ", " + bold(label) + " ") +
            seconds(number_of(own[i], "time_s"));
    if (baseline != nullptr)
      text += " instead of " + seconds(number_of(part_of(*baseline, "applications")[i], "time_s"));
  }
  return text;
}

// What the times of offers are, where each point has several: tables of points have the medians.
std::string kind_of_times(const StudyView& view) {
  std::uint64_t recordings = 0, seeds = 0;
  for (const PointView& point : view.points)
    if (point.is_done) {
      recordings = std::max(recordings, point.recordings);
      seeds = std::max(seeds, point.seeds);
    }
  if (seeds < 2) return "";
  return " (geometric means over " +
         (recordings > 1 ? counted(recordings, "recording") : counted(seeds, "seed")) +
         "; the table of points has medians)";
}

// What the best offer does beside the baseline, application by application.
std::string against_baseline(const StudyView& view, const ordered_json& best, const Whole& whole,
                             bool is_tie) {
  const auto* baseline = baseline_of(whole);
  const std::string on = is_tie ? " On " + bold(offer_name(best)) + ", " : " On it, ";
  if (baseline == nullptr || baseline == &best) {
    const auto times = times_of(best, nullptr);
    return times.empty() ? "" : on + times + kind_of_times(view) + ".";
  }
  const auto times = times_of(best, baseline);
  const std::string faster = digits(number_of(best, "speedup"), 3) +
                             " times as fast as the baseline (" +
                             baseline_text(view, offer_name(*baseline)) + ")";
  return times.empty() ? " It is " + faster + "."
                       : on + times + kind_of_times(view) + ": " + faster + ".";
}

Whole first_of(const Whole& whole) {
  Whole same;
  std::ranges::copy_if(whole, std::back_inserter(same), is_alike_best);
  return same;
}

std::vector<std::string> names_of(const Whole& offers) {
  std::vector<std::string> names;
  for (const auto* offer : offers) names.push_back(offer_name(*offer));
  return names;
}

std::vector<Doubt> doubtful_of(const Whole& same) {
  std::vector<Doubt> doubts;
  for (const auto* offer : same)
    if (const auto* against = find(*offer, "against_best"); against != nullptr)
      if (const Comparison found = comparison_of(*against); found.is_doubtful())
        doubts.push_back({offer_name(*offer), found});
  return doubts;
}

// ", but B cannot be told from it: it takes …", and what would tell them apart.
std::string doubt_text(const StudyView& view, const Whole& same, const std::vector<Doubt>& doubts,
                       const DoubtWords& words) {
  std::vector<std::string> names, equal;
  for (const auto& one : doubts) names.push_back(one.name);
  for (const auto* offer : same)
    if (offer != same.front() && std::ranges::find(names, offer_name(*offer)) == names.end())
      equal.push_back(offer_name(*offer));
  const bool has_models = std::ranges::any_of(view.points, [](const PointView& point) {
    return part_of(*point.json, "models").size() > 1;
  });
  return ", but " + names_text(names) +
         " cannot be told from it: " + doubts_text(view, doubts, words) +
         (equal.empty() ? ""
                        : "; " + names_text(equal) + (equal.size() == 1 ? " is" : " are") +
                              " equal to it, within 0.5\u202f%") +
         ". What would tell them apart: " + remedy_of(view) +
         (has_models ? ", as far as the network models agree." : ".");
}

std::string answer_by_work(const StudyView& view, const Whole& whole) {
  const ordered_json& best = *whole.front();
  if (whole.size() == 1)
    return "Only " + bold(offer_name(best)) + " has an answer." +
           against_baseline(view, best, whole, false);
  const Whole same = first_of(whole);
  if (const auto doubts = doubtful_of(same); !doubts.empty())
    return bold(offer_name(best)) + " runs the applications fastest" + mean_text(best) +
           doubt_text(view, same, doubts, {}) + against_baseline(view, best, whole, true);
  if (same.size() == whole.size())
    return "Nothing that was varied makes a difference to all applications together: all " +
           counted(whole.size(), "combination") + " are as fast, within 0.5\u202f%." +
           against_baseline(view, best, whole, true);
  if (same.size() > 1)
    return names_text(names_of(same)) + " run the applications fastest and count as equal, " +
           "within 0.5\u202f%" + mean_text(best) + "." + against_baseline(view, best, whole, true);
  const ordered_json& next = *whole[1];
  const Comparison against = comparison_of(next["against_best"]);
  return bold(offer_name(best)) + " runs the applications fastest, " + digits(against.ratio, 3) +
         " times as fast as " + bold(offer_name(next)) + ", the next" +
         interval_text(view, against, false) + mean_text(best) + "." +
         against_baseline(view, best, whole, false);
}

std::string answer_by_money(const StudyView& view, const ordered_json& offers, const Whole& whole) {
  const ordered_json& best = *whole.front();
  const std::string merit = money_text(offers, best);
  if (whole.size() == 1) return "Only " + bold(offer_name(best)) + " has an answer: " + merit + ".";
  const Whole same = first_of(whole);
  if (const auto doubts = doubtful_of(same); !doubts.empty())
    return bold(offer_name(best)) + " does most work for the money, " + merit +
           doubt_text(view, same, doubts,
                      {"needs", "as much money for the same work", "does less for the money"});
  if (same.size() == whole.size())
    return "The choice of offer makes no difference: all " + counted(whole.size(), "offer") +
           " do as much work for the money, " + merit + ", within 0.5\u202f%.";
  if (same.size() > 1)
    return names_text(names_of(same)) + " do most work for the money and count as equal, " +
           "within 0.5\u202f%: " + merit + " (" + offer_name(best) + ").";
  const ordered_json& next = *whole[1];
  const Comparison against = comparison_of(next["against_best"]);
  return bold(offer_name(best)) + " does most work for the money: " + merit + ", " +
         digits(against.ratio, 3) + " times as many" +
         (number_of(best, "jobs_per_money") > 0 ? "" : " for the same money") + " as on " +
         bold(offer_name(next)) + ", the next" + interval_text(view, against, false) + "." +
         speed_text(view, best, whole);
}

std::string sure_of(const StudyView& view, const Whole& whole) {
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
  return how_sure(view) + bold(offer_name(*whole.front())) + " is better than " +
         bold(offer_name(**next)) + (is_tie ? ", the next that differs," : "") +
         " with a probability of " + probability_text(1 - *against.probability) +
         (chance == nullptr || is_tie
              ? ""
              : ", and best of all with " + probability_text(chance->get<double>())) +
         ".";
}

// What would change the ranking, and what does the most work at any price.
std::string change_of(const StudyView& view, const ordered_json& offers, const Whole& whole) {
  if (whole.size() < 2) return "";
  std::string text = weights_sentence(view, whole);
  const auto most = std::ranges::max_element(
      whole, {}, [](const ordered_json* offer) { return number_of(*offer, "jobs_per_hour"); });
  constexpr double kAlike = 1.005;
  if (offers.value("by", "") != "work" &&
      number_of(**most, "jobs_per_hour") > kAlike * number_of(*whole.front(), "jobs_per_hour"))
    text += (text.empty() ? "" : " ") + std::string("Regardless of cost, ") +
            bold(offer_name(**most)) + " does the most work, " + whole_machine_jobs(**most) +
            ", compared with " + whole_machine_jobs(*whole.front()) + ".";
  return text;
}

// "Of the jobs, 75 % are of ring, 25 % of heat2d."
std::string mix_of(const ordered_json& offers) {
  const auto& weights = part_of(offers, "weights");
  if (weights.size() < 2) return "";
  const bool are_equal = std::ranges::all_of(
      weights, [&](const ordered_json& weight) { return weight == weights.front(); });
  if (constexpr std::size_t kFew = 3; are_equal && weights.size() > kFew)
    return "Of the jobs, as many are of each of the " + counted(weights.size(), "application") +
           ", " + weight_text(weights.front().get<double>()) + ".";
  std::string text = "Of the jobs, ";
  std::size_t number = 0;
  for (const auto& [label, weight] : weights.items()) {
    text += (number == 0 ? "" : ", ") + weight_text(weight.get<double>()) +
            (number == 0 ? " are of " : " of ") + label;
    ++number;
  }
  return text + ".";
}

// Work for the money is that of a full machine in whole nodes, of which each simulation has seen one job.
std::string alone_of(const Whole& whole) {
  if (whole.empty()) return "";
  const bool do_share = std::ranges::any_of(
      whole, [](const ordered_json* offer) { return offer->value("jobs_share_links", false); });
  return std::string(
             "A job has its nodes to itself: nodes are counted whole, and those too few for one "
             "more job stay idle.") +
         (do_share
              ? " Each job was simulated alone. Jobs that fill a machine together share the links "
                "between its switches, and what that costs is not part of these figures: most "
                "where a job's nodes are spread, or where the switches are oversubscribed."
              : "");
}

}  // namespace

std::vector<std::string> offers_sentences(const StudyView& view) {
  const auto* offers = find(*view.json, "offers");
  if (offers == nullptr) return {};
  const bool is_by_money = offers->value("by", "") != "work";
  // Power alone relates nothing to the speed of one program: such a study asks what any other does.
  if (!is_by_money && view.applications == 0) return {};
  const auto whole = whole_offers(*offers);
  std::vector<std::string> sentences;
  const auto lacking = static_cast<std::uint64_t>(number_of(*offers, "lacking_simulations"));
  const auto all = part_of(*offers, "list").size();
  const std::string noun = is_by_money ? "offer" : "combination";
  if (whole.empty() && lacking > 0)
    sentences.push_back("No answer for all applications together yet: " + std::to_string(lacking) +
                        " of " + counted(all, noun) +
                        (lacking == 1 ? " lacks simulations." : " lack simulations."));
  else if (whole.empty())
    sentences.emplace_back(std::string("No ") + (is_by_money ? "offer" : "combination") +
                           " runs all applications; the table names what is missing.");
  else
    sentences.push_back((lacking > 0 && whole.size() > 1
                             ? "Of the " + std::to_string(whole.size()) + " of " +
                                   counted(all, noun) + " that are complete: "
                             : std::string()) +
                        (is_by_money ? answer_by_money(view, *offers, whole)
                                     : answer_by_work(view, whole) + nodes_of_best(view, whole)));
  // Who has but one combination asks for the versions alone.
  if (auto text = versions_sentence(view); !text.empty())
    sentences.insert(all == 1 ? sentences.begin() : sentences.end(), std::move(text));
  // Where all offers are alike, the answer has said so of every axis; where simulations are missing, no axis is known.
  if (lacking == 0 && first_of(whole).size() < whole.size())
    for (auto& text : offer_axis_sentences(view, whole, is_by_money))
      sentences.push_back(std::move(text));
  // Of run times: what is best for the money crosses elsewhere.
  if (lacking == 0 && !is_by_money)
    for (auto& text : crossing_sentences(view)) sentences.push_back(std::move(text));
  std::string missing;
  for (const auto& offer : part_of(*offers, "list"))
    for (const auto& one : part_of(offer, "missing"))
      missing +=
          (missing.empty() ? "" : "; ") + bold(offer_name(offer)) + ", " + one.get<std::string>();
  for (auto text : {mix_of(*offers), is_by_money ? alone_of(whole) : "", sure_of(view, whole),
                    lacking == 0 ? change_of(view, *offers, whole) : "",
                    missing.empty() ? "" : "Without an answer: " + missing + "."})
    if (!text.empty()) sentences.push_back(std::move(text));
  return sentences;
}

}  // namespace reprise::sim::report
