// SPDX-License-Identifier: MIT
// One period of a loop as a timed event graph: what ranks compute, when their messages leave, what they wait for. It tells when the ranks will have
// finished periods to come, without a network.
//
// System  every event's time is the maximum over the events before it plus a time: max-plus linear (Baccelli, Cohen, Olsder, Quadrat,
//         "Synchronization and Linearity", 1992, §2). Computing takes what the trace says that this execution takes, in the order in which it is
//         played; messages take what they took in the period that was written down.
// Exact   where messages take the same time in every period. Contention makes them differ: so it is compared with the replay before it is relied
//         upon (graph_loop.hpp).
// Cost    5 ns an event, 20 ns one that computes. 64 bytes an event.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/engine/deltas/delta_player.hpp"

namespace reprise::sim {

class EventGraph {
 public:
  struct Event {
    enum class Kind : std::uint8_t {
      compute,  // A: slot. B: place. FACTOR: of what it plays
      send,     // A: number of the send
      post,     // A: number of the receive
      message,  // waits until the message of the send A has come, TAKES later; COPY more where it could meet the receive B, FACTOR
                // after it was sent, before that was posted
      rendezvous,  // waits until both the send A and the receive B were there, and TAKES more; FACTOR: of a request on its way
    };
    Kind kind = Kind::compute;
    bool is_a_before = false, is_b_before = false;  // A or B belong to the period before
    std::uint32_t rank = 0, a = 0, b = 0;
    double lead = 0;  // the rank's time since the event before
    double takes = 0, factor = 0, copy = 0;
    double after = 0;  // the rank's time behind it
  };

  // Where a rank computes: before the calls of a site.
  struct Place {
    std::uint32_t rank = 0;
    trace_io::SiteId site = trace_io::kNoSite;
    double constant = 0;  // seconds a period that never vary: part of what lies between two events
  };

  // A period of all ranks. PLAYED: by rank.
  void advance(const DeltaPlayer&, const std::vector<const DeltaState*>& played);
  std::uint64_t periods() const { return periods_; }             // advanced by
  const std::vector<double>& clocks() const { return clocks_; }  // by rank, where periods begin
  const std::vector<double>& computed() const {
    return computed_;
  }  // by rank, seconds since it was made
  const std::vector<Place>& places() const { return places_; }
  const std::vector<double>& computed_at() const {
    return computed_at_;
  }  // by place, seconds since it was made
  double latest() const;
  // What the rank's classes have played where its period begins.
  void set_plays(std::uint32_t rank, DeltaState&) const;
  std::size_t size() const { return events_.size(); }

 private:
  friend class LoopTape;
  std::vector<Event> events_;
  std::vector<double> ends_;  // by rank: from its last event to the end of its period
  std::vector<double> clocks_, computed_;
  std::vector<Place> places_;
  std::vector<double> computed_at_;
  std::vector<double> sends_[2], posts_[2];  // times, of this period and the one before
  std::vector<DeltaState::Slot> slots_;
  std::vector<std::uint32_t> slot_ranks_;
  std::uint64_t periods_ = 0;
};

}  // namespace reprise::sim
