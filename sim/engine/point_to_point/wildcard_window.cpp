// SPDX-License-Identifier: MIT
#include "sim/engine/point_to_point/wildcard_window.hpp"

#include <algorithm>

#include "sim/engine/loop/event_fields.hpp"

namespace reprise::sim {
namespace {

using trace_io::Field;
using trace_io::Kind;

// Whether a call is the same question as the window's first, and found an answer.
bool asks_the_same(const EventFields& first, const trace_io::Procedure& first_procedure,
                   const EventFields& other, const trace_io::Procedure& procedure) {
  if (procedure.kind != first_procedure.kind) return false;
  for (const Field field : {Field::comm, Field::peer, Field::tag})
    if (first.scalar(field) != other.scalar(field)) return false;
  return other.scalar(Field::matched_peer) >= trace_io::kFirstPeer;
}

// Whether a call concerns nobody but `peer` (and its own requests, which `open` keeps).
bool concerns_only(std::int64_t comm, std::int64_t peer, const EventFields& fields, Kind kind,
                   std::vector<std::int64_t>& open) {
  const auto is_peer = [&](Field field) {
    return fields.scalar(field) == peer || fields.scalar(field) == trace_io::kProcNull;
  };
  switch (kind) {
    case Kind::send:
    case Kind::receive:
      return fields.scalar(Field::comm) == comm && is_peer(Field::peer);
    case Kind::sendrecv:
      return fields.scalar(Field::comm) == comm && is_peer(Field::peer) &&
             is_peer(Field::receive_peer);
    case Kind::start_send:
    case Kind::start_receive:
      if (fields.scalar(Field::comm) != comm || !is_peer(Field::peer)) return false;
      open.push_back(fields.scalar(Field::request));
      return true;
    case Kind::wait: {
      const auto found = std::find(open.begin(), open.end(), fields.scalar(Field::request));
      if (found == open.end()) return false;
      open.erase(found);
      return true;
    }
    default:
      return false;
  }
}

}  // namespace

std::optional<WildcardWindow::Block> WildcardWindow::first_of(std::int64_t peer) {
  for (std::size_t i = 0;; ++i) {
    if (i == blocks_.size() && !read_block()) return std::nullopt;
    if (blocks_[i].peer == peer) return blocks_[i];
  }
}

bool WildcardWindow::read_block() {
  if (has_ended_) return false;
  const auto* first = stream_.peek(next_);
  const EventFields asked(*first);
  Block block{next_, 1, asked.scalar(Field::matched_peer), asked.scalar(Field::tag)};
  if (block.tag == trace_io::kAnyTag) block.tag = asked.scalar(Field::matched_tag);
  const std::int64_t comm = asked.scalar(Field::comm);
  std::vector<std::int64_t> open;
  for (;;) {
    const std::size_t at = block.first + block.count;
    const auto* event = at < kEvents ? stream_.peek(at) : nullptr;
    has_ended_ = event == nullptr;
    if (has_ended_) break;
    const auto* begin = stream_.peek(0);
    const EventFields fields(*event);
    if (asks_the_same(EventFields(*begin), *begin->procedure, fields, *event->procedure)) break;
    if (!concerns_only(comm, block.peer, fields, event->procedure->kind, open)) {
      has_ended_ = true;
      break;
    }
    ++block.count;
  }
  // A block with something still under way cannot be carried out at another time.
  if (!open.empty()) has_ended_ = true;
  if (!open.empty() && !blocks_.empty()) return false;
  next_ = block.first + block.count;
  blocks_.push_back(block);
  return true;
}

}  // namespace reprise::sim
