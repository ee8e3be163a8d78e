// SPDX-License-Identifier: MIT
// reprise replay: a trace on a platform. Options become an experiment; its answer is written.
#include <boost/algorithm/string/join.hpp>
#include <cstdio>
#include <filesystem>
#include <limits>

#include "platforms/placement.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/output.hpp"
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

// In place of a network model's name: all that can simulate in one process, side by side.
constexpr const char* kAllNetworks = "all";

std::vector<std::string> network_choices() {
  std::vector<std::string> choices(sim::network_names().begin(), sim::network_names().end());
  choices.emplace_back(kAllNetworks);
  return choices;
}

std::string networks_help() {
  std::vector<std::string> each, side_by_side;
  for (const std::string_view name : sim::network_names()) {
    const auto& model = sim::model_of(*sim::find_network(name));
    each.push_back(std::string(name) + " (" + std::string(model.summary) + ")");
    if (!model.simulates_once) side_by_side.emplace_back(name);
  }
  return "how messages share links: " + boost::algorithm::join(each, ", ") +
         "; all: " + boost::algorithm::join(side_by_side, ", ") + " side by side";
}

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
  s.options.add_options()("platform,p", po::value<std::string>()->value_name("PLATFORM"),
                          "a ready machine (reprise platform list) or a platform file")(
      "scenario", po::value<std::vector<std::string>>()->value_name("FILE")->composing(),
      "make the changes of a scenario file (docs/SCENARIOS.md); may be given several times, "
      "changes are made in order; the "
      "options below come after them")(
      "set", po::value<std::vector<std::string>>()->value_name("POINTER=VALUE")->composing(),
      "change a setting of the platform, such as /network/link/latency=\"0.5 us\"; may be given "
      "several times")("latency", po::value<std::string>()->value_name("FACTOR"),
                       "scale the latency of every network link, such as 0.5x")(
      "bandwidth", po::value<std::string>()->value_name("FACTOR"),
      "scale the bandwidth of every network link, such as 2x")(
      "overhead", po::value<std::string>()->value_name("FACTOR"),
      "scale the CPU time that sending and receiving a message takes, such as 0.5x; 0x: none")(
      "compute", po::value<std::vector<std::string>>()->value_name("[WHERE=]FACTOR")->composing(),
      "scale recorded compute times: 0.5x is a machine twice as fast; with WHERE a part of them: a "
      "pattern of functions, files or "
      "file:line such as solve.c:*=0.5x, or rank:0-3=2x, or node:1=2x; may be given several times")(
      "placement", po::value<std::string>()->value_name("HOW")->default_value("block"),
      "which ranks share a node: block, cyclic, plane:N, random:SEED, search:SEED (few hops for "
      "the trace's bytes), or a file that names "
      "the node of each rank, one a line")(
      "network",
      po::value<std::string>()
          ->value_name(boost::algorithm::join(network_choices(), "|"))
          ->default_value(network_choices().front()),
      networks_help().c_str())(
      "analytic-below", po::value<std::string>()->value_name("SIZE"),
      "flow: messages of fewer bytes, such as \"4 KiB\", are timed as if they were alone; faster, "
      "and not the same answer")(
      "flow-tolerance", po::value<std::string>()->value_name("PERCENT")->default_value("0.1%"),
      "flow: within what rates are right where so many flows meet that each start and end moves "
      "all "
      "of them; 0%: exact, in the square of the flows")(
      "deltas", deltas_value(), "how recorded compute times are played back")(
      "noise", po::value<std::string>()->value_name("recorded|none|FILE")->default_value("none"),
      "what interrupts computing: the preemption that was recorded, nothing, or a machine's noise "
      "as "
      "reprise-probe --noise measured it")(
      "wildcards",
      po::value<std::string>()->value_name("recorded|simulated")->default_value("simulated"),
      "what a receive from any source takes: what comes first, or what it took when recorded")(
      "strict", "refuse a trace of which anything is not represented")(
      "seed", po::value<std::string>()->value_name("N")->default_value("1"),
      "of the draws of --deltas sample, and of noise")(
      "no-fast-forward", "replay every iteration, also of loops that have become steady")(
      "forward-within", po::value<std::string>()->value_name("PERCENT")->default_value("0.5%"),
      "leave out iterations whose compute times vary once their mean time is known so well; the "
      "answer states the bound")("mpip", po::value<std::string>()->value_name("OUT"),
                                 "write the simulated run as mpiP's report of it as well")(
      "every-rank", "list every rank, however many there are")(
      "details", po::value<std::string>()->value_name("LIST"), help.c_str())(
      "html", po::value<std::string>()->value_name("FILE"),
      "also write the answer as a page with pictures: the parts "
      "that --details names, else all but sensitivities")("stats",
                                                          "tell what the simulation itself cost");
  add_output_options(s.options, sim::format_names());
  return s;
}

