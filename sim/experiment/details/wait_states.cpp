// SPDX-License-Identifier: MIT
#include "sim/experiment/details/wait_states.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "sim/site_text.hpp"
#include "sim/text/numbers.hpp"

namespace reprise::sim {
namespace {

constexpr std::size_t kShownWaits = 15;

using Place = std::pair<std::int32_t, trace_io::SiteId>;  // rank, site

// By how much what was watched at a place is short of what the rank waited there.
std::map<Place, double> wait_factors(const Observation& observation) {
  std::map<Place, double> watched, factors;
  for (const auto& [key, seconds] : observation.waits()->accounts())
    watched[{key.rank, key.site}] += seconds;
  for (const auto& row : observation.calls()) {
    const auto found = watched.find({row.rank.value, row.site});
    if (found != watched.end() && found->second > 0)
      factors[found->first] = row.account.wait / found->second;
  }
  return factors;
}

}  // namespace

WaitStateSums wait_states_of(const trace_io::Trace& trace, const Observation& observation) {
  WaitStateSums sums;
  const auto times = wait_factors(observation);
  std::map<std::pair<trace_io::SiteId, WaitState>, SiteWait> by_site;
  std::map<std::pair<std::int32_t, WaitState>, double> by_rank;
  for (const auto& [key, watched] : observation.waits()->accounts()) {
    const auto found = times.find({key.rank, key.site});
    const double seconds = watched * (found == times.end() ? 1 : found->second);
    SiteWait& wait = by_site[{key.site, key.state}];
    ++wait.ranks;
    wait.seconds += seconds;
    if (seconds > wait.most) {
      wait.most = seconds;
      wait.most_rank = key.rank;
    }
    by_rank[{key.rank, key.state}] += seconds;
    sums.all += seconds;
  }
  std::set<trace_io::SiteId> all;
  for (const auto& [key, wait] : by_site) all.insert(key.first);
  const auto callers = callers_of(trace, all);
  for (auto& [key, wait] : by_site) {
    wait.site = key.first;
    wait.state = key.second;
    wait.procedure = procedure_text(trace, wait.site);
    wait.place = place_text(trace, wait.site);
    if (const auto found = callers.find(wait.site); found != callers.end())
      wait.caller = found->second;
    sums.sites.push_back(std::move(wait));
  }
  std::stable_sort(sums.sites.begin(), sums.sites.end(),
                   [](const SiteWait& a, const SiteWait& b) { return a.seconds > b.seconds; });
  for (const auto& [key, seconds] : by_rank) sums.ranks.push_back({key.first, key.second, seconds});
  return sums;
}

double WaitStateSums::sum_of(WaitState state) const {
  double sum = 0;
  for (const SiteWait& wait : sites)
    if (wait.state == state) sum += wait.seconds;
  return sum;
}

// A table needs a row to have columns.
nlohmann::ordered_json WaitStateSums::rows() const {
  if (!sites.empty()) return by_site();
  return {{{"state", "none"},
           {"site", nullptr},
           {"procedure", ""},
           {"place", ""},
           {"caller", ""},
           {"ranks", 0},
           {"seconds", 0.0},
           {"most_rank", nullptr},
           {"most_s", 0.0}}};
}

nlohmann::ordered_json WaitStateSums::by_site() const {
  auto rows = nlohmann::ordered_json::array();
  for (const SiteWait& wait : sites)
    rows.push_back({{"state", name_of(wait.state)},
                    {"site", wait.site},
                    {"procedure", wait.procedure},
                    {"place", wait.place},
                    {"caller", wait.caller},
                    {"ranks", wait.ranks},
                    {"seconds", wait.seconds},
                    {"most_rank", wait.most_rank},
                    {"most_s", wait.most}});
  return rows;
}

nlohmann::ordered_json WaitStateSums::json() const {
  auto by_rank = nlohmann::ordered_json::array();
  for (const RankWait& wait : ranks)
    by_rank.push_back(
        {{"rank", wait.rank}, {"state", name_of(wait.state)}, {"seconds", wait.seconds}});
  return {{"all_s", all}, {"by_site", by_site()}, {"by_rank", by_rank}};
}

std::string WaitStateSums::text() const {
  std::string text = formatted("\n%-26s  %-40s  %12s  %6s  %s\n", "wait state (over all ranks)",
                               "in", "s", "share", "most");
  for (std::size_t i = 0; i < std::min(sites.size(), kShownWaits); ++i) {
    const SiteWait& wait = sites[i];
    text += padded(std::string(name_of(wait.state)), 26) + "  " +
            padded(call_text(wait.procedure, wait.place, wait.caller), 40) +
            formatted("  %12.6f  %5.1f%%  rank %d, %.6f s\n", wait.seconds,
                      all > 0 ? 100 * wait.seconds / all : 0, wait.most_rank, wait.most);
  }
  if (sites.size() > kShownWaits)
    text += formatted("(%zu more: --format json or csv)\n", sites.size() - kShownWaits);
  if (sites.empty()) text += "(nobody waits)\n";
  return text;
}

extern const Detail kWaitStates = {
    .name = "wait-states",
    .key = "wait_states",
    .cost = "",
    .scope = DetailScope::baseline,
    .watched = {.calls = true, .waits = true},
    .measure = [](const Replayed& replayed) -> std::unique_ptr<Figure> {
      return std::make_unique<WaitStateSums>(wait_states_of(replayed.trace, replayed.observation));
    }};

}  // namespace reprise::sim
