// SPDX-License-Identifier: MIT
#include "trace-io/check/rank_walk.hpp"

#include <algorithm>
#include <array>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::int64_t kFirstOwn = kFirstOwnIndex;

// Whether the trace has the time of a call that creates a communicator, but not which one it created: OTF2 archives do not say.
bool makes_communicators_unseen(std::string_view procedure) {
  static const std::set<std::string, std::less<>> names = [] {
    std::set<std::string, std::less<>> made;
    for (const auto& known : known_procedures())
      if (known.kind == Kind::comm_create || known.kind == Kind::start_comm_create)
        made.insert(time_only(known.name));
    return made;
  }();
  return names.contains(procedure);
}

}  // namespace

// A call's scalars by field, and its vectors.
struct RankWalk::CallFields {
  std::array<std::int64_t, kFieldCount> values{};
  std::array<std::int32_t, kFieldCount>
      vectors{};  // index for Cursor::vector(), −1 where there is none
  std::array<bool, kFieldCount> has{};
  SiteId site;

  explicit CallFields(const Cursor& cursor) : site(cursor.site()) {
    vectors.fill(-1);
    std::int32_t vector = 0;
    std::size_t scalar = 0;
    for (const auto& spec : fields(cursor.procedure())) {
      const auto index = static_cast<std::size_t>(spec.field);
      has[index] = true;
      if (spec.is_vector)
        vectors[index] = vector++;
      else
        values[index] = cursor.scalars()[scalar++];
    }
  }
  bool carries(Field field) const { return has[static_cast<std::size_t>(field)]; }
  std::int64_t operator[](Field field) const { return values[static_cast<std::size_t>(field)]; }
  std::span<const std::int64_t> list(const Cursor& cursor, Field field) const {
    const std::int32_t index = vectors[static_cast<std::size_t>(field)];
    return index < 0 ? std::span<const std::int64_t>()
                     : cursor.vector(static_cast<std::size_t>(index));
  }
};

RankWalk::RankWalk(const Trace& trace, const CommunicatorTable& communicators, MessageTally& tally,
                   std::vector<Finding>& findings, Rank rank)
    : trace_(trace),
      communicators_(communicators),
      tally_(tally),
      findings_(findings),
      rank_(rank) {}

void RankWalk::report(SiteId site, Severity severity, const std::string& problem) {
  if (!reported_.emplace(site, problem).second) return;
  findings_.push_back(
      {severity, "rank " + std::to_string(rank_.value) + ", " + site_text(trace_, site), problem});
}

void RankWalk::walk(const Programs& programs, std::size_t thread, bool is_only_thread) {
  checks_order_ = is_only_thread;
  Cursor cursor(programs, rank_, thread);
  while (cursor.advance()) check_call(cursor);
}

void RankWalk::finish() {
  if (!has_finalized_) return;  // cut off before its end: what is under way there is no fault
  for (const auto& [slot, request] : requests_)
    if (request.is_active && checks_order_)
      report(request.site, Severity::notice,
             "request " + std::to_string(slot) + " is never completed");
}

void RankWalk::check_call(const Cursor& cursor) {
  const CallFields call(cursor);
  if (cursor.procedure().kind == Kind::unmodelled && !made_unseen_)
    made_unseen_ = makes_communicators_unseen(cursor.procedure().name);
  if (call.carries(Field::window) || call.carries(Field::file))
    check_object(cursor, call);
  else if (call.carries(Field::comm))
    use_communicator(call.site, call[Field::comm]);
  check_peers(cursor, call);
  const std::int64_t comm = call[Field::comm], peer = call[Field::peer];
  Request request;
  request.site = call.site;
  request.comm = comm;
  request.peer = peer;
  switch (cursor.procedure().kind) {
    case Kind::send:
      return count_send(comm, peer);
    case Kind::receive:
    case Kind::matched_probe:  // the message is taken here; the matched receive only copies it
      return count_receive(comm, peer, call[Field::matched_peer], PeerFrame::comm);
    case Kind::sendrecv:
      count_send(comm, peer);
      return count_receive(comm, call[Field::receive_peer], call[Field::matched_peer],
                           PeerFrame::comm);
    case Kind::start_send:
      count_send(comm, peer);
      return start_request(call, request);
    case Kind::start_receive:
      request.is_receive = true;
      return start_request(call, request);
    case Kind::init_send:
    case Kind::init_receive:
      request.is_persistent = true;
      request.is_active = false;
      request.is_receive = cursor.procedure().kind == Kind::init_receive;
      return start_request(call, request);
    case Kind::start:
      return activate(call.site, call[Field::request]);
    case Kind::start_all:
      for (const auto slot : call.list(cursor, Field::requests)) activate(call.site, slot);
      return;
    case Kind::wait:
      return complete(call.site, call[Field::request], call[Field::matched_peer]);
    case Kind::wait_all:
    case Kind::wait_any:
    case Kind::wait_some:
      return complete_listed(cursor, call);
    case Kind::cancel: {
      const auto found = requests_.find(call[Field::request]);
      if (found != requests_.end()) found->second.is_cancelled = true;
      return;
    }
    case Kind::request_free:
      requests_.erase(call[Field::request]);
      return;
    case Kind::start_matched_receive:
      return start_request(call, request);
    case Kind::start_collective:
      start_request(call, request);
      return enter_collective(call);
    case Kind::collective:
      return enter_collective(call);
    case Kind::start_comm_create:
    case Kind::comm_create: {
      const std::int64_t made = call[Field::new_comm];
      if (cursor.procedure().kind == Kind::start_comm_create) start_request(call, request);
      if (made >= kFirstOwn) {
        if (!communicators_.place(rank_, made))
          report(call.site, Severity::error,
                 "makes communicator " + std::to_string(made) + ", which is not described");
        alive_.insert(made);
        freed_.erase(made);
      }
      // Members of a group only, or two groups, enter these; the others are collective over the old communicator.
      const auto name = cursor.procedure().name;
      if (name != "MPI_Comm_create_group" && name != "MPI_Intercomm_create") enter_collective(call);
      return;
    }
    case Kind::comm_free:
      if (alive_.erase(comm) > 0) freed_.insert(comm);
      return;
    case Kind::finalize:
      has_finalized_ = true;
      return;
    case Kind::init:
    case Kind::buffer_detach:
    case Kind::probe:
    case Kind::matched_receive:
    case Kind::unmodelled:
      return;
    case Kind::window_create:
    case Kind::file_open:
      return enter_collective(call);
    default:
      if (call.carries(Field::request)) start_request(call, request);
      return;
  }
}

