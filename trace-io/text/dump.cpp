// SPDX-License-Identifier: MIT
#include "trace-io/base/integers.hpp"
#include "trace-io/base/units.hpp"
#include "trace-io/text/apart_text.hpp"
#include "trace-io/text/completions_text.hpp"
#include "trace-io/text/compute_counters_text.hpp"
#include "trace-io/text/function_samples_text.hpp"
#include "trace-io/text/iterations_text.hpp"
#include "trace-io/text/messages_text.hpp"
#include "trace-io/text/program_text.hpp"
#include "trace-io/text/recording_ends_text.hpp"
#include "trace-io/text/scanner.hpp"
#include "trace-io/text/sequence_text.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::trace_io {
namespace {

std::string frame_of(const Frame& frame) {
  return std::to_string(frame.module) + "+0x" + hexadecimal(frame.offset);
}

std::string ranks_of(const RankList& ranks) { return ranks.empty() ? "none" : ranks.text(); }

// A possibly negative time; a quoted text; a number: what statements are made of.
std::string exact_time(Nanoseconds time) {
  return time.value >= 0 ? to_text(time) : std::to_string(time.value) + "ns";
}

void dump_header(const Header& header, std::string& out) {
  out += "reprise-text 1\nranks " + std::to_string(header.ranks) + "\n";
  if (header.recorded != RankList::all(header.ranks))
    out += "recorded " + ranks_of(header.recorded) + "\n";
  if (!header.program.empty()) out += "program " + quote(header.program) + "\n";
  if (!header.mpi_library.empty()) out += "mpi_library " + quote(header.mpi_library) + "\n";
  out += "timing ";
  out += header.timing == Timing::stat        ? "stat"
         : header.timing == Timing::histogram ? "histogram"
                                              : "path";
  out += header.clock == Clock::cpu ? "\nclock cpu\n" : "\nclock wall\n";
  if (header.bins != 0) out += "bins " + std::to_string(header.bins) + "\n";
  if (header.bin_rule != BinRule::ward)
    out.append("histogram ").append(name_of(header.bin_rule)).append("\n");
  if (!header.complete) out += "incomplete\n";
  if (header.elapsed.value != 0) out += "elapsed " + exact_time(header.elapsed) + "\n";
  if (header.merge_elapsed.value != 0 || header.merge_cpu.value != 0)
    out += "merged " + exact_time(header.merge_elapsed) + " cpu " + exact_time(header.merge_cpu) +
           "\n";
  if (header.order_budget.value != 0)
    out += "order " + std::to_string(header.order_budget.value) + "\n";
  for (const auto& host : header.hosts)
    out += "host " + quote(host.name) + " cores " + std::to_string(host.cores) + " ranks " +
           ranks_of(host.ranks) + "\n";
}

void dump_tables(const Trace& trace, std::string& out) {
  for (std::size_t i = 0; i < trace.procedures.size(); ++i)
    out.append("procedure ")
        .append(std::to_string(i))
        .append(" ")
        .append(quote(trace.procedures[i]))
        .append("\n");
  for (std::size_t i = 0; i < trace.modules.size(); ++i) {
    out += "module " + std::to_string(i) + " " + quote(trace.modules[i].path);
    if (!trace.modules[i].build_id.empty()) out += " build_id " + quote(trace.modules[i].build_id);
    out += "\n";
  }
  for (std::size_t i = 0; i < trace.call_paths.size(); ++i) {
    out += "path " + std::to_string(i);
    for (const auto& frame : trace.call_paths[i].frames) out.append(" ").append(frame_of(frame));
    out += "\n";
  }
  for (const auto& name : trace.frame_names)
    out += "frame " + frame_of(name.frame) + " " + quote(name.function) + " " + quote(name.file) +
           " " + std::to_string(name.line) + "\n";
  for (std::size_t i = 0; i < trace.sites.size(); ++i)
    out += "site " + std::to_string(i) + " procedure " + std::to_string(trace.sites[i].procedure) +
           " path " + std::to_string(trace.sites[i].call_path) + "\n";
}

// The terms of a group, one after the other: "0 1 4..7".
std::string row_of(const ValueSequence& group) {
  std::string text = write_bracketed(group.terms());
  std::string row;
  int depth = 0;
  for (const char c : text.substr(1, text.size() - 2)) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c != ',' || depth > 0) row += c;
  }
  return row;
}

