// SPDX-License-Identifier: MIT
// Max-min fair rates, within a tolerance, of so many flows that a start or an end moves the rates of all of them a little.
//
// Model   as max_min_shares.hpp: each flow is held back by a bottleneck, a link that is full and on which no flow is faster, or its own
//         bound. All flows that one link holds back have one rate, the link's level: what the flows held back elsewhere leave of
//         its capacity, divided by their number; where flows have weights, by their weights, and a flow's rate is the level times its.
// How     all rates are exact whenever they are filled from scratch (approximate_filling.cpp). In between, a start or an end moves the
//         levels of the flow's own links only: each stays full of its flows, of which those held back elsewhere count as they did
//         when all was filled. A new flow is held back by the link that offers it the least. What is left out by this, that the others
//         of a link get more or less because of levels elsewhere, and that flows would be held back by another link, is made up
//         for at the next filling.
// When    kTurnover tolerances of the flows have come or gone since the last filling, half as many where they have weights; or kAge tolerances of the crowd's age have
//         passed since, which next_due() tells, so that nothing is out of date for long where little happens. The age counts
//         from when the crowd had come and gone as a whole the last time but one. With more than kManyFlows flows for each change it
//         may be so many times longer, up to kMostAge: the filling costs more than it mends. Where there are many classes the age makes no filling
//         before kMostAge of it: levels that have changed are passed on instead (approximate_levels.cpp). No filling where levels show that it would
//         move nothing, as where all flows are held back by one link: then corrected levels are exact.
// Classes flows that cross the same links are one class; in fillings of many classes links that cannot be a bottleneck do not count
//         for that (approximate_bundles.cpp): rates are the same.
// Error   of all rates at a filling none, but for slack links that have a little too much for a while (approximate_slack.cpp); in between a link's rates are off by the turnover of the flows that it shares with others.
//         Sums of rates, and with them the end of it all, are nearer: tests/physics/approximate_shares_test.cpp, docs/MODEL.md.
// Cost    a start or an end O(links of the flow), and its part of a filling: about uses of links a flow / (kTurnover · tolerance),
//         whatever the number of flows; on a tree of switches a tenth of it or less. Flows end by virtual_times.hpp.
// Memory  32 to 48 bytes a flow and 4 for each of its links, 104 a class and 8 for each of its. Deterministic.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "sim/network/flow_classes.hpp"
#include "sim/network/large_pages.hpp"
#include "sim/network/short_lists.hpp"
#include "sim/network/virtual_times.hpp"

namespace reprise::sim {

class ApproximateShares {
 public:
  using Flow = std::uint32_t;
  using Link = std::uint32_t;
  // In tolerances, the first two; the last one of the age. Chosen by cost and error of all-to-alls and random flows.
  static constexpr double kTurnover = 16, kAge = 5, kManyFlows = 4096, kMostAge = 0.1;

  // Classes up to which all links count in each filling: that costs little then.
  static constexpr std::size_t kFewClasses = 16'384;

  // The capacity of a link is asked for when a flow first crosses it.
  ApproximateShares(double tolerance, std::function<double(Link)> capacity,
                    std::size_t few_classes = kFewClasses)
      : tolerance_(tolerance), few_classes_(few_classes), capacity_(std::move(capacity)) {}

  // A flow of so many bytes over these links, all different, at most `bound` fast. It begins now; its rate is known after settle().
  // REQUIRES: weight > 0.
  void enter(Flow, std::span<const Link> links, double bound, double bytes, double now,
             double weight = 1);
  // Brings rates up to date with what has entered and been taken since the last time.
  void settle(double now);
  double next_end() const { return times_.next_end(); }  // as it was settled
  // When settle() is to be called though nothing has happened; infinite where rates are exact.
  double next_due() const;
  // The flow that ends next leaves. Calls soon(steps, flow) for those that will, as VirtualTimes::take does. REQUIRES: next_end() is now.
  template <class Soon>
  Flow take(double now, Soon soon) {
    now_ = now;
    return taken(times_.take(now, [&](unsigned steps, Flow flow) {
      if (steps == 2) {
        uses_.prepare(flow);
        fetch(states_[flow]);
      }
      soon(steps, flow);
    }));
  }
  Flow take(double now) {
    return take(now, [](unsigned, Flow) {});
  }
  // A flow will soon enter over these links: so many steps from being next; with 2 and 1 something is done.
  void prepare(Flow, std::span<const Link> links, unsigned steps);
  // Which of its links held it back, the one that was taken last; kNoLink where its bound did.
  static constexpr Link kNoLink = ~Link{0};
  Link taken_from() const { return taken_from_; }

