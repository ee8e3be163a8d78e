// SPDX-License-Identifier: MIT
#include "sim/network/local_shares.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace reprise::sim {

void LocalShares::set_capacity(Link link, double capacity) {
  if (link >= links_.size()) links_.resize(link + 1);
  if (links_[link].capacity == capacity) return;
  links_[link].capacity = capacity;
  if (!links_[link].entries.empty()) soil(link);
}

double LocalShares::left(Flow flow, double now) const {
  const Holding holding = holdings_[flow];
  const LinkState& link = links_[holding.by];
  return std::max(0.0, holding.at - link.served - link.level * (now - link.since));
}

// Its level is about to change.
void LocalShares::touch(Link link, double now) {
  LinkState& state = links_[link];
  if (state.is_touched) return;
  state.is_touched = true;
  touched_.push_back(link);
  state.served = state.holds == 0 ? 0 : state.served + state.level * (now - state.since);
  state.since = now;
}

void LocalShares::soil(Link link) {
  if (links_[link].is_dirty) return;
  links_[link].is_dirty = true;
  dirty_.push_back(link);
}

// A flow has come or gone. What its generations are is known in time where its flows become more than kFew.
void LocalShares::note_change(LinkState& link, double now) {
  link.credit += kLooks;
  const std::size_t flows = link.entries.size();
  if (flows < kFew / 2) {
    link.changes = 0;
  } else if (link.changes++ == 0) {
    link.generations[0] = link.generations[1] = now;
  } else if (link.changes > 2 * flows) {
    link.changes = 1;
    link.generations[0] = link.generations[1];
    link.generations[1] = now;
  }
}

// With few enough flows any start or end pays for a look.
double LocalShares::patience(const LinkState& link, double now) {
  const double of_clock = kMostBehind * now;
  if (link.entries.size() <= kLooks) return of_clock;
  return std::min(of_clock, kMostOfAge * (now - link.generations[0]));
}

void LocalShares::enter(Flow flow, std::span<const Link> links, double bytes, double now) {
  if (flow >= holdings_.size()) holdings_.resize(flow + std::size_t{1});
  ++changes_;
  ++present_;
  uses_.clear(flow);
  Link least = links.front();
  double share = offer(links_[least]);
  for (const Link link : links) {
    LinkState& state = links_[link];
    const double other = offer(state);
    if (other < share) {
      share = other;
      least = link;
    }
    const auto number = static_cast<std::uint32_t>(uses_[flow].size());
    uses_.add(flow, {link, static_cast<std::uint32_t>(state.entries.size())});
    state.entries.push_back({flow, number});
    note_change(state, now);
    soil(link);
  }
  touch(least, now);
  LinkState& holder = links_[least];
  if (holder.holds == 0) holder.told = holder.level = share;
  for (const Link link : links)
    if (link != least) links_[link].others += holder.told;
  hold(flow, least, bytes);
}

void LocalShares::leave(Flow flow, double now) {
  const Link holder = holdings_[flow].by;
  ++changes_;
  --present_;
  touch(holder, now);
  let_go(flow);
  drop_stale(links_[holder]);
  const double told = links_[holder].told;
  for (const Use& use : uses_[flow]) {
    LinkState& state = links_[use.link];
    const Entry last = state.entries.back();
    state.entries.pop_back();
    if (last.flow != flow) {
      state.entries[use.place] = last;
      uses_[last.flow][last.use].place = use.place;
    }
    if (use.link != holder) state.others -= told;
    if (state.entries.size() == state.holds) state.others = 0;
    note_change(state, now);
    soil(use.link);
  }
}

void LocalShares::clear() {
  for (LinkState& link : links_) {
    link.others = link.level = link.told = 0;
    link.entries.clear();
    link.held.clear();
    link.holds = link.credit = 0;
    link.scans = 0;
    link.is_dirty = link.is_touched = link.is_in_behind = false;
    link.behind_until = kNever;
    link.changes = 0;
  }
  dirty_.clear();
  late_.clear();
  touched_.clear();
  behind_.clear();
  behind_until_ = kNever;
  excess_ = changes_ = 0;
  present_ = 0;
  was_crowd_ = true;
}

void LocalShares::spread(double now) {
  for (std::size_t i = 0; i < dirty_.size(); ++i) {
    const Link link = dirty_[i];
    LinkState& state = links_[link];
    state.is_dirty = false;
    const double until = std::exchange(state.behind_until, kNever);
    if (state.entries.empty()) continue;
    if (state.holds > 0) {
      touch(link, now);
      update_level(state);
    }
    if (is_told(state)) continue;
    if (may_scan(state)) {
      scan(link, now);
    } else if (state.entries.size() > kFew) {
      state.behind_until = std::min(until, now + patience(state, now));
      if (!std::exchange(state.is_in_behind, true)) behind_.push_back(link);
      behind_until_ = std::min(behind_until_, state.behind_until);
    }
  }
  dirty_.clear();
  for (const Link link : late_) soil(link);
  late_.clear();
}

