// SPDX-License-Identifier: MIT
#include "recorder/wrappers/completion.hpp"

#include <algorithm>

namespace reprise::recorder {
namespace {

std::uint32_t claim(const RequestArray& requests, std::size_t i) {
  const MPI_Request request = requests[i];
  if (request == MPI_REQUEST_NULL) return RequestTable::kUnknown;
  return handles().requests.claim(key_of(request), requests.where(i));
}

// The match of a receive that was cancelled in time means nothing.
bool was_cancelled(const Request& request, const StatusRef& status, std::size_t i) {
  return request.cancelled && (status.source(i) < 0 || status.source(i) >= request.comm->peers);
}

}  // namespace

std::int64_t number_of(std::uint32_t slot, const Description& d) {
  const bool is_of_another = handles().requests.is_of_another(slot, &d);
  const std::int64_t number = handles().requests.number(slot, &d);
  if (is_of_another) [[unlikely]]
    Recording::current()->losses.add(
        "requests completed by another thread than the one that started them",
        trace_io::Severity::partial, {});
  return number;
}

ClaimedRequests claim_requests(ThreadRecorder& thread, const RequestArray& requests,
                               std::size_t count) {
  const HandlesLock lock;
  RequestTable& table = handles().requests;
  ClaimedRequests claimed;
  thread.slots().resize(count);
  table.begin_claims();
  for (std::size_t i = 0; i < count; ++i) {
    std::uint32_t slot = claim(requests, i);
    if (slot != RequestTable::kUnknown && !table[slot].active) slot = RequestTable::kUnknown;
    thread.slots()[i] = slot;
    if (slot == RequestTable::kUnknown) continue;
    claimed.any = true;
    claimed.any_wildcard = claimed.any_wildcard || table[slot].any_source || table[slot].any_tag ||
                           (samples_messages() && sampled::wants_status(table[slot]));
  }
  return claimed;
}

bool claim_requests_safely(ThreadRecorder& thread, const RequestArray& requests, std::size_t count,
                           ClaimedRequests& claimed) noexcept try {
  claimed = claim_requests(thread, requests, count);
  return true;
} catch (...) {
  Recording::current()->give_up("the recorder ran out of memory");
  return false;
}

bool claim_any_state(ThreadRecorder& thread, const RequestArray& requests,
                     std::size_t count) noexcept try {
  const HandlesLock lock;
  thread.slots().resize(count);
  handles().requests.begin_claims();
  for (std::size_t i = 0; i < count; ++i) thread.slots()[i] = claim(requests, i);
  return true;
} catch (...) {
  Recording::current()->give_up("the recorder ran out of memory");
  return false;
}

Match complete(Description& d, std::uint32_t slot, const StatusRef& status, std::size_t i) {
  RequestTable& table = handles().requests;
  Request& request = table[slot];
  if (request.message != Request::kNoMessage) [[unlikely]]
    sampled::complete(d, request, status, i);
  Match match{trace_io::kNoPeer, trace_io::kNone};
  if ((request.any_source || request.any_tag) && !was_cancelled(request, status, i)) {
    const int source = status.source(i);
    if (request.any_source && source >= 0 && source < request.comm->peers)
      match.peer = peer_code(request.comm->world_rank(source));
    if (request.any_tag) match.tag = status.tag(i);
  }
  if (!request.persistent) {
    table.remove(slot);
  } else {
    request.active = request.cancelled = false;
  }
  return match;
}

Outcome describe_all(ThreadRecorder& thread, Description& d, std::size_t count,
                     const StatusRef& status) {
  auto& requests = d.vector();
  auto& peers = d.vector();
  auto& tags = d.vector();
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t slot = thread.slots()[i];
    if (slot == RequestTable::kUnknown) continue;
    requests.push_back(number_of(slot, d));
    const Match match = complete(d, slot, status, i);
    peers.push_back(match.peer);
    tags.push_back(match.tag);
  }
  handles().requests.end_call();
  return Outcome::event;
}

Outcome describe_some(ThreadRecorder& thread, Description& d, std::size_t count,
                      const CompletedList& list, const StatusRef& status) {
  // MPI_UNDEFINED (negative) as a count or an index: no request was active.
  if (*list.count == 0) return Outcome::failed_poll;
  thread.phases().expect(static_cast<std::size_t>(std::count_if(
      thread.slots().begin(), thread.slots().begin() + static_cast<std::ptrdiff_t>(count),
      [](std::uint32_t slot) { return slot != RequestTable::kUnknown; })));
  auto& requests = d.vector();
  auto& completed = d.vector();
  auto& peers = d.vector();
  auto& tags = d.vector();
  for (std::size_t i = 0; i < count; ++i)
    if (thread.slots()[i] != RequestTable::kUnknown)
      requests.push_back(number_of(thread.slots()[i], d));
  for (int i = 0; i < *list.count; ++i) {
    const int index = list.indices[i] - list.base;
    if (index < 0) continue;
    const std::uint32_t slot = thread.slots()[static_cast<std::size_t>(index)];
    if (slot == RequestTable::kUnknown) continue;
    completed.push_back(number_of(slot, d));
    const Match match = complete(d, slot, status, static_cast<std::size_t>(i));
    peers.push_back(match.peer);
    tags.push_back(match.tag);
  }
  handles().requests.end_call();
  return Outcome::event;
}

Outcome describe_start(ThreadRecorder& thread, Description& d, const RequestArray& after,
                       std::size_t count, bool one) {
  RequestTable& table = handles().requests;
  auto* started = one ? nullptr : &d.vector();
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t slot = thread.slots()[i];
    if (slot == RequestTable::kUnknown) {
      if (one) return Outcome::unmodelled;
      continue;
    }
    if (const HandleKey handle = key_of(after[i]); handle != table[slot].handle)
      table.rename(slot, handle);
    table[slot].active = true;
    if (table[slot].message != Request::kNoMessage) [[unlikely]]
      sampled::restart(d, table[slot]);
    if (one)
      d.scalar(slot);
    else
      started->push_back(slot);
  }
  return Outcome::event;
}

Outcome describe_use(ThreadRecorder& thread, Description& d, bool frees) {
  const std::uint32_t slot = thread.slots()[0];
  if (slot == RequestTable::kUnknown) return Outcome::unmodelled;
  RequestTable& table = handles().requests;
  d.scalar(number_of(slot, d));
  if (table[slot].message != Request::kNoMessage) [[unlikely]]
    frees ? sampled::free(table[slot]) : sampled::cancel(table[slot]);
  if (frees) {
    table.remove(slot);
    table.end_call();
  } else {
    table[slot].cancelled = true;
  }
  return Outcome::event;
}

}  // namespace reprise::recorder
