// SPDX-License-Identifier: MIT
#include "sim/engine/interpreter.hpp"

#include <algorithm>

#include "platforms/placement.hpp"
#include "sim/engine/files/file_io.hpp"
#include "sim/engine/observe/deadlock_report.hpp"
#include "sim/engine/observe/observation.hpp"
#include "sim/engine/one_sided/one_sided.hpp"
#include "sim/network/fetch.hpp"
#include "sim/site_text.hpp"
#include "sim/time_grid.hpp"

namespace reprise::sim {

using trace_io::Field;
using trace_io::Kind;

namespace {

// By rank, what the nodes' relative speed makes of recorded compute times; empty where it makes nothing.
std::vector<double> slowness_of(const platforms::Platform& platform,
                                const std::vector<platforms::RankLocation>& locations) {
  std::vector<double> slowness;
  for (const auto& location : locations)
    slowness.push_back(1 / platform.nodes.relative_speed_of(location.node));
  if (std::all_of(slowness.begin(), slowness.end(), [](double factor) { return factor == 1; }))
    slowness.clear();
  return slowness;
}

}  // namespace

Interpreter::Interpreter(const trace_io::Trace& trace, const trace_io::Programs& programs,
                         const platforms::Platform& platform, const ReplaySettings& settings,
                         Network& network)
    : trace_(trace),
      settings_(settings),
      network_(network),
      memberships_(trace),
      locations_(platforms::place_ranks(static_cast<std::uint32_t>(trace.header.ranks), platform,
                                        settings.placement)),
      transport_(network, platform, locations_, *this),
      deltas_(settings.deltas, settings.seed),
      scaling_(trace, settings.compute, settings.compute_scale, locations_,
               slowness_of(platform, locations_)),
      disturbances_(
          settings.conditions.nodes.empty() && settings.conditions.noise.empty()
              ? nullptr
              : std::make_unique<Disturbances>(settings.conditions, locations_, settings.seed)),
      cores_(locations_, platform.nodes, disturbances_.get()),
      programs_(programs),
      observation_(settings.observation),
      selection_(platform, trace.header.mpi_library),
      platform_(platform),
      unmodelled_(trace.sites.size()) {
  one_sided_ = std::make_unique<OneSided>(*this, memberships_.contexts(), 2);
  file_io_ = std::make_unique<FileIo>(*this, platform, memberships_.contexts() + 1, 2);
  for (std::int32_t rank = 0; rank < trace.header.ranks; ++rank) {
    first_actor_.push_back(static_cast<std::uint32_t>(actors_.size()));
    for (std::size_t thread = 0; thread < programs.thread_count(); ++thread)
      if (programs.has(Rank{rank}, thread))
        actors_.emplace_back(programs, Rank{rank}, static_cast<std::uint32_t>(thread));
  }
  first_actor_.push_back(static_cast<std::uint32_t>(actors_.size()));
  if (observation_ != nullptr) observation_->begin(trace, platform, transport_.sockets(), actors_);
  prepare_forwarding(settings);
}

void Interpreter::prepare_forwarding(const ReplaySettings& settings) {
  if (!settings.fast_forward) {
    not_forwarded_ = "switched off";
  } else if (actors_.size() != static_cast<std::size_t>(trace_.header.ranks)) {
    not_forwarded_ = "ranks have several threads, or none";
  } else if (const std::string why = what_varies(settings.conditions); !why.empty()) {
    not_forwarded_ = why;
  } else {
    const double scale = scaling_.largest();
    constexpr double kSimgridNoise =
        4e-12;  // twice SimGrid's precision as platforms/zones/settings.cpp sets it, for two events
    forward_ = std::make_unique<FastForward>(
        actors_.size(),
        SteadySettings{.is_drawn = settings.deltas != Deltas::mean,
                       .tolerance = settings.forward_within,
                       .compute_scale = scale,
                       .noise = settings.network == NetworkKind::simgrid ? kSimgridNoise : 0,
                       .observation = settings.observation});
  }
}

Interpreter::~Interpreter() = default;

void Interpreter::run() {
  for (std::uint32_t actor = 0; actor < actors_.size() && !error_; ++actor) run(actor);
  if (!error_) network_.run(*this);
  if (error_ && other_messages_ > 0) throw WildcardDeadlock(*error_);
  if (error_) throw *error_;
  const bool all_finished = std::all_of(actors_.begin(), actors_.end(), [](const Actor& actor) {
    return actor.state == Actor::State::finished;
  });
  if (!all_finished && other_messages_ > 0) throw WildcardDeadlock(DeadlockReport(*this).error());
  if (!all_finished) throw DeadlockReport(*this).error();
  check_collectives_complete();
}

void Interpreter::run(std::uint32_t index) {
  Actor& actor = actors_[index];
  actor.state = Actor::State::running;
  for (;;) {
    if (!actor.repeats_event) {
      if (observation_ != nullptr) observation_->on_end(index, actor);
      if (!actor.cursor.advance()) {
        actor.state = Actor::State::finished;
        return;
      }
      if (forward_) {
        if (!actor.cursor.is_plain()) forward_->forbid("receives from any source look ahead");
        if (actor.cursor.cursor().began_iteration()) forward_->on_iteration(actor, index);
      }
      if (observation_ != nullptr) observation_->on_begin(index, actor);
      ++actor.operations;
      if (const auto* durations = actor.cursor.compute();
          durations != nullptr && actor.cursor.procedure().kind != Kind::init) {
        const double factor = scaling_.factor(actor.rank, actor.cursor.site());
        double exact = deltas_.play(*durations, actor.deltas).value * factor;
        if (exact > 0 && scaling_.has_rules()) scaling_.note(actor.rank, actor.cursor.site());
        if (disturbances_)
          exact += disturbances_->noise(index, actor.deltas.rank, actor.thread, exact);
        double delta = on_grid(exact);
        if (delta > 0 && cores_.are_shared(actor.rank)) return compute(index, delta);
        if (disturbances_) delta = slowed(actor, delta, exact);
        if (settings_.deltas != Deltas::mean)
          actor.expected += deltas_.mean(*durations, actor.deltas).value * factor;
        actor.compute += exact;  // totals are the recorded ones to the last bit
        actor.clock += delta;
      }
      actor.entered = actor.clock;
      if (is_ahead(actor) && (transport_.needs_ranks() || ++actor.ahead > kRunAhead)) {
        catch_up(index);
        return;
      }
    }
    actor.repeats_event = false;
    if (transport_.needs_ranks()) enter_mpi(actor);
    if (execute(index) == Progress::blocked || error_) return;
    end_call(actor);
  }
}

void Interpreter::observe_transfer(std::uint32_t actor, std::int32_t from, std::int32_t to,
                                   Bytes bytes) {
  if (observation_ != nullptr) observation_->on_sent(actor, {from, to, bytes.value});
}

void Interpreter::end_call(Actor& actor) {
  actor.in_mpi += actor.clock - actor.entered;
  actor.is_inside = false;
  actor.left = actor.clock;
  actor.entered = actor.clock;  // a call may go on after a part of it that it waited for
  for (const auto& [index, slot] : actor.awaited) {
    Request& request = transport_.requests()[index];
    request.is_awaited = false;
    if (slot >= 0 && request.is_persistent) {
      request.state = Request::State::inactive;
      continue;
    }
    if (slot >= 0) slot_of(actors_[request.actor], slot) = kNothing;
    transport_.requests().give_back(index);
  }
  actor.awaited.clear();
}

// The call that the actor was blocked in is over.
void Interpreter::resume_call(std::uint32_t actor) {
  end_call(actors_[actor]);
  actors_[actor].ahead = 0;
  run(actor);
}

Interpreter::Progress Interpreter::catch_up(std::uint32_t index) {
  Actor& actor = actors_[index];
  actor.repeats_event = true;
  actor.state = Actor::State::catching_up;
  network_.start_delay(std::max(Seconds{actor.clock}, network_.now()),
                       Transport::delay_id(Transport::Delay::resume, index));
  return Progress::blocked;
}

Interpreter::Progress Interpreter::execute(std::uint32_t index) {
  Actor& actor = actors_[index];
  if (settings_.wildcards == Wildcards::simulated && has_choice(actor) &&
      choose_match(index) == Progress::blocked)
    return Progress::blocked;
  const EventFields fields(actor.cursor);
  switch (actor.cursor.procedure().kind) {
    case Kind::init:
    case Kind::finalize:
    case Kind::comm_free:
      return Progress::done;
    case Kind::send:
      return send(index, fields);
    case Kind::receive:
      return receive(index, fields);
    case Kind::sendrecv:
      return sendrecv(index, fields);
    case Kind::start_send:
      return start_send(index, fields, true);
    case Kind::start_receive:
      return start_receive(index, fields, true);
    case Kind::init_send:
      return start_send(index, fields, false);
    case Kind::init_receive:
      return start_receive(index, fields, false);
    case Kind::start: {
      const std::int64_t slot = fields.scalar(Field::request);
      return start(index, {&slot, 1});
    }
    case Kind::start_all:
      return start(index, fields.vector(Field::requests));
    case Kind::wait: {
      const std::int64_t slot = fields.scalar(Field::request);
      return wait_for_slots(index, {&slot, 1});
    }
    case Kind::wait_all:
      return wait_for_slots(index, fields.vector(Field::requests));
    case Kind::wait_any:
    case Kind::wait_some:
      return wait_for_any(index, fields);
    case Kind::probe:
    case Kind::matched_probe:
      return probe(index, fields);
    case Kind::matched_receive:
      return matched_receive(index, fields, true);
    case Kind::start_matched_receive:
      return matched_receive(index, fields, false);
    case Kind::cancel:
      return cancel(index, fields.scalar(Field::request));
    case Kind::request_free:
      return free_request(index, fields.scalar(Field::request));
    case Kind::collective:
      return collective(index, fields, true);
    case Kind::start_collective:
      return collective(index, fields, false);
    case Kind::comm_create:
      return make_communicator(index, fields, true);
    case Kind::start_comm_create:
      return make_communicator(index, fields, false);
    case Kind::unmodelled:
      replay_as_delay(index, fields);
      return Progress::done;
    default:
      if (forward_) forward_->forbid("one-sided communication and files are replayed call by call");
      return fields.has(Field::window) ? one_sided_->execute(index, fields)
                                       : file_io_->execute(index, fields);
  }
}

void Interpreter::fail(const Actor& actor, const std::string& problem, const std::string& hint,
                       ReplayError::Kind kind) {
  if (error_) return;
  error_.emplace(
      kind, "rank " + std::to_string(actor.rank) + " in " + call_text(trace_, actor.cursor.site()),
      problem, hint);
  network_.stop();
}

// A replay of the recorded matches cannot cut a message short unless its matches differ.
void Interpreter::on_truncated(std::uint32_t message_index, std::uint32_t receive) {
  const Message& message = transport_.message(message_index);
  const Request& request = transport_.requests()[receive];
  if (error_) return;
  error_.emplace(ReplayError::Kind::truncation,
                 "rank " + std::to_string(request.me) + " in " + call_text(trace_, request.site),
                 "has room for " + std::to_string(request.bytes.value) +
                     " bytes, but the message that it matches has " +
                     std::to_string(message.bytes.value) + ": sent by rank " +
                     std::to_string(message.from) + " in " + call_text(trace_, message.site) +
                     ", tag " + std::to_string(message.tag),
                 "the recorded program did not cut it short, so its messages met in another order; "
                 "`reprise trace check` tells what is wrong with the trace");
  network_.stop();
}

bool Interpreter::is_inside_mpi(std::int32_t rank) const {
  const auto at = static_cast<std::size_t>(rank);
  for (std::uint32_t i = first_actor_[at]; i < first_actor_[at + 1]; ++i) {
    const Actor& actor = actors_[i];
    if (actor.is_inside || actor.state == Actor::State::finished ||
        network_.now().value <= actor.left)
      return true;
  }
  return false;
}

void Interpreter::enter_mpi(Actor& actor) {
  actor.is_inside = true;
  transport_.progress(actor.rank);
  // Rounds of non-blocking collectives that had to wait for the rank; taking one may hold up another.
  std::vector<std::uint32_t> steps;
  steps.swap(held_steps_);
  for (const std::uint32_t step : steps) {
    CollectiveRun& run = runs_[transport_.requests()[step].run];
    if (actors_[run.actor].rank != actor.rank) {
      held_steps_.push_back(step);
      continue;
    }
    run.clock = std::max(run.clock, network_.now().value);
    on_step_done(step);
  }
}

void Interpreter::prepare(EventId message, unsigned steps) {
  if (message >> 32 != 0) return;
  const std::uint32_t done = transport_.prepare(static_cast<std::uint32_t>(message), steps);
  if (done == kNothing) return;
  const Request& request = transport_.requests()[done];
  if (request.run != kNothing) fetch(runs_[request.run]);
  fetch(actors_[request.actor]);
}

void Interpreter::on_head(EventId message) {
  if (message >> 32 == 0) transport_.on_head(static_cast<std::uint32_t>(message));
}

void Interpreter::on_tail(EventId message) {
  const auto index = static_cast<std::uint32_t>(message);
  if (message >> 32 == 0)
    transport_.on_tail(index);
  else
    one_sided_->on_tail(index);
}

void Interpreter::on_delay_end(EventId id) {
  const auto index = static_cast<std::uint32_t>(id);
  switch (static_cast<Transport::Delay>(id >> 32)) {
    case Transport::Delay::request_to_send:
      return transport_.on_request_to_send(index);
    case Transport::Delay::clearance:
      return transport_.on_clearance(index);
    case Transport::Delay::acknowledgement:
      return transport_.on_acknowledgement(index);
    case Transport::Delay::resume:
      actors_[index].ahead = 0;
      return run(index);
    case Transport::Delay::compute:
      return begin_computing(index);
    case Transport::Delay::cores:
      return on_cores(index);
    case kOneSidedEvent:
      return one_sided_->on_message(index);
    case kFileEvent:
      return file_io_->on_latency_over(index);
    case kStorageEvent:
      return file_io_->on_turn(index);
  }
}

platforms::SettingsUse Interpreter::settings_use() const {
  platforms::SettingsUse use = transport_.use();
  use.cables = network_.cables_used();
  for (unsigned bit = 1; bit < 32; ++bit)
    if ((collectives_met_ >> bit & 1) != 0)
      use.operations.emplace_back(operation_name(static_cast<trace_io::Collective>(bit)));
  use.combines = has_combined_;
  use.has_files = has_used_files_;
  use.places = locations_;
  for (const Actor& actor : actors_)
    if (actor.compute > 0) use.computing_nodes.push_back(transport_.node(actor.rank));
  std::sort(use.computing_nodes.begin(), use.computing_nodes.end());
  use.computing_nodes.erase(std::unique(use.computing_nodes.begin(), use.computing_nodes.end()),
                            use.computing_nodes.end());
  return use;
}

Outcome Interpreter::outcome() const {
  Outcome outcome;
  outcome.network = name_of(settings_.network);
  outcome.collectives = selection_.name();
  outcome.seed = settings_.seed;
  outcome.messages = one_sided_->transfers();
  for (std::int32_t rank = 0; rank < trace_.header.ranks; ++rank) {
    RankOutcome& row = outcome.ranks.emplace_back();
    row.rank = Rank{rank};
    const auto at = static_cast<std::size_t>(rank);
    for (std::uint32_t i = first_actor_[at]; i < first_actor_[at + 1]; ++i) {
      const Actor& actor = actors_[i];
      outcome.operations += actor.operations;
      outcome.messages += actor.sent;
      row.compute += Seconds{actor.compute};
      row.communication += Seconds{actor.in_mpi - actor.wait};
      row.wait += Seconds{actor.wait};
      row.finish = std::max(row.finish, Seconds{actor.clock + actor.skipped});
    }
    outcome.predicted_time = std::max(outcome.predicted_time, row.finish);
  }
  outcome.reordered_completions = other_completions_;
  outcome.reordered_wildcards = other_messages_;
  outcome.forwarded = forward_ ? forward_->outcome()
                               : Forwarded{0, Seconds{}, not_forwarded_, settings_.fast_forward};
  outcome.losses = losses();
  if (disturbances_) outcome.noise = disturbances_->total_noise();
  outcome.no_effect = facts_without_effect(outcome.predicted_time);
  outcome.used = settings_use();
  return outcome;
}

}  // namespace reprise::sim
