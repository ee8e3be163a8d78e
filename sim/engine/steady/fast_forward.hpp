// SPDX-License-Identifier: MIT
// Leaves out iterations that repeat: all ranks jump the same number of iterations at the same iteration of the same loop.
//
// Which loops  those that all ranks execute (the trace's loop nodes have one identity for all of them), of 16 iterations or more; a
//              loop inside one that does not become steady counts as well, each of its executions on its own. When a loop's
//              iterations repeat is steady_loop.hpp's affair.
// Time         the network knows nothing of a jump: its clock goes on as if the ranks had come to the end of the loop early. Every
//              rank keeps the time that it has jumped over (Actor::skipped); reported times are its clock and that.
// Accounts     operations, messages, computing, waiting are counted as if the iterations had been replayed.
// Cost         below 0.1 µs a rank and iteration while a loop is watched, nothing elsewhere.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/engine/steady/graph_loop.hpp"
#include "sim/engine/steady/jumps.hpp"
#include "sim/engine/steady/steady_loop.hpp"
#include "sim/outcome.hpp"

namespace reprise::sim {

class FastForward {
 public:
  // REQUIRES: one actor for each of the ranks, in their order.
  // FORETELL: null members where compute times cannot be foretold.
  FastForward(std::size_t ranks, SteadySettings settings, GraphLoop::Settings foretell)
      : ranks_(ranks), settings_(settings), foretell_(foretell) {
    settings_.jumps = foretell_.jumps = &jumps_;
  }

  // The actor's cursor stands at the first event of an iteration of at least one loop. Whether it has jumped.
  bool on_iteration(Actor& actor, std::uint32_t rank);
  // Whether on_iteration() is to be called although no loop may be jumped any more: while ranks that run behind have yet to make a jump that others have
  // made. Ends what only jumps to come would need.
  bool goes_on_though_forbidden();
  // FORBIDDEN: why no loop is jumped any more; null where loops may be.
  Forwarded outcome(const char* forbidden) const;

 private:
  struct Loop {
    std::vector<std::uint32_t> executions;  // begun, by rank
    std::array<std::unique_ptr<SteadyLoop>, 2>
        watched;  // ranks may be in one execution and the next
    std::array<std::unique_ptr<GraphLoop>, 2> foretold;
  };
  SteadyLoop* watched(Loop&, std::uint32_t rank, const trace_io::Cursor::LoopPlace&);

  void begin(Loop&, std::uint64_t execution, const trace_io::Cursor::LoopPlace&);

  const std::size_t ranks_;
  bool has_ended_ = false;
  Jumps jumps_;
  SteadySettings settings_;
  GraphLoop::Settings foretell_;
  std::vector<std::unique_ptr<Loop>> loops_;  // by number
};

}  // namespace reprise::sim
