// SPDX-License-Identifier: MIT
// How a trace stores its times, and what the recorder took for what: `reprise trace info --verbose`.
#include <algorithm>

#include "sim/cli/trace_info.hpp"
#include "sim/text/numbers.hpp"
#include "trace-io/check/summary.hpp"
#include "trace-io/order/order_code.hpp"
#include "trace-io/order/unordered_paths.hpp"

namespace reprise::cli {
namespace {

// Merging is all of MPI_Finalize that is the recorder's, but for writing the file.
std::string finish_lines(const trace_io::Header& header,
                         const std::optional<trace_io::FinishTimes>& times) {
  std::string text;
  if (header.merge_elapsed.value > 0)
    text = "merging     " + seconds_text(header.merge_elapsed.seconds()) + " in MPI_Finalize, " +
           seconds_text(header.merge_cpu.seconds()) + " of CPU time on all ranks\n";
  if (!times) return text;
  text += "finishing   fold " + seconds_text(times->fold.seconds()) + ", merge " +
          seconds_text(merging_alone(header, *times).seconds()) + ", finalize " +
          seconds_text(times->finalize.seconds()) + ", write " +
          seconds_text(times->write.seconds());
  if (times->symbols.value > 0)
    text += "; names of functions " + seconds_text(times->symbols.seconds());
  return text + "\n";
}

// Why the others have no order; empty where all have one.
std::string unordered_lines(const trace_io::Trace& trace) {
  const trace_io::UnorderedPaths paths = trace_io::unordered_paths(trace);
  std::string text;
  const auto add = [&](std::uint64_t count, const std::string& what) {
    if (count > 0) text += "              " + grouped(count) + " " + what + "\n";
  };
  add(paths.once, "executed once on a rank");
  add(paths.constant, "always of the same time");
  add(paths.brief, "below 0.1 % of the computing");
  add(paths.others,
      trace.header.ranks == 1
          ? "that no other rank waits for"
          : std::string("whose order changes a replay by less than 0.1 %, ") +
                (trace.header.complete ? "or does not fit into the bytes left"
                                       : "does not fit into the bytes left, or was not saved"));
  return text.empty() ? "" : "            a replay shuffles the times of the others:\n" + text;
}

// How much of the order of compute times is in the trace, and why not more.
std::string order_line(const trace_io::Trace& trace) {
  const trace_io::OrderSize order = trace_io::order_size(trace);
  if (order.paths == 0) return "";
  if (trace.header.order_budget.value == 0)
    return "order       of compute times: not stored, a replay shuffles them\n";
  return "order       of compute times: stored for " + grouped(order.ordered) + " of " +
         counted(order.paths, "path") + " between two calls; " + grouped(order.bytes) + " of " +
         counted(trace.header.order_budget.value, "byte") + " used\n" + unordered_lines(trace);
}

// What took time on the ranks and stands in no compute time.
std::string apart_line(const trace_io::Trace& trace) {
  std::string text;
  for (const auto& apart : trace.times_apart) {
    text += text.empty() ? "excluded    " : "            ";
    text += seconds_text(apart.time.seconds()) + " on all ranks for " +
            std::string(name_of(apart.what)) + " (" + counted(apart.count, "time") + "), " +
            seconds_text(apart.most.value.seconds()) + " on rank " +
            std::to_string(apart.most.rank.value) + "\n";
  }
  return text;
}

// How much of compute times was taken off as the recorder's own, and by which curves.
std::string compensation_line(const trace_io::Trace& trace) {
  if (!trace.compensation) return "";
  const trace_io::Compensation& all = *trace.compensation;
  const auto nanoseconds = [](Nanoseconds time) {
    return grouped(static_cast<std::uint64_t>(time.value)) + " ns";
  };
  std::string text;
  for (const auto& apart : trace.times_apart)
    if (apart.what == trace_io::TimeApart::compensation)
      text = "compensated " + counted(apart.count, "compute time") +
             " for the recorder's overhead, " + nanoseconds(apart.time) + " subtracted" +
             (all.clamped_count > 0
                  ? "; " + counted(all.clamped_count, "time") + " no longer than that set to 0 (" +
                        nanoseconds(all.clamped_time) + " could not be subtracted)"
                  : "") +
             "\n";
  for (std::size_t kind = 0; kind < trace_io::kOverheadKinds; ++kind) {
    text += "            overhead of a " +
            std::string(name_of(static_cast<trace_io::OverheadKind>(kind))) + ":";
    const char* separator = " ";
    for (const auto& point : all.curves[kind]) {
      text += separator + std::to_string(point.overhead.value) + " ± " + nanoseconds(point.error) +
              " at one per " + nanoseconds(point.period);
      separator = ", ";
    }
    text += "\n";
  }
  return text;
}

// Empty where nothing stands out.
std::string growth_text(const trace_io::Trace& trace) {
  std::string text;
  for (const auto& one : trace_io::contributors(trace, kMostContributors))
    text += "  " + one.where + ", " + one.field + ": " + counted(one.terms, "term") + ", " +
            counted(one.bytes, "byte") + " before compression (" + one.reason + ")\n";
  return text.empty() ? "" : "\nlargest contributors:\n" + text;
}

std::string timing_line(const trace_io::Header& header) {
  return "timing      " + std::string(name_of(header.timing)) +
         (header.bins ? ", " + counted(header.bins, "bin") : "") +
         (header.bin_rule != trace_io::BinRule::ward
              ? " (" + std::string(name_of(header.bin_rule)) + ")"
              : "") +
         ", " + std::string(name_of(header.clock)) + " clock\n";
}

}  // namespace

std::string_view name_of(trace_io::Timing timing) {
  switch (timing) {
    case trace_io::Timing::stat:
      return "stat";
    case trace_io::Timing::histogram:
      return "histogram";
    case trace_io::Timing::path:
      return "path";
  }
  return "";
}

std::string_view name_of(trace_io::Clock clock) {
  return clock == trace_io::Clock::cpu ? "cpu" : "wall";
}

Nanoseconds merging_alone(const trace_io::Header& header, const trace_io::FinishTimes& times) {
  return Nanoseconds{std::max<std::int64_t>(
      header.merge_elapsed.value - times.fold.value - times.finalize.value, 0)};
}

std::string internals_text(const trace_io::Trace& trace,
                           const std::optional<trace_io::FinishTimes>& times) {
  return "\nhow it is stored:\n" + timing_line(trace.header) + order_line(trace) +
         finish_lines(trace.header, times) + apart_line(trace) + compensation_line(trace) +
         growth_text(trace);
}

}  // namespace reprise::cli
