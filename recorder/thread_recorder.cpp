// SPDX-License-Identifier: MIT
#include "recorder/thread_recorder.hpp"

namespace reprise::recorder {

ThreadRecorder::ThreadRecorder(SiteTable& sites, SiteCache::Settings paths,
                               trace_io::ThreadCompressor::Settings compression)
    : sites_(sites, paths), compressor_(compression) {}

void ThreadRecorder::append(std::uint32_t key, std::string_view name, Frame frame, const RecordingClock& clock,
                            Span span, bool is_test) {
  appending_.store(true, std::memory_order_relaxed);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  trace_io::EventView event = description_.event();
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
  compressor_.append(event);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  appending_.store(false, std::memory_order_relaxed);
  last_end_ = clock.now();
}

void ThreadRecorder::append_first(std::uint32_t key, std::string_view name, Frame frame, const RecordingClock& clock,
                                  Nanoseconds duration) {
  trace_io::EventView event = description_.event();
  event.site = sites_.site_of(key, name, frame);
  event.communicate = duration;
  compressor_.append(event);
  last_end_ = last_look = clock.now();
}

void ThreadRecorder::failed_poll(const RecordingClock& clock, Span span) {
  const Nanoseconds gap = clock.between(last_end_, span.begin);
  if (pending_.polls != 0 && gap <= kShortGap) pending_.communicate += gap;
  else pending_.compute += gap;
  pending_.communicate += clock.between(span.begin, span.end);
  ++pending_.polls;
  last_end_ = span.end;
}

Nanoseconds ThreadRecorder::skip(const RecordingClock& clock, Span span) {
  const Nanoseconds time = clock.between(last_end_, span.end);
  last_end_ = span.end;
  return time;
}

}  // namespace reprise::recorder
