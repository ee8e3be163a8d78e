// SPDX-License-Identifier: MIT
// reprise trace iterations: how the iterations of the main loop differ, over time and over ranks.
#include <algorithm>
#include <cmath>

#include "sim/cli/options.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/trace_actions.hpp"
#include "sim/report/iteration_picture.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/tables.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/iterations/iteration_table.hpp"

namespace reprise::cli {
namespace {
namespace po = boost::program_options;
using nlohmann::ordered_json;
using trace_io::IterationMetric;
using trace_io::IterationQuestion;
using trace_io::IterationTable;

constexpr const char* kIterationsFormats = "text|csv|json|svg";
constexpr std::size_t kTextColumns = 60, kTextRows = 32, kGraphLines = 20, kCallPaths = 10;
constexpr std::size_t kPictureColumns = 400, kTableColumns = 10'000;

IterationQuestion question_of(const po::variables_map& values, const std::string& format,
                              const trace_io::Trace& trace) {
  IterationQuestion question;
  const auto metric =
      choice(values, "metric", {"time", "compute", "communicate", "bytes", "calls"});
  for (std::size_t m = 0; m < trace_io::kIterationMetrics; ++m)
    if (trace_io::kIterationMetricNames[m] == metric)
      question.metric = static_cast<IterationMetric>(m);
  if (values.count("call-path") != 0) {
    const auto site = whole_number(values, "call-path", 0, UINT32_MAX);
    if (site >= trace.sites.size())
      throw InputError("--call-path",
                       "there is no call path " + std::to_string(site) + ", the trace has " +
                           std::to_string(trace.sites.size()),
                       "reprise trace iterations lists those of the loop with their numbers");
    question.site = static_cast<trace_io::SiteId>(site);
  }
  question.most_columns = format == "text"  ? kTextColumns
                          : format == "svg" ? kPictureColumns
                                            : kTableColumns;
  return question;
}

std::string unit_of(const IterationQuestion& question) {
  if (question.is_time()) return "s";
  return question.metric == IterationMetric::bytes ? "B" : "calls";
}

std::string metric_name(const IterationQuestion& question) {
  return question.metric
             ? std::string(
                   trace_io::kIterationMetricNames[static_cast<std::size_t>(*question.metric)])
             : "time";
}

std::string columns_sentence(const IterationTable& table) {
  if (table.iterations_per_column == 1) return "one iteration per column";
  return std::to_string(table.iterations_per_column) +
         " iterations per column: the map shows their mean, the graph their largest, smallest and "
         "mean median";
}

std::string ranks_text(const std::vector<Rank>& ranks) {
  return trace_io::RankList::from_ranks(ranks).text();
}

std::string others_text(const IterationTable& table) {
  if (table.others.empty()) return "";
  return "ranks " + ranks_text(table.others) +
         " are missing: iterations of another loop were recorded of them, such as one around or "
         "inside this one\n(loops marked with MPI_Pcontrol are recorded alike on all ranks)\n";
}

std::string range_text(const IterationTable& table, std::size_t column) {
  const std::uint64_t from = column * table.iterations_per_column,
                      end = std::min(from + table.iterations_per_column, table.iterations) - 1;
  return from == end ? std::to_string(from) : std::to_string(from) + "-" + std::to_string(end);
}

std::string graph_text(const IterationTable& whole) {
  std::string text =
      formatted("\n%19s  %12s  %12s  %12s\n", "iterations", "largest",
                whole.iterations_per_column == 1 ? "median" : "mean median", "smallest");
  for (std::size_t c = 0; c < whole.columns(); ++c)
    text += formatted("%19s  %12.6g  %12.6g  %12.6g\n", range_text(whole, c).c_str(),
                      whole.graph[c].most, whole.graph[c].median, whole.graph[c].least);
  return text;
}

std::string map_text(const IterationTable& table, const std::string& unit) {
  constexpr std::string_view kShades = " .:-=+*#%@";
  double most = -HUGE_VAL, least = HUGE_VAL;
  for (const auto& row : table.map)
    for (const double value : row)
      if (!std::isnan(value)) {
        most = std::max(most, value);
        least = std::min(least, value);
      }
  std::string text =
      formatted("\nvalue map, one row per rank: \"%c\" %.6g %s … \"%c\" %.6g %s\n", kShades.front(),
                least, unit.c_str(), kShades.back(), most, unit.c_str());
  const std::size_t rows = std::min(table.ranks.size(), kTextRows);
  for (std::size_t r = 0; r < rows; ++r) {
    text += formatted("%6d |", table.ranks[r].value);
    for (const double value : table.map[r]) {
      const double share = most > least ? (value - least) / (most - least) : 0;
      text += std::isnan(value) ? '?'
                                : kShades[static_cast<std::size_t>(std::lround(
                                      share * static_cast<double>(kShades.size() - 1)))];
    }
    text += "|\n";
  }
  if (rows < table.ranks.size())
    text += "       and " + counted(table.ranks.size() - rows, "rank") +
            " more (--format csv, json, svg)\n";
  return text;
}

std::string call_paths_text(const trace_io::Trace& trace, const IterationQuestion& question) {
  const auto shares = site_shares(trace, question);
  double all = 0;
  for (const auto& one : shares) all += one.value;
  std::string text = "\ncall paths (--call-path N)\n";
  for (std::size_t i = 0; i < std::min(shares.size(), kCallPaths); ++i)
    text +=
        formatted("%6u  %5.1f%%  %s\n", shares[i].site, all > 0 ? 100 * shares[i].value / all : 0.0,
                  site_text(trace, shares[i].site).c_str());
  if (shares.size() > kCallPaths)
    text += "        and " + counted(shares.size() - kCallPaths, "call path") + " more\n";
  return text;
}

std::string heading(const trace_io::Trace& trace, const IterationTable& table,
                    const IterationQuestion& question) {
  return metric_name(question) + " per iteration of " + table.loop +
         (question.site ? ", " + site_text(trace, *question.site) + " alone" : "");
}

std::string as_text(const trace_io::Trace& trace, const IterationTable& table,
                    const IterationQuestion& question) {
  IterationQuestion lines = question;
  lines.most_columns = kGraphLines;
  return heading(trace, table, question) + " (" + unit_of(question) + ")\n" +
         counted(table.iterations, "iteration") + " on ranks " + ranks_text(table.ranks) +
         ", at most " + counted(table.clusters, "cluster") + " a rank; " + columns_sentence(table) +
         "\n" + others_text(table) + graph_text(*iteration_table(trace, lines)) +
         map_text(table, unit_of(question)) + call_paths_text(trace, question);
}

ordered_json number_or_null(double value) {
  return std::isnan(value) ? ordered_json() : ordered_json(value);
}

std::string as_csv(const IterationTable& table) {
  auto rows = ordered_json::array();
  for (std::size_t c = 0; c < table.columns(); ++c) {
    const std::uint64_t from = c * table.iterations_per_column;
    ordered_json row = {
        {"first_iteration", from},
        {"iterations", std::min(table.iterations_per_column, table.iterations - from)},
        {"largest", table.graph[c].most},
        {"median", table.graph[c].median},
        {"smallest", table.graph[c].least}};
    for (std::size_t r = 0; r < table.ranks.size(); ++r)
      row["rank_" + std::to_string(table.ranks[r].value)] = number_or_null(table.map[r][c]);
    rows.push_back(std::move(row));
  }
  return csv_text(rows);
}

std::string as_json(const trace_io::Trace& trace, const IterationTable& table,
                    const IterationQuestion& question) {
  ordered_json answer = {
      {"format", 1},
      {"metric", metric_name(question)},
      {"unit", unit_of(question)},
      {"loop", table.loop},
      {"call_path", question.site ? ordered_json(*question.site) : ordered_json()},
      {"iterations", table.iterations},
      {"iterations_per_column", table.iterations_per_column},
      {"clusters", table.clusters},
      {"ranks", ordered_json::array()},
      {"ranks_in_other_loops", ordered_json::array()},
      {"graph",
       {{"largest", ordered_json::array()},
        {"median", ordered_json::array()},
        {"smallest", ordered_json::array()}}},
      {"map", ordered_json::array()},
      {"call_paths", ordered_json::array()}};
  for (const Rank rank : table.ranks) answer["ranks"].push_back(rank.value);
  for (const Rank rank : table.others) answer["ranks_in_other_loops"].push_back(rank.value);
  for (const auto& column : table.graph) {
    answer["graph"]["largest"].push_back(column.most);
    answer["graph"]["median"].push_back(column.median);
    answer["graph"]["smallest"].push_back(column.least);
  }
  for (const auto& row : table.map) {
    auto values = ordered_json::array();
    for (const double value : row) values.push_back(number_or_null(value));
    answer["map"].push_back(std::move(values));
  }
  for (const auto& one : site_shares(trace, question))
    answer["call_paths"].push_back(
        {{"call_path", one.site}, {"call", site_text(trace, one.site)}, {"sum", one.value}});
  return json_text(answer, -1);
}

}  // namespace

int trace_iterations(const Arguments& arguments) {
  Syntax syntax{"trace iterations",
                "reprise trace iterations FILE [OPTIONS]",
                "Shows how the iterations of the main loop differ: the largest, median and "
                "smallest value over the ranks per\niteration, and a map of the values of each "
                "rank. Needs a trace recorded with --iterations.",
                po::options_description("options"),
                {"FILE"}};
  syntax.options.add_options()("metric",
                               po::value<std::string>()->value_name("WHAT")->default_value("time"),
                               "time, compute, communicate, bytes or calls")(
      "call-path", po::value<std::string>()->value_name("N"), "this call path only, by number");
  add_output_options(syntax.options, kIterationsFormats);
  const auto values = parse(syntax, arguments);
  if (!values) return kDone;
  const auto format = output_format(*values, syntax.verb, kIterationsFormats);
  const auto path = required(*values, syntax.verb, "FILE");
  const auto trace = trace_io::load(path);
  const auto question = question_of(*values, format, trace);
  const auto table = iteration_table(trace, question);
  if (!table)
    throw InputError(path, "no iterations were recorded",
                     "record the program with --iterations 64; if you did, no loop was found");
  if (format == "csv")
    write_output(*values, as_csv(*table));
  else if (format == "json")
    write_output(*values, as_json(trace, *table, question));
  else if (format == "svg")
    write_output(*values, sim::report::iterations_svg(*table, heading(trace, *table, question),
                                                      unit_of(question))
                              .written());
  else
    write_output(*values, as_text(trace, *table, question));
  return kDone;
}

}  // namespace reprise::cli
