// SPDX-License-Identifier: MIT
#include "trace-io/import/liballprof/allprof_rank.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "trace-io/base/error.hpp"
#include "trace-io/import/ranks/treatment.hpp"
#include "trace-io/model/communicators.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::int64_t kMostBytes = std::int64_t{1} << 50;
constexpr std::int64_t kLongestRun = 100'000'000'000'000'000;  // ns

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r") - begin + 1);
}

}  // namespace

AllprofRank::AllprofRank(const ImportedJob& job, Rank rank, std::string file)
    : job_(job), rank_(job, rank), file_(std::move(file)) {}

void AllprofRank::refuse(const std::string& problem, const std::string& hint) const {
  throw InputError(file_ + ":" + std::to_string(line_), problem, hint);
}

std::string_view AllprofRank::word(std::size_t argument) const {
  // The name and the time of the beginning come before, that of the end behind.
  if (argument + 3 >= words_.size())
    refuse("argument " + std::to_string(argument + 1) + " of " + std::string(words_[0]) +
           " is missing");
  return words_[argument + 2];
}

std::int64_t AllprofRank::whole(std::size_t argument, const char* what) const {
  return part(argument, 0, what);
}

std::int64_t AllprofRank::part(std::size_t argument, std::size_t which, const char* what) const {
  std::string_view text = word(argument);
  for (; which > 0; --which) {
    const auto comma = text.find(',');
    if (comma == std::string_view::npos)
      refuse(std::string(what) + " is missing in \"" + std::string(word(argument)) + "\"");
    text = text.substr(comma + 1);
  }
  text = trimmed(text.substr(0, text.find(',')));
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    refuse(std::string(what) + " is \"" + std::string(text) + "\", not a whole number");
  return value;
}

std::int64_t AllprofRank::time(std::size_t word) const {
  double value = 0;
  const std::string_view text = words_[word];
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(std::abs(value) < 9e15))
    refuse("a time is \"" + std::string(text) + "\", not a number of microseconds");
  // Whole microseconds and their fractions apart: a time since 1970 has no digits left for nanoseconds.
  const double whole = std::floor(value);
  return static_cast<std::int64_t>(whole) * 1000 + std::llround((value - whole) * 1000);
}

std::int64_t AllprofRank::bytes(std::size_t count) const {
  const std::int64_t elements = whole(count, "a count"),
                     size = part(count + 1, 1, "the size of a datatype");
  if (elements < 0 || size < 0) refuse("a size is negative");
  if (size > 0 && elements > kMostBytes / size) refuse("a size is too large");
  return elements * size;
}

bool AllprofRank::on_known_communicator(std::size_t argument, std::int64_t& index) {
  const std::int64_t size = part(argument, 2, "the size of a communicator");
  if (size == job_.ranks)
    index = kWorldIndex;
  else if (size == 1)
    index = kSelfIndex;
  else
    return false;
  return true;
}

bool AllprofRank::peer(std::size_t argument, std::int64_t& code) const {
  const std::int64_t rank = whole(argument, "a rank");
  if (rank < 0) return false;
  if (rank >= job_.ranks)
    refuse("rank " + std::to_string(rank) + " does not exist",
           "there are files of ranks 0 to " + std::to_string(job_.ranks - 1));
  code = kFirstPeer + rank;
  return true;
}

void AllprofRank::read(std::string_view line, std::uint64_t number) {
  line_ = number;
  line = trimmed(line);
  if (line.empty() || line.front() == '#') return;
  words_.clear();
  for (std::size_t at = 0; at <= line.size();) {
    const auto colon = std::min(line.find(':', at), line.size());
    words_.push_back(trimmed(line.substr(at, colon - at)));
    at = colon + 1;
  }
  if (words_.size() < 3 || !words_[0].starts_with("MPI_"))
    refuse("\"" + std::string(line.substr(0, 80)) + "\" is not a call",
           "a line is PROCEDURE:BEGIN:ARGUMENTS:END");
  const std::string name(words_[0]);
  const Treatment treatment = treatment_of(name);
  // Init has no beginning, Finalize no end.
  std::int64_t begin = 0, end = 0;
  if (words_[1] == "-")
    begin = end = time(words_.size() - 1);
  else if (words_.back() == "-")
    begin = end = time(1);
  else
    begin = time(1), end = time(words_.size() - 1);
  if (treatment == Treatment::compute) return;
  if (first_ < 0) first_ = begin;
  begin -= first_;
  end -= first_;
  for (const std::int64_t since : {begin, end})
    if (since < -kLongestRun || since > kLongestRun)
      refuse("a time is more than three years from the first one");
  const auto site = [&](const std::string& procedure) {
    return rank_.paths().site(CallPaths::kEmpty, rank_.paths().procedure(procedure));
  };
  const Procedure row = procedure_named(name);
  ImportedCall& call = rank_.begin_call(site(name), begin, end);
  if (treatment == Treatment::event && describe(call, row)) return rank_.add();
  const bool is_event = treatment == Treatment::event;
  const std::string kept = is_event ? time_only(name) : name;
  rank_.begin_call(site(kept), begin, end);
  rank_.add();
  rank_.lose(is_event ? kept : "unmodelled " + name, Severity::partial, 1,
             std::max<std::int64_t>(0, end - begin));
}

