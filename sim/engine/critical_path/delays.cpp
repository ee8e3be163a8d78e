// SPDX-License-Identifier: MIT
// Why one path's end is later than another's: what was computed on its way, and not on the other.
//
// Model   two ways lead from where their paths parted to a waiting rank and to what it waits for. Site by site, what the second computed
//         beyond the first is a delay (Böhme, Geimer, Wolf, Arnold, "Identifying the Root Causes of Wait States in Large-Scale Parallel
//         Applications", ICPP 2010: excess of the time in a call path between two synchronisations), theirs who computed longer each time
//         than the first did for as many times; so a rank that computed as usual and handed on a delay has none. Its way leads through whoever kept it waiting in turn, so delays that were handed on are found where they began.
//         Together they are worth what is waited; if they are more, in proportion; if less, the rest is messages'.
#include <algorithm>
#include <map>

#include "sim/engine/critical_path/critical_path.hpp"

namespace reprise::sim {

void CriticalPath::find_delayers(PathTree::Place mine, PathTree::Place theirs, double seconds,
                                 std::vector<Delayer>& found) {
  found.clear();
  if (mine == PathTree::kNowhere || theirs == PathTree::kNowhere) return;
  // Step by step up both, until one meets the other's.
  searches_ += 2;
  const auto has_met = [&](PathTree::Place place, std::uint32_t own, std::uint32_t other) {
    if (passed_.size() <= place) passed_.resize(place + std::size_t{1});
    if (passed_[place] == other) return true;
    passed_[place] = own;
    return false;
  };
  PathTree::Place parted = PathTree::kNowhere, a = mine, b = theirs;
  while (a != PathTree::kNowhere || b != PathTree::kNowhere) {
    if (a != PathTree::kNowhere) {
      if (has_met(a, searches_, searches_ + 1)) {
        parted = a;
        break;
      }
      a = tree_.parent(a);
    }
    if (b != PathTree::kNowhere) {
      if (has_met(b, searches_ + 1, searches_)) {
        parted = b;
        break;
      }
      b = tree_.parent(b);
    }
  }
  struct OfSite {
    double mine = 0, theirs = 0;  // seconds
    double times = 0;             // that they computed there
    double beyond = 0;            // of their ranks
    double excess() const { return std::max(0.0, theirs - mine); }
    double usual() const { return times > 0 ? mine / times : 0; }
  };
  struct OfRank {
    double seconds = 0, times = 0;
    double beyond(const OfSite& site) const {
      return std::max(0.0, seconds - times * site.usual());
    }
  };
  std::map<trace_io::SiteId, OfSite> sites;
  std::map<std::uint64_t, OfRank> by_rank;
  const auto for_each_delay = [this, parted](PathTree::Place from, const auto& visit) {
    for (; from != parted && from != PathTree::kNowhere; from = tree_.parent(from))
      for (const auto& entry : tree_.stretch(from).entries())
        if (PathDelay::is_one(entry.key)) visit(PathDelay::unpacked(entry.key), entry);
  };
  for_each_delay(mine, [&](const PathDelay& by, const PathVector::Entry& entry) {
    if (!PathDelay::is_count(entry.key)) sites[by.site].mine += entry.seconds;
  });
  for_each_delay(theirs, [&](const PathDelay& by, const PathVector::Entry& entry) {
    const bool is_count = PathDelay::is_count(entry.key);
    OfSite& site = sites[by.site];
    OfRank& rank = by_rank[by.packed()];
    (is_count ? site.times : site.theirs) += entry.seconds;
    (is_count ? rank.times : rank.seconds) += entry.seconds;
  });
  double all = 0;
  for (const auto& [site, of_site] : sites) all += of_site.excess();
  const double worth = all > seconds ? seconds / all : 1;
  for (const auto& [key, rank] : by_rank) {
    OfSite& site = sites[PathDelay::unpacked(key).site];
    site.beyond += rank.beyond(site);
  }
  for (const auto& [key, rank] : by_rank) {
    const PathDelay by = PathDelay::unpacked(key);
    const OfSite& site = sites[by.site];
    const double share =
        site.beyond > 0 ? rank.beyond(site) / site.beyond : rank.seconds / site.theirs;
    if (site.excess() > 0 && share > 0) found.push_back({by, worth * site.excess() * share});
  }
}

}  // namespace reprise::sim
