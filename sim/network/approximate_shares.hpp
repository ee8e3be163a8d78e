// SPDX-License-Identifier: MIT
// Max-min fair rates, within a tolerance, of so many flows that a start or an end moves the rates of all of them a little.
//
// Model   as max_min_shares.hpp: each flow is held back by a bottleneck, a link that is full and on which no flow is faster, or its own
//         bound. All flows that one link holds back have one rate, the link's level: what the flows held back elsewhere leave of
//         its capacity, divided by their number. Links know the levels of one another as they were last published.
// How     a start or an end corrects the levels of the flow's own links. A level is published, to the other links of the flows
//         that it holds, once it is more than the tolerance away from what was published last; then those links correct theirs in turn.
//         Flows change their bottleneck where another link's level is lower by more than the tolerance. This is the distributed
//         computation of max-min fair rates by advertised rates (A. Charny, D. Clark, R. Jain, "Congestion Control with Explicit
//         Rate Indication", ICC 1995), quiescent as B-Neck (A. Mozo, J. López-Presa, A. Fernández Anta, NCA 2011), but
//         smaller changes are not published. The bottlenecks are kept between events (bottleneck structures: J. Ros-Giralt
//         et al., POMACS 3(3), 2019). Where correcting takes longer than filling from scratch, all is filled from scratch.
// Error   no flow is faster than a link's level by more than eight tolerances (kUnfair), and a level is published when it is off by one, or up
//         to eight where the link holds back few of the flows that cross it (kLoose). Sums of rates, and with them the end of it all,
//         are nearer: tests/physics/approximate_shares_test.cpp, docs/MODEL.md.
// Cost    a change visits the flows' classes on the links whose levels move by more than the tolerance: with n flows a link about
//         min(n, 1 / tolerance) for each of its links, whatever the number of flows. Flows end by virtual_times.hpp.
// Memory  56 bytes a flow alone in its class, and 24 for each of its links; less where flows share a class. Deterministic.
#pragma once

#include <bit>
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <unordered_map>
#include <vector>

#include "sim/network/flow_classes.hpp"
#include "sim/network/virtual_times.hpp"

namespace reprise::sim {

class ApproximateShares {
 public:
  using Flow = std::uint32_t;
  using Link = std::uint32_t;

  // The capacity of a link is asked for when a flow first crosses it.
  ApproximateShares(double tolerance, std::function<double(Link)> capacity)
      : tolerance_(tolerance), capacity_(std::move(capacity)) {}

  // A flow of so many bytes over these links, all different, at most `bound` fast. It begins now; its rate is known after settle().
  void enter(Flow, std::span<const Link> links, double bound, double bytes, double now);
  // Brings all rates up to date with what has entered and been taken since the last time.
  void settle(double now);
  double next_end() const { return times_.next_end(); }  // as it was settled
  // The flow that ends next leaves. REQUIRES: next_end() is now.
  Flow take(double now);

  std::size_t flows() const { return flows_; }
  // visit(flow, rate): for tests.
  template <class Visit>
  void each_left(double now, Visit visit) {
    times_.each_left(now, visit);
  }
  // Of the flow that is alone in its class, or of all of the class over these links. For tests.
  double rate(std::span<const Link> links, double bound);

 private:
  using Class = FlowClasses::Class;
  struct alignas(64) LinkState {  // one cache line
    double capacity = 0;
    double level = 0;  // rate of the flows that it holds back; infinite where it holds back none
    double published = 0;  // level that other links count with
    double others =
        0;  // bytes per second of flows held back elsewhere, by the levels published there
    double fastest = 0;     // at least the rate of the fastest of these
    std::uint32_t own = 0;  // flows that it holds back
    bool is_queued = false;
    bool is_bound = false;  // flows' own bound, of which each has the whole
  };
  struct Crossing {
    Class of;
    std::uint32_t flows;
    Link bottleneck;
    std::uint32_t use;  // which of the class's uses this is
  };
  // Who crosses a link, and which other links each of them crosses: beside one another, as all are visited when a level is published.
  struct Crossings {
    std::vector<Crossing> list;
    std::vector<Link> others;  // `width` for each of the list, kNoLink where there are fewer
    std::size_t width = 0;
    std::uint32_t own = 0;  // the first so many of the list are those that the link holds back
  };
  struct Moving {
    double rate;
    Class of;
    Link to;
  };

  Link known(Link outside);
  Link known_bound(double bound);
  std::span<const Link> known_links(std::span<const Link> links, double bound);
  void add(Class);
  void count(Class, std::int32_t flows);
  void give_up(Class);
  Crossing& crossing_of(const FlowClasses::Use& use) {
    return crossings_[use.link].list[use.place];
  }
  void exchange(Crossings&, std::uint32_t place, std::uint32_t with);
  void hold_back(Link, std::uint32_t place);  // the class that stands there
  void let_go(Link, std::uint32_t place);
  void cross(Crossings&, const Crossing&, std::span<const FlowClasses::Use> uses);
  void queue(Link);
  bool is_off(const LinkState&) const;
  void correct(Link);
  void pull(Link);
  void publish(Link);
  void move(Class, Link to);
  void change_bottleneck(Class, Link to);
  void fill();

  const double tolerance_;
  const std::function<double(Link)> capacity_;
  static constexpr Link kNoLink = 0;
  std::vector<LinkState> links_{
      // kNoLink first
      {.level = std::numeric_limits<double>::infinity(), .is_bound = true}};
  std::vector<Crossings> crossings_{1};              // by link
  std::unordered_map<std::uint64_t, Link> numbers_;  // looked up only, never listed
  FlowClasses classes_;
  VirtualTimes times_;
  std::size_t flows_ = 0, uses_ = 0;  // uses: of all classes
  double now_ = 0;
  std::vector<Link> queue_;
  std::size_t visits_ = 0;  // of crossings in this settling
  std::vector<Moving> moving_;
  std::vector<Link> scratch_;
};

}  // namespace reprise::sim
