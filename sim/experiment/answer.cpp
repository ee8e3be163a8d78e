// SPDX-License-Identifier: MIT
#include "sim/experiment/answer.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "platforms/placement.hpp"
#include "sim/experiment/details/links.hpp"
#include "sim/experiment/own_machine.hpp"
#include "sim/experiment/placement_search.hpp"
#include "sim/experiment/remarks.hpp"
#include "sim/processes/at_once.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/text/losses.hpp"
#include "sim/text/numbers.hpp"

namespace reprise::sim {
namespace {

std::string nodes_text(const platforms::Nodes& nodes) {
  return counted(nodes.count, "node") + " of " + counted(nodes.cores, "core");
}

// Of the machine of the recording, what it was and what changes have made of its nodes.
std::string machine_text(const Experiment& experiment, const platforms::Platform& platform) {
  if (!experiment.is_recorded_machine)
    return platform.name + " (" + nodes_text(platform.nodes) + ")";
  std::string text = describe_own_machine(*experiment.trace);
  const auto before = platforms::parse_platform(experiment.machine).nodes;
  if (before.count != platform.nodes.count || before.cores != platform.nodes.cores)
    text.insert(text.find(')'), ", changed to " + nodes_text(platform.nodes));
  return text;
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

// A replay beyond the first: where it fails, the answer stands, and a remark says what is missing and why. Other errors (a process that was
// killed, no memory) end the command.
template <class Replays>
void try_further(const std::string& missing, Answer& answer, Replays replays) {
  try {
    replays();
  } catch (const ReplayError& error) {
    answer.remarks.push_back("no " + missing + ", whose replay failed: " + error.where() + ": " +
                             error.problem());
  }
}

void compare_with_means(const trace_io::Trace& trace, const Prepared& prepared, Answer& answer) {
  try_further("comparison with mean compute times", answer, [&] {
    answer.means = with_mean_times(trace, prepared.platform, prepared.settings, answer.outcome);
  });
  if (answer.means)
    answer.remarks.push_back(
        describe(*answer.means, answer.outcome, trace, prepared.settings.deltas));
}

void compare_with_other_sharing(const trace_io::Trace& trace, const Prepared& prepared,
                                Answer& answer) {
  const auto network = other_sharing(prepared.settings.network);
  if (!network) return;
  try_further("comparison with network " + std::string(name_of(*network)), answer, [&] {
    answer.other_sharing =
        with_other_sharing(trace, prepared.platform, prepared.settings, answer.outcome);
  });
  if (answer.other_sharing && answer.other_sharing->is_noticed)
    answer.remarks.push_back(describe(*answer.other_sharing, answer.outcome));
}

void compare_with_progress_in_calls(const trace_io::Trace& trace, const Prepared& prepared,
                                    Answer& answer) {
  try_further("comparison with progress in MPI calls only", answer, [&] {
    answer.in_calls = with_progress_in_calls(trace, prepared.document, prepared.platform,
                                             prepared.settings, answer.outcome);
  });
  if (answer.in_calls && answer.in_calls->is_noticed)
    answer.remarks.push_back(describe(*answer.in_calls, answer.outcome));
}

void find_band(const trace_io::Trace& trace, const Prepared& prepared, std::size_t jobs,
               Answer& answer) {
  answer.no_band = why_no_band(prepared.platform, answer.outcome);
  try {
    answer.band =
        calibration_band(trace, prepared.platform, prepared.settings, answer.outcome, jobs);
  } catch (const ReplayError& error) {
    answer.no_band =
        "a replay with the messages' costs at the ends of the fit error failed: " + error.problem();
  }
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

// Of the machine of the recording the hosts' names, of others the nodes', or "node7" where they have none.
std::vector<std::string> hosts_of(const Experiment& experiment, const platforms::Platform& platform,
                                  const Outcome& outcome) {
  const auto& hosts = experiment.trace->header.hosts;
  std::vector<std::string> names;
  for (const auto& place : outcome.used.places)
    if (place.node < platform.nodes.names.size())
      names.push_back(platform.nodes.names[place.node]);
    else if (experiment.is_recorded_machine && place.node < hosts.size())
      names.push_back(hosts[place.node].name);
    else
      names.push_back("node" + std::to_string(place.node));
  return names;
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
      names += (names.empty() ? "" : "; ") + loss.name + ", " +
               loss_count_text(loss.name, loss.count) + share_text(loss, all);
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
  const bool is_whole = !request.estimated_parts &&
                        (watched.path || watched.slopes || watched.delays || watched.iterations);
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
  answer.trace_key = experiment.trace_key;
  answer.version = experiment.version;
  answer.deltas = name_of(experiment.settings.deltas);
  answer.scenarios = experiment.scenarios;
  ChangeLog log(experiment.machine);
  Prepared prepared = prepare(experiment, &log);
  answer.platform = prepared.platform.name;
  answer.machine = machine_text(experiment, prepared.platform);
  answer.placement = log.placement;
  answer.node_order = prepared.settings.placement.node_order;
  answer.changes = log.changes;
  answer.remarks = log.remarks;
  answer.is_of_recorded_machine = experiment.is_recorded_machine;
  search(trace, prepared.platform, prepared.settings.placement, answer);
  remark_on_settings(experiment, prepared, answer);
  replay_into(answer, trace, prepared.platform, prepared.settings, request);
  remark_on_replay(experiment, prepared, answer);
  if (request.rank_calls) answer.hosts = hosts_of(experiment, prepared.platform, answer.outcome);
  if (request.mean_times) compare_with_means(trace, prepared, answer);
  if (request.other_sharing && !request.networks)
    compare_with_other_sharing(trace, prepared, answer);
  if (request.progress) compare_with_progress_in_calls(trace, prepared, answer);
  tell_of_effects(experiment, prepared, log, answer);
  if (request.networks) compare_networks(trace, prepared, request.jobs, answer);
  find_band(trace, prepared, request.jobs, answer);
  if (request.without_changes) compare_without_changes(experiment, prepared, request.jobs, answer);
  return answer;
}

std::string how_sure(const Answer& answer) {
  return (answer.band ? "the range above is the fit error alone" : "unknown: " + answer.no_band) +
         (answer.other_sharing && answer.other_sharing->is_noticed
              ? certainty_of(*answer.other_sharing, answer.outcome)
              : "") +
         (answer.in_calls && answer.in_calls->is_noticed
              ? certainty_of(*answer.in_calls, answer.outcome)
              : "") +
         (answer.is_of_disturbed_recording ? "; the recording was disturbed (see the notes)"
          : answer.preemption_left_out ? formatted("; what preempted the recording (rank %d for "
                                                   "%.2g%% of its run time) is left out",
                                                   answer.preemption_left_out->rank.value,
                                                   100 * answer.preemption_left_out->share)
                                       : "") +
         (answer.computes_as_recorded && !answer.is_of_recorded_machine
              ? "; processors are taken to be as fast as the recording's"
              : "") +
         ", and one recording does not show how runs differ";
}

}  // namespace reprise::sim
