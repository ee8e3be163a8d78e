// SPDX-License-Identifier: MIT
// reprise export: a trace in the words of other tools.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>

#include "sim/cli/experiment_options.hpp"
#include "sim/cli/messages.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/replay_progress.hpp"
#include "sim/cli/window_options.hpp"
#include "sim/experiment/window.hpp"
#include "sim/export/ti_export.hpp"
#include "sim/export/timeline/predicted_timeline.hpp"
#include "sim/mpip/write.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/printable.hpp"
#include "sim/text/recorded_time.hpp"
#include "sim/validation/record_report.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"
#include "trace-io/check/summary.hpp"
#include "trace-io/file/trace_file.hpp"

namespace reprise::cli {
namespace {
namespace po = boost::program_options;

Syntax export_syntax() {
  Syntax s{
      "export",
      "reprise export FILE -o TO [OPTIONS]",
      "Converts a trace for other tools:\n  ti    SimGrid's time-independent traces, one "
      "text file per rank, for `smpirun -replay FOLDER/ti.txt`. What they\n        cannot express "
      "is listed; if it changes the run, the export is refused unless --lossy is given.\n  mpip  "
      "the report that mpiP would have written of the recorded run; for a simulated run, use "
      "`reprise replay --mpip`\n  otf2  an OTF2 archive with every call at its recorded time, for "
      "Vampir and other tools; calls are moved\n        where messages would be received before "
      "they are sent, and a note says by how much\n  prv   the same as a Paraver trace, with its "
      ".pcf and .row\n  "
      "chrome  the same as JSON for Perfetto, chrome://tracing and speedscope\nWith --platform, "
      "otf2, prv and chrome hold the run predicted on that machine, or a window of it. --network "
      "and the\noptions below it work as in reprise replay.",
      po::options_description("options"),
      {"FILE"}};
  s.options.add_options()("output,o", po::value<std::string>()->value_name("TO"),
                          "output: a new or empty folder (ti, otf2), a file or - (mpip), NAME.prv "
                          "(prv) or a file (chrome)")(
      "format",
      po::value<std::string>()->value_name("ti|mpip|otf2|prv|chrome")->default_value("ti"),
      "output format")(
      "force",
      "overwrite an earlier export in the folder; files are replaced without it, except traces")(
      "flops-per-second", po::value<std::string>()->value_name("N")->default_value("1e9"),
      "speed of the hosts on which computing takes the recorded time")(
      "lossy", "export even if this changes the run")(
      "size-limit", po::value<std::string>()->value_name("BYTES")->default_value("2 GB"),
      "refuse larger timelines (otf2, prv, chrome)");
  s.works_long = true;
  add_window_options(s.options);
  add_experiment_options(s.options);
  return s;
}

bool is_folder(const std::string& format) { return format == "ti" || format == "otf2"; }

// Where ranks' recorded times inside calls are not their own.
void note_means_over_ranks(const trace_io::Header& header, const sim::validation::RunRecord& run) {
  double longest = 0;
  for (std::size_t rank = 0; rank < run.app_s.size(); ++rank)
    longest = std::max(longest, run.app_s[rank] + run.preempted_s[rank]);
  const auto text = means_over_ranks_note(header, Seconds{longest});
  if (!text.empty()) note("note: " + text);
}

int export_mpip(const po::variables_map& values, const std::string& path) {
  const auto trace = trace_io::load(path);
  const auto to = values["output"].as<std::string>();
  const auto record = sim::validation::record_of(trace);
  if (!record.times_mean_nothing.empty())
    std::fprintf(stderr, "reprise: warning: the report's times are not wall-clock times: %s\n",
                 record.times_mean_nothing.c_str());
  note_means_over_ranks(trace.header, record);
  const auto folder = std::filesystem::absolute(to).parent_path().string();
  write_output(values, sim::mpip::write_report(
                           sim::validation::report_of(record, to == "-" ? "-" : folder)));
  return kDone;
}

sim::TimelineFormat timeline_format(const std::string& format) {
  return format == "otf2"  ? sim::TimelineFormat::otf2
         : format == "prv" ? sim::TimelineFormat::prv
                           : sim::TimelineFormat::chrome;
}

std::uint64_t size_limit(const po::variables_map& values) {
  return static_cast<std::uint64_t>(
      parse_bytes(values["size-limit"].as<std::string>(), "--size-limit").value);
}

void tell(const sim::TimelineSummary& summary, const trace_io::Trace& trace) {
  for (const auto& [what, count] : summary.losses) note("note: " + what + ": " + grouped(count));
  note("exported " + counted(summary.calls, "MPI call") + " of " +
       counted(static_cast<std::uint64_t>(trace.header.ranks), "rank") + ": " + summary.path);
}

// What put the recorded times in order, and what is in them that was kept apart.
void note_times(const sim::TimelineSummary& summary, const trace_io::Trace& trace) {
  const bool is_wall = trace.header.clock == trace_io::Clock::wall;
  const bool puts_back = is_wall && trace.preemptions.has_value();
  const auto time_note =
      recorded_time_note(trace, summary.run, puts_back ? Preempted::put_back : Preempted::left_out);
  if (!time_note.empty()) note("note: " + time_note);
  note_means_over_ranks(trace.header, sim::validation::record_of(trace));
  const auto preempted = preempted_note(trace);
  if (!preempted.empty()) note("note: " + preempted);
  const auto moved = sim::moved_note(summary.moves);
  if (!moved.empty()) note("note: " + moved);
}

// Of the run predicted on a machine. Where it deadlocks, what there was up to then is written, and the error told.
int export_predicted(const po::variables_map& values, const std::string& path,
                     const std::string& format) {
  auto experiment = experiment_of(values, "export");
  const auto trace = trace_io::load(path);
  experiment.trace = &trace;
  sim::set_machine(experiment, values["platform"].as<std::string>());
  auto question = window_of(values, trace.header.ranks);
  question.keeps_fields = true;
  question.keeps_loops = false;
  question.most_calls = sim::most_calls(timeline_format(format), size_limit(values));
  ProgressLine line(stderr, progress_place(), steady_now);
  ReplayProgress progress(line, trace_io::summarise(trace).operations, 0, detail);
  experiment.settings.watch = &progress;
  const auto predicted = sim::predict_window(experiment, std::move(question));
  line.clear();
  EarlierExport earlier(is_folder(format) ? values["output"].as<std::string>() : "");
  const auto summary =
      sim::write_timeline(trace, *predicted.observation->window(), timeline_format(format),
                          values["output"].as<std::string>());
  earlier.replaced();
  tell(summary, trace);
  if (!predicted.deadlock) return kDone;
  std::fprintf(stderr, "reprise: error: the timeline ends where the %s\n",
               printable(predicted.deadlock->what()).c_str());
  return kFailed;
}

// Options of a predicted run mean nothing without a machine.
void refuse_options_of_replays(const po::variables_map& values) {
  for (const char* option :
       {"from", "to", "iterations", "ranks", "scenario", "set", "latency", "bandwidth", "overhead",
        "compute", "memory-traffic", "placement", "network", "analytic-below", "flow-tolerance",
        "noise", "wildcards", "no-fast-forward", "forward-within"})
    if (values.count(option) && !values[option].defaulted())
      throw InputError("--" + std::string(option), "applies to a predicted run",
                       "name its machine with --platform");
}

int export_timeline(const po::variables_map& values, const std::string& path,
                    const std::string& format) {
  if (values.count("platform")) return export_predicted(values, path, format);
  sim::TimelineSettings settings;
  settings.deltas = deltas(values);
  settings.seed = whole_number(values, "seed", 0, std::numeric_limits<std::uint64_t>::max());
  settings.most_bytes = size_limit(values);
  const auto trace = trace_io::load(path);
  EarlierExport earlier(is_folder(format) ? values["output"].as<std::string>() : "");
  const auto summary = sim::export_timeline(trace, path, timeline_format(format), settings,
                                            values["output"].as<std::string>());
  earlier.replaced();
  note_times(summary, trace);
  tell(summary, trace);
  return kDone;
}

// A line for each call: before it takes the disk, how much that will be.
void warn_of_size(std::uint64_t calls) {
  constexpr std::uint64_t kMany = 100'000'000;
  constexpr double kLine = 16;  // bytes, about
  if (calls > kMany)
    note(counted(calls, "MPI call") + ", a line each: about " +
         formatted("%.0f GB", static_cast<double>(calls) * kLine / 1e9));
}

// Before a trace is read or replayed.
void refuse_place(const std::string& to, const std::string& format, bool force) {
  if (is_folder(format))
    refuse_unwritable_folder(to, force);
  else if (to != "-")
    refuse_unwritable(to);
}

int run_export(const Arguments& arguments) {
  const auto values = parse(export_syntax(), arguments);
  if (!values) return kDone;
  const auto path = required(*values, "export", "FILE");
  const auto format = choice(*values, "format", {"ti", "mpip", "otf2", "prv", "chrome"});
  const bool is_mpip = format == "mpip";
  if (!values->count("output") || (*values)["output"].as<std::string>().empty())
    throw InputError(
        "reprise export", "-o is missing",
        is_mpip ? "name the report to write: -o FILE" : "name the folder to write to: -o FOLDER");
  if (values->count("platform") == 0) refuse_options_of_replays(*values);
  if (values->count("platform") && (is_mpip || format == "ti"))
    throw InputError("--platform", "--format " + format + " writes what was recorded",
                     is_mpip ? "`reprise replay --mpip` writes the report of a predicted run"
                             : "otf2, prv and chrome write a predicted run");
  refuse_place((*values)["output"].as<std::string>(), format, values->count("force") > 0);
  if (is_mpip) return export_mpip(*values, path);
  if (format != "ti") return export_timeline(*values, path, format);
  sim::TiSettings settings;
  settings.flops_per_second = flops_per_second(*values);
  settings.deltas = deltas(*values);
  settings.seed = whole_number(*values, "seed", 0, std::numeric_limits<std::uint64_t>::max());
  settings.lossy = values->count("lossy") > 0;
  const auto trace = trace_io::load(path);
  warn_of_size(trace_io::summarise(trace).operations);
  EarlierExport earlier((*values)["output"].as<std::string>());
  const auto summary = sim::export_ti(trace, path, settings, (*values)["output"].as<std::string>());
  earlier.replaced();
  for (const auto& [what, loss] : summary.losses)
    if (loss.severity == trace_io::Severity::notice)
      note("note: " + what + ": " + grouped(loss.count));
    else
      std::fprintf(stderr, "reprise: warning: %s: %s\n", printable(what).c_str(),
                   grouped(loss.count).c_str());
  note("exported " + counted(summary.lines, "line") + " of " +
       counted(static_cast<std::uint64_t>(trace.header.ranks), "rank") + ": " + summary.index);
  return kDone;
}

}  // namespace

const Verb kExportVerb = {"export", "convert a trace for other tools", run_export};

}  // namespace reprise::cli