  std::size_t flows() const { return flows_; }
  // As it was when made, but for its memory. Capacities are asked for again.
  void clear();
  // visit(flow, bytes left), class by class.
  template <class Visit>
  void each_left(double now, Visit visit) {
    times_.each_left(now,
                     [&](Flow flow, Class one, double left) { visit(flow, left * weight(one)); });
  }
  // How often all was filled from scratch, and how many classes were: both for tests.
  std::uint64_t fillings() const { return fillings_; }
  std::size_t classes() const { return classes_.size(); }
  // Of the flow that is alone in its class, or of all of the class over these links. For tests.
  double rate(std::span<const Link> links, double bound, double weight = 1);

 private:
  using Class = FlowClasses::Class;
  static constexpr double kRounding = 1e-12;  // of a link's capacity
  static constexpr Class kNoClass = ~Class{0};
  // By so much the level of a class may have grown since its flows were counted on slack links.
  static constexpr double kGrown = 1.05;
  // Roundings: a class whose level has changed by less has not changed; a slack link with so little more than its capacity is just full, and may
  // stay so.
  static constexpr double kHardly = 1e-9, kTight = 2e-9;
  // A slack link that is too full, by this share of its capacity at most, may stay slack until it has carried too much for so many tolerances
  // of the crowd's age.
  static constexpr double kMostOver = 0.05, kExcess = 0.5;
  // In tolerances of a link's capacity: what its flows get more or less before it is passed on.
  static constexpr double kDrift = 5;
  struct alignas(64) LinkState {  // one cache line
    double capacity = 0;          // of a bound: its level
    double level = 0;             // of the flows that it holds back: their rate by weight
    double counted = 0;           // level that other links count with
    double others =
        0;  // bytes per second of flows held back elsewhere, by the levels counted there
    double own_weight = 0, weight = 0;  // of these flows:
    std::uint32_t own = 0;              // that it holds back
    std::uint32_t flows = 0;            // that cross it
    bool is_queued = false;
    bool is_bound = false;  // flows' own bound, of which each has the whole
    bool is_slack =
        false;  // left out of fillings and of classes: `others` are all flows, as FlowState::counted says
    bool is_tightened = false;  // is just becoming so no more
    Link outside = kNoLink;     // the owner's number
  };
  struct FlowState {
    double counted = kNotCounted;  // its rate, or more, as slack links have it
    Class of = kNoClass;           // none: it is not there
    bool is_parting = false;       // is about to leave its class for another one
  };
  // Not yet: it has come since the last settling.
  static constexpr double kNotCounted = -1;
  struct alignas(16) Held {  // a class
    std::uint32_t flows = 0;
    Link by = 0;
    Link next = kNoLink;  // by which it is to be held back, while all is filled
  };
  static constexpr Link kParting =
      kNoLink - 1;       // as `next`: some of its flows are about to leave it
  struct Excess {        // of a slack link
    double over = 0;     // share of its capacity that its flows have too much, since excess_since_
    double seconds = 0;  // over · time until then, in this generation
  };
  // What is left of a link while it is filled, and for how many flows.
  struct Filling {
    double left = 0, weight = 0;
    std::uint32_t waiting = 0;
  };
  struct Offer {
    double share;
    Link link;
    // For a heap with the smallest share on top.
    friend bool operator<(const Offer& a, const Offer& b) {
      return a.share != b.share ? a.share > b.share : a.link > b.link;
    }
  };

  std::span<const Link> known_links(std::span<const Link> links, double bound, double weight);
  Link known_bound(double bound, double weight);
  static double offer(const LinkState&, double more);
  double weight(Class one) const { return weights_.empty() ? 1 : weights_[one]; }
  void set_weight(Class, double weight);
  void add_link(const LinkState&);
  Link known(Link outside);
  // Of these links those that make classes. Valid until the next call.
  std::span<const Link> tight_links(std::span<const Link>);
  Class class_over(std::span<const Link>);
  double level(Class one) const { return links_[held_[one].by].level; }
  Flow taken(const VirtualTimes::End&);
  void hold_back(Class);
  void count(Flow, Class, std::int32_t flows);
  void count_entered();
  void correct(Link);
  void correct_queued();
  double fill_due() const;
  bool is_turned_over() const;
  bool is_filled() const;
  void refill();