// A window or a file is used between the call that makes it and the one that frees it. Its communicator may be freed earlier.
void RankWalk::check_object(const Cursor& cursor, const CallFields& call) {
  const bool is_window = call.carries(Field::window);
  const Kind kind = cursor.procedure().kind;
  const std::int64_t slot = call[is_window ? Field::window : Field::file];
  const std::string name = (is_window ? "window " : "file ") + std::to_string(slot);
  if (kind == Kind::window_create || kind == Kind::file_open)
    use_communicator(call.site, call[Field::comm]);
  else if (!communicators_.place(rank_, call[Field::comm]))
    report(call.site, Severity::error,
           "uses communicator " + std::to_string(call[Field::comm]) + ", which is not described");
  if (!checks_order_) return;  // threads share them as they share requests
  auto& objects = is_window ? windows_ : files_;
  if (kind == Kind::window_create || kind == Kind::file_open) {
    if (!objects.emplace(slot, call[Field::comm]).second)
      report(call.site, Severity::error, "makes " + name + ", which is in use");
    return;
  }
  const auto found = objects.find(slot);
  if (found == objects.end())
    return report(call.site, Severity::error, "uses " + name + ", which does not exist");
  if (found->second != call[Field::comm])
    report(call.site, Severity::error,
           "uses " + name + " with communicator " + std::to_string(call[Field::comm]) +
               ", it was made on " + std::to_string(found->second));
  if (kind == Kind::window_free || kind == Kind::file_close) objects.erase(found);
}

void RankWalk::use_communicator(SiteId site, std::int64_t index) {
  if (index == kWorldIndex || index == kSelfIndex) return;
  const std::string name = std::to_string(index).insert(0, "communicator ");
  if (!communicators_.place(rank_, index))
    report(site, Severity::error, "uses " + name + ", which is not described");
  else if (!checks_order_)
    return;
  else if (freed_.contains(index))
    report(site, Severity::error, "uses " + name + " after it was freed");
  else if (!alive_.contains(index) && trace_.header.complete && !made_unseen_)
    // MPI_Comm_get_parent and the like make communicators without a call that a trace knows.
    report(site, Severity::notice, "uses " + name + " before any call makes it");
}

void RankWalk::check_peers(const Cursor& cursor, const CallFields& call) {
  std::size_t scalar = 0, vector = 0;
  for (const auto& spec : fields(cursor.procedure())) {
    const auto codes =
        spec.is_vector ? cursor.vector(vector++) : cursor.scalars().subspan(scalar++, 1);
    if (spec.frame == PeerFrame::not_a_peer || codes.empty()) continue;
    const std::int64_t index = spec.frame == PeerFrame::world      ? kWorldIndex
                               : spec.frame == PeerFrame::new_comm ? call[Field::new_comm]
                                                                   : call[Field::comm];
    const auto frame = communicators_.frame_of(rank_, index);
    if (!frame) continue;  // reported as the use of the communicator
    for (const auto code : codes) {
      const bool is_special = code >= kProcNull && code <= kNoPeer;
      if (is_special || (code >= kFirstPeer && code - kFirstPeer < frame->size)) continue;
      report(call.site, Severity::error,
             std::string(name_of(spec.field)) + " " + std::to_string(code - kFirstPeer) +
                 " is not one of the communicator's " + std::to_string(frame->size) + " ranks");
    }
  }
}

