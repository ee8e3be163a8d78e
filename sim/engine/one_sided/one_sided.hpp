// SPDX-License-Identifier: MIT
// One-sided communication: windows, transfers without the target's help, and the calls that order them. docs/MODEL.md has the costs.
//
// Operations   a put or accumulate is a transfer to the target, a get a request and a transfer back, a fetch (Get_accumulate …) both.
//              They start when called: every call that opens an epoch waits until the epoch is open.
// Ends         an operation is over at the origin (local end: the buffers are free) or at the target as well, which the origin knows an
//              acknowledgement later (remote end). Flushes and the calls that close epochs wait for the latter.
// Messages     of synchronisation (posts, completions, lock requests, grants, releases) cost a latency and no overhead.
// Files        one_sided.cpp: windows, fences, transfers; epochs.cpp: groups, locks.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sim/engine/loop/collective_handles.hpp"
#include "sim/engine/loop/runtime.hpp"
#include "sim/engine/one_sided/window_locks.hpp"

namespace reprise::sim {

class OneSided {
 public:
  // Windows' contexts are FIRST_CONTEXT, + STRIDE, …
  OneSided(Runtime&, std::uint32_t first_context, std::uint32_t stride);

  // A call on a window.
  Progress execute(std::uint32_t actor, const EventFields&);
  void on_tail(std::uint32_t operation);
  void on_message(std::uint32_t message);
  std::uint64_t transfers() const { return transfers_; }
  const CollectiveHandles& windows() const { return windows_; }

 private:
  static constexpr std::int32_t kEveryTarget = -1, kNobody = -2;
  static constexpr std::size_t kFewOperations = 1024;

  // A rank's side of a window.
  struct Post {
    std::int32_t from = 0;
    double issued = 0;
  };
  struct Lock {
    std::int32_t target = 0;  // or kEveryTarget
    bool exclusive = false, is_checked = true;
  };
  struct Side {
    std::vector<std::uint32_t> outstanding;  // operations, in the order of their calls
    std::size_t most_outstanding = kFewOperations;
    std::map<std::int32_t, double>
        ended;  // remote ends of operations that are not in the list any more, the last by target
    std::vector<Post> posts;                 // that have come and not been used
    std::vector<std::int32_t> access_group;  // of Win_start
    std::vector<std::int32_t>
        exposure_group;             // of Win_post: those that have not completed their accesses yet
    std::vector<Post> completions;  // that have come before Win_wait
    std::uint32_t start_request = kNothing, wait_request = kNothing;
    std::vector<std::int32_t> missing_posts;
    std::vector<Lock> locks;
  };
  struct Operation {
    std::int32_t origin = 0, target = 0;
    std::uint32_t remote = kNothing;    // request: known to be over at the target
    std::vector<std::uint32_t> locals;  // requests: over at the origin
    Bytes out, back;                    // of its first way; of its way back
    bool returns = false;               // data comes back
    bool is_returning = false;          // it is on its way, or there is nothing to be sent before
    bool has_ended = false, is_taken = false;
    double local_end = 0;
  };
  struct Message {
    enum class Kind : std::uint8_t { post, complete, claim, grant, release } kind = Kind::post;
    std::uint32_t window = 0, generation = 0;
    std::int32_t from = 0, to = 0;
    std::int32_t member = 0;  // whose lock, or WindowLocks::kAll
    bool exclusive = false, has_waited = false;
    std::uint32_t request = kNothing;  // of the lock call
    double issued = 0;
  };
  struct Call {
    std::uint32_t index;
    const EventFields& fields;
    LocalHandle& handle;
    Side& side;
  };

  Actor& actor(const Call& call) { return runtime_.actor(call.index); }
  Side& side_of(std::int32_t rank, std::int64_t slot);
  std::int32_t member(
      const Call&, std::int64_t code);  // world rank; kNobody for MPI_PROC_NULL or after an error
  bool members(const Call&, std::vector<std::int32_t>& group);
  std::uint32_t make_request(const Call& call, std::int32_t peer) {
    return runtime_.make_request(call.index, Request::Kind::one_sided, peer);
  }

  Progress create(std::uint32_t actor, const EventFields&);
  Progress fence(const Call&, bool frees);

  Progress transfer(const Call&);
  // Waits for the remote ends of the operations to a target; with `again` the call is carried out anew when they are over.
  Progress finish(const Call&, std::int32_t target, bool again);
  Progress finish_locally(const Call&, std::int32_t target);
  void retire_ended(Side&);

  // epochs.cpp
  Progress post(const Call&);
  Progress start(const Call&);
  Progress complete_accesses(const Call&);
  Progress wait(const Call&);
  Progress lock(const Call&, std::int32_t target, bool exclusive);
  Progress unlock(const Call&, std::int32_t target);
  Message to(const Call&, std::int32_t rank, Message::Kind) const;
  // A claim on the lock of a target, or its release.
  Message on_lock(const Call&, std::int32_t target, bool exclusive, Message::Kind) const;
  // Because of CAUSE, for the critical path.
  void send(Message, double at, CriticalPath::Name cause);
  void grant(const std::vector<std::uint32_t>& granted);
  // The request is complete, by what is being handled.
  void complete(std::uint32_t request, double done, double partner_ready);
  void note_tail(std::uint32_t operation, double acknowledged);

  Runtime& runtime_;
  CollectiveHandles windows_;
  std::vector<std::map<std::int64_t, Side>> sides_;  // by rank, by slot
  struct Locks {
    std::uint32_t generation = 0;
    WindowLocks of;
  };
  std::vector<Locks> locks_;  // by window
  Pool<Operation> operations_;
  Pool<Message> messages_;
  std::uint64_t transfers_ = 0;
};

}  // namespace reprise::sim