  bool pass_on();
  bool is_out_of_date(const LinkState&) const;
  void pass_on(Link);
  void pass_level_on(Link, Class, double more);
  void hold_back_anew(Class);
  void queue(Link);

  void count_anew(Flow);
  void count_anew_over(Link);
  void note_passer(Link, Flow);
  bool passes(Flow, Link) const;
  double growth() const;
  bool have_slack_links_room() const;
  bool tighten();
  bool count_changed();
  bool bears(Excess&, double over);
  void end_excess();
  static bool is_over(const LinkState& link) {
    return link.others > (1 + kMostOver) * link.capacity;
  }
  bool has_room(const LinkState& link, double growth = 1) const {
    return link.others * growth <= (1 + kTight) * link.capacity;
  }
  void loosen();
  bool give_up_bundling();
  void tighten_all_of(Flow);
  void tighten_all();
  void arrange(bool is_loosened);
  void prepare_arranging(std::size_t at, bool are_alike);
  void part();
  void part(Class);

  void fill();
  void forget_empty();
  void weigh();
  double waiting_weight(Link) const;
  void fill_classes();
  void take_over();

  const double tolerance_;
  const std::size_t few_classes_;
  const std::function<double(Link)> capacity_;
  std::vector<LinkState> links_;
  std::vector<Link> numbers_;                         // by the owner's number; kNoLink: not met yet
  std::map<std::pair<double, double>, Link> bounds_;  // by bound and weight
  ShortLists<Link> uses_;                             // by flow: all of its links
  LargeArray<FlowState> states_;                      // by flow
  FlowClasses classes_;                               // over links that are not slack
  std::vector<double> weights_;                       // by class; empty: all are 1
  LargeArray<Held> held_;                             // by class
  LargeArray<double>
      basis_;  // by class: the least that flows of its are counted with on slack links
  VirtualTimes times_;
  std::size_t flows_ = 0;
  double now_ = 0;
  Link taken_from_ = kNoLink;
  std::vector<Link> queue_;    // links whose flows have changed since the last settling
  std::vector<Flow> entered_;  // since then, where links are slack
  std::vector<Link> scratch_;

  std::size_t changes_ = 0, changes_of_generation_ = 0;  // starts and ends
  std::size_t recent_changes_ = 0;  // since levels were passed on or all was filled, at renewed_at_
  double renewed_at_ = 0;
  double filled_at_ = 0,
         generations_[2] =
             {};  // when the crowd had come and gone: the last time but one, the last time
  bool is_begun_ = false;

  // Classes by link, each where it was first met: those that have no flows any more stay until they are many.
  std::vector<std::vector<Class>> crossings_;
  std::size_t empty_ = 0;    // classes without flows
  std::size_t crowded_ = 0;  // classes with flows, in the last filling
  // Of slack links: flows that have come over them, of which some may be gone, and some there more than once.
  std::vector<std::vector<Flow>> passers_;
  std::vector<Excess> excess_;
  double excess_since_ = 0, excess_generation_ = 0;
  double excess_due_ = std::numeric_limits<double>::infinity();  // when a link has had too much

  bool are_some_slack_ = false, was_arranged_ = false;
  std::vector<Class> grown_, changed_little_;  // in the last filling, by more than kGrown, kHardly
  double growth_ = 1;                          // of those not in grown_ at most
  std::vector<Link> over_;                     // slack links that may have more than their capacity
  std::uint64_t fillings_ = 0;
  std::size_t visited_ = 0;  // classes on links, by fillings since they were arranged
  unsigned given_up_ = 0;    // how often bundling was

  // Kept for their memory alone.
  std::vector<Link> tight_;
  std::vector<Filling> filling_;  // by link
  std::vector<Offer> offers_;
  struct Arranged {
    double left;
    Flow flow;
    Class of;
  };
  LargeArray<Arranged> arranged_;
  LargeArray<Held> held_before_;
};

}  // namespace reprise::sim
