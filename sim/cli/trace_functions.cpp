// SPDX-License-Identifier: MIT
// reprise trace functions: which functions the ranks computed in.
#include <algorithm>

#include "sim/cli/options.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/trace_actions.hpp"
#include "sim/functions/function_names.hpp"
#include "sim/functions/function_table.hpp"
#include "sim/report/flame_graph.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/tables.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/file/trace_file.hpp"

namespace reprise::cli {
namespace {
namespace po = boost::program_options;
using nlohmann::ordered_json;
using sim::FunctionRow;
using sim::FunctionTable;

constexpr const char* kFunctionsFormats = "text|csv|json|folded|svg";

double share(std::uint64_t part, std::uint64_t all) {
  return all > 0 ? static_cast<double>(part) / static_cast<double>(all) : 0;
}

std::string function_rows_text(const std::vector<FunctionRow>& rows, std::uint64_t all,
                               std::size_t most, bool has_inclusive) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, rows.size()); ++i) {
    text += formatted("%10.2f%%", 100 * share(rows[i].exclusive, all));
    text += has_inclusive ? formatted("  %8.2f%%  %8.2f%%", 100 * share(rows[i].inclusive, all),
                                      100 * share(rows[i].in_mpi, all))
                          : std::string(22, ' ');
    text += formatted("  %10s  ", grouped(rows[i].exclusive).c_str()) + rows[i].name + "\n";
  }
  if (rows.size() > most) text += "            " + grouped(rows.size() - most) + " more (--most)\n";
  return text;
}

std::string table_text(const FunctionTable& table, std::size_t most) {
  std::string text = "ranks " + table.ranks.text() + ": " + counted(table.samples, "sample") +
                     " between calls, " + grouped(table.in_mpi) + " inside\n";
  text += formatted("%11s  %9s  %9s  %10s  function, between calls of MPI\n", "exclusive",
                    "inclusive", "in MPI", "samples");
  text += function_rows_text(table.functions, table.samples, most, true);
  if (table.in_mpi > 0) {
    text += formatted("%11s  %9s  %9s  %10s  innermost function, inside calls of MPI\n",
                      "exclusive", "", "", "samples");
    text += function_rows_text(table.mpi_functions, table.in_mpi, most, false);
    text += formatted(
        "in MPI: inside calls that the function or its callees make, as a share of the %s between "
        "calls\n",
        counted(table.samples, "sample").c_str());
  }
  return text;
}

// What keeps functions from being told by their names; empty where most have one.
std::string names_text(const std::vector<FunctionTable>& tables) {
  std::uint64_t unnamed = 0, all = 0;
  for (const FunctionTable& table : tables) {
    unnamed += table.unnamed;
    all += table.samples;
  }
  if (unnamed * 10 <= all) return "";
  return formatted(
      "%.1f %% of the samples are in functions without a name: the program or a library is "
      "stripped,\nor its file was missing when the trace was written\n",
      100 * share(unnamed, all));
}

std::string functions_text(const trace_io::Trace& trace, std::size_t most) {
  const auto tables = sim::function_tables(trace);
  std::string text;
  for (const FunctionTable& table : tables)
    text += (text.empty() ? "" : "\n") + table_text(table, most);
  const std::string names = names_text(tables);
  if (!trace.functions->are_precise)
    text +=
        "\nSamples were taken at the kernel's ticks, because the system allows no others "
        "(kernel.perf_event_paranoid):\nwhere ranks shared cores, shares are less accurate than "
        "they look\n";
  return text + (names.empty() ? "" : "\n" + names) +
         (trace.functions->own > 0 ? "\n" + counted(trace.functions->own, "sample") +
                                         " in the recorder itself are not shown\n"
                                   : "");
}

