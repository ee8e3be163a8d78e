// SPDX-License-Identifier: MIT
// What a thread's events count between its calls, by the call before and the call after.
//
// Reading  when a call begins, after the clock, and when the recorder is done with it, before the clock: what a reading takes is in no
//          compute time, and hardly in the counts; what two readings one after the other count is taken off each of them.
// Polls    counts go where the time of failed polls goes (thread_recorder.hpp).
// Cost     two readings (event_group.hpp) and a look into a table, each call and each failed poll.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>

#include "recorder/counters/event_group.hpp"

namespace reprise::recorder {

class ThreadCounters {
 public:
  // Of the calling thread. BEFORE: the call that it made last.
  ThreadCounters(std::span<const trace_io::CounterEvent> wanted, trace_io::SiteId before) noexcept;

  // The thread goes into a call; the recorder has done with it.
  void enter() noexcept { group_.read(entered_); }
  void leave() noexcept { group_.read(left_); }
  // The recorder has worked since enter() and was not in a call: that counts nowhere.
  void leave_out() noexcept;
  // A failed poll: what was counted before it goes with the time inside of polls, or with that before them.
  void poll(bool is_of_polls) noexcept;

  // Which counts the compute time before a call has: those before the first failed poll; those, and what came after the last one; or
  // what was counted in polls as well.
  enum class Share : std::uint8_t { before_polls, without_polls, everything };
  // The thread has called `site` after this compute time. May throw std::bad_alloc.
  void called(trace_io::SiteId site, Nanoseconds compute, Share);
  // The thread has called `site`, and nothing is told of what it computed before.
  void follow(trace_io::SiteId site) noexcept { last_ = site; }
  // What was counted since the last call is of no recorded time.
  void discard() noexcept { before_polls_ = in_polls_ = {}; }

  // The thread ends: nothing is counted any more, what was stays.
  void settle() noexcept {
    group_.close();
    left_ = entered_;  // as they stand still, nothing lies between them
  }

  struct Total {
    EventGroup::Values counts{};
    Nanoseconds time{};
  };
  using Way = std::pair<trace_io::SiteId, trace_io::SiteId>;  // the call after, the call before
  struct WayHash {
    std::size_t operator()(const Way& way) const {
      return static_cast<std::size_t>(
          ((std::uint64_t{way.first} << 32U) | way.second) * 0x9e3779b97f4a7c15u >> 16U);
    }
  };
  using Totals = std::unordered_map<Way, Total, WayHash>;
  const Totals& totals() const { return totals_; }
  const EventGroup& group() const { return group_; }

 private:
  void add_gap(EventGroup::Values& to) const noexcept;

  EventGroup group_;
  EventGroup::Values own_{};  // of two readings one after the other
  EventGroup::Values entered_{}, left_{}, before_polls_{}, in_polls_{};
  trace_io::SiteId last_;
  Totals totals_;
};

}  // namespace reprise::recorder