void dump_communicators(const Trace& trace, std::string& out) {
  for (std::size_t i = 0; i < trace.communicators.size(); ++i) {
    const auto& communicator = trace.communicators[i];
    out += "members " + std::to_string(i);
    if (communicator.copy != 0) out += " copy " + std::to_string(communicator.copy);
    const char* separator = ": ";
    for (const auto& group : communicator.groups) {
      out += separator + row_of(group);
      separator = " | ";
    }
    out += "\n";
  }
  for (std::size_t i = 0; i < trace.communicator_indices.size(); ++i) {
    const std::string start = "communicator " + std::to_string(i + 2);
    if (trace.communicator_indices[i].empty()) out += start + " unused\n";
    for (const auto& use : trace.communicator_indices[i])
      out += start + " ranks " + ranks_of(use.ranks) + " members " +
             std::to_string(use.communicator) + "\n";
  }
}

void dump_pools(const Trace& trace, std::string& out) {
  for (std::size_t i = 0; i < trace.pools.size(); ++i)
    out += "pool " + std::to_string(i) +
           (i < trace.compute_pools ? " compute (" : " communicate (") +
           parts_text(trace.pools[i]) + ")\n";
}

void dump_losses(const Trace& trace, std::string& out) {
  for (const auto& loss : trace.losses) {
    const char* severity = loss.severity == Severity::notice    ? " notice"
                           : loss.severity == Severity::partial ? " partial"
                                                                : " error";
    out += "loss " + quote(loss.name) + severity + " count " + std::to_string(loss.count) +
           " time " + exact_time(loss.time) + "\n";
  }
}

}  // namespace

std::string dump(const Trace& trace) {
  std::string out;
  dump_header(trace.header, out);
  dump_tables(trace, out);
  dump_communicators(trace, out);
  dump_pools(trace, out);
  dump_losses(trace, out);
  for (const ApartTime& apart : trace.times_apart)
    out += "apart " + std::string(name_of(apart.what)) + " count " + std::to_string(apart.count) +
           " time " + exact_time(apart.time) + " most " + exact_time(apart.most.value) + "@" +
           std::to_string(apart.most.rank.value) + "\n";
  if (trace.compensation) out += compensation_text(*trace.compensation);
  if (trace.preemptions) out += preemptions_text(*trace.preemptions);
  if (trace.completions) out += completions_text(*trace.completions);
  if (trace.functions != nullptr) out += function_samples_text(*trace.functions);
  if (trace.messages) out += messages_text(*trace.messages);
  if (trace.counters != nullptr) out += compute_counters_text(*trace.counters);
  out += recording_ends_text(trace.ends);
  for (const RankIterations& one : trace.marked_iterations) out += iterations_text(one) + "\n";
  for (std::size_t t = 0; t < trace.threads.size(); ++t) {
    out += "thread " + std::to_string(t) + " {\n";
    dump_program(trace, trace.threads[t], out);
    out += "}\n";
  }
  return out;
}

std::vector<std::string> structure_lines(const Trace& trace, bool with_sites) {
  std::string out;
  dump_communicators(trace, out);
  for (std::size_t t = 0; t < trace.threads.size(); ++t) {
    out += "thread " + std::to_string(t) + " {\n";
    dump_structure(trace, trace.threads[t], with_sites, out);
    out += "}\n";
  }
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (std::size_t end = out.find('\n'); end != std::string::npos;
       begin = end + 1, end = out.find('\n', begin))
    lines.push_back(out.substr(begin, end - begin));
  return lines;
}

}  // namespace reprise::trace_io
