// SPDX-License-Identifier: MIT
// The frame of every wrapper: forward the call, time it, describe it, append it.
//
// Guest rules  the program's call is made exactly once, with its own arguments, and its result is returned whatever happens to
//              the recording; no exception of ours leaves. Calls made inside a call are forwarded only.
#pragma once

#include "recorder/calls/call_streams.hpp"
#include "recorder/capture/recording.hpp"
#include "recorder/finish/snapshot.hpp"
#include "recorder/wrappers/calls.hpp"

namespace reprise::recorder {

// The frame of an exported function: use in its body only.
#define REPRISE_FRAME (static_cast<::reprise::recorder::Frame>(__builtin_frame_address(0)))

// Whether a thread that is inside a call, as far as it knows, has left that call by longjmp or an exception and begins another one
// here. A call inside a call stands deeper in the stack, which grows downwards; who stands above has left. Counts either case; what was
// left becomes a loss.
bool has_left_call(ThreadRecorder&, Frame) noexcept;
// The same where the program can be in no call.
void note_left_call(ThreadRecorder&) noexcept;

// The readings of a sample (wrapper_samples.hpp).
void sample_entry(ThreadRecorder&) noexcept;
void sample_end(ThreadRecorder&) noexcept;

// From entry to return of a wrapper; false where the call is to be forwarded only.
class InCall {
 public:
  InCall(CallId id, Frame frame)
      : thread_(Recording::is_on() ? Recording::this_thread() : nullptr) {
    if (thread_ == nullptr) return;
    if (thread_->inside != nullptr && !has_left_call(*thread_, frame)) {
      thread_ = nullptr;
      return;
    }
    thread_->entered = {static_cast<std::uint32_t>(id), frame};
    thread_->inside = this;
    thread_->nested = 0;
    if (thread_->samples.is_away()) [[unlikely]]
      sample_entry(*thread_);
  }
  ~InCall() {
    if (thread_ == nullptr) return;
    thread_->inside = nullptr;
    if (thread_->samples.is_leaving()) [[unlikely]]
      sample_end(*thread_);
  }
  InCall(const InCall&) = delete;
  InCall& operator=(const InCall&) = delete;
  explicit operator bool() const { return thread_ != nullptr; }
  ThreadRecorder& thread() const { return *thread_; }

 private:
  ThreadRecorder* thread_;
};

enum class Presence : std::uint8_t {
  normal,     // missed while recording is switched off
  necessary,  // recorded even then: it makes or ends something that recorded calls refer to
};

// Of the RECORDED procedures.
constexpr Presence presence_of(CallId id) {
  return makes_communicator(id) || opens_or_closes(id) ? Presence::necessary : Presence::normal;
}

struct FinishedCall {
  CallId id;
  Frame frame;
  ThreadRecorder::Span span;
  int result;
};

// The parts that do not depend on the call. May throw std::bad_alloc.
void append_outcome(ThreadRecorder&, const FinishedCall&, Outcome);
void append_unmodelled(ThreadRecorder&, const FinishedCall&);
void note_missed(ThreadRecorder&, const FinishedCall&);
void note_error(ThreadRecorder&, const FinishedCall&);
// Of sampled messages (message_hooks.cpp): what passed while the call ran and is in no reading; their times; calls of which nobody knows
// what they moved.
std::uint64_t away_during(const ThreadRecorder&, const FinishedCall&);
void commit_messages(ThreadRecorder&, const FinishedCall&, std::uint64_t away);
void lose_messages(CallId) noexcept;
// Whether all that is wrong is that a message was cut short: the call has done its part, and is an event. Counts it as a loss.
bool has_cut_short(const FinishedCall&);

// After the call: describe(Description&) → Outcome. Inlined always: the compiler's own choice changes with what else is in the file.
template <class Describe>
[[gnu::always_inline]] inline void finish_call(ThreadRecorder& thread, const FinishedCall& call,
                                               Presence presence,
                                               const Describe& describe) noexcept {
  Recording& recording = *Recording::current();
  try {
    if (call.result != MPI_SUCCESS && !has_cut_short(call)) return note_error(thread, call);
    if (presence == Presence::normal && recording.paused.load(std::memory_order_relaxed))
      return note_missed(thread, call);
    Outcome outcome;
    {
      const HandlesLock lock;
      thread.description().begin(return_address(call.frame));
      outcome = describe(thread.description());
    }
    if (thread.description().notes().empty()) [[likely]] {
      append_outcome(thread, call, outcome);
    } else {
      const std::uint64_t away = away_during(thread, call);
      append_outcome(thread, call, outcome);
      commit_messages(thread, call, away);
    }
    snapshot_if_due(recording, thread, call.span.end);
  } catch (...) {
    recording.give_up("the recorder ran out of memory");
  }
}

// The program's call. An exception that leaves it (of an error handler, or of a user's MPI_Op) goes on; the call is a loss.
template <class Forward>
[[gnu::always_inline]] inline int forward_in(const InCall& in_call, const Forward& forward) {
  try {
    return forward();
  } catch (...) {
    if (in_call) note_left_call(in_call.thread());
    throw;
  }
}

template <class Forward, class Describe>
int record_call(CallId id, Frame frame, Presence presence, const Forward& forward,
                const Describe& describe) {
  const InCall in_call(id, frame);
  if (!in_call) return forward();
  const MpiCallInStream in_stream(true, static_cast<std::uint32_t>(id), frame);
  const RecordingClock& clock = Recording::current()->clock;
  ThreadTime& time = in_call.thread().time;
  const std::uint64_t begin = in_call.thread().enter(clock);
  const int result = forward_in(in_call, forward);
  finish_call(in_call.thread(),
              {id, frame, {begin, clock.now(time, Interval::communicate)}, result}, presence,
              describe);
  return result;
}

// A call that is counted and timed only.
template <class Forward>
int record_unmodelled(CallId id, Frame frame, const Forward& forward) {
  const InCall in_call(id, frame);
  if (!in_call) return forward();
  const MpiCallInStream in_stream(true, static_cast<std::uint32_t>(id), frame);
  const RecordingClock& clock = Recording::current()->clock;
  ThreadTime& time = in_call.thread().time;
  const std::uint64_t begin = in_call.thread().enter(clock);
  const int result = forward_in(in_call, forward);
  const FinishedCall call{id, frame, {begin, clock.now(time, Interval::communicate)}, result};
  try {
    append_unmodelled(in_call.thread(), call);
  } catch (...) {
    Recording::current()->give_up("the recorder ran out of memory");
  }
  return result;
}

}  // namespace reprise::recorder
