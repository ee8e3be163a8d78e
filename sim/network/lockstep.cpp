// SPDX-License-Identifier: MIT
// MaxMinShares: many flows that one link alone holds back come and go, and all have the same part of it.
//
// Why     where 340 of 1023 messages to one receiver are under way, each that comes or goes moves the rates of all: solved like others they
//         are looked at link by link, though all of their other links have room.
// Known   of one link at a time (lockstep_): all of its flows are held back by it, and with `most` in place of their level nothing else would
//         hold one of them back, as all other flows are. So while their level is lower their other links are not full, and no flow is held
//         back by these.
// Kept    while none but its flows leave, or one comes that has room for its part on its other links: max-min fairness then gives each the same
//         part of the link, and all other flows keep their rates. Whatever else changes is solved in full, and where that touches links of
//         these flows without moving them `most` is lowered (narrow_lockstep()); where it moves one of them it is found anew, or not.
// Same    rates are those of the full solution, bit by bit. Where two links are full alike it may name the other one as what holds a flow back,
//         and then takes flows of one rate in another order: of what ends at one instant another flow may be the first.
#include <algorithm>
#include <utility>

#include "sim/network/max_min_shares.hpp"

namespace reprise::sim {
namespace {

// A level is compared with what another link would leave with this much to spare: sums of rates are off by less.
constexpr double kSurely = 1 + 1e-9;

}  // namespace

// Called when all flows on a link have been given its share at once.
void MaxMinShares::found_lockstep(const Candidate& full) {
  const LinkState& link_state = links_[full.link];
  double most = kNoLimit;
  for (const Link link : set_links_) {
    const LinkState& other = links_[link];
    const Filling& filling = fillings_[other.filling];
    if (link == full.link || filling.waiting == 0) continue;
    if (filling.waiting == other.entries.size() && other.capacity >= link_state.capacity)
      continue;  // for no others, as the one that each rank has behind its node's: never narrower
    most = std::min(most, full.share + filling.left / filling.waiting);
  }
  for (const Entry& entry : link_state.entries) {
    const Member& member = flows_[entry.flow];
    most = std::min(most, member.bound);
    if (member.alone.link != kOwnBound) most = std::min(most, member.alone.share);
  }
  if (full.share * kSurely < most) lockstep_ = {full.link, full.share, most, looked_at_};
}

// What others have been given on a link of these flows leaves less for them.
void MaxMinShares::narrow_lockstep(const LinkState& link_state, const Filling& filling) {
  std::size_t those = 0;
  for (const Entry& entry : link_state.entries) {
    const Member& member = flows_[entry.flow];
    if (member.in_set != settling_ && member.bottleneck == lockstep_.link) ++those;
  }
  if (those == 0) return;
  const double room = std::max(filling.left, 0.0) / static_cast<double>(those);
  lockstep_.most = std::min(lockstep_.most, lockstep_.level + room);
  if (lockstep_.level * kSurely >= lockstep_.most) lockstep_.link = kOwnBound;
}

// Whether what has changed since the last solution leaves all in lockstep; then that is the solution.
bool MaxMinShares::keeps_lockstep() {
  const LinkState& link_state = links_[lockstep_.link];
  // Of fewer a full solution may move the last one without a look at the link, which is then its own.
  if (link_state.entries.size() < kFewInLockstep) lockstep_.link = kOwnBound;
  if (have_others_left_ || is_weighted_ || lockstep_.link == kOwnBound) return false;
  const double level = link_state.capacity / link_state.entries.size();
  if (level * kSurely >= lockstep_.most) return false;
  ++settling_;
  for (const Link link : dirty_)
    for (const Entry& entry : links_[link].entries)
      if (flows_[entry.flow].bottleneck == link) add_to_lockstep(entry.flow);
  for (const Flow flow : fresh_) add_to_lockstep(flow);
  if (!have_room(level)) {
    set_.clear();
    return false;
  }
  for (const Entry& entry : link_state.entries) add_to_lockstep(entry.flow);
  for (const Flow flow : set_) {
    flows_[flow].next_level = level;
    flows_[flow].bottleneck = lockstep_.link;
  }
  lockstep_.level = level;
  excess_ += lockstep_.looked_at;
  return true;
}

void MaxMinShares::add_to_lockstep(Flow flow) {
  Member& member = flows_[flow];
  if (member.in_set == settling_) return;
  member.in_set = settling_;
  set_.push_back(flow);
}

// Whether the flows that have come share the link, and have room for this level on all others that they cross.
bool MaxMinShares::have_room(double level) {
  for (const Flow flow : fresh_) {
    const std::span<const Use> uses = uses_[flow];
    if (std::none_of(uses.begin(), uses.end(),
                     [this](const Use& use) { return use.link == lockstep_.link; }))
      return false;
  }
  double most = lockstep_.most;
  std::int64_t looked_at = 0;
  links_[lockstep_.link].in_set = settling_;
  for (const Flow flow : fresh_) {
    most = std::min(most, flows_[flow].bound);
    for (const Use& use : uses_[flow]) {
      LinkState& link_state = links_[use.link];
      if (std::exchange(link_state.in_set, settling_) == settling_) continue;
      most = std::min(most, most_beside_others(link_state));
      looked_at += link_state.entries.size();
    }
    if (level * kSurely >= most) return false;
  }
  lockstep_.most = most;
  excess_ += looked_at;
  for (const Flow flow : fresh_)
    lockstep_.looked_at += static_cast<std::int64_t>(uses_[flow].size());
  return true;
}

// What each of the flows on another link, those that have come among them, may have there beside the others, which keep their rates.
double MaxMinShares::most_beside_others(const LinkState& other) const {
  const LinkState& link_state = links_[lockstep_.link];
  double left = other.capacity;
  std::uint32_t those = 0;
  for (const Entry& entry : other.entries)
    if (const Member& member = flows_[entry.flow];
        member.bottleneck == lockstep_.link || member.in_set == settling_)
      ++those;
    else
      left -= rate(entry.flow);
  const bool is_for_all = those == other.entries.size() && other.capacity >= link_state.capacity;
  return is_for_all ? kNoLimit : left / those;
}

}  // namespace reprise::sim
