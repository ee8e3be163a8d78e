// SPDX-License-Identifier: MIT
#include "sim/experiment/answer.hpp"
#include "sim/experiment/replaced_algorithms.hpp"
#include "sim/text/losses.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;

ordered_json networks_json(const Answer& answer) {
  auto rows = ordered_json::array();
  for (const auto& row : answer.networks) {
    rows.push_back({{"network", row.network},
                    {"predicted_time_s", row.predicted.value},
                    {"ratio_to_flow", row.ratio},
                    {"error_bound_s", row.error_bound.value},
                    {"mean_wait_s", row.mean_wait.value}});
    if (answer.cost) rows.back()["cpu_s"] = row.cpu_time.value;
  }
  return rows;
}

ordered_json scenarios_json(const std::vector<Scenario>& scenarios) {
  auto rows = ordered_json::array();
  for (const auto& scenario : scenarios)
    rows.push_back(
        {{"name", scenario.name}, {"question", scenario.question}, {"file", scenario.file}});
  return rows;
}

// Means over the ranks, as compute_s is.
void add_memory(ordered_json& json, const Outcome& outcome) {
  if (outcome.memory.nodes == 0) return;
  const auto ranks = static_cast<double>(outcome.ranks.size());
  json["memory"] = {{"time_s", outcome.memory.time.value / ranks},
                    {"longer_s", outcome.memory.longer.value / ranks},
                    {"nodes", outcome.memory.nodes}};
}

void add_recorded_computing(ordered_json& json, const Answer& answer) {
  if (const auto& left_out = answer.preemption_left_out)
    json["preemption_left_out"] = {{"rank", left_out->rank.value},
                                   {"preempted_s", left_out->preempted.value},
                                   {"share", left_out->share}};
  json["computes_as_recorded"] = answer.computes_as_recorded;
  if (answer.sharing)
    json["node_sharing"] = {{"recorded", answer.sharing->recorded},
                            {"replayed", answer.sharing->replayed}};
}

void add_band(ordered_json& json, const Answer& answer) {
  if (answer.means) json["mean_times_predicted_s"] = answer.means->predicted.value;
  if (answer.other_sharing)
    json["other_sharing"] = {{"network", name_of(answer.other_sharing->network)},
                             {"predicted_time_s", answer.other_sharing->predicted.value},
                             {"noticed", answer.other_sharing->is_noticed}};
  if (answer.in_calls)
    json["progress_in_calls"] = {{"predicted_time_s", answer.in_calls->predicted.value},
                                 {"settled", answer.in_calls->is_settled},
                                 {"noticed", answer.in_calls->is_noticed}};
  if (answer.band)
    json["calibration"] = {{"uncertainty", answer.band->uncertainty},
                           {"low_s", answer.band->low.value},
                           {"high_s", answer.band->high.value}};
}

}  // namespace

void add_without_changes(ordered_json& json, const Answer& answer) {
  if (!answer.without_changes) return;
  const WithoutChanges& found = *answer.without_changes;
  json["without_changes"] = {{"predicted_time_s", found.predicted.value},
                             {"ratio", found.ratio},
                             {"low", nullptr},
                             {"high", nullptr}};
  if (found.bounds) {
    json["without_changes"]["low"] = found.bounds->low;
    json["without_changes"]["high"] = found.bounds->high;
  }
}

ordered_json ranks_json(const Outcome& outcome) {
  auto ranks = ordered_json::array();
  for (const auto& rank : outcome.ranks)
    ranks.push_back({{"rank", rank.rank.value},
                     {"compute_s", rank.compute.value},
                     {"communication_s", rank.communication.value},
                     {"wait_s", rank.wait.value},
                     {"finish_s", rank.finish.value}});
  return ranks;
}

ordered_json details_json(const Answer& answer) {
  auto json = ordered_json::object();
  for (const auto& [detail, figure] : answer.details)
    json[std::string(detail->key)] = figure->json();
  return json;
}

ordered_json summary_json(const Answer& answer) {
  const Outcome& outcome = answer.outcome;
  const RankTimes mean = mean_times(outcome);
  ordered_json json = {{"predicted_time_s", outcome.predicted_time.value},
                       {"nodes_used", answer.nodes_used},
                       {"compute_s", mean.compute.value},
                       {"communication_s", mean.communication.value},
                       {"wait_s", mean.wait.value},
                       {"load_balance", load_balance(outcome)},
                       {"operations", outcome.operations},
                       {"messages", outcome.messages},
                       {"fast_forward",
                        {{"skipped_iterations", outcome.forwarded.skipped_iterations},
                         {"error_bound_s", outcome.forwarded.error_bound.value}}}};
  add_memory(json, outcome);
  add_recorded_computing(json, answer);
  add_band(json, answer);
  json["losses"] = losses_json(outcome.losses);
  json["no_effect"] = answer.no_effect;
  add_replaced(json, outcome);
  json["remarks"] = answer.remarks;
  return json;
}

ordered_json to_json(const Answer& answer, bool with_details) {
  const Outcome& outcome = answer.outcome;
  ordered_json json = {{"format", 1},
                       {"predicted_time_s", outcome.predicted_time.value},
                       {"network", outcome.network},
                       {"collectives", outcome.collectives},
                       {"deltas", answer.deltas},
                       {"seed", outcome.seed},
                       {"operations", outcome.operations},
                       {"messages", outcome.messages}};
  json["ranks"] = ranks_json(outcome);
  json["fast_forward"] = {{"skipped_iterations", outcome.forwarded.skipped_iterations},
                          {"error_bound_s", outcome.forwarded.error_bound.value},
                          {"reason", outcome.forwarded.reason}};
  if (outcome.noise.value > 0) json["noise_s"] = outcome.noise.value;
  add_memory(json, outcome);
  add_recorded_computing(json, answer);
  if (!answer.networks.empty()) json["networks"] = networks_json(answer);
  add_band(json, answer);
  json["how_sure"] = how_sure(answer);
  add_without_changes(json, answer);
  if (with_details) json.update(details_json(answer));
  json["losses"] = losses_json(outcome.losses);
  json["trace"] = answer.trace_path;
  if (!answer.trace_key.empty()) json["trace_key"] = answer.trace_key;
  if (!answer.version.empty()) json["versions"] = {{"reprise", answer.version}};
  json["platform"] = answer.machine;
  json["nodes_used"] = answer.nodes_used;
  json["placement"] = answer.placement;
  if (answer.node_order != platforms::NodeOrder{})
    json["node_order"] = platforms::name_of(answer.node_order);
  json["scenarios"] = scenarios_json(answer.scenarios);
  json["changes"] = answer.changes;
  json["no_effect"] = answer.no_effect;
  add_replaced(json, outcome);
  json["remarks"] = answer.remarks;
  if (answer.cost)
    json["simulation"] = {{"cpu_s", answer.cost->cpu_time.value},
                          {"peak_rss_bytes", answer.cost->peak_memory.value},
                          {"messages_per_cpu_s", messages_per_second(answer)}};
  return json;
}

double messages_per_second(const Answer& answer) {
  const double cpu_s = answer.cost ? answer.cost->cpu_time.value : 0;
  return cpu_s > 0 ? static_cast<double>(answer.outcome.messages) / cpu_s : 0;
}

}  // namespace reprise::sim
