// SPDX-License-Identifier: MIT
#include "sim/experiment/details/delay_costs.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "sim/functions/function_names.hpp"
#include "sim/site_text.hpp"
#include "sim/text/numbers.hpp"
#include "trace-io/model/function_samples.hpp"

namespace reprise::sim {
namespace {

constexpr std::size_t kShownDelays = 15;

// By how much what was watched in a call is short of what ranks waited there.
std::map<trace_io::SiteId, double> factors(const Observation& observation) {
  std::map<trace_io::SiteId, double> waited, factors;
  for (const auto& row : observation.calls()) waited[row.site] += row.account.wait;
  for (const auto& [site, watched] : observation.delays()->waitings)
    if (watched > 0) factors[site] = waited[site] / watched;
  return factors;
}

void add_callers(const trace_io::Trace& trace, std::vector<DelayCost>& delays) {
  std::set<trace_io::SiteId> all;
  for (const DelayCost& one : delays) all.insert({one.site, one.most_site});
  const auto callers = callers_of(trace, all);
  const auto of = [&callers](trace_io::SiteId site) {
    const auto found = callers.find(site);
    return found == callers.end() ? std::string() : found->second;
  };
  for (DelayCost& one : delays) {
    one.caller = of(one.site);
    one.most_caller = of(one.most_site);
  }
}

// The innermost function with most samples of each rank's computing before each call; of equal ones the first by name.
void add_functions(const trace_io::Trace& trace, std::vector<DelayCost>& delays) {
  const FunctionNames names(trace);
  for (DelayCost& one : delays) {
    std::map<std::string, std::uint64_t> counts;
    for (const auto& ranks : trace.functions->classes) {
      if (!ranks.ranks.contains(Rank{one.rank})) continue;
      for (const auto& path : ranks.compute)
        if (path.site == one.site)
          for (const auto& sampled : path.stacks)
            counts[names.of(trace.call_paths[sampled.stack].frames.front())] += sampled.count;
    }
    const auto most =
        std::max_element(counts.begin(), counts.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    if (most != counts.end()) one.function = most->first;
  }
}

std::string delay_text(const DelayCost& one) {
  return "before " + call_text(one.procedure, one.place, one.caller) +
         formatted(" on rank %d", one.rank) + (one.function.empty() ? "" : ", in " + one.function);
}

}  // namespace

DelayCostSums delay_costs_of(const trace_io::Trace& trace, const Observation& observation) {
  struct Sum {
    DelayCost cost;
    std::map<trace_io::SiteId, double> waiting;
  };
  DelayCostSums sums;
  const auto times = factors(observation);
  std::map<std::pair<std::int32_t, trace_io::SiteId>, Sum> by_delayer;
  for (const auto& [key, watched] : observation.delays()->costs) {
    const double seconds = watched * times.at(key.waiting);
    sums.all += seconds;
    if (key.rank == DelayCosts::kMessages) {
      sums.messages += seconds;
      continue;
    }
    Sum& sum = by_delayer[{key.rank, key.computing}];
    (key.is_direct ? sum.cost.direct : sum.cost.chain) += seconds;
    sum.waiting[key.waiting] += seconds;
  }
  for (auto& [key, sum] : by_delayer) {
    const auto most =
        std::max_element(sum.waiting.begin(), sum.waiting.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    sum.cost.rank = key.first;
    sum.cost.site = key.second;
    sum.cost.procedure = procedure_text(trace, key.second);
    sum.cost.place = place_text(trace, key.second);
    sum.cost.most_site = most->first;
    sum.cost.most_procedure = procedure_text(trace, most->first);
    sum.cost.most_place = place_text(trace, most->first);
    sums.delays.push_back(std::move(sum.cost));
  }
  add_callers(trace, sums.delays);
  sums.has_samples = trace.functions != nullptr;
  if (sums.has_samples) add_functions(trace, sums.delays);
  std::stable_sort(sums.delays.begin(), sums.delays.end(),
                   [](const DelayCost& a, const DelayCost& b) {
                     return a.direct + a.chain > b.direct + b.chain;
                   });
  return sums;
}

// A table needs a row to have columns.
nlohmann::ordered_json DelayCostSums::rows() const {
  auto rows = nlohmann::ordered_json::array();
  for (const DelayCost& one : delays)
    rows.push_back({{"rank", one.rank},
                    {"site", one.site},
                    {"procedure", one.procedure},
                    {"place", one.place},
                    {"caller", one.caller},
                    {"function", one.function},
                    {"direct_s", one.direct},
                    {"chain_s", one.chain},
                    {"most_site", one.most_site},
                    {"most_procedure", one.most_procedure},
                    {"most_place", one.most_place},
                    {"most_caller", one.most_caller}});
  if (rows.empty())
    rows.push_back({{"rank", nullptr},
                    {"site", nullptr},
                    {"procedure", ""},
                    {"place", ""},
                    {"caller", ""},
                    {"function", ""},
                    {"direct_s", 0.0},
                    {"chain_s", 0.0},
                    {"most_site", nullptr},
                    {"most_procedure", ""},
                    {"most_place", ""},
                    {"most_caller", ""}});
  return rows;
}

nlohmann::ordered_json DelayCostSums::json() const {
  return {{"all_s", all},
          {"messages_s", messages},
          {"delays", delays.empty() ? nlohmann::ordered_json::array() : rows()}};
}

// Which ranks the table is about, as far as they are worth a look: a table of many calls hides it.
std::string DelayCostSums::ranks_text() const {
  constexpr double kWorthALook = 0.05;
  constexpr std::size_t kShownRanks = 5;
  std::map<std::int32_t, double> by_rank;
  for (const DelayCost& one : delays) by_rank[one.rank] += one.direct + one.chain;
  std::vector<std::pair<double, std::int32_t>> most;
  for (const auto& [rank, seconds] : by_rank)
    if (seconds >= kWorthALook * all) most.emplace_back(-seconds, rank);
  std::sort(most.begin(), most.end());
  if (most.size() > kShownRanks) most.resize(kShownRanks);
  std::string text;
  for (const auto& [seconds, rank] : most)
    text += (text.empty() ? "by rank: " : ", ") +
            formatted("rank %d %.1f%%", rank, -100 * seconds / all);
  return text.empty()
             ? text
             : text + " of all waiting; `reprise trace imbalance` says what balancing saves\n";
}

std::string DelayCostSums::text() const {
  std::string text = formatted("\n%-54s  %12s  %12s  %6s  %s\n", "delay cost of computing",
                               "direct s", "in chains s", "share", "waited mostly in");
  const auto share = [&](double seconds) { return all > 0 ? 100 * seconds / all : 0; };
  for (std::size_t i = 0; i < std::min(delays.size(), kShownDelays); ++i) {
    const DelayCost& one = delays[i];
    text += padded(delay_text(one), 54) +
            formatted("  %12.6f  %12.6f  %5.1f%%  ", one.direct, one.chain,
                      share(one.direct + one.chain)) +
            call_text(one.most_procedure, one.most_place, one.most_caller) + "\n";
  }
  if (delays.size() > kShownDelays)
    text += formatted("(%zu more: --format json or csv)\n", delays.size() - kShownDelays);
  if (all <= 0) return text + "(nobody waits)\n";
  return text + padded("messages", 54) +
         formatted("  %12s  %12.6f  %5.1f%%\n", "", messages, share(messages)) + ranks_text() +
         (has_samples ? "" : "(record --functions sample adds the functions that compute)\n");
}

extern const Detail kDelayCosts = {
    .name = "delay-costs",
    .key = "delay_costs",
    .cost = "",
    .scope = DetailScope::baseline,
    .watched = {.calls = true, .waits = true, .delays = true},
    .measure = [](const Replayed& replayed) -> std::unique_ptr<Figure> {
      return std::make_unique<DelayCostSums>(delay_costs_of(replayed.trace, replayed.observation));
    }};

}  // namespace reprise::sim
