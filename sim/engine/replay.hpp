// SPDX-License-Identifier: MIT
// Replays a trace on a platform: from the folded trace to predicted times.
//
// How     every rank is a small state machine (a cursor into the trace, a table of requests, a clock) that runs until it has to
//         wait; the network tells when messages arrive and wakes it. No actor, no thread, no unrolled trace. docs/MODEL.md has
//         the equations.
// Once    the simgrid network simulates once per process; the others any number of times.
// Cost    0.2 µs per operation of our own plus the network's (network/flow_network.hpp). Memory: the trace, a cursor per rank,
//         what is in flight.
// Errors  InputError: fewer cores than ranks, a trace that does not hold all ranks. RunError: the replay deadlocked, members of
//         a communicator entered different collectives, an operation makes no sense (a request that is not there).
#pragma once

#include <cstdint>

#include "platforms/placement.hpp"
#include "platforms/platform.hpp"
#include "sim/outcome.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

enum class NetworkKind : std::uint8_t { flow, uncontended, simgrid };  // simgrid: flow as SimGrid solves it

// How a recorded distribution of compute times is played back.
enum class Deltas : std::uint8_t {
  mean,          // every time its mean
  distribution,  // its bins in a fixed interleaved order that plays each as often as it was recorded: totals stay exact
  sample,        // bins drawn at random, by seed, rank and occurrence: the same for the same seed, whatever the platform
};

// What a receive from MPI_ANY_SOURCE (or a probe, or MPI_ANY_TAG) takes.
enum class Wildcards : std::uint8_t {
  recorded,   // what it took when it was recorded: what the program did next depended on it; never deadlocks by itself
  simulated,  // what arrives first in the simulation, of several the one recorded; may deadlock where the order matters
};

struct ReplaySettings {
  platforms::PlacementOrder placement = platforms::PlacementOrder::kBlock;
  NetworkKind network = NetworkKind::flow;
  Deltas deltas = Deltas::distribution;
  Wildcards wildcards = Wildcards::recorded;
  std::uint64_t seed = 1;
  double compute_scale = 1;  // REQUIRES: > 0; 2 makes computing take twice as long
};

Outcome replay(const trace_io::Trace&, const platforms::Platform&, const ReplaySettings&);

}  // namespace reprise::sim
