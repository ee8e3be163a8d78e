// SPDX-License-Identifier: MIT
// Max-min fair rates of flows that come and go: every change re-solves only the flows whose rates it can move.
//
// Model   an allocation is max-min fair if and only if it is feasible and every flow has a bottleneck: a link of its that is full and
//         on which no flow is faster, or its own bound. It is unique (Bertsekas and Gallager, Data Networks, 2nd ed., 1992, §6.5.2),
//         so whatever has these properties is the answer.
// Weights a flow's rate is its level times its weight, and levels are what is max-min fair (Bertsekas and Gallager: weighted max-min);
//         bounds are of rates. Where all weights are 1 levels are rates.
// How     changes are collected; settle() takes the flows of the changed links as a set, lets all others keep their rates, and
//         solves the set by progressive filling on what the others leave. Then it looks at those others on the set's links
//         only: one that has lost its bottleneck, or is faster than a flow of the set on a link that is full because of it, joins
//         the set, and the set is solved again. When nobody joins, every flow has a bottleneck, and the allocation is the max-min
//         fair one of all flows. Many changes at one instant are settled at once.
// Lockstep where one link alone holds many flows back, as that of a receiver whom all send to, they all have the same part of it. It is known
//         then up to which part nothing else comes into play: as long as these flows come and go, no other link is looked at (lockstep.cpp).
// Alone   of links that a flow has to itself only the narrowest can hold it back: it is one number in the filling, and the others none.
// Error   rates agree with a solution from scratch within kTolerance, relative; that of a flow which weighs little within kTolerance of
//         its link's capacity.
// Cost    per round O(uses of links by the set's flows · log + flows on their links). A flow alone on its links: O(its links).
// Memory  64 bytes a link, 64 a flow, and 16 for each link of a flow (short_lists.hpp); nothing is allocated in the steady state.
//         Deterministic: nothing depends on addresses.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "sim/fetch.hpp"
#include "sim/network/inline_list.hpp"
#include "sim/network/large_pages.hpp"
#include "sim/network/pool.hpp"
#include "sim/network/short_lists.hpp"

namespace reprise::sim {

class MaxMinShares {
 public:
  using Flow = std::uint32_t;  // chosen by the caller; small, used again after leave()
  using Link = std::uint32_t;
  static constexpr double kTolerance = 1e-12;

  // Links have no capacity until they are given one.
  explicit MaxMinShares(std::size_t links) : links_(links) {}
  // A link beyond those is added.
  void set_capacity(Link link, double capacity) {
    if (link >= links_.size()) links_.resize(link + 1);
    if (links_[link].capacity != capacity) lockstep_.link = kOwnBound;
    links_[link].capacity = capacity;
  }

  // The same while flows cross the link, and another bound for a flow that has entered: settled with what else has changed.
  void change_capacity(Link link, double capacity);
  void change_limits(Flow, double bound, double weight);

  // A flow over these links, all different, at most `bound` fast; its rate is 0 until the next settle(). REQUIRES: weight > 0.
  void enter(Flow, std::span<const Link> links, double bound, double weight = 1);
  void leave(Flow);
  void clear();  // all leave, for a crowd: more of these are expected

  // Brings all rates up to date; calls changed(flow, rate) once for each flow whose rate is no longer what it was. Meanwhile solved() is
  // how many flows that may be at most.
  template <class Changed>
  void settle(Changed changed) {
    if (dirty_.empty() && fresh_.empty()) return;
    solve();
    const std::int64_t few = is_crowd_likely() ? kFewOfMany : kFew;
    excess_ = std::max(excess_ - changes_ * few, std::int64_t{0});
    changes_ = 0;
    for (const Flow flow : set_)
      if (has_moved(flows_[flow])) {
        flows_[flow].level = flows_[flow].next_level;
        changed(flow, rate(flow));
      }
    forget();
  }
  std::size_t solved() const { return set_.size(); }
  double rate(Flow flow) const { return flows_[flow].level * flows_[flow].weight; }
  double capacity(Link link) const { return links_[link].capacity; }
  // The link that holds the flow back, as it was settled; kOwnBound where its bound does.
  static constexpr Link kOwnBound = ~Link{0};
  Link bottleneck(Flow flow) const { return flows_[flow].bottleneck; }
  // The link whose flows are known to be in lockstep; kOwnBound where there is none.
  Link lockstep() const { return lockstep_.link; }

  // How much more has been looked at than some entries of links for each flow that has entered or left: grows where every change
  // moves the rates of very many flows, and else stays at 0. As many as kFew; kFewOfMany once crowds are expected, and while
  // there are more than kManyFlows and than links: no small replay has so many, nor a large one whose links are nearly free.
  std::int64_t excess() const { return excess_; }
  // Whether that is so much, about a millisecond, that flows are to be taken for a crowd; a sixteenth where one is likely.
  bool are_crowd() const { return excess_ > (is_crowd_likely() ? kPatience / 16 : kPatience); }
  // A flow will soon enter or leave over these links: so many steps, 3 to 0, from being next (event_heap.hpp).
  void prepare(Flow flow, std::span<const Link> links, unsigned steps) const {
    if (steps == 3 && flow < flows_.size()) {
      fetch(flows_[flow]);
      uses_.prepare(flow);
    }
    if (steps == 2)
      for (const Link link : links) fetch(links_[link]);
    if (steps == 1)
      for (const Link link : links) {
        const Entries& entries = links_[link].entries;
        if (!entries.is_inline()) prefetch(entries.end());
        if (entries.size() > 1) uses_.prepare(entries.back().flow);  // it moves where one leaves
      }
  }

