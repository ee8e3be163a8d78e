// SPDX-License-Identifier: MIT
#include "sim/study/simulate.hpp"

#include <filesystem>

#include "sim/experiment/answer.hpp"
#include "sim/replay_error.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;

constexpr std::uint32_t kFirstSeed = 1;

// A message with places named from the study's folder on, so that a row does not show from where the study was called.
std::string from_study_folder(const Study& study, std::string text) {
  const std::string folder = std::filesystem::path(study.file).parent_path().string() + '/';
  if (folder.size() == 1) return text;
  for (std::size_t at; (at = text.find(folder)) != std::string::npos;)
    text.erase(at, folder.size());
  return text;
}

ordered_json row_of(const Study& study, const Plan& plan, const Run& run, const char* status,
                    const std::string& reason) {
  ordered_json row = {
      {"key", run.key}, {"point", labels_of(study, plan.points[run.point])}, {"seed", run.seed}};
  if (run.recording_number) row["recording"] = *run.recording_number;
  row["status"] = status;
  row["reason"] = from_study_folder(study, reason);
  return row;
}

ordered_json answer_json(const Answer& answer) {
  ordered_json json = summary_json(answer);
  for (const auto& [detail, figure] : answer.details)
    (detail->scope == DetailScope::baseline ? json["details"] : json)[std::string(detail->key)] =
        figure->json();
  return json;
}

const char* status_of(const RunError& error) {
  const auto* stopped = dynamic_cast<const ReplayError*>(&error);
  return stopped != nullptr && stopped->kind() == ReplayError::Kind::deadlock ? "deadlocked"
                                                                              : "failed";
}

}  // namespace

Simulated simulate(const Study& study, const StudyInputs& inputs, const Plan& plan,
                   const Run& run) {
  Simulated simulated;
  const Seconds before = cpu_time_so_far();
  try {
    Experiment experiment = experiment_of(study, plan.points[run.point], inputs, *run.recording);
    experiment.settings.seed = run.seed;
    // `models` compares how links are shared. Whether progress matters is asked once for a point and recording.
    Answer found = answer(
        experiment,
        {.details = run.details, .other_sharing = false, .progress = run.seed == kFirstSeed});
    for (auto* facts : {&found.no_effect, &found.remarks})
      for (std::string& fact : *facts) fact = from_study_folder(study, std::move(fact));
    simulated.row = row_of(study, plan, run, "done", "");
    simulated.row["answer"] = answer_json(found);
  } catch (const RunError& error) {
    simulated.row = row_of(study, plan, run, status_of(error), error.what());
  } catch (const InputError& error) {
    simulated.row = row_of(study, plan, run, "failed", error.what());
  }
  simulated.cpu_time = cpu_time_so_far() - before;
  return simulated;
}

ordered_json crashed_row(const Study& study, const Plan& plan, const Run& run,
                         const std::string& reason) {
  return row_of(study, plan, run, "crashed", reason);
}

}  // namespace reprise::sim
