// SPDX-License-Identifier: MIT
// What an operation may ask of the replay: to await requests, to post what the network shall carry, to meet, to fail.
//
// A rank runs until it must wait. It may run ahead of the network's clock: calls carry their own time, and where the outcome would
// depend on what happens in between (wildcards by arrival, probes, cancels), or after kRunAhead calls, it first lets the
// network catch up.
// An operation returns Progress::blocked where its rank has to wait; complete() or the network's event lets the rank go on.
// Inside the network's loop nothing may be thrown: the first error is kept and the network stopped; error() has it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/engine/critical_path/critical_path.hpp"
#include "sim/engine/loop/actor.hpp"
#include "sim/engine/loop/cold_caches.hpp"
#include "sim/engine/loop/communicators.hpp"
#include "sim/engine/loop/paths.hpp"
#include "sim/engine/loop/request.hpp"
#include "sim/engine/wait_states/delay_costs.hpp"
#include "sim/engine/wait_states/wait_states.hpp"
#include "sim/network/network.hpp"
#include "sim/network/pool.hpp"
#include "sim/replay_error.hpp"

namespace reprise::sim {

class LoopTape;

enum class Progress : std::uint8_t { done, blocked };

inline constexpr const char* kTraceHint =
    "`reprise trace check` lists further problems of the trace";

// What the network hands back, by who takes it.
enum class NetworkEvent : std::uint64_t {
  message,          // of point-to-point and collectives; as a delay: its request to send
  clearance,        // of a rendezvous
  acknowledgement,  // of a message, at its sender
  resume,           // the network has caught up with an actor
  compute,          // … and it begins to compute on a shared core
  cores,            // a stretch of computing on a shared core may be over
  one_sided,     // as a transfer: an operation; as a delay: a message of a window's synchronisation
  file_latency,  // an access reaches its storage
  storage_turn,  // a storage may have finished an access
};
inline EventId event_id(NetworkEvent what, std::uint32_t index) {
  return static_cast<std::uint64_t>(what) << 32 | index;
}

// Carries out an actor's events from where its cursor stands until it has to wait.
class ActorLoop {
 public:
  virtual ~ActorLoop() = default;
  virtual void run(std::uint32_t actor) = 0;
};

// A message that has been received. Times as the ranks have them, with what fast-forward has left out.
struct Delivery {
  std::int32_t from = 0, to = 0, tag = 0;
  bool is_collective = false;  // a step of one
  trace_io::SiteId send_site = trace_io::kNoSite, receive_site = trace_io::kNoSite;
  Bytes bytes;
  double sent = 0;                  // when the send was called
  double posted = 0, received = 0;  // when the receive was called, when all had come
};

// Hears of every payload that a rank sends, and of every message that has been received.
class MessageObserver {
 public:
  virtual ~MessageObserver() = default;
  virtual void on_sent(std::uint32_t actor, std::int32_t from, std::int32_t to, Bytes) = 0;
  virtual void on_received(const Delivery&) = 0;
};

// Meetings of a communicator's members, as in a barrier, for operations that are not collectives themselves.
class Meetings {
 public:
  virtual ~Meetings() = default;
  virtual Progress meet(std::uint32_t actor, CommunicatorView&) = 0;  // a blocking call's
  // The actor takes its place in the order of the communicator's collectives; the meeting begins later, with begin(). kNothing
  // after an error.
  virtual std::uint32_t enter(std::uint32_t actor, CommunicatorView&) = 0;
  // REQUEST stands for the operation; its file_access() is called when all are there.
  virtual void begin(std::uint32_t meeting, std::uint32_t request, double at) = 0;
  // A request that is a step of a collective has completed.
  virtual void on_step_complete(std::uint32_t request) = 0;
};

// Hears that all members have met for an operation that is no collective itself.
class MeetingListener {
 public:
  virtual ~MeetingListener() = default;
  virtual void on_met(std::uint32_t file_access, double at, double partner_ready) = 0;
};

class Runtime {
 public:
  static constexpr std::uint32_t kRunAhead = 256;

