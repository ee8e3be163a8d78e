// SPDX-License-Identifier: MIT
// reprise replay: a trace on a platform. Options become an experiment; its answer is written.
#include <algorithm>
#include <cstdio>
#include <filesystem>

#include "sim/cli/experiment_options.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/window_options.hpp"
#include "sim/engine/replay.hpp"
#include "sim/experiment/answer.hpp"
#include "sim/formats/format.hpp"
#include "sim/formats/mpip.hpp"
#include "sim/text/numbers.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"
#include "trace-io/check/summary.hpp"
#include "trace-io/file/trace_file.hpp"

namespace reprise::cli {
namespace {
namespace po = boost::program_options;

Syntax syntax() {
  const std::string help = sim::details_help();
  Syntax s{"replay",
           "reprise replay FILE [OPTIONS]",
           "Replays a trace on a platform: the predicted run time and, for each rank, computing, "
           "communicating and waiting.\n"
           "Without --platform the machine of the recording is taken, and the answer says what was "
           "assumed about it.",
           po::options_description("options"),
           {"FILE"}};
  add_experiment_options(s.options);
  s.options.add_options()("strict", "refuse a trace of which anything is not represented")(
      "mpip", po::value<std::string>()->value_name("OUT"),
      "write the simulated run as mpiP's report of it as well")(
      "every-rank", "list every rank, however many there are")(
      "details", po::value<std::string>()->value_name("LIST"), help.c_str())(
      "html", po::value<std::string>()->value_name("FILE"),
      "also write the answer as a page with pictures: the parts "
      "that --details names, else all that replay once")("stats",
                                                         "tell what the simulation itself cost");
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
                     "name one part, or take --format json");
  const auto network = sim::find_network(values["network"].as<std::string>());
  if (network && sim::model_of(*network).simulates_once)
    for (const auto* detail : details)
      if (detail->many_replays)
        throw InputError("--details",
                         std::string(detail->name) + " replay many times, which --network " +
                             std::string(sim::name_of(*network)) + " cannot",
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
                     "holds one table, and --details asks for another one than the timeline that "
                     "--from, --to, --iterations, --ranks and --at are of",
                     "leave --details out, or take --format json");
  asked.push_back(timeline);
}

// How long one replay may take, before it begins: loops that become steady are not replayed to their ends.
void warn_of_time(std::uint64_t calls) {
  constexpr std::uint64_t kMany = 1'000'000'000;
  constexpr double kCall = 0.5e-6;  // seconds, with its messages
  if (calls > kMany)
    std::fprintf(stderr,
                 "reprise: %s: a replay takes up to about %s, less where loops are steady\n",
                 counted(calls, "MPI call").c_str(),
                 formatted("%.0f min", static_cast<double>(calls) * kCall / 60).c_str());
}

int run(const Arguments& arguments) {
  const auto values = parse(syntax(), arguments);
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
  sim::set_machine(experiment, values->count("platform")
                                   ? std::optional((*values)["platform"].as<std::string>())
                                   : std::nullopt);

  sim::AnswerRequest request;
  request.details = !page.empty() && asked.empty() ? sim::cheap_details() : asked;
  request.networks = (*values)["network"].as<std::string>() == kAllNetworks;
  request.rank_calls = !report.empty();
  if (has_window(*values)) request.window = window_of(*values, trace.header.ranks);
  request.strict = values->count("strict") > 0;
  warn_of_time(trace_io::summarise(trace).operations);
  auto answer = sim::answer(experiment, request);
  if (!report.empty()) write_file(report, sim::mpip_report(answer, report));
  if (values->count("stats")) answer.cost = sim::process_cost();
  if (!page.empty()) write_file(page, sim::format_named("html").write(answer, {}));
  write_output(*values,
               format.write(answer, {values->count("every-rank") > 0, !asked.empty(), asked}));
  return kDone;
}

}  // namespace

const Verb kReplayVerb = {"replay", "predict a run on another machine", run};

}  // namespace reprise::cli
