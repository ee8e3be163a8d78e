// SPDX-License-Identifier: MIT
#include "trace-io/import/dumpi/dumpi_rank.hpp"

#include <algorithm>

#include "trace-io/import/ranks/treatment.hpp"
#include "trace-io/model/communicators.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::int64_t kFirstOwnOperation = 15;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 50;

bool makes_persistent(Kind kind) { return kind == Kind::init_send || kind == Kind::init_receive; }

}  // namespace

DumpiRank::DumpiRank(const ImportedJob& job, Rank rank, const DumpiCommunicators& communicators)
    : job_(job), communicators_(communicators), rank_(job, rank) {
  comms_ = {{DumpiCommunicators::kWorld, 0}, {DumpiCommunicators::kSelf, 1}};
  if (rank.value == 0 && communicators.orders_assumed() > 0)
    rank_.lose("communicators whose order of ranks is taken from the old one", Severity::notice,
               communicators.orders_assumed());
}

void DumpiRank::read(DumpiReader& in) {
  in_ = &in;
  while (in.next(record_)) {
    if (record_.is_function) {
      rank_.lose("entries and exits of the program's functions", Severity::notice);
      continue;
    }
    if (record_.number >= counts_.size()) counts_.resize(record_.number + 1);
    ++counts_[record_.number];
    read_call();
    while (rank_.held() > ImportedRank::kMostHeld) rank_.give_up_oldest();
  }
  count_again();
}

// The footer counts all calls that the program made: DUMPI may have been told to leave some out.
void DumpiRank::count_again() {
  const auto& made = in_->calls_made();
  counts_.resize(made.size());
  for (std::size_t i = 0; i < made.size(); ++i)
    if (made[i] != counts_[i])
      rank_.lose(
          "calls of " + std::string(DumpiReader::name_of(i)) + " that the footer counts otherwise",
          Severity::partial, made[i] > counts_[i] ? made[i] - counts_[i] : counts_[i] - made[i]);
}

void DumpiRank::read_call() {
  const std::string name(record_.procedure);
  if (record_.thread != 0)
    rank_.lose("calls of other threads, attributed to the first", Severity::notice);
  if (!record_.has_times)
    rank_.lose("calls without times", Severity::partial);
  else if (!record_.has_wall_times)
    rank_.lose("calls with CPU times only", Severity::notice);
  std::int64_t begin = last_, end = last_;
  if (record_.has_times) {
    if (first_ < 0) first_ = record_.begin;
    begin = record_.begin - first_;
    last_ = end = record_.end - first_;
  }
  const auto site = [&](const std::string& procedure) {
    return rank_.paths().site(CallPaths::kEmpty, rank_.paths().procedure(procedure));
  };
  if (name == "MPI_Op_create") operations_[field(1)] = field(0) != 0;
  const Procedure row = procedure_named(name);
  if (name.starts_with("MPI_") && treatment_of(name) == Treatment::compute) return;
  if (makes_persistent(row.kind)) {
    persistent_[field(5)] = {name, record_.scalars};
    return rank_.lose("persistent requests made: their starts are the sends and receives",
                      Severity::notice);
  }
  if (row.kind == Kind::start) return start_persistent(field(0));
  if (row.kind == Kind::start_all) {
    const auto requests = record_.lists[0];
    for (const std::int64_t request : requests) {
      start_persistent(request);
      record_.begin = record_.end;  // the first start takes the whole time
    }
    return;
  }
  if (row.kind == Kind::request_free && persistent_.erase(field(0)) > 0) return;
  if (is_failed_test(row)) return rank_.failed_poll(begin, end);
  keeps_waiting_ = false;
  ImportedCall& call = rank_.begin_call(site(name), begin, end);
  call.is_test = row.is_test;
  if (row.kind != Kind::unmodelled && describe(call, row)) {
    if (!keeps_waiting_) return rank_.add();
    wildcard_.call = rank_.add_waiting();
    wildcards_[waiting_request_] = wildcard_;
    return;
  }
  const bool is_event = row.kind != Kind::unmodelled;
  const std::string kept = is_event ? time_only(name) : name;
  rank_.begin_call(site(kept), begin, end);
  rank_.add();
  rank_.lose(is_event ? kept : "unmodelled " + name, Severity::partial, 1,
             std::max<std::int64_t>(0, end - begin));
}

