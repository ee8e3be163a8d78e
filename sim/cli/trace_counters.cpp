// SPDX-License-Identifier: MIT
// reprise trace counters: what processors counted while the ranks computed, by the path between two calls.
#include <algorithm>
#include <map>
#include <utility>

#include "sim/cli/options.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/trace_actions.hpp"
#include "sim/engine/compute/counter_scaling.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/tables.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/model/compute_counters.hpp"

namespace reprise::cli {
namespace {
namespace po = boost::program_options;
using nlohmann::ordered_json;
using sim::ProcessorCounts;
using trace_io::SiteId;

constexpr const char* kCountersFormats = "text|csv|json";

struct Row {
  SiteId site = trace_io::kNoSite, predecessor = trace_io::kNoSite;
  double computed_s = 0;                // over all ranks, as the trace has it
  std::vector<trace_io::Count> counts;  // by event; empty where nothing was counted
};

struct Table {
  std::vector<Row> rows;  // those with most computing first, then as the sites are numbered
  double computed_s = 0, counted_s = 0;
  std::vector<trace_io::Count> totals;  // by event
};

// Ways that were computed on, and ways that were counted: where completions are told as those of another phase (record --completions), some
// are only one of the two.
Table table_of(const trace_io::Trace& trace) {
  const auto& counters = *trace.counters;
  std::map<std::pair<SiteId, SiteId>, Row> rows;
  const auto row_of = [&](SiteId site, SiteId predecessor) -> Row& {
    Row& row = rows[{site, predecessor}];
    row.site = site;
    row.predecessor = predecessor;
    return row;
  };
  for (const auto& program : trace.threads)
    trace_io::for_each_leaf(program, [&](const trace_io::Leaf& leaf) {
      for (const auto& path : leaf.compute)
        for (const auto& durations : path.classes)
          if (const double time = durations.durations.sum().seconds().value; time > 0)
            row_of(leaf.site, path.predecessor).computed_s += time;
    });
  Table table;
  table.totals.resize(counters.events.size());
  Nanoseconds counted{};
  for (const auto& way : counters.ways) {
    row_of(way.site, way.predecessor).counts = way.counts;
    Nanoseconds longest{};
    for (std::size_t i = 0; i < way.counts.size(); ++i) {
      table.totals[i].value += way.counts[i].value;
      table.totals[i].time += way.counts[i].time;
      longest = std::max(longest, way.counts[i].time);
    }
    counted += longest;
  }
  table.counted_s = counted.seconds().value;
  for (auto& [way, row] : rows) {
    table.computed_s += row.computed_s;
    table.rows.push_back(std::move(row));
  }
  std::ranges::stable_sort(table.rows, std::ranges::greater(), &Row::computed_s);
  return table;
}

ProcessorCounts processor_counts(const trace_io::ComputeCounters& counters,
                                 const std::vector<trace_io::Count>& counts) {
  ProcessorCounts all;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const auto value = static_cast<double>(counts[i].value);
    const double time = counts[i].time.seconds().value;
    if (counters.events[i].event == trace_io::CounterEvent::instructions) {
      all.instructions = value;
      all.instructions_s = time;
    } else if (counters.events[i].event == trace_io::CounterEvent::cycles) {
      all.cycles = value;
      all.cycles_s = time;
    }
  }
  return all;
}

double share(double part, double all) { return all > 0 ? part / all : 0; }

std::string way_text(const trace_io::Trace& trace, const Row& row) {
  const std::string after = site_text(trace, row.site);
  return row.predecessor == trace_io::kNoSite ? "before " + after
                                              : site_text(trace, row.predecessor) + " → " + after;
}

std::string rates_text(const ProcessorCounts& counts) {
  std::string text;
  if (counts.has_instructions() && counts.has_cycles())
    text += formatted(", %.2f instructions per cycle", counts.ipc());
  if (counts.has_cycles()) text += formatted(", %.2f GHz", counts.frequency() / 1e9);
  return text;
}

std::string totals_text(const trace_io::Trace& trace, const Table& table) {
  const auto& counters = *trace.counters;
  std::string text = formatted("%.1f %% of the computing has counts (%.6f of %.6f s on all ranks)",
                               100 * std::min(1.0, share(table.counted_s, table.computed_s)),
                               table.counted_s, table.computed_s);
  const char* separator = ": ";
  for (std::size_t i = 0; i < counters.events.size(); ++i) {
    if (counters.events[i].threads == 0) continue;
    text += separator + (counters.events[i].event == trace_io::CounterEvent::task_clock
                             ? formatted("%.6f s of task-clock",
                                         static_cast<double>(table.totals[i].value) * 1e-9)
                             : grouped(table.totals[i].value) + " " +
                                   std::string(name_of(counters.events[i].event)));
    separator = ", ";
  }
  text += rates_text(processor_counts(counters, table.totals)) + "\n";
  for (const auto& event : counters.events) {
    const std::string name(name_of(event.event));
    if (event.absent > 0)
      text += name + ": the kernel did not provide it on " + counted(event.absent, "thread") +
              (event.threads > 0 ? ", but did on " + grouped(event.threads) : "") + "\n";
    if (event.scaled > 0)
      text += name + ": shared the processor's counters with other events on " +
              counted(event.scaled, "thread") + " of " + grouped(event.threads) +
              ": scaled to the whole time, less accurate than other counts\n";
  }
  return text;
}

std::string rate_text(bool is_there, double value) {
  return is_there ? formatted("  %6.2f", value) : formatted("  %6s", "-");
}

std::string as_text(const trace_io::Trace& trace, std::size_t most) {
  const Table table = table_of(trace);
  const auto& counters = *trace.counters;
  std::string text = totals_text(trace, table) + formatted("\n%7s", "share");
  for (const auto& event : counters.events)
    if (event.threads > 0) text += formatted("  %16s", std::string(name_of(event.event)).c_str());
  text += formatted("  %6s  %6s  path between two calls\n", "IPC", "GHz");
  for (std::size_t r = 0; r < std::min(most, table.rows.size()); ++r) {
    const Row& row = table.rows[r];
    text += formatted("%6.2f%%", 100 * share(row.computed_s, table.computed_s));
    for (std::size_t i = 0; i < counters.events.size(); ++i)
      if (counters.events[i].threads > 0)
        text +=
            formatted("  %16s", row.counts.empty() ? "-" : grouped(row.counts[i].value).c_str());
    const ProcessorCounts counts = processor_counts(counters, row.counts);
    const bool has_ipc = counts.has_instructions() && counts.has_cycles();
    text += rate_text(has_ipc, has_ipc ? counts.ipc() : 0) +
            rate_text(counts.has_cycles(), counts.has_cycles() ? counts.frequency() / 1e9 : 0) +
            "  " + way_text(trace, row) + "\n";
  }
  if (table.rows.size() > most)
    text += "        " + grouped(table.rows.size() - most) + " more (--most)\n";
  return text;
}

// The columns of counts, in a row or of all.
void add_counts(const trace_io::ComputeCounters& counters,
                const std::vector<trace_io::Count>& counts, ordered_json& row) {
  for (std::size_t i = 0; i < counters.events.size(); ++i) {
    const std::string name(name_of(counters.events[i].event));
    const bool is_there = !counts.empty() && counters.events[i].threads > 0;
    row[name] = is_there ? ordered_json(counts[i].value) : ordered_json();
    row[name + "_counted_s"] =
        is_there ? ordered_json(counts[i].time.seconds().value) : ordered_json();
  }
  const ProcessorCounts rates = processor_counts(counters, counts);
  const bool has_ipc = rates.has_instructions() && rates.has_cycles();
  row["ipc"] = has_ipc ? ordered_json(rates.ipc()) : ordered_json();
  row["frequency_hz"] = rates.has_cycles() ? ordered_json(rates.frequency()) : ordered_json();
}

ordered_json rows_json(const trace_io::Trace& trace, const Table& table) {
  auto rows = ordered_json::array();
  for (const Row& row : table.rows) {
    ordered_json one;
    one["before"] = row.predecessor == trace_io::kNoSite
                        ? ordered_json()
                        : ordered_json(site_text(trace, row.predecessor));
    one["after"] = site_text(trace, row.site);
    one["compute_s"] = row.computed_s;
    one["compute_share"] = share(row.computed_s, table.computed_s);
    add_counts(*trace.counters, row.counts, one);
    rows.push_back(std::move(one));
  }
  return rows;
}

std::string as_json(const trace_io::Trace& trace) {
  const Table table = table_of(trace);
  ordered_json answer = {{"format", 1},
                         {"events", ordered_json::array()},
                         {"compute_s", table.computed_s},
                         {"counted_s", table.counted_s}};
  for (const auto& event : trace.counters->events)
    answer["events"].push_back({{"event", name_of(event.event)},
                                {"threads", event.threads},
                                {"absent_threads", event.absent},
                                {"scaled_threads", event.scaled}});
  answer["totals"] = ordered_json::object();
  add_counts(*trace.counters, table.totals, answer["totals"]);
  answer["paths"] = rows_json(trace, table);
  return json_text(answer);
}

}  // namespace

