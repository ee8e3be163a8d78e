// SPDX-License-Identifier: MIT
// Collectives under way: schedules carried out round by round with the transport's messages, in the communicator's collective context.
//
// A blocking collective's clock is its rank's; a non-blocking one goes on beside its rank. Where progress is made in calls only its
// rounds wait until the rank is inside MPI; else progress is assumed, its overheads cost the rank nothing.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/collectives/schedule.hpp"
#include "sim/engine/loop/runtime.hpp"
#include "sim/engine/point_to_point/transport.hpp"
#include "sim/engine/wait_states/collective_delays.hpp"

namespace reprise::sim {

// One member's part in one operation: where it stands in its schedule, and its clock.
struct CollectiveRun {
  std::uint32_t actor = 0;
  std::uint32_t request = kNothing;  // of a non-blocking one, or of what the meeting is for
  const CommunicatorView* communicator = nullptr;
  std::int32_t tag = 0;  // the operation's number on its communicator
  CollectiveCall call;
  const Algorithm* algorithm = nullptr;
  Position position;
  std::uint32_t pending = 0;  // steps of this round that have not completed
  double clock = 0, wait = 0;
  double partner_ready = 0;  // of the step that completed last
  double cold_since = 0;  // what its rank had computed since the call before (loop/cold_caches.hpp)
  bool is_finished = false;
  std::vector<std::int64_t> send_list, receive_list;  // a non-blocking one's own copies
};

class CollectiveRuns {
 public:
  CollectiveRuns(Runtime&, Transport&, const platforms::Platform&);
  void set_meeting_listener(MeetingListener& listener) { listener_ = &listener; }

  CollectiveRun& operator[](std::uint32_t run) { return runs_[run]; }
  const CollectiveRun& operator[](std::uint32_t run) const { return runs_[run]; }
  // The actor's, before its first round. It begins when the rank has copied its OWN share of the data.
  std::uint32_t make(std::uint32_t actor, CommunicatorView&, const CollectiveCall&,
                     const Algorithm*, Bytes own);
  // A blocking call's, to its end or until it has to be waited for.
  Progress carry_out(std::uint32_t actor, std::uint32_t run);
  // One for which the request stands: a non-blocking call's, a meeting.
  void start(std::uint32_t run, std::uint32_t request);
  void on_step_complete(std::uint32_t request);
  // The rank has entered MPI: what was held up for it goes on.
  void progress(std::int32_t rank);

  // The first active step of the run in which the actor is blocked, or of that for which its request stands; kNothing where there is
  // none. O(requests).
  std::uint32_t awaited_step(const Actor&, std::uint32_t request) const;
  bool has_combined() const { return has_combined_; }

 private:
  void advance(std::uint32_t run);
  void take_step(CollectiveRun&, std::uint32_t request);
  void note_step(double clock, std::uint32_t request,
                 double cold);  // for the critical path, as is the next
  void note_progress(std::int32_t rank, std::uint32_t run);
  void note_wait(const CollectiveRun&, std::uint32_t step, double seconds);
  void note_entry(std::uint32_t run, double at);
  void step_done(std::uint32_t request);
  void leave(Actor&);
  void complete(std::uint32_t run);

  Runtime& runtime_;
  Transport& transport_;
  Pool<Request>& requests_;
  const platforms::Platform& platform_;
  MeetingListener* listener_ = nullptr;
  Pool<CollectiveRun> runs_;
  Steps steps_;  // of advance(), which nothing calls while it is under way
  std::vector<std::uint32_t> complete_at_once_;  // likewise: requests
  std::vector<std::uint32_t> held_steps_;        // of non-blocking collectives whose rank computes
  bool has_combined_ = false;
  CollectiveDelays delays_;  // of blocking ones
};

}  // namespace reprise::sim
