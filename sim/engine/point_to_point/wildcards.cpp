// SPDX-License-Identifier: MIT
#include "sim/engine/point_to_point/wildcards.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace reprise::sim {

using trace_io::Field;
using trace_io::Kind;

WildcardLookahead::WildcardLookahead(const trace_io::Programs& programs, Rank rank,
                                     std::size_t thread)
    : cursor_(programs, rank, thread) {}

void WildcardLookahead::restart(const trace_io::Cursor& cursor) {
  cursor_ = cursor.copy();
  stands_before_ = true;
  matches_.clear();
  slots_.for_each([](Slot& slot) { slot.instance = kNone; });  // what is under way has its match
}

WildcardLookahead::Match WildcardLookahead::next() {
  while (matches_.empty() || matches_.front().state == Match::State::unknown)
    if (!look_further()) break;
  if (matches_.empty()) return Match{Match::State::open};
  Match match = matches_.front();
  if (match.state == Match::State::unknown) match.state = Match::State::open;
  matches_.pop_front();
  ++first_;
  return match;
}

WildcardLookahead::Slot& WildcardLookahead::slot(std::int64_t number) { return slots_.at(number); }

void WildcardLookahead::begin(Slot& slot) {
  slot.instance = first_ + matches_.size();
  slot.is_cancelled = false;
  matches_.emplace_back();
}

void WildcardLookahead::end(std::int64_t number, std::int64_t peer, std::int64_t tag) {
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

void WildcardLookahead::end_all(const EventFields& fields, Field slots) {
  const auto numbers = fields.vector(slots);
  const auto peers = fields.vector(Field::matched_peers), tags = fields.vector(Field::matched_tags);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    end(numbers[i], i < peers.size() ? peers[i] : trace_io::kNoPeer,
        i < tags.size() ? tags[i] : trace_io::kNone);
}

bool WildcardLookahead::look_further() {
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
      if (fields.scalar(Field::request) == trace_io::kNone) break;
      [[fallthrough]];
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

namespace {

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
      if (fields.scalar(Field::request) != trace_io::kNone)
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

bool WildcardWindow::begins_at(const EventStream& stream) {
  const Kind kind = stream.procedure().kind;
  if (kind != Kind::receive && kind != Kind::probe && kind != Kind::matched_probe) return false;
  const EventFields fields(stream);
  return fields.scalar(Field::peer) == trace_io::kAnySource &&
         fields.scalar(Field::matched_peer) >= trace_io::kFirstPeer;
}

const WildcardWindow::Block* WildcardWindow::first_of(EventStream& stream, std::int64_t peer) {
  catch_up(stream);
  if (const auto known = of_peers_.find(peer); known != of_peers_.end() && !known->second.empty())
    return &*known->second.front();
  while (read_block(stream))
    if (blocks_.back().peer == peer) return &blocks_.back();
  return nullptr;
}

void WildcardWindow::forget() {
  blocks_.clear();
  of_peers_.clear();
  reading_.reset();
  has_ended_ = false;
}

// What has been played since leaves in the order of the blocks. Where the current event begins none, the window that was known is over.
void WildcardWindow::catch_up(EventStream& stream) {
  const bool is_plain = stream.is_plain();
  const EventStream::Place current = stream.current();
  if (is_plain) forget();
  for (; !blocks_.empty() && blocks_.front().number != current->number; blocks_.pop_front())
    of_peers_[blocks_.front().peer].pop_front();
  if (!blocks_.empty() || (reading_ && reading_->number == current->number)) return;
  forget();
  begin(current);
}

void WildcardWindow::begin(EventStream::Place first) {
  const EventFields asked(*first);
  reading_ = Block{first, first, first->number, asked.scalar(Field::matched_peer),
                   asked.scalar(Field::tag)};
  if (reading_->tag == trace_io::kAnyTag) reading_->tag = asked.scalar(Field::matched_tag);
  open_.clear();
}

bool WildcardWindow::read_block(EventStream& stream) {
  if (has_ended_) return false;
  Block& block = *reading_;
  const EventStream::Event& asked = *block.first;
  const std::int64_t comm = EventFields(asked).scalar(Field::comm);
  std::optional<EventStream::Place> next;
  for (;;) {
    if (stream.looked_at() >= kEvents) return false;
    next = stream.behind(block.last);
    has_ended_ = !next;
    if (has_ended_) break;
    const EventFields fields(**next);
    const trace_io::Procedure& procedure = *(*next)->procedure;
    if (asks_the_same(EventFields(asked), *asked.procedure, fields, procedure)) break;
    if (!concerns_only(comm, block.peer, fields, procedure.kind, open_)) {
      has_ended_ = true;
      break;
    }
    block.last = *next;
  }
  // A block with something still under way cannot be carried out at another time.
  if (!open_.empty()) has_ended_ = true;
  const bool is_known = open_.empty() || blocks_.empty();
  if (is_known) {
    blocks_.push_back(block);
    of_peers_[block.peer].push_back(std::prev(blocks_.end()));
  }
  reading_.reset();
  if (!has_ended_) begin(*next);
  return is_known;
}

void WildcardWindow::bring_forward(EventStream& stream, const Block& block) {
  stream.bring_forward(block.first, block.last);
  blocks_.splice(blocks_.begin(), blocks_, of_peers_[block.peer].front());
}

}  // namespace reprise::sim
