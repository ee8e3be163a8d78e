// SPDX-License-Identifier: MIT
// Which of very many flows ends next, where those that one link holds back all run at one rate.
//
// Model   a group is served at a rate that each of its flows gets; its virtual time is the bytes that a flow of it has got so far. A
//         flow that enters with n bytes left ends when the virtual time has grown by n, whatever the rate does until then: fair
//         queueing's virtual finishing times (A. Demers, S. Keshav, S. Shenker, "Analysis and Simulation of a Fair Queueing
//         Algorithm", SIGCOMM 1989; A. Parekh, R. Gallager, IEEE/ACM ToN 1(3), 1993).
// Shape   flows are in classes, classes in groups. A class has a virtual time of its own, which is its group's plus an offset: it
//         changes groups as a whole, at any moment.
// Cost    a change of a rate O(log groups), whatever the number of flows; a flow's start and end and a class's move O(log) each.
// Memory  72 bytes a class with its first flow, 16 for each further one. Deterministic: at one time, flows of a class end by their numbers.
#pragma once

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <limits>
#include <vector>

#include "sim/fetch.hpp"
#include "sim/network/event_heap.hpp"
#include "sim/network/large_pages.hpp"
#include "sim/time_grid.hpp"

namespace reprise::sim {

class VirtualTimes {
 public:
  using Flow = std::uint32_t;
  using Class = std::uint32_t;
  using Group = std::uint32_t;

  // A class without flows joins the group. REQUIRES: it is in none, or has no flows.
  void add_class(Class, Group);
  // With its flows, each with what is left of it.
  void move_class(Class, Group to, double now);
  void add_flow(Class, Flow, double bytes, double now);
  // Bytes per second of each flow of the group, from now on.
  void set_rate(Group, double rate, double now);
  // Flows of the class will soon come (sim/fetch.hpp).
  void prepare(Class one) const {
    if (one < classes_.size()) fetch(classes_[one]);
  }
  double rate(Class one) const { return groups_[classes_[one].group].rate; }

  void clear();  // all leave; memory stays
  // All flows and classes leave; groups keep their rates. For classes made anew.
  void clear_classes(double now);

  // Many at once: appended in any order, then put in order, class by class.
  void append_flow(Class, Flow, double bytes, double now);
  void order(Class);  // nothing happens where it has no flows
  // visit(flow) for all of the class.
  template <class Visit>
  void each_flow(Class one, Visit visit) const {
    for (const Finish& finish : classes_[one].flows) visit(finish.flow);
  }
  // Flows for which leaves(flow) leave the class; visit(flow, bytes left) for each of them.
  template <class Leaves, class Visit>
  void part(Class number, double now, Leaves leaves, Visit visit) {
    ClassState& one = classes_[number];
    const double passed = virtual_time(groups_[one.group], now) + one.offset;
    const auto stays = [&](const Finish& finish) { return !leaves(finish.flow); };
    const auto first = std::partition(one.flows.begin(), one.flows.end(), stays);
    for (auto at = first; at != one.flows.end(); ++at)
      visit(at->flow, std::max(0.0, at->at - passed));
    one.flows.erase(first, one.flows.end());
    if (one.flows.empty() && one.place != kNowhere) remove(number);
    order(number);
  }

  // Makes next_end() and take() right after the changes above.
  void refresh(double now);
  double next_end() const {
    return ends_.empty() ? std::numeric_limits<double>::infinity() : ends_.top().time();
  }
  struct End {
    Flow flow = 0;
    Class of = 0;
  };
  // The flow that ends next leaves. Calls soon(steps, flow) for flows whose end has come near: so many steps, 2 to 0, from being the
  // next of all, or from being the one after it where that is of the same group. REQUIRES: next_end() is now.
  template <class Soon>
  End take(double now, Soon soon);

  // visit(flow, its class, bytes left) for all flows, class by class.
  template <class Visit>
  void each_left(double now, Visit visit) {
    for (Class number = 0; number < classes_.size(); ++number) {
      const ClassState& one = classes_[number];
      for (const Finish& finish : one.flows)
        visit(finish.flow, number,
              std::max(0.0, finish.at - virtual_time(groups_[one.group], now) - one.offset));
    }
  }

 private:
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};
  struct Finish {
    double at;  // of the class's virtual time
    Flow flow;
    // For a heap with the earliest on top.
    friend bool operator<(const Finish& a, const Finish& b) {
      return a.at != b.at ? a.at > b.at : a.flow > b.flow;
    }
  };
  struct ClassState {
    Group group = 0;
    std::uint32_t place = kNowhere;                   // in its group's heap, where it has flows
    double offset = 0;                                // of its virtual time from the group's
    boost::container::small_vector<Finish, 1> flows;  // a heap
  };
  struct First {
    double at;  // of the group's virtual time: the earliest finish of the class
    Class of;
    bool is_before(const First& other) const {
      return at != other.at ? at < other.at : of < other.of;
    }
  };
  struct GroupState {
    double rate = 0, served = 0, since = 0;  // served: its virtual time at `since`
    bool is_changed = false;
    std::vector<First> classes;  // a heap, indexed by ClassState::place
  };