ordered_json rows_json(const FunctionTable& table, bool are_inside) {
  auto rows = ordered_json::array();
  const auto all = are_inside ? table.in_mpi : table.samples;
  for (const FunctionRow& row : are_inside ? table.mpi_functions : table.functions) {
    ordered_json one = {{"function", row.name},
                        {"plain_name", sim::plain_function_name(row.name)},
                        {"exclusive_samples", row.exclusive},
                        {"exclusive_share", share(row.exclusive, all)}};
    if (!are_inside) {
      one["inclusive_samples"] = row.inclusive;
      one["inclusive_share"] = share(row.inclusive, all);
      one["in_mpi_samples"] = row.in_mpi;
    }
    rows.push_back(std::move(one));
  }
  return rows;
}

std::string functions_json(const trace_io::Trace& trace) {
  ordered_json answer = {{"format", 1},
                         {"rate_per_s", trace.functions->rate},
                         {"at_ticks", !trace.functions->are_precise},
                         {"recorder_samples", trace.functions->own},
                         {"left_out", trace.functions->left_out},
                         {"rank_classes", ordered_json::array()}};
  for (const FunctionTable& table : sim::function_tables(trace))
    answer["rank_classes"].push_back({{"ranks", table.ranks.text()},
                                      {"samples", table.samples},
                                      {"unnamed_samples", table.unnamed},
                                      {"functions", rows_json(table, false)},
                                      {"samples_inside_calls", table.in_mpi},
                                      {"functions_inside_calls", rows_json(table, true)}});
  return json_text(answer);
}

std::string as_csv(const trace_io::Trace& trace) {
  auto rows = ordered_json::array();
  for (const FunctionTable& table : sim::function_tables(trace))
    for (const FunctionRow& row : table.functions)
      rows.push_back({{"ranks", table.ranks.text()},
                      {"function", row.name},
                      {"exclusive_samples", row.exclusive},
                      {"exclusive_share", share(row.exclusive, table.samples)},
                      {"inclusive_samples", row.inclusive},
                      {"inclusive_share", share(row.inclusive, table.samples)},
                      {"in_mpi_samples", row.in_mpi}});
  return csv_text(rows);
}

std::string as_svg(const trace_io::Trace& trace) {
  std::vector<sim::report::FlameGraph> graphs;
  for (const auto& ranks : trace.functions->classes) {
    auto& graph = graphs.emplace_back();
    graph.stacks = sim::folded_stacks(trace, ranks);
    std::uint64_t samples = 0;
    for (const auto& stack : graph.stacks) samples += stack.samples;
    graph.title = "ranks " + ranks.ranks.text() + ": " + counted(samples, "sample") +
                  " of CPU time between calls of MPI";
  }
  const std::string& program = trace.header.program;
  return sim::report::flame_graphs_svg("Functions of " + program.substr(program.rfind('/') + 1),
                                       graphs)
      .written();
}

}  // namespace

int trace_functions(const Arguments& arguments) {
  Syntax syntax{
      "trace functions",
      "reprise trace functions FILE [OPTIONS]",
      "Shows which functions the ranks computed in, by samples of CPU time: exclusive is the "
      "function itself, inclusive adds\nwhat it called, and in MPI are the calls of MPI made "
      "there. "
      "Needs a trace recorded with --functions sample. --format svg\nis a flame graph; folded is "
      "input for other flame graph tools.",
      po::options_description("options"),
      {"FILE"}};
  syntax.options.add_options()("most",
                               po::value<std::string>()->value_name("N")->default_value("20"),
                               "number of functions to show, those with most samples first");
  add_output_options(syntax.options, kFunctionsFormats);
  const auto values = parse(syntax, arguments);
  if (!values) return kDone;
  const auto format = output_format(*values, syntax.verb, kFunctionsFormats);
  const auto most = whole_number(*values, "most", 1, 1'000'000);
  const auto path = required(*values, syntax.verb, "FILE");
  const auto trace = trace_io::load(path);
  if (trace.functions == nullptr)
    throw InputError(path, "no functions were sampled",
                     "record the program with --functions sample");
  write_output(*values, format == "json"     ? functions_json(trace)
                        : format == "csv"    ? as_csv(trace)
                        : format == "folded" ? sim::folded_text(trace)
                        : format == "svg"    ? as_svg(trace)
                                             : functions_text(trace, most));
  return kDone;
}

}  // namespace reprise::cli
