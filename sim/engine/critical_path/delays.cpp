// SPDX-License-Identifier: MIT
// Why one path's end is later than another's: what was computed on its way, and not on the other.
//
// Model   two ways lead from where their paths parted to a waiting rank and to what it waits for. Site by site, what the second computed
//         beyond the first is a delay (Böhme, Geimer, Wolf, Arnold, "Identifying the Root Causes of Wait States in Large-Scale Parallel
//         Applications", ICPP 2010: excess of the time in a call path between two synchronisations), the ranks' who computed it by their
//         shares. Its way leads through whoever kept it waiting in turn, so delays that were handed on are found where they began.
//         Together they are worth what is waited; if they are more, in proportion; if less, the rest is messages'.
#include <algorithm>
#include <map>

#include "sim/engine/critical_path/critical_path.hpp"

namespace reprise::sim {

void CriticalPath::find_delayers(Name waiter, Name cause, double seconds,
                                 std::vector<Delayer>& found) {
  found.clear();
  const PathTree::Place mine = at(waiter).place, theirs = at(cause).place;
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
  std::map<trace_io::SiteId, double> excess, computed;
  std::map<std::uint64_t, double> by_rank;
  for (a = mine; a != parted && a != PathTree::kNowhere; a = tree_.parent(a))
    for (const auto& entry : tree_.stretch(a).entries())
      if (PathDelay::is_one(entry.key))
        excess[PathDelay::unpacked(entry.key).site] -= entry.seconds;
  for (b = theirs; b != parted && b != PathTree::kNowhere; b = tree_.parent(b))
    for (const auto& entry : tree_.stretch(b).entries())
      if (PathDelay::is_one(entry.key)) {
        const trace_io::SiteId site = PathDelay::unpacked(entry.key).site;
        excess[site] += entry.seconds;
        computed[site] += entry.seconds;
        by_rank[entry.key] += entry.seconds;
      }
  double all = 0;
  for (const auto& [site, more] : excess) all += std::max(0.0, more);
  const double worth = all > seconds ? seconds / all : 1;
  for (const auto& [key, of_rank] : by_rank) {
    const PathDelay by = PathDelay::unpacked(key);
    const double more = excess[by.site];
    if (more > 0) found.push_back({by, worth * more * (of_rank / computed[by.site])});
  }
}

}  // namespace reprise::sim