  static double virtual_time(const GroupState& group, double now) {
    return group.served + group.rate * (now - group.since);
  }
  static void advance(GroupState&, double now);
  void note(Group);
  // The class's place in its group's heap, after its first finish, or its offset, has changed.
  void place(Class);
  void remove(Class);
  void rise(GroupState&, std::uint32_t hole, First);
  template <class Risen>
  void sink(GroupState&, std::uint32_t hole, First, Risen risen);
  void sink(GroupState& group, std::uint32_t hole, First first) {
    sink(group, hole, first, [](unsigned, Class) {});
  }
  template <class Risen>
  void refresh(Group, double now, Risen risen);
  void refresh(Group group, double now) {
    refresh(group, now, [](unsigned, const TimedEvent&) {});
  }
  template <class Soon>
  void forecast(Group, unsigned steps, Soon soon) const;
  template <class Soon>
  void forecast_class(Class, unsigned steps, Soon soon) const;

  LargeArray<ClassState> classes_;
  std::vector<GroupState> groups_;
  std::vector<Group> changed_;
  IndexedEventHeap ends_;  // of groups
};

template <class Soon>
VirtualTimes::End VirtualTimes::take(double now, Soon soon) {
  const auto index = static_cast<Group>(ends_.top().id);
  GroupState& group = groups_[index];
  const First first = group.classes.front();
  ClassState& one = classes_[first.of];
  advance(group, now);
  group.served = std::max(group.served, first.at);  // its end was rounded to the grid
  const Flow flow = one.flows.front().flow;
  std::pop_heap(one.flows.begin(), one.flows.end());
  one.flows.pop_back();
  const auto risen = [&](unsigned steps, Class of) { forecast_class(of, steps, soon); };
  First moved{};
  if (one.flows.empty()) {
    one.place = kNowhere;
    moved = group.classes.back();
    group.classes.pop_back();
  } else {
    moved = {one.flows.front().at - one.offset, first.of};
    soon(1, one.flows.front().flow);
    for (std::size_t next = 1; next < std::min<std::size_t>(one.flows.size(), 3); ++next)
      soon(2, one.flows[next].flow);
  }
  if (!group.classes.empty()) sink(group, 0, moved, risen);
  refresh(index, now, [&](unsigned steps, const TimedEvent& event) {
    forecast(static_cast<Group>(event.id), steps, soon);
  });
  return {flow, first.of};
}

// So many steps from being the group whose flow ends next.
template <class Soon>
void VirtualTimes::forecast(Group number, unsigned steps, Soon soon) const {
  const GroupState& group = groups_[number];
  if (steps > 4) return prefetch(group.classes.data());
  const ClassState& first = classes_[group.classes.front().of];
  if (steps == 4)
    fetch(first);
  else if (steps == 3)
    prefetch(first.flows.data());
  else
    soon(steps, first.flows.front().flow);
}

// So many steps from being the class whose flow ends next in its group.
template <class Soon>
void VirtualTimes::forecast_class(Class number, unsigned steps, Soon soon) const {
  const ClassState& one = classes_[number];
  if (steps == 3)
    fetch(one);
  else if (steps == 2)
    prefetch(one.flows.data());
  else if (steps < 2)
    soon(steps + 1, one.flows.front().flow);
}

template <class Risen>
void VirtualTimes::refresh(Group index, double now, Risen risen) {
  const GroupState& group = groups_[index];
  if (group.classes.empty() || group.rate <= 0) return ends_.remove(index);
  const double left = group.classes.front().at - virtual_time(group, now);
  ends_.set(ends_.made_now(now + on_grid(std::max(0.0, left) / group.rate), 0, index), risen);
}

template <class Risen>
void VirtualTimes::sink(GroupState& group, std::uint32_t hole, First first, Risen risen) {
  for (unsigned steps = 0;; ++steps) {
    std::uint32_t child = 2 * hole + 1;
    if (child >= group.classes.size()) break;
    if (child + 1 < group.classes.size() &&
        group.classes[child + 1].is_before(group.classes[child]))
      ++child;
    if (!group.classes[child].is_before(first)) break;
    group.classes[hole] = group.classes[child];
    classes_[group.classes[hole].of].place = hole;
    risen(steps, group.classes[hole].of);
    hole = child;
  }
  group.classes[hole] = first;
  classes_[first.of].place = hole;
}

}  // namespace reprise::sim
