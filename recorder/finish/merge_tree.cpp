// SPDX-License-Identifier: MIT
#include "recorder/finish/merge_tree.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "recorder/capture/clock.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/merge/finalize.hpp"
#include "trace-io/merge/merge.hpp"

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

// Merging may have used up what it was given when it fails, so it works on copies.
void merge_into(std::optional<trace_io::Trace>& own, const std::vector<std::byte>& bytes,
                std::uint64_t ranks, int from) {
  std::optional<trace_io::Trace> other;
  if (!bytes.empty())
    other = trace_io::deserialise(bytes, "the trace from rank " + std::to_string(from));
  if (own && other) {
    own = trace_io::merge(*own, std::move(*other));
  } else if (other) {
    own = std::move(other);
    note_lost(*own, 1);
  } else if (own) {
    note_lost(*own, ranks);
  }
}

// The last merge finalizes a trace of all ranks; where some are missing there is none that could know it is the last.
void finalize_incomplete(trace_io::Trace& trace) noexcept {
  try {
    if (!trace.header.complete) trace_io::finalize(trace);
  } catch (...) {  // out of memory: all the same a readable trace
  }
}

}  // namespace

std::optional<trace_io::Trace> merge_over(Ranks& ranks,
                                          std::optional<trace_io::Trace> own) noexcept {
  for (int step = 1; step < ranks.size; step *= 2) {
    if ((ranks.rank & step) != 0) {
      TraceMessage message;
      const std::uint64_t begin = cpu_now();
      try {
        if (own) message.bytes = trace_io::serialise(*own);
      } catch (...) {
        message.bytes.clear();
      }
      message.cpu_ns = cpu_now() - begin;
      ranks.send(ranks.rank - step, message);
      return std::nullopt;
    }
    const int from = ranks.rank + step;
    if (from >= ranks.size) continue;
    const auto expected = static_cast<std::uint64_t>(std::min(step, ranks.size - from));
    const TraceMessage message = ranks.receive(from);
    const std::uint64_t begin = cpu_now();
    try {
      merge_into(own, message.bytes, expected, from);
    } catch (...) {
      if (own) note_lost(*own, expected);
    }
    if (own) add_cpu(*own, message.cpu_ns + cpu_now() - begin);
  }
  if (own) finalize_incomplete(*own);
  return own;
}

}  // namespace reprise::recorder
