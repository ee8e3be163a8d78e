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
  // Of nothing where the program ignores it and nobody wanted to read it.
  StatusRef read() const {
    return {ignored_ && passed_ == given_ ? nullptr : passed_, size_, source_, tag_};
  }

 private:
  void* given_;
  void* passed_ = nullptr;
  bool ignored_;
  std::size_t size_, source_, tag_;
};

// The requests of one call: slot per array element, kUnknown where it takes no part.
struct ClaimedRequests {
  bool any = false;  // at least one takes part
  bool any_wildcard =
      false;  // what one of them matched has to be read, also for the sampler of messages
};
ClaimedRequests claim_requests(ThreadRecorder&, const RequestArray&, std::size_t count);
bool claim_requests_safely(ThreadRecorder&, const RequestArray&, std::size_t count,
                           ClaimedRequests&) noexcept;

// What a trace calls a request by. Where there is no number for it in this thread's trace: kNone, and a loss.
std::int64_t number_of(std::uint32_t slot, const Description&);

// A request completed: what it matched. It is gone at the end of the call, unless it is persistent.
struct Match {
  std::int64_t peer, tag;
};
// `keeps_number`: nor then, the trace has to complete it yet (RequestTable::keep_number).
Match complete(Description&, std::uint32_t slot, const StatusRef& status, std::size_t status_index,
               bool keeps_number = false);

// A Test or Testall of the requests in thread.slots() failed.
Outcome note_failed_poll(ThreadRecorder&) noexcept;
// One succeeded: whether it is no call of its own (chance_sends.hpp). What it completed is taken note of then.
bool is_chance(ThreadRecorder&, Description&, const StatusRef&, bool is_all);
// A send that the trace has no number for was waited for after all: completes it. False: it is another request.
bool completes_unawaited(Description&, std::uint32_t slot, const StatusRef&, std::size_t i);

// The reading at which the MPI call begins, after look_up(). Where that is much work (many requests, or a lock that other threads
// hold), or where events are counted, it is left out of the compute delta; else the one reading after it will do.
template <class LookUp>
[[gnu::always_inline]] inline std::uint64_t begin_after(ThreadRecorder& thread,
                                                        std::size_t requests,
                                                        const LookUp& look_up) {
  constexpr std::size_t kMany = 8;
  const RecordingClock& clock = Recording::current()->clock;
  if (requests <= kMany && !handles().shared && !thread.counters) {
    look_up();
    return clock.now(thread.time, Interval::compute);
  }
  const std::uint64_t entry = thread.enter(clock);
  look_up();
  const std::uint64_t begin = clock.soon_after(thread.time, entry);
  thread.leave_out_before_call(entry, begin);
  return begin;
}

// A call on requests: look_up(ThreadRecorder&) → whether it can be recorded, forward(), presence(),
// describe(ThreadRecorder&, Description&) → Outcome.
template <class LookUp, class Forward, class Presence_, class Describe>
[[gnu::always_inline]] inline int record_request_call(CallId id, Frame frame, std::size_t requests,
                                                      const LookUp& look_up, const Forward& forward,
                                                      const Presence_& presence,
                                                      const Describe& describe) {
  const InCall in_call(id, frame);
  const MpiCallInStream in_stream(static_cast<bool>(in_call), static_cast<std::uint32_t>(id),
                                  frame);
  bool ready = false;
  std::uint64_t begin = 0;
  if (in_call)
    begin = begin_after(in_call.thread(), requests, [&] { ready = look_up(in_call.thread()); });
  const int result = forward_in(in_call, forward);
  if (!ready) return result;
  const std::uint64_t end =
      Recording::current()->clock.now(in_call.thread().time, Interval::communicate);
  const FinishedCall call{id, frame, {begin, end}, result};
  finish_call(in_call.thread(), call, presence(),
              [&](Description& d) { return describe(in_call.thread(), d); });
  return result;
}

