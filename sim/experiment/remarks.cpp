// SPDX-License-Identifier: MIT
#include "sim/experiment/remarks.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platforms/interfaces.hpp"
#include "platforms/left_out.hpp"
#include "platforms/load.hpp"
#include "platforms/placement.hpp"
#include "platforms/routes.hpp"
#include "platforms/tree_use.hpp"
#include "sim/engine/compute/caller_rules.hpp"
#include "sim/engine/compute/matched_counts.hpp"
#include "sim/engine/compute/matched_functions.hpp"
#include "sim/experiment/free_combining.hpp"
#include "sim/experiment/platform_profiles.hpp"
#include "sim/experiment/recorded_computing.hpp"
#include "sim/experiment/replaced_algorithms.hpp"
#include "sim/experiment/unmeasured_sizes.hpp"
#include "sim/experiment/work_by_arrival.hpp"
#include "sim/text/disturbance.hpp"
#include "sim/text/numbers.hpp"
#include "trace-io/model/end_groups.hpp"
#include "trace-io/model/time_pools.hpp"

namespace reprise::sim {
namespace {

// "; ranks 0-2 had been in MPI_Recv at a.c:31 for 5.3 s when SIGTERM ended them", of the largest groups of ranks.
std::string ends_of_groups(const trace_io::Trace& trace) {
  constexpr std::size_t kMost = 3;
  const auto groups = trace_io::end_groups(trace);
  std::string text;
  for (std::size_t i = 0; i < std::min(groups.size(), kMost); ++i)
    text += "; " + trace_io::end_text(trace, groups[i]);
  return text + (groups.size() > kMost ? "; `reprise trace info` has the others" : "");
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
void remark_on_preemption(const Experiment& experiment, const ReplaySettings& settings,
                          Answer& answer) {
  const trace_io::Trace& trace = *experiment.trace;
  // Ranks that shared cores preempted each other, which says nothing of a machine with a core for each.
  if (const auto left_out = preemption_of(trace); left_out && left_out->share >= kLeftOut &&
                                                  settings.conditions.noise.empty() &&
                                                  !shared_cores(trace.header))
    answer.preemption_left_out = left_out;
  const auto found = disturbance_of(trace);
  if (!found) return;
  answer.is_of_disturbed_recording = true;
  answer.remarks.push_back(
      "the recording " + (experiment.is_one_of_several ? experiment.trace_path + " " : "") +
      "was disturbed: " + describe(*found) +
      (settings.conditions.noise.empty()
           ? "; the prediction leaves this out, so it cannot be compared with the recorded run "
             "time (--noise recorded puts back what interrupted computing, not what was lost "
             "inside MPI calls)"
           : "; noise interrupts computing alone, and what ranks lost inside MPI calls meanwhile "
             "is not known, so the prediction cannot be compared with the recorded run time") +
      remedy_of_disturbance(trace));
}

// Fast-forward foresees its bound from the iterations that it has replayed; those to come may differ more.
void remark_on_fast_forward(const ReplaySettings& settings, Answer& answer) {
  constexpr double kWide = 0.02;
  const double time = answer.outcome.predicted_time.value,
               bound = answer.outcome.forwarded.error_bound.value;
  if (!(bound > std::max(kWide, 2 * settings.forward_within) * time)) return;
  answer.remarks.push_back(formatted(
      "fast-forward left out iterations that differ more than those before had shown: the run time "
      "is known to %.2g%% only; --no-fast-forward replays all",
      100 * bound / time));
}

// What ranks take from each other on their nodes. Whether it is known both how much the program moves and what a node's memory can; what came
// of it.
void remark_on_memory(const Experiment& experiment, const Prepared& prepared, Answer& answer) {
  const auto& places = answer.outcome.used.places;
  const bool is_said = std::any_of(places.begin(), places.end(), [&](const auto& place) {
    return prepared.platform.nodes.memory_bandwidth_of(place.node).has_value();
  });
  const bool is_asked = prepared.settings.memory_traffic.value > 0;
  const MemoryBound& bound = answer.outcome.memory;
  if (const auto sharing = node_sharing(experiment.trace->header, prepared, answer.outcome);
      sharing && sharing->is_other() && !(is_asked && is_said)) {
    answer.sharing = sharing;
    answer.remarks.push_back(describe(*sharing));
  }
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

// Who changes the latency of links, and what would change the overheads.
struct LatencyChange {
  std::string who, remedy;  // "--latency", "--overhead scales"
};
std::optional<LatencyChange> latency_change(const Experiment& experiment) {
  if (experiment.overhead) return std::nullopt;
  std::optional<LatencyChange> found;
  if (experiment.latency && *experiment.latency > 0)
    found = LatencyChange{"--latency", "--overhead scales"};
  const std::string remedy = "changes of /mpi/send_overhead and /mpi/recv_overhead scale";
  std::vector<Change> changes = experiment.changes;
  for (const auto& scenario : experiment.scenarios)
    changes.insert(changes.end(), scenario.changes.begin(), scenario.changes.end());
  for (const Change& change : changes)
    if (const auto* setting = std::get_if<SettingChange>(&change.what)) {
      if (setting->pointer.find("overhead") != std::string::npos) return std::nullopt;
      if (setting->pointer == "/network/link/latency" && setting->multiply_by.value_or(1) != 1 &&
          *setting->multiply_by > 0)
        found = LatencyChange{describe(change), remedy};
    } else if (const auto* link = std::get_if<LinkChange>(&change.what);
               link != nullptr && link->latency != 1) {
      found = LatencyChange{describe(change), remedy};
    }
  return found;
}

// --latency scales links; what a small message takes may be overheads for the most part.
void remark_on_latency(const Experiment& experiment, const Prepared& prepared, Answer& answer) {
  const auto& places = answer.outcome.used.places;
  const auto change = latency_change(experiment);
  if (!change || places.empty()) return;
  const auto other = std::ranges::find_if(
      places, [&](const auto& place) { return place.node != places.front().node; });
  if (other == places.end()) return;
  // Without the changes, where the nodes are the same then.
  const auto before = platforms::parse_platform(experiment.machine);
  if (before.nodes.count != prepared.platform.nodes.count ||
      before.nodes.cores != prepared.platform.nodes.cores)
    return;
  const platforms::RouteTable routes(before);
  const auto end_of = [&](const platforms::RankLocation& place) {
    return before.end_of(place.node, place.core);
  };
  platforms::Route route;
  routes.find_route(end_of(places.front()), end_of(*other), route);
  const Seconds links = route.latency,
                overheads = before.mpi.send_overhead + before.mpi.recv_overhead;
  if (overheads.value <= links.value) return;
  answer.remarks.push_back(
      change->who + " scales the links' latency alone: of the " + duration_text(links + overheads) +
      " that a message without data takes without it, " + duration_text(overheads) +
      " are overheads of sending and receiving, which " + change->remedy);
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
  const std::string full = platform.network
                               ? platforms::lack_of_room(platform.network->topology,
                                                         static_cast<platforms::NodeIndex>(ranks))
                               : "";
  answer.remarks.push_back(
      counted(ranks, "rank") + " on " + counted(nodes, "node") + ": up to " +
      counted((ranks + nodes - 1) / nodes, "rank") + " share a node (" +
      (full.empty() ? "--set /nodes/count=" + std::to_string(ranks) + " makes the machine larger"
                    : full) +
      ")");
}

// Which messages receives from any source took, once; and that the work stays where it was, except on the unchanged machine of the
// recording, where the recorded order is the program's own.
void remark_on_wildcards(const Experiment& experiment, Answer& answer) {
  const Outcome& outcome = answer.outcome;
  const bool is_elsewhere = !experiment.is_recorded_machine || has_changes(experiment);
  std::string text;
  if (outcome.wildcards_as_recorded)
    text =
        "the simulated matching order of wildcard receives deadlocks, so they matched as recorded";
  else if (outcome.reordered_wildcards > 0)
    text = grouped(outcome.reordered_wildcards) +
           (outcome.reordered_wildcards == 1 ? " receive or probe" : " receives or probes") +
           " of MPI_ANY_SOURCE matched another message than when recorded, because it arrived "
           "first (--wildcards recorded keeps the recorded order)";
  else if (outcome.kept_wildcards && is_elsewhere)
    text = experiment.settings.wildcards == Wildcards::recorded
               ? "receives and probes of MPI_ANY_SOURCE matched as recorded (--wildcards simulated "
                 "lets blocking ones take what arrives first)"
               : "receives of MPI_ANY_SOURCE that the replay cannot reorder (such as non-blocking "
                 "ones) matched as recorded";
  const bool tells_work = !text.empty() && (is_elsewhere || outcome.reordered_wildcards > 0);
  if (tells_work)
    text +=
        "; each rank computes what it computed when recorded, even if a master would have "
        "distributed work in another order";
  if (!text.empty()) answer.remarks.push_back(std::move(text));
  if (!is_elsewhere) return;
  if (std::string work = describe(work_by_arrival(*answer.trace), *answer.trace, tells_work);
      !work.empty())
    answer.remarks.push_back(std::move(work));
}

// What can be told only once the replay has been run.
void remark_on_outcome(const Experiment& experiment, Answer& answer) {
  const Outcome& outcome = answer.outcome;
  remark_on_wildcards(experiment, answer);
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

}  // namespace

void remark_on_settings(const Experiment& experiment, const Prepared& prepared, Answer& answer) {
  const auto& header = experiment.trace->header;
  const auto& settings = prepared.settings;
  remark_on_cores(header, prepared.platform, settings.placement, answer);
  remark_on_preemption(experiment, settings, answer);
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
  for (const std::string& remark : prepared.platform.remarks)
    answer.remarks.push_back("platform " + prepared.platform.name + ": " + remark);
  if (!header.complete)
    answer.remarks.push_back("the trace is incomplete: the program ended before MPI_Finalize" +
                             ends_of_groups(*experiment.trace));
  if (!experiment.trace->pools.empty())
    answer.remarks.push_back(trace_io::pools_text(*experiment.trace) +
                             ", sums over all calls are exact");
}

void remark_on_replay(const Experiment& experiment, const Prepared& prepared, Answer& answer) {
  for (std::string& what : profiles_outrun(prepared.platform, answer.outcome.predicted_time))
    answer.remarks.push_back(std::move(what));
  remark_on_functions(*experiment.trace, prepared.settings, answer);
  remark_on_one_node(prepared.platform, answer);
  remark_on_shared_nodes(experiment, prepared.platform, answer);
  for (std::string& remark : platforms::remarks_on_tree(prepared.platform, answer.outcome.used))
    answer.remarks.push_back(std::move(remark));
  for (std::string& remark :
       platforms::remarks_on_interfaces(prepared.platform, answer.outcome.used))
    answer.remarks.push_back(std::move(remark));
  for (std::string& remark : describe_unmeasured_sizes(prepared.platform, answer.outcome))
    answer.remarks.push_back(std::move(remark));
  for (std::string& remark : describe_replaced(answer.outcome))
    answer.remarks.push_back(std::move(remark));
  remark_on_latency(experiment, prepared, answer);
  if (auto remark = describe_free_combining(*experiment.trace, prepared.platform, answer.outcome);
      !remark.empty())
    answer.remarks.push_back(std::move(remark));
  remark_on_outcome(experiment, answer);
  answer.computes_as_recorded = computes_as_recorded(prepared, answer.outcome);
  remark_on_memory(experiment, prepared, answer);
  remark_on_fast_forward(prepared.settings, answer);
}

}  // namespace reprise::sim
