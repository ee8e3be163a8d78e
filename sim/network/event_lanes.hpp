// SPDX-License-Identifier: MIT
// Events of the future, of which those that follow many others anyway wait outside the heap: of a million messages that everybody sends at once
// some thousands are in it.
//
// What   a lane is a queue of events whose times do not go down, as the messages that one rank sends at once, or those that come off one
//        link. kInHeap of them are in the heap: whenever one of these is over the first of the others takes its place. What would come before
//        the last of its lane goes to the heap by itself. So the order is that of one heap: by time, then by making (event_heap.hpp).
// Cost   a push behind others O(1), a pop O(log lanes). Memory: 64 bytes a lane, and for each id up to the largest that has waited.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/network/event_heap.hpp"
#include "sim/network/large_pages.hpp"

namespace reprise::sim {

class EventLanes {
 public:
  using Event = TimedEvent;  // of a lane's the upper half of the id is the lane
  using Lane = std::uint32_t;

  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size() + waiting_; }
  const Event& top() const { return heap_.top(); }  // REQUIRES: !empty()
  void clear() {
    heap_.clear();
    lanes_.clear();
    waiting_ = 0;
  }

  // REQUIRES: time ≥ 0, kind < 8.
  void push(double time, std::uint8_t kind, std::uint64_t id) { heap_.push(time, kind, id); }
  Event made_now(double time, std::uint8_t kind, std::uint64_t id) {
    return heap_.made_now(time, kind, id);
  }
  // One of its lane. REQUIRES: no event with this id is in a lane.
  void push(Lane number, double time, std::uint8_t kind, std::uint32_t id) {
    if (lanes_.size() <= number) lanes_.resize(number + std::size_t{1});
    State& lane = lanes_[number];
    Event event = heap_.made_now(time, kind, id);
    if (lane.in_heap == kInHeap && event.time_bits < lane.latest) return heap_.push(event);
    event.made |= Event::kOfLane;
    event.id |= std::uint64_t{number} << 32;
    if (lane.in_heap < kInHeap) {
      lane.ids[(lane.next + lane.in_heap) % kInHeap] = id;
      lane.latest = lane.in_heap == 0 ? event.time_bits : std::max(lane.latest, event.time_bits);
      ++lane.in_heap;
      return heap_.push(event);
    }
    if (places_.size() <= id) places_.resize(id + std::size_t{1});
    places_[id] = {event.time_bits, event.made, kNothing};
    (lane.first == kNothing ? lane.first : places_[lane.last].next) = id;
    lane.last = id;
    lane.latest = event.time_bits;
    ++waiting_;
  }

  void pop() {  // REQUIRES: !empty()
    pop([](unsigned, const Event&) {});
  }
  // Calls risen as EventHeap does, and with 5 and 4 steps for those that come up in their lane. Where many of a lane are of one instant
  // the heap is no measure: they come one after the other.
  template <class Risen>
  void pop(Risen risen) {
    const Event& over = heap_.top();
    if (!over.is_of_lane()) return heap_.pop(risen);
    const auto number = static_cast<Lane>(over.id >> 32);
    State& lane = lanes_[number];
    lane.next = (lane.next + 1) % kInHeap;
    if (lane.first == kNothing) {
      --lane.in_heap;
      return heap_.pop(risen);
    }
    const std::uint32_t id = lane.first;
    const Event next = event(number, id);
    const bool is_of_one_instant = next.time_bits == over.time_bits;
    lane.ids[(lane.next + kInHeap - 1) % kInHeap] = id;
    lane.first = places_[id].next;
    --waiting_;
    if (lane.first != kNothing) risen(5, event(number, lane.first));
    risen(4, next);
    if (!is_of_one_instant) return heap_.replace_top(next, risen);
    heap_.replace_top(next, [](unsigned, const Event&) {});
    for (unsigned steps = 4; steps-- > 0;) {
      Event soon = next;
      soon.id = std::uint64_t{number} << 32 | lane.ids[(lane.next + kAfter * steps) % kInHeap];
      risen(steps, soon);
    }
  }

 private:
  static constexpr std::uint32_t kNothing = ~std::uint32_t{0};
  // Few events cost less in the heap than beside it, and come near the top one after the other.
  static constexpr std::uint32_t kInHeap = 8;
  // Events from one step to the next of those of one instant.
  static constexpr std::uint32_t kAfter = 2;
  struct alignas(64) State {   // one cache line
    std::uint64_t latest = 0;  // time of those in the heap and those that wait
    std::uint32_t first = kNothing, last = kNothing;  // ids of those that wait
    std::uint32_t in_heap = 0;
    std::uint32_t next = 0;                    // in ids: who is over next
    std::array<std::uint32_t, kInHeap> ids{};  // of those in the heap, one after the other
  };
  struct Place {
    std::uint64_t time_bits, made;
    std::uint32_t next;  // id of the event behind it
  };
  Event event(Lane lane, std::uint32_t id) const {
    return {places_[id].time_bits, places_[id].made, std::uint64_t{lane} << 32 | id};
  }

  EventHeap heap_;
  LargeArray<State> lanes_;
  LargeArray<Place> places_;  // of those that wait, by id
  std::size_t waiting_ = 0;
};

}  // namespace reprise::sim
