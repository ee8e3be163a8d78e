// SPDX-License-Identifier: MIT
// Carries out the ranks' MPI calls: the event loop, and the one place where a trace's event finds its operation and a network's
// event its owner. docs/MODEL.md has what each call costs.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/engine/collectives/collectives.hpp"
#include "sim/engine/compute/computing.hpp"
#include "sim/engine/files/file_io.hpp"
#include "sim/engine/loop/runtime.hpp"
#include "sim/engine/one_sided/one_sided.hpp"
#include "sim/engine/point_to_point/completion.hpp"
#include "sim/engine/point_to_point/point_to_point.hpp"
#include "sim/engine/point_to_point/probes.hpp"
#include "sim/engine/point_to_point/transport.hpp"
#include "sim/engine/rehearsal.hpp"
#include "sim/engine/replay.hpp"
#include "sim/engine/steady/fast_forward.hpp"
#include "sim/replay_watch.hpp"

namespace reprise::sim {

class Interpreter final : NetworkListener, ActorLoop {
 public:
  Interpreter(const trace_io::Trace&, const trace_io::Programs&, const platforms::Platform&,
              const ReplaySettings&, Network&);
  void run();  // throws ReplayError
  Outcome outcome() const;
  std::vector<CarriedOut> rehearse();  // in place of run()

 private:
  void run(std::uint32_t actor) override;
  // The next event under the actor's cursor, and what the rank computes before it. False where the actor does not go on.
  bool begin_event(std::uint32_t actor);
  Progress execute(std::uint32_t actor);
  Progress meet_all(std::uint32_t actor, const EventFields&);
  void note_started(std::uint32_t actor);
  void enter_mpi(Actor&);
  void replay_as_recorded(std::uint32_t actor, const EventFields&);
  void prepare_forwarding(std::size_t ranks);
  bool may_foretell() const;
  void tell_watch();

  void on_head(EventId) override;
  void on_tail(EventId) override;
  void on_delay_end(EventId) override;
  void prepare(EventId, unsigned steps) override;
  void prepare_rank(std::int32_t rank, unsigned steps);

  std::vector<std::string> facts_without_effect(Seconds end) const;
  std::vector<trace_io::Loss> losses() const;
  platforms::SettingsUse settings_use() const;

  const ReplaySettings settings_;
  const platforms::Platform platform_;
  Network& network_;
  Observation* const observation_;                    // null: nobody watches
  std::uint32_t until_told_ = ReplayWatch::kWakeUps;  // wake-ups of ranks
  Runtime runtime_;
  Computing computing_;
  Transport transport_;
  PointToPoint point_to_point_;
  Completion completion_;
  Probes probes_;
  Collectives collectives_;
  OneSided one_sided_;
  FileIo file_io_;
  std::unique_ptr<FastForward> forward_;  // null where it is switched off or cannot be
  std::string not_forwarded_;             // why
  struct Unmodelled {
    std::uint64_t count = 0;
    double seconds = 0;
  };
  std::vector<Unmodelled> unmodelled_;  // by site: calls replayed as their recorded time
  bool is_rehearsal_ = false;
  // Of a rehearsal: requests of non-blocking collectives and the number of the call, from 1, that made them last.
  std::unordered_map<std::uint32_t, std::uint64_t> started_;
  Runtime::Unreceived unreceived_;
};

}  // namespace reprise::sim
