// SPDX-License-Identifier: MIT
#include "recorder/finish/recordings_merge.hpp"

#include <ctime>
#include <utility>

#include "recorder/capture/clock.hpp"
#include "trace-io/gather/gathered_trace.hpp"
#include "trace-io/gather/message_parts.hpp"
#include "trace-io/gather/recorded_message.hpp"

namespace reprise::recorder {
namespace {

Nanoseconds time_since(std::uint64_t begin, clockid_t clock) {
  return Nanoseconds{static_cast<std::int64_t>(RecordingClock::system_time(clock) - begin)};
}

// May throw std::bad_alloc.
std::vector<std::byte> message_of(Recording& recording) {
  recording.end_phases();
  recording.settle();
  if (recording.settings.iterations == 0) {
    const trace_io::Trace tables = recording.tables(true);
    if (!trace_io::is_to_be_sent_whole(tables))
      return trace_io::message_of_recording(tables, recording.compressors());
  }
  return trace_io::GatheredTrace(recording.trace(true)).message();
}

// With what the next rank has sent; none where that takes a trace. Errors as those of message_of_both().
std::optional<std::vector<std::byte>> message_of_both(Recording& recording,
                                                      const TraceMessage& received) {
  if (recording.settings.iterations != 0) return std::nullopt;
  recording.end_phases();
  recording.settle();
  trace_io::Trace tables = recording.tables(true);
  if (trace_io::is_to_be_sent_whole(tables)) return std::nullopt;
  return trace_io::message_of_both(std::move(tables), recording.compressors(), received.bytes,
                                   "the next rank");
}

}  // namespace

MergedTrace merge_recordings(Recording& recording, Ranks& ranks,
                             std::optional<trace_io::Trace>* sent, std::uint64_t begin,
                             Nanoseconds& fold) noexcept {
  if (only_sends(ranks)) {
    send_only(ranks, [&] { return message_of(recording); });
    return {};
  }
  std::optional<TraceMessage> received;
  if (receives_once(ranks)) {
    received = ranks.receive(ranks.rank + 1);
    if (pass_on(ranks, *received, [&] { return message_of_both(recording, *received); })) return {};
  }
  std::optional<trace_io::Trace> own;
  const std::uint64_t cpu_begin = RecordingClock::system_time(CLOCK_THREAD_CPUTIME_ID);
  try {
    recording.end_phases();
    recording.settle();
    own = recording.trace(true);
    own->header.merge_cpu = time_since(cpu_begin, CLOCK_THREAD_CPUTIME_ID);
  } catch (...) {  // merge_over sends an empty message in its place
  }
  fold = time_since(begin, CLOCK_MONOTONIC);
  return merge_over(ranks, std::move(own), sent, std::move(received));
}

}  // namespace reprise::recorder