// Calls that complete requests. forward(void* status); `statuses` are read where a wildcard's match has to be known.
template <class Forward, class Describe>
[[gnu::always_inline]] inline int record_completing_call(
    CallId id, Frame frame, const RequestArray& requests, std::size_t count, StatusArgument& status,
    std::size_t statuses, const Forward& forward, const Describe& describe) {
  ClaimedRequests claimed;
  void* passed = status.given();
  return record_request_call(
      id, frame, count,
      [&](ThreadRecorder& thread) {
        if (!claim_requests_safely(thread, requests, count, claimed)) return false;
        passed = status.pass(thread, claimed.any_wildcard ? statuses : 0);
        return true;
      },
      [&] { return forward(passed); },
      [&] { return claimed.any ? Presence::necessary : Presence::normal; }, describe);
}

// Wait and Test. forward(void* status) → result; `flag` is null for Wait.
template <class Forward>
[[gnu::always_inline]] inline int record_wait(CallId id, Frame frame, const RequestArray& request,
                                              StatusArgument status, const int* flag,
                                              const Forward& forward) {
  return record_completing_call(
      id, frame, request, 1, status, 1, forward, [&](ThreadRecorder& thread, Description& d) {
        if (flag != nullptr && *flag == 0) return note_failed_poll(thread);
        if (flag != nullptr && is_chance(thread, d, status.read(), false)) return Outcome::chance;
        const std::uint32_t slot = thread.slots()[0];
        Match match{trace_io::kNoPeer, trace_io::kNone};
        if (slot == RequestTable::kUnknown || completes_unawaited(d, slot, status.read(), 0)) {
          d.scalar(trace_io::kNone);
        } else {
          d.scalar(number_of(slot, d));
          match = complete(d, slot, status.read(), 0);
          handles().requests.end_call();
        }
        d.scalar(match.peer);
        d.scalar(match.tag);
        return Outcome::event;
      });
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
[[gnu::always_inline]] inline int record_completion(CallId id, Frame frame,
                                                    const RequestArray& requests, int count,
                                                    StatusArgument status, std::size_t statuses,
                                                    const CompletedList* completed, const int* flag,
                                                    const Forward& forward) {
  const auto size = static_cast<std::size_t>(count > 0 ? count : 0);
  return record_completing_call(
      id, frame, requests, size, status, statuses == kAll ? size : statuses, forward,
      [&](ThreadRecorder& thread, Description& d) {
        if (flag != nullptr && *flag == 0) return note_failed_poll(thread);
        if (flag != nullptr && completed == nullptr && is_chance(thread, d, status.read(), true))
          return Outcome::chance;
        if (completed == nullptr) return describe_all(thread, d, size, status.read());
        return describe_some(thread, d, size, *completed, status.read());
      });
}

Outcome describe_start(ThreadRecorder&, Description&, const RequestArray& after, std::size_t count,
                       bool one);
Outcome describe_use(ThreadRecorder&, Description&, bool frees);
// For the look-ups before a call that is not a completion: inactive requests take part as well.
bool claim_any_state(ThreadRecorder&, const RequestArray&, std::size_t count) noexcept;

// Start and Startall: the handles may change. `one` tells the scalar form of Start from the list of Startall.
template <class Forward>
int record_start(CallId id, Frame frame, const RequestArray& requests, int count, bool one,
                 const Forward& forward) {
  const auto size = static_cast<std::size_t>(count > 0 ? count : 0);
  return record_request_call(
      id, frame, size,
      [&](ThreadRecorder& thread) { return claim_any_state(thread, requests, size); }, forward,
      [] { return Presence::normal; },
      [&](ThreadRecorder& thread, Description& d) {
        return describe_start(thread, d, requests, size, one);
      });
}

// Cancel and Request_free.
template <class Forward>
int record_use(CallId id, Frame frame, const RequestArray& request, const Forward& forward) {
  bool known = false;
  return record_request_call(
      id, frame, 1,
      [&](ThreadRecorder& thread) {
        const bool ready = claim_any_state(thread, request, 1);
        known = ready && thread.slots()[0] != RequestTable::kUnknown;
        return ready;
      },
      forward, [&] { return known ? Presence::necessary : Presence::normal; },
      [&](ThreadRecorder& thread, Description& d) {
        return describe_use(thread, d, id == CallId::Request_free);
      });
}

}  // namespace reprise::recorder
