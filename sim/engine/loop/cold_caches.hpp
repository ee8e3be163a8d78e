// SPDX-License-Identifier: MIT
// How long ago a rank has computed when it sends and receives, and what that costs (platforms/cold_caches.hpp).
//
// Cold     after computing for a time T a thread's calls and messages find cold caches for as long again, less and less: at a time t
//          later as after T − t of computing. The stretch of computing counts that leaves them cold for longest. As the trace has it:
//          a faster core goes through the same data.
// Code     what a message of no bytes costs more is MPI's own code and data, which the first send, and the first receive, warms for those
//          behind it.
// Bytes    what a message's bytes cost more is its buffer's, which is as cold as after what was computed since its last use, if that is
//          less. A trace has no addresses: the same buffer is the same call with the same peer, tag and size, or the same collective call.
//          kBuffers of them are known since the computing that counts; more push out the oldest.
// Entered  costs are those of the moment at which the call was entered that pays them: what goes on in a call needs no data of the program.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "platforms/platform.hpp"

namespace reprise::sim {

class ColdCaches {
 public:
  // What a message is taken to share its buffer with.
  struct Buffer {
    enum class Of : std::uint8_t { send, receive, collective };
    std::uint32_t site = 0;
    Of of = Of::send;
    std::int32_t peer = 0, tag = 0;
    std::uint64_t bytes = 0;
    friend bool operator==(const Buffer&, const Buffer&) = default;
  };
  static constexpr std::size_t kBuffers = 64;
  static constexpr double kNeverUsed = std::numeric_limits<double>::infinity();

  explicit ColdCaches(const platforms::Platform&);
  void set_actors(std::size_t count) { states_.resize(is_modelled_ ? count : 0); }
  // Else all costs are 0, and nothing needs to be noted.
  bool is_modelled() const { return is_modelled_; }

  // The actor has computed, before its next call.
  void note_computed(std::uint32_t actor, double seconds) { states_[actor].computed += seconds; }
  // What the actor has computed since it used the buffer last; it uses it now, by a call entered at that time. kNeverUsed: not since the
  // computing that counts. Cost: O(buffers used since, at most kBuffers).
  double use(std::uint32_t actor, const Buffer&, double entered);
  // What is added to a send's cost, a receive's, a copy's on the rank itself, by a call entered at that time. On the grid.
  // SINCE: what use() said of its buffer.
  double send(std::uint32_t actor, const platforms::Mpi&, Bytes, double entered, double since);
  double receive(std::uint32_t actor, const platforms::Mpi&, Bytes, double entered, double since);
  double copy(std::uint32_t actor, const platforms::Mpi&, Bytes, double entered, double since);

 private:
  struct Use {
    Buffer buffer;
    double computed = 0;  // before it
  };
  struct State {
    double computed = 0;                          // since a cost was asked for last
    double until = 0;                             // when the caches are the calls' again
    double all = 0;                               // ever computed
    bool has_sent = false, has_received = false;  // since
    std::vector<Use> uses;                        // since; kBuffers at most
    std::size_t oldest = 0;                       // of those, once there are as many
  };
  State& enter(std::uint32_t actor, double entered);

  const bool is_modelled_;
  std::vector<State> states_;
};

}  // namespace reprise::sim
