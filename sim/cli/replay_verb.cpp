// SPDX-License-Identifier: MIT
// reprise replay: a trace on a platform.
#include <sys/resource.h>

#include <algorithm>
#include <boost/algorithm/string/join.hpp>
#include <filesystem>
#include <limits>

#include "platforms/catalogue.hpp"
#include "platforms/effects.hpp"
#include "platforms/load.hpp"
#include "platforms/override.hpp"
#include "platforms/placement.hpp"
#include "sim/answers/answer_csv.hpp"
#include "sim/answers/searched_placement.hpp"
#include "sim/cli/answer_text.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/outcome_text.hpp"
#include "sim/cli/output.hpp"
#include "sim/cli/replay_page.hpp"
#include "sim/cli/simulated_run.hpp"
#include "sim/cli/words.hpp"
#include "sim/engine/replay.hpp"
#include "sim/mpip/write.hpp"
#include "sim/recorded_machine.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/validation/record_report.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"
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
      "and not the same answer")("deltas",
                                 po::value<std::string>()
                                     ->value_name("mean|distribution|sample")
                                     ->default_value("distribution"),
                                 "how recorded compute times are played back")(
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
      "details", po::value<std::string>()->value_name("LIST"),
      "more of the answer: efficiencies, links, sensitivities, call-sites, matrix, timeline or "
      "all; efficiencies replay once more, "
      "sensitivities some forty times")("html", po::value<std::string>()->value_name("FILE"),
                                        "also write the answer as a page with pictures: the parts "
                                        "that --details names, else all but sensitivities")(
      "stats", "tell what the simulation itself cost");
  add_output_options(s.options, "text|json|csv");
  return s;
}

platforms::Document platform_document(const po::variables_map& values,
                                      const trace_io::Header& header) {
  if (!values.count("platform")) return sim::recorded_machine(header);
  return platforms::load_document(platforms::find_platform(
      values["platform"].as<std::string>(), platforms::platform_folders(), "--platform"));
}

std::string machine_text(const platforms::Platform& platform) {
  return platform.name + " (" + counted(platform.nodes.count, "node") + " of " +
         counted(platform.nodes.cores, "core") + ")";
}

// Changes what --set, --latency and --bandwidth ask for, and tells of it. The factors come last: they scale what was set.
void change(platforms::Document& document, const po::variables_map& values,
            platforms::ChangeTracker& tracker, ReportContext& context) {
  if (values.count("set")) {
    for (const auto& setting : values["set"].as<std::vector<std::string>>()) {
      platforms::apply_set(document, setting, "--set");
      context.changes.push_back(setting);
      tracker.changed(setting, document);
    }
  }
  for (const char* key : {"latency", "bandwidth"}) {
    if (!values.count(key)) continue;
    const auto platform =
        platforms::parse_platform(document);  // what follows needs a sound document
    const double times = factor(values, key);
    platforms::multiply_links(document, key, times, std::string("--") + key);
    context.changes.push_back(
        (platform.network ? "every link's " : "the " + std::string(key) + " inside the node") +
        (platform.network ? key : "") + formatted(" × %g", times));
    tracker.changed(context.changes.back(), document);
  }
}

// More ranks than cores on some node.
void remark_on_cores(const platforms::Platform& platform, const trace_io::Header& header,
                     const std::vector<platforms::RankLocation>& places, ReportContext& context) {
  std::vector<std::uint32_t> ranks_on(platform.nodes.count);
  for (const auto& place : places) ++ranks_on[place.node];
  const auto most = *std::max_element(ranks_on.begin(), ranks_on.end());
  if (most <= platform.nodes.cores) return;
  context.remarks.push_back(
      "up to " + counted(most, "rank") + " share the " + counted(platform.nodes.cores, "core") +
      " of a node" +
      (header.clock == trace_io::Clock::cpu
           ? std::string()
           : "; the trace's compute times are wall-clock times, which hold the "
             "waiting for cores of the recording, if there was any (record with --clock cpu)"));
}

void remark_on_settings(const po::variables_map& values, const platforms::Platform& platform,
                        const trace_io::Header& header, const sim::ReplaySettings& settings,
                        ReportContext& context) {
  const auto places = platforms::place_ranks(static_cast<std::uint32_t>(header.ranks), platform,
                                             settings.placement);
  remark_on_cores(platform, header, places, context);
  if (!values["seed"].defaulted() && settings.deltas != sim::Deltas::sample &&
      settings.conditions.noise.empty())
    context.remarks.push_back("--seed changes nothing without --deltas sample or noise");
  if (!header.complete)
    context.remarks.push_back("the trace is incomplete: the program ended before MPI_Finalize");
}

