// SPDX-License-Identifier: MIT
#include "sim/engine/point_to_point/probes.hpp"

#include <algorithm>
#include <utility>

namespace reprise::sim {

using trace_io::Field;
using trace_io::Kind;

Probes::Probes(Runtime& runtime, Transport& transport, PointToPoint& point_to_point)
    : runtime_(runtime),
      transport_(transport),
      point_to_point_(point_to_point),
      sides_(runtime.actors().size()) {
  transport.set_probe_listener(*this);
}

Progress Probes::watch(std::uint32_t index) {
  Actor& actor = runtime_.actor(index);
  transport_.watch(actor.rank, sides_[index].pattern, index);
  actor.state = Actor::State::in_probe;
  return Progress::blocked;
}

Progress Probes::probe(std::uint32_t index, const EventFields& fields) {
  const Actor& actor = runtime_.actor(index);
  if (fields.scalar(Field::peer) == trace_io::kProcNull) return Progress::done;
  if (runtime_.is_ahead(actor)) return runtime_.catch_up(index);
  // A request only to look up communicator, peer and wildcards as a receive does.
  const std::int64_t comm = fields.scalar(Field::comm);
  const std::uint32_t wanted = point_to_point_.make_request(
      index, Request::Kind::receive,
      {comm, fields.scalar(Field::peer), fields.scalar(Field::tag), 0});
  if (wanted == kNothing) return Progress::blocked;
  Request& request = runtime_.requests()[wanted];
  point_to_point_.fix_wildcard(request, fields.scalar(Field::matched_peer),
                               fields.scalar(Field::matched_tag),
                               runtime_.communicators().view(actor.rank, comm));
  sides_[index].pattern = {request.context, request.peer, request.tag};
  runtime_.requests().give_back(wanted);
  const std::uint32_t message = transport_.find_unexpected(actor.rank, sides_[index].pattern);
  if (message == kNothing) return watch(index);
  take(index, message);
  return Progress::done;
}

void Probes::take(std::uint32_t index, std::uint32_t message) {
  const EventFields fields(runtime_.actor(index).cursor);
  if (!fields.has(Field::message)) return;
  const std::int64_t slot = fields.scalar(Field::message);
  if (slot < 0) return;  // MPI_MESSAGE_NO_PROC: nothing can receive it
  transport_.claim(message);
  sides_[index].messages.at(slot) = message;
}

void Probes::on_probed(std::uint32_t index, std::uint32_t message) {
  if (std::exchange(sides_[index].is_choosing, false)) {
    // The choice is made when all that happens at this moment has happened.
    runtime_.catch_up(index);
    return;
  }
  note_arrival(index, message, runtime_.now());
  Runtime::block_until(runtime_.actor(index), runtime_.now(), transport_.message(message).issued);
  take(index, message);
  runtime_.resume_call(index);
}

void Probes::note_arrival(std::uint32_t index, std::uint32_t message, double arrived) {
  if (WaitStates* const waits = runtime_.waits(); waits != nullptr) {
    const Actor& actor = runtime_.actor(index);
    const double ready = transport_.message(message).issued - actor.clock;
    const double seconds = std::min(ready, arrived - actor.clock);
    waits->add(actor.rank, actor.cursor.site(), WaitState::late_sender, seconds);
    if (DelayCosts* const delays = runtime_.delays(); delays != nullptr && seconds > 0) {
      std::vector<CriticalPath::Delayer> delayers;
      runtime_.path()->find_delayers({CriticalPath::Of::actor, index},
                                     {CriticalPath::Of::message, message}, seconds, delayers);
      delays->add(actor.cursor.site(), false, transport_.message(message).from, seconds, delayers);
    }
  }
  CriticalPath* const path = runtime_.path();
  if (path == nullptr) return;
  const CriticalPath::Name name{CriticalPath::Of::actor, index};
  path->await(name, runtime_.actor(index).clock, {CriticalPath::Of::message, message}, arrived);
  path->advance(name, std::max(arrived, runtime_.actor(index).clock), PathPart::other);
}

Progress Probes::matched_receive(std::uint32_t index, const EventFields& fields, bool is_blocking) {
  Actor& actor = runtime_.actor(index);
  // A message that no Mprobe left behind is MPI_MESSAGE_NO_PROC: there is nothing to receive.
  std::uint32_t* probed = sides_[index].messages.find(fields.scalar(Field::message));
  const bool is_there = probed != nullptr && *probed != kNothing;
  const std::uint32_t request = point_to_point_.make_request(
      index, Request::Kind::receive, {0, trace_io::kProcNull, 0, fields.scalar(Field::bytes)});
  if (is_there) {
    const std::uint32_t message = std::exchange(*probed, kNothing);
    Request& made = runtime_.requests()[request];
    made.context = transport_.message(message).context;
    made.peer = transport_.message(message).from;
    made.tag = transport_.message(message).tag;
    transport_.receive_claimed(request, message, actor.clock);
  }
  if (!is_blocking) {
    actor.slot(fields.scalar(Field::request)) = request;
    return Progress::done;
  }
  actor.awaited.push_back({request, -1});
  return runtime_.await(index);
}

WildcardWindow& Probes::window_of(std::uint32_t index) {
  auto& window = sides_[index].window;
  if (!window) window = std::make_unique<WildcardWindow>();
  return *window;
}

Progress Probes::choose(std::uint32_t index) {
  Actor& actor = runtime_.actor(index);
  if (runtime_.is_ahead(actor)) return runtime_.catch_up(index);
  const EventFields fields(actor.cursor);
  const CommunicatorView* view = runtime_.communicator(actor, fields.scalar(Field::comm));
  if (view == nullptr) return Progress::blocked;
  const auto tag = static_cast<std::int32_t>(fields.scalar(Field::tag));
  const Pattern pattern{Context::point_to_point(view->number), kAnyPeer, tag};
  transport_.find_unexpected(actor.rank, pattern, found_);

  const std::int64_t first_peer = fields.scalar(Field::matched_peer);
  const std::int64_t first_tag =
      tag == kAnyTagValue ? fields.scalar(Field::matched_tag) : fields.scalar(Field::tag);
  const std::int32_t first_sender =
      runtime_.communicators().peer(actor.rank, *view, first_peer - trace_io::kFirstPeer);
  // What the call may take: of the current block, which needs no look ahead, or of another one.
  struct Choice {
    std::int64_t peer, tag;
    const WildcardWindow::Block* block = nullptr;
  };
  const auto recorded_block = [&](const Message& message) -> std::optional<Choice> {
    if (message.from == first_sender) return Choice{first_peer, first_tag};
    const std::int64_t code = peer_code(actor.rank, *view, message.from);
    if (code < trace_io::kFirstPeer) return std::nullopt;
    const auto* block = window_of(index).first_of(actor.cursor, code);
    return block == nullptr ? std::nullopt : std::optional(Choice{block->peer, block->tag, block});
  };
  senders_.clear();
  std::optional<Choice> chosen;
  std::uint32_t chosen_message = kNothing;
  for (const std::uint32_t id : found_) {
    const Message& message = transport_.message(id);
    if (chosen && message.arrived > transport_.message(chosen_message).arrived) break;
    // A sender's messages are taken in order: only the first one of each counts.
    if (std::find(senders_.begin(), senders_.end(), message.from) != senders_.end()) continue;
    senders_.push_back(message.from);
    const auto choice = recorded_block(message);
    if (!choice || static_cast<std::int32_t>(choice->tag) != message.tag) {
      has_left_messages_ = true;
      continue;
    }
    if (chosen && choice->peer != first_peer) continue;
    chosen = choice;
    chosen_message = id;
    if (choice->peer == first_peer) break;
  }
  if (!chosen) {
    sides_[index].pattern = pattern;
    sides_[index].is_choosing = true;
    return watch(index);
  }
  const Message& message = transport_.message(chosen_message);
  if (message.arrived >= actor.clock) transport_.expect(chosen_message);
  note_arrival(index, chosen_message, message.arrived);
  Runtime::block_until(actor, message.arrived, message.issued);
  if (chosen->block != nullptr) {
    ++reordered_;
    window_of(index).bring_forward(actor.cursor, *chosen->block);
  }
  return Progress::done;
}

// How the rank names a world rank in a communicator; kNoPeer where that is not in it.
std::int64_t Probes::peer_code(std::int32_t rank, const CommunicatorView& view,
                               std::int32_t world_rank) const {
  if (view.number == 0) return trace_io::kFirstPeer + world_rank;
  for (std::int32_t peer = 0; peer < view.frame_size(); ++peer)
    if (runtime_.communicators().peer(rank, view, peer) == world_rank)
      return trace_io::kFirstPeer + peer;
  return trace_io::kNoPeer;
}

}  // namespace reprise::sim