int trace_counters(const Arguments& arguments) {
  Syntax syntax{"trace counters",
                "reprise trace counters FILE [OPTIONS]",
                "Shows what was counted while ranks computed, per path between two MPI calls: "
                "instructions, cycles, instructions per\ncycle (IPC), cycles per second of compute "
                "time (GHz), and kernel events. Needs a trace recorded with --counters.",
                po::options_description("options"),
                {"FILE"}};
  syntax.options.add_options()("most",
                               po::value<std::string>()->value_name("N")->default_value("20"),
                               "number of paths to show, those with most computing first");
  add_output_options(syntax.options, kCountersFormats);
  const auto values = parse(syntax, arguments);
  if (!values) return kDone;
  const auto format = output_format(*values, syntax.verb, kCountersFormats);
  const auto most = whole_number(*values, "most", 1, 1'000'000);
  const auto path = required(*values, syntax.verb, "FILE");
  const auto trace = trace_io::load(path);
  if (trace.counters == nullptr)
    throw InputError(path, "no events were counted", "record the program with record --counters");
  write_output(*values, format == "json"  ? as_json(trace)
                        : format == "csv" ? csv_text(rows_json(trace, table_of(trace)))
                                          : as_text(trace, most));
  return kDone;
}

}  // namespace reprise::cli
