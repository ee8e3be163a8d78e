// SPDX-License-Identifier: MIT
// Carries out the ranks' MPI calls on the transport: the replay's heart. docs/MODEL.md has what each call costs.
//
// A rank runs until it must wait. It may run ahead of the network's clock: calls carry their own time, and where the outcome would
// depend on what happens in between (wildcards by arrival, probes, cancels), or after kRunAhead calls, it first lets the
// network catch up.
// Inside the network's loop nothing may be thrown: the first error is kept and the network stopped; outcome() throws it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/collectives/node_map.hpp"
#include "sim/collectives/selection.hpp"
#include "sim/engine/collectives/collective_run.hpp"
#include "sim/engine/collectives/open_collectives.hpp"
#include "sim/engine/compute/compute_scaling.hpp"
#include "sim/engine/compute/core_sharing.hpp"
#include "sim/engine/compute/disturbances.hpp"
#include "sim/engine/loop/actor.hpp"
#include "sim/engine/loop/communicators.hpp"
#include "sim/engine/loop/event_fields.hpp"
#include "sim/engine/point_to_point/transport.hpp"
#include "sim/engine/replay.hpp"
#include "sim/engine/steady/fast_forward.hpp"
#include "sim/replay_error.hpp"

namespace reprise::sim {

class FileIo;
class OneSided;

class Interpreter final : NetworkListener, TransportListener {
 public:
  Interpreter(const trace_io::Trace&, const trace_io::Programs&, const platforms::Platform&,
              const ReplaySettings&, Network&);
  ~Interpreter() override;
  void run();  // throws ReplayError
  Outcome outcome() const;

 private:
  friend class DeadlockReport;
  friend class FileIo;
  friend class OneSided;
  static constexpr std::uint32_t kRunAhead = 256;
  enum class Progress : std::uint8_t { done, blocked };
  // Events of the network that are not the transport's.
  static constexpr auto kOneSidedEvent = Transport::Delay::one_sided,
                        kFileEvent = Transport::Delay::file_latency,
                        kStorageEvent = Transport::Delay::storage_turn;

  // interpreter.cpp: the life of an actor
  void run(std::uint32_t actor);
  void end_call(Actor&);
  void resume_call(std::uint32_t actor);
  Progress execute(std::uint32_t actor);
  bool is_ahead(const Actor& actor) const { return actor.clock > network_.now().value; }
  Progress catch_up(std::uint32_t actor);
  void prepare_forwarding(const ReplaySettings&);
  void fail(const Actor&, const std::string& problem, const std::string& hint,
            ReplayError::Kind = ReplayError::Kind::invalid_call);
  void on_head(EventId) override;
  void on_tail(EventId) override;
  void on_delay_end(EventId) override;
  void prepare(EventId message, unsigned steps) override;
  void on_sent(const Request& request) override {
    ++actors_[request.actor].sent;
    if (observation_ != nullptr)
      observe_transfer(request.actor, request.me, request.peer, request.bytes);
  }
  void observe_transfer(std::uint32_t actor, std::int32_t from, std::int32_t to, Bytes);
  void on_complete(std::uint32_t request) override;
  void on_probed(std::uint32_t actor, std::uint32_t message) override;
  void on_truncated(std::uint32_t message, std::uint32_t receive) override;
  bool is_inside_mpi(std::int32_t rank) const override;
  void enter_mpi(Actor&);

  // point_to_point.cpp
  Progress send(std::uint32_t actor, const EventFields&);
  Progress receive(std::uint32_t actor, const EventFields&);
  Progress sendrecv(std::uint32_t actor, const EventFields&);
  Progress start_send(std::uint32_t actor, const EventFields&, bool now);
  Progress start_receive(std::uint32_t actor, const EventFields&, bool now);
  Progress start(std::uint32_t actor, std::span<const std::int64_t> slots);
  struct Destination {
    std::int64_t comm, peer, tag, bytes;
  };
  std::uint32_t make_request(std::uint32_t actor, Request::Kind, const Destination&);
  void keep_for_starts(Actor&, std::int64_t slot, bool is_wild);
  void post_send(Actor&, std::uint32_t request);
  void post_receive(Actor&, std::uint32_t request);
  void fix_wildcard(Request&, std::int64_t matched_peer, std::int64_t matched_tag, bool in_world,
                    const CommunicatorView&);
  void scout_wildcard(Actor&, Request&);

  // probes.cpp
  Progress probe(std::uint32_t actor, const EventFields&);
  void take_probed(Actor&, std::uint32_t message);
  Progress matched_receive(std::uint32_t actor, const EventFields&, bool blocking);

