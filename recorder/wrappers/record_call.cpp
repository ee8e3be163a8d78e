// SPDX-License-Identifier: MIT
#include "recorder/wrappers/record_call.hpp"

#include <array>
#include <string>
#include <string_view>

#include "trace-io/model/byte_counts.hpp"

namespace reprise::recorder {
namespace {

constexpr std::uint32_t kUnmodelledVariant = 1u << 16;  // above every CallId

std::uint32_t key(CallId id) { return static_cast<std::uint32_t>(id); }

constexpr bool is_poll(CallId id) {
  switch (id) {
    case CallId::Test:
    case CallId::Testall:
    case CallId::Testany:
    case CallId::Testsome:
    case CallId::Iprobe:
    case CallId::Improbe:
      return true;
    default:
      return false;
  }
}

constexpr auto kTraits = [] {
  using Traits = ThreadRecorder::Traits;
  std::array<Traits, kCalls> traits{};
  for (std::size_t id = 0; id < kCalls; ++id) {
    const std::string_view name = kCallNames[id];
    Traits& own = traits[id];
    if (kCompletesRequests[id]) own.overhead = trace_io::OverheadKind::completion;
    if (name.starts_with("MPI_File_"))
      own.resource = Traits::Resource::file;
    else if (name.starts_with("MPI_Win_"))
      own.resource = Traits::Resource::window;
    own.is_test = is_poll(static_cast<CallId>(id));
  }
  return traits;
}();

// Another thread may be writing a snapshot.
std::unique_lock<std::mutex> lock_if_shared(ThreadRecorder& thread) {
  return handles().shared ? std::unique_lock(thread.mutex()) : std::unique_lock<std::mutex>();
}

// What the recorder did from `begin` until now is in no delta. `reading`: the thread's latest one of the clock.
void leave_out_since(ThreadRecorder& thread, std::uint64_t begin, std::uint64_t reading) {
  thread.leave_out(begin, Recording::current()->clock.soon_after(thread.time, reading));
}

// An event without fields under a name of its own, and the loss that goes with it.
void append_named(ThreadRecorder& thread, const FinishedCall& call, std::uint32_t site_key,
                  std::string_view name) {
  Recording& recording = *Recording::current();
  thread.description().clear();
  {
    const auto lock = lock_if_shared(thread);
    thread.append(site_key, name, call.frame, recording.clock, call.span,
                  {.resource = kTraits[key(call.id)].resource});
  }
  recording.losses.add("unmodelled " + std::string(name), trace_io::Severity::partial,
                       recording.clock.between(call.span.begin, call.span.end));
  leave_out_since(thread, thread.last_end(), call.span.end);
}

}  // namespace

bool has_left_call(ThreadRecorder& thread, Frame frame) noexcept {
  if (reinterpret_cast<std::uintptr_t>(frame) < reinterpret_cast<std::uintptr_t>(thread.inside)) {
    ++thread.nested;
    return false;
  }
  note_left_call(thread);
  return true;
}

void note_left_call(ThreadRecorder& thread) noexcept {
  if (thread.inside == nullptr) return;
  thread.inside = nullptr;
  Recording& recording = *Recording::current();
  try {
    recording.losses.add("MPI calls left by longjmp or an exception", trace_io::Severity::partial,
                         {});
    if (thread.nested > 0)
      recording.losses.add("MPI calls attributed to a call that had been left",
                           trace_io::Severity::partial, {}, thread.nested);
  } catch (...) {
    recording.give_up("the recorder ran out of memory");
  }
  thread.nested = 0;
}

void sample_entry(ThreadRecorder& thread) noexcept {
  if (thread.samples.returns())
    thread.samples.entered(Recording::current()->clock.now(thread.time, Interval::compute));
}

void sample_end(ThreadRecorder& thread) noexcept {
  thread.samples.left(Recording::current()->clock.now(thread.time, Interval::bookkeeping));
}

void append_outcome(ThreadRecorder& thread, const FinishedCall& call, Outcome outcome) {
  const RecordingClock& clock = Recording::current()->clock;
  if (outcome == Outcome::unmodelled) {
    append_named(thread, call, key(call.id) | kUnmodelledVariant,
                 std::string(name_of(call.id)) + " of processes or requests that are not modelled");
    return;
  }
  const auto lock = lock_if_shared(thread);
  if (outcome == Outcome::chance) {
    ChanceSends& sends = thread.description().sends_by_chance();
    thread.note_poll(call.id == CallId::Test ? sends.by_test : sends.by_test_all, key(call.id),
                     name_of(call.id), call.frame);
  }
  const ThreadRecorder::Traits traits = kTraits[key(call.id)];
  if (outcome == Outcome::failed_poll || outcome == Outcome::chance)
    thread.failed_poll(
        clock, call.span,
        outcome == Outcome::failed_poll ? ThreadRecorder::place_of(key(call.id), call.frame) : 0,
        traits.overhead);
  else
    thread.append(key(call.id), name_of(call.id), call.frame, clock, call.span, traits);
}

void append_unmodelled(ThreadRecorder& thread, const FinishedCall& call) {
  if (call.result != MPI_SUCCESS) return note_error(thread, call);
  if (Recording::current()->paused.load(std::memory_order_relaxed))
    return note_missed(thread, call);
  lose_messages(call.id);
  append_named(thread, call, key(call.id), name_of(call.id));
}

void note_missed(ThreadRecorder& thread, const FinishedCall& call) {
  lose_messages(call.id);
  Recording& recording = *Recording::current();
  recording.losses.add("MPI calls while recording was off", trace_io::Severity::partial,
                       thread.skip(recording.clock, call.span));
  leave_out_since(thread, call.span.end, call.span.end);
}

bool has_cut_short(const FinishedCall& call) {
  int error_class = MPI_SUCCESS;
  if (PMPI_Error_class(call.result, &error_class) != MPI_SUCCESS || error_class != MPI_ERR_TRUNCATE)
    return false;
  Recording::current()->losses.add(trace_io::kCutShort, trace_io::Severity::partial, {});
  return true;
}

void note_error(ThreadRecorder& thread, const FinishedCall& call) {
  lose_messages(call.id);
  const RecordingClock& clock = Recording::current()->clock;
  Recording::current()->losses.add(std::string(name_of(call.id)) + " that returned an error",
                                   trace_io::Severity::partial,
                                   clock.between(call.span.begin, call.span.end));
  leave_out_since(thread, call.span.end, call.span.end);
}

}  // namespace reprise::recorder
