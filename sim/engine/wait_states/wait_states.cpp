// SPDX-License-Identifier: MIT
#include "sim/engine/wait_states/wait_states.hpp"

#include <algorithm>
#include <limits>

namespace reprise::sim {

using trace_io::Collective;

void WaitStates::enter(std::uint32_t run, const Entry& entry, double at) {
  if (runs_.size() <= run) runs_.resize(run + std::size_t{1});
  runs_[run].entry = entry;
  runs_[run].waits.clear();
  if (entry.members == 1) return;  // nobody to wait for; all ranks' MPI_COMM_SELF have one context
  auto& entered = calls_[{entry.context, entry.sequence}].entered;
  entered.resize(static_cast<std::size_t>(entry.members), -1);
  entered[static_cast<std::size_t>(entry.member)] = at;
}

void WaitStates::step(std::uint32_t run, double from, double seconds) {
  if (seconds > 0) runs_[run].waits.emplace_back(from, seconds);
}

std::tuple<double, WaitState, WaitState> WaitStates::split(const Entry& entry,
                                                           const Call& call) const {
  const auto last_of = [&](std::size_t count) {
    double last = -1;
    for (std::size_t member = 0; member < count; ++member)
      last = std::max(last, call.entered[member]);
    return last;
  };
  const double last = last_of(call.entered.size());
  if (entry.is_fence) return {last, WaitState::at_fence, WaitState::at_fence};
  switch (entry.operation) {
    case Collective::none:  // a meeting
    case Collective::barrier:
      return {last, WaitState::at_barrier, WaitState::barrier_completion};
    case Collective::bcast:
    case Collective::scatter:
    case Collective::scatterv:
      if (entry.root < 0 || entry.root == entry.member) break;
      return {call.entered[static_cast<std::size_t>(entry.root)], WaitState::late_broadcast,
              WaitState::within_collective};
    case Collective::reduce:
    case Collective::gather:
    case Collective::gatherv: {
      if (entry.root != entry.member) break;
      double first = std::numeric_limits<double>::infinity();
      for (std::size_t member = 0; member < call.entered.size(); ++member)
        if (member != static_cast<std::size_t>(entry.root) && call.entered[member] >= 0)
          first = std::min(first, call.entered[member]);
      return {first, WaitState::early_reduce, WaitState::within_collective};
    }
    case Collective::scan:
    case Collective::exscan:
      return {last_of(static_cast<std::size_t>(entry.member)), WaitState::early_scan,
              WaitState::within_collective};
    default:
      return {last, WaitState::at_all_to_all, WaitState::all_to_all_completion};
  }
  return {0, WaitState::within_collective, WaitState::within_collective};
}

void WaitStates::leave(std::uint32_t run, std::int32_t rank, trace_io::SiteId site) {
  const Run& left = runs_[run];
  if (left.entry.members == 1) return;
  const auto [until, before, behind] =
      split(left.entry, calls_[{left.entry.context, left.entry.sequence}]);
  for (const auto& [from, seconds] : left.waits) {
    const double part = std::clamp(until - from, 0.0, seconds);
    add(rank, site, before, part);
    add(rank, site, behind, seconds - part);
  }
  over(left.entry);
}

void WaitStates::leave_to(std::uint32_t run, std::uint32_t request) {
  const Entry& entry = runs_[run].entry;
  if (entry.members == 1) return;
  requests_[request] = std::get<1>(split(entry, calls_[{entry.context, entry.sequence}]));
  over(entry);
}

void WaitStates::over(const Entry& entry) {
  const auto found = calls_.find({entry.context, entry.sequence});
  if (++found->second.left == entry.members) calls_.erase(found);
}

WaitState WaitStates::state_of(std::uint32_t request) const {
  const auto found = requests_.find(request);
  return found == requests_.end() ? WaitState::other : found->second;
}

}  // namespace reprise::sim
