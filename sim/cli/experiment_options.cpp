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

std::vector<std::string> texts_of(const po::variables_map& values, const char* option) {
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
  settings.forward_within = percentage(values, "forward-within");
  settings.fast_forward = values.count("no-fast-forward") == 0 && settings.forward_within > 0;
  return settings;
}

}  // namespace

void add_experiment_options(po::options_description& options) {
  options.add_options()("platform,p", po::value<std::string>()->value_name("PLATFORM"),
                        "a ready machine (reprise platform list) or a platform file")(
      "scenario", po::value<std::vector<std::string>>()->value_name("FILE")->composing(),
      "apply a scenario file (docs/SCENARIOS.md); may be repeated, applied in order, before the "
      "options below")(
      "set", po::value<std::vector<std::string>>()->value_name("POINTER=VALUE")->composing(),
      "change a setting of the platform, such as /network/link/latency=\"0.5 us\" or, for the "
      "algorithm of a collective, /mpi/collectives/allreduce=ring; may be repeated")(
      "latency", po::value<std::string>()->value_name("FACTOR"),
      "scale the latency of every network link, such as 0.5x; the CPU time of messages, which is "
      "most of TCP's latency, is --overhead")(
      "bandwidth", po::value<std::string>()->value_name("FACTOR"),
      "scale the bandwidth of every network link, such as 2x")(
      "overhead", po::value<std::string>()->value_name("FACTOR"),
      "scale the CPU time of sending and receiving a message, such as 0.5x; 0x for none")(
      "compute", po::value<std::vector<std::string>>()->value_name("[WHERE=]FACTOR")->composing(),
      "scale recorded compute times: 0.5x is a machine twice as fast. WHERE selects a part: a "
      "pattern of functions, files, file:line or addresses (solve.c:*=0.5x, solver+0x15a2=0.5x), "
      "a program or library (solver+*=0.5x), "
      "ranks (rank:0-3=2x), nodes (node:1=2x), or time inside functions (function:dgemm*=0.5x, "
      "function-exclusive:solve=0.5x; "
      "needs record --functions sample). ipc=1.3x,frequency=3.2 GHz is another processor (absolute "
      "values need record --counters). May be repeated")(
      "memory-traffic", po::value<std::string>()->value_name("RATE"),
      "bytes that a rank moves to and from memory per second of recorded computing, such as \"8 "
      "GB/s\" (reprise trace memory derives it from two recordings); computing slows down where a "
      "node's ranks need more than its memory_bandwidth")(
      "placement",
      po::value<std::string>()->value_name("HOW")->default_value(
          "block", "block; on the machine of the recording, as recorded"),
      "which ranks share a node: block (fill the cores of one, then the next), cyclic (one rank a "
      "node in turn), plane:N (N consecutive ranks a node in turn; also ppr:N:node), random:SEED "
      "(block, shuffled), "
      "search:SEED (few hops for the trace's bytes), or a file with the node of each rank, one per "
      "line. The nodes are taken in their order; block@spread takes one of each leaf switch, "
      "router "
      "or row in turn, block@random:SEED any (the same for cyclic and the others)")(
      "network",
      po::value<std::string>()
          ->value_name(boost::algorithm::join(network_choices(), "|"))
          ->default_value(network_choices().front()),
      networks_help().c_str())("analytic-below", po::value<std::string>()->value_name("SIZE"),
                               "flow: time messages smaller than this, such as \"4 KiB\", as if "
                               "they were alone; faster, but the answer differs")(
      "flow-tolerance", po::value<std::string>()->value_name("PERCENT")->default_value("0.1%"),
      "flow, fluid: accuracy of the shares of bandwidth where so many messages meet that each "
      "start or end changes all shares; 0% is exact in flow, but its cost grows with the square of "
      "their number")(
      "deltas", deltas_value(),
      "how recorded compute times are played back: in recorded order (times without one are "
      "shuffled), each at its mean, by their histograms in a fixed order, or drawn at random")(
      "noise", po::value<std::string>()->value_name("recorded|none|FILE")->default_value("none"),
      "what interrupts computing: the recorded preemption, nothing, or a machine's noise as "
      "measured by reprise-probe --noise")(
      "wildcards",
      po::value<std::string>()->value_name("recorded|simulated")->default_value("simulated"),
      "which message a receive from any source takes: the first to arrive in the simulation, or "
      "the recorded one")("seed", po::value<std::string>()->value_name("N")->default_value("1"),
                          "seed of the shuffled or sampled compute times and of the noise")(
      "no-fast-forward", "replay every iteration, even of loops in a steady state")(
      "forward-within", po::value<std::string>()->value_name("PERCENT")->default_value("0.5%"),
      "skip iterations with varying compute times once their mean time is known this well; the "
      "answer states the error bound");
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
  for (const auto& path : texts_of(values, "scenario"))
    experiment.scenarios.push_back(sim::load_scenario(path));
  for (const auto& rule : texts_of(values, "compute"))
    experiment.compute.push_back(sim::parse_compute_rule(rule, "--compute"));
  experiment.set = texts_of(values, "set");
  if (values.count("memory-traffic")) experiment.memory_traffic = rate(values, "memory-traffic");
  if (values.count("latency")) experiment.latency = factor(values, "latency", LeastFactor::zero);
  if (values.count("bandwidth")) experiment.bandwidth = factor(values, "bandwidth");
  if (values.count("overhead")) experiment.overhead = factor(values, "overhead", LeastFactor::zero);
  return experiment;
}

}  // namespace reprise::cli
