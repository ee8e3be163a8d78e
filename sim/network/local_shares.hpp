// SPDX-License-Identifier: MIT
// Nearly max-min fair rates of flows that come and go, where a change is handed on from link to link only as far as it matters.
//
// Model    each flow is held back by one of its links; all that one link holds back run at its level: what the flows held back elsewhere
//          leave of its capacity, divided by their number. Max-min fair is where no flow's other links offer it less than its level
//          (Bertsekas, Gallager, Data Networks, 2nd ed., 1992, §6.5.2); links that tell one another their levels get there
//          (A. Charny, D. Clark, R. Jain, "Congestion Control with Explicit Rate Indication", ICC 1995).
// How      a start or an end changes the levels of the flow's own links at once. A link tells its level to the other links of the flows that
//          it holds back only when that has moved by kTold since it told it last, and then looks which flows it should take over from
//          others, or leave to them; at most kRounds times an instant, what is left waits for the next. All of one instant is settled at once.
// Many     on a link with more than kFew flows more may stay untold, and looking is paid for by starts and ends.
// Error    a link that holds flows back is full of them and what it was told of the others. What that does to predicted times: docs/MODEL.md,
//          docs/RESULTS.md; a single flow of very many may be far off for a while.
// Ends     a flow ends when its link's virtual time, the bytes that each flow held back there has got, has grown by the flow's bytes
//          (A. Demers, S. Keshav, S. Shenker, "Analysis and Simulation of a Fair Queueing Algorithm", SIGCOMM 1989): a
//          change of a level moves one event, whatever the number of flows.
// Cost     a start or an end O(links of the flow · (log + kLooks)) whatever the number of flows. A look reads who holds a flow back, 8 bytes
//          of a dense array, and one cache line of that link.
//          A flow that goes over to another link leaves its place in the heap of the link before, to be dropped when it comes to the top or
//          most places are such: of very many flows each goes over ten times.
// Memory   128 bytes a link; 48 a flow, 64 at most, and 16 for each link of its (short_lists.hpp).
#pragma once

#include <algorithm>
#include <boost/container/options.hpp>
#include <boost/container/vector.hpp>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "sim/network/large_pages.hpp"
#include "sim/network/pool.hpp"
#include "sim/network/short_lists.hpp"
#include "sim/time_grid.hpp"

namespace reprise::sim {

class LocalShares {
 public:
  using Flow = std::uint32_t;  // chosen by the caller; small, used again after its end
  using Link = std::uint32_t;
  // Chosen by error and cost (tests/bench/replay/networks.py): half as much moves no error, 0.05 lets random rates be 0.5 % off in the mean.
  static constexpr double kTold = 0.02;
  static constexpr std::uint8_t kRounds = 4;
  // With more flows than these on a link, with their root more may stay untold, up to so much: what they do averages out. And such a
  // link looks at kLooks of its flows for each that starts or ends, with more than kMany of them at less.
  static constexpr std::uint32_t kFew = 32, kLooks = 128, kMany = 256;
  static constexpr double kMostTold = 0.25;
  static constexpr double kMostBehind = 1e-2, kMostOfAge = 0.1;

  explicit LocalShares(std::size_t links) : links_(links) {}

  // Of a link beyond those, it is added. While flows cross it: settled with what else has changed.
  void set_capacity(Link link, double capacity);
  double capacity(Link link) const { return links_[link].capacity; }

  // A flow over these links, all different, begins now. REQUIRES: one link at least, bytes > 0.
  void enter(Flow, std::span<const Link> links, double bytes, double now);
  // Calls ended(flow) for the flows that LINK holds back and that have got all their bytes now: they have left. Any number, or none.
  template <class Ended>
  void end(Link link, double now, Ended ended) {
    while (const Flow* flow = ended_now(link, now)) {
      const Flow one = *flow;
      leave(one, now);
      ended(one);
    }
  }
  void clear();  // all leave, for a crowd: more of these are expected
  // Brings levels up to date; calls due(link, time) for the links whose level has moved: their next flow ends then.
  template <class Due>
  void settle(double now, Due due) {
    if (dirty_.empty()) return;
    spread(now);
    excess_ = std::max(excess_ - changes_ * kFewMoves, std::int64_t{0});
    changes_ = 0;
    for (const Link link : touched_) {
      LinkState& state = links_[link];
      state.is_touched = false;
      state.scans = 0;
      drop_stale(state);
      if (state.holds > 0) due(link, next_end(state, now));
    }
    touched_.clear();
  }
  // For a link whose flows had not ended yet when they were due.
  double next_end(Link link, double now) const { return next_end(links_[link], now); }
  bool holds_any(Link link) const { return links_[link].holds > 0; }
  Flow next(Link link) const { return links_[link].held.front().flow; }  // REQUIRES: holds_any()

