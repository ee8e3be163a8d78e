// SPDX-License-Identifier: MIT
// Events of the future, earliest first; at one time, in the order of their making.
//
// Cost  push and pop O(log n) on a flat 4-ary heap of 24-byte entries (four children share a cache line and a half).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace reprise::sim {

template <class Payload>
class EventHeap {
 public:
  struct Event {
    double time;
    std::uint64_t sequence;
    Payload payload;
    bool before(const Event& other) const {
      return time != other.time ? time < other.time : sequence < other.sequence;
    }
  };

  bool empty() const { return events_.empty(); }
  std::size_t size() const { return events_.size(); }
  const Event& top() const { return events_.front(); }  // REQUIRES: !empty()
  void clear() { events_.clear(); }

  void push(double time, Payload payload) {
    const Event event{time, sequence_++, payload};
    std::size_t hole = events_.size();
    events_.push_back(event);
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / kArity;
      if (!event.before(events_[parent])) break;
      events_[hole] = events_[parent];
      hole = parent;
    }
    events_[hole] = event;
  }

  void pop() {  // REQUIRES: !empty()
    const Event last = events_.back();
    events_.pop_back();
    if (events_.empty()) return;
    std::size_t hole = 0;
    for (;;) {
      const std::size_t first = hole * kArity + 1;
      if (first >= events_.size()) break;
      std::size_t least = first;
      const std::size_t end = first + kArity < events_.size() ? first + kArity : events_.size();
      for (std::size_t child = first + 1; child < end; ++child)
        if (events_[child].before(events_[least])) least = child;
      if (!events_[least].before(last)) break;
      events_[hole] = events_[least];
      hole = least;
    }
    events_[hole] = last;
  }

 private:
  static constexpr std::size_t kArity = 4;
  std::vector<Event> events_;
  std::uint64_t sequence_ = 0;
};

}  // namespace reprise::sim
