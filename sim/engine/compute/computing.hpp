// SPDX-License-Identifier: MIT
// What ranks compute between their calls: recorded deltas played back, scaled, disturbed, on cores and memory of their own or shared.
//
// Time in MPI takes no core: a rank that waits yields its own.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/engine/compute/compute_scaling.hpp"
#include "sim/engine/compute/disturbances.hpp"
#include "sim/engine/compute/node_sharing.hpp"
#include "sim/engine/deltas/delta_player.hpp"
#include "sim/engine/loop/runtime.hpp"

namespace reprise::sim {

class Computing {
 public:
  struct Settings {
    Deltas deltas = Deltas::ordered;
    std::uint64_t seed = 1;
    double scale = 1;
    std::vector<ComputeRule> rules;
    BytesPerSecond memory_traffic;  // of a rank, as recorded; 0: not known
    Conditions conditions;
  };
  Computing(Runtime&, const platforms::Platform&, Settings);

  // Before the actor's current call. blocked: on a shared core or memory; the event is carried out when that is over.
  Progress compute(std::uint32_t actor, const trace_io::DeltaClass&);
  // A duration inside MPI as it was recorded, for calls that are not modelled.
  double recorded_time(std::uint32_t actor, const trace_io::DeltaClass& durations) {
    return deltas_.play(durations, played_[actor]).value;
  }
  // The actor will soon compute: 3 to 1 steps from now (event_heap.hpp).
  void prepare(std::uint32_t actor, unsigned steps) const {
    deltas_.prepare(played_[actor], steps);
  }
  // Stretches on shared nodes: one begins, one may be over.
  void begin(std::uint32_t actor);
  void on_shared(std::uint32_t ticket);

  // The deltas of all actors, for who leaves out iterations.
  const DeltaPlayer& deltas() const { return deltas_; }
  DeltaState& played(std::uint32_t actor) { return played_[actor]; }

  double largest_scale() const { return scaling_.largest(); }
  std::uint32_t nodes_at_memory() const { return nodes_.nodes_at_memory(); }
  Seconds noise() const { return disturbances_ ? disturbances_->total_noise() : Seconds{}; }
  // Rules and changes that have changed nothing, and why, in that order. END: of the run.
  void add_rules_without_effect(std::vector<std::string>& facts) const;
  void add_changes_without_effect(Seconds end, std::vector<std::string>& facts) const;
  // What makes computing differ from iteration to iteration; empty where nothing does.
  static std::string what_varies(const Conditions&);

 private:
  double slowed(const Actor&, double delta, double& exact);

  Runtime& runtime_;
  const Settings settings_;
  DeltaPlayer deltas_;
  ComputeScaling scaling_;
  const std::unique_ptr<Disturbances> disturbances_;  // null where there are none
  NodeSharing nodes_;
  std::vector<DeltaState> played_;  // by actor
  struct Stretch {
    double cpu_time = 0, demand = 0;  // bytes a second
  };
  std::vector<Stretch> stretches_;  // by actor: its current one on a shared node
};

}  // namespace reprise::sim