  // Whether by then some link will for too long have had another level than it told, since nothing has come or gone on it that would pay for
  // looking at its flows: one with many of them, when its capacity changes, or when very many begin at one instant. Too long is
  // kMostBehind of the clock, or, with more than kLooks flows, kMostOfAge of the time in which they come and go, if that is less.
  bool is_behind(double then) {
    if (behind_.empty() || then <= behind_until_) return false;
    behind_until_ = kNever;
    std::erase_if(behind_, [this](Link link) {
      LinkState& state = links_[link];
      behind_until_ = std::min(behind_until_, state.behind_until);
      state.is_in_behind = state.behind_until != kNever;
      return !state.is_in_behind;
    });
    return then > behind_until_;
  }
  // Whether flows have gone over from link to link so much more often than kFewMoves times for each that has entered or left that they are to be
  // taken for a crowd; that is some milliseconds, a sixteenth once there has been one.
  // Nor where there are fewer flows than links: what a crowd costs grows with these.
  bool are_crowd() const {
    return excess_ > (was_crowd_ ? kPatience / 16 : kPatience) && present_ > links_.size();
  }

  double rate(Flow flow) const { return links_[holdings_[flow].by].level; }
  Link holder(Flow flow) const { return holdings_[flow].by; }
  double left(Flow flow, double now) const;  // bytes
  // visit(flow) for all that the link holds back.
  template <class Visit>
  void each_held(Link link, Visit visit) const {
    for (const Finish& finish : links_[link].held)
      if (is_held(finish)) visit(finish.flow);
  }

  // A flow will soon enter or leave over these links (sim/fetch.hpp).
  void prepare(std::span<const Link> links) const {
    for (const Link link : links) fetch(links_[link]);
  }

 private:
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  struct Use {
    Link link;
    std::uint32_t place;  // in the link's entries
  };
  struct Holding {
    double at = 0;  // of the holder's virtual time: its end
    Link by = 0;
    std::uint32_t turn = 0;  // goes up when the holder lets go
  };
  struct Entry {
    Flow flow;
    std::uint32_t use;  // which of the flow's uses this is
  };
  struct Finish {
    double at;  // of the link's virtual time
    Flow flow;
    std::uint32_t turn;  // the flow's own is another one: the link has let go of it
    // For a heap with the earliest on top.
    friend bool operator<(const Finish& a, const Finish& b) {
      return a.at != b.at ? a.at > b.at : a.flow > b.flow;
    }
  };
  // 16 bytes, where std::vector's are 24.
  template <class Thing>
  using List = boost::container::vector<
      Thing, void,
      boost::container::vector_options_t<boost::container::stored_size<std::uint32_t>>>;
  struct alignas(kCacheLine) LinkState {  // two lines, of which others look at the first alone
    double capacity = 0;
    double others = 0;  // bytes per second of flows held back elsewhere, by the levels told
    double level = 0, told = 0;
    List<Entry> entries;       // all flows that cross it
    std::uint32_t holds = 0;   // how many of them it holds back
    std::uint32_t credit = 0;  // entries that it may look at, for starts and ends since it did
    std::uint8_t scans = 0;    // in this settling
    bool is_dirty = false, is_touched = false, is_in_behind = false;
    std::uint32_t changes = 0;  // of a generation, where flows are not few
    List<Finish>
        held;  // a heap, with some of which it has let go; but for while levels spread its top is held
    double served = 0, since = 0;  // served: its virtual time at `since`
    double behind_until = kNever;  // see is_behind(); never: what it told is right
    double generations[2] =
        {};  // when its flows had come and gone: the last time but one, the last
  };

  // To one flow more; of a fair share none gets less than all of them alike.
  static double offer(const LinkState& link) {
    return std::max((link.capacity - link.others) / static_cast<double>(link.holds + 1),
                    link.capacity / static_cast<double>(link.entries.size() + 1));
  }
  static double next_end(const LinkState& link, double now) {
    const double virtual_now = link.served + link.level * (now - link.since);
    return now + on_grid(std::max(0.0, link.held.front().at - virtual_now) / link.level);
  }
  const Flow* ended_now(Link link, double now) const {
    const LinkState& state = links_[link];
    return state.holds > 0 && next_end(state, now) <= now ? &state.held.front().flow : nullptr;
  }
  void leave(Flow, double now);
  void touch(Link, double now);
  static void note_change(LinkState&, double now);
  static double patience(const LinkState&, double now);
  void soil(Link);
  void spread(double now);
  void update_level(LinkState&);
  static double tolerance(std::size_t flows);
  bool may_scan(LinkState&);
  static bool is_told(const LinkState&);
  void scan(Link, double now);
  void tell(Link);
  void move(Flow, Link to, double now);
  void hold(Flow, Link, double left);
  void let_go(Flow);
  bool is_held(const Finish& finish) const { return holdings_[finish.flow].turn == finish.turn; }
  void drop_stale(LinkState&);

  std::vector<LinkState> links_;
  LargeArray<Holding> holdings_;  // by flow
  ShortLists<Use> uses_;          // likewise
  static constexpr std::int64_t kFewMoves = 2, kPatience = 65'536;
  std::int64_t excess_ = 0,
               changes_ = 0;  // moves beyond; flows that have entered and left since settle()
  std::size_t present_ = 0;   // flows
  bool was_crowd_ = false;
  std::vector<Link> behind_;                  // and some that are so no more
  double behind_until_ = kNever;              // of these the first
  std::vector<Link> dirty_, late_, touched_;  // late: left for the next instant
};

}  // namespace reprise::sim
