// SPDX-License-Identifier: MIT
#include "sim/network/max_min_shares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace reprise::sim {

void MaxMinShares::touch(Link link) {
  if (links_[link].is_dirty) return;
  links_[link].is_dirty = true;
  dirty_.push_back(link);
}

void MaxMinShares::refresh(Flow flow) {
  lockstep_.link = kOwnBound;
  if (flows_[flow].is_fresh) return;
  flows_[flow].is_fresh = true;
  fresh_.push_back(flow);
}

// All flows on the link are solved anew: where it has become narrower, any of them may lose.
void MaxMinShares::change_capacity(Link link, double capacity) {
  lockstep_.link = kOwnBound;
  links_[link].capacity = capacity;
  for (const Entry& entry : links_[link].entries) refresh(entry.flow);
}

void MaxMinShares::change_limits(Flow flow, double bound, double weight) {
  Member& member = flows_[flow];
  if (member.bound == bound / weight && member.weight == weight) return;
  member.bound = bound / weight;
  member.level *= member.weight / weight;  // its rate stays until it is settled
  member.weight = weight;
  is_weighted_ |= weight != 1;
  refresh(flow);
}

void MaxMinShares::enter(Flow flow, std::span<const Link> links, double bound, double weight) {
  if (flows_.size() <= flow) flows_.resize(flow + 1);
  ++changes_;
  ++present_;
  Member& member = flows_[flow];
  member.level = 0;
  member.bound = bound / weight;
  member.weight = weight;
  is_weighted_ |= weight != 1;
  member.is_fresh = true;
  uses_.clear(flow);
  std::uint32_t number = 0;
  for (const Link link : links) {
    auto& entries = links_[link].entries;
    entries.push_back({flow, number++});
    uses_.add(flow, {link, entries.size() - 1});
  }
  fresh_.push_back(flow);
}

void MaxMinShares::leave(Flow flow) {
  ++changes_;
  --present_;
  Member& member = flows_[flow];
  if (member.is_fresh || member.bottleneck != lockstep_.link)
    have_others_left_ = true;
  else
    lockstep_.looked_at -= static_cast<std::int64_t>(uses_[flow].size());
  for (const Use& use : uses_[flow]) {
    auto& entries = links_[use.link].entries;
    const Entry moved = entries.back();
    entries[use.place] = moved;
    uses_[moved.flow][moved.use].place = use.place;
    entries.pop_back();
    if (!entries.empty()) touch(use.link);
  }
  uses_.clear(flow);
  if (member.is_fresh) {
    member.is_fresh = false;
    std::erase(fresh_, flow);
  }
}

void MaxMinShares::clear() {
  forget();
  for (Flow flow = 0; flow < flows_.size(); ++flow) {
    for (const Use& use : uses_[flow]) links_[use.link].entries.clear();
    uses_.clear(flow);
  }
  lockstep_.link = kOwnBound;
  excess_ = 0;
  present_ = 0;
  was_crowd_ = true;
}

void MaxMinShares::join(Flow flow) {
  Member& member = flows_[flow];
  if (member.in_set == settling_) return;
  member.in_set = settling_;
  set_.push_back(flow);
  if (std::isfinite(member.bound)) bounded_.push_back(flow);
  // While the set is being solved nobody enters or leaves, so a link that is the flow's own stays so.
  member.alone.link = kOwnBound;
  std::size_t alone = 0;
  const std::span<const Use> uses = uses_[flow];
  for (const Use& use : uses) {
    LinkState& link_state = links_[use.link];
    if (link_state.is_of_one()) {
      ++alone;
      const double level = is_weighted_ ? link_state.capacity / member.weight : link_state.capacity;
      const Candidate found{level, use.link};
      if (member.alone.link == kOwnBound || member.alone < found) member.alone = found;
      continue;
    }
    if (link_state.in_set != settling_) {
      link_state.in_set = settling_;
      link_state.filling = static_cast<std::uint32_t>(fillings_.size());
      fillings_.emplace_back();
      set_links_.push_back(use.link);
    }
    ++fillings_[link_state.filling].members;
  }
  member.is_alone = alone > 0 && alone == uses.size();
  alone_ += static_cast<std::int64_t>(alone);
}

void MaxMinShares::solve() {
  if (lockstep_.link != kOwnBound && keeps_lockstep()) return;
  ++settling_;
  // Flows that were held back by a link that has room now, and flows that have to share a link with a new one.
  for (const Link link : dirty_)
    for (const Entry& entry : links_[link].entries)
      if (flows_[entry.flow].bottleneck == link) join(entry.flow);
  for (const Flow flow : fresh_) join(flow);
  do fill();
  while (add_unbottlenecked());
}

// Of its flows that are not fixed yet: without what subtracting has left behind.
void MaxMinShares::weigh(const LinkState& link_state, Filling& filling) const {
  filling.weight = 0;
  for (const Entry& entry : link_state.entries) {
    const Member& member = flows_[entry.flow];
    if (member.in_set == settling_ && !member.is_fixed) filling.weight += member.weight;
  }
}

