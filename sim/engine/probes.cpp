// SPDX-License-Identifier: MIT
// Probes, and the receives of messages that Mprobe took.
#include <utility>

#include "sim/engine/interpreter.hpp"

namespace reprise::sim {

using trace_io::Field;

Interpreter::Progress Interpreter::probe(std::uint32_t index, const EventFields& fields) {
  Actor& actor = actors_[index];
  if (fields.scalar(Field::peer) == trace_io::kProcNull) return Progress::done;
  if (is_ahead(actor)) return catch_up(index);
  // A request only to look up communicator, peer and wildcards as a receive does.
  const std::uint32_t wanted = make_request(
      index, Request::Kind::receive,
      {fields.scalar(Field::comm), fields.scalar(Field::peer), fields.scalar(Field::tag), 0});
  if (wanted == kNothing) return Progress::blocked;
  Request& request = transport_.requests()[wanted];
  fix_wildcard(request, fields.scalar(Field::matched_peer), fields.scalar(Field::matched_tag),
               false, *memberships_.view(actor.rank, fields.scalar(Field::comm)));
  actor.probe = {request.context, request.peer, request.tag};
  const std::uint32_t message = transport_.find_unexpected(actor.rank, actor.probe);
  transport_.requests().give_back(wanted);
  if (message == kNothing) {
    transport_.watch(actor.rank, actor.probe, index);
    actor.state = Actor::State::in_probe;
    return Progress::blocked;
  }
  take_probed(actor, message);
  return Progress::done;
}

void Interpreter::take_probed(Actor& actor, std::uint32_t message) {
  const EventFields fields(actor.cursor);
  if (!fields.has(Field::message)) return;
  transport_.claim(message);
  const auto slot = static_cast<std::size_t>(fields.scalar(Field::message));
  if (actor.messages.size() <= slot) actor.messages.resize(slot + 1, kNothing);
  actor.messages[slot] = message;
}

void Interpreter::on_probed(std::uint32_t index, std::uint32_t message) {
  Actor& actor = actors_[index];
  if (std::exchange(actor.is_choosing, false)) {
    // The choice is made when all that happens at this moment has happened.
    catch_up(index);
    return;
  }
  block_until(actor, network_.now().value, transport_.message(message).issued);
  take_probed(actor, message);
  resume_call(index);
}

Interpreter::Progress Interpreter::matched_receive(std::uint32_t index, const EventFields& fields,
                                                   bool blocking) {
  Actor& actor = actors_[index];
  const auto number = static_cast<std::size_t>(fields.scalar(Field::message));
  // A message that no Mprobe left behind is MPI_MESSAGE_NO_PROC: there is nothing to receive.
  const bool is_there = number < actor.messages.size() && actor.messages[number] != kNothing;
  const std::uint32_t request = make_request(
      index, Request::Kind::receive, {0, trace_io::kProcNull, 0, fields.scalar(Field::bytes)});
  if (is_there) {
    const std::uint32_t message = std::exchange(actor.messages[number], kNothing);
    Request& made = transport_.requests()[request];
    made.context = transport_.message(message).context;
    made.peer = transport_.message(message).from;
    made.tag = transport_.message(message).tag;
    transport_.receive_claimed(request, message, actor.clock);
  }
  if (!blocking) {
    slot_of(actor, fields.scalar(Field::request)) = request;
    return Progress::done;
  }
  actor.awaited.push_back({request, -1});
  return await(index);
}

}  // namespace reprise::sim
