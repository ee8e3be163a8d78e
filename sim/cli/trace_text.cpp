// SPDX-License-Identifier: MIT
#include <algorithm>

#include "sim/cli/trace_actions.hpp"
#include "sim/text/losses.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/tables.hpp"
#include "trace-io/check/summary.hpp"
#include "trace-io/iterations/iteration_table.hpp"
#include "trace-io/model/compute_counters.hpp"
#include "trace-io/model/function_samples.hpp"
#include "trace-io/model/message_times.hpp"
#include "trace-io/model/time_pools.hpp"
#include "trace-io/order/order_code.hpp"

namespace reprise::cli {
namespace {

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

// With waiting for other ranks.
Nanoseconds merging_alone(const trace_io::Header& header, const trace_io::FinishTimes& times) {
  return Nanoseconds{std::max<std::int64_t>(
      header.merge_elapsed.value - times.fold.value - times.finalize.value, 0)};
}

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

std::string padded_count(std::string text, std::size_t width) {
  if (text.size() < width) text.insert(0, width - text.size(), ' ');
  return text;
}

std::string known(const std::string& text) { return text.empty() ? "unknown" : text; }

constexpr std::size_t kMostContributors = 8;

// Empty where nothing stands out.
std::string growth_text(const trace_io::Trace& trace) {
  std::string text;
  for (const auto& one : trace_io::contributors(trace, kMostContributors))
    text += "  " + one.where + ", " + one.field + ": " + counted(one.terms, "term") + ", " +
            counted(one.bytes, "byte") + " before compression (" + one.reason + ")\n";
  return text.empty() ? "" : "\nlargest contributors:\n" + text;
}

nlohmann::ordered_json growth_json(const trace_io::Trace& trace) {
  auto rows = nlohmann::ordered_json::array();
  for (const auto& one : trace_io::contributors(trace, kMostContributors))
    rows.push_back({{"where", one.where},
                    {"field", one.field},
                    {"terms", one.terms},
                    {"bytes", one.bytes},
                    {"reason", one.reason}});
  return rows;
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
  if (procedure.bytes() == 0) return "";
  return ", " + counted(procedure.bytes(), "byte") +
         (procedure.bytes_sent      ? " sent"
          : procedure.bytes_fetched ? " fetched"
          : procedure.bytes_read    ? " read"
                                    : " written");
}

// How much of the order of compute times is in the trace.
std::string order_line(const trace_io::Trace& trace) {
  const trace_io::OrderSize order = trace_io::order_size(trace);
  if (order.paths == 0) return "";
  if (trace.header.order_budget.value == 0)
    return "order       compute-time order not recorded, times are played shuffled\n";
  return "order       of compute times: kept for " + grouped(order.ordered) + " of " +
         counted(order.paths, "path") +
         " from a call to the next, the others are played shuffled; " +
         counted(order.bytes, "byte") + " of " + counted(trace.header.order_budget.value, "byte") +
         " allowed\n";
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

nlohmann::ordered_json pools_json(const trace_io::Trace& trace) {
  const trace_io::PooledTimes all = trace_io::pooled_times(trace);
  return {{"pools", trace.pools.size()},
          {"stored_calls", all.calls},
          {"distributions", all.classes},
          {"pooled_distributions", all.pooled},
          {"compute_s", all.pooled_compute.seconds().value},
          {"communicate_s", all.pooled_communicate.seconds().value}};
}

struct SampleCounts {
  std::uint64_t compute = 0, communicate = 0;
};
SampleCounts sample_counts(const trace_io::FunctionSamples& samples) {
  SampleCounts counts;
  for (const auto& ranks : samples.classes)
    for (const bool is_inside : {false, true})
      for (const auto& path : is_inside ? ranks.communicate : ranks.compute)
        for (const auto& one : path.stacks)
          (is_inside ? counts.communicate : counts.compute) += one.count;
  return counts;
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

nlohmann::ordered_json functions_json(const trace_io::FunctionSamples& samples) {
  const SampleCounts counts = sample_counts(samples);
  return {{"rate_per_s", samples.rate},
          {"between_calls", counts.compute},
          {"inside_calls", counts.communicate},
          {"recorder", samples.own},
          {"at_ticks", !samples.are_precise},
          {"left_out", samples.left_out},
          {"rank_classes", samples.classes.size()}};
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

nlohmann::ordered_json counters_json(const trace_io::ComputeCounters& counters) {
  nlohmann::ordered_json answer = {{"events", nlohmann::ordered_json::array()},
                                   {"paths", counters.ways.size()}};
  for (const auto& event : counters.events)
    answer["events"].push_back({{"event", name_of(event.event)},
                                {"threads", event.threads},
                                {"absent_threads", event.absent},
                                {"scaled_threads", event.scaled}});
  return answer;
}

// Which messages' times were sampled.
std::string messages_line(const trace_io::Trace& trace) {
  if (!trace.messages) return "";
  return "messages    times of " + grouped(trace.messages->joined) + " of " +
         counted(trace.messages->messages, "message") + " sampled (" +
         name_of(trace.messages->mode) + ")\n";
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
             " for the recorder's overhead, " + nanoseconds(apart.time) + " taken off; " +
             grouped(all.clamped_count) + " of them became 0, being shorter than the overhead by " +
             nanoseconds(all.clamped_time) + " in all\n";
  for (std::size_t kind = 0; kind < trace_io::kOverheadKinds; ++kind) {
    text += "            the overhead before a " +
            std::string(name_of(static_cast<trace_io::OverheadKind>(kind))) + ":";
    const char* separator = " ";
    for (const auto& point : all.curves[kind]) {
      text += separator + std::to_string(point.overhead.value) + " ± " + nanoseconds(point.error) +
              " where one comes every " + nanoseconds(point.period);
      separator = ", ";
    }
    text += "\n";
  }
  return text;
}

nlohmann::ordered_json compensation_json(const trace_io::Compensation& all) {
  nlohmann::ordered_json answer = {
      {"clamped", {{"count", all.clamped_count}, {"sum_s", all.clamped_time.seconds().value}}}};
  for (std::size_t kind = 0; kind < trace_io::kOverheadKinds; ++kind) {
    auto points = nlohmann::ordered_json::array();
    for (const auto& point : all.curves[kind])
      points.push_back({{"period_s", point.period.seconds().value},
                        {"overhead_s", point.overhead.seconds().value},
                        {"error_s", point.error.seconds().value}});
    answer[std::string(name_of(static_cast<trace_io::OverheadKind>(kind)))] = points;
  }
  return answer;
}

}  // namespace

std::string info_text(const trace_io::Trace& trace, std::uint64_t file_bytes,
                      const std::optional<trace_io::FinishTimes>& times) {
  const auto& header = trace.header;
  const auto summary = trace_io::summarise(trace);
  std::string text = "program     " + known(header.program) + "\n" + "mpi         " +
                     known(header.mpi_library) + "\n" + "ranks       " +
                     std::to_string(header.ranks);
  if (!header.complete)
    text += " (INCOMPLETE: salvaged from ranks " + header.recorded.text() +
            ", the end of the run may be missing)";
  text += "\n" + host_lines(header);
  text += "timing      " + std::string(name_of(header.timing)) +
          (header.bins ? ", " + counted(header.bins, "bin") : "") +
          (header.bin_rule != trace_io::BinRule::ward
               ? " (" + std::string(name_of(header.bin_rule)) + ")"
               : "") +
          ", " + std::string(name_of(header.clock)) + " clock\n";
  text += "run time    " +
          (header.elapsed.value ? seconds_text(header.elapsed.seconds()) : "unknown") + "\n";
  text += finish_lines(header, times) + order_line(trace) + pools_line(trace) +
          completions_line(trace) + messages_line(trace) + iterations_line(trace) +
          functions_line(trace) + counters_line(trace) + apart_line(trace) +
          compensation_line(trace);
  text += "calls       " + grouped(summary.calls()) + " executed, folded into " +
          grouped(summary.compressed_operations) + "\n";
  text += "size        " + counted(file_bytes, "byte") + "\n";
  if (trace.losses.empty() && header.complete) text += "losses      none\n";
  text += "\n";
  for (const auto& procedure : summary.procedures)
    text += padded_count(grouped(procedure.calls), 16) + "  " + procedure.name +
            bytes_text(procedure) + "\n";
  return text + growth_text(trace) + losses_text(trace.losses);
}

std::string info_json(const trace_io::Trace& trace, std::uint64_t file_bytes,
                      const std::optional<trace_io::FinishTimes>& times) {
  const auto& header = trace.header;
  const auto summary = trace_io::summarise(trace);
  nlohmann::ordered_json answer = {{"format", 1},
                                   {"program", header.program},
                                   {"ranks", header.ranks},
                                   {"operations", summary.operations},
                                   {"compressed_operations", summary.compressed_operations},
                                   {"file_bytes", file_bytes},
                                   {"timing", name_of(header.timing)},
                                   {"bins", header.bins},
                                   {"histogram", name_of(header.bin_rule)},
                                   {"clock", name_of(header.clock)}};
  answer["procedures"] = nlohmann::ordered_json::object();
  for (const auto& procedure : summary.procedures)
    answer["procedures"][procedure.name] = procedure.calls;
  answer["bytes"] = nlohmann::ordered_json::object();
  for (const auto& procedure : summary.procedures)
    if (procedure.bytes() > 0) answer["bytes"][procedure.name] = procedure.bytes();
  answer["losses"] = losses_json(trace.losses);
  answer["complete"] = header.complete;
  answer["recorded_ranks"] = header.recorded.size();
  answer["mpi_library"] = header.mpi_library;
  answer["elapsed_s"] = header.elapsed.seconds().value;
  answer["merge"] = {{"elapsed_s", header.merge_elapsed.seconds().value},
                     {"cpu_s", header.merge_cpu.seconds().value}};
  if (times)
    answer["finish"] = {{"fold_s", times->fold.seconds().value},
                        {"merge_s", merging_alone(header, *times).seconds().value},
                        {"finalize_s", times->finalize.seconds().value},
                        {"write_s", times->write.seconds().value},
                        {"symbols_s", times->symbols.seconds().value}};
  const trace_io::OrderSize order = trace_io::order_size(trace);
  answer["order"] = {{"budget_bytes", header.order_budget.value},
                     {"bytes", order.bytes},
                     {"paths", order.paths},
                     {"paths_in_order", order.ordered}};
  if (!trace.pools.empty()) answer["pooled"] = pools_json(trace);
  if (trace.completions)
    answer["completions"] = {{"phases", trace.completions->phases},
                             {"represented", trace.completions->represented}};
  if (trace.messages)
    answer["messages"] = {{"mode", name_of(trace.messages->mode)},
                          {"sent", trace.messages->messages},
                          {"chosen", trace.messages->chosen},
                          {"joined", trace.messages->joined}};
  if (const auto table = trace_io::iteration_table(trace, {}))
    answer["iterations"] = {{"loop", table->loop},
                            {"count", table->iterations},
                            {"ranks", trace_io::RankList::from_ranks(table->ranks).text()},
                            {"clusters", table->clusters}};
  if (trace.functions != nullptr) answer["functions"] = functions_json(*trace.functions);
  if (trace.counters != nullptr) answer["counters"] = counters_json(*trace.counters);
  answer["times_apart"] = nlohmann::ordered_json::object();
  for (const auto& apart : trace.times_apart)
    answer["times_apart"][std::string(name_of(apart.what))] = {
        {"count", apart.count},
        {"sum_s", apart.time.seconds().value},
        {"largest_s", apart.most.value.seconds().value},
        {"largest_rank", apart.most.rank.value}};
  if (trace.compensation) answer["compensation"] = compensation_json(*trace.compensation);
  answer["hosts"] = nlohmann::ordered_json::array();
  for (const auto& host : header.hosts)
    answer["hosts"].push_back(
        {{"name", host.name}, {"cores", host.cores}, {"ranks", host.ranks.text()}});
  answer["growth"] = growth_json(trace);
  return json_text(answer);
}

}  // namespace reprise::cli
