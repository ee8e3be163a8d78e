// SPDX-License-Identifier: MIT
// The Wait and Test family, and the other calls that end or use what earlier calls made: the same for C and for Fortran.
//
// Requests are looked up before the call (it changes the handles) and released after it. Null, inactive and unknown requests
// (of unmodelled calls, or made while recording was off) are left out; a Wait on one of them has request kNone.
// A status that the program ignores is replaced by one of ours only where a wildcard's match has to be read.
#pragma once

#include <cstring>

#include "recorder/wrappers/describe_point_to_point.hpp"
#include "recorder/wrappers/record_call.hpp"

namespace reprise::recorder {

// The status argument: as the program gave it, or ours.
class StatusArgument {
 public:
  StatusArgument(MPI_Status* given)
      : given_(given),
        ignored_(given == MPI_STATUS_IGNORE || given == MPI_STATUSES_IGNORE),
        size_(sizeof(MPI_Status)),
        source_(offsetof(MPI_Status, MPI_SOURCE)),
        tag_(offsetof(MPI_Status, MPI_TAG)) {}
  // As an array of integers of which `size` make one status.
  StatusArgument(MPI_Fint* given, bool ignored, std::size_t size, std::size_t source,
                 std::size_t tag)
      : given_(given),
        ignored_(ignored),
        size_(size * sizeof(MPI_Fint)),
        source_(source * sizeof(MPI_Fint)),
        tag_(tag * sizeof(MPI_Fint)) {}

  // What to pass on, where `count` statuses are going to be read (0: none).
  void* pass(ThreadRecorder& thread, std::size_t count) {
    if (!ignored_ || count == 0) return passed_ = given_;
    thread.statuses().assign((count * size_ + 7) / 8, 0);
    return passed_ = thread.statuses().data();
  }
  void* given() const { return given_; }
  StatusRef read() const { return {passed_, size_, source_, tag_}; }

