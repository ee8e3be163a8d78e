// SPDX-License-Identifier: MIT
// The fields of each kind of call, from the records within it. Scalars and lists stand in the order of fields()
// (trace-io/model/procedure.hpp).
#include <algorithm>

#include "trace-io/import/otf2/rank_events.hpp"
#include "trace-io/model/communicators.hpp"

namespace reprise::trace_io {
namespace {

std::int64_t peer_code(std::uint32_t rank) { return kFirstPeer + static_cast<std::int64_t>(rank); }

// What stands for a receive, or a collective, until the archive tells what it was.
void fill_in_nobody(ImportedCall& call, std::int64_t request) {
  call.scalars.assign({kWorldIndex, kProcNull, 0, 0, request});
  call.vector_count = 0;
}

}  // namespace

const Otf2RankEvents::Place* Otf2RankEvents::place(OTF2_CommRef comm) {
  const auto known = places_.find(comm);
  if (known != places_.end()) return &known->second;
  const auto found = definitions_.communicators.find(comm);
  if (found == definitions_.communicators.end()) {
    rank_.lose("records on communicators that are not defined", Severity::partial);
    return nullptr;
  }
  const auto& communicator = definitions_.job.communicator(found->second);
  const std::int32_t me = rank_.rank().value;
  if (!communicator.has(me)) {
    rank_.lose("records on communicators that the rank is not in", Severity::partial);
    return nullptr;
  }
  const auto& members = communicator.members;
  const bool is_first = std::find(members.begin(), members.end(), me) != members.end();
  const auto size = communicator.is_inter() && is_first
                        ? static_cast<std::int32_t>(communicator.remote.size())
                        : communicator.size(definitions_.job.ranks);
  return &places_
              .emplace(comm,
                       Place{rank_.communicator(found->second), size, communicator.place_of(me)})
              .first->second;
}

bool Otf2RankEvents::describe_message(ImportedCall& call, const CallRecords::Message& message) {
  const Place* at = place(message.comm);
  if (at == nullptr) return false;
  if (message.peer >= static_cast<std::uint32_t>(at->size)) {
    rank_.lose("messages with ranks that the communicator does not have", Severity::partial);
    return false;
  }
  call.scalars.insert(call.scalars.end(), {at->index, peer_code(message.peer), message.tag,
                                           static_cast<std::int64_t>(message.bytes)});
  return true;
}

bool Otf2RankEvents::describe_blocking(ImportedCall& call, const Procedure& row) {
  const bool sends = row.kind != Kind::receive, receives = row.kind != Kind::send;
  const auto nobody = [&] {
    rank_.lose("blocking calls without a message: with MPI_PROC_NULL", Severity::notice);
  };
  if (sends && !records_.sent.empty()) {
    if (!describe_message(call, records_.sent.front())) return false;
  } else if (sends) {
    nobody();
    std::int64_t comm = kWorldIndex;
    if (receives && !records_.received.empty())
      if (const Place* at = place(records_.received.front().comm)) comm = at->index;
    call.scalars.insert(call.scalars.end(), {comm, kProcNull, 0, 0});
  }
  if (receives && !records_.received.empty()) {
    const std::size_t before = call.scalars.size();
    if (!describe_message(call, records_.received.front())) return false;
    if (sends)  // one communicator for both halves
      call.scalars.erase(call.scalars.begin() + static_cast<std::ptrdiff_t>(before));
  } else if (receives) {
    nobody();
    if (!sends) call.scalars.push_back(kWorldIndex);
    call.scalars.insert(call.scalars.end(), {kProcNull, 0, 0});
  }
  if (receives) call.scalars.insert(call.scalars.end(), {kNoPeer, kNone});
  return true;
}

bool Otf2RankEvents::describe_start(ImportedCall& call, const Procedure& row) {
  if (row.kind == Kind::start_send) {
    if (records_.sent.empty() || !records_.sent.front().has_request) return false;
    if (!describe_message(call, records_.sent.front())) return false;
    call.scalars.push_back(rank_.start_request(records_.sent.front().request));
    return true;
  }
  const auto& started = row.kind == Kind::start_receive ? records_.requested : records_.started;
  if (started.empty()) return false;
  fill_in_nobody(call, rank_.start_request(started.front()));
  call.waits = true;
  return true;
}

// A call whose fields come with its completion. Its procedure is known then; until then it stands as a receive from nobody.
void Otf2RankEvents::hold(ImportedCall& call) {
  // By its procedure: a damaged archive may have records of both in one call.
  const bool is_receive =
      procedure_named(rank_.paths().procedure_of(call.site)).kind == Kind::start_receive;
  const std::uint64_t request = is_receive ? records_.requested.front() : records_.started.front();
  if (!is_receive) {
    placeholder_of_[request] = call.site;
    call.site = site(call_.path, "MPI_Irecv");
  }
  (is_receive ? receives_ : collectives_)[request] = rank_.add_waiting();
}

// Start and Startall: as the sends and receives that they start, in the order of the records.
bool Otf2RankEvents::describe_persistent(std::int64_t end) {
  std::int64_t begin = call_.begin;
  bool any = false;
  for (const auto& message : records_.sent) {
    if (!message.has_request) continue;
    ImportedCall& call = rank_.begin_call(site(call_.path, "MPI_Isend"), begin, end);
    if (!describe_message(call, message)) continue;
    call.scalars.push_back(rank_.start_request(message.request));
    rank_.add();
    begin = end;
    any = true;
  }
  for (const std::uint64_t request : records_.requested) {
    ImportedCall& call = rank_.begin_call(site(call_.path, "MPI_Irecv"), begin, end);
    fill_in_nobody(call, rank_.start_request(request));
    receives_[request] = rank_.add_waiting();
    begin = end;
    any = true;
  }
  if (any)
    rank_.lose("starts of persistent requests, as the sends and receives that they start",
               Severity::notice);
  return any;
}

bool Otf2RankEvents::describe_completion(ImportedCall& call, const Procedure& row) {
  auto& ids = records_.completed;
  for (const auto request : records_.cancelled) {
    ids.push_back(request);
    if (const auto found = receives_.find(request); found != receives_.end()) {
      rank_.lose("cancelled receives: from MPI_PROC_NULL", Severity::notice);
      rank_.resolved(found->second);
      receives_.erase(found);
    }
  }
  rank_.complete_requests(ids, ages_);
  if (row.kind == Kind::wait) {
    if (ages_.size() > 1)
      rank_.lose("completions beyond the one of MPI_Wait", Severity::partial, ages_.size() - 1);
    call.scalars.assign({ages_.empty() ? kNone : ages_.front(), kNoPeer, kNone});
    return true;
  }
  call.add_vector() = ages_;
  if (row.kind != Kind::wait_all) {
    call.add_vector() = ages_;
    rank_.lose("lists of requests of which " + std::string(row.name) +
                   " completed some: only those are known",
               Severity::notice);
  }
  call.add_vector().assign(ages_.size(), kNoPeer);
  call.add_vector().assign(ages_.size(), kNone);
  return true;
}

void Otf2RankEvents::receive_completed(const CallRecords::Message& message) {
  if (auto* records = this->records("completions")) records->completed.push_back(message.request);
  const auto found = receives_.find(message.request);
  if (found == receives_.end()) return;  // its start came with all its fields, or is not there
  ImportedCall* call = rank_.waiting(found->second);
  if (call == nullptr) {
    rank_.lose("messages of abandoned receives", Severity::partial);
  } else {
    ImportedCall described;
    if (describe_message(described, message)) {
      described.scalars.push_back(call->scalars.back());
      call->scalars = std::move(described.scalars);
    }
    rank_.resolved(found->second);
  }
  receives_.erase(found);
}

bool Otf2RankEvents::describe_collective(ImportedCall& call, const Procedure& row,
                                         OTF2_CommRef comm, std::uint32_t root, std::uint64_t sent,
                                         std::uint64_t received) {
  const Place* at = place(comm);
  if (at == nullptr) return false;
  CollectiveSums sums{sent, received, at->size, at->me, kNoPeer, false};
  if (root == OTF2_COLLECTIVE_ROOT_SELF)
    sums.root = kRoot;
  else if (root == OTF2_COLLECTIVE_ROOT_THIS_GROUP)
    sums.root = kProcNull;
  else if (root != OTF2_COLLECTIVE_ROOT_NONE)
    sums.root = peer_code(root);
  const auto specs = fields(row);
  const bool is_rooted = specs.size() > 1 && specs[1].field == Field::peer;
  if (is_rooted &&
      (sums.root == kNoPeer || sums.root >= peer_code(static_cast<std::uint32_t>(at->size)))) {
    rank_.lose("collectives whose root is none of the communicator's ranks", Severity::partial);
    return false;
  }
  sums.is_root = sums.root == kRoot || sums.root == kFirstPeer + at->me;
  call.scalars.push_back(at->index);
  const AssumedSizes assumed =
      add_collective_fields(call, row.collective, sums, CountedBytes::every_block);
  const std::string name(row.name);
  if (assumed.vectors)
    rank_.lose("sizes per rank of " + name + ": the sum, divided evenly", Severity::partial);
  if (assumed.elements)
    rank_.lose("elements and operations of reductions: of at most 8 B, commutative",
               Severity::notice);
  if (assumed.remainder)
    rank_.lose("sizes of " + name + " that do not divide by the ranks", Severity::partial);
  return true;
}

void Otf2RankEvents::collective_completed(std::uint64_t request, OTF2_CommRef comm,
                                          std::uint32_t root, std::uint64_t sent,
                                          std::uint64_t received) {
  if (auto* records = this->records("completions")) records->completed.push_back(request);
  const auto found = collectives_.find(request);
  if (found == collectives_.end()) return;
  const auto site = placeholder_of_.find(request);
  if (ImportedCall* call = rank_.waiting(found->second)) {
    ImportedCall described;
    const std::int64_t age = call->scalars.back();
    const Procedure row = procedure_named(rank_.paths().procedure_of(site->second));
    if (describe_collective(described, row, comm, root, sent, received)) {
      described.scalars.push_back(age);
      call->site = site->second;
      call->scalars = std::move(described.scalars);
      call->vectors = std::move(described.vectors);
      call->vector_count = described.vector_count;
    }
    rank_.resolved(found->second);
  }
  placeholder_of_.erase(site);
  collectives_.erase(found);
}

bool Otf2RankEvents::describe(ImportedCall& call, const Procedure& row) {
  switch (row.kind) {
    case Kind::init:
    case Kind::finalize:
    case Kind::buffer_detach:
      return true;
    case Kind::send:
    case Kind::receive:
    case Kind::sendrecv:
      return describe_blocking(call, row);
    case Kind::start_send:
    case Kind::start_receive:
    case Kind::start_collective:
      return describe_start(call, row);
    case Kind::wait:
    case Kind::wait_all:
    case Kind::wait_any:
    case Kind::wait_some:
      return describe_completion(call, row);
    case Kind::collective:
      return records_.is_collective &&
             describe_collective(call, row, records_.comm, records_.root, records_.bytes_sent,
                                 records_.bytes_received);
    default:
      return describe_window(call, row);
  }
}

}  // namespace reprise::trace_io
