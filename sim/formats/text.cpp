// SPDX-License-Identifier: MIT
// An answer for a terminal.
#include <algorithm>

#include "sim/formats/format.hpp"
#include "sim/recorded_machine.hpp"
#include "sim/text/losses.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/recorded_time.hpp"

namespace reprise::sim {
namespace {

constexpr std::size_t kShownRanks = 16;

std::string rank_row(const std::string& label, double compute, double communication, double wait,
                     double finish) {
  return formatted("%10s  %12.6f  %13.6f  %12.6f  %12.6f\n", label.c_str(), compute, communication,
                   wait, finish);
}

std::string rank_table(const Outcome& outcome, bool every_rank) {
  std::string text = formatted("%10s  %12s  %13s  %12s  %12s\n", "rank", "compute s",
                               "communicate s", "wait s", "finish s");
  const std::size_t shown =
      every_rank ? outcome.ranks.size() : std::min(outcome.ranks.size(), kShownRanks);
  for (std::size_t i = 0; i < shown; ++i) {
    const auto& rank = outcome.ranks[i];
    text += rank_row(std::to_string(rank.rank.value), rank.compute.value, rank.communication.value,
                     rank.wait.value, rank.finish.value);
  }
  if (shown < outcome.ranks.size())
    text += formatted("%10s  (%zu more ranks: --every-rank)\n", "…", outcome.ranks.size() - shown);
  const RankTimes sum = total_times(outcome), mean = mean_times(outcome);
  text += rank_row("mean", mean.compute.value, mean.communication.value, mean.wait.value,
                   mean.finish.value);
  if (sum.finish.value > 0)
    text += formatted(
        "%10s  %11.1f%%  %12.1f%%  %11.1f%%\n", "share", 100 * sum.compute.value / sum.finish.value,
        100 * sum.communication.value / sum.finish.value, 100 * sum.wait.value / sum.finish.value);
  return text;
}

// How long the recorded run took, as far as it can be compared.
std::string recorded_text(const trace_io::Trace& trace) {
  const auto& header = trace.header;
  if (header.elapsed.value == 0) return "unknown";
  std::string text = seconds_text(header.elapsed.seconds());
  const bool is_cpu = header.clock == trace_io::Clock::cpu;
  if (const std::string hang = hang_text(trace); !hang.empty())
    text += std::string(is_cpu ? "  (wall; " : "  (") + hang + "; a rank computed " +
            seconds_text(mean_computing(trace)) + " of it in the mean" +
            (is_cpu ? ", in CPU time)" : ")");
  else if (was_oversubscribed(header))
    text += std::string(is_cpu ? "  (wall, " : "  (") +
            "not comparable: the recording had more ranks than cores, so ranks waited for cores; a "
            "rank computed " +
            seconds_text(mean_computing(trace)) + " of it in the mean" +
            (is_cpu ? ", in CPU time)" : ")");
  else if (is_cpu)
    text += "  (wall; computing was recorded in CPU time)";
  return text + (header.complete ? "" : "  (incomplete trace)");
}

std::string network_table(const Answer& answer) {
  if (answer.networks.empty()) return "";
  std::string text = formatted("\n%12s  %14s  %10s", "network", "predicted s", "to flow") +
                     formatted("  %10s  %12s", "off by s", "mean wait s") +
                     (answer.cost ? "       CPU s\n" : "\n");
  for (const auto& row : answer.networks) {
    text += formatted("%12s  %14.9f  %10.6f  %10.3g  %12.6f", row.network.c_str(),
                      row.predicted.value, row.ratio, row.error_bound.value, row.mean_wait.value);
    text += answer.cost ? formatted("  %10.3f\n", row.cpu_time.value) : "\n";
  }
  return text;
}

// "16 of 32 nodes".
std::string nodes_text(const Answer& answer) {
  return answer.nodes_used == answer.nodes
             ? counted(answer.nodes, "node")
             : grouped(answer.nodes_used) + " of " + counted(answer.nodes, "node");
}

// What was replayed on what, and how: a line each.
std::string heading(const Answer& answer) {
  const Outcome& outcome = answer.outcome;
  const auto& header = answer.trace->header;
  std::string text = "predicted run time  " + seconds_text(outcome.predicted_time) + " on " +
                     nodes_text(answer) +
                     (header.complete ? "" : ", of the part that was recorded") + "\n";
  if (answer.band) text += "within              " + band_text(*answer.band) + "\n";
  text += "recorded run time   " + recorded_text(*answer.trace) + "\n";
  text += "on                  " + answer.machine + ", " + answer.placement + " placement, " +
          outcome.network + " network\n";
  text += "collectives         " +
          std::string(outcome.collectives == "simple" ? "the simple algorithms"
                                                      : "as " + outcome.collectives) +
          "\n";
  if (answer.deltas != kDeltasNames.front())
    text += "compute times       --deltas " + std::string(answer.deltas) + "\n";
  for (const auto& scenario : answer.scenarios)
    text += "scenario            " + scenario.name +
            (scenario.question.empty() ? "" : ": " + scenario.question) + "\n";
  for (const auto& change : answer.changes) text += "changed             " + change + "\n";
  if (answer.without_changes)
    text += "without changes     " + describe(*answer.without_changes) + "\n";
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
  text += "how sure            " + how_sure(answer) + "\n";
  if (answer.cost)
    text += formatted("simulated in        %.3f s of CPU, %.1f MB, %.0f messages per CPU second\n",
                      answer.cost->cpu_time.value,
                      static_cast<double>(answer.cost->peak_memory.value) * 1e-6,
                      messages_per_second(answer));
  return text;
}

}  // namespace

std::string band_text(const CalibrationBand& band) {
  const std::string range =
      formatted("%.6f … %.6f s, if messages take ", band.low.value, band.high.value);
  // The band is of messages at 1 / (1 + uncertainty) and at (1 + uncertainty) of their cost; small uncertainties are as much less as more.
  constexpr double kMostAsShare = 0.5;
  if (band.uncertainty > kMostAsShare)
    return range + formatted(
                       "between 1/%.2g and %.2g times as long (the platform's fit error: calibrate "
                       "it again on a quiet machine)",
                       1 + band.uncertainty, 1 + band.uncertainty);
  return range +
         formatted("%.1f%% less or more time (the platform's fit error)", 100 * band.uncertainty);
}

std::string limits_text(const Answer& answer) {
  std::string text;
  for (const auto& fact : answer.no_effect) text += "\nno effect: " + fact + "\n";
  for (const auto& remark : answer.remarks)
    text += (remark.starts_with(kWarning) ? "\n" : "\nnote: ") + remark + "\n";
  return text +
         losses_text(answer.outcome.losses,
                     time_of_losses(answer.trace->header, total_times(answer.outcome).finish));
}

extern const Format kText = {.name = "text",
                             .write = [](const Answer& answer, const Presentation& shown) {
                               std::string text = heading(answer) + network_table(answer) + "\n" +
                                                  rank_table(answer.outcome, shown.every_rank);
                               if (shown.details)
                                 for (const auto& [detail, figure] : answer.details)
                                   text += figure->text();
                               return text + limits_text(answer);
                             }};

}  // namespace reprise::sim
