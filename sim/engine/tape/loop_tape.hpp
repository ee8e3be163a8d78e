// SPDX-License-Identifier: MIT
// What all ranks do in one period of a loop, written down while it is replayed: the stretches that they compute, the messages that they send,
// what they wait for and how long messages take.
//
// How      two periods are followed. In the first, sends and receives get numbers by rank; in the second they are written down, in the order in
//          which the replay carries them out, so that whatever is waited for stands before the wait. A message that was sent in the first
//          period and is waited for in the second comes from the period before.
// Given up where a period holds what cannot be told from its messages: messages that are on the way for longer than a period,
//          computing on shared cores, collectives that do not block.
// Cost     some 10 ns an event while it is followed, nothing else; 64 bytes an event of the second period.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/engine/deltas/delta_player.hpp"
#include "sim/engine/tape/event_graph.hpp"

namespace reprise::sim {

class LoopTape {
 public:
  LoopTape(std::size_t ranks, const DeltaPlayer& player) : player_(player), ranks_(ranks) {}

  // The rank begins its first or second period, or what comes behind it. PLAYED: of the rank.
  void begin_period(std::uint32_t rank, double clock, const DeltaState& played);
  bool is_complete() const { return ended_ == ranks_.size(); }
  const std::string& problem() const { return problem_; }  // why it was given up; empty: it was not
  void give_up(const char* why) {
    if (problem_.empty()) problem_ = why;
  }
  // All ranks' second period, ready for the next. REQUIRES: is_complete(); look at problem() after it.
  EventGraph graph();

  // Told by the replay. Requests and messages by number; times are clocks.
  // Before a call of SITE. FACTOR: seconds computed for a second that the class played.
  void computed(std::uint32_t rank, trace_io::SiteId site, const trace_io::DeltaClass&,
                const DeltaState& played, double factor, double before, double after);
  void sent(std::uint32_t rank, std::uint32_t message, std::uint32_t request, double at,
            double until_met);
  void posted(std::uint32_t rank, std::uint32_t request, double at);
  void matched(std::uint32_t message, std::uint32_t receive, double at);
  void reached(std::uint32_t message, double at);  // its receiver: it can meet a receive
  void arrived(std::uint32_t message, double at);  // all of it
  // The rank's clock, which was at BEFORE, has gone on to AFTER behind a request that was complete at DONE. COPY: what a message takes
  // that comes before its receive.
  struct Wait {
    double before = 0, done = 0, after = 0, copy = 0;
    bool was_copied = false;
  };
  void awaited(std::uint32_t rank, std::uint32_t request, const Wait&);

 private:
  static constexpr std::uint32_t kUnknown = ~std::uint32_t{0};
  struct Message {
    std::uint32_t from = 0, number = kUnknown, send = kUnknown, receive = kUnknown;
    bool is_rendezvous = false, has_arrived = false;
    double issued = 0, until_met = 0, head = 0, met = 0, arrived = 0;
  };
  struct Request {
    enum class Kind : std::uint8_t { other, send, receive };
    Kind kind = Kind::other;
    std::uint32_t rank = 0, number = kUnknown;
    bool is_matched = false;
    Message message;                           // that it sent, or received
    std::uint32_t to = 0, receive = kUnknown;  // of a send: who received it, and its number there
  };
  struct Rank {
    int period = -1;  // 0, 1; 2 behind them
    double clock = 0;
    std::uint32_t sends = 0, posts = 0;
    std::uint32_t sends_before = 0, posts_before = 0;  // those of the first period
    std::uint32_t sends_after = 0, posts_after = 0;    // and of both
    std::vector<std::uint32_t> slots, places;          // of the graph
  };
  template <class Entries>
  static auto& entry(Entries& entries, std::uint32_t index) {
    if (index >= entries.size()) entries.resize(index + 1);
    return entries[index];
  }
  bool is_written(std::uint32_t rank) const { return ranks_[rank].period == 1; }
  std::uint32_t place(std::uint32_t rank, trace_io::SiteId);
  EventGraph::Event& write(std::uint32_t rank, EventGraph::Event::Kind, double at, double after);

  const DeltaPlayer& player_;
  std::string problem_;
  std::size_t ended_ = 0;
  std::vector<Rank> ranks_;
  std::vector<Message> messages_;  // by number of the message
  std::vector<Request> requests_;  // by number of the request
  // By wait in graph_: who sent what it waits for, and who received it.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends_of_waits_;
  EventGraph graph_;
};

}  // namespace reprise::sim