 private:
  void* given_;
  void* passed_ = nullptr;
  bool ignored_;
  std::size_t size_, source_, tag_;
};

// The requests of one call: slot per array element, kUnknown where it takes no part.
struct ClaimedRequests {
  bool any = false;           // at least one takes part
  bool any_wildcard = false;  // what one of them matched has to be read
};
ClaimedRequests claim_requests(ThreadRecorder&, const RequestArray&, std::size_t count);
bool claim_requests_safely(ThreadRecorder&, const RequestArray&, std::size_t count,
                           ClaimedRequests&) noexcept;

// A request completed; appends to the match vectors and releases it.
struct Match {
  std::int64_t peer, tag;
};
Match complete(std::uint32_t slot, const StatusRef& status, std::size_t status_index);

// Wait and Test. forward(void* status) → result; `flag` is null for Wait.
template <class Forward>
int record_wait(CallId id, Frame frame, const RequestArray& request, StatusArgument status,
                const int* flag, const Forward& forward) {
  const InCall in_call;
  ClaimedRequests claimed;
  if (!in_call || !claim_requests_safely(in_call.thread(), request, 1, claimed))
    return forward(status.given());
  ThreadRecorder& thread = in_call.thread();
  void* passed = status.pass(thread, claimed.any_wildcard ? 1 : 0);
  const RecordingClock& clock = Recording::current()->clock;
  const std::uint64_t begin = clock.now();
  const int result = forward(passed);
  const FinishedCall call{id, frame, {begin, clock.now()}, result};
  finish_call(thread, call, claimed.any ? Presence::necessary : Presence::normal,
              [&](Description& d) {
                if (flag != nullptr && *flag == 0) return Outcome::failed_poll;
                const std::uint32_t slot = thread.slots()[0];
                if (slot == RequestTable::kUnknown) {
                  d.scalar(trace_io::kNone);
                  d.scalar(trace_io::kNoPeer);
                  d.scalar(trace_io::kNone);
                  return Outcome::event;
                }
                const Match match = complete(slot, status.read(), 0);
                d.scalar(slot);
                d.scalar(match.peer);
                d.scalar(match.tag);
                return Outcome::event;
              });
  return result;
}

// Which array elements completed: all that take part, or those that an index list names.
struct CompletedList {
  const int* count;    // null: all of them
  const int* indices;  // counted from `base`
  int base;            // 0 in C, 1 in Fortran
};

Outcome describe_all(ThreadRecorder&, Description&, std::size_t count, const StatusRef&);
Outcome describe_some(ThreadRecorder&, Description&, std::size_t count, const CompletedList&,
                      const StatusRef&);

inline constexpr std::size_t kAll = ~std::size_t{0};  // as many statuses as requests

// Waitall and Testall, Waitany and Testany, Waitsome and Testsome. `flag` is null for the waiting ones.
template <class Forward>
int record_completion(CallId id, Frame frame, const RequestArray& requests, int count,
                      StatusArgument status, std::size_t statuses, const CompletedList* completed,
                      const int* flag, const Forward& forward) {
  const InCall in_call;
  ClaimedRequests claimed;
  const auto size = static_cast<std::size_t>(count > 0 ? count : 0);
  if (!in_call || !claim_requests_safely(in_call.thread(), requests, size, claimed))
    return forward(status.given());
  ThreadRecorder& thread = in_call.thread();
  void* passed = status.pass(thread, !claimed.any_wildcard ? 0
                                     : statuses == kAll    ? size
                                                           : statuses);
  const RecordingClock& clock = Recording::current()->clock;
  const std::uint64_t begin = clock.now();
  const int result = forward(passed);
  const FinishedCall call{id, frame, {begin, clock.now()}, result};
  finish_call(thread, call, claimed.any ? Presence::necessary : Presence::normal,
              [&](Description& d) {
                if (flag != nullptr && *flag == 0) return Outcome::failed_poll;
                if (completed == nullptr) return describe_all(thread, d, size, status.read());
                return describe_some(thread, d, size, *completed, status.read());
              });
  return result;
}

// Start and Startall: the handles may change. `one` tells the scalar form of Start from the list of Startall.
template <class Forward>
int record_start(CallId id, Frame frame, const RequestArray& requests, int count, bool one,
                 const Forward& forward);

// Cancel and Request_free, before the call.
template <class Forward>
int record_use(CallId id, Frame frame, const RequestArray& request, const Forward& forward);

Outcome describe_start(ThreadRecorder&, Description&, const RequestArray& after, std::size_t count,
                       bool one);
Outcome describe_use(ThreadRecorder&, Description&, bool frees);
// For the look-ups before a call that is not a completion: inactive requests take part as well.
bool claim_any_state(ThreadRecorder&, const RequestArray&, std::size_t count) noexcept;

template <class Forward>
int record_start(CallId id, Frame frame, const RequestArray& requests, int count, bool one,
                 const Forward& forward) {
  const InCall in_call;
  const auto size = static_cast<std::size_t>(count > 0 ? count : 0);
  if (!in_call || !claim_any_state(in_call.thread(), requests, size)) return forward();
  const RecordingClock& clock = Recording::current()->clock;
  const std::uint64_t begin = clock.now();
  const int result = forward();
  const FinishedCall call{id, frame, {begin, clock.now()}, result};
  finish_call(in_call.thread(), call, Presence::normal, [&](Description& d) {
    return describe_start(in_call.thread(), d, requests, size, one);
  });
  return result;
}

template <class Forward>
int record_use(CallId id, Frame frame, const RequestArray& request, const Forward& forward) {
  const InCall in_call;
  if (!in_call || !claim_any_state(in_call.thread(), request, 1)) return forward();
  const bool known = in_call.thread().slots()[0] != RequestTable::kUnknown;
  const RecordingClock& clock = Recording::current()->clock;
  const std::uint64_t begin = clock.now();
  const int result = forward();
  const FinishedCall call{id, frame, {begin, clock.now()}, result};
  finish_call(in_call.thread(), call, known ? Presence::necessary : Presence::normal,
              [&](Description& d) {
                return describe_use(in_call.thread(), d, id == CallId::Request_free);
              });
  return result;
}

}  // namespace reprise::recorder
