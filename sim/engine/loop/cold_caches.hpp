// SPDX-License-Identifier: MIT
// How long ago a rank has computed when it sends and receives, and what that costs (platforms/cold_caches.hpp).
//
// Cold     after computing for a time T a thread's calls and messages find cold caches for as long again, less and less: at a time t
//          later as after T − t of computing. The stretch of computing counts that leaves them cold for longest. As the trace has it:
//          a faster core goes through the same data.
// Code     what a message of no bytes costs more is MPI's own code and data, which the first send, and the first receive, warms for those
//          behind it. What its bytes cost more, each message pays: each has its own.
// Entered  costs are those of the moment at which the call was entered that pays them: what goes on in a call needs no data of the program.
#pragma once

#include <cstdint>
#include <vector>

#include "platforms/platform.hpp"

namespace reprise::sim {

class ColdCaches {
 public:
  explicit ColdCaches(const platforms::Platform&);
  void set_actors(std::size_t count) { states_.resize(is_modelled_ ? count : 0); }
  // Else all costs are 0, and nothing needs to be noted.
  bool is_modelled() const { return is_modelled_; }

  // The actor has computed, before its next call.
  void note_computed(std::uint32_t actor, double seconds) { states_[actor].computed += seconds; }
  // What is added to a send's cost, a receive's, a copy's on the rank itself, by a call entered at that time. On the grid.
  double send(std::uint32_t actor, const platforms::Mpi&, Bytes, double entered);
  double receive(std::uint32_t actor, const platforms::Mpi&, Bytes, double entered);
  double copy(std::uint32_t actor, const platforms::Mpi&, Bytes, double entered);

 private:
  struct State {
    double computed = 0;                          // since a cost was asked for last
    double until = 0;                             // when the caches are the calls' again
    bool has_sent = false, has_received = false;  // since
  };
  State& enter(std::uint32_t actor, double entered);

  const bool is_modelled_;
  std::vector<State> states_;
};

}  // namespace reprise::sim
