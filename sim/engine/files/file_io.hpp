// SPDX-License-Identifier: MIT
// MPI-IO on the platform's storage. docs/MODEL.md has the costs; where a platform has no storage, calls take their recorded time.
//
// Access       a latency, then the bytes through the storage, whose bandwidth is shared evenly by what is under way (shared_server.hpp).
// Collective   the members meet, everybody's bytes go through the storage at the same time, the members meet again.
// Others       opening, closing, resizing and flushing: the members meet, then a metadata latency. Views and pointers: they meet.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "platforms/platform.hpp"
#include "sim/engine/files/shared_server.hpp"
#include "sim/engine/loop/collective_handles.hpp"
#include "sim/engine/loop/runtime.hpp"

namespace reprise::sim {

class FileIo final : public MeetingListener {
 public:
  // Files' contexts are FIRST_CONTEXT, + STRIDE, …
  FileIo(Runtime&, const platforms::Platform&, std::uint32_t first_context, std::uint32_t stride);
  // Whether the platform has storage.
  bool is_modelled() const { return storage_.has_value(); }

  // A call on a file, or the deletion of one. REQUIRES: is_modelled().
  Progress execute(std::uint32_t actor, const EventFields&);
  // The members of a collective access have met.
  void on_met(std::uint32_t access, double at, double partner_ready) override;
  void on_latency_over(std::uint32_t access);
  void on_turn(std::uint32_t server);
  const CollectiveHandles& files() const { return files_; }
  bool has_been_used() const { return has_been_used_; }

 private:
  enum class Work : std::uint8_t { none, metadata, read, write };
  struct Access {
    std::uint32_t request = kNothing;
    std::uint32_t second_meeting =
        kNothing;  // run, of a collective access that has yet to move its bytes
    Work work = Work::none;
    bool has_worked = false;  // its bytes are moved, or its metadata changed
    Bytes bytes;
    double latency = 0;
    std::uint32_t node = 0;
  };
  struct Server {
    SharedServer server;
    std::uint32_t timers = 0;  // under way
  };

  Progress open(std::uint32_t actor, const EventFields&);
  // The access that the call under the actor's cursor stands for. `members`: null for an access of one rank.
  std::uint32_t start(std::uint32_t actor, CommunicatorView* members, Work, Bytes);
  Progress wait_for(std::uint32_t actor, std::uint32_t request);
  void begin_work(std::uint32_t access, double at);
  void after_work(std::uint32_t access, double at);
  void finish(std::uint32_t access, double at);
  void set_timer(std::uint32_t server);

  Runtime& runtime_;
  const std::optional<platforms::Storage> storage_;
  CollectiveHandles files_;
  std::vector<std::map<std::int64_t, std::uint32_t>>
      split_;                   // by rank, by slot: the request of the split collective under way
  std::deque<Server> servers_;  // reads and writes of the shared storage, or of node 0, 1, …
  Pool<Access> accesses_;
  bool has_been_used_ = false;
};

}  // namespace reprise::sim
