// SPDX-License-Identifier: MIT
// Events of the future, earliest first; at one time, in the order of their making.
//
// What     an event is a kind (below 8) and a number, whatever the owner means by them.
// Cost     push and pop O(log n) on a flat 4-ary heap of 24-byte entries (four children share two cache lines). Times and numbers
//          of making are compared as one 128-bit integer, without a branch: which child is the earliest is nobody's guess.
// Forecast pop() tells which events have come near the top: whoever has tens of thousands of events under way can have their
//          data fetched before their time comes.
// Indexed  an IndexedEventHeap knows where each event is, and holds at most one of each id: its time can be changed, and it can be
//          taken out. Memory: 4 bytes for each id up to the largest.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include "sim/network/large_pages.hpp"

namespace reprise::sim {

struct TimedEvent {
  static constexpr std::uint64_t kKinds = 8, kOfLane = 8, kStep = 16;
  std::uint64_t time_bits;  // of a double that is not negative: they order as the numbers do
  std::uint64_t
      made;  // number of its making · 16 + kind, + 8 where it is a lane's (event_lanes.hpp)
  std::uint64_t id;
  double time() const { return std::bit_cast<double>(time_bits); }
  bool is_of_lane() const { return (made & kOfLane) != 0; }
  std::uint8_t kind() const { return static_cast<std::uint8_t>(made % kKinds); }

  __extension__ using Key = unsigned __int128;
  Key key() const { return static_cast<Key>(time_bits) << 64 | made; }
};

template <bool kIsIndexed>
class BasicEventHeap {
 public:
  using Event = TimedEvent;

  bool empty() const { return events_.empty(); }
  std::size_t size() const { return events_.size(); }
  const Event& top() const { return events_.front(); }  // REQUIRES: !empty()
  void clear() {
    events_.clear();
    places_.clear();
    is_in_order_ = true;
  }

  // REQUIRES: time ≥ 0, kind < 8.
  void push(double time, std::uint8_t kind, std::uint64_t id) {
    rise(grown(), made_now(time, kind, id));
  }
  // An event as if it were made now, for a heap beside this one: the order of making is that of both.
  Event made_now(double time, std::uint8_t kind, std::uint64_t id) {
    return {std::bit_cast<std::uint64_t>(time + 0.0), made_++ * Event::kStep + kind, id};
  }

  void push(const Event& event) { rise(grown(), event); }
  // Instead of the top, which is over. Calls risen as pop() does. REQUIRES: !empty().
  template <class Risen>
  void replace_top(const Event& event, Risen risen) requires(!kIsIndexed) {
    sink(0, event, risen);
  }

  // Instead of the event with this id, if there is one. Calls risen as pop() does.
  void set(const Event& event) requires kIsIndexed {
    set(event, [](unsigned, const Event&) {});
  }
  template <class Risen>
  void set(const Event& event, Risen risen) requires kIsIndexed {
    if (places_.size() <= event.id) places_.resize(event.id + 1, kNowhere);
    const std::uint32_t place = places_[event.id];
    if (place == kNowhere)
      rise(grown(), event);
    else if (event.key() < events_[place].key())
      rise(place, event);
    else
      sink(place, event, risen);
  }
  // set() of one of at most so many, until order(); nothing else may be asked in between. Where these are most of all they are put in order
  // together, which is O(all events), and for one of them a fraction of what set() costs.
  void set_among(std::size_t many, const Event& event) requires kIsIndexed {
    is_in_order_ = is_in_order_ && 2 * many <= size() + kFew;
    if (is_in_order_) return set(event);
    if (places_.size() <= event.id) places_.resize(event.id + 1, kNowhere);
    const std::uint32_t place = places_[event.id];
    put(place == kNowhere ? grown() : place, event);
  }
  void order() requires kIsIndexed {  // R. Floyd, Algorithm 245: Treesort 3, CACM 7(12), 1964
    for (std::size_t place = is_in_order_ ? 0 : (size() + kArity - 2) / kArity; place-- > 0;)
      sink(place, Event(events_[place]), [](unsigned, const Event&) {});
    is_in_order_ = true;
  }
  // Nothing happens where there is none.
  void remove(std::uint64_t id) requires kIsIndexed {
    if (id >= places_.size() || places_[id] == kNowhere) return;
    const std::uint32_t place = places_[id];
    places_[id] = kNowhere;
    const Event last = events_.back();
    events_.pop_back();
    if (place == events_.size()) return;
    if (place > 0 && last.key() < events_[(place - 1) / kArity].key())
      rise(place, last);
    else
      sink(place, last, [](unsigned, const Event&) {});
  }

  void pop() {  // REQUIRES: !empty()
    pop([](unsigned, const Event&) {});
  }

  // Calls risen(steps, event) for the events that are now so many steps, 0 to 5, from the top.
  template <class Risen>
  void pop(Risen risen) {
    if constexpr (kIsIndexed) places_[top().id] = kNowhere;
    const Event last = events_.back();
    events_.pop_back();
    if (!events_.empty()) sink(0, last, risen);
  }

 private:
  using Key = Event::Key;
  static constexpr std::size_t kArity = 4, kFew = 32;
  static constexpr unsigned kForecast = 5;
  static constexpr std::uint32_t kNowhere = ~std::uint32_t{0};

  void choose(std::size_t child, std::size_t& least, Key& smallest) const {
    const Key other = events_[child].key();
    const bool is_less = other < smallest;
    least = is_less ? child : least;
    smallest = is_less ? other : smallest;
  }
  void put(std::size_t place, const Event& event) {
    events_[place] = event;
    if constexpr (kIsIndexed) places_[event.id] = static_cast<std::uint32_t>(place);
  }
  std::size_t grown() {  // by a place, at the end
    events_.emplace_back();
    return events_.size() - 1;
  }

  void rise(std::size_t hole, const Event& event) {
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / kArity;
      if (event.key() >= events_[parent].key()) break;
      put(hole, events_[parent]);
      hole = parent;
    }
    put(hole, event);
  }

  template <class Risen>
  void sink(std::size_t hole, const Event& event, Risen risen) {
    const std::size_t size = events_.size();
    const Key limit = event.key();
    for (unsigned steps = 0;; ++steps) {
      const std::size_t first = hole * kArity + 1;
      if (first >= size) break;
      std::size_t least = first;
      Key smallest = events_[first].key();
      if (first + kArity <= size) {  // all children are there
        for (std::size_t child = first + 1; child < first + kArity; ++child)
          choose(child, least, smallest);
      } else {
        for (std::size_t child = first + 1; child < size; ++child) choose(child, least, smallest);
      }
      if (smallest >= limit) break;
      put(hole, events_[least]);
      if (steps <= kForecast) risen(steps, events_[hole]);
      hole = least;
    }
    put(hole, event);
  }

  LargeArray<Event> events_;
  std::uint64_t made_ = 0;
  bool is_in_order_ = true;
  LargeArray<std::uint32_t> places_;  // by id; where indexed
};

using EventHeap = BasicEventHeap<false>;
using IndexedEventHeap = BasicEventHeap<true>;

}  // namespace reprise::sim
