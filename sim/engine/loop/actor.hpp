// SPDX-License-Identifier: MIT
// One thread of one rank as the replay runs it: where it is in its program, what it waits for, and its accounts.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/engine/compute/delta_player.hpp"
#include "sim/engine/loop/event_stream.hpp"
#include "sim/engine/loop/request.hpp"
#include "sim/engine/point_to_point/matching.hpp"
#include "sim/engine/point_to_point/wildcard_lookahead.hpp"

namespace reprise::sim {

struct Actor {
  enum class State : std::uint8_t {
    running,      // inside Interpreter::run, or not started
    in_requests,  // blocked until `pending` awaited requests have completed
    in_any,       // blocked until `pending` of the requests in `candidates` have completed
    in_probe,     // blocked until a message matches `probe`
    in_run,       // blocked in a collective
    computing,    // on a core that it shares
    catching_up,  // ahead of the network's clock, until that gets there
    finished,
  };

  Actor(const trace_io::Programs& programs, Rank its_rank, std::uint32_t its_thread)
      : cursor(programs, its_rank, its_thread), rank(its_rank.value), thread(its_thread) {
    deltas.rank = its_rank;
    deltas.thread = its_thread;
  }

  EventStream cursor;
  std::int32_t rank;
  std::uint32_t thread;
  State state = State::running;
  bool repeats_event = false;  // the event under the cursor has yet to be carried out
  double clock = 0;            // its own; at or ahead of the network's while it runs
  double entered = 0;          // when the current MPI call began
  double left = 0;             // when the last call ended
  bool is_inside = false;      // an MPI call; kept up where progress depends on it
  double compute = 0, in_mpi = 0, wait = 0;
  double skipped = 0;   // time that it has jumped over (fast_forward.hpp); its clock does not know
  double expected = 0;  // what it would have computed had every delta been its mean
  std::uint64_t operations = 0, sent = 0;  // calls begun, messages sent
  std::uint64_t balance =
      0;  // of what it sent and received, entered collectives included: 0 over all ranks where all is matched
  std::uint32_t ahead = 0;  // operations since its clock was the network's
  std::uint32_t pending = 0;
  struct Awaited {
    std::uint32_t request;
    std::int64_t slot;  // −1: of a blocking call, goes with it
  };
  std::vector<Awaited> awaited;            // of the current call
  std::vector<Awaited> candidates;         // of a call that waits for any or some of its requests
  std::vector<std::uint32_t> slots;        // requests by slot, kNothing where free
  std::vector<PersistentCall> persistent;  // by slot, where it holds a persistent request
  std::vector<std::uint32_t> messages;     // matched messages by slot, likewise
  Pattern probe;
  bool is_choosing = false;      // in_probe for a wildcard that takes what comes first
  double to_compute = 0;         // while computing: CPU time of the current stretch
  std::uint32_t run = kNothing;  // the blocking collective it is in
  DeltaState deltas;
  std::unique_ptr<WildcardScout> scout;  // made at the first wildcard receive that needs it
};

}  // namespace reprise::sim