std::vector<std::string> list(const po::variables_map& values, const char* option) {
  return values.count(option) ? values[option].as<std::vector<std::string>>()
                              : std::vector<std::string>();
}

sim::ReplaySettings replay_settings(const po::variables_map& values) {
  sim::ReplaySettings settings;
  const auto network = choice(values, "network", network_choices());
  settings.network = sim::find_network(network).value_or(settings.network);
  if (values.count("analytic-below"))
    settings.analytic_below =
        parse_bytes(values["analytic-below"].as<std::string>(), "--analytic-below");
  settings.flow_tolerance = percentage(values, "flow-tolerance");
  settings.deltas = deltas(values);
  const bool as_recorded = choice(values, "wildcards", {"recorded", "simulated"}) == "recorded";
  settings.wildcards = as_recorded ? sim::Wildcards::recorded : sim::Wildcards::simulated;
  settings.seed = whole_number(values, "seed", 0, std::numeric_limits<std::uint64_t>::max());
  settings.fast_forward = values.count("no-fast-forward") == 0;
  settings.forward_within = percentage(values, "forward-within");
  return settings;
}

// All that the options say; the machine and the trace are read later.
sim::Experiment experiment_of(const po::variables_map& values) {
  sim::Experiment experiment;
  experiment.trace_path = required(values, "replay", "FILE");
  experiment.placement = values["placement"].as<std::string>();
  std::error_code ignored;  // a file is read when the platform is known; anything else is right or
                            // wrong at once
  if (!std::filesystem::is_regular_file(experiment.placement, ignored))
    platforms::parse_placement(experiment.placement, "--placement");
  experiment.keeps_placement = !values["placement"].defaulted();
  experiment.keeps_network = !values["network"].defaulted();
  experiment.settings = replay_settings(values);
  experiment.noise = values["noise"].as<std::string>();
  experiment.seed_is_given = !values["seed"].defaulted();
  for (const auto& path : list(values, "scenario"))
    experiment.scenarios.push_back(sim::load_scenario(path));
  for (const auto& rule : list(values, "compute"))
    experiment.compute.push_back(sim::parse_compute_rule(rule, "--compute"));
  experiment.set = list(values, "set");
  if (values.count("latency")) experiment.latency = factor(values, "latency", LeastFactor::zero);
  if (values.count("bandwidth")) experiment.bandwidth = factor(values, "bandwidth");
  if (values.count("overhead")) experiment.overhead = factor(values, "overhead", LeastFactor::zero);
  return experiment;
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
  const auto asked = asked_details(*values, format);
  const auto file = [&](const char* option) {
    const auto path = values->count(option) ? (*values)[option].as<std::string>() : "";
    if (!path.empty() && path != "-") refuse_unwritable(path);
    return path;
  };
  const auto page = file("html"), report = file("mpip");
  auto experiment = experiment_of(*values);
  const auto trace = trace_io::load(experiment.trace_path);
  experiment.trace = &trace;
  sim::set_machine(experiment, values->count("platform")
                                   ? std::optional((*values)["platform"].as<std::string>())
                                   : std::nullopt);

  sim::AnswerRequest request;
  request.details = !page.empty() && asked.empty() ? sim::cheap_details() : asked;
  request.networks = (*values)["network"].as<std::string>() == kAllNetworks;
  request.rank_calls = !report.empty();
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
