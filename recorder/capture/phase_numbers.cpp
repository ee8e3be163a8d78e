// SPDX-License-Identifier: MIT
#include "recorder/capture/phase_numbers.hpp"

#include <algorithm>
#include <tuple>

namespace reprise::recorder {
namespace {

using trace_io::kNone;
using trace_io::RequestOrder;
using Role = CallShape::Role;
using Use = CallShape::Use;

bool is_wild_receive(const PhaseCall& call) {
  return call.shape->is_receive && (call.number(call.shape->peer) == trace_io::kAnySource ||
                                    call.number(call.shape->tag) == trace_io::kAnyTag);
}

}  // namespace

void PhaseNumbers::begin(std::span<const PhaseCall> calls) {
  for (const Member& member : members_) member_of_[member.slot] = kNobody;
  members_.clear();
  completed_ = persistent_ = persistent_completed_ = 0;
  has_wild_ = false;
  const auto seen = [&](std::uint32_t slot) -> Member* {
    if (slot >= member_of_.size()) member_of_.resize(std::size_t{slot} * 2 + 16, kNobody);
    return member_of_[slot] == kNobody ? nullptr : &members_[member_of_[slot]];
  };
  for (const PhaseCall& call : calls) {
    if (call.is(Role::start)) has_wild_ = has_wild_ || is_wild_receive(call);
    if (!call.is(Role::completion)) continue;
    for (const std::int64_t number : call.list(call.shape->requests)) {
      const auto slot = static_cast<std::uint32_t>(number);
      if (seen(slot) != nullptr) continue;
      const Request& request = table_[slot];
      member_of_[slot] = static_cast<std::uint32_t>(members_.size());
      members_.push_back({slot, table_.has_age(slot), request.any_source || request.any_tag});
      has_wild_ = has_wild_ || members_.back().is_wild;
      persistent_ += request.persistent ? 1 : 0;
    }
    for (const std::int64_t number : call.list(call.shape->completed)) {
      Member* member = seen(static_cast<std::uint32_t>(number));
      if (member == nullptr) continue;
      member->has_ended = true;
      ++completed_;
      persistent_completed_ += table_[member->slot].persistent ? 1 : 0;
    }
  }
  for (std::size_t i = 0; i < calls.size(); ++i)
    if (calls[i].is(Role::start))
      if (Member* member = seen(calls[i].started())) member->start = static_cast<std::int64_t>(i);
  for (Member& member : members_) {
    if (member.start >= 0) continue;
    member.number = number_of(member.slot);
    if (member.has_age) member.place = table_.order().place_of(member.slot);
  }
}

bool PhaseNumbers::is_exact(std::uint32_t slot) const {
  if (slot >= member_of_.size() || member_of_[slot] == kNobody) return true;
  const Member& member = members_[member_of_[slot]];
  return member.is_wild || (!member.has_age && persistent_completed_ < persistent_);
}

std::int64_t PhaseNumbers::number_of(std::uint32_t name) {
  return table_.has_age(name) ? table_.order().age_of(name) : std::int64_t{name};
}

// The names of two requests change places.
void PhaseNumbers::call_it(std::uint32_t slot, std::uint32_t name) {
  const std::uint32_t most = std::max(slot, name);
  while (names_.size() <= most) {
    holders_.push_back(static_cast<std::uint32_t>(names_.size()));
    names_.push_back(static_cast<std::uint32_t>(names_.size()));
  }
  const std::uint32_t other = holders_[name], left = names_[slot];
  names_[slot] = name;
  holders_[name] = slot;
  names_[other] = left;
  holders_[left] = other;
}

void PhaseNumbers::start(PhaseCall& call) {
  const std::uint32_t slot = call.started();
  if (!table_.has_age(slot)) return;
  table_.order().start(slot);
  call.number(call.shape->request) = RequestOrder::kNewest;
}

void PhaseNumbers::complete_some(PhaseCall& call) {
  auto& requests = call.list(call.shape->requests);
  auto& completed = call.list(call.shape->completed);
  candidates_.clear();
  for (const std::int64_t number : requests) {
    const auto slot = static_cast<std::uint32_t>(number);
    const std::uint32_t name = name_of(slot);
    candidates_.push_back({number_of(name), name, table_.has_age(name), is_exact(slot), false});
  }
  std::ranges::sort(candidates_, {}, &Candidate::number);
  for (std::size_t i = 0; i < requests.size(); ++i) requests[i] = candidates_[i].number;

  std::size_t next[2] = {0, 0};  // with and without an age
  for (std::int64_t& number : completed) {
    const auto slot = static_cast<std::uint32_t>(number);
    if (is_exact(slot)) {
      number = number_of(name_of(slot));
      continue;
    }
    const bool has_age = table_.has_age(slot);
    std::size_t& first = next[has_age ? 0 : 1];
    while (first < candidates_.size() &&
           (candidates_[first].has_age != has_age || candidates_[first].is_exact))
      ++first;
    const Candidate& chosen = candidates_[first++];  // there are as many as have completed
    call_it(slot, chosen.name);
    number = chosen.number;
  }
  call.sort_completed();
  complete_said(completed);
}

void PhaseNumbers::complete_said(const std::vector<std::int64_t>& completed) {
  RequestOrder& order = table_.order();
  for (const std::int64_t number : completed)
    if (number <= RequestOrder::kNewest)
      if (const std::uint32_t slot = order.slot_of(number); slot != RequestOrder::kNoSlot)
        order.end(slot);
  order.sweep();
}

void PhaseNumbers::end() {
  RequestOrder& order = table_.order();
  places_.clear();
  left_.clear();
  for (const Member& member : members_) {
    if (!member.has_age || member.is_wild) continue;
    if (const std::size_t place = order.place_of(member.slot); place < order.size())
      places_.push_back(place);
    if (!member.has_ended) left_.push_back(&member);
  }
  std::ranges::sort(places_);
  std::ranges::sort(left_, {}, [](const Member* m) { return std::tuple(m->start, m->place); });
  for (std::size_t i = 0; i < std::min(left_.size(), places_.size()); ++i)
    order.put(places_[i], left_[i]->slot);
  for (const Member& member : members_)
    for (const std::uint32_t slot : {member.slot, name_of(member.slot)})
      if (slot < names_.size()) names_[slot] = holders_[slot] = slot;
}

void PhaseNumbers::name_one(std::int64_t& number, bool ends) {
  if (number == kNone) return;
  const auto slot = static_cast<std::uint32_t>(number);
  number = number_of(slot);
  if (ends && number <= RequestOrder::kNewest) table_.order().end(slot);
}

void PhaseNumbers::settle(PhaseCall& call) {
  const CallShape& shape = *call.shape;
  if (shape.use == Use::none) return;
  if (shape.use == Use::starts) {
    if (call.number(shape.request) != kNone) start(call);
    return;
  }
  const bool ends = shape.use == Use::completes;
  if (shape.request >= 0) name_one(call.number(shape.request), ends);
  if (shape.requests >= 0)
    for (std::int64_t& number : call.list(shape.requests)) name_one(number, ends);
  if (shape.completed >= 0)
    for (std::int64_t& number : call.list(shape.completed)) name_one(number, true);
  table_.order().sweep();
}

}  // namespace reprise::recorder
