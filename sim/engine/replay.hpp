// SPDX-License-Identifier: MIT
// Replays a trace on a platform: from the folded trace to predicted times.
//
// How     every rank is a small state machine (a cursor into the trace, a table of requests, a clock) that runs until it has to
//         wait; the network tells when messages arrive and wakes it. No actor, no thread, no unrolled trace. docs/MODEL.md has
//         the equations.
// Once    the simgrid network simulates once per process; the others any number of times.
// Cost    0.2 µs per operation of our own plus the network's (network/flow_network.cpp). Memory: the trace, a cursor per rank,
//         what is in flight.
// Errors  InputError: a compute rule that matches nothing, links, nodes or ranks of a condition that are not there, a trace that does not hold all ranks. ReplayError: the replay deadlocked, members of
//         a communicator entered different collectives, an operation makes no sense (a request that is not there).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "platforms/placement.hpp"
#include "platforms/platform.hpp"
#include "sim/conditions.hpp"
#include "sim/engine/compute/compute_scaling.hpp"
#include "sim/engine/deltas/delta_player.hpp"
#include "sim/network/network_model.hpp"
#include "sim/outcome.hpp"
#include "sim/replay_error.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

class Observation;
class ReplayWatch;

// What a receive from MPI_ANY_SOURCE (or a probe, or MPI_ANY_TAG) takes.
enum class Wildcards : std::uint8_t {
  recorded,   // what it took when it was recorded
  simulated,  // a blocking one what arrives first in the simulation, as far as the program would have gone on alike
              // (wildcard_window.hpp); at one moment, and for all others, the recorded one
};

struct ReplaySettings {
  platforms::Placement placement;
  NetworkKind network = NetworkKind::flow;
  Bytes
      analytic_below;  // in `flow`, messages of fewer bytes are timed as if alone (network/flow_network.cpp)
  double flow_tolerance =
      0.001;  // in `flow`, of the rates of flows where very many meet, relative; 0: exact (network/flow_network.cpp)
  Deltas deltas = Deltas::ordered;
  Wildcards wildcards = Wildcards::simulated;
  std::uint64_t seed = 1;
  bool fast_forward = true;  // leave out iterations that repeat (engine/fast_forward.hpp)
  double forward_within =
      0.005;  // where deltas vary: how well the mean time of an iteration has to be known for that, relative
  std::vector<ComputeRule> compute;    // for parts of the program, ranks or nodes
  BytesPerSecond memory_traffic;       // of a rank while it computes, as recorded; 0: not known
  Conditions conditions;               // degraded links, slow nodes, noise
  Observation* observation = nullptr;  // filled by replay() where there is one (observation.hpp)
  ReplayWatch* watch = nullptr;  // told how far it is, where there is one (sim/replay_watch.hpp)
  double compute_scale = 1;      // REQUIRES: > 0; 2 makes computing take twice as long
};

// A deadlock, or a message cut short, after wildcards had taken other messages than when recorded. The replay is repeated with the
// recorded order where the network can simulate twice.
class WildcardDeadlock : public ReplayError {
 public:
  explicit WildcardDeadlock(const ReplayError& error) : ReplayError(error) {}
};

Outcome replay(const trace_io::Trace&, const platforms::Platform&, const ReplaySettings&);

}  // namespace reprise::sim