SimulationCost cost_so_far() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return {seconds(used.ru_utime) + seconds(used.ru_stime),
          static_cast<std::uint64_t>(used.ru_maxrss) * 1024};
}

sim::ReplaySettings replay_settings(const po::variables_map& values) {
  sim::ReplaySettings settings;
  std::error_code
      ignored;  // a file is read when the platform is known; anything else is right or wrong at once
  if (const auto where = values["placement"].as<std::string>();
      !std::filesystem::is_regular_file(where, ignored))
    settings.placement = platforms::parse_placement(where, "--placement");
  const auto network = choice(values, "network", network_choices());
  settings.network = sim::find_network(network).value_or(settings.network);
  if (values.count("analytic-below"))
    settings.analytic_below =
        parse_bytes(values["analytic-below"].as<std::string>(), "--analytic-below");
  const auto deltas = choice(values, "deltas", {"mean", "distribution", "sample"});
  settings.deltas = deltas == "mean"     ? sim::Deltas::mean
                    : deltas == "sample" ? sim::Deltas::sample
                                         : sim::Deltas::distribution;
  const bool as_recorded = choice(values, "wildcards", {"recorded", "simulated"}) == "recorded";
  settings.wildcards = as_recorded ? sim::Wildcards::recorded : sim::Wildcards::simulated;
  settings.seed = whole_number(values, "seed", 0, std::numeric_limits<std::uint64_t>::max());
  settings.fast_forward = values.count("no-fast-forward") == 0;
  settings.forward_within = percentage(values, "forward-within");
  return settings;
}

// What --scenario asks for.
std::vector<sim::Scenario> load_scenarios(const po::variables_map& values) {
  std::vector<sim::Scenario> scenarios;
  if (values.count("scenario"))
    for (const auto& path : values["scenario"].as<std::vector<std::string>>())
      scenarios.push_back(sim::load_scenario(path));
  return scenarios;
}

// Makes the scenarios' changes, as far as no option says otherwise, and tells of them.
void apply_scenarios(const std::vector<sim::Scenario>& scenarios, const po::variables_map& values,
                     platforms::Document& document, sim::ReplaySettings& settings,
                     platforms::ChangeTracker& tracker, ReportContext& context) {
  for (const auto& scenario : scenarios) {
    const auto before = settings;
    context.scenarios.push_back({scenario.name, scenario.question, scenario.file});
    for (const auto& change : scenario.changes) {
      const auto platform_before = document.value;
      const auto applied = sim::apply({&change, 1}, document, settings);
      context.changes.insert(context.changes.end(), applied.changes.begin(), applied.changes.end());
      context.no_effect.insert(context.no_effect.end(), applied.no_effect.begin(),
                               applied.no_effect.end());
      if (document.value != platform_before)
        tracker.changed(change.place.text() + ": " + sim::describe(change), document);
      const auto* placement = std::get_if<sim::PlacementChange>(&change.what);
      const bool is_placement = placement != nullptr,
                 is_network = std::holds_alternative<sim::NetworkChange>(change.what);
      if (placement != nullptr && values["placement"].defaulted())
        context.placement = placement->how;
      if ((is_placement && !values["placement"].defaulted()) ||
          (is_network && !values["network"].defaulted()))
        context.no_effect.push_back(change.place.text() + ": --" +
                                    (is_placement ? "placement" : "network") + " says otherwise");
    }
    if (!values["placement"].defaulted()) settings.placement = before.placement;
    if (!values["network"].defaulted()) settings.network = before.network;
  }
}

void add_compute_rules(const po::variables_map& values, sim::ReplaySettings& settings,
                       ReportContext& context) {
  if (values.count("compute"))
    for (const auto& rule : values["compute"].as<std::vector<std::string>>()) {
      settings.compute.push_back(sim::parse_compute_rule(rule, "--compute"));
      context.changes.push_back(sim::describe(settings.compute.back()));
    }
}

void tell_of_analytic_messages(const sim::ReplaySettings& settings, ReportContext& context) {
  if (settings.analytic_below.value == 0) return;
  if (sim::model_of(settings.network).times_small_messages_alone)
    context.changes.push_back("messages of fewer than " + to_text(settings.analytic_below) +
                              " are timed as if they were alone");
  else
    context.remarks.push_back("--analytic-below changes nothing on the " +
                              std::string(sim::name_of(settings.network)) + " network");
}

