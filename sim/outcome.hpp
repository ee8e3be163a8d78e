// SPDX-License-Identifier: MIT
// What a replay found out: plain values, ready for text and JSON (design of the JSON: README of the replay verb).
//
// A rank's times, for a rank with several threads summed over them (finish: the last one's):
//   compute        what the program did between MPI calls: the recorded deltas times the compute scale, and what noise and slow
//                  nodes add to it
//   wait           blocked inside MPI before the partner had done its part: a receive until the send is called, a rendezvous send
//                  until the receive is posted; collectives likewise, message by message
//   communication  the rest of the time inside MPI: overheads, latency, transfer, handshakes, recorded time of unmodelled calls
//   finish         simulated time of the rank's last event; compute + communication + wait of a rank with one thread
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platforms/settings_use.hpp"
#include "trace-io/base/quantity.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

struct RankOutcome {
  Rank rank;
  Seconds compute, communication, wait, finish;
};

// What fast-forward left out.
struct Forwarded {
  std::uint64_t skipped_iterations = 0;  // of loops, all ranks at once
  Seconds
      error_bound;     // of the predicted time; for drawn deltas that of a 99 % confidence interval
  std::string reason;  // why nothing was left out; empty where something was
  bool was_refused = false;  // nothing, although there was a loop that is long enough
};

// Computing at the pace of nodes' memory (engine/compute/memory_sharing.hpp), over all ranks.
struct MemoryBound {
  Seconds time, longer;  // computed so; what of it the same work would not have taken on its cores
  std::uint32_t nodes = 0;  // where that was
};

struct Outcome {
  Seconds predicted_time;   // from the end of MPI_Init to the last rank's last event
  std::string network;      // its model's name: "flow"
  std::string collectives;  // whose choice of algorithms: "open-mpi-4.1"
  std::uint64_t seed = 0;
  std::uint64_t operations = 0;  // MPI calls replayed, over all ranks
  std::uint64_t messages = 0;    // payloads sent, those of collectives included, handshakes not
  // Calls on several requests that completed others than when they were recorded, and wildcards that took other messages.
  std::uint64_t reordered_completions = 0, reordered_wildcards = 0;
  bool kept_wildcards = false;  // some had to take the recorded message, where another could come
  bool wildcards_as_recorded = false;  // because their order in the simulation led into a deadlock
  std::vector<RankOutcome> ranks;      // by rank
  Forwarded forwarded;
  std::uint64_t crowds = 0;  // times that flows were solved within a tolerance
  Seconds noise;             // that computing was interrupted for, over all ranks
  MemoryBound memory;
  std::vector<std::string> no_effect;  // changes that changed nothing: who asked for them, and why
  std::vector<trace_io::Loss> losses;  // the trace's and the replay's own, ordered by name
  platforms::SettingsUse used;         // what the replay came across of the platform's settings
};

}  // namespace reprise::sim