// Progressive filling: the link that offers the least is full first, and its flows get that much.
void MaxMinShares::fill() {
  candidates_.clear();
  waiting_ = set_.size();
  for (const Flow flow : set_) {
    Member& member = flows_[flow];
    member.is_fixed = member.is_alone;
    if (member.is_alone) {  // nobody else's affair
      --waiting_;
      const bool is_bound = member.bound <= member.alone.share;
      member.next_level = is_bound ? member.bound : member.alone.share;
      member.bottleneck = is_bound ? kOwnBound : member.alone.link;
    } else if (member.alone.link != kOwnBound) {
      candidates_.append(member.alone);
    }
  }
  looked_at_ = alone_;
  for (const Link link : set_links_) {
    if (link == lockstep_.link) lockstep_.link = kOwnBound;
    const LinkState& link_state = links_[link];
    Filling& filling = fillings_[link_state.filling];
    filling.left = link_state.capacity;
    filling.waiting = filling.members;
    filling.weight = filling.members;
    if (is_weighted_) weigh(link_state, filling);
    filling.level = 0;
    filling.is_tight = false;
    looked_at_ += link_state.entries.size();
    filling.has_others = filling.members != link_state.entries.size();
    if (filling.has_others) {
      for (const Entry& entry : link_state.entries)
        if (flows_[entry.flow].in_set != settling_) filling.left -= rate(entry.flow);
      filling.left = std::max(filling.left, 0.0);
    }
    candidates_.append({filling.left / filling.weight, link});
  }
  excess_ += looked_at_;
  candidates_.order();
  std::sort(bounded_.begin(), bounded_.end(), [this](Flow a, Flow b) {
    return flows_[a].bound != flows_[b].bound ? flows_[a].bound < flows_[b].bound : a < b;
  });
  auto bounded = bounded_.begin();
  while (waiting_ > 0 && !candidates_.empty()) {
    if (bounded != bounded_.end() && flows_[*bounded].bound <= candidates_.front().share) {
      const Flow flow = *bounded++;
      if (!flows_[flow].is_fixed) fix(flow, flows_[flow].bound, kOwnBound);
      continue;
    }
    const Candidate next = candidates_.take();
    const LinkState& link_state = links_[next.link];
    if (link_state.is_of_one()) {
      const Flow flow = link_state.entries.front().flow;
      if (!flows_[flow].is_fixed) fix(flow, next.share, next.link);
      continue;
    }
    Filling& filling = fillings_[link_state.filling];
    if (filling.waiting == 0) continue;
    if (is_weighted_) weigh(link_state, filling);
    const double share = std::max(filling.left, 0.0) / filling.weight;
    if (share > next.share) {  // flows have been fixed since, at less than their part
      candidates_.push({share, next.link});
      continue;
    }
    if (filling.waiting == waiting_) return fix_last(next);
    for (const Entry& entry : link_state.entries) {
      const Member& member = flows_[entry.flow];
      if (member.in_set == settling_ && !member.is_fixed) fix(entry.flow, next.share, next.link);
    }
  }
  for (; bounded != bounded_.end(); ++bounded)
    if (!flows_[*bounded].is_fixed) fix(*bounded, flows_[*bounded].bound, kOwnBound);
}

void MaxMinShares::fix(Flow flow, double level, Link bottleneck) {
  Member& member = flows_[flow];
  const double rate = level * member.weight;
  member.is_fixed = true;
  --waiting_;
  member.next_level = level;
  member.bottleneck = bottleneck;
  for (const Use& use : uses_[flow]) {
    const LinkState& link_state = links_[use.link];
    if (link_state.is_of_one()) continue;
    Filling& filling = fillings_[link_state.filling];
    filling.left -= rate;
    filling.level = std::max(filling.level, level);
    filling.weight -= member.weight;
    --filling.waiting;
    if (use.link == bottleneck) filling.is_tight = true;
  }
}

// All that wait are on the one link: nobody asks any more what their other links offer, so that these need not be updated flow by flow.
void MaxMinShares::fix_last(const Candidate& full) {
  const LinkState& link_state = links_[full.link];
  for (const Entry& entry : link_state.entries) {
    Member& member = flows_[entry.flow];
    if (member.in_set != settling_ || member.is_fixed) continue;
    member.is_fixed = true;
    member.next_level = full.share;
    member.bottleneck = full.link;
  }
  for (Filling& filling : fillings_) {
    if (filling.waiting == 0) continue;
    filling.left -= full.share * filling.weight;
    filling.level = std::max(filling.level, full.share);
  }
  if (waiting_ == link_state.entries.size() && waiting_ >= kFewInLockstep && !is_weighted_)
    found_lockstep(full);
  fillings_[link_state.filling].is_tight = true;
  waiting_ = 0;
}

// Flows outside the set whose rate is not right any more because of what the set got.
bool MaxMinShares::add_unbottlenecked() {
  const std::size_t before = set_.size();
  const std::size_t links =
      set_links_.size();  // those that join bring links without a flow of the present solution
  for (std::size_t i = 0; i < links; ++i) {
    const Link link = set_links_[i];
    const LinkState& link_state = links_[link];
    const Filling filling = fillings_[link_state.filling];  // those who join may move it
    if (!filling.has_others) continue;
    const double slack = kTolerance * link_state.capacity;
    const bool is_full = filling.left <= slack;
    if (lockstep_.link != kOwnBound) narrow_lockstep(link_state, filling);
    for (const Entry& entry : link_state.entries) {
      const Member& member = flows_[entry.flow];
      if (member.in_set == settling_) continue;
      const bool faster = filling.is_tight && member.level > filling.level * (1 + kTolerance);
      const bool loses = member.bottleneck == link &&
                         (!is_full || filling.level > member.level * (1 + kTolerance));
      if (faster || loses) join(entry.flow);
    }
  }
  return set_.size() != before;
}

void MaxMinShares::forget() {
  for (const Link link : dirty_) links_[link].is_dirty = false;
  for (const Flow flow : fresh_) flows_[flow].is_fresh = false;
  dirty_.clear();
  fresh_.clear();
  set_.clear();
  set_links_.clear();
  fillings_.clear();
  bounded_.clear();
  alone_ = 0;
  have_others_left_ = false;
}

}  // namespace reprise::sim