// Whether the scenarios' placement has turned out to be the usual one.
void tell_of_placement(const std::vector<sim::Scenario>& scenarios, const po::variables_map& values,
                       const platforms::Platform& platform, const sim::Outcome& outcome,
                       ReportContext& context) {
  if (!values["placement"].defaulted()) return;
  std::vector<sim::Change> made;
  for (const auto& scenario : scenarios)
    made.insert(made.end(), scenario.changes.begin(), scenario.changes.end());
  for (auto& fact : sim::placements_without_effect(made, platform, outcome.used))
    context.no_effect.push_back(std::move(fact));
}

// What can be told only once the replay has been run.
void remark_on_outcome(const sim::Outcome& outcome, ReportContext& context) {
  context.no_effect.insert(context.no_effect.end(), outcome.no_effect.begin(),
                           outcome.no_effect.end());
  if (outcome.wildcards_as_recorded)
    context.remarks.push_back(
        "the order in which wildcard receives find messages in this simulation leads into a "
        "deadlock, "
        "so they took what they took when recorded");
  if (outcome.reordered_wildcards > 0)
    context.remarks.push_back(
        counted(outcome.reordered_wildcards, "wildcard receive") +
        " or probes took another message than when "
        "recorded, because that came first (--wildcards recorded keeps the recorded order)");
  if (outcome.reordered_completions > 0)
    context.remarks.push_back(counted(outcome.reordered_completions, "call") +
                              " of the MPI_Waitany and MPI_Waitsome kind completed other "
                              "requests than when recorded, because those were complete first");
}

// --strict: an answer only where everything that the program did is in it.
void refuse_losses(const sim::Outcome& outcome, const std::string& trace_path) {
  std::string names;
  for (const auto& loss : outcome.losses)
    if (loss.severity != trace_io::Severity::notice)
      names += (names.empty() ? "" : "; ") + loss.name + ", " + counted(loss.count, "time") +
               share_text(loss, outcome);
  if (!names.empty())
    throw RunError(trace_path, "not all of the program is represented: " + names,
                   "without --strict the replay goes on and says so");
}

double mean_wait(const sim::Outcome& outcome) {
  double wait = 0;
  for (const auto& rank : outcome.ranks) wait += rank.wait.value;
  return outcome.ranks.empty() ? 0 : wait / static_cast<double>(outcome.ranks.size());
}

// The answer is the default network's; beside it what the others say that can simulate in this process, too.
void compare_networks(const trace_io::Trace& trace, const platforms::Platform& platform,
                      sim::ReplaySettings settings, const sim::Outcome& flow,
                      ReportContext& context) {
  double before = cost_so_far().cpu_s;
  const auto add = [&](const sim::Outcome& outcome, double cpu_s) {
    context.networks.push_back({outcome.network, outcome.predicted_time.value,
                                flow.predicted_time.value > 0
                                    ? outcome.predicted_time.value / flow.predicted_time.value
                                    : 1,
                                outcome.forwarded.error_bound.value, mean_wait(outcome), cpu_s});
  };
  add(flow, before);
  const sim::NetworkKind usual = settings.network;
  for (std::size_t i = 0; i < sim::network_names().size(); ++i) {
    settings.network = static_cast<sim::NetworkKind>(i);
    if (settings.network == usual || sim::model_of(settings.network).simulates_once) continue;
    const auto outcome = sim::replay(trace, platform, settings);
    const double after = cost_so_far().cpu_s;
    add(outcome, after - before);
    before = after;
  }
}

// A placement that is to be searched for is found, and told against the usual ones.
void search(const trace_io::Trace& trace, const platforms::Platform& platform,
            platforms::Placement& placement, ReportContext& context) {
  if (placement.order != platforms::PlacementOrder::kSearched) return;
  const auto found = sim::search_placement(trace, platform, placement.seed);
  placement = found.placement;
  context.remarks.push_back(
      formatted("the placement found takes %.6g hop-bytes, block %.6g, cyclic %.6g", found.found,
                found.block, found.cyclic));
}

// What of the answer is asked for, before anything is read.
Details details(const po::variables_map& values, OutputFormat format) {
  const auto details =
      values.count("details") ? parse_details(values["details"].as<std::string>()) : Details{};
  if (format == OutputFormat::csv && details.keys.size() > 1)
    throw InputError(
        "--format csv",
        "holds one table, and --details asks for " + std::to_string(details.keys.size()),
        "name one part, or take --format json");
  const auto network = sim::find_network(values["network"].as<std::string>());
  if (details.parts.sensitivities && network && sim::model_of(*network).simulates_once)
    throw InputError("--details",
                     "sensitivities replay many times, which --network " +
                         std::string(sim::name_of(*network)) + " cannot",
                     "--network flow is the same model");
  return details;
}

