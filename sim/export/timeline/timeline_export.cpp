// SPDX-License-Identifier: MIT
#include "sim/export/timeline/timeline_export.hpp"

#include <algorithm>
#include <functional>
#include <memory>
#include <queue>
#include <utility>
#include <vector>

#include "sim/export/timeline/chrome_writer.hpp"
#include "sim/export/timeline/otf2_writer.hpp"
#include "sim/export/timeline/prv_writer.hpp"
#include "sim/export/timeline/recorded_timelines.hpp"
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
  RecordedTimelines timelines(programs, settings.deltas, settings.seed);
  const auto writer = timeline_writer(format, trace, to, MessageSource::matched_calls);
  const bool by_computing = writer->order() == CallOrder::computed_since;
  using Next = std::pair<std::int64_t, std::int32_t>;  // (time, rank)
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
  const auto go_on = [&](Rank rank) {
    if (!timelines.next(rank)) return;
    const TimedCall& call = timelines.call(rank);
    next.emplace(by_computing ? call.computed_since : call.begin, rank.value);
  };
  for (std::int32_t r = 0; r < trace.header.ranks; ++r) go_on(Rank{r});
  std::int64_t end = timelines.run_begin();
  while (!next.empty()) {
    const Rank rank{next.top().second};
    next.pop();
    const TimedCall& call = timelines.call(rank);
    writer->call(rank, call);
    ++summary.calls;
    end = std::max(end, call.procedure.kind == trace_io::Kind::finalize ? call.begin : call.end);
    go_on(rank);
  }
  summary.path = writer->finish();
  summary.run = Nanoseconds{end - timelines.run_begin()}.seconds();
  summary.moves = timelines.moves();
  return summary;
}

}  // namespace reprise::sim