// A start of a persistent request is the send or receive that it starts.
void DumpiRank::start_persistent(std::int64_t request) {
  const auto found = persistent_.find(request);
  if (found == persistent_.end())
    return rank_.lose("starts of requests that are not persistent", Severity::partial);
  std::string name = found->second.procedure;  // MPI_Ssend_init → MPI_Issend
  name.resize(name.size() - std::string_view("_init").size());
  const auto mode = static_cast<char>(name[4] - 'A' + 'a');
  name = "MPI_I" + std::string(1, mode) + name.substr(5);
  const auto start = std::move(record_);
  record_ = {};
  record_.begin = start.begin;
  record_.end = start.end;
  record_.has_times = start.has_times;
  record_.has_wall_times = start.has_wall_times;
  record_.procedure = name;
  record_.scalars = found->second.fields;
  read_call();
  record_ = start;
}

bool DumpiRank::is_failed_test(const Procedure& row) const {
  if (!row.is_test) return false;
  const auto& name = record_.procedure;
  if (name == "MPI_Test" || name == "MPI_Testall" || name == "MPI_Win_test") return field(1) == 0;
  if (name == "MPI_Testany") return field(2) == 0;
  if (name == "MPI_Testsome") return field(1) <= 0;
  return name == "MPI_Iprobe" && field(3) == 0;
}

std::optional<DumpiRank::Place> DumpiRank::place(std::int64_t comm) {
  const auto found = comms_.find(comm);
  if (found == comms_.end()) return {};
  return Place{found->second, rank_.communicator(found->second),
               job_.communicator(found->second).size(job_.ranks)};
}

std::optional<std::int64_t> DumpiRank::bytes(std::int64_t count, std::int64_t type) {
  const std::int64_t element = in_->type_bytes(type);
  if (count < 0 || element < 0 || (element > 0 && count > kMostBytes / element)) return {};
  return count * element;
}

std::optional<std::vector<std::int64_t>> DumpiRank::sizes(std::size_t list, std::int64_t type) {
  std::vector<std::int64_t> all;
  for (const std::int64_t count : record_.lists[list]) {
    const auto size = bytes(count, type);
    if (!size) return {};
    all.push_back(*size);
  }
  return all;
}

const DumpiStatus* DumpiRank::status(std::size_t nth) const {
  return nth < record_.statuses.size() ? &record_.statuses[nth] : nullptr;
}

std::int64_t DumpiRank::commutes(std::int64_t operation) const {
  if (operation < kFirstOwnOperation) return 1;
  const auto known = operations_.find(operation);
  return known == operations_.end() || known->second ? 1 : 0;
}

// −1 is MPI_ANY_SOURCE; where the message came from no rank, or the number is another one below 0, it is MPI_PROC_NULL.
std::optional<std::int64_t> DumpiRank::source(std::int64_t rank, const Place& at,
                                              const DumpiStatus* status) const {
  if (rank >= at.size) return {};
  if (rank >= 0) return kFirstPeer + rank;
  if (rank < -1 || (status != nullptr && status->source < 0)) return kProcNull;
  return kAnySource;
}

DumpiRank::Match DumpiRank::match_here(std::int64_t source, std::int64_t tag,
                                       const DumpiStatus* status) const {
  Match found;
  if (status == nullptr) return found;
  if (source == kAnySource) found.peer = kFirstPeer + status->source;
  if (tag == kAnyTag && source != kProcNull) found.tag = std::max(0, status->tag);
  return found;
}

bool DumpiRank::add_half(ImportedCall& call, std::size_t count, bool is_receive, std::size_t comm) {
  const auto at = place(field(comm));
  const auto size = bytes(field(count), field(count + 1));
  if (!at || !size) return false;
  const std::int64_t rank = field(count + 2), tag = field(count + 3);
  std::int64_t peer = kProcNull;
  if (is_receive) {
    const auto from = source(rank, *at, status(0));
    if (!from) return false;
    peer = *from;
    // Who sent to a blocking receive stands in its status alone.
    if (peer == kAnySource && (status(0) == nullptr || status(0)->source >= at->size)) return false;
  } else if (rank >= 0) {
    if (rank >= at->size) return false;
    peer = kFirstPeer + rank;
  }
  if (tag < (is_receive ? -1 : 0) && peer != kProcNull) return false;
  if (call.scalars.empty()) call.scalars.push_back(at->index);
  call.scalars.insert(call.scalars.end(), {peer, std::max<std::int64_t>(tag, -1), *size});
  return true;
}

