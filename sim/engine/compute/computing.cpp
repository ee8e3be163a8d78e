// SPDX-License-Identifier: MIT
#include "sim/engine/compute/computing.hpp"

#include <algorithm>

#include "sim/engine/tape/loop_tape.hpp"
#include "sim/time_grid.hpp"

namespace reprise::sim {
Computing::Computing(Runtime& runtime, const platforms::Platform& platform, Settings settings)
    : runtime_(runtime),
      settings_(std::move(settings)),
      deltas_(settings_.deltas, settings_.seed),
      scaling_(runtime.trace(), settings_.rules, settings_.scale, runtime.paths().locations(),
               slowness_of(platform, runtime.paths().locations())),
      disturbances_(settings_.conditions.nodes.empty() && settings_.conditions.noise.empty()
                        ? nullptr
                        : std::make_unique<Disturbances>(
                              settings_.conditions, runtime.paths().locations(), settings_.seed)),
      nodes_(runtime.paths().locations(), platform.nodes, disturbances_.get(),
             BytesPerSecond{settings_.memory_traffic.value / scaling_.smallest()}),
      stretches_(runtime.actors().size()) {
  for (const Actor& actor : runtime.actors()) {
    played_.emplace_back().rank = Rank{actor.rank};
    played_.back().thread = actor.thread;
  }
}

Progress Computing::compute(std::uint32_t index, const trace_io::DeltaClass& durations) {
  Actor& actor = runtime_.actor(index);
  DeltaState& played = played_[index];
  const double factor = scaling_.factor(actor.rank, actor.cursor.site(), durations);
  const double recorded = deltas_.play(durations, played).value;
  if (runtime_.cold_caches().is_modelled()) runtime_.cold_caches().note_computed(index, recorded);
  double exact = recorded * factor;
  if (recorded > 0 && scaling_.has_rules()) scaling_.note(actor.rank, actor.cursor.site());
  const double undisturbed = exact;
  if (disturbances_) exact += disturbances_->noise(index, played.rank, actor.thread, exact);
  double delta = on_grid(exact);
  const double noise = exact > undisturbed ? delta - on_grid(undisturbed) : 0;
  if (delta > 0 && nodes_.are_shared(actor.rank)) {
    if (runtime_.tape() != nullptr) runtime_.tape()->give_up("ranks share cores or memory");
    // What interrupts computing moves nothing; it is spread over the stretch.
    const double traffic = settings_.memory_traffic.value;
    stretches_[index] = {delta,
                         exact == undisturbed ? traffic / factor : traffic * recorded / exact};
    actor.state = Actor::State::computing;
    if (runtime_.is_ahead(actor))
      runtime_.post(actor.clock, NetworkEvent::compute, index);
    else
      begin(index);
    return Progress::blocked;
  }
  if (disturbances_) delta = slowed(actor, delta, exact);
  if (settings_.deltas != Deltas::mean)
    actor.expected += deltas_.mean(durations, played).value * factor;
  actor.compute += exact;  // totals are the recorded ones to the last bit
  actor.clock += delta;
  if (runtime_.tape() != nullptr) [[unlikely]]
    runtime_.tape()->computed(index, actor.cursor.site(), durations, played,
                              recorded > 0 ? exact / recorded : factor, actor.clock - delta,
                              actor.clock);
  if (runtime_.path() != nullptr) [[unlikely]]
    runtime_.path()->advance({CriticalPath::Of::actor, index}, actor.clock, PathPart::noise, noise,
                             PathPart::compute);
  return Progress::done;
}

// How long the stretch takes that begins at the actor's clock.
double Computing::slowed(const Actor& actor, double delta, double& exact) {
  const VaryingRate* speed = disturbances_->speed(actor.rank);
  if (speed == nullptr || delta <= 0) return delta;
  const double longer = on_grid(speed->end(actor.clock, delta) - actor.clock);
  disturbances_->note(actor.rank, actor.clock, actor.clock + longer);
  if (longer != delta) exact = longer;
  return longer;
}

void Computing::begin(std::uint32_t index) {
  const auto end = nodes_.begin(runtime_.actor(index).rank, index, stretches_[index].cpu_time,
                                stretches_[index].demand, runtime_.now());
  runtime_.post(end.time, NetworkEvent::cores, end.ticket);
}

void Computing::on_shared(std::uint32_t ticket) {
  std::vector<NodeSharing::Ended> done;
  const double now = runtime_.now();
  if (const auto next = nodes_.on_end(ticket, now, done))
    runtime_.post(next->time, NetworkEvent::cores, next->ticket);
  for (const auto& [index, at_memory, longer] : done) {
    Actor& actor = runtime_.actor(index);
    if (disturbances_) disturbances_->note(actor.rank, actor.clock, now);
    actor.at_memory += at_memory;
    actor.longer_by_memory += longer;
    if (runtime_.path() != nullptr) [[unlikely]] {
      const CriticalPath::Name name{CriticalPath::Of::actor, index};
      if (at_memory > 0) runtime_.path()->advance(name, actor.clock + at_memory, PathPart::memory);
      runtime_.path()->advance(name, now, PathPart::compute,
                               std::min(stretches_[index].cpu_time - (at_memory - longer),
                                        now - actor.clock - at_memory),
                               PathPart::core);
    }
    actor.compute += now - actor.clock;
    actor.expected += now - actor.clock;
    actor.clock = actor.entered = now;
    actor.repeats_event = true;
    runtime_.resume(index);
  }
}

void Computing::add_rules_without_effect(std::vector<std::string>& facts) const {
  for (const std::size_t number : scaling_.without_effect()) {
    const ComputeRule& rule = settings_.rules[number];
    facts.push_back(rule.where + ": " + describe(rule) + ": no such time is computed");
  }
}

void Computing::add_changes_without_effect(Seconds end, std::vector<std::string>& facts) const {
  if (disturbances_) disturbances_->add_without_effect(end, facts);
}

std::string Computing::what_varies(const Conditions& conditions) {
  if (!conditions.noise.empty()) return "noise differs from iteration to iteration";
  if (std::any_of(conditions.nodes.begin(), conditions.nodes.end(),
                  [](const NodeChange& change) { return !change.is_always(); }))
    return "nodes change their speed while the program runs";
  return "";
}

}  // namespace reprise::sim
