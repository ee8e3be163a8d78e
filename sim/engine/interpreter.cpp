// SPDX-License-Identifier: MIT
#include "sim/engine/interpreter.hpp"

#include <algorithm>

#include "platforms/placement.hpp"
#include "sim/engine/observe/deadlock_report.hpp"
#include "sim/engine/observe/observation.hpp"
#include "sim/network/network_model.hpp"
#include "sim/network/pool.hpp"

namespace reprise::sim {

using trace_io::Field;
using trace_io::Kind;

namespace {

// Windows and files meet in contexts behind the communicators', by turns.
constexpr std::uint32_t kHandleKinds = 2;

// A rank that waits for more messages than these will not go on with the next one.
constexpr std::uint32_t kSoon = 2;

}  // namespace

Interpreter::Interpreter(const trace_io::Trace& trace, const trace_io::Programs& programs,
                         const platforms::Platform& platform, const ReplaySettings& settings,
                         Network& network)
    : settings_(settings),
      platform_(platform),
      network_(network),
      observation_(settings.observation),
      runtime_(trace, programs, platform,
               platforms::place_ranks(static_cast<std::uint32_t>(trace.header.ranks), platform,
                                      settings.placement),
               network, *this, settings.observation),
      computing_(runtime_, platform_,
                 {settings.deltas, settings.seed, settings.compute_scale, settings.compute,
                  settings.memory_traffic, settings.conditions}),
      transport_(runtime_),
      point_to_point_(runtime_, transport_, programs, settings.wildcards == Wildcards::simulated),
      completion_(runtime_, transport_),
      probes_(runtime_, transport_, point_to_point_),
      collectives_(runtime_, transport_, platform_),
      one_sided_(runtime_, runtime_.communicators().contexts(), kHandleKinds),
      file_io_(runtime_, platform_, runtime_.communicators().contexts() + 1, kHandleKinds),
      unmodelled_(trace.sites.size()) {
  collectives_.runs().set_meeting_listener(file_io_);
  if (observation_ != nullptr)
    observation_->begin(trace, platform, runtime_.paths().ends(), runtime_.actors(),
                        settings.conditions.links);
  if (observation_ != nullptr && observation_->path() != nullptr) {
    std::vector<std::int32_t> ranks;
    for (const Actor& actor : runtime_.actors()) ranks.push_back(actor.rank);
    observation_->path()->begin(platform, ranks, network, settings.conditions.links);
    runtime_.set_path(observation_->path());
  }
  if (observation_ != nullptr && observation_->waits() != nullptr) {
    observation_->waits()->begin();
    runtime_.set_waits(observation_->waits());
  }
  if (observation_ != nullptr && observation_->delays() != nullptr) {
    *observation_->delays() = {};
    runtime_.set_delays(observation_->delays());
  }
  prepare_forwarding(static_cast<std::size_t>(trace.header.ranks));
}

void Interpreter::prepare_forwarding(std::size_t ranks) {
  const auto& links = settings_.conditions.links;
  not_forwarded_ = Computing::what_varies(settings_.conditions);
  if (!settings_.fast_forward)
    not_forwarded_ = "switched off";
  else if (runtime_.actors().size() != ranks)
    not_forwarded_ = "ranks have several threads, or none";
  else if (not_forwarded_.empty() &&
           std::any_of(links.begin(), links.end(),
                       [](const LinkChange& change) { return !change.is_always(); }))
    not_forwarded_ = "links change while the program runs";
  else if (not_forwarded_.empty() && observation_ != nullptr && observation_->why_not_forwarded())
    not_forwarded_ = observation_->why_not_forwarded();
  if (!not_forwarded_.empty()) return;
  forward_ = std::make_unique<FastForward>(
      ranks,
      SteadySettings{.is_drawn = settings_.deltas != Deltas::mean,
                     .ordered = settings_.deltas == Deltas::ordered ? &computing_ : nullptr,
                     .tolerance = settings_.forward_within,
                     .compute_scale = computing_.largest_scale(),
                     .noise = model_of(settings_.network).time_error,
                     .observation = observation_},
      may_foretell() ? GraphLoop::Settings{.runtime = &runtime_,
                                           .computing = &computing_,
                                           .tolerance = settings_.forward_within,
                                           .observation = observation_}
                     : GraphLoop::Settings{});
}

// Compute times that are played in their order; around a window that somebody watches loops are replayed.
bool Interpreter::may_foretell() const {
  return settings_.deltas == Deltas::ordered &&
         (observation_ == nullptr || observation_->window() == nullptr);
}

void Interpreter::run() {
  const auto& actors = runtime_.actors();
  for (std::uint32_t actor = 0; actor < actors.size() && !runtime_.error(); ++actor) run(actor);
  if (!runtime_.error()) network_.run(*this);
  if (observation_ != nullptr) observation_->finish(actors, runtime_.now());
  const bool all_finished = std::all_of(actors.begin(), actors.end(), [](const Actor& actor) {
    return actor.state == Actor::State::finished;
  });
  if (!runtime_.error() && all_finished) return collectives_.check_complete();
  const ReplayError error = runtime_.error()
                                ? *runtime_.error()
                                : DeadlockReport(runtime_, collectives_.runs(), probes_,
                                                 {&one_sided_.windows(), &file_io_.files()})
                                      .error();
  if (probes_.reordered() > 0) throw WildcardDeadlock(error);
  throw error;
}

// Once an event: worth no call of its own.
[[gnu::always_inline]] inline bool Interpreter::begin_event(std::uint32_t index) {
  Actor& actor = runtime_.actor(index);
  if (observation_ != nullptr) observation_->on_end(index, actor);
  if (!actor.cursor.advance()) {
    actor.state = Actor::State::finished;
    if (observation_ != nullptr) observation_->on_finished(index, actor);
    return false;
  }
  if (forward_) {
    if (!actor.cursor.is_plain())
      runtime_.forbid_fast_forward("receives from any source look ahead");
    if (actor.cursor.cursor().began_iteration() &&
        (runtime_.fast_forward_forbidden() == nullptr || forward_->goes_on_though_forbidden()) &&
        forward_->on_iteration(actor, index))
      point_to_point_.on_jump(index);
  }
  if (observation_ != nullptr) {
    observation_->on_begin(index, actor);
    if (runtime_.path() != nullptr) [[unlikely]]
      runtime_.path()->at_call(index, actor.cursor.site(), actor.skipped);
  }
  ++actor.operations;
  if (const auto* durations = actor.cursor.compute();
      durations != nullptr && actor.cursor.procedure().kind != Kind::init &&
      computing_.compute(index, *durations) == Progress::blocked)
    return false;
  actor.entered = actor.clock;
  if (!runtime_.is_ahead(actor)) return true;
  if (!runtime_.paths().needs_ranks() && ++actor.ahead <= Runtime::kRunAhead) return true;
  runtime_.catch_up(index);
  return false;
}

void Interpreter::tell_watch() {
  until_told_ = ReplayWatch::kWakeUps;
  if (settings_.watch == nullptr || !settings_.watch->is_due()) return;
  std::uint64_t calls = 0;
  for (const Actor& actor : runtime_.actors()) calls += actor.operations;
  settings_.watch->at(calls);
}

void Interpreter::run(std::uint32_t index) {
  if (--until_told_ == 0) [[unlikely]]
    tell_watch();
  Actor& actor = runtime_.actor(index);
  actor.state = Actor::State::running;
  for (;;) {
    if (!actor.repeats_event && !begin_event(index)) return;
    actor.repeats_event = false;
    if (runtime_.paths().needs_ranks()) enter_mpi(actor);
    const Progress progress = execute(index);
    if (is_rehearsal_) note_started(index);
    if (progress == Progress::blocked || runtime_.error()) return;
    runtime_.end_call(actor);
  }
}

void Interpreter::enter_mpi(Actor& actor) {
  actor.is_inside = true;
  transport_.progress(actor.rank);
  collectives_.runs().progress(actor.rank);
}

Progress Interpreter::execute(std::uint32_t index) {
  Actor& actor = runtime_.actor(index);
  if (settings_.wildcards == Wildcards::simulated && WildcardWindow::begins_at(actor.cursor) &&
      probes_.choose(index) == Progress::blocked)
    return Progress::blocked;
  const EventFields fields(actor.cursor);
  switch (actor.cursor.procedure().kind) {
    case Kind::init:
    case Kind::finalize:
    case Kind::comm_free:
      return Progress::done;
    case Kind::send:
      return point_to_point_.send(index, fields);
    case Kind::receive:
      return point_to_point_.receive(index, fields);
    case Kind::sendrecv:
      return point_to_point_.sendrecv(index, fields);
    case Kind::start_send:
      return point_to_point_.start_send(index, fields, false);
    case Kind::start_receive:
      return point_to_point_.start_receive(index, fields, false);
    case Kind::init_send:
      return point_to_point_.start_send(index, fields, true);
    case Kind::init_receive:
      return point_to_point_.start_receive(index, fields, true);
    case Kind::start: {
      const std::int64_t slot = fields.scalar(Field::request);
      return point_to_point_.start(index, {&slot, 1});
    }
    case Kind::start_all:
      return point_to_point_.start(index, fields.vector(Field::requests));
    case Kind::wait: {
      const std::int64_t slot = fields.scalar(Field::request);
      return completion_.wait_all(index, {&slot, 1});
    }
    case Kind::wait_all:
      return completion_.wait_all(index, fields.vector(Field::requests));
    case Kind::wait_any:
    case Kind::wait_some:
      return completion_.wait_any(index, fields);
    case Kind::probe:
    case Kind::matched_probe:
      return probes_.probe(index, fields);
    case Kind::matched_receive:
      return probes_.matched_receive(index, fields, true);
    case Kind::start_matched_receive:
      return probes_.matched_receive(index, fields, false);
    case Kind::cancel:
      return completion_.cancel(index, fields.scalar(Field::request));
    case Kind::request_free:
      return completion_.free(index, fields.scalar(Field::request));
    case Kind::buffer_detach:
      return completion_.empty_buffer(index);
    case Kind::collective:
      return is_rehearsal_ ? meet_all(index, fields) : collectives_.collective(index, fields, true);
    case Kind::start_collective:
      return is_rehearsal_ ? meet_all(index, fields)
                           : collectives_.collective(index, fields, false);
    case Kind::comm_create:
      return collectives_.make_communicator(index, fields, true);
    case Kind::start_comm_create:
      return collectives_.make_communicator(index, fields, false);
    case Kind::unmodelled:
      replay_as_recorded(index, fields);
      return Progress::done;
    default:
      break;
  }
  runtime_.forbid_fast_forward("one-sided communication and files are replayed call by call");
  if (fields.has(Field::window)) return one_sided_.execute(index, fields);
  if (file_io_.is_modelled()) return file_io_.execute(index, fields);
  if (actor.cursor.procedure().kind != Kind::file_seek) replay_as_recorded(index, fields);
  return Progress::done;
}

// The call takes the time that it took; a request that it makes is complete at once.
void Interpreter::replay_as_recorded(std::uint32_t index, const EventFields& fields) {
  runtime_.forbid_fast_forward("calls replayed as their recorded time are counted one by one");
  Actor& actor = runtime_.actor(index);
  const auto* durations = actor.cursor.communicate();
  const double time = durations == nullptr ? 0 : computing_.recorded_time(index, *durations);
  actor.clock += time;
  if (runtime_.path() != nullptr) [[unlikely]]
    runtime_.path()->advance(runtime_.name_of(actor), actor.clock, PathPart::recorded);
  Unmodelled& unmodelled = unmodelled_[actor.cursor.site()];
  ++unmodelled.count;
  unmodelled.seconds += time;
  if (!fields.has(Field::request)) return;
  const std::uint32_t made = runtime_.make_request(index, Request::Kind::send, 0);
  actor.slot(fields.scalar(Field::request)) = made;
  runtime_.complete(made, actor.clock, actor.clock);
}

void Interpreter::prepare(EventId event, unsigned steps) {
  if (event >> 32 != 0) return;
  const auto index = static_cast<std::uint32_t>(event);
  const std::uint32_t done = transport_.prepare(index, steps);
  if (steps > 3) return;  // the message itself is on its way only
  const Message& message = transport_.message(index);
  if (!message.context.is_collective()) return prepare_rank(message.to, steps);
  if (done == kNothing) return;
  const std::uint32_t run = runtime_.requests()[done].run;
  if (run == kNothing) return;
  fetch(collectives_.runs()[run]);
  runtime_.expect_send(message.to);
  if (const auto threads = runtime_.threads_of(message.to); !threads.empty())
    prefetch(&threads.front().rank);
}

// Whom a message goes to goes on when it is there, if nothing else is missing: its next calls, and what it computes before them. With the head
// already: the tail of a short message follows at once. Of several threads the first is as good a guess as any.
void Interpreter::prepare_rank(std::int32_t rank, unsigned steps) {
  const auto threads = runtime_.threads_of(rank);
  if (threads.empty()) return;
  const Actor& actor = threads.front();
  if (steps == 3)
    fetch(actor);
  else if (actor.pending == 0 || actor.pending > kSoon)
    return;
  runtime_.communicators().prepare(rank, steps);
  actor.cursor.cursor().prepare(steps);
  computing_.prepare(runtime_.index_of(actor), steps);
}

void Interpreter::on_head(EventId message) {
  if (message >> 32 == 0) transport_.on_head(static_cast<std::uint32_t>(message));
}

void Interpreter::on_tail(EventId message) {
  const auto index = static_cast<std::uint32_t>(message);
  if (message >> 32 == 0)
    transport_.on_tail(index);
  else
    one_sided_.on_tail(index);
}

void Interpreter::on_delay_end(EventId id) {
  const auto index = static_cast<std::uint32_t>(id);
  switch (static_cast<NetworkEvent>(id >> 32)) {
    case NetworkEvent::message:
      return transport_.on_request_to_send(index);
    case NetworkEvent::clearance:
      return transport_.on_clearance(index);
    case NetworkEvent::acknowledgement:
      return transport_.on_acknowledgement(index);
    case NetworkEvent::resume:
      return runtime_.resume(index);
    case NetworkEvent::compute:
      return computing_.begin(index);
    case NetworkEvent::cores:
      return computing_.on_shared(index);
    case NetworkEvent::one_sided:
      return one_sided_.on_message(index);
    case NetworkEvent::file_latency:
      return file_io_.on_latency_over(index);
    case NetworkEvent::storage_turn:
      return file_io_.on_turn(index);
  }
}

}  // namespace reprise::sim
