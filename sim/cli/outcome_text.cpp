// SPDX-License-Identifier: MIT
#include "sim/cli/outcome_text.hpp"

#include <algorithm>

#include "sim/cli/json_text.hpp"
#include "sim/cli/trace_text.hpp"
#include "sim/cli/words.hpp"

namespace reprise::cli {
namespace {

constexpr std::size_t kShownRanks = 16;

std::string rank_row(const std::string& label, double compute, double communication, double wait,
                     double finish) {
  return formatted("%10s  %12.6f  %13.6f  %12.6f  %12.6f\n", label.c_str(), compute, communication,
                   wait, finish);
}

std::string rank_table(const sim::Outcome& outcome, bool every_rank) {
  std::string text = formatted("%10s  %12s  %13s  %12s  %12s\n", "rank", "compute s",
                               "communicate s", "wait s", "finish s");
  const std::size_t shown =
      every_rank ? outcome.ranks.size() : std::min(outcome.ranks.size(), kShownRanks);
  double compute = 0, communication = 0, wait = 0, finish = 0;
  for (std::size_t i = 0; i < outcome.ranks.size(); ++i) {
    const auto& rank = outcome.ranks[i];
    if (i < shown)
      text += rank_row(std::to_string(rank.rank.value), rank.compute.value,
                       rank.communication.value, rank.wait.value, rank.finish.value);
    compute += rank.compute.value;
    communication += rank.communication.value;
    wait += rank.wait.value;
    finish += rank.finish.value;
  }
  if (shown < outcome.ranks.size())
    text += formatted("%10s  (%zu more ranks: --every-rank)\n", "…", outcome.ranks.size() - shown);
  const double ranks = static_cast<double>(std::max<std::size_t>(1, outcome.ranks.size()));
  text += rank_row("mean", compute / ranks, communication / ranks, wait / ranks, finish / ranks);
  if (finish > 0)
    text += formatted("%10s  %11.1f%%  %12.1f%%  %11.1f%%\n", "share", 100 * compute / finish,
                      100 * communication / finish, 100 * wait / finish);
  return text;
}

// How long the recorded run took, as far as it can be compared.
std::string recorded_text(const trace_io::Header& header) {
  if (header.elapsed.value == 0) return "unknown";
  return seconds_text(header.elapsed.seconds()) +
         (header.clock == trace_io::Clock::cpu ? "  (wall; computing was recorded in CPU time)"
                                               : "") +
         (header.complete ? "" : "  (incomplete trace)");
}

double messages_per_second(const sim::Outcome& outcome, const SimulationCost& cost) {
  return cost.cpu_s > 0 ? static_cast<double>(outcome.messages) / cost.cpu_s : 0;
}

std::string network_table(const ReportContext& context, bool with_cost) {
  if (context.networks.empty()) return "";
  std::string text = formatted("\n%12s  %14s  %10s", "network", "predicted s", "to flow") +
                     formatted("  %10s  %12s", "off by s", "mean wait s") +
                     (with_cost ? "       CPU s\n" : "\n");
  for (const auto& row : context.networks) {
    text += formatted("%12s  %14.9f  %10.6f  %10.3g  %12.6f", row.network.c_str(), row.predicted_s,
                      row.ratio, row.error_bound_s, row.mean_wait_s);
    text += with_cost ? formatted("  %10.3f\n", row.cpu_s) : "\n";
  }
  return text;
}

}  // namespace

std::string outcome_text(const sim::Outcome& outcome, const trace_io::Header& header,
                         const ReportContext& context, bool every_rank,
                         const std::optional<SimulationCost>& cost, const std::string& more) {
  std::string text = "predicted run time  " + seconds_text(outcome.predicted_time) + "\n";
  if (context.band)
    text += formatted(
        "within              %.6f … %.6f s, as messages cost %.1f%% less or more: how far the "
        "platform is from its measurements\n",
        context.band->low_s, context.band->high_s, 100 * context.band->uncertainty);
  text += "recorded run time   " + recorded_text(header) + "\n";
  text += "on                  " + context.machine + ", " + context.placement + " placement, " +
          outcome.network + " network\n";
  text += "collectives         " +
          std::string(outcome.collectives == "simple" ? "the simple algorithms"
                                                      : "as " + outcome.collectives) +
          "\n";
  for (const auto& scenario : context.scenarios)
    text += "scenario            " + scenario.name +
            (scenario.question.empty() ? "" : ": " + scenario.question) + "\n";
  for (const auto& change : context.changes) text += "changed             " + change + "\n";
  text += "replayed            " + counted(outcome.operations, "MPI call") + " of " +
          counted(static_cast<std::uint64_t>(header.ranks), "rank") + ", " +
          counted(outcome.messages, "message") + "\n";
  if (outcome.noise.value > 0)
    text += "noise               " + seconds_text(outcome.noise) + " of computing over all ranks\n";
  if (outcome.forwarded.skipped_iterations > 0)
    text += "fast-forwarded      " +
            counted(outcome.forwarded.skipped_iterations, "loop iteration") + ", " +
            formatted("off by at most %.3g s\n", outcome.forwarded.error_bound.value);
  else if (outcome.forwarded.was_refused)
    text += "not fast-forwarded  " + outcome.forwarded.reason + "\n";
  if (cost)
    text += formatted("simulated in        %.3f s of CPU, %.1f MB, %.0f messages per CPU second\n",
                      cost->cpu_s, static_cast<double>(cost->peak_rss_bytes) * 1e-6,
                      messages_per_second(outcome, *cost));
  text += network_table(context, cost.has_value());
  text += "\n" + rank_table(outcome, every_rank) + more;
  for (const auto& fact : context.no_effect) text += "\nno effect: " + fact + "\n";
  for (const auto& remark : context.remarks) text += "\nnote: " + remark + "\n";
  std::string losses;
  for (const auto& loss : outcome.losses) {
    losses += "  " + std::string(name_of(loss.severity)) + ": " + loss.name + ", " +
              counted(loss.count, "time");
    if (loss.time.value > 0)
      losses +=
          ", " + seconds_text(loss.time.seconds()) + " over all ranks" + share_text(loss, outcome);
    losses += "\n";
  }
  return text + (losses.empty() ? "" : "\nnot represented:\n" + losses);
}

std::string share_text(const trace_io::Loss& loss, const sim::Outcome& outcome) {
  double finish = 0;
  for (const auto& rank : outcome.ranks) finish += rank.finish.value;
  if (loss.time.value <= 0 || finish <= 0) return "";
  return formatted(" (%.3g%% of their time)", 100 * loss.time.seconds().value / finish);
}

nlohmann::ordered_json ranks_json(const sim::Outcome& outcome) {
  auto ranks = nlohmann::ordered_json::array();
  for (const auto& rank : outcome.ranks)
    ranks.push_back({{"rank", rank.rank.value},
                     {"compute_s", rank.compute.value},
                     {"communication_s", rank.communication.value},
                     {"wait_s", rank.wait.value},
                     {"finish_s", rank.finish.value}});
  return ranks;
}

std::string outcome_json(const sim::Outcome& outcome, const ReportContext& context,
                         const std::optional<SimulationCost>& cost,
                         const nlohmann::ordered_json& more) {
  nlohmann::ordered_json answer = {{"format", 1},
                                   {"predicted_time_s", outcome.predicted_time.value},
                                   {"network", outcome.network},
                                   {"collectives", outcome.collectives},
                                   {"seed", outcome.seed},
                                   {"operations", outcome.operations},
                                   {"messages", outcome.messages}};
  answer["ranks"] = ranks_json(outcome);
  answer["fast_forward"] = {{"skipped_iterations", outcome.forwarded.skipped_iterations},
                            {"error_bound_s", outcome.forwarded.error_bound.value},
                            {"reason", outcome.forwarded.reason}};
  if (outcome.noise.value > 0) answer["noise_s"] = outcome.noise.value;
  if (!context.networks.empty()) {
    auto networks = nlohmann::ordered_json::array();
    for (const auto& row : context.networks) {
      networks.push_back({{"network", row.network},
                          {"predicted_time_s", row.predicted_s},
                          {"ratio_to_flow", row.ratio},
                          {"error_bound_s", row.error_bound_s},
                          {"mean_wait_s", row.mean_wait_s}});
      if (cost) networks.back()["cpu_s"] = row.cpu_s;
    }
    answer["networks"] = std::move(networks);
  }
  if (context.band)
    answer["calibration"] = {{"uncertainty", context.band->uncertainty},
                             {"low_s", context.band->low_s},
                             {"high_s", context.band->high_s}};
  answer.update(more);
  answer["losses"] = losses_json(outcome.losses);
  answer["trace"] = context.trace_path;
  answer["platform"] = context.machine;
  answer["placement"] = context.placement;
  auto scenarios = nlohmann::ordered_json::array();
  for (const auto& scenario : context.scenarios)
    scenarios.push_back(
        {{"name", scenario.name}, {"question", scenario.question}, {"file", scenario.file}});
  answer["scenarios"] = std::move(scenarios);
  answer["changes"] = context.changes;
  answer["no_effect"] = context.no_effect;
  answer["remarks"] = context.remarks;
  if (cost)
    answer["simulation"] = {{"cpu_s", cost->cpu_s},
                            {"peak_rss_bytes", cost->peak_rss_bytes},
                            {"messages_per_cpu_s", messages_per_second(outcome, *cost)}};
  return json_text(answer);
}

}  // namespace reprise::cli
