// SPDX-License-Identifier: MIT
#include "sim/export/ti_rank.hpp"

#include <algorithm>

namespace reprise::sim {

using trace_io::Field;
using trace_io::Kind;
using trace_io::Severity;

namespace {
// Communicators keep their messages apart by tags from here on; tags of the world stay as they are.
constexpr std::int64_t kTagsPerCommunicator = std::int64_t{1} << 20;
}  // namespace

TiRank::TiRank(TiJob& job, Rank rank, TiLines& out)
    : job_(job),
      rank_(rank),
      out_(out),
      cursor_(job.programs, rank, 0),
      scout_(job.programs, rank, 0) {
  played_.rank = rank;
}

void TiRank::write() {
  while (cursor_.advance()) {
    if (!inside_ && out_.lines() == 0 && cursor_.procedure().kind != Kind::init)
      begin();  // a trace written by hand may do without
    event();
  }
  if (inside_) out_.begin("finalize").end();
}

void TiRank::begin() {
  out_.begin("init").end();
  inside_ = true;
}

void TiRank::lose(Severity severity, const std::string& what) {
  TiLoss& loss = job_.losses[what];
  loss.severity = severity;
  ++loss.count;
}

void TiRank::compute() {
  const auto* durations = cursor_.compute();
  if (durations == nullptr || !inside_) return;
  const double seconds = job_.deltas.play(*durations, played_).value;
  if (seconds <= 0) return;
  out_.begin("compute").number(seconds * job_.settings.flops_per_second).end();
}

void TiRank::event() {
  const trace_io::Procedure& procedure = cursor_.procedure();
  compute();
  const EventFields fields(cursor_);
  switch (procedure.kind) {
    case Kind::init:
      return begin();
    case Kind::finalize:
      out_.begin("finalize").end();
      inside_ = false;
      return;
    case Kind::send:
      return send(fields);
    case Kind::receive:
      return receive(fields);
    case Kind::sendrecv:
      return sendrecv(fields);
    case Kind::start_send:
    case Kind::start_receive:
      return make_request(fields, false);
    case Kind::init_send:
    case Kind::init_receive:
      return make_request(fields, true);
    case Kind::start:
      return start(fields.scalar(Field::request));
    case Kind::start_all:
      for (const auto number : fields.vector(Field::requests)) start(number);
      return;
    case Kind::wait:
      return wait(fields.scalar(Field::request));
    case Kind::wait_all:
      return wait_all(fields);
    case Kind::wait_any:
    case Kind::wait_some:
      for (const auto number : fields.vector(Field::completed)) wait(number);
      return;
    case Kind::probe:
      return lose(Severity::partial, "probes left out");
    case Kind::matched_probe:
    case Kind::matched_receive:
    case Kind::start_matched_receive:
      return matched_receive(fields);
    case Kind::cancel:
      // A cancelled receive would be waited for in vain at the end.
      return lose(Severity::partial, "cancelled receives exported as ordinary ones");
    case Kind::request_free: {
      slot(fields.scalar(
          Field::request)) = {};  // TI goes on counting it: "waitall" would wait for it
      return;
    }
    case Kind::collective:
    case Kind::start_collective:
      return collective(fields);
    case Kind::comm_create:
    case Kind::start_comm_create:
      out_.begin(procedure.name.starts_with("MPI_Comm_dup") || procedure.name == "MPI_Comm_idup"
                     ? "comm_dup"
                     : "comm_split")
          .end();
      if (procedure.kind == Kind::start_comm_create)
        slot(fields.scalar(Field::request)).kind = Slot::Kind::silent;
      return lose(Severity::notice, "communicator creation exported without cost");
    case Kind::comm_free:
      return;
    case Kind::buffer_detach:
      return lose(Severity::partial, name() + " left out");
    case Kind::unmodelled: {
      const auto* durations = cursor_.communicate();
      const double seconds = durations == nullptr ? 0 : job_.deltas.play(*durations, played_).value;
      if (seconds > 0) out_.begin("sleep").number(seconds).end();
      return lose(Severity::notice, name() + " as its recorded time");
    }
    default:
      return lose(Severity::partial, name() + " left out");
  }
}

std::optional<std::int64_t> TiRank::partner(std::int64_t comm, std::int64_t code) const {
  if (code < trace_io::kFirstPeer) return std::nullopt;
  const auto world = job_.communicators.world_rank(rank_, comm, code - trace_io::kFirstPeer);
  if (!world) return std::nullopt;
  return world->value;
}

std::int64_t TiRank::tag_in(std::int64_t comm, std::int64_t tag) {
  const auto place = job_.communicators.place(rank_, comm);
  if (comm == trace_io::kWorldIndex || !place) return tag;
  const std::int64_t number =
      place->definition ? static_cast<std::int64_t>(*place->definition) + 2 : 1;  // 1: self
  if (tag >= kTagsPerCommunicator || number >= 2047)
    lose(Severity::partial, "tags that collide across communicators");
  return number * kTagsPerCommunicator + tag % kTagsPerCommunicator;
}

void TiRank::note_mode() {
  using trace_io::SendMode;
  const SendMode mode = cursor_.procedure().mode;
  if (mode == SendMode::synchronous)
    lose(Severity::partial, "synchronous sends exported as standard ones");
  if (mode == SendMode::buffered || mode == SendMode::ready)
    lose(Severity::notice, "buffered and ready sends exported as standard ones");
}

void TiRank::line(std::string_view verb, std::int64_t partner, std::int64_t tag,
                  std::int64_t bytes) {
  out_.begin(verb).word(partner).word(tag).word(bytes).end();
}

// The code of the sender: the one asked for, or of a wildcard the one that came.
std::int64_t TiRank::source_of(const EventFields& fields, std::int64_t code, Field matched) const {
  return code == trace_io::kAnySource ? fields.scalar(matched) : code;
}

void TiRank::send(const EventFields& fields) {
  note_mode();
  const auto comm = fields.scalar(Field::comm);
  const auto to = partner(comm, fields.scalar(Field::peer));
  if (to) line("send", *to, tag_in(comm, fields.scalar(Field::tag)), fields.scalar(Field::bytes));
}

void TiRank::receive(const EventFields& fields) {
  const auto comm = fields.scalar(Field::comm);
  const auto peer = fields.scalar(Field::peer);
  const auto tag = fields.scalar(Field::tag);
  if (peer == trace_io::kAnySource || tag == trace_io::kAnyTag)
    lose(Severity::notice, "wildcards exported as they matched when recorded");
  const auto from = partner(comm, source_of(fields, peer, Field::matched_peer));
  if (!from) return;
  line("recv", *from,
       tag_in(comm, tag == trace_io::kAnyTag ? fields.scalar(Field::matched_tag) : tag),
       fields.scalar(Field::bytes));
}

void TiRank::sendrecv(const EventFields& fields) {
  const auto comm = fields.scalar(Field::comm);
  const auto to = partner(comm, fields.scalar(Field::peer));
  const auto asked_peer = fields.scalar(Field::receive_peer),
             asked_tag = fields.scalar(Field::receive_tag);
  const auto from = partner(comm, source_of(fields, asked_peer, Field::matched_peer));
  if (asked_peer == trace_io::kAnySource || asked_tag == trace_io::kAnyTag)
    lose(Severity::notice, "wildcards exported as they matched when recorded");
  const auto send_tag = tag_in(comm, fields.scalar(Field::tag));
  const auto receive_tag =
      from ? tag_in(comm,
                    asked_tag == trace_io::kAnyTag ? fields.scalar(Field::matched_tag) : asked_tag)
           : 0;
  const auto sent = fields.scalar(Field::bytes), room = fields.scalar(Field::receive_bytes);
  if (to && from && send_tag == 0 && receive_tag == 0) {  // the verb has no tags: both are 0
    constexpr std::int64_t kByte = 6;  // SMPI requires both types in this line only
    out_.begin("sendRecv")
        .word(sent)
        .word(*to)
        .word(room)
        .word(*from)
        .word(kByte)
        .word(kByte)
        .end();
    return;
  }
  if (from) line(to ? "irecv" : "recv", *from, receive_tag, room);
  if (to) line(from ? "isend" : "send", *to, send_tag, sent);
  if (!to || !from) return;
  out_.begin("wait").word(rank_.value).word(*to).word(send_tag).end();
  out_.begin("wait").word(*from).word(rank_.value).word(receive_tag).end();
}

TiRank::Slot& TiRank::slot(std::int64_t number) { return slots_.at(number); }

void TiRank::make_request(const EventFields& fields, bool is_persistent) {
  const Kind kind = cursor_.procedure().kind;
  const bool is_send = kind == Kind::start_send || kind == Kind::init_send;
  const auto comm = fields.scalar(Field::comm), number = fields.scalar(Field::request);
  const auto peer = fields.scalar(Field::peer), tag = fields.scalar(Field::tag);
  note_mode();
  Slot made{is_send ? Slot::Kind::send : Slot::Kind::receive, is_persistent};
  made.bytes = fields.scalar(Field::bytes);
  made.comm = comm;
  made.asked_tag = tag;
  made.is_wild = peer == trace_io::kAnySource || tag == trace_io::kAnyTag;
  const auto known = partner(comm, peer);
  if (known) made.partner = *known;
  if (!known && peer != trace_io::kAnySource) made.kind = Slot::Kind::silent;  // MPI_PROC_NULL
  if (number == trace_io::kNone) {  // a send that nothing waits for, as one that was freed
    if (made.kind != Slot::Kind::send) return;
    line("isend", made.partner, tag_in(comm, tag), made.bytes);
    ++open_;
    return;
  }
  slot(number) = made;
  if (!is_persistent) start(number);
}

void TiRank::start(std::int64_t number) {
  if (number == trace_io::kNone) return;
  Slot& started = slot(number);
  started.is_active = true;
  std::int64_t tag = started.asked_tag;
  if (started.is_wild) {
    const auto match = scout_.next();
    if (match.state != WildcardLookahead::Match::State::matched) {
      started.kind = Slot::Kind::silent;
      return lose(Severity::partial, "wildcard receives without an observed completion");
    }
    lose(Severity::notice, "wildcards exported as they matched when recorded");
    if (match.peer >= trace_io::kFirstPeer) started.partner = match.peer - trace_io::kFirstPeer;
    if (match.tag != trace_io::kNone) tag = match.tag;
  }
  if (started.kind != Slot::Kind::send && started.kind != Slot::Kind::receive) return;
  started.tag = tag_in(started.comm, tag);
  line(started.kind == Slot::Kind::send ? "isend" : "irecv", started.partner, started.tag,
       started.bytes);
  ++open_;
}

void TiRank::wait(std::int64_t number) {
  if (number == trace_io::kNone) return;
  Slot& ended = slot(number);
  if (ended.is_active && (ended.kind == Slot::Kind::send || ended.kind == Slot::Kind::receive)) {
    const bool sends = ended.kind == Slot::Kind::send;
    out_.begin("wait")
        .word(sends ? rank_.value : ended.partner)
        .word(sends ? ended.partner : rank_.value)
        .word(ended.tag)
        .end();
    --open_;
  }
  ended.is_active = false;
  if (!ended.is_persistent) ended.kind = Slot::Kind::none;
}

void TiRank::wait_all(const EventFields& fields) {
  const auto numbers = fields.vector(Field::requests);
  std::int64_t real = 0;
  for (const auto number : numbers) {
    const Slot& one = slot(number);
    if (one.is_active && (one.kind == Slot::Kind::send || one.kind == Slot::Kind::receive)) ++real;
  }
  if (real != open_ || real < 2) {
    for (const auto number : numbers) wait(number);
    return;
  }
  out_.begin("waitall").word(real).end();
  open_ = 0;
  for (const auto number : numbers) {
    Slot& one = slot(number);
    one.is_active = false;
    if (!one.is_persistent) one.kind = Slot::Kind::none;
  }
}

void TiRank::matched_receive(const EventFields& fields) {
  if (cursor_.procedure().kind == Kind::matched_probe) {
    const auto comm = fields.scalar(Field::comm);
    const auto tag = fields.scalar(Field::tag);
    const auto from =
        partner(comm, source_of(fields, fields.scalar(Field::peer), Field::matched_peer));
    const auto matched =
        tag_in(comm, tag == trace_io::kAnyTag ? fields.scalar(Field::matched_tag) : tag);
    claimed_.push_back({fields.scalar(Field::message), from ? *from : -1, matched});
    return lose(Severity::partial, "probes left out");
  }
  const auto number = fields.scalar(Field::message);
  const auto found = std::find_if(claimed_.begin(), claimed_.end(),
                                  [number](const Claimed& c) { return c.message == number; });
  const bool starts = cursor_.procedure().kind == Kind::start_matched_receive;
  Slot made{Slot::Kind::silent};
  made.is_active = true;
  if (found != claimed_.end() && found->partner >= 0) {
    made.kind = Slot::Kind::receive;
    made.partner = found->partner;
    made.tag = found->tag;
    made.bytes = fields.scalar(Field::bytes);
    line(starts ? "irecv" : "recv", made.partner, made.tag, made.bytes);
    if (starts) ++open_;
  }
  if (found != claimed_.end()) claimed_.erase(found);
  if (starts) slot(fields.scalar(Field::request)) = made;
}

}  // namespace reprise::sim
