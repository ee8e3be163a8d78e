// SPDX-License-Identifier: MIT
#include "sim/experiment/details/call_sites.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "sim/site_text.hpp"
#include "sim/text/numbers.hpp"

namespace reprise::sim {
namespace {

constexpr std::size_t kShownUses = 20;

CallSites call_sites(const trace_io::Trace& trace, const Observation& observation) {
  std::map<trace_io::SiteId, CallSiteUse> by_site;
  for (const auto& row : observation.calls()) {
    CallSiteUse& use = by_site[row.site];
    ++use.ranks;
    use.account += row.account;
  }
  std::set<trace_io::SiteId> all;
  for (const auto& [site, use] : by_site) all.insert(site);
  const auto callers = callers_of(trace, all);
  CallSites sites;
  auto& uses = sites.uses;
  for (auto& [site, use] : by_site) {
    use.site = site;
    use.procedure = procedure_text(trace, site);
    use.place = place_text(trace, site);
    if (const auto found = callers.find(site); found != callers.end()) use.caller = found->second;
    uses.push_back(std::move(use));
  }
  std::stable_sort(uses.begin(), uses.end(), [](const CallSiteUse& a, const CallSiteUse& b) {
    return a.account.compute + a.account.in_mpi > b.account.compute + b.account.in_mpi;
  });
  return sites;
}

}  // namespace

nlohmann::ordered_json CallSites::json() const {
  auto rows = nlohmann::ordered_json::array();
  for (const auto& use : uses) {
    const CallAccount& a = use.account;
    rows.push_back({{"site", use.site},
                    {"procedure", use.procedure},
                    {"place", use.place},
                    {"caller", use.caller},
                    {"ranks", use.ranks},
                    {"calls", a.calls},
                    {"bytes", a.bytes},
                    {"compute_s", a.compute},
                    {"communication_s", a.in_mpi - a.wait},
                    {"wait_s", a.wait},
                    {"shortest_s", a.shortest},
                    {"longest_s", a.longest}});
  }
  return rows;
}

std::string CallSites::text() const {
  double all = 0;
  for (const auto& use : uses) all += use.account.compute + use.account.in_mpi;
  std::string text =
      formatted("\n%-40s  %12s  %12s  %13s  %12s  %6s\n", "call site (over all ranks)", "calls",
                "compute s", "communicate s", "wait s", "share");
  for (std::size_t i = 0; i < std::min(uses.size(), kShownUses); ++i) {
    const auto& [site, procedure, place, caller, ranks, a] = uses[i];
    text += padded(call_text(procedure, place, caller), 40) +
            formatted("  %12llu  %12.6f  %13.6f  %12.6f  %5.1f%%\n",
                      static_cast<unsigned long long>(a.calls), a.compute, a.in_mpi - a.wait,
                      a.wait, all > 0 ? 100 * (a.compute + a.in_mpi) / all : 0);
  }
  if (uses.size() > kShownUses)
    text += formatted("(%zu more: --format json or csv)\n", uses.size() - kShownUses);
  return text + "(compute: before the calls of a site, since the call before)\n";
}

extern const Detail kCallSites = {
    .name = "call-sites",
    .key = "call_sites",
    .cost = "",
    .scope = DetailScope::baseline,
    .watched = {.calls = true},
    .measure = [](const Replayed& replayed) -> std::unique_ptr<Figure> {
      return std::make_unique<CallSites>(call_sites(replayed.trace, replayed.observation));
    }};

}  // namespace reprise::sim