void LocalShares::update_level(LinkState& link) {
  // of a fair share none gets less than this
  const double least = link.capacity / static_cast<double>(link.entries.size());
  link.level =
      link.holds == 0
          ? 0
          : std::max(least, (link.capacity - link.others) / static_cast<double>(link.holds));
}

// By how much of it a level may move untold.
double LocalShares::tolerance(std::size_t flows) {
  if (flows <= kFew) return kTold;
  return std::min(kMostTold, kTold * std::sqrt(static_cast<double>(flows) / kFew));
}

bool LocalShares::is_told(const LinkState& link) {
  const double tolerance = LocalShares::tolerance(link.entries.size());
  if (link.others + link.level * static_cast<double>(link.holds) >
      link.capacity * (1 + tolerance / 4))
    return false;  // others are to be slower
  return link.holds == 0 || std::abs(link.level - link.told) <= tolerance * link.told;
}

// Few flows: a number of times an instant; what is left then waits for the next. Many: once for as many starts and ends as pay for it.
bool LocalShares::may_scan(LinkState& link) {
  const std::size_t flows = link.entries.size();
  if (flows > kFew) {
    if (link.credit < flows * (1 + flows / kMany)) return false;
    link.credit = 0;
    return true;
  }
  if (link.scans < kRounds) {
    ++link.scans;
    return true;
  }
  late_.push_back(static_cast<Link>(&link - links_.data()));
  return false;
}

// Which flows the link is to hold back; what it tells of them.
void LocalShares::scan(Link link, double now) {
  LinkState& state = links_[link];
  const double less = 1 - tolerance(state.entries.size()) / 8;
  for (const Entry& entry : state.entries) {
    const Link holder = holdings_[entry.flow].by;
    if (holder == link) continue;
    const LinkState& other = links_[holder];
    if (state.capacity - state.others + other.told <
        other.level * static_cast<double>(state.holds + 1) * less)
      move(entry.flow, link, now);
  }
  update_level(state);
  for (const Finish& finish : state.held) {
    if (!is_held(finish)) continue;
    const Flow flow = finish.flow;
    double share = state.level * less;
    Link least = link;
    for (const Use& use : uses_[flow]) {
      if (use.link == link) continue;
      const LinkState& other = links_[use.link];
      const double others = static_cast<double>(other.holds + 1);
      if (other.capacity - other.others + state.told < share * others) {
        share = (other.capacity - other.others + state.told) / others;
        least = use.link;
      }
    }
    if (least == link) continue;
    move(flow, least, now);
    update_level(state);
  }
  tell(link);
}

void LocalShares::tell(Link link) {
  LinkState& state = links_[link];
  const double more = state.level - state.told;
  state.told = state.level;
  if (more == 0) return;
  for (const Finish& finish : state.held) {
    if (!is_held(finish)) continue;
    for (const Use& use : uses_[finish.flow]) {
      if (use.link == link) continue;
      links_[use.link].others += more;
      soil(use.link);
    }
  }
}

void LocalShares::move(Flow flow, Link to, double now) {
  ++excess_;
  const Link from = holdings_[flow].by;
  touch(from, now);
  touch(to, now);
  LinkState &before = links_[from], &after = links_[to];
  const double left = std::max(0.0, holdings_[flow].at - before.served);
  let_go(flow);
  after.others -= before.told;
  if (after.holds == 0)
    after.told = after.level = std::max(after.capacity - after.others,
                                        after.capacity / static_cast<double>(after.entries.size()));
  before.others += after.told;
  for (const Use& use : uses_[flow]) {
    if (use.link != to && use.link != from) links_[use.link].others += after.told - before.told;
    soil(use.link);
  }
  hold(flow, to, left);
}

void LocalShares::hold(Flow flow, Link link, double left) {
  LinkState& state = links_[link];
  Holding& holding = holdings_[flow];
  holding.by = link;
  holding.at = state.served + left;
  ++state.holds;
  state.held.push_back({holding.at, flow, holding.turn});
  std::push_heap(state.held.begin(), state.held.end());
}

// What is in the link's heap for it stays there: drop_stale().
void LocalShares::let_go(Flow flow) {
  Holding& holding = holdings_[flow];
  ++holding.turn;
  --links_[holding.by].holds;
}

// So that the top is held, and most of the others.
void LocalShares::drop_stale(LinkState& link) {
  if (link.holds == 0) return link.held.clear();
  if (link.held.size() > 2 * std::size_t{link.holds} + kFew) {
    const auto stays = [this](const Finish& finish) { return is_held(finish); };
    link.held.erase(std::partition(link.held.begin(), link.held.end(), stays), link.held.end());
    std::make_heap(link.held.begin(), link.held.end());
    return;
  }
  while (!is_held(link.held.front())) {
    std::pop_heap(link.held.begin(), link.held.end());
    link.held.pop_back();
  }
}

}  // namespace reprise::sim
