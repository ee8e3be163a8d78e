// SPDX-License-Identifier: MIT
#include "recorder/finish/merge_tree.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "recorder/capture/clock.hpp"
#include "trace-io/gather/gathered_trace.hpp"
#include "trace-io/merge/finalize.hpp"

namespace reprise::recorder {
namespace {

constexpr char kLossName[] = "ranks lost in the merge";

std::uint64_t cpu_now() { return RecordingClock::system_time(CLOCK_THREAD_CPUTIME_ID); }

void add_cpu(trace_io::Trace& trace, std::uint64_t nanoseconds) {
  trace.header.merge_cpu += Nanoseconds{static_cast<std::int64_t>(nanoseconds)};
}

void note_lost(trace_io::Trace& trace, std::uint64_t ranks) {
  trace.header.complete = false;
  auto& losses = trace.losses;
  const auto at = std::lower_bound(
      losses.begin(), losses.end(), kLossName,
      [](const trace_io::Loss& loss, const char* name) { return loss.name < name; });
  if (at != losses.end() && at->name == kLossName) {
    at->count += ranks;
    return;
  }
  trace_io::Loss loss;
  loss.name = kLossName;
  loss.severity = trace_io::Severity::error;
  loss.count = ranks;
  losses.insert(at, std::move(loss));
}

using trace_io::GatheredTrace;

// Own and what was sent so far.
struct Gathered {
  std::optional<GatheredTrace> trace;
  std::uint64_t missing = 0;  // ranks that should be in it, while there is no trace to say so

  void lose(std::uint64_t ranks) {
    if (trace)
      note_lost(trace->trace(), ranks);
    else
      missing += ranks;
  }
  // `ranks`: for how many the message stands.
  void add(const std::vector<std::byte>& bytes, std::uint64_t ranks, int from) {
    if (bytes.empty()) return lose(ranks);
    const std::string sender = "the trace from rank " + std::to_string(from);
    if (trace) return trace->add(bytes, sender);
    trace.emplace(trace_io::trace_of_message(bytes, sender));
    lose(missing);
  }
  // Out of memory in the middle of add(): all of it is lost.
  void drop_if_unsound(std::uint64_t ranks) {
    if (!trace || trace->is_sound()) return;
    trace.reset();
    missing = ranks;
  }
};

Nanoseconds finalize_last(trace_io::Trace& trace) noexcept {
  const std::uint64_t begin = cpu_now(),
                      elapsed_begin = RecordingClock::system_time(CLOCK_MONOTONIC);
  try {
    trace_io::finalize(trace);
  } catch (...) {  // out of memory: all the same a readable trace
  }
  add_cpu(trace, cpu_now() - begin);
  return Nanoseconds{
      static_cast<std::int64_t>(RecordingClock::system_time(CLOCK_MONOTONIC) - elapsed_begin)};
}

}  // namespace

void send_only(Ranks& ranks, const std::function<std::vector<std::byte>()>& message) noexcept {
  TraceMessage sent;
  const std::uint64_t begin = cpu_now();
  try {
    sent.bytes = message();
  } catch (...) {
    sent.bytes.clear();
  }
  sent.cpu_ns = cpu_now() - begin;
  ranks.send(ranks.rank - 1, sent);
}

bool pass_on(Ranks& ranks, TraceMessage& received,
             const std::function<std::optional<std::vector<std::byte>>()>& unite) noexcept {
  const std::uint64_t begin = cpu_now();
  std::optional<std::vector<std::byte>> both;
  try {
    if (!received.bytes.empty()) both = unite();
  } catch (...) {  // it is said when the trace is merged
  }
  received.cpu_ns += cpu_now() - begin;
  if (!both) return false;
  ranks.send(ranks.rank - 2, {*std::move(both), received.cpu_ns});
  return true;
}

MergedTrace merge_over(Ranks& ranks, std::optional<trace_io::Trace> own_trace,
                       std::optional<trace_io::Trace>* sent,
                       std::optional<TraceMessage> received) noexcept {
  Gathered own;
  if (own_trace)
    own.trace.emplace(*std::move(own_trace));
  else
    own.missing = 1;
  for (int step = 1; step < ranks.size; step *= 2) {
    if ((ranks.rank & step) != 0) {
      TraceMessage message;
      const std::uint64_t begin = cpu_now();
      try {
        if (own.trace) message.bytes = own.trace->message();
      } catch (...) {
        message.bytes.clear();
      }
      if (sent != nullptr && own.trace) sent->emplace(std::move(own.trace->trace()));
      own.trace.reset();
      message.cpu_ns = cpu_now() - begin;
      ranks.send(ranks.rank - step, message);
      return {};
    }
    const int from = ranks.rank + step;
    if (from >= ranks.size) continue;
    const auto expected = static_cast<std::uint64_t>(std::min(step, ranks.size - from));
    const TraceMessage message =
        received ? *std::exchange(received, std::nullopt) : ranks.receive(from);
    const std::uint64_t begin = cpu_now();
    try {
      own.add(message.bytes, expected, from);
    } catch (...) {
      own.drop_if_unsound(static_cast<std::uint64_t>(step));
      own.lose(expected);
    }
    if (own.trace) add_cpu(own.trace->trace(), message.cpu_ns + cpu_now() - begin);
  }
  MergedTrace all;
  if (!own.trace) return all;
  if (ranks.size > 1)
    all.finalize = finalize_last(own.trace->trace());
  else
    trace_io::forget_few_first_touches(own.trace->trace());
  all.trace.emplace(std::move(own.trace->trace()));
  return all;
}

}  // namespace reprise::recorder