bool AllprofRank::describe(ImportedCall& call, const Procedure& row) {
  switch (row.kind) {
    case Kind::init:
    case Kind::finalize:
      return true;
    case Kind::send:
    case Kind::receive:
    case Kind::start_send:
    case Kind::start_receive:
      return message(call, row);
    case Kind::sendrecv:
      return words_[0] == "MPI_Sendrecv" && sendrecv(call);
    case Kind::wait: {
      if (row.is_test) return false;
      const auto found = requests_.find(static_cast<std::uint64_t>(whole(0, "a request")));
      std::vector<std::int64_t> ages;
      if (found != requests_.end()) {
        std::vector<std::uint64_t> ids = {found->second};
        rank_.complete_requests(ids, ages);
        requests_.erase(found);
      }
      call.scalars.assign({ages.empty() ? kNone : ages.front(), kNoPeer, kNone});
      return true;
    }
    case Kind::wait_all:
      return !row.is_test && wait_all(call);
    case Kind::collective:
    case Kind::start_collective:
      return collective(call, row);
    default:
      return false;
  }
}

bool AllprofRank::message(ImportedCall& call, const Procedure& row) {
  std::int64_t comm = 0, partner = 0;
  const std::int64_t tag = whole(4, "a tag");
  if (!on_known_communicator(5, comm) || !peer(3, partner) || tag < 0) return false;
  call.scalars.assign({comm, partner, tag, bytes(1)});
  if (row.kind == Kind::receive) {
    call.scalars.insert(call.scalars.end(), {kNoPeer, kNone});
  } else if (row.kind != Kind::send) {
    const auto address = static_cast<std::uint64_t>(whole(6, "a request"));
    requests_[address] = next_request_;
    call.scalars.push_back(rank_.start_request(next_request_++));
  }
  return true;
}

bool AllprofRank::sendrecv(ImportedCall& call) {
  std::int64_t comm = 0, to = kProcNull, from = kProcNull;
  if (!on_known_communicator(10, comm) || !peer(3, to) || !peer(8, from)) return false;
  call.scalars.assign(
      {comm, to, whole(4, "a tag"), bytes(1), from, whole(9, "a tag"), bytes(6), kNoPeer, kNone});
  return call.scalars[2] >= 0 && call.scalars[5] >= 0;
}

bool AllprofRank::wait_all(ImportedCall& call) {
  const std::int64_t count = whole(0, "a count");
  if (count < 0 || count > kMaxListLength)
    refuse("waits for " + std::to_string(count) + " requests");
  const auto first = static_cast<std::uint64_t>(whole(1, "a request"));
  const auto within = [&](std::uint64_t apart) {
    return requests_.lower_bound(first + static_cast<std::uint64_t>(count) * apart);
  };
  auto end = within(8);
  const auto begin = requests_.lower_bound(first);
  if (std::any_of(begin, end, [&](const auto& r) { return (r.first - first) % 8 != 0; }))
    end = within(4);
  std::vector<std::uint64_t> ids;
  for (auto at = begin; at != end; ++at) ids.push_back(at->second);
  requests_.erase(begin, end);
  std::vector<std::int64_t> ages;
  rank_.complete_requests(ids, ages);
  call.add_vector() = ages;
  call.add_vector().assign(ages.size(), kNoPeer);
  call.add_vector().assign(ages.size(), kNone);
  return true;
}

bool AllprofRank::collective(ImportedCall& call, const Procedure& row) {
  std::int64_t comm = 0, root = 0;
  auto& out = call.scalars;
  std::size_t next = 0;  // argument behind the communicator
  const auto put = [&](std::size_t communicator, std::initializer_list<std::int64_t> fields) {
    next = communicator + 1;
    if (!on_known_communicator(communicator, comm)) return false;
    out.push_back(comm);
    out.insert(out.end(), fields);
    return true;
  };
  const auto element = [&](std::size_t type) { return part(type, 1, "the size of a datatype"); };
  bool known = false;
  switch (row.collective) {
    case Collective::barrier:
      known = put(0, {});
      break;
    case Collective::bcast:
      known = peer(3, root) && put(4, {root, bytes(1)});
      break;
    case Collective::reduce:
      known = peer(5, root) && put(6, {root, bytes(2), 0, element(3), 1});
      break;
    case Collective::allreduce:
    case Collective::scan:
    case Collective::exscan:
      known = put(5, {bytes(2), 0, element(3), 1});
      break;
    case Collective::gather:
    case Collective::scatter: {
      if (!peer(6, root)) return false;
      const bool is_root = root == kFirstPeer + rank_.rank().value,
                 gathers = row.collective == Collective::gather;
      known =
          put(7, {root, gathers || is_root ? bytes(1) : 0, !gathers || is_root ? bytes(4) : 0, 0});
      break;
    }
    case Collective::allgather:
    case Collective::alltoall:
      known = put(6, {bytes(1), bytes(4), 0});
      break;
    default:
      return false;
  }
  if (!known) return false;
  if (row.kind == Kind::start_collective) {
    requests_[static_cast<std::uint64_t>(whole(next, "a request"))] = next_request_;
    out.push_back(rank_.start_request(next_request_++));
  }
  return true;
}

}  // namespace reprise::trace_io
