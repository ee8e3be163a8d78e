// SPDX-License-Identifier: MIT
#include "sim/study/simulate.hpp"

#include <ctime>

#include "sim/answers/answer.hpp"
#include "sim/answers/searched_placement.hpp"
#include "sim/engine/replay.hpp"
#include "sim/study/point_facts.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;

Seconds cpu_time_so_far() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return Seconds{static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9};
}

ordered_json row_of(const Study& study, const Plan& plan, const Run& run, const char* status,
                    const std::string& reason) {
  return {{"key", run.key},
          {"point", labels_of(study, plan.points[run.point])},
          {"seed", run.seed},
          {"status", status},
          {"reason", from_study_folder(study, reason)}};
}

ordered_json losses_json(const std::vector<trace_io::Loss>& losses) {
  auto list = ordered_json::array();
  for (const auto& loss : losses)
    list.push_back(
        {{"name", loss.name}, {"count", loss.count}, {"time_s", loss.time.seconds().value}});
  return list;
}

AnswerParts parts_of(const RequestedMetrics& requested) {
  AnswerParts parts;
  parts.efficiencies = requested.efficiencies;
  parts.links = true;
  parts.sensitivities = requested.sensitivities;
  parts.call_sites = parts.matrix = parts.timeline = requested.details;
  return parts;
}

ordered_json answer_json(const Answer& answer) {
  const Outcome& outcome = answer.outcome;
  double compute = 0, communication = 0, wait = 0;
  for (const RankOutcome& rank : outcome.ranks) {
    compute += rank.compute.value;
    communication += rank.communication.value;
    wait += rank.wait.value;
  }
  const double ranks = static_cast<double>(outcome.ranks.size());
  ordered_json json = {{"predicted_time_s", outcome.predicted_time.value},
                       {"compute_s", compute / ranks},
                       {"communication_s", communication / ranks},
                       {"wait_s", wait / ranks},
                       {"operations", outcome.operations},
                       {"messages", outcome.messages},
                       {"fast_forward",
                        {{"skipped_iterations", outcome.forwarded.skipped_iterations},
                         {"error_bound_s", outcome.forwarded.error_bound.value}}}};
  const ordered_json parts = to_json(answer);
  for (const auto& [key, part] : parts.items())
    (key == "call_sites" || key == "matrix" || key == "timeline" ? json["details"] : json)[key] =
        part;
  json["losses"] = losses_json(outcome.losses);
  return json;
}

// The report of a deadlock is a RunError as others are, but for how it begins (engine/deadlock_report.hpp).
bool is_deadlock(const RunError& error) { return error.where().starts_with("replay deadlocked"); }

}  // namespace

Simulated simulate(const Study& study, const StudyInputs& inputs, const Plan& plan,
                   const Run& run) {
  Simulated simulated;
  Seconds before = cpu_time_so_far();
  try {
    RunSetup setup = setup_of(study, plan.points[run.point], inputs);
    setup.settings.seed = run.seed;
    before = cpu_time_so_far();
    setup.settings.placement = resolved(setup.settings.placement, inputs.trace(), setup.platform);
    const Answer answer =
        sim::answer(inputs.trace(), setup.platform, setup.settings, parts_of(run.requested));
    simulated.cpu_time = cpu_time_so_far() - before;
    simulated.row = row_of(study, plan, run, "done", "");
    simulated.row["answer"] = answer_json(answer);
    if (run.seed == 1)
      simulated.row["answer"]["no_effect"] =
          changes_without_effect(study, plan.points[run.point], inputs, answer.outcome);
  } catch (const RunError& error) {
    simulated.cpu_time = cpu_time_so_far() - before;
    simulated.row =
        row_of(study, plan, run, is_deadlock(error) ? "deadlocked" : "failed", error.what());
  } catch (const InputError& error) {
    simulated.row = row_of(study, plan, run, "failed", error.what());
  }
  return simulated;
}

nlohmann::ordered_json crashed_row(const Study& study, const Plan& plan, const Run& run,
                                   const std::string& reason) {
  return row_of(study, plan, run, "crashed", reason);
}

}  // namespace reprise::sim