void RankWalk::start_request(const CallFields& call, Request request) {
  if (!checks_order_) return;
  const std::int64_t slot = call[Field::request];
  if (slot < 0) return;
  if (requests_.contains(slot))
    report(call.site, Severity::error,
           "starts request " + std::to_string(slot) + ", which is in use");
  requests_[slot] = request;
}

void RankWalk::activate(SiteId site, std::int64_t slot) {
  if (!checks_order_) return;
  const auto found = requests_.find(slot);
  if (found == requests_.end() || !found->second.is_persistent || found->second.is_active)
    return report(site, Severity::error,
                  "starts request " + std::to_string(slot) +
                      (found == requests_.end()       ? ", which does not exist"
                       : !found->second.is_persistent ? ", which is not persistent"
                                                      : ", which is active"));
  found->second.is_active = true;
  if (!found->second.is_receive) count_send(found->second.comm, found->second.peer);
}

void RankWalk::complete(SiteId site, std::int64_t slot, std::int64_t matched) {
  if (!checks_order_ || slot < 0) return;
  const auto found = requests_.find(slot);
  if (found == requests_.end() || !found->second.is_active)
    return report(site, Severity::error,
                  "completes request " + std::to_string(slot) + ", which is not active");
  Request& request = found->second;
  if (request.is_receive && !request.is_cancelled)
    count_receive(request.comm, request.peer, matched, PeerFrame::world);
  request.is_cancelled = false;
  if (request.is_persistent)
    request.is_active = false;
  else
    requests_.erase(found);
}

void RankWalk::complete_listed(const Cursor& cursor, const CallFields& call) {
  const bool completes_all = !call.carries(Field::completed);
  const auto requests = call.list(cursor, Field::requests);
  const auto completed = completes_all ? requests : call.list(cursor, Field::completed);
  const auto matched = call.list(cursor, Field::matched_peers);
  if (matched.size() != completed.size())
    report(call.site, Severity::error,
           std::to_string(completed.size()) + " requests completed, but " +
               std::to_string(matched.size()) + " matched peers");
  for (std::size_t i = 0; i < completed.size(); ++i) {
    if (!completes_all &&
        std::find(requests.begin(), requests.end(), completed[i]) == requests.end())
      report(call.site, Severity::error,
             "completes request " + std::to_string(completed[i]) + ", which was not handed in");
    complete(call.site, completed[i], i < matched.size() ? matched[i] : kNoPeer);
  }
}

void RankWalk::count_send(std::int64_t comm, std::int64_t peer) {
  if (!checks_order_ || peer < kFirstPeer) return;
  const auto place = communicators_.place(rank_, comm);
  const auto destination = communicators_.world_rank(rank_, comm, peer - kFirstPeer);
  if (!place || !destination || comm == kSelfIndex) return;
  tally_.add_send(
      place->definition ? static_cast<std::int64_t>(*place->definition) : kWorldDefinition, rank_,
      *destination);
}

void RankWalk::count_receive(std::int64_t comm, std::int64_t peer, std::int64_t matched,
                             PeerFrame matched_frame) {
  if (!checks_order_ || peer == kProcNull || comm == kSelfIndex || matched == kProcNull) return;
  const auto place = communicators_.place(rank_, comm);
  if (!place) return;
  const std::int64_t definition =
      place->definition ? static_cast<std::int64_t>(*place->definition) : kWorldDefinition;
  std::optional<Rank> source;
  if (peer >= kFirstPeer)
    source = communicators_.world_rank(rank_, comm, peer - kFirstPeer);
  else if (matched >= kFirstPeer)
    source = communicators_.world_rank(
        rank_, matched_frame == PeerFrame::world ? kWorldIndex : comm, matched - kFirstPeer);
  else
    return tally_.add_wildcard(definition, rank_);
  if (source) tally_.add_receive(definition, *source, rank_);
}

void RankWalk::enter_collective(const CallFields& call) {
  const std::int64_t comm = call[Field::comm];
  const auto place = communicators_.place(rank_, comm);
  if (!place || comm == kSelfIndex || !checks_order_) return;
  const std::int64_t definition =
      place->definition ? static_cast<std::int64_t>(*place->definition) : kWorldDefinition;
  // The root is the same number for all members, except across an intercommunicator.
  const bool has_root =
      call.carries(Field::peer) && !place->is_inter() && call[Field::peer] >= kFirstPeer;
  const std::int64_t root = has_root ? call[Field::peer] - kFirstPeer + 1 : 0;
  tally_.add_collective(definition, rank_,
                        (std::int64_t{trace_.sites[call.site].procedure} << 32) + root);
}

}  // namespace reprise::trace_io