bool DumpiRank::message(ImportedCall& call, const Procedure& row) {
  if (row.kind != Kind::start_receive) {
    if (!add_half(call, 0, row.kind == Kind::receive, 4)) return false;
    if (row.kind == Kind::receive) {
      const Match found = match_here(call.scalars[1], call.scalars[2], status(0));
      call.scalars.insert(call.scalars.end(), {found.peer, found.tag});
    } else if (row.kind == Kind::start_send) {
      call.scalars.push_back(rank_.start_request(static_cast<std::uint64_t>(field(5))));
    }
    return true;
  }
  const auto at = place(field(4));
  const auto size = bytes(field(0), field(1));
  if (!at || !size) return false;
  const auto from = source(field(2), *at, nullptr);
  if (!from || field(3) < -1) return false;
  wildcard_ = {0, at->number, *from == kAnySource, field(3) == kAnyTag};
  waiting_request_ = static_cast<std::uint64_t>(field(5));
  keeps_waiting_ = *from != kProcNull && (wildcard_.any_source || wildcard_.any_tag);
  call.scalars.assign({at->index, *from, field(3), *size, rank_.start_request(waiting_request_)});
  return true;
}

bool DumpiRank::sendrecv(ImportedCall& call) {
  if (record_.procedure == "MPI_Sendrecv_replace") {
    // count, type, dest, tag, source, tag, comm: as both halves of MPI_Sendrecv
    auto& f = record_.scalars;
    f = {f[0], f[1], f[2], f[3], f[0], f[1], f[4], f[5], f[6]};
  }
  if (!add_half(call, 0, false, 8) || !add_half(call, 4, true, 8)) return false;
  const Match found = match_here(call.scalars[4], call.scalars[5], status(0));
  call.scalars.insert(call.scalars.end(), {found.peer, found.tag});
  return true;
}

bool DumpiRank::probe(ImportedCall& call, const Procedure&) {
  const auto at = place(field(2));
  if (!at) return false;
  const auto from = source(field(0), *at, status(0));
  if (!from || field(1) < -1) return false;
  if (*from == kAnySource && (status(0) == nullptr || status(0)->source >= at->size)) return false;
  const Match found = match_here(*from, field(1), status(0));
  call.scalars.assign({at->index, *from, field(1), found.peer, found.tag});
  return true;
}

bool DumpiRank::communicator(ImportedCall& call, const Procedure& row) {
  if (row.kind == Kind::comm_free) {
    const auto at = place(field(0));
    comms_.erase(field(0));
    if (at) call.scalars.assign({at->index});
    return at.has_value();
  }
  const auto fields = DumpiCommunicators::fields_of(record_);
  if (!fields) return false;
  const auto made = communicators_.made(rank_.rank().value, made_++);
  const auto old = place(field(fields->old_comm));
  const std::int64_t result = field(fields->new_comm);
  comms_.erase(result);
  if (!old || (result > DumpiCommunicators::kNull && !made)) return false;
  if (made) comms_[result] = *made;
  call.scalars.assign({old->index, made ? rank_.communicator(*made) : kNone});
  call.add_vector();
  call.add_vector();
  return true;
}

bool DumpiRank::describe(ImportedCall& call, const Procedure& row) {
  switch (row.kind) {
    case Kind::init:
    case Kind::finalize:
    case Kind::buffer_detach:
      return true;
    case Kind::send:
    case Kind::receive:
    case Kind::start_send:
    case Kind::start_receive:
      return message(call, row);
    case Kind::sendrecv:
      return sendrecv(call);
    case Kind::probe:
      return probe(call, row);
    case Kind::wait:
    case Kind::cancel:
    case Kind::request_free:
      return complete(call, row);
    case Kind::wait_all:
    case Kind::wait_any:
    case Kind::wait_some:
      return complete_several(call, row);
    case Kind::comm_create:
    case Kind::comm_free:
      return communicator(call, row);
    case Kind::collective:
      return collective(call, row);
    default:
      return false;
  }
}

}  // namespace reprise::trace_io