// What is found out: for the page more than is printed.
sim::AnswerParts parts_of(const po::variables_map& values, const Details& asked) {
  if (!values.count("html")) return asked.parts;
  refuse_missing_folder(values["html"].as<std::string>());
  return asked.keys.empty() ? parse_details("efficiencies,links,call-sites,matrix,timeline").parts
                            : asked.parts;
}

std::string answer_csv(const sim::Answer& answer, const Details& asked) {
  if (asked.keys.empty()) return sim::csv_of(ranks_json(answer.outcome));
  return sim::part_as_csv(to_json(answer)[asked.keys.front()], asked.keys.front());
}

int run(const Arguments& arguments) {
  const auto values = parse(syntax(), arguments);
  if (!values) return kDone;
  const auto format = output_format(*values, "replay", "text|json|csv");
  const auto asked = details(*values, format);
  const auto parts = parts_of(*values, asked);
  ReportContext context;
  context.trace_path = required(*values, "replay", "FILE");
  if (values->count("mpip") && (*values)["mpip"].as<std::string>() != "-")
    refuse_missing_folder((*values)["mpip"].as<std::string>());

  auto settings = replay_settings(*values);
  const auto scenarios = load_scenarios(*values);
  const auto trace = trace_io::load(context.trace_path);
  auto document = platform_document(*values, trace.header);
  context.placement = (*values)["placement"].as<std::string>();
  platforms::ChangeTracker tracker(document);
  apply_scenarios(scenarios, *values, document, settings, tracker, context);
  add_compute_rules(*values, settings, context);
  tell_of_analytic_messages(settings, context);
  change(document, *values, tracker, context);
  const auto platform = platforms::parse_platform(document);
  context.machine = values->count("platform") ? machine_text(platform)
                                              : sim::describe_recorded_machine(trace.header);
  if (!(*values)["placement"].defaulted())
    settings.placement = platforms::load_placement(context.placement, platform, "--placement");
  search(trace, platform, settings.placement, context);
  remark_on_settings(*values, platform, trace.header, settings, context);

  const bool as_report = values->count("mpip") > 0;
  auto watched = sim::watched_for(parts);
  watched.calls = watched.calls || as_report;
  sim::Observation observation(watched);
  if (as_report) settings.observation = &observation;
  const auto answer = sim::answer(trace, platform, settings, parts);
  const auto& outcome = answer.outcome;
  settings.observation = nullptr;
  if (values->count("strict")) refuse_losses(outcome, context.trace_path);
  remark_on_outcome(outcome, context);
  for (auto& fact : tracker.without_effect(outcome.used))
    context.no_effect.push_back(std::move(fact));
  tell_of_placement(scenarios, *values, platform, outcome, context);
  if ((*values)["network"].as<std::string>() == kAllNetworks)
    compare_networks(trace, platform, settings, outcome, context);
  if (as_report) {
    const auto to = (*values)["mpip"].as<std::string>();
    const auto folder = to == "-" ? to : std::filesystem::absolute(to).parent_path().string();
    write_file(to, sim::mpip::write_report(sim::validation::report_of(
                       simulated_record(trace, outcome, observation, platform.name), folder)));
  }
  context.band = calibration_band(trace, platform, settings, outcome);
  std::optional<SimulationCost> cost;
  if (values->count("stats")) cost = cost_so_far();
  if (values->count("html"))
    write_file((*values)["html"].as<std::string>(), replay_page(answer, trace.header, context));
  const bool prints_parts = !asked.keys.empty();
  const auto text = [&] {
    return outcome_text(outcome, trace.header, context, values->count("every-rank") > 0, cost,
                        prints_parts ? answer_text(answer) : "");
  };
  const auto json = [&] {
    return outcome_json(outcome, context, cost,
                        prints_parts ? to_json(answer) : nlohmann::ordered_json::object());
  };
  write_output(*values, format == OutputFormat::json  ? json()
                        : format == OutputFormat::csv ? answer_csv(answer, asked)
                                                      : text());
  return kDone;
}

}  // namespace

const Verb kReplayVerb = {"replay", "predict a run on another machine", run};

}  // namespace reprise::cli
