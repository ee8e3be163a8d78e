// SPDX-License-Identifier: MIT
// Blocking wildcard receives and probes that take what comes first in the simulation (wildcard_window.hpp has what may come).
//
// The choice is made before the call is carried out: the block of the chosen sender becomes the current one, and then the call
// takes the match that it took when it was recorded. Of messages that came at one moment the recorded one is chosen.
#include <algorithm>

#include "sim/engine/interpreter.hpp"
#include "sim/engine/point_to_point/wildcard_window.hpp"

namespace reprise::sim {

using trace_io::Field;
using trace_io::Kind;

bool Interpreter::has_choice(const Actor& actor) const {
  const Kind kind = actor.cursor.procedure().kind;
  if (kind != Kind::receive && kind != Kind::probe && kind != Kind::matched_probe) return false;
  const EventFields fields(actor.cursor);
  return fields.scalar(Field::peer) == trace_io::kAnySource &&
         fields.scalar(Field::matched_peer) >= trace_io::kFirstPeer;
}

// Where the matching message of the recording, or another one of the window, is there: its block is the current one.
Interpreter::Progress Interpreter::choose_match(std::uint32_t index) {
  Actor& actor = actors_[index];
  if (is_ahead(actor)) return catch_up(index);
  const EventFields fields(actor.cursor);
  const CommunicatorView* view = communicator(actor, fields.scalar(Field::comm));
  if (view == nullptr) return Progress::blocked;
  const auto tag = static_cast<std::int32_t>(fields.scalar(Field::tag));
  const Pattern pattern{Context::point_to_point(view->number), kAnyPeer, tag};
  transport_.find_unexpected(actor.rank, pattern, found_);

  const std::int64_t first_peer = fields.scalar(Field::matched_peer);
  const std::int64_t first_tag =
      tag == kAnyTagValue ? fields.scalar(Field::matched_tag) : fields.scalar(Field::tag);
  const std::int32_t first_sender =
      memberships_.peer(actor.rank, *view, first_peer - trace_io::kFirstPeer);
  WildcardWindow window(actor.cursor);
  const auto recorded_block = [&](const Message& message) -> std::optional<WildcardWindow::Block> {
    if (message.from == first_sender)
      return WildcardWindow::Block{0, 0, first_peer, first_tag};  // no need to look ahead
    const std::int64_t code = peer_code(actor.rank, *view, message.from);
    return code >= trace_io::kFirstPeer ? window.first_of(code) : std::nullopt;
  };
  senders_.clear();
  std::optional<WildcardWindow::Block> chosen;
  std::uint32_t chosen_message = kNothing;
  for (const std::uint32_t id : found_) {
    const Message& message = transport_.message(id);
    if (chosen && message.arrived > transport_.message(chosen_message).arrived) break;
    // A sender's messages are taken in order: only the first one of each counts.
    if (std::find(senders_.begin(), senders_.end(), message.from) != senders_.end()) continue;
    senders_.push_back(message.from);
    const auto block = recorded_block(message);
    if (!block || static_cast<std::int32_t>(block->tag) != message.tag) continue;
    if (chosen && block->peer != first_peer) continue;
    chosen = block;
    chosen_message = id;
    if (block->peer == first_peer) break;
  }
  if (!chosen) {
    actor.probe = pattern;
    actor.is_choosing = true;
    transport_.watch(actor.rank, pattern, index);
    actor.state = Actor::State::in_probe;
    return Progress::blocked;
  }
  const Message& message = transport_.message(chosen_message);
  if (message.arrived >= actor.clock) transport_.expect(chosen_message);
  block_until(actor, message.arrived, message.issued);
  if (chosen->first > 0) {
    ++other_messages_;
    actor.cursor.bring_forward(chosen->first, chosen->count);
  }
  return Progress::done;
}

// How the rank names a world rank in a communicator; kNoPeer where that is not in it.
std::int64_t Interpreter::peer_code(std::int32_t rank, const CommunicatorView& view,
                                    std::int32_t world_rank) const {
  if (view.number == 0) return trace_io::kFirstPeer + world_rank;
  for (std::int32_t peer = 0; peer < view.frame_size(); ++peer)
    if (memberships_.peer(rank, view, peer) == world_rank) return trace_io::kFirstPeer + peer;
  return trace_io::kNoPeer;
}

}  // namespace reprise::sim
