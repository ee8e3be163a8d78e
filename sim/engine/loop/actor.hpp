// SPDX-License-Identifier: MIT
// One thread of one rank as the replay runs it: where it is in its program, what it waits for, and its accounts.
#pragma once

#include <boost/container/small_vector.hpp>
#include <cstdint>

#include "sim/engine/loop/event_stream.hpp"
#include "sim/engine/loop/request.hpp"
#include "sim/engine/loop/slots.hpp"

namespace reprise::sim {

struct Actor {
  enum class State : std::uint8_t {
    running,        // carrying out events, or not started
    in_requests,    // blocked until `pending` awaited requests have completed
    in_any,         // blocked until `pending` of the requests in `candidates` have completed
    in_probe,       // blocked until a message matches what it probes for
    in_collective,  // blocked in `collective`
    computing,      // on a core that it shares
    catching_up,    // ahead of the network's clock, until that gets there
    finished,
  };
  struct Awaited {
    std::uint32_t request;
    std::int64_t slot;  // −1: of a blocking call, goes with it
  };

  Actor(const trace_io::Programs& programs, Rank its_rank, std::uint32_t its_thread)
      : cursor(programs, its_rank, its_thread), rank(its_rank.value), thread(its_thread) {}

  // The request in a slot; kNothing where it is free.
  std::uint32_t& slot(std::int64_t number) { return slots.at(number); }
  // Null where it is free.
  std::uint32_t* find_slot(std::int64_t number) {
    std::uint32_t* found = slots.find(number);
    return found != nullptr && *found != kNothing ? found : nullptr;
  }

  EventStream cursor;
  std::int32_t rank;
  std::uint32_t thread;
  State state = State::running;
  bool repeats_event = false;  // the event under the cursor has yet to be carried out
  double clock = 0;            // its own; at or ahead of the network's while it runs
  std::uint64_t sent = 0;      // messages
  double entered = 0;          // when the current MPI call began
  double left = 0;             // when the last call ended
  bool is_inside = false;      // an MPI call; kept up where progress depends on it
  double compute = 0, in_mpi = 0, wait = 0;
  // Of `compute`: at the pace of its node's memory, and by how much that is longer than on its core alone.
  double at_memory = 0, longer_by_memory = 0;
  double skipped = 0;            // time that fast-forward has left out; its clock does not know
  double expected = 0;           // what it would have computed had every delta been its mean
  std::uint64_t operations = 0;  // calls begun
  // Of what it sent and received, entered collectives included: 0 over all ranks where all is matched (balance.hpp).
  std::uint64_t balance = 0;
  std::uint32_t ahead = 0;  // calls since its clock was the network's
  std::uint32_t pending = 0;
  // The usual few stand here, not in memory of their own.
  using AwaitedList = boost::container::small_vector<Awaited, 4>;
  AwaitedList awaited;                   // of the current call
  AwaitedList candidates;                // of a call that waits for any or some of its requests
  Slots<std::uint32_t> slots{kNothing};  // requests
  std::uint32_t collective = kNothing;   // the run of the blocking collective that it is in
};

}  // namespace reprise::sim
