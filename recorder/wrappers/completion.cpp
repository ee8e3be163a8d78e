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

// A receive that was cancelled before it matched leaves no source in its status.
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

Match complete(Description& d, std::uint32_t slot, const StatusRef& status, std::size_t i,
               bool keeps_number) {
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
  if (keeps_number) {
    table.keep_number(slot);
  } else if (!request.persistent) {
    table.remove(slot);
  } else {
    request.active = request.cancelled = false;
  }
  return match;
}

Outcome note_failed_poll(ThreadRecorder& thread) noexcept {
  if (!thread.description().sends_by_chance().is_enabled() || handles().shared)
    return Outcome::failed_poll;
  for (const std::uint32_t slot : thread.slots())
    if (slot != RequestTable::kUnknown) handles().requests[slot].polled_at = 1 + thread.appended();
  return Outcome::failed_poll;
}

bool is_chance(ThreadRecorder& thread, Description& d, const StatusRef& status, bool is_all) {
  ChanceSends& sends = d.sends_by_chance();
  if (!sends.is_enabled() || handles().shared) return false;
  RequestTable& table = handles().requests;
  bool is_of_sends = false, is_late = false, is_by_chance = true;
  for (const std::uint32_t slot : thread.slots()) {
    if (slot == RequestTable::kUnknown) continue;
    const Request& request = table[slot];
    if (request.started_at == 0 || table.is_of_another(slot, &d)) return false;
    is_of_sends = true;
    if (!request.is_awaited) continue;
    if (table.is_deferring()) return false;
    is_late = is_late || (request.polled_at != 0 && request.polled_at != 1 + thread.appended());
    is_by_chance = is_by_chance && !sends.is_awaited(request.started_at);
  }
  if (!is_of_sends || (!is_late && !is_by_chance) || thread.failed_polls() >= ChanceSends::kWaiting)
    return false;
  ChanceSends::Found& found = is_all ? sends.by_test_all : sends.by_test;
  for (std::size_t i = 0; i < thread.slots().size(); ++i) {
    const std::uint32_t slot = thread.slots()[i];
    if (slot == RequestTable::kUnknown) continue;
    const bool is_awaited = table[slot].is_awaited;
    if (is_awaited) {
      sends.found_by_chance(table[slot].started_at);
      found.slots.push_back(slot);
    }
    complete(d, slot, status, i, is_awaited);
  }
  table.end_call();
  return true;
}

bool completes_unawaited(Description& d, std::uint32_t slot, const StatusRef& status,
                         std::size_t i) {
  const Request& request = handles().requests[slot];
  if (request.is_awaited) [[likely]]
    return false;
  d.sends_by_chance().waited_for(request.started_at);
  Recording::current()->losses.add("sends waited for whose completion is in no call",
                                   trace_io::Severity::notice, {});
  complete(d, slot, status, i);
  return true;
}

Outcome describe_all(ThreadRecorder& thread, Description& d, std::size_t count,
                     const StatusRef& status) {
  auto& requests = d.vector();
  auto& peers = d.vector();
  auto& tags = d.vector();
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t slot = thread.slots()[i];
    if (slot == RequestTable::kUnknown || completes_unawaited(d, slot, status, i)) continue;
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
    if (thread.slots()[i] != RequestTable::kUnknown &&
        handles().requests[thread.slots()[i]].is_awaited)
      requests.push_back(number_of(thread.slots()[i], d));
  for (int i = 0; i < *list.count; ++i) {
    const int index = list.indices[i] - list.base;
    if (index < 0) continue;
    const std::uint32_t slot = thread.slots()[static_cast<std::size_t>(index)];
    if (slot == RequestTable::kUnknown ||
        completes_unawaited(d, slot, status, static_cast<std::size_t>(i)))
      continue;
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
