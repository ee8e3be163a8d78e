// SPDX-License-Identifier: MIT
// Calls that complete, cancel or free requests, and what they tell of the receives that they complete.
#include <algorithm>

#include "trace-io/import/dumpi/dumpi_rank.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::int64_t kNullRequest = 1;  // 0 is none either

}  // namespace

// Who sent to a request that is complete, in ranks of the world; the receive goes on, now that this is known.
DumpiRank::Match DumpiRank::match(std::uint64_t request, const DumpiStatus* status) {
  Match found;
  const auto known = wildcards_.find(request);
  if (known == wildcards_.end()) return found;
  const Wildcard wildcard = known->second;
  wildcards_.erase(known);
  const auto& communicator = job_.communicator(wildcard.communicator);
  ImportedCall* call = rank_.waiting(wildcard.call);
  if (status != nullptr && !status->is_cancelled) {
    const std::int32_t sender =
        status->source < 0 ? -1 : communicator.world_rank(status->source, rank_.rank().value);
    if (wildcard.any_source && sender >= 0 && sender < job_.ranks) found.peer = kFirstPeer + sender;
    if (wildcard.any_source && status->source < 0 && call != nullptr) call->scalars[1] = kProcNull;
    if (wildcard.any_tag && status->source >= 0) found.tag = std::max(0, status->tag);
  }
  if (wildcard.any_source && found.peer == kNoPeer &&
      (call == nullptr || call->scalars[1] == kAnySource))
    rank_.lose("receives from MPI_ANY_SOURCE without a status that names the sender",
               Severity::partial);
  rank_.resolved(wildcard.call);
  return found;
}

bool DumpiRank::complete(ImportedCall& call, const Procedure& row) {
  const std::int64_t number = field(0);
  const auto request = static_cast<std::uint64_t>(number);
  if (row.kind == Kind::cancel) {
    const auto age = rank_.age_of_request(request);
    if (!age) return false;
    call.scalars.assign({*age});
    return true;
  }
  std::vector<std::uint64_t> ids;
  // A persistent request that is not started may be waited for.
  if (number > kNullRequest && (rank_.is_started(request) || !persistent_.contains(number)))
    ids.push_back(request);
  std::vector<std::int64_t> ages;
  rank_.complete_requests(ids, ages);
  const Match found = match(request, status(0));
  call.scalars.assign({ages.empty() ? kNone : ages.front()});
  if (row.kind == Kind::wait) call.scalars.insert(call.scalars.end(), {found.peer, found.tag});
  return row.kind == Kind::wait || !ages.empty();
}

bool DumpiRank::complete_several(ImportedCall& call, const Procedure& row) {
  const auto& handed = record_.lists[0];
  const bool is_all = row.kind == Kind::wait_all;
  struct Completed {
    std::int64_t age;
    std::uint64_t request;
    const DumpiStatus* status;
  };
  std::vector<Completed> done;
  std::vector<std::int64_t> active;
  const auto take = [&](std::int64_t at, std::size_t nth) {
    if (at < 0 || at >= static_cast<std::int64_t>(handed.size())) return;
    const std::int64_t request = handed[static_cast<std::size_t>(at)];
    const auto id = static_cast<std::uint64_t>(request);
    if (const auto age = rank_.age_of_request(id))
      done.push_back({*age, id, status(nth)});
    else if (request > kNullRequest && !persistent_.contains(request))
      rank_.lose("completions of requests that were never started", Severity::partial);
  };
  for (const std::int64_t request : handed)
    if (const auto age = rank_.age_of_request(static_cast<std::uint64_t>(request)))
      active.push_back(*age);
  if (is_all)
    for (std::size_t i = 0; i < handed.size(); ++i) take(static_cast<std::int64_t>(i), i);
  else if (row.kind == Kind::wait_any)
    take(field(1), 0);
  else if (record_.lists.size() > 1)
    for (std::size_t i = 0; i < record_.lists[1].size(); ++i) take(record_.lists[1][i], i);
  const auto by_age = [](const Completed& a, const Completed& b) { return a.age < b.age; };
  std::stable_sort(done.begin(), done.end(), by_age);
  done.erase(std::unique(done.begin(), done.end(),
                         [](const auto& a, const auto& b) { return a.age == b.age; }),
             done.end());
  std::sort(active.begin(), active.end());
  active.erase(std::unique(active.begin(), active.end()), active.end());
  std::vector<std::uint64_t> ids;
  for (const auto& one : done) ids.push_back(one.request);
  std::vector<std::int64_t> ages;
  rank_.complete_requests(ids, ages);
  call.add_vector() = is_all ? ages : active;
  if (!is_all) call.add_vector() = ages;
  std::vector<std::int64_t> peers, tags;
  for (const auto& one : done) {
    const Match found = match(one.request, one.status);
    peers.push_back(found.peer);
    tags.push_back(found.tag);
  }
  call.add_vector() = peers;
  call.add_vector() = tags;
  return true;
}

}  // namespace reprise::trace_io
