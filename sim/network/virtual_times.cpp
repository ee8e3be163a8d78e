// SPDX-License-Identifier: MIT
#include "sim/network/virtual_times.hpp"

#include <algorithm>

namespace reprise::sim {

void VirtualTimes::advance(GroupState& group, double now) {
  group.served = virtual_time(group, now);
  group.since = now;
}

void VirtualTimes::note(Group group) {
  if (groups_[group].is_changed) return;
  groups_[group].is_changed = true;
  changed_.push_back(group);
}

void VirtualTimes::add_class(Class one, Group group) {
  if (classes_.size() <= one) classes_.resize(one + 1);
  if (groups_.size() <= group) groups_.resize(group + 1);
  classes_[one].group = group;
  classes_[one].offset = 0;
}

void VirtualTimes::move_class(Class one, Group to, double now) {
  if (groups_.size() <= to) groups_.resize(to + 1);
  ClassState& moved = classes_[one];
  if (!moved.flows.empty()) remove(one);
  advance(groups_[to], now);
  moved.offset += virtual_time(groups_[moved.group], now) - groups_[to].served;
  moved.group = to;
  if (!moved.flows.empty()) place(one);
}

void VirtualTimes::add_flow(Class one, Flow flow, double bytes, double now) {
  ClassState& entered = classes_[one];
  GroupState& group = groups_[entered.group];
  if (group.classes.empty()) {  // begins anew, so that its numbers stay small
    entered.offset += group.served;
    group.served = 0;
    group.since = now;
  }
  if (entered.flows.empty()) entered.offset = 0;
  entered.flows.push_back({virtual_time(group, now) + entered.offset + bytes, flow});
  std::push_heap(entered.flows.begin(), entered.flows.end());
  place(one);
}

void VirtualTimes::append_flow(Class one, Flow flow, double bytes, double now) {
  ClassState& entered = classes_[one];
  entered.flows.push_back(
      {virtual_time(groups_[entered.group], now) + entered.offset + bytes, flow});
}

void VirtualTimes::order(Class one) {
  auto& flows = classes_[one].flows;
  if (flows.empty()) return;
  std::make_heap(flows.begin(), flows.end());
  place(one);
}

void VirtualTimes::set_rate(Group group, double rate, double now) {
  if (groups_.size() <= group) groups_.resize(group + 1);
  GroupState& changed = groups_[group];
  if (changed.rate == rate) return;
  advance(changed, now);
  changed.rate = rate;
  note(group);
}

void VirtualTimes::clear() {
  classes_.clear();
  for (GroupState& group : groups_) {
    group.rate = group.served = group.since = 0;
    group.is_changed = false;
    group.classes.clear();
  }
  changed_.clear();
  ends_.clear();
}

void VirtualTimes::clear_classes(double now) {
  classes_.clear();
  for (Group group = 0; group < groups_.size(); ++group) {
    if (!groups_[group].classes.empty()) note(group);
    groups_[group].classes.clear();
    groups_[group].served = 0;
    groups_[group].since = now;
  }
}

void VirtualTimes::refresh(double now) {
  for (const Group group : changed_) {
    groups_[group].is_changed = false;
    refresh(group, now);
  }
  changed_.clear();
}

void VirtualTimes::place(Class one) {
  ClassState& placed = classes_[one];
  GroupState& group = groups_[placed.group];
  const First first{placed.flows.front().at - placed.offset, one};
  if (placed.place == kNowhere) {
    group.classes.emplace_back();
    rise(group, static_cast<std::uint32_t>(group.classes.size() - 1), first);
  } else if (first.is_before(group.classes[placed.place])) {
    rise(group, placed.place, first);
  } else {
    sink(group, placed.place, first);
  }
  note(placed.group);
}

void VirtualTimes::remove(Class one) {
  ClassState& removed = classes_[one];
  GroupState& group = groups_[removed.group];
  const std::uint32_t hole = removed.place;
  removed.place = kNowhere;
  note(removed.group);
  const First last = group.classes.back();
  group.classes.pop_back();
  if (hole == group.classes.size()) return;
  if (hole > 0 && last.is_before(group.classes[(hole - 1) / 2]))
    rise(group, hole, last);
  else
    sink(group, hole, last);
}

void VirtualTimes::rise(GroupState& group, std::uint32_t hole, First first) {
  for (; hole > 0; hole = (hole - 1) / 2) {
    const First& parent = group.classes[(hole - 1) / 2];
    if (!first.is_before(parent)) break;
    group.classes[hole] = parent;
    classes_[parent.of].place = hole;
  }
  group.classes[hole] = first;
  classes_[first.of].place = hole;
}

}  // namespace reprise::sim
