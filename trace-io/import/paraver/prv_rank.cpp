// SPDX-License-Identifier: MIT
#include "trace-io/import/paraver/prv_rank.hpp"

#include <algorithm>

#include "trace-io/import/ranks/collective_sizes.hpp"
#include "trace-io/import/ranks/field_text.hpp"
#include "trace-io/model/communicators.hpp"

namespace reprise::trace_io {
namespace {

std::int64_t code(std::int32_t rank) { return kFirstPeer + rank; }

}  // namespace

PrvRank::PrvRank(const ImportedJob& job,
                 const std::unordered_map<std::int64_t, std::uint32_t>& communicators,
                 RootBoard& roots, Rank rank)
    : job_(job), numbers_(communicators), roots_(roots), rank_(job, rank) {}

PrvCall& PrvRank::begin_call(const PrvProcedure& procedure, std::int64_t type, std::int64_t time) {
  open_ = {};
  open_.procedure = &procedure;
  open_.type = type;
  open_.begin = time;
  open_.path = function_path();
  is_open_ = true;
  return open_;
}

void PrvRank::end_call(std::int64_t time) {
  open_.end = time;
  is_open_ = false;
  ended_.push_back(std::move(open_));
}

void PrvRank::enter_function(ImportedJob::FrameId frame) {
  functions_.push_back(rank_.paths().entered(function_path(), frame));
}

void PrvRank::leave_function() {
  if (!functions_.empty()) functions_.pop_back();
}

void PrvRank::tells_fields() {
  tells_fields_ = true;
  sent_.clear();
  posted_.clear();
}

void PrvRank::message_posted(const PrvMessage& message) {
  if (tells_fields_) return;
  auto found = waiting_.upper_bound(message.posted_at);
  if (found == waiting_.begin() || (--found)->second.end < message.posted_at) {
    posted_.emplace(message.posted_at, message);
    return;
  }
  const std::uint64_t number = found->second.call;
  waiting_.erase(found);
  if (ImportedCall* call = rank_.waiting(number)) {
    call->scalars[1] = code(message.partner);
    call->scalars[2] = message.tag;
    call->scalars[3] = message.bytes;
  }
  const auto request = request_of_.find(number);
  if (request == request_of_.end()) {
    rank_.lose("receives that an MPI_Wait without a line completed before their message came",
               Severity::notice);
  } else {
    completed_.emplace(message.completed_at, request->second);
    request_of_.erase(request);
  }
  rank_.resolved(number);
}

void PrvRank::root_is(std::uint64_t call, std::int32_t root_code) {
  if (ImportedCall* waiting = rank_.waiting(call)) waiting->scalars[1] = code(root_code);
  rank_.resolved(call);
}

SiteId PrvRank::site(const PrvCall& call, const std::string& procedure) {
  return rank_.paths().site(call.path, rank_.paths().procedure(procedure));
}

void PrvRank::keep_as_time(const PrvCall& call) {
  const std::string name = time_only(call.procedure->name);
  rank_.begin_call(site(call, name), call.begin, call.end);
  rank_.add();
  rank_.lose(name, Severity::notice, 1, call.end - call.begin);
}

void PrvRank::build_next() {
  const PrvCall call = std::move(ended_.front());
  ended_.pop_front();
  const PrvProcedure& procedure = *call.procedure;
  if (procedure.treatment == Treatment::compute) return;  // its time is compute time
  while (rank_.held() >= ImportedRank::kMostHeld) give_up_oldest();
  if (procedure.treatment != Treatment::event) {
    rank_.begin_call(site(call, procedure.name), call.begin, call.end);
    rank_.add();
    return rank_.lose("unmodelled " + procedure.name, Severity::partial, 1, call.end - call.begin);
  }
  ImportedCall& built = rank_.begin_call(site(call, procedure.name), call.begin, call.end);
  built.is_test = procedure.row.is_test;
  if (!call.fields.empty()) {
    if (add_fields_of_text(rank_, job_, procedure.row, call.fields, built)) return rank_.add();
    rank_.lose("events of fields that cannot be read", Severity::partial);
  } else if (describe(built, call)) {
    if (built.waits) return;  // was added so
    return rank_.add();
  } else if (built.what == ImportedCall::What::failed_poll) {
    return rank_.failed_poll(call.begin, call.end);
  }
  keep_as_time(call);
}

bool PrvRank::describe(ImportedCall& built, const PrvCall& call) {
  switch (call.procedure->row.kind) {
    case Kind::init:
    case Kind::finalize:
    case Kind::buffer_detach:
      return true;
    case Kind::send:
    case Kind::start_send:
      return describe_send(built, call);
    case Kind::receive:
    case Kind::start_receive:
      return describe_receive(built, call);
    case Kind::sendrecv:
      return describe_sendrecv(built, call);
    case Kind::wait:
    case Kind::wait_all:
    case Kind::wait_any:
    case Kind::wait_some:
      describe_completion(built, call);
      return built.what == ImportedCall::What::call;
    case Kind::collective:
    case Kind::start_collective:
      return describe_collective(built, call);
    default:
      return false;
  }
}

bool PrvRank::take_sent(const PrvCall& call, PrvMessage& message) {
  while (!sent_.empty() && sent_.front().sent_at < call.begin) {
    rank_.lose("messages sent outside of any call", Severity::partial);
    sent_.pop_front();
  }
  if (sent_.empty() || sent_.front().sent_at > call.end) return false;
  message = sent_.front();
  sent_.pop_front();
  return true;
}

bool PrvRank::take_posted(const PrvCall& call, PrvMessage& message) {
  while (!posted_.empty() && posted_.begin()->first < call.begin) {
    rank_.lose("receives posted outside of any call", Severity::partial);
    posted_.erase(posted_.begin());
  }
  if (posted_.empty() || posted_.begin()->first > call.end) return false;
  message = posted_.begin()->second;
  posted_.erase(posted_.begin());
  return true;
}

bool PrvRank::describe_send(ImportedCall& built, const PrvCall& call) {
  PrvMessage message;
  if (!take_sent(call, message)) return false;
  built.scalars.assign({kWorldIndex, code(message.partner), message.tag, message.bytes});
  if (call.procedure->row.kind == Kind::start_send) {
    built.scalars.push_back(rank_.start_request(next_request_));
    open_sends_.push_back(next_request_++);
  }
  return true;
}

bool PrvRank::describe_receive(ImportedCall& built, const PrvCall& call) {
  PrvMessage message;
  const bool found = take_posted(call, message);
  if (call.procedure->row.kind == Kind::receive) {
    if (!found) return false;
    built.scalars.assign(
        {kWorldIndex, code(message.partner), message.tag, message.bytes, kNoPeer, kNone});
    return true;
  }
  const std::uint64_t request = next_request_++;
  const std::int64_t age = rank_.start_request(request);
  if (found) {
    built.scalars.assign({kWorldIndex, code(message.partner), message.tag, message.bytes, age});
    completed_.emplace(message.completed_at, request);
    return true;
  }
  built.scalars.assign({kWorldIndex, kProcNull, 0, 0, age});
  const std::uint64_t number = rank_.add_waiting();
  built.waits = true;
  waiting_[call.begin] = {call.end, number};
  request_of_[number] = request;
  without_line_.push_back(number);
  return true;
}

bool PrvRank::describe_sendrecv(ImportedCall& built, const PrvCall& call) {
  PrvMessage out, in;
  const bool sends = take_sent(call, out), receives = take_posted(call, in);
  if (!sends && !receives) return false;
  built.scalars = {kWorldIndex, kProcNull, 0, 0, kProcNull, 0, 0, kNoPeer, kNone};
  const auto put = [&](std::size_t at, const PrvMessage& message) {
    built.scalars[at] = code(message.partner);
    built.scalars[at + 1] = message.tag;
    built.scalars[at + 2] = message.bytes;
  };
  if (sends) put(1, out);
  if (receives) put(4, in);
  return true;
}

std::vector<std::uint64_t> PrvRank::take_completed(const PrvCall& call) {
  std::vector<std::uint64_t> requests;
  while (!completed_.empty() && completed_.begin()->first <= call.end) {
    if (completed_.begin()->first < call.begin)
      rank_.lose("receives completed outside of any wait: by the next one", Severity::notice);
    requests.push_back(completed_.begin()->second);
    completed_.erase(completed_.begin());
    if (call.procedure->row.kind == Kind::wait) break;
  }
  return requests;
}

void PrvRank::take_open_sends(Kind kind, std::vector<std::uint64_t>& requests) {
  const std::size_t sends = kind == Kind::wait_all ? open_sends_.size()
                            : kind == Kind::wait && requests.empty() && !open_sends_.empty() ? 1
                                                                                             : 0;
  if (sends > 0)
    rank_.lose(
        "sends whose completion is not in the file: by the next MPI_Waitall or empty MPI_Wait",
        Severity::notice, sends);
  requests.insert(requests.end(), open_sends_.begin(),
                  open_sends_.begin() + static_cast<std::ptrdiff_t>(sends));
  open_sends_.erase(open_sends_.begin(), open_sends_.begin() + static_cast<std::ptrdiff_t>(sends));
}

void PrvRank::take_without_line(Kind kind, std::vector<std::uint64_t>& requests) {
  while (!without_line_.empty()) {
    const auto request = request_of_.find(without_line_.front());
    without_line_.pop_front();
    if (request == request_of_.end()) continue;  // its line has come
    requests.push_back(request->second);
    request_of_.erase(request);
    rank_.lose("receives whose completion is not in the file: by the next wait without another",
               Severity::notice);
    if (kind == Kind::wait) return;
  }
}

void PrvRank::describe_completion(ImportedCall& built, const PrvCall& call) {
  const Kind kind = call.procedure->row.kind;
  std::vector<std::uint64_t> requests = take_completed(call);
  if (requests.empty() && call.procedure->row.is_test) {
    built.what = ImportedCall::What::failed_poll;
    return;
  }
  take_open_sends(kind, requests);
  if (requests.empty()) take_without_line(kind, requests);
  std::vector<std::int64_t> ages;
  rank_.complete_requests(requests, ages);
  if (kind == Kind::wait) {
    built.scalars.assign({ages.empty() ? kNone : ages.front(), kNoPeer, kNone});
    return;
  }
  built.add_vector() = ages;
  if (kind != Kind::wait_all) {
    built.add_vector() = ages;
    rank_.lose("lists of requests of which " + call.procedure->name +
                   " completed some: only those are known",
               Severity::notice);
  }
  built.add_vector().assign(ages.size(), kNoPeer);
  built.add_vector().assign(ages.size(), kNone);
}

bool PrvRank::describe_collective(ImportedCall& built, const PrvCall& call) {
  const auto number = numbers_.find(call.communicator);
  if (number == numbers_.end()) return false;
  const ImportedCommunicator& communicator = job_.communicator(number->second);
  if (!communicator.has(rank_.rank().value)) return false;
  const Procedure& row = call.procedure->row;
  CollectiveSums sums{static_cast<std::uint64_t>(call.sent),
                      static_cast<std::uint64_t>(call.received),
                      communicator.size(job_.ranks),
                      communicator.place_of(rank_.rank().value),
                      kNoPeer,
                      call.is_root};
  const auto specs = fields(row);
  const bool is_rooted = specs.size() > 1 && specs[1].field == Field::peer;
  const RootBoard::Key key{number->second, collectives_on_[number->second]++};
  bool waits = false;
  if (is_rooted && call.is_root) {
    sums.root = code(sums.me);
    for (const auto& asker : roots_.tell(key, sums.size, sums.me)) roots_.answer(asker, sums.me);
  } else if (is_rooted) {
    const std::int32_t root = roots_.ask(key, sums.size, {rank_.rank().value, rank_.calls()});
    waits = root == RootBoard::kUnknown;
    sums.root = code(waits ? 0 : root);
  }
  built.scalars.push_back(rank_.communicator(number->second));
  const AssumedSizes assumed =
      add_collective_fields(built, row.collective, sums, CountedBytes::own_arguments);
  if (assumed.vectors)
    rank_.lose("sizes per rank of " + call.procedure->name + ": the sum, divided evenly",
               Severity::partial);
  if (assumed.elements)
    rank_.lose("elements and operations of reductions: of at most 8 B, commutative",
               Severity::notice);
  if (row.kind == Kind::start_collective) {
    built.scalars.push_back(rank_.start_request(next_request_));
    open_sends_.push_back(next_request_++);
  }
  if (waits) {
    rank_.add_waiting();
    built.waits = true;
  }
  return true;
}

void PrvRank::give_up_oldest() {
  rank_.lose("receives and roots that are not resolved within " +
                 std::to_string(ImportedRank::kMostHeld) + " calls: from MPI_PROC_NULL, or rank 0",
             Severity::partial);
  rank_.give_up_oldest();
}

Trace PrvRank::finish(std::uint64_t unresolved_roots) {
  if (is_open_) rank_.lose("calls without an end in the file", Severity::partial);
  if (!waiting_.empty())
    rank_.lose("receives without a line of communication: from MPI_PROC_NULL", Severity::partial,
               waiting_.size());
  if (unresolved_roots > 0)
    rank_.lose("collectives whose root is not in the file: rank 0", Severity::partial,
               unresolved_roots);
  if (!sent_.empty())
    rank_.lose("messages sent outside of any call", Severity::partial, sent_.size());
  if (!posted_.empty())
    rank_.lose("receives posted outside of any call", Severity::partial, posted_.size());
  return rank_.finish();
}

}  // namespace reprise::trace_io
