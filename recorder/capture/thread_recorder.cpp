// SPDX-License-Identifier: MIT
#include "recorder/capture/thread_recorder.hpp"

namespace reprise::recorder {

ThreadRecorder::ThreadRecorder(SiteTable& sites, SiteCache::Settings paths,
                               trace_io::ThreadCompressor::Settings compression,
                               std::uint64_t memory, Losses& losses)
    : sites_(sites, paths),
      budget_(memory),
      losses_(losses),
      counts_bytes_(compression.iterations.has_value()),
      compressor_(compression) {}

// Whether another call can be recorded.
bool ThreadRecorder::make_room() {
  if (budget_.renew(compressor_.memory_bytes())) return true;
  if (budget_.stage() == MemoryBudget::Stage::whole) {
    losses_.add("timing detail given up at REPRISE_MEMORY", trace_io::Severity::partial, {});
    compressor_.coarsen(1);
    budget_.next_stage();
    if (budget_.renew(compressor_.memory_bytes())) return true;
  }
  budget_.next_stage();
  return false;
}

inline void ThreadRecorder::finish_append(const RecordingClock& clock, std::uint64_t end) {
  last_end_ = clock.soon_after(time, end);
  if (last_end_ - end < kLongAppend) return;
  recorder_time.folding += clock.between(end, last_end_);
  ++recorder_time.long_appends;
}

void ThreadRecorder::append(std::uint32_t key, std::string_view name, Frame frame,
                            const RecordingClock& clock, Span span, bool is_test) {
  appending_.store(true, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  trace_io::EventView event = description_.event();
  std::size_t elements = 0;
  for (const auto& vector : event.vectors) elements += vector.size();
  if (!budget_.covers(elements) && (is_truncated() || !make_room())) {
    losses_.add("calls after REPRISE_MEMORY was used up", trace_io::Severity::error,
                pending_.compute + pending_.communicate + skip(clock, span), 1 + pending_.polls);
    pending_ = {};
    appending_.store(false, std::memory_order_relaxed);
    last_end_ = clock.soon_after(time, span.end);
    return;
  }
  event.site = sites_.site_of(key, name, frame);
  event.compute = clock.between(last_end_, span.begin);
  event.communicate = clock.between(span.begin, span.end);
  if (pending_.polls != 0) {
    if (is_test && event.compute <= kShortGap) {
      event.communicate += pending_.communicate + event.compute;
      event.compute = pending_.compute;
    } else if (is_test) {
      event.communicate += pending_.communicate;
      event.compute += pending_.compute;
    } else {
      event.compute += pending_.compute + pending_.communicate;
    }
    event.polls = pending_.polls;
    pending_ = {};
  }
  if (counts_bytes_) event.bytes = payload_.of(event, name);
  time.preemptions.compute += event.compute;
  compressor_.append(event);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  appending_.store(false, std::memory_order_relaxed);
  finish_append(clock, span.end);
}

void ThreadRecorder::append_first(std::uint32_t key, std::string_view name, Frame frame,
                                  const RecordingClock& clock, Nanoseconds duration) {
  trace_io::EventView event = description_.event();
  event.site = sites_.site_of(key, name, frame);
  event.communicate = duration;
  compressor_.append(event);
  last_end_ = last_look = clock.now(time, Interval::bookkeeping);
}

void ThreadRecorder::failed_poll(const RecordingClock& clock, Span span) {
  const Nanoseconds gap = clock.between(last_end_, span.begin);
  if (pending_.polls != 0 && gap <= kShortGap)
    pending_.communicate += gap;
  else
    pending_.compute += gap;
  pending_.communicate += clock.between(span.begin, span.end);
  ++pending_.polls;
  last_end_ = span.end;
}

Nanoseconds ThreadRecorder::skip(const RecordingClock& clock, Span span) {
  const Nanoseconds skipped = clock.between(last_end_, span.end);
  last_end_ = span.end;
  return skipped;
}

}  // namespace reprise::recorder