  Runtime(const trace_io::Trace&, const trace_io::Programs&, const platforms::Platform&,
          std::vector<platforms::RankLocation>, Network&, ActorLoop&, MessageObserver*);
  void set_meetings(Meetings& meetings) { meetings_ = &meetings; }
  void set_path(CriticalPath* path) { path_ = path; }
  // What times consist of, where somebody asks; else null.
  CriticalPath* path() const { return path_; }
  // What ranks wait for, likewise.
  void set_waits(WaitStates* waits) { waits_ = waits; }
  // Whose computing they wait for, likewise. REQUIRES: paths are watched, with delays, and waits.
  void set_delays(DelayCosts* delays) { delays_ = delays; }
  DelayCosts* delays() const { return delays_; }
  // WAITER, inside the call at SITE, waits SECONDS for the request.
  void note_delay(CriticalPath::Name waiter, trace_io::SiteId site, const Request&, double seconds);
  WaitStates* waits() const { return waits_; }
  // What ranks do in a period of a loop, where fast-forward follows one; else null.
  void set_tape(LoopTape* tape) { tape_ = tape; }
  LoopTape* tape() const { return tape_; }
  // The actor's clock, which was at BEFORE, has come to AFTER behind the request. REQUIRES: tape().
  void note_on_tape(std::uint32_t actor, const Request&, double before, double after);
  // Iterations were left out whose messages differ in size: one that was on the way then may be longer than its receive has room for.
  void set_sizes_left_out() { were_sizes_left_out_ = true; }
  bool were_sizes_left_out() const { return were_sizes_left_out_; }
  // Of a rehearsal: sends that are not received yet, and the number of the call that went on nevertheless.
  using Unreceived = std::unordered_map<std::uint32_t, std::uint64_t>;
  void go_on_without_receivers(Unreceived& unreceived) { unreceived_ = &unreceived; }
  bool goes_on_without_receivers() const { return unreceived_ != nullptr; }

  const trace_io::Trace& trace() const { return trace_; }
  Communicators& communicators() { return communicators_; }
  const Communicators& communicators() const { return communicators_; }
  Paths& paths() { return paths_; }
  const Paths& paths() const { return paths_; }
  ColdCaches& cold_caches() { return cold_caches_; }
  // What a send, and taking what was received, costs the actor more after computing; what a copy on the rank itself does. SINCE: what was
  // computed since the buffer's last use, which a collective call finds out for all its messages.
  double cold_send(std::uint32_t index, std::int32_t from, std::int32_t to, Bytes size,
                   double since = ColdCaches::kNeverUsed) {
    if (!cold_caches_.is_modelled()) return 0;
    return cold_caches_.send(index, paths_.between(from, to), size, actors_[index].entered, since);
  }
  double cold_send(const Request& request) {
    if (!cold_caches_.is_modelled()) return 0;
    return cold_send(request.actor, request.me, request.peer, request.bytes,
                     cold_since(request.actor, request, ColdCaches::Buffer::Of::send));
  }
  double cold_receive(std::uint32_t index, const Request& request, double since) {
    if (!cold_caches_.is_modelled()) return 0;
    return cold_caches_.receive(index, paths_.between(request.sender, request.me), request.received,
                                actors_[index].entered, since);
  }
  double cold_receive(std::uint32_t index, const Request& request) {
    if (!cold_caches_.is_modelled()) return 0;
    return cold_receive(index, request,
                        cold_since(index, request, ColdCaches::Buffer::Of::receive));
  }
  double cold_copy(std::uint32_t index, Bytes size, double since) {
    if (!cold_caches_.is_modelled() || size.value == 0) return 0;
    const std::int32_t me = actors_[index].rank;
    return cold_caches_.copy(index, paths_.between(me, me), size, actors_[index].entered, since);
  }
  // Of the buffers of the collective that the actor enters.
  double cold_since(std::uint32_t index) {
    if (!cold_caches_.is_modelled()) return ColdCaches::kNeverUsed;
    const Actor& actor = actors_[index];
    return cold_caches_.use(index, {actor.cursor.site(), ColdCaches::Buffer::Of::collective},
                            actor.entered);
  }
  Pool<Request>& requests() { return requests_; }
  const Pool<Request>& requests() const { return requests_; }
  std::uint32_t index_of(const Request& request) const {
    return static_cast<std::uint32_t>(&request - &requests_[0]);
  }
  Actor& actor(std::uint32_t index) { return actors_[index]; }
  const std::vector<Actor>& actors() const { return actors_; }  // by rank, then thread
  std::vector<Actor>& actors() { return actors_; }
  std::span<const Actor> threads_of(std::int32_t rank) const {
    const auto at = static_cast<std::size_t>(rank);
    return std::span(actors_).subspan(first_actor_[at], first_actor_[at + 1] - first_actor_[at]);
  }
  std::uint32_t index_of(const Actor& actor) const {
    return static_cast<std::uint32_t>(&actor - actors_.data());
  }
  double now() const { return network_.now().value; }
  bool heads_wait() const { return network_.heads_wait(); }
  bool is_ahead(const Actor& actor) const { return actor.clock > now(); }
  // At the network's now.
  bool is_inside_mpi(std::int32_t rank) const;

