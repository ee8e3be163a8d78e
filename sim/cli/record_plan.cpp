// SPDX-License-Identifier: MIT
#include "sim/cli/record_plan.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "sim/cli/address_sanitizer.hpp"
#include "sim/cli/output.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/calls/call_file.hpp"

namespace reprise::cli {
namespace {
namespace fs = std::filesystem;

const char* const kRankVariables[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK",
                                      "SLURM_PROCID"};

bool inside_a_rank() {
  for (const char* name : kRankVariables)
    if (std::getenv(name)) return true;
  return false;
}

std::string job_id() {
  for (const char* name : {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID"})
    if (const char* value = std::getenv(name); value && *value) return value;
  return std::to_string(getpid());
}

fs::path output_path(const RecordSettings& settings, const Launch& launch) {
  if (settings.output) return fs::absolute(*settings.output);
  if (const char* set = std::getenv("REPRISE_OUTPUT"); set && *set) return fs::absolute(set);
  const std::string program =
      launch.application ? fs::path(launch.command[*launch.application]).filename().string()
                         : "program";
  const std::string ranks = launch.ranks > 0 ? "." + std::to_string(launch.ranks) : "";
  return fs::absolute(program + ranks + "." + job_id() + ".reprise");
}

// The word that is most likely meant as the program: the first that is no option, no number and no option's value; or nothing.
std::string program_meant(const std::vector<std::string>& command) {
  static const std::vector<std::string> of_no_value = {"--oversubscribe",     "--allow-run-as-root",
                                                       "--use-hwthread-cpus", "--report-bindings",
                                                       "--tag-output",        "--exclusive"};
  static const std::vector<std::string> of_two_values = {"--mca", "-mca",      "--gmca",   "-gmca",
                                                         "-genv", "--prtemca", "--pmixmca"};
  const auto is_number = [](const std::string& word) {
    return word.find_first_not_of("0123456789") == std::string::npos;
  };
  std::string behind_option;  // of an option that may have no value
  for (std::size_t i = 1; i < command.size(); ++i) {
    if (std::find(of_two_values.begin(), of_two_values.end(), command[i]) != of_two_values.end()) {
      i += 2;
      continue;
    }
    if (command[i].starts_with("-") || is_number(command[i])) continue;
    const bool is_behind_option =
        command[i - 1].starts_with("-") &&
        std::find(of_no_value.begin(), of_no_value.end(), command[i - 1]) == of_no_value.end();
    if (!is_behind_option) return command[i];
    if (behind_option.empty()) behind_option = command[i];
  }
  return behind_option;
}

void refuse_missing_program(const Launch& launch) {
  const auto& command = launch.command;
  if (!executable_named(command[0]))
    throw InputError(command[0], "is not an executable program", "");
  if (launch.launcher == LauncherKind::none || launch.names_a_program ||
      launch.finds_programs_elsewhere)
    return;
  for (std::size_t i = 1; i < command.size(); ++i) {
    std::error_code ignored;
    const bool is_path = command[i].find('/') != std::string::npos && !command[i].starts_with("-");
    if (is_path && !fs::exists(command[i], ignored))
      throw InputError(command[i], "is not an executable program", "");
  }
  const std::string meant = program_meant(command);
  if (meant.empty())
    throw InputError(command[0], "no executable program follows it",
                     "give the program's path, such as ./app");
  std::error_code ignored;
  const bool is_here = fs::is_regular_file(meant, ignored);
  throw InputError(meant, is_here ? "is not on PATH" : "is neither on PATH nor in this folder",
                   "give the program's path, such as ./" + (is_here ? meant : "app"));
}

// Refuses what can be seen to fail before the job runs.
MpiLibrary mpi_of(const Launch& launch) {
  const auto by_launcher =
      launch.launcher == LauncherKind::hydra ? MpiLibrary::mpich : MpiLibrary::open_mpi;
  if (!launch.application) return by_launcher;
  const std::string& word = launch.command[*launch.application];
  const auto application = inspect(*executable_named(word));
  if (application.is_static)
    throw InputError(word, "is statically linked: the recorder cannot be loaded into it",
                     "link the program dynamically with its MPI library");
  if (application.mpi == MpiLibrary::none) return by_launcher;
  const bool crossed =
      (launch.launcher == LauncherKind::hydra && application.mpi == MpiLibrary::open_mpi) ||
      (launch.launcher == LauncherKind::open_mpi && application.mpi == MpiLibrary::mpich);
  if (crossed)
    throw InputError(word,
                     application.mpi == MpiLibrary::mpich
                         ? "is built with MPICH, but " + launch.command[0] + " is Open MPI's"
                         : "is built with Open MPI, but " + launch.command[0] + " is MPICH's",
                     "start it with its own launcher (mpirun.openmpi or mpirun.mpich)");
  return application.mpi;
}

std::string recorder_for(MpiLibrary mpi, const std::vector<fs::path>& folders) {
  const std::string name =
      mpi == MpiLibrary::mpich ? "libreprise-recorder-mpich.so" : "libreprise-recorder.so";
  std::string looked;
  for (const auto& folder : folders) {
    if (std::error_code failed; fs::exists(folder / name, failed))
      return fs::canonical(folder / name);
    looked += (looked.empty() ? "" : ", ") + folder.lexically_normal().string();
  }
  throw InputError(
      name,
      std::string("there is no recorder for ") + (mpi == MpiLibrary::mpich ? "MPICH" : "Open MPI") +
          " in " + looked,
      "build it with the MPI library's development package installed (./bootstrap build)");
}

std::string quoted(const std::string& word) {
  const bool plain =
      !word.empty() && word.find_first_not_of(
                           "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                           "_-+=./:,@%^") == std::string::npos;
  if (plain) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

RecordPlan plan_recording(const RecordSettings& settings, const std::vector<std::string>& command,
                          const std::vector<fs::path>& recorder_folders) {
  Launch launch = understand(command);
  refuse_missing_program(launch);
  const auto mpi = mpi_of(launch);
  RecordPlan plan;
  plan.is_rank = inside_a_rank() && launch.launcher == LauncherKind::none;
  // behind a launcher every rank has its own reprise record: only the recorder knows a name that all share
  if (!plan.is_rank || settings.output) plan.output = output_path(settings, launch);
  plan.traces_calls = settings.functions.find("trace") != std::string::npos;
  if (!plan.output.empty()) {
    refuse_to_replace(plan.output, settings.force);
    if (plan.traces_calls) {
      const std::string calls = trace_io::calls_beside(plan.output);
      refuse_to_replace(calls, settings.force);
      const std::string parts = calls + trace_io::kCallPartsEnding;
      if (std::error_code ignored; fs::exists(parts, ignored) && !settings.force)
        throw InputError(parts, "already exists: call streams of another run",
                         "look at them with: reprise trace calls " + parts +
                             "\n  or choose another name with -o, or --force to overwrite them");
    }
  }

  Environment variables = {{"LD_PRELOAD", recorder_for(mpi, recorder_folders)},
                           {"REPRISE_TIMING", settings.timing},
                           {"REPRISE_BINS", std::to_string(settings.bins)},
                           {"REPRISE_HISTOGRAM", settings.histogram},
                           {"REPRISE_ORDER", settings.order},
                           {"REPRISE_CLOCK", settings.clock},
                           {"REPRISE_DEPTH", std::to_string(settings.depth)}};
  if (!settings.compensate) variables.emplace_back("REPRISE_COMPENSATION", "off");
  if (settings.completions != "represented")
    variables.emplace_back("REPRISE_COMPLETIONS", settings.completions);
  if (settings.times != "pooled") variables.emplace_back("REPRISE_TIMES", settings.times);
  if (settings.messages != "none") variables.emplace_back("REPRISE_MESSAGES", settings.messages);
  if (settings.iterations > 0)
    variables.emplace_back("REPRISE_ITERATIONS", std::to_string(settings.iterations));
  if (!settings.counters.empty()) variables.emplace_back("REPRISE_COUNTERS", settings.counters);
  if (!settings.functions.empty()) variables.emplace_back("REPRISE_FUNCTIONS", settings.functions);
  if (settings.compresses_afterwards && !plan.is_rank)
    variables.emplace_back("REPRISE_COMPRESSION", "quick");
  if (!plan.output.empty()) variables.emplace_back("REPRISE_OUTPUT", plan.output.string());
  // Nobody is left behind the ranks to say what became of them.
  if (plan.is_rank && std::getenv("REPRISE_VERBOSE") == nullptr)
    variables.emplace_back("REPRISE_VERBOSE", "trace");
  if (const char* before = std::getenv("LD_PRELOAD"); before && *before)
    variables[0].second += ":" + std::string(before);
  plan.sanitized = sanitized_program(launch);
  if (plan.sanitized && !allow_preloading(launch, variables)) plan.sanitized.reset();
  plan.command = with_variables(launch, variables, plan.environment);
  return plan;
}

std::string plan_text(const RecordPlan& plan) {
  std::string text;
  for (const auto& [name, value] : plan.environment) text += name + "=" + quoted(value) + "\n";
  for (std::size_t i = 0; i < plan.command.size(); ++i)
    text += (i ? " " : "") + quoted(plan.command[i]);
  return text + "\n";
}

}  // namespace reprise::cli
