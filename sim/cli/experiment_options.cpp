// SPDX-License-Identifier: MIT
#include "sim/cli/experiment_options.hpp"

#include <boost/algorithm/string/join.hpp>
#include <filesystem>
#include <limits>

#include "platforms/placement.hpp"
#include "sim/cli/options.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::cli {
namespace {
namespace po = boost::program_options;

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

}  // namespace

void add_experiment_options(po::options_description& options) {
  options.add_options()("platform,p", po::value<std::string>()->value_name("PLATFORM"),
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
      "file:line such as solve.c:*=0.5x, or rank:0-3=2x, or node:1=2x, or what is spent inside "
      "functions such as function:dgemm*=0.5x, function-exclusive:solve=0.5x (record --functions "
      "sample); or another processor, ipc=1.3x,frequency=3.2 GHz (absolute values: record "
      "--counters); may be given several times")(
      "memory-traffic", po::value<std::string>()->value_name("RATE"),
      "how many bytes a rank moves to and from memory for each second that it was recorded to "
      "compute, such as \"8 GB/s\" (reprise trace memory tells it from two recordings): where the "
      "ranks of a node ask for more than its memory_bandwidth, computing takes longer")(
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
      "seed", po::value<std::string>()->value_name("N")->default_value("1"),
      "of the draws of --deltas sample, and of noise")(
      "no-fast-forward", "replay every iteration, also of loops that have become steady")(
      "forward-within", po::value<std::string>()->value_name("PERCENT")->default_value("0.5%"),
      "leave out iterations whose compute times vary once their mean time is known so well; the "
      "answer states the bound");
}

// All that the options say; the machine and the trace are read later.
sim::Experiment experiment_of(const po::variables_map& values, const std::string& verb) {
  sim::Experiment experiment;
  experiment.trace_path = required(values, verb, "FILE");
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
  if (values.count("memory-traffic")) experiment.memory_traffic = rate(values, "memory-traffic");
  if (values.count("latency")) experiment.latency = factor(values, "latency", LeastFactor::zero);
  if (values.count("bandwidth")) experiment.bandwidth = factor(values, "bandwidth");
  if (values.count("overhead")) experiment.overhead = factor(values, "overhead", LeastFactor::zero);
  return experiment;
}

}  // namespace reprise::cli
