// SPDX-License-Identifier: MIT
// What a user asks of a recording: program, ranks, run time, calls, what was lost, what the recorder took.
#include <algorithm>

#include "sim/cli/trace_actions.hpp"
#include "sim/cli/trace_info.hpp"
#include "sim/text/disturbance.hpp"
#include "sim/text/losses.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/recorded_time.hpp"
#include "trace-io/check/missing.hpp"
#include "trace-io/check/summary.hpp"
#include "trace-io/iterations/iteration_table.hpp"
#include "trace-io/model/compute_counters.hpp"
#include "trace-io/model/end_groups.hpp"
#include "trace-io/model/function_samples.hpp"
#include "trace-io/model/main_programs.hpp"
#include "trace-io/model/message_times.hpp"
#include "trace-io/model/time_pools.hpp"
#include "trace-io/model/unseen_time.hpp"

namespace reprise::cli {
namespace {

std::string padded_count(std::string text, std::size_t width) {
  if (text.size() < width) text.insert(0, width - text.size(), ' ');
  return text;
}

std::string known(const std::string& text) { return text.empty() ? "unknown" : text; }

// Several programs of a job with their ranks.
std::string program_lines(const trace_io::Trace& trace) {
  const auto programs = trace_io::main_programs(trace);
  if (programs.empty()) return "program     " + known(trace.header.program) + "\n";
  std::string text;
  for (const auto& one : programs)
    text += (text.empty() ? "programs    " : "            ") + one.path +
            (one.ranks.size() == 1 ? ", rank " : ", ranks ") + one.ranks.text() + "\n";
  return text;
}

std::string host_lines(const trace_io::Header& header) {
  std::string text;
  for (const auto& host : header.hosts) {
    const bool is_short =
        host.cores > 0 && static_cast<std::uint32_t>(host.ranks.size()) > host.cores;
    text += "host        " + host.name +
            (host.cores > 0 ? ", " + counted(host.cores, "core") : ", cores unknown") + ", ranks " +
            host.ranks.text() + (is_short ? " (oversubscribed)" : "") + "\n";
  }
  return text;
}

std::string bytes_text(const trace_io::ProcedureSummary& procedure) {
  if (procedure.has_unknown_bytes)
    return ", bytes not counted: too many persistent requests, or of several sizes under one "
           "number "
           "(`reprise replay --details matrix` has them)";
  if (procedure.bytes() == 0) return "";
  return ", " + counted(procedure.bytes(), "byte") +
         (procedure.bytes_sent
              ? procedure.has_null_sends ? " sent, those to MPI_PROC_NULL included" : " sent"
          : procedure.bytes_fetched ? " fetched"
          : procedure.bytes_read    ? " read"
                                    : " written");
}

// Which iterations were recorded.
std::string iterations_line(const trace_io::Trace& trace) {
  const auto table = trace_io::iteration_table(trace, {});
  if (!table) return "";
  return "iterations  " + grouped(table->iterations) + " of " + table->loop + " on ranks " +
         trace_io::RankList::from_ranks(table->ranks).text() + ", at most " +
         counted(table->clusters, "cluster") + " a rank\n";
}

// How much of the order in which requests completed is that of other phases.
std::string completions_line(const trace_io::Trace& trace) {
  if (!trace.completions || trace.completions->phases == 0) return "";
  return "completions " + counted(trace.completions->phases, "phase") +
         " of MPI_Waitany, MPI_Testsome and similar calls, " +
         grouped(trace.completions->represented) + " represented by another one\n";
}

std::string percent_of(Nanoseconds part, Nanoseconds whole) {
  const double share = whole.value > 0 ? part.seconds() / whole.seconds() : 0;
  return formatted("%.3g %%", 100 * share);
}

// Which calls share their times.
std::string pools_line(const trace_io::Trace& trace) {
  if (trace.pools.empty()) return "";
  const trace_io::PooledTimes all = trace_io::pooled_times(trace);
  return "pooled      times of " + counted(all.calls, "stored call") + " in " +
         counted(trace.pools.size(), "pool") + ": " + percent_of(all.pooled_compute, all.compute) +
         " of compute time, " + percent_of(all.pooled_communicate, all.communicate) +
         " of the time inside calls; each takes the mean of its pool, sums over all are exact\n";
}

// Which functions were sampled.
std::string functions_line(const trace_io::Trace& trace) {
  if (trace.functions == nullptr) return "";
  const trace_io::FunctionSamples& samples = *trace.functions;
  const SampleCounts counts = sample_counts(samples);
  return "functions   " + counted(counts.compute, "sample") + " between calls, " +
         grouped(counts.communicate) + " inside, " + grouped(samples.own) +
         " in the recorder, at " + grouped(samples.rate) + " a second of CPU time" +
         (samples.are_precise ? ", " : " (at the kernel's ticks), ") +
         grouped(samples.classes.size()) + " class" + (samples.classes.size() == 1 ? "" : "es") +
         " of ranks" +
         (samples.left_out > 0 ? ", " + grouped(samples.left_out) + " left out" : "") + "\n";
}

// Which events were counted, and which were to be.
std::string counters_line(const trace_io::Trace& trace) {
  if (trace.counters == nullptr) return "";
  std::string text;
  for (const auto& event : trace.counters->events)
    text += (text.empty() ? "counters    " : "; ") + std::string(name_of(event.event)) +
            (event.threads > 0 ? " on " + counted(event.threads, "thread")
                               : std::string(" on no thread")) +
            (event.scaled > 0 ? ", scaled on " + grouped(event.scaled) : "") +
            (event.absent > 0 ? ", not available on " + grouped(event.absent) : "");
  return text + "; on " + counted(trace.counters->ways.size(), "path") + " between two calls\n";
}

// Which messages' times were sampled.
std::string messages_line(const trace_io::Trace& trace) {
  if (!trace.messages) return "";
  return "messages    times of " + grouped(trace.messages->joined) + " of " +
         counted(trace.messages->messages, "message") + " sampled (" +
         name_of(trace.messages->mode) + ")\n";
}

// Time of all ranks that was taken for this, and left out of compute times.
Nanoseconds time_apart(const trace_io::Trace& trace, bool by_recorder) {
  Nanoseconds sum{};
  for (const auto& apart : trace.times_apart)
    if ((apart.what != trace_io::TimeApart::preemption) == by_recorder)
      sum = Nanoseconds{sum.value + apart.time.value};
  return sum;
}

// Threads that call no MPI take a rank's core as other processes do.
bool has_other_threads(const trace_io::Trace& trace) {
  return std::ranges::any_of(trace.losses, [](const trace_io::Loss& loss) {
    return loss.name == trace_io::kOtherThreads;
  });
}

// Who else of the program took cores from its ranks.
std::string by_its_own(const trace_io::Trace& trace) {
  const bool threads = has_other_threads(trace), ranks = shared_cores(trace.header).has_value();
  if (threads && ranks) return " and the program's own ranks and threads";
  if (ranks) return ", the program's other ranks among them";
  return threads ? " and the program's own threads" : "";
}

// What recording cost, and what other processes did.
std::string recorder_lines(const trace_io::Trace& trace,
                           const std::optional<trace_io::FinishTimes>& times) {
  const auto& header = trace.header;
  const Nanoseconds own = time_apart(trace, true), others = time_apart(trace, false);
  const Nanoseconds of_all_ranks{header.elapsed.value * header.ranks};
  const auto share = [&](Nanoseconds part) {
    return of_all_ranks.value > 0 ? " (" + percent_of(part, of_all_ranks) + ")" : "";
  };
  std::string text;
  if (own.value > 0)
    text += "recorder    " + seconds_text(own.seconds()) + " of all ranks' run time" + share(own) +
            ", not in the compute times\n";
  const Nanoseconds finishing = header.merge_elapsed + (times ? times->write : Nanoseconds{});
  if (finishing.value > 0)
    text += std::string(text.empty() ? "recorder    " : "            ") +
            seconds_text(finishing.seconds()) + " in MPI_Finalize, after the run\n";
  if (others.value > 0)
    text += "preempted   " + seconds_text(others.seconds()) + " of all ranks' run time" +
            share(others) + " by other processes" + by_its_own(trace) +
            ", not in the compute times\n";
  return text;
}

// With a mean: where the run time is long, whether it was computing.
std::string computing_line(const trace_io::Trace& trace) {
  const Seconds mean = mean_computing(trace);
  const std::string clock =
      trace.header.clock == trace_io::Clock::cpu ? "CPU time" : "wall-clock time";
  if (mean.value <= 0) return "computing   measured in " + clock + "\n";
  return "computing   " + seconds_text(mean) + " on a rank in the mean, measured in " + clock +
         (trace.header.complete ? "" : ", that of calls which are left out included") + "\n";
}

// Where ranks were when the recording ended without MPI_Finalize, each line after the first below it.
std::string end_lines(const trace_io::Trace& trace) {
  std::string text;
  for (const std::string& one : trace_io::end_texts(trace))
    text += (text.empty() ? "ended       " : "            ") + one + "\n";
  return text;
}

std::string losses_line(const trace_io::Trace& trace) {
  const auto losses = trace.losses.size() + (trace_io::missing_text(trace).empty() ? 0 : 1);
  return "losses      " + (losses == 0 ? "none" : grouped(losses) + ", listed below") + "\n";
}

}  // namespace

SampleCounts sample_counts(const trace_io::FunctionSamples& samples) {
  SampleCounts counts;
  for (const auto& ranks : samples.classes)
    for (const bool is_inside : {false, true})
      for (const auto& path : is_inside ? ranks.communicate : ranks.compute)
        for (const auto& one : path.stacks)
          (is_inside ? counts.communicate : counts.compute) += one.count;
  return counts;
}

std::string info_text(const trace_io::Trace& trace, std::uint64_t file_bytes,
                      const std::optional<trace_io::FinishTimes>& times, bool with_internals) {
  const auto& header = trace.header;
  const auto summary = trace_io::summarise(trace);
  std::string text = program_lines(trace) + "mpi         " + known(header.mpi_library) + "\n" +
                     "ranks       " + std::to_string(header.ranks);
  if (!header.complete)
    text += " (INCOMPLETE: salvaged from ranks " + header.recorded.text() +
            ", the end of the run may be missing)";
  text += "\n" + host_lines(header);
  text += "run time    " +
          (header.elapsed.value ? seconds_text(header.elapsed.seconds()) : "unknown") + "\n";
  text += end_lines(trace) + computing_line(trace);
  text += "calls       " + grouped(summary.calls()) + ", folded into " +
          grouped(summary.compressed_operations) + "\n";
  text += "size        " + counted(file_bytes, "byte") + "\n";
  text += recorder_lines(trace, times) + losses_line(trace);
  text += pools_line(trace) + completions_line(trace) + messages_line(trace) +
          iterations_line(trace) + functions_line(trace) + counters_line(trace) + "\n";
  for (const auto& procedure : summary.procedures)
    text += padded_count(grouped(procedure.calls), 16) + "  " + procedure.name +
            bytes_text(procedure) + "\n";
  text += losses_text(trace.losses, {}, trace_io::missing_text(trace));
  return with_internals ? text + internals_text(trace, times) : text;
}

}  // namespace reprise::cli
