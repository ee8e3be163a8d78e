// SPDX-License-Identifier: MIT
// What `reprise trace check` prints.
#include <algorithm>
#include <functional>

#include "sim/cli/trace_actions.hpp"
#include "sim/text/losses.hpp"
#include "sim/text/tables.hpp"

namespace reprise::cli {

std::string findings_text(const std::string& path, const std::vector<trace_io::Finding>& findings,
                          bool whole_program) {
  if (findings.empty()) return path + ": clean\n";
  std::string text;
  for (const auto& finding : findings)
    text += path + ": " + std::string(severity_name(finding.severity)) + ": " +
            (finding.where.empty() ? "" : finding.where + ": ") + finding.problem + "\n";
  if (std::all_of(findings.begin(), findings.end(), std::mem_fn(&trace_io::Finding::is_loss)))
    text += path + (whole_program ? ": consistent, but not the whole program, as --strict asks\n"
                                  : ": consistent; the losses above are those of the recording\n");
  return text;
}

namespace {

std::string disturbance_text(const std::string& path, const std::optional<Disturbance>& found,
                             bool is_consistent, const trace_io::Trace& trace) {
  if (!found) return "";
  return path + ": " + (is_consistent ? "consistent, but disturbed: " : "note: disturbed, too: ") +
         describe(*found) + "; this affects times, not calls and messages" +
         remedy_of_disturbance(trace) + "\n";
}

}  // namespace

std::string check_text(const std::string& path, const std::vector<trace_io::Finding>& findings,
                       bool whole_program, const std::optional<Disturbance>& disturbance,
                       const trace_io::Trace& trace) {
  const bool is_consistent = std::none_of(findings.begin(), findings.end(),
                                          std::mem_fn(&trace_io::Finding::is_inconsistency));
  const std::string disturbed = disturbance_text(path, disturbance, is_consistent, trace);
  if (disturbance && findings.empty()) return disturbed;
  const std::string found = findings_text(path, findings, whole_program);
  return is_consistent ? disturbed + found : found + disturbed;
}

std::string findings_json(const std::vector<trace_io::Finding>& findings,
                          const std::optional<Disturbance>& disturbance) {
  nlohmann::ordered_json answer = {
      {"format", 1},
      {"consistent", std::none_of(findings.begin(), findings.end(),
                                  std::mem_fn(&trace_io::Finding::is_inconsistency))},
      {"findings", nlohmann::ordered_json::array()}};
  for (const auto& finding : findings)
    answer["findings"].push_back({{"severity", severity_name(finding.severity)},
                                  {"where", finding.where},
                                  {"problem", finding.problem}});
  if (disturbance) {
    answer["disturbed"] = {{"rank", disturbance->rank.value},
                           {"preempted_s", disturbance->preempted.value},
                           {"share", disturbance->share}};
    if (disturbance->computing) answer["disturbed"]["computing_s"] = disturbance->computing->value;
  }
  return json_text(answer);
}

}  // namespace reprise::cli