 private:
  static constexpr std::int64_t kFew = 512, kFewOfMany = kFew / 8;
  static constexpr std::int64_t kPatience = 250'000;
  static constexpr std::size_t kManyFlows = 65'536;
  static constexpr std::size_t kFewInLockstep = 16;
  static constexpr double kNoLimit = std::numeric_limits<double>::infinity();
  bool is_crowd_likely() const {
    return was_crowd_ || present_ > std::max(kManyFlows, links_.size());
  }
  // Many flows that one link alone holds back, all that cross it.
  struct Lockstep {
    Link link = kOwnBound;  // kOwnBound: there are none
    double level = 0;       // of all of them
    double most = 0;  // up to this level nothing else holds any of them back, as all others are
    std::int64_t looked_at = 0;  // of excess_, to solve them
  };
  struct Use {
    Link link;
    std::uint32_t place;  // in the link's list
  };
  struct Candidate {
    double share;  // a level
    Link link;
    // For a heap with the smallest share on top.
    friend bool operator<(const Candidate& a, const Candidate& b) {
      return a.share != b.share ? a.share > b.share : a.link > b.link;
    }
  };
  // The smallest share first. Often nobody asks for a second one, so a heap is made of the others only then.
  class Candidates {
   public:
    bool empty() const { return all_.empty(); }
    void clear() { all_.clear(); }
    void append(const Candidate& one) { all_.push_back(one); }
    void order() {  // after these
      if (!empty()) std::swap(all_.front(), *std::max_element(all_.begin(), all_.end()));
      order_ = Order::first;
    }
    Candidate take() {  // REQUIRES: ordered, not empty
      const Candidate taken = front();
      if (order_ == Order::heap)
        std::pop_heap(all_.begin(), all_.end());
      else
        std::swap(all_.front(), all_.back());
      all_.pop_back();
      if (order_ == Order::first) order_ = Order::none;
      return taken;
    }
    const Candidate& front() {
      if (order_ == Order::none) make_heap();
      return all_.front();
    }
    void push(const Candidate& one) {
      if (order_ != Order::heap) make_heap();
      all_.push_back(one);
      std::push_heap(all_.begin(), all_.end());
    }

   private:
    enum class Order : std::uint8_t { none, first, heap };  // first: that of the one in front
    void make_heap() {
      std::make_heap(all_.begin(), all_.end());
      order_ = Order::heap;
    }
    std::vector<Candidate> all_;
    Order order_ = Order::none;
  };
  struct alignas(kCacheLine) Member {             // one cache line
    double level = 0, next_level = 0, bound = 0;  // bound: of the level
    double weight = 1;
    std::uint64_t in_set = 0;       // number of the settling whose set it is in
    Candidate alone{0, kOwnBound};  // of the links that it has to itself the narrowest, if any
    Link bottleneck = kOwnBound;
    bool is_alone = false;  // has all its links to itself
    bool is_fixed = false,
         is_fresh = false;  // fresh: has entered, or one of its limits has changed
  };
  static_assert(sizeof(Member) == kCacheLine);
  struct Entry {
    Flow flow;
    std::uint32_t use;  // which of the flow's uses this is
  };
  using Entries = InlineList<Entry, 4>;
  struct alignas(kCacheLine) LinkState {  // one cache line
    double capacity = 0;
    std::uint64_t in_set = 0;   // number of the settling whose set uses it
    std::uint32_t filling = 0;  // then: where its part of the solution is
    bool is_dirty = false;
    Entries entries;
    bool is_of_one() const { return entries.size() == 1; }
  };
  static_assert(sizeof(LinkState) == kCacheLine);
  // A link that several flows cross, some of them of the set, while that is solved. These stand close together: the few links of
  // one set are all in the cache, where those of the machine are not.
  struct Filling {
    double left = 0;            // of its capacity
    double level = 0;           // of the set's fastest flow on it
    double weight = 0;          // of the flows of the set that are not fixed yet
    std::uint32_t waiting = 0;  // how many these are
    std::uint32_t members = 0;  // flows of the set
    bool is_tight = false;      // some flow of the set was fixed because it is full
    bool has_others = false;    // flows outside the set
  };

  static bool has_moved(const Member& member) {
    return std::abs(member.next_level - member.level) > kTolerance * 0.1 * member.level;
  }
  void touch(Link);
  void refresh(Flow);
  void join(Flow);
  void solve();
  void fill();
  void weigh(const LinkState&, Filling&) const;
  void fix(Flow, double level, Link bottleneck);
  void fix_last(const Candidate&);
  void found_lockstep(const Candidate&);
  void narrow_lockstep(const LinkState&, const Filling&);
  bool keeps_lockstep();
  void add_to_lockstep(Flow);
  bool have_room(double level);
  double most_beside_others(const LinkState&) const;
  bool add_unbottlenecked();
  void forget();

  std::vector<LinkState> links_;
  LargeArray<Member> flows_;
  ShortLists<Use> uses_;  // by flow
  std::vector<Link> dirty_;
  std::vector<Flow> fresh_;
  Lockstep lockstep_;
  bool have_others_left_ = false;  // others than its flows, since the last solution
  std::uint64_t settling_ = 0;
  std::vector<Flow> set_;
  std::vector<Link> set_links_;
  std::vector<Filling> fillings_;  // of each of these
  std::vector<Flow> bounded_;
  Candidates candidates_;
  std::size_t present_ = 0;     // flows that have entered and not left
  std::size_t waiting_ = 0;     // flows of the set that are not fixed yet
  std::int64_t alone_ = 0;      // uses of links by the set's flows that have them to themselves
  std::int64_t looked_at_ = 0;  // of excess_, in one filling
  std::int64_t excess_ = 0, changes_ = 0;
  bool was_crowd_ = false;
  bool is_weighted_ = false;  // some weight was not 1
};

}  // namespace reprise::sim