  // Await: until all of the actor's `awaited` are complete.
  Progress await(std::uint32_t actor);
  // The same before a call's own work: if it takes time, the event is carried out anew when it is over.
  Progress await_first(std::uint32_t actor);
  // Until COUNT more of the actor's `candidates` are complete; then the event is carried out anew.
  Progress await_any(std::uint32_t actor, std::size_t count);
  // Until the network's clock is the actor's; then the event is carried out anew.
  Progress catch_up(std::uint32_t actor);
  // Moves the clock to the end of a wait, and tells late partners from slow networks.
  static void block_until(Actor& actor, double done, double partner_ready) {
    if (done <= actor.clock) return;
    actor.wait += std::clamp(partner_ready - actor.clock, 0.0, done - actor.clock);
    actor.clock = done;
  }

  // Requests. A new one is active; the caller sets what else it needs.
  std::uint32_t make_request(std::uint32_t actor, Request::Kind kind, std::int32_t peer) {
    const std::uint32_t made = requests_.take();
    Request& request = requests_[made];
    request = Request{};
    if (path_ != nullptr) path_->drop({CriticalPath::Of::request, made});
    request.kind = kind;
    request.actor = actor;
    request.me = actors_[actor].rank;
    request.peer = peer;
    request.posted = request.partner_ready = actors_[actor].clock;
    return made;
  }
  // The request in a slot, of whichever thread of the rank; null, and perhaps an error, where there is none.
  std::uint32_t* find_slot(std::uint32_t actor, std::int64_t slot);
  // The actor goes on behind a complete request: waits for its end, and takes what it received.
  void consume(Actor&, const Request&);
  // It is complete, as its fields say: who awaits it goes on.
  void complete(std::uint32_t request);
  void complete(std::uint32_t request, double done, double partner_ready);
  // The call under the actor's cursor is over; its awaited requests go.
  void end_call(Actor&);
  // The call that the actor was blocked in is over.
  void resume_call(std::uint32_t actor) {
    end_call(actors_[actor]);
    resume(actor);
  }
  void resume(std::uint32_t actor) {
    actors_[actor].ahead = 0;
    loop_.run(actor);
  }

  // A rank will soon send to another, or may: who receives from a peer often sends to it next.
  void expect_send(std::int32_t from, std::int32_t to) const {
    network_.expect(paths_.end(from), paths_.end(to));
  }
  // … to whom is not known.
  void expect_send(std::int32_t from) const { network_.expect(paths_.end(from)); }