  // completion.cpp
  Progress wait_for_slots(std::uint32_t actor, std::span<const std::int64_t> slots);
  Progress await(std::uint32_t actor);
  void consume(Actor&, const Request&);
  void block_until(Actor&, double done, double partner_ready);
  Progress cancel(std::uint32_t actor, std::int64_t slot);
  Progress free_request(std::uint32_t actor, std::int64_t slot);
  std::uint32_t& slot_of(Actor&, std::int64_t slot);
  // The request in a slot, of whichever thread of the rank; null and an error where there is none.
  std::uint32_t* find_slot(std::uint32_t actor, std::int64_t slot);

  // collective_entry.cpp
  std::uint32_t enter(std::uint32_t actor, CommunicatorView&, const CollectiveCall&);
  bool agree(const Actor&, const OpenCollectives::Entry&, const OpenCollectives::Entry& first);
  const NodeMap* nodes_of(const Actor&, const CommunicatorView&);
  void check_collectives_complete();

  // wildcard_choice.cpp
  bool has_choice(const Actor&) const;
  Progress choose_match(std::uint32_t actor);
  std::int64_t peer_code(std::int32_t rank, const CommunicatorView&, std::int32_t world_rank) const;

  // shared_cores.cpp
  void compute(std::uint32_t actor, double seconds);
  void begin_computing(std::uint32_t actor);
  void on_cores(std::uint32_t ticket);

  // any_completion.cpp
  Progress wait_for_any(std::uint32_t actor, const EventFields&);
  bool gather_candidates(std::uint32_t actor, std::span<const std::int64_t> slots);
  void take_candidates(std::uint32_t actor, std::span<const std::int64_t> recorded);
  void on_candidate_complete(std::uint32_t actor);

  // collective_operations.cpp
  Progress collective(std::uint32_t actor, const EventFields&, bool blocking);
  Progress make_communicator(std::uint32_t actor, const EventFields&, bool blocking);
  CommunicatorView* communicator(const Actor&, std::int64_t number);
  Progress begin(std::uint32_t actor, std::uint32_t run, std::int64_t slot);
  // All members meet, as in a barrier: entered only, to be begun later, or a blocking call's.
  std::uint32_t enter_meeting(std::uint32_t actor, CommunicatorView&);
  Progress meet(std::uint32_t actor, CommunicatorView&);
  void advance(std::uint32_t run);
  void take_step(CollectiveRun&, std::uint32_t request);
  void on_step_done(std::uint32_t request);
  void leave_collective(Actor&);
  void complete_request_of(std::uint32_t run);

  // disturbed_computing.cpp
  static std::string what_varies(const Conditions&);  // empty: nothing, in the course of the run
  double slowed(const Actor&, double delta, double& exact);
  std::vector<std::string> facts_without_effect(Seconds end) const;

  // unmodelled.cpp
  void replay_as_delay(std::uint32_t actor, const EventFields&);
  std::vector<trace_io::Loss> losses() const;
  platforms::SettingsUse settings_use() const;

  const trace_io::Trace& trace_;
  const ReplaySettings settings_;
  Network& network_;
  Memberships memberships_;
  const std::vector<platforms::RankLocation> locations_;
  Transport transport_;
  DeltaPlayer deltas_;
  ComputeScaling scaling_;
  const std::unique_ptr<Disturbances> disturbances_;  // null where there are none
  CoreSharing cores_;
  const trace_io::Programs& programs_;
  std::vector<Actor> actors_;               // by rank, then thread
  Observation* const observation_;          // null: nobody watches
  std::vector<std::uint32_t> first_actor_;  // by rank; one more than there are ranks
  std::unique_ptr<FastForward> forward_;    // null where it is switched off or cannot be
  std::string not_forwarded_;               // why
  Pool<CollectiveRun> runs_;
  OpenCollectives open_collectives_;
  const Selection selection_;
  std::map<std::uint32_t, std::unique_ptr<NodeMap>> node_maps_;  // by communicator
  const platforms::Platform platform_;
  std::uint64_t different_sizes_ =
      0;  // members whose collective had another size than the first one's
  std::unique_ptr<OneSided> one_sided_;  // one_sided.hpp
  std::unique_ptr<FileIo> file_io_;      // file_io.hpp
  struct Unmodelled {
    std::uint64_t count = 0;
    double seconds = 0;
  };
  std::vector<Unmodelled> unmodelled_;  // by site
  std::uint64_t foreign_waits_ = 0;
  std::uint32_t collectives_met_ = 0;  // a bit for each trace_io::Collective
  bool has_combined_ = false, has_used_files_ = false;
  std::uint64_t other_completions_ =
      0;  // Waitany and the like that took another request than recorded
  std::uint64_t other_messages_ = 0;       // wildcards that took another message
  std::vector<std::uint32_t> held_steps_;  // of non-blocking collectives whose rank computes
  std::optional<ReplayError> error_;
  std::vector<std::uint32_t> found_;   // scratch: messages
  std::vector<std::int32_t> senders_;  // scratch
};

}  // namespace reprise::sim
