// SPDX-License-Identifier: MIT
#include "sim/export/timeline/predicted_timeline.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/export/timeline/receive_completions.hpp"
#include "sim/export/timeline/request_numbering.hpp"

namespace reprise::sim {
namespace {

std::int64_t nanoseconds(double seconds) {
  return static_cast<std::int64_t>(std::llround(seconds * 1e9));
}

TimedCall timed(const trace_io::Trace& trace, const TimelineWindow& window,
                const WindowCall& call) {
  TimedCall timed;
  timed.computed_since = nanoseconds(call.begin);
  timed.begin = nanoseconds(call.enter);
  timed.end = nanoseconds(call.end);
  timed.site = call.site;
  timed.procedure = procedure_of(trace, call.site);
  timed.never_ends = call.is_open;
  auto values = window.values(call);
  timed.scalars = values.first(scalar_count(timed.procedure));
  values = values.subspan(timed.scalars.size());
  for (std::size_t i = 0; i < vector_count(timed.procedure); ++i) {
    const auto length = static_cast<std::size_t>(values.front());
    timed.vectors.push_back(values.subspan(1, length));
    values = values.subspan(1 + length);
  }
  return timed;
}

std::vector<TimedMessage> messages_of(const TimelineWindow& window) {
  std::vector<TimedMessage> messages;
  for (const Delivery& one : window.messages())
    messages.push_back({Rank{one.from}, Rank{one.to}, one.tag,
                        static_cast<std::int64_t>(one.bytes.value), nanoseconds(one.sent),
                        nanoseconds(one.posted), nanoseconds(one.received),
                        nanoseconds(one.received)});
  std::ranges::stable_sort(messages, {}, &TimedMessage::sent);
  return messages;
}

}  // namespace

std::uint64_t most_calls(TimelineFormat format, std::uint64_t bytes) {
  return std::max<std::uint64_t>(1, bytes / bytes_per_call(format));
}

TimelineSummary write_timeline(const trace_io::Trace& trace, const TimelineWindow& window,
                               TimelineFormat format, const std::string& to) {
  window.check();
  TimelineSummary summary;
  const auto writer = timeline_writer(format, trace, to, MessageSource::told);
  std::vector<RequestNumbering> requests(static_cast<std::size_t>(trace.header.ranks));
  auto messages = messages_of(window);
  // The window has them by the begin of the computing before them.
  std::vector<const WindowCall*> calls;
  for (const WindowCall& call : window.calls())
    if (call.thread == 0)
      calls.push_back(&call);
    else
      ++summary.losses["calls of threads other than the first left out"];
  const bool by_computing = writer->order() == CallOrder::computed_since;
  if (!by_computing) std::ranges::stable_sort(calls, {}, &WindowCall::enter);
  if (format == TimelineFormat::prv) {
    ReceiveCompletions completions(requests.size());
    auto numbering = requests;
    for (const WindowCall* call : calls) {
      TimedCall one = timed(trace, window, *call);
      numbering[static_cast<std::size_t>(call->rank)].number(one);
      completions.call(Rank{call->rank}, one);
    }
    for (TimedMessage& one : messages) one.completed = completions.of(one);
  }
  auto message = messages.begin();
  for (const WindowCall* call : calls) {
    TimedCall one = timed(trace, window, *call);
    requests[static_cast<std::size_t>(call->rank)].number(one);
    const std::int64_t now = by_computing ? one.computed_since : one.begin;
    for (; message != messages.end() && message->sent <= now; ++message) writer->message(*message);
    writer->call(Rank{call->rank}, one);
    ++summary.calls;
    summary.unfinished += call->is_open ? 1U : 0U;
  }
  for (; message != messages.end(); ++message) writer->message(*message);
  summary.messages = messages.size();
  summary.path = writer->finish();
  return summary;
}

}  // namespace reprise::sim
