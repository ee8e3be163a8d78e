// SPDX-License-Identifier: MIT
#include "sim/engine/point_to_point/wildcard_lookahead.hpp"

#include <utility>

#include "sim/engine/loop/event_fields.hpp"

namespace reprise::sim {

using trace_io::Field;
using trace_io::Kind;

WildcardScout::WildcardScout(const trace_io::Programs& programs, Rank rank, std::size_t thread)
    : cursor_(programs, rank, thread) {}

void WildcardScout::restart(const trace_io::Cursor& cursor) {
  cursor_ = cursor.copy();
  stands_before_ = true;
  matches_.clear();
  for (Slot& slot : slots_) slot.instance = kNone;  // what is under way has been told its match
}

WildcardScout::Match WildcardScout::next() {
  while (matches_.empty() || matches_.front().state == Match::State::unknown)
    if (!look_further()) break;
  if (matches_.empty()) return Match{Match::State::open};
  Match match = matches_.front();
  if (match.state == Match::State::unknown) match.state = Match::State::open;
  matches_.pop_front();
  ++first_;
  return match;
}

WildcardScout::Slot& WildcardScout::slot(std::int64_t number) {
  const auto index = static_cast<std::size_t>(number < 0 ? 0 : number);
  if (slots_.size() <= index) slots_.resize(index + 1);
  return slots_[index];
}

void WildcardScout::begin(Slot& slot) {
  slot.instance = first_ + matches_.size();
  slot.is_cancelled = false;
  matches_.emplace_back();
}

void WildcardScout::end(std::int64_t number, std::int64_t peer, std::int64_t tag) {
  if (number == trace_io::kNone) return;  // MPI_REQUEST_NULL
  Slot& ended = slot(number);
  if (ended.instance == kNone) return;
  if (ended.instance >= first_) {
    Match& match = matches_[ended.instance - first_];
    const bool has_match = peer >= trace_io::kFirstPeer || tag != trace_io::kNone;
    match.state = has_match            ? Match::State::matched
                  : ended.is_cancelled ? Match::State::cancelled
                                       : Match::State::open;
    match.peer = peer;
    match.tag = tag;
  }
  ended.instance = kNone;
}

void WildcardScout::end_all(const EventFields& fields, Field slots) {
  const auto numbers = fields.vector(slots);
  const auto peers = fields.vector(Field::matched_peers), tags = fields.vector(Field::matched_tags);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    end(numbers[i], i < peers.size() ? peers[i] : trace_io::kNoPeer,
        i < tags.size() ? tags[i] : trace_io::kNone);
}

bool WildcardScout::look_further() {
  if (!std::exchange(stands_before_, false) && !cursor_.advance()) return false;
  const EventFields fields(cursor_);
  const auto is_wild = [&] {
    return fields.scalar(Field::peer) == trace_io::kAnySource ||
           (fields.scalar(Field::tag) == trace_io::kAnyTag &&
            fields.scalar(Field::peer) != trace_io::kProcNull);
  };
  switch (cursor_.procedure().kind) {
    case Kind::start_receive:
      slot(fields.scalar(Field::request)) = Slot{};
      if (is_wild()) begin(slot(fields.scalar(Field::request)));
      break;
    case Kind::init_receive:
      slot(fields.scalar(Field::request)) = Slot{};
      slot(fields.scalar(Field::request)).is_wild = is_wild();
      break;
    case Kind::start_send:
    case Kind::init_send:
    case Kind::start_collective:
    case Kind::start_matched_receive:
    case Kind::start_comm_create:
      slot(fields.scalar(Field::request)) = Slot{};
      break;
    case Kind::start:
      if (Slot& started = slot(fields.scalar(Field::request)); started.is_wild) begin(started);
      break;
    case Kind::start_all:
      for (const auto number : fields.vector(Field::requests))
        if (Slot& started = slot(number); started.is_wild) begin(started);
      break;
    case Kind::cancel:
      slot(fields.scalar(Field::request)).is_cancelled = true;
      break;
    case Kind::request_free:
      end(fields.scalar(Field::request), trace_io::kNoPeer, trace_io::kNone);
      break;
    case Kind::wait:
      end(fields.scalar(Field::request), fields.scalar(Field::matched_peer),
          fields.scalar(Field::matched_tag));
      break;
    case Kind::wait_all:
      end_all(fields, Field::requests);
      break;
    case Kind::wait_any:
    case Kind::wait_some:
      end_all(fields, Field::completed);
      break;
    default:
      break;
  }
  return true;
}

}  // namespace reprise::sim
