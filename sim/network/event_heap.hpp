// SPDX-License-Identifier: MIT
// Events of the future, earliest first; at one time, in the order of their making.
//
// What     an event is a kind (below 8) and a number, whatever the owner means by them.
// Cost     push and pop O(log n) on a flat 4-ary heap of 24-byte entries (four children share two cache lines). Times and numbers
//          of making are compared as one 128-bit integer, without a branch: which child is the earliest is nobody's guess.
// Forecast pop() tells which events have come near the top: whoever has tens of thousands of events under way can have their
//          data fetched before their time comes.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace reprise::sim {

class EventHeap {
 public:
  struct Event {
    std::uint64_t time_bits;  // of a double that is not negative: they order as the numbers do
    std::uint64_t made;       // number of its making · 8 + kind
    std::uint64_t id;
    double time() const { return std::bit_cast<double>(time_bits); }
    std::uint8_t kind() const { return static_cast<std::uint8_t>(made % kKinds); }
  };

  bool empty() const { return events_.empty(); }
  std::size_t size() const { return events_.size(); }
  const Event& top() const { return events_.front(); }  // REQUIRES: !empty()
  void clear() { events_.clear(); }

  // REQUIRES: time ≥ 0, kind < 8.
  void push(double time, std::uint8_t kind, std::uint64_t id) {
    const Event event{std::bit_cast<std::uint64_t>(time + 0.0), made_++ * kKinds + kind, id};
    std::size_t hole = events_.size();
    events_.push_back(event);
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / kArity;
      if (key(event) >= key(events_[parent])) break;
      events_[hole] = events_[parent];
      hole = parent;
    }
    events_[hole] = event;
  }

  void pop() {  // REQUIRES: !empty()
    pop([](unsigned, const Event&) {});
  }

  // Calls risen(steps, event) for the events that are now so many steps, 0 to 3, from the top.
  template <class Risen>
  void pop(Risen risen) {
    const Event last = events_.back();
    events_.pop_back();
    if (events_.empty()) return;
    const std::size_t size = events_.size();
    const Key limit = key(last);
    std::size_t hole = 0;
    for (unsigned steps = 0;; ++steps) {
      const std::size_t first = hole * kArity + 1;
      if (first >= size) break;
      std::size_t least = first;
      Key smallest = key(events_[first]);
      if (first + kArity <= size) {  // all children are there
        for (std::size_t child = first + 1; child < first + kArity; ++child)
          choose(child, least, smallest);
      } else {
        for (std::size_t child = first + 1; child < size; ++child) choose(child, least, smallest);
      }
      if (smallest >= limit) break;
      events_[hole] = events_[least];
      if (steps <= kForecast) risen(steps, events_[hole]);
      hole = least;
    }
    events_[hole] = last;
  }

 private:
  __extension__ using Key = unsigned __int128;
  static constexpr std::size_t kArity = 4;
  static constexpr std::uint64_t kKinds = 8;
  static constexpr unsigned kForecast = 3;

  static Key key(const Event& event) {
    return static_cast<Key>(event.time_bits) << 64 | event.made;
  }
  void choose(std::size_t child, std::size_t& least, Key& smallest) const {
    const Key other = key(events_[child]);
    const bool is_less = other < smallest;
    least = is_less ? child : least;
    smallest = is_less ? other : smallest;
  }

  std::vector<Event> events_;
  std::uint64_t made_ = 0;
};

}  // namespace reprise::sim
