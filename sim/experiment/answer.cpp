// SPDX-License-Identifier: MIT
#include "sim/experiment/answer.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "platforms/left_out.hpp"
#include "platforms/placement.hpp"
#include "platforms/tree_use.hpp"
#include "sim/engine/compute/caller_rules.hpp"
#include "sim/engine/compute/matched_counts.hpp"
#include "sim/engine/compute/matched_functions.hpp"
#include "sim/experiment/details/links.hpp"
#include "sim/experiment/own_machine.hpp"
#include "sim/experiment/placement_search.hpp"
#include "sim/experiment/platform_profiles.hpp"
#include "sim/processes/at_once.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/text/disturbance.hpp"
#include "sim/text/losses.hpp"
#include "sim/text/numbers.hpp"
#include "trace-io/model/time_pools.hpp"

namespace reprise::sim {
namespace {

std::string machine_text(const Experiment& experiment, const platforms::Platform& platform) {
  if (experiment.is_recorded_machine) return describe_own_machine(*experiment.trace);
  return platform.name + " (" + counted(platform.nodes.count, "node") + " of " +
         counted(platform.nodes.cores, "core") + ")";
}

// A placement that is to be searched for is found, and told beside the usual ones.
void search(const trace_io::Trace& trace, const platforms::Platform& platform,
            platforms::Placement& placement, Answer& answer) {
  if (placement.order != platforms::PlacementOrder::kSearched) return;
  const auto found = search_placement(trace, platform, placement);
  placement = found.placement;
  const std::string nodes = platforms::suffix_of(placement.node_order);
  answer.remarks.push_back(
      formatted("the placement found takes %.6g hop-bytes, block%s %.6g, cyclic%s %.6g",
                found.found, nodes.c_str(), found.block, nodes.c_str(), found.cyclic));
}

// More ranks than cores on some node.
void remark_on_cores(const trace_io::Header& header, const platforms::Platform& platform,
                     const platforms::Placement& placement, Answer& answer) {
  std::vector<std::uint32_t> ranks_on(platform.nodes.count);
  for (const auto& place :
       platforms::place_ranks(static_cast<std::uint32_t>(header.ranks), platform, placement))
    ++ranks_on[place.node];
  const auto most = *std::max_element(ranks_on.begin(), ranks_on.end());
  if (most <= platform.nodes.cores) return;
  answer.remarks.push_back(
      "up to " + counted(most, "rank") + " share the " + counted(platform.nodes.cores, "core") +
      " of a node" +
      (header.clock == trace_io::Clock::cpu
           ? std::string()
           : "; the trace's compute times are wall-clock times and include any waiting for cores "
             "during the recording (record with --clock cpu)"));
}

// Where the machine was busy with others, the recorded run time is not what the prediction is of.
void remark_on_preemption(const trace_io::Trace& trace, const ReplaySettings& settings,
                          Answer& answer) {
  const auto found = disturbance_of(trace);
  if (!found) return;
  answer.remarks.push_back(
      "the recording was disturbed: " + describe(*found) +
      (settings.conditions.noise.empty()
           ? "; the prediction leaves this out, so it cannot be compared with the recorded run "
             "time (--noise recorded puts back what interrupted computing, not what was lost "
             "inside MPI calls)"
           : "; noise interrupts computing alone, and what ranks lost inside MPI calls meanwhile "
             "is not known, so the prediction cannot be compared with the recorded run time"));
}

void remark_on_settings(const Experiment& experiment, const Prepared& prepared, Answer& answer) {
  const auto& header = experiment.trace->header;
  const auto& settings = prepared.settings;
  remark_on_cores(header, prepared.platform, settings.placement, answer);
  remark_on_preemption(*experiment.trace, settings, answer);
  if (experiment.seed_is_given && settings.deltas != Deltas::sample &&
      settings.deltas != Deltas::ordered && settings.conditions.noise.empty())
    answer.remarks.push_back("--seed has no effect with --deltas " +
                             std::string(name_of(settings.deltas)) + " and without noise");
  if (prepared.platform.latency_weights() != nullptr &&
      model_of(settings.network).leaves_latency_weights_out)
    answer.remarks.push_back(
        "the platform shares links in inverse proportion to routes' latency "
        "(/network/sharing), network " +
        std::string(name_of(settings.network)) + " does not (--network flow does)");
  for (const std::string& what : platforms::left_out_of(prepared.platform))
    answer.remarks.push_back("left out of the platform: " + what);
  for (std::string& what : profiles_outrun(prepared.platform, answer.outcome.predicted_time))
    answer.remarks.push_back(std::move(what));
  if (!header.complete)
    answer.remarks.push_back("the trace is incomplete: the program ended before MPI_Finalize");
  if (!experiment.trace->pools.empty())
    answer.remarks.push_back(trace_io::pools_text(*experiment.trace) +
                             ", sums over all calls are exact");
}

// Whether it is known both how much the program moves and what a node's memory can; what came of it.
void remark_on_memory(const Prepared& prepared, Answer& answer) {
  const auto& places = answer.outcome.used.places;
  const bool is_said = std::any_of(places.begin(), places.end(), [&](const auto& place) {
    return prepared.platform.nodes.memory_bandwidth_of(place.node).has_value();
  });
  const bool is_asked = prepared.settings.memory_traffic.value > 0;
  const MemoryBound& bound = answer.outcome.memory;
  if (is_said && !is_asked)
    answer.remarks.emplace_back(
        "the nodes' memory_bandwidth has no effect, because the program's memory traffic is "
        "unknown (give it with --memory-traffic, or the change \"memory_traffic\")");
  if (is_asked && !is_said)
    answer.no_effect.push_back(
        "memory traffic: the nodes of " + prepared.platform.name +
        " have no memory_bandwidth (set one: --set /nodes/memory_bandwidth=\"100 GB/s\")");
  if (is_asked && is_said && bound.nodes == 0)
    answer.no_effect.emplace_back(
        "memory traffic: the ranks never saturate a node's memory bandwidth");
  if (bound.nodes > 0)
    answer.remarks.push_back("memory bandwidth limits computing on " +
                             counted(bound.nodes, "node") + ": " + seconds_text(bound.time) +
                             " of computing over all ranks were limited by it, " +
                             seconds_text(bound.longer) + " more than without this limit");
}

void remark_on_function(const MatchedFunctions& matched, const ComputeRule& rule, Answer& answer) {
  answer.remarks.push_back((matched.is_doubtful() ? std::string(kWarning) : std::string()) +
                           describe(matched, rule));
}

// Which functions or counts rules hold for, and how much of the computing they are. What does not fit the trace the replay has refused.
void remark_on_functions(const trace_io::Trace& trace, const ReplaySettings& settings,
                         Answer& answer) {
  for (const ComputeRule& rule : settings.compute)
    if (rule.processor)
      answer.remarks.push_back(describe_processor(trace, rule));
    else if (is_of_functions(rule))
      remark_on_function(matched_functions(trace, rule), rule, answer);
    else if (holds_for_callers(trace, rule))
      answer.remarks.push_back(describe_callers(trace, rule));
}

// A machine's network says nothing where nobody uses it.
void remark_on_one_node(const platforms::Platform& platform, Answer& answer) {
  const auto& places = answer.outcome.used.places;
  if (places.size() < 2 || platform.nodes.count < 2) return;
  if (std::ranges::any_of(places,
                          [&](const auto& place) { return place.node != places.front().node; }))
    return;
  answer.remarks.push_back("all " + counted(places.size(), "rank") +
                           " are on one node, so no message crosses the network (--placement "
                           "cyclic spreads them)");
}

// Whoever spreads ranks over all nodes wants one on each.
void remark_on_shared_nodes(const Experiment& experiment, const platforms::Platform& platform,
                            Answer& answer) {
  const std::size_t ranks = answer.outcome.used.places.size();
  const std::uint32_t nodes = platform.nodes.count;
  if ((experiment.placement != "cyclic" && !experiment.placement.starts_with("cyclic@")) ||
      nodes < 2 || ranks <= nodes)
    return;
  answer.remarks.push_back(counted(ranks, "rank") + " on " + counted(nodes, "node") + ": up to " +
                           counted((ranks + nodes - 1) / nodes, "rank") +
                           " share a node (--set /nodes/count=" + std::to_string(ranks) +
                           " makes the machine larger)");
}

// What can be told only once the replay has been run.
void remark_on_outcome(Answer& answer) {
  const Outcome& outcome = answer.outcome;
  if (outcome.wildcards_as_recorded)
    answer.remarks.push_back(
        "the simulated matching order of wildcard receives deadlocks, so they matched as recorded");
  if (outcome.reordered_wildcards > 0)
    answer.remarks.push_back(
        grouped(outcome.reordered_wildcards) +
        (outcome.reordered_wildcards == 1 ? " receive or probe" : " receives or probes") +
        " of MPI_ANY_SOURCE matched another message than when recorded, because it arrived first "
        "(--wildcards recorded keeps the recorded order); each rank computes what it computed when "
        "recorded, even if a master would have distributed work in another order");
  // Where completions are represented, those of the trace are not the recorded ones anyway.
  if (outcome.reordered_completions > 0 && !answer.trace->completions)
    answer.remarks.push_back(counted(outcome.reordered_completions, "call") +
                             " such as MPI_Waitany or MPI_Waitsome completed other requests than "
                             "when recorded, because those were complete first");
  if (outcome.crowds > 0)
    answer.remarks.push_back(counted(outcome.crowds, "crowd") +
                             " of messages shared links approximately, within --flow-tolerance; 0% "
                             "is exact, but can be slow");
}

void tell_of_effects(const Experiment& experiment, const Prepared& prepared, const ChangeLog& log,
                     Answer& answer) {
  auto& facts = answer.no_effect;
  const auto add = [&facts](const std::vector<std::string>& more) {
    facts.insert(facts.end(), more.begin(), more.end());
  };
  add(log.no_effect);
  add(answer.outcome.no_effect);
  add(log.tracker.without_effect(answer.outcome.used));
  const auto& order = prepared.settings.placement.node_order;
  if (const auto why = platforms::why_as_first(prepared.platform, order))
    facts.push_back("order of nodes " + platforms::name_of(order) + ": " + *why);
  if (experiment.keeps_placement) return;
  std::vector<Change> made;
  for (const auto& scenario : experiment.scenarios)
    made.insert(made.end(), scenario.changes.begin(), scenario.changes.end());
  made.insert(made.end(), experiment.changes.begin(), experiment.changes.end());
  add(placements_without_effect(made, prepared.platform, answer.outcome.used));
}

void count_nodes(const platforms::Platform& platform, Answer& answer) {
  std::set<std::uint32_t> used;
  for (const auto& place : answer.outcome.used.places) used.insert(place.node);
  answer.nodes = platform.nodes.count;
  answer.nodes_used = static_cast<std::uint32_t>(used.size());
}

// A what-if beside the run without its changes; if that one is impossible, a remark says why.
void compare_without_changes(const Experiment& experiment, const Prepared& prepared,
                             std::size_t jobs, Answer& answer) {
  if (!is_compared_without_changes(experiment, prepared.settings, answer.outcome)) return;
  try {
    answer.without_changes =
        without_changes(experiment, prepared, answer.outcome, answer.band, jobs);
    const auto& more = answer.without_changes->no_effect;
    answer.no_effect.insert(answer.no_effect.end(), more.begin(), more.end());
  } catch (const CommandError& error) {
    answer.remarks.push_back("no comparison with the run without the changes: " + error.problem());
  }
}

void refuse_losses(const Answer& answer) {
  const auto& header = answer.trace->header;
  std::string names;
  if (!header.complete)
    names = "salvaged, the end of the run may be missing on some ranks";
  else if (header.recorded.size() < header.ranks)
    names = "some ranks were not recorded";
  const AllTime all = time_of_losses(header, total_times(answer.outcome).finish);
  for (const auto& loss : answer.outcome.losses)
    if (loss.severity != trace_io::Severity::notice)
      names += (names.empty() ? "" : "; ") + loss.name + ", " + counted(loss.count, "time") +
               share_text(loss, all);
  if (!names.empty())
    throw RunError(answer.trace_path, "not all of the program is represented: " + names,
                   "without --strict the replay continues and reports it");
}

// Beside the default network's answer what the others say that can simulate in this process, too.
void compare_networks(const trace_io::Trace& trace, const Prepared& prepared, std::size_t jobs,
                      Answer& answer) {
  struct Said {
    Seconds predicted, error_bound, mean_wait, cpu_time;
  };
  const auto said = [](const Outcome& outcome, Seconds cpu_time) {
    return Said{outcome.predicted_time, outcome.forwarded.error_bound, mean_times(outcome).wait,
                cpu_time};
  };
  const Seconds flow = answer.outcome.predicted_time;
  const auto add = [&](std::string_view network, const Said& one) {
    answer.networks.push_back({std::string(network), one.predicted,
                               flow.value > 0 ? one.predicted / flow : 1, one.error_bound,
                               one.mean_wait, one.cpu_time});
  };
  std::vector<NetworkKind> others;
  for (std::size_t i = 0; i < network_names().size(); ++i) {
    const auto network = static_cast<NetworkKind>(i);
    if (network != prepared.settings.network && !model_of(network).simulates_once)
      others.push_back(network);
  }
  add(answer.outcome.network, said(answer.outcome, cpu_time_with_children()));
  const auto found = at_once(
      jobs, others.size(), kFurtherReplay,
      [&](std::size_t i) {
        ReplaySettings settings = prepared.settings;
        settings.network = others[i];
        const Seconds before = cpu_time_so_far();
        const auto outcome = replay(trace, prepared.platform, settings);
        return said(outcome, cpu_time_so_far() - before);
      },
      prepared.settings.watch);
  for (std::size_t i = 0; i < others.size(); ++i) add(name_of(others[i]), found[i]);
}

// Shares above 1 are of links that nobody waits for.
bool is_doubtful_anywhere(NetworkKind network) { return model_of(network).doubtful_from_busy <= 1; }

// Where links are too busy for what the network model makes of sharing.
void remark_on_busy_links(const Observation& observation, NetworkKind network, Answer& answer) {
  if (!is_doubtful_anywhere(network)) return;
  double busiest = 0;
  for (const auto& use : link_use(observation.traffic(), answer.outcome.predicted_time).classes)
    if (use.is_shared) busiest = std::max(busiest, use.busy_share);
  if (busiest >= model_of(network).doubtful_from_busy)
    answer.remarks.push_back(
        "a link is busy for " + formatted("%.0f%%", 100 * busiest) + " of the run, and network " +
        std::string(name_of(network)) +
        " has known errors where messages share links: some percent above 20% load, up to a half "
        "on saturated links (--network fluid shares links fairly, at a similar cost)");
}

// Fills the outcome, the figures and the ranks' calls.
void replay_into(Answer& answer, const trace_io::Trace& trace, const platforms::Platform& platform,
                 ReplaySettings settings, const AnswerRequest& request) {
  Watched watched = watched_for(request.details);
  watched.calls |= request.rank_calls;
  watched.traffic |= is_doubtful_anywhere(settings.network);
  watched.path |= request.window && !request.window->is_moment();
  Observation observation(watched);
  if (request.window) observation.open_window(*request.window);
  settings.observation = watched.anything() ? &observation : nullptr;
  answer.trace = &trace;
  const double within = settings.forward_within;
  const bool is_whole =
      !request.estimated_parts && (watched.path || watched.slopes || watched.delays);
  if (is_whole) settings.forward_within = 0;
  answer.outcome = replay(trace, platform, settings);
  settings.forward_within = within;
  if (is_whole && settings.fast_forward && settings.deltas != Deltas::mean &&
      answer.outcome.forwarded.was_refused)
    answer.outcome.forwarded.reason =
        "the parts asked for are those of all iterations (--forward-within estimates them)";
  count_nodes(platform, answer);
  if (request.strict) refuse_losses(answer);
  settings.observation = nullptr;
  for (const Detail* detail : all_details())
    if (std::find(request.details.begin(), request.details.end(), detail) != request.details.end())
      if (auto figure = detail->measure(
              {trace, platform, settings, answer.outcome, observation, request.jobs}))
        answer.details.emplace_back(detail, std::move(figure));
  if (request.rank_calls) answer.rank_calls = observation.calls();
  if (watched.traffic) remark_on_busy_links(observation, settings.network, answer);
}

}  // namespace

Answer replayed(const trace_io::Trace& trace, const platforms::Platform& platform,
                const ReplaySettings& settings, const AnswerRequest& request) {
  Answer answer;
  replay_into(answer, trace, platform, settings, request);
  return answer;
}

Answer answer(const Experiment& experiment, const AnswerRequest& request) {
  const trace_io::Trace& trace = *experiment.trace;
  Answer answer;
  answer.trace_path = experiment.trace_path;
  answer.scenarios = experiment.scenarios;
  ChangeLog log(experiment.machine);
  Prepared prepared = prepare(experiment, &log);
  answer.platform = prepared.platform.name;
  answer.machine = machine_text(experiment, prepared.platform);
  answer.placement = log.placement;
  answer.node_order = prepared.settings.placement.node_order;
  answer.changes = log.changes;
  answer.remarks = log.remarks;
  search(trace, prepared.platform, prepared.settings.placement, answer);
  remark_on_settings(experiment, prepared, answer);
  replay_into(answer, trace, prepared.platform, prepared.settings, request);
  remark_on_functions(trace, prepared.settings, answer);
  remark_on_one_node(prepared.platform, answer);
  remark_on_shared_nodes(experiment, prepared.platform, answer);
  if (const auto remark = platforms::remark_on_tree(prepared.platform, answer.outcome.used))
    answer.remarks.push_back(*remark);
  remark_on_outcome(answer);
  remark_on_memory(prepared, answer);
  if (request.mean_times)
    answer.means = with_mean_times(trace, prepared.platform, prepared.settings, answer.outcome);
  if (answer.means)
    answer.remarks.push_back(
        describe(*answer.means, answer.outcome, trace, prepared.settings.deltas));
  if (request.other_sharing && !request.networks)
    answer.other_sharing =
        with_other_sharing(trace, prepared.platform, prepared.settings, answer.outcome);
  if (answer.other_sharing)
    answer.remarks.push_back(describe(*answer.other_sharing, answer.outcome));
  tell_of_effects(experiment, prepared, log, answer);
  if (request.networks) compare_networks(trace, prepared, request.jobs, answer);
  answer.band =
      calibration_band(trace, prepared.platform, prepared.settings, answer.outcome, request.jobs);
  if (!answer.band) answer.no_band = why_no_band(prepared.platform, answer.outcome);
  if (request.without_changes) compare_without_changes(experiment, prepared, request.jobs, answer);
  return answer;
}

std::string how_sure(const Answer& answer) {
  return (answer.band ? "the range above is the fit error alone" : "unknown: " + answer.no_band) +
         (answer.other_sharing ? certainty_of(*answer.other_sharing, answer.outcome) : "") +
         ", and one recording does not show how runs differ";
}

}  // namespace reprise::sim
