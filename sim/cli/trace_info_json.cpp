// SPDX-License-Identifier: MIT
// `reprise trace info --format json`: docs/JSON.md.
#include <array>

#include "sim/cli/trace_actions.hpp"
#include "sim/cli/trace_info.hpp"
#include "sim/text/losses.hpp"
#include "sim/text/tables.hpp"
#include "trace-io/check/summary.hpp"
#include "trace-io/iterations/iteration_table.hpp"
#include "trace-io/model/compute_counters.hpp"
#include "trace-io/model/end_groups.hpp"
#include "trace-io/model/function_samples.hpp"
#include "trace-io/model/main_programs.hpp"
#include "trace-io/model/message_times.hpp"
#include "trace-io/model/time_pools.hpp"
#include "trace-io/order/order_code.hpp"
#include "trace-io/order/unordered_paths.hpp"

namespace reprise::cli {
namespace {

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

nlohmann::ordered_json pools_json(const trace_io::Trace& trace) {
  const trace_io::PooledTimes all = trace_io::pooled_times(trace);
  return {{"pools", trace.pools.size()},
          {"stored_calls", all.calls},
          {"distributions", all.classes},
          {"pooled_distributions", all.pooled},
          {"compute_s", all.pooled_compute.seconds().value},
          {"communicate_s", all.pooled_communicate.seconds().value}};
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

nlohmann::ordered_json ends_json(const trace_io::Trace& trace) {
  static constexpr std::array<const char*, trace_io::kLastPlaces> kPlaces = {"inside", "polling",
                                                                             "outside"};
  auto rows = nlohmann::ordered_json::array();
  for (const auto& group : trace_io::end_groups(trace)) {
    nlohmann::ordered_json row = {{"ranks", group.ranks.text()},
                                  {"thread", group.thread},
                                  {"place", kPlaces[static_cast<std::size_t>(group.place)]}};
    if (group.site != trace_io::kNoSite) row["call"] = trace_io::site_text(trace, group.site);
    row["least_s"] = group.least.seconds().value;
    row["most_s"] = group.most.seconds().value;
    if (group.signal != 0) row["signal"] = group.signal;
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

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
  for (const auto& one : trace_io::main_programs(trace))
    answer["programs"].push_back({{"program", one.path}, {"ranks", one.ranks.text()}});
  answer["procedures"] = nlohmann::ordered_json::object();
  for (const auto& procedure : summary.procedures)
    answer["procedures"][procedure.name] = procedure.calls;
  answer["bytes"] = nlohmann::ordered_json::object();
  for (const auto& procedure : summary.procedures)
    if (procedure.bytes() > 0) answer["bytes"][procedure.name] = procedure.bytes();
  answer["losses"] = losses_json(trace.losses);
  answer["complete"] = header.complete;
  if (!header.complete) answer["ends"] = ends_json(trace);
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
  if (header.order_budget.value > 0 && order.ordered < order.paths) {
    const trace_io::UnorderedPaths paths = trace_io::unordered_paths(trace);
    answer["order"]["others"] = {{"once", paths.once},
                                 {"constant", paths.constant},
                                 {"brief", paths.brief},
                                 {"left_over", paths.others}};
  }
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
