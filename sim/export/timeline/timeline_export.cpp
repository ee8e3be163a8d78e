// SPDX-License-Identifier: MIT
#include "sim/export/timeline/timeline_export.hpp"

#include <algorithm>
#include <memory>
#include <queue>
#include <vector>

#include "sim/export/timeline/chrome_writer.hpp"
#include "sim/export/timeline/otf2_writer.hpp"
#include "sim/export/timeline/prv_writer.hpp"
#include "sim/export/timeline/recorded_timeline.hpp"
#include "sim/text/numbers.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/check/summary.hpp"

namespace reprise::sim {

std::uint64_t bytes_per_call(TimelineFormat format) {
  return format == TimelineFormat::otf2 ? 50 : 250;
}

std::unique_ptr<TimelineWriter> timeline_writer(TimelineFormat format, const trace_io::Trace& trace,
                                                const std::string& to, MessageSource source) {
  switch (format) {
    case TimelineFormat::otf2:
      return otf2_writer(trace, to);
    case TimelineFormat::prv:
      return prv_writer(trace, to, source);
    default:
      return chrome_writer(trace, to, source);
  }
}

TimelineSummary export_timeline(const trace_io::Trace& trace, const std::string& name,
                                TimelineFormat format, const TimelineSettings& settings,
                                const std::string& to) {
  if (trace.header.recorded.size() != trace.header.ranks)
    throw InputError(name, "it does not contain all ranks", "export a complete trace");
  TimelineSummary summary;
  const std::uint64_t calls = trace_io::summarise(trace).operations,
                      bytes = calls * bytes_per_call(format);
  if (bytes > settings.most_bytes)
    throw InputError(name,
                     "its " + grouped(calls) + " calls would be about " + grouped(bytes) +
                         " bytes, more than the " + grouped(settings.most_bytes) + " allowed",
                     "--size-limit allows more");
  const trace_io::Programs programs(trace);
  if (programs.thread_count() > 1)
    summary.losses["threads other than the first left out"] = programs.thread_count() - 1;
  DeltaPlayer compute(settings.deltas, settings.seed), communicate(settings.deltas, settings.seed);
  const auto writer = timeline_writer(format, trace, to, MessageSource::matched_calls);
  std::int64_t end = 0;
  const auto write = [&](Rank rank, const TimedCall& call) {
    if (call.end < call.begin) return;
    writer->call(rank, call);
    ++summary.calls;
    end = std::max(end, call.end);
  };
  if (writer->order() == CallOrder::any) {
    for (std::int32_t r = 0; r < trace.header.ranks; ++r) {
      if (!programs.has(Rank{r}, 0)) continue;
      RecordedTimeline timeline(programs, compute, communicate, Rank{r});
      while (timeline.next()) write(Rank{r}, timeline.call());
    }
  } else {
    const bool by_computing = writer->order() == CallOrder::computed_since;
    const auto time_of = [&](const TimedCall& call) {
      return by_computing ? call.computed_since : call.begin;
    };
    std::vector<std::unique_ptr<RecordedTimeline>> timelines;
    using Next = std::pair<std::int64_t, std::int32_t>;  // (time, rank)
    std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
    for (std::int32_t r = 0; r < trace.header.ranks; ++r) {
      timelines.push_back(nullptr);
      if (!programs.has(Rank{r}, 0)) continue;
      timelines.back() =
          std::make_unique<RecordedTimeline>(programs, compute, communicate, Rank{r});
      if (timelines.back()->next()) next.emplace(time_of(timelines.back()->call()), r);
    }
    while (!next.empty()) {
      const std::int32_t r = next.top().second;
      next.pop();
      auto& timeline = *timelines[static_cast<std::size_t>(r)];
      write(Rank{r}, timeline.call());
      if (timeline.next()) next.emplace(time_of(timeline.call()), r);
    }
  }
  summary.path = writer->finish();
  summary.end = Nanoseconds{end}.seconds();
  return summary;
}

}  // namespace reprise::sim
