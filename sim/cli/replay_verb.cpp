// SPDX-License-Identifier: MIT
// reprise replay: a trace on a platform. Options become an experiment; its answer is written.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "sim/cli/experiment_options.hpp"
#include "sim/cli/jobs_option.hpp"
#include "sim/cli/messages.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/replay_progress.hpp"
#include "sim/cli/version.hpp"
#include "sim/cli/window_options.hpp"
#include "sim/content_key.hpp"
#include "sim/engine/replay.hpp"
#include "sim/experiment/answer.hpp"
#include "sim/formats/deadlock.hpp"
#include "sim/formats/format.hpp"
#include "sim/formats/mpip.hpp"
#include "sim/processes/usable_cores.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/printable.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/text_file.hpp"
#include "trace-io/base/units.hpp"
#include "trace-io/check/summary.hpp"
#include "trace-io/file/trace_file.hpp"

namespace reprise::cli {
namespace {
namespace po = boost::program_options;

Syntax replay_syntax() {
  const std::string help = sim::details_help();
  Syntax s{
      "replay",
      "reprise replay FILE [OPTIONS]",
      "Replays a trace on a platform. Prints the predicted run time, and the compute, "
      "communication and wait time of each rank.\nWithout --platform it uses the machine of "
      "the recording, and states what it assumes about it. With changes (--scenario,\n--set, "
      "--latency, --bandwidth, --overhead, --compute) it also prints the run time without "
      "them, and the difference.\nRanks are as many as were recorded: for another number of "
      "ranks, or another input, record again.\n--format csv is one table, by default that of the "
      "ranks; the run time and the notes are in text and json.",
      po::options_description("options"),
      {"FILE"}};
  add_experiment_options(s.options);
  s.works_long = true;
  s.options.add_options()("strict", "refuse a trace that does not represent the whole program")(
      "mpip", po::value<std::string>()->value_name("OUT"),
      "also write the simulated run as an mpiP report")("every-rank",
                                                        "list all ranks, not only the first 16")(
      "details", po::value<std::string>()->value_name("LIST"), help.c_str())(
      "html", po::value<std::string>()->value_name("FILE"),
      "also write the answer as a page with pictures: the parts named by --details, or all that "
      "need only one replay")("stats",
                              "report the cost of the simulation itself; changes are then not "
                              "compared with the run without them")(
      "no-mean-times",
      "skip the further replays that show whether the run time depends on how compute times vary "
      "(each at its mean), on how messages share links (by another network model), and on whether "
      "MPI makes progress while ranks compute");
  add_jobs_option(s.options,
                  "concurrent further replays, for tolerances, take-over, models, bands and "
                  "--network all (default: the cores that this process may use)");
  add_window_options(s.options);
  s.options.add_options()("at", po::value<std::string>()->value_name("TIME"),
                          "show where every rank is at a time of the predicted run");
  add_output_options(s.options, sim::format_names());
  return s;
}

// The figures to print, before anything is read.
sim::Details asked_details(const po::variables_map& values, const sim::Format& format) {
  auto details = values.count("details") ? sim::parse_details(values["details"].as<std::string>())
                                         : sim::Details{};
  if (format.is_one_table && details.size() > 1)
    throw InputError("--format " + std::string(format.name),
                     "holds one table, and --details asks for " + std::to_string(details.size()),
                     "name one part, or use --format json");
  const auto network = sim::find_network(values["network"].as<std::string>());
  if (network && sim::model_of(*network).simulates_once)
    for (const auto* detail : details)
      if (detail->many_replays)
        throw InputError("--details",
                         std::string(detail->name) + " needs many replays, which --network " +
                             std::string(sim::name_of(*network)) + " cannot run",
                         "--network flow is the same model");
  if (details.empty() && format.has_pictures) return sim::cheap_details();
  return details;
}

// A window is shown by the figure `timeline`.
void add_timeline(sim::Details& asked, const sim::Format& format) {
  const auto* timeline = sim::parse_details("timeline").front();
  if (std::ranges::find(asked, timeline) != asked.end()) return;
  if (format.is_one_table && !asked.empty())
    throw InputError("--format " + std::string(format.name),
                     "holds one table, but --details asks for another one than the timeline, which "
                     "--from, --to, --iterations, --ranks and --at show",
                     "leave --details out, or use --format json");
  asked.push_back(timeline);
}

// How long one replay may take, before it begins: loops that become steady are not replayed to their ends.
void warn_of_time(std::uint64_t calls) {
  constexpr std::uint64_t kMany = 1'000'000'000;
  constexpr double kCall = 0.5e-6;  // seconds, with its messages
  if (calls > kMany)
    note(counted(calls, "MPI call") + ": a replay takes up to about " +
         formatted("%.0f min", static_cast<double>(calls) * kCall / 60) +
         ", less where loops are steady");
}

// About, for the time left: a calibrated platform's band takes two more.
std::size_t further_replays(const sim::AnswerRequest& request, bool has_changes) {
  std::size_t further =
      (request.networks ? 2 : 0) + (request.without_changes && has_changes ? 1 : 0);
  for (const auto* detail : request.details) further += detail->further_replays;
  return further;
}

// What --details may name, for completions.
void print_detail_names() {
  std::printf("words\treplay\t--details\tall");
  for (const auto* detail : sim::all_details())
    std::printf(" %.*s", static_cast<int>(detail->name.size()), detail->name.data());
  std::printf("\n");
}

// What there was of the window up to the deadlock, and the error.
int show_deadlock(const po::variables_map& values, const sim::Experiment& experiment,
                  const sim::WindowQuestion& window, const sim::Format& format,
                  const std::string& page) {
  const auto predicted = sim::predict_window(experiment, window);
  if (!page.empty())
    write_file(page, sim::write_deadlock(sim::format_named("html"), experiment, predicted));
  write_output(values, sim::write_deadlock(format, experiment, predicted));
  std::fprintf(stderr, "reprise: error: the timeline ends where the %s\n",
               printable(predicted.deadlock->what()).c_str());
  return kFailed;
}

int run_replay(const Arguments& arguments) {
  const auto values = parse(replay_syntax(), arguments);
  if (arguments == Arguments{std::string(kPrintOptions)}) print_detail_names();
  if (!values) return kDone;
  const auto& format = sim::format_named(output_format(*values, "replay", sim::format_names()));
  auto asked = asked_details(*values, format);
  const auto file = [&](const char* option) {
    const auto path = values->count(option) ? (*values)[option].as<std::string>() : "";
    if (!path.empty() && path != "-") refuse_unwritable(path);
    return path;
  };
  const auto page = file("html"), report = file("mpip");
  if (has_window(*values) && (page.empty() || !asked.empty())) add_timeline(asked, format);
  auto experiment = experiment_of(*values, "replay");
  const auto trace = trace_io::load(experiment.trace_path);
  experiment.trace = &trace;
  experiment.trace_key = sim::content_key(read_text_file(experiment.trace_path));
  experiment.version = kVersion;
  sim::set_machine(experiment, values->count("platform")
                                   ? std::optional((*values)["platform"].as<std::string>())
                                   : std::nullopt);

  sim::AnswerRequest request;
  request.details = !page.empty() && asked.empty() ? sim::cheap_details() : asked;
  request.networks = (*values)["network"].as<std::string>() == kAllNetworks;
  request.rank_calls = !report.empty();
  if (has_window(*values)) request.window = window_of(*values, trace.header.ranks);
  request.strict = values->count("strict") > 0;
  request.mean_times = values->count("no-mean-times") == 0;
  request.other_sharing = request.progress = request.mean_times && values->count("stats") == 0;
  request.estimated_parts = !(*values)["forward-within"].defaulted();
  request.without_changes = values->count("stats") == 0;  // which measures one replay
  request.jobs = jobs_of(*values, sim::usable_cores());
  const std::uint64_t calls = trace_io::summarise(trace).operations;
  warn_of_time(calls);
  ProgressLine line(stderr, progress_place(), steady_now);
  ReplayProgress progress(line, calls, further_replays(request, sim::has_changes(experiment)),
                          detail);
  experiment.settings.watch = &progress;
  std::optional<sim::Answer> found;
  try {
    found = sim::answer(experiment, request);
  } catch (const sim::ReplayError& error) {
    if (!request.window || error.kind() != sim::ReplayError::Kind::deadlock) throw;
    line.clear();
    experiment.settings.watch = nullptr;
    return show_deadlock(*values, experiment, *request.window, format, page);
  }
  auto& answer = *found;
  line.clear();
  if (!report.empty()) write_file(report, sim::mpip_report(answer, report));
  if (values->count("stats")) answer.cost = sim::process_cost();
  if (!page.empty()) write_file(page, sim::format_named("html").write(answer, {}));
  write_output(*values,
               format.write(answer, {values->count("every-rank") > 0, !asked.empty(), asked}));
  return kDone;
}

}  // namespace

const Verb kReplayVerb = {"replay", "predict a run on another machine", run_replay};

}  // namespace reprise::cli