  // Post.
  void post(const Network::Transfer& transfer) { network_.start_transfer(transfer); }
  void post(double at, NetworkEvent what, std::uint32_t index) {
    network_.start_delay(Seconds{at}, event_id(what, index));
  }
  // Of a message without payload between two ranks, sent at that time.
  Seconds latency(std::int32_t from, std::int32_t to, double at) {
    return network_.latency(paths_.end(from), paths_.end(to), Seconds{at});
  }
  // For the critical path: who posts a request, and its actor.
  static CriticalPath::Name poster(const Request& request) {
    return request.run != kNothing ? CriticalPath::Name{CriticalPath::Of::run, request.run}
                                   : CriticalPath::Name{CriticalPath::Of::actor, request.actor};
  }
  CriticalPath::Name name_of(const Actor& actor) const {
    return {CriticalPath::Of::actor, index_of(actor)};
  }
  CriticalPath::Ends ends(std::int32_t from, std::int32_t to) const {
    return {paths_.end(from), paths_.end(to)};
  }
  std::uint16_t place_between(std::int32_t from, std::int32_t to) const {
    return paths_.node(from) == paths_.node(to) ? 1 : 0;
  }
  void note_sent(std::uint32_t actor, std::int32_t from, std::int32_t to, Bytes bytes) {
    if (observer_ != nullptr) observer_->on_sent(actor, from, to, bytes);
  }

  bool is_observed() const { return observer_ != nullptr; }
  // DELIVERY has the engine's times. REQUIRES: is_observed()
  void note_received(Delivery delivery);

  // Meet: all members of a communicator. Blocking; in parts, through meetings().
  Progress meet(std::uint32_t actor, CommunicatorView& view) {
    return meetings_->meet(actor, view);
  }
  Meetings& meetings() { return *meetings_; }

  // Fail: the first error is kept, the network stopped.
  Progress fail(const Actor&, const std::string& problem, const std::string& hint = kTraceHint,
                ReplayError::Kind = ReplayError::Kind::invalid_call);
  void fail(const ReplayError&);
  const std::optional<ReplayError>& error() const { return error_; }
  // The actor's communicator; null, and an error, where it has none of that number.
  CommunicatorView* communicator(const Actor&, std::int64_t number);
  // Why iterations must not be left out from now on; null where they may.
  void forbid_fast_forward(const char* why) {
    if (not_forwarded_ == nullptr) not_forwarded_ = why;
  }
  const char* fast_forward_forbidden() const { return not_forwarded_; }
  // Waits for requests that another thread had not started yet.
  std::uint64_t foreign_waits() const { return foreign_waits_; }

 private:
  bool leave_behind(const Actor&, std::uint32_t request);
  void forget_left_behind(Actor&);
  double cold_since(std::uint32_t index, const Request& request, ColdCaches::Buffer::Of of) {
    return cold_caches_.use(index,
                            {request.site, of, request.peer, request.tag, request.bytes.value},
                            actors_[index].entered);
  }
  void note_consumed(const Actor&, const Request&, double before, double cold);
  void note_waited(const Actor&, const Request&, double seconds);

  const trace_io::Trace& trace_;
  Network& network_;
  ActorLoop& loop_;
  MessageObserver* const observer_;   // null: nobody watches
  CriticalPath* path_ = nullptr;      // likewise
  WaitStates* waits_ = nullptr;       // likewise
  DelayCosts* delays_ = nullptr;      // likewise
  LoopTape* tape_ = nullptr;          // likewise
  Unreceived* unreceived_ = nullptr;  // likewise
  Meetings* meetings_ = nullptr;
  Communicators communicators_;
  Paths paths_;
  ColdCaches cold_caches_;
  Pool<Request> requests_;
  std::vector<Actor> actors_;
  std::vector<std::uint32_t> first_actor_;  // by rank; one more than there are ranks
  std::optional<ReplayError> error_;
  const char* not_forwarded_ = nullptr;
  bool were_sizes_left_out_ = false;
  std::uint64_t foreign_waits_ = 0;
};

}  // namespace reprise::sim
