// SPDX-License-Identifier: MIT
#include "sim/engine/wait_states/collective_delays.hpp"

#include <algorithm>

namespace reprise::sim {

using trace_io::Collective;

namespace {

// Whether this member needs something of each other one.
bool waits_for_all(const WaitStates::Entry& entry) {
  switch (entry.operation) {
    case Collective::none:  // a meeting, a fence
    case Collective::barrier:
    case Collective::allreduce:
    case Collective::allgather:
    case Collective::allgatherv:
    case Collective::alltoall:
    case Collective::alltoallv:
    case Collective::alltoallw:
    case Collective::reduce_scatter:
    case Collective::reduce_scatter_block:
      return true;
    case Collective::reduce:
    case Collective::gather:
    case Collective::gatherv:
      return entry.root == entry.member;
    default:
      return false;
  }
}

}  // namespace

void CollectiveDelays::enter(CriticalPath& path, std::uint32_t run, const WaitStates::Entry& entry,
                             std::uint32_t actor, std::int32_t rank, double at) {
  if (runs_.size() <= run) runs_.resize(run + std::size_t{1});
  runs_[run].entry = entry;
  runs_[run].waits.clear();
  if (entry.members == 1) return;
  Last& last = calls_[{entry.context, entry.sequence}];
  if (at <= last.at) return;
  path.release(last.place);
  last.at = at;
  last.rank = rank;
  last.place = path.hold({CriticalPath::Of::actor, actor});
}

void CollectiveDelays::leave(CriticalPath& path, DelayCosts& costs, std::uint32_t run,
                             std::uint32_t actor, trace_io::SiteId site) {
  const Run& left = runs_[run];
  if (left.entry.members == 1) return;
  const Last& last = calls_[{left.entry.context, left.entry.sequence}];
  double all = 0, end = 0;
  for (const Wait& wait : left.waits) {
    all += wait.seconds;
    end = std::max(end, wait.from + wait.seconds);
  }
  if (all > 0 && waits_for_all(left.entry) && end >= last.at) {
    std::vector<CriticalPath::Delayer> delayers;
    path.find_delayers(path.place(actor), last.place, all, delayers);
    costs.add(site, true, last.rank, all, delayers);
  } else {
    for (const Wait& wait : left.waits)
      costs.add(site, true, wait.partner, wait.seconds, wait.delayers);
  }
  leave(path, run);
}

void CollectiveDelays::leave(CriticalPath& path, std::uint32_t run) {
  const WaitStates::Entry& entry = runs_[run].entry;
  if (entry.members == 1) return;
  const auto found = calls_.find({entry.context, entry.sequence});
  if (++found->second.left < entry.members) return;
  path.release(found->second.place);
  calls_.erase(found);
}

}  // namespace reprise::sim
