// SPDX-License-Identifier: MIT
#include "sim/study/simulate.hpp"

#include <ctime>

#include "sim/engine/replay.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;

Seconds cpu_time_so_far() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return Seconds{static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9};
}

ordered_json row_of(const Study& study, const Plan& plan, const Run& run, const char* status, const std::string& reason) {
  return {{"key", run.key}, {"point", labels_of(study, plan.points[run.point])}, {"seed", run.seed}, {"status", status}, {"reason", reason}};
}

ordered_json losses_json(const std::vector<trace_io::Loss>& losses) {
  auto list = ordered_json::array();
  for (const auto& loss : losses)
    list.push_back({{"name", loss.name}, {"count", loss.count}, {"time_s", loss.time.seconds().value}});
  return list;
}

ordered_json answer_json(const Outcome& outcome) {
  double compute = 0, communication = 0, wait = 0;
  for (const RankOutcome& rank : outcome.ranks) {
    compute += rank.compute.value;
    communication += rank.communication.value;
    wait += rank.wait.value;
  }
  const double ranks = static_cast<double>(outcome.ranks.size());
  return {{"predicted_time_s", outcome.predicted_time.value},
          {"compute_s", compute / ranks},
          {"communication_s", communication / ranks},
          {"wait_s", wait / ranks},
          {"operations", outcome.operations},
          {"messages", outcome.messages},
          {"fast_forward", {{"skipped_iterations", outcome.forwarded.skipped_iterations},
                            {"error_bound_s", outcome.forwarded.error_bound.value}}},
          {"losses", losses_json(outcome.losses)}};
}

// The report of a deadlock is a RunError as others are, but for how it begins (engine/deadlock_report.hpp).
bool is_deadlock(const RunError& error) { return error.where().starts_with("replay deadlocked"); }

}  // namespace

Simulated simulate(const Study& study, const StudyInputs& inputs, const Plan& plan, const Run& run) {
  Simulated simulated;
  Seconds before = cpu_time_so_far();
  try {
    RunSetup setup = setup_of(study, plan.points[run.point], inputs);
    setup.settings.seed = run.seed;
    before = cpu_time_so_far();
    const Outcome outcome = replay(inputs.trace(), setup.platform, setup.settings);
    simulated.cpu_time = cpu_time_so_far() - before;
    simulated.row = row_of(study, plan, run, "done", "");
    simulated.row["answer"] = answer_json(outcome);
  } catch (const RunError& error) {
    simulated.cpu_time = cpu_time_so_far() - before;
    simulated.row = row_of(study, plan, run, is_deadlock(error) ? "deadlocked" : "failed", error.what());
  } catch (const InputError& error) {
    simulated.row = row_of(study, plan, run, "failed", error.what());
  }
  return simulated;
}

nlohmann::ordered_json crashed_row(const Study& study, const Plan& plan, const Run& run, const std::string& reason) {
  return row_of(study, plan, run, "crashed", reason);
}

}  // namespace reprise::sim
