// SPDX-License-Identifier: MIT
// reprise study: the simulations of a study, here or a share of them; merge, status, slurm.
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "sim/cli/child.hpp"
#include "sim/cli/jobs_option.hpp"
#include "sim/cli/messages.hpp"
#include "sim/cli/options.hpp"
#include "sim/cli/study_text.hpp"
#include "sim/processes/usable_cores.hpp"
#include "sim/study/one_currency.hpp"
#include "sim/study/result_files.hpp"
#include "sim/study/slurm_script.hpp"
#include "sim/study/study_file.hpp"
#include "sim/study/work.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/printable.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"

namespace reprise::cli {
namespace {
namespace po = boost::program_options;

constexpr int kRunAgain = 75;  // EX_TEMPFAIL of sysexits.h: interrupted, the same command goes on
constexpr std::uint64_t kMostMembers = 100'000;

void add_folder(po::options_description& options) {
  options.add_options()(
      "output,o", po::value<std::string>()->value_name("DIR"),
      "folder for rows and results (default: STUDY.results in the working directory)");
}

Syntax run_syntax() {
  Syntax s{
      "study",
      "reprise study STUDY.json [OPTIONS]  |  reprise study merge|status|slurm STUDY.json "
      "[OPTIONS]",
      "Simulates every point of a study in child processes, and stores one row per "
      "simulation in DIR. Simulations\nthat have a row are not repeated: after an interruption "
      "(exit status 75) the same command continues.\nSeveral processes can share a study, by "
      "--shard, as ranks of mpirun or srun, or as members of a Slurm array. A\nsingle process also "
      "writes DIR/results.json, results.csv and report.html; otherwise `study merge` does.",
      po::options_description("options"),
      {"STUDY.json"}};
  add_folder(s.options);
  s.works_long = true;
  add_jobs_option(s.options,
                  "concurrent simulations (default: the cores that this process may use; 1 if "
                  "ranks share the work; --cpus-per-task in a Slurm job)");
  s.options.add_options()(
      "shard", po::value<std::string>()->value_name("I/N"),
      "do share I of N, such as 3/8; 1/1 does everything, regardless of the environment")(
      "shards", po::value<std::string>()->value_name("N"),
      "number of shares, for a PBS array or GNU parallel, which give only the index")(
      "retry", "repeat simulations that crashed or hit a limit");
  return s;
}

Syntax action_syntax(const std::string& action, const std::string& explanation) {
  Syntax s{"study " + action,
           "reprise study " + action + " STUDY.json [OPTIONS]",
           explanation,
           po::options_description("options"),
           {"STUDY.json"}};
  add_folder(s.options);
  return s;
}

// The study, what it reads, and where its rows are.
struct OpenStudy {
  sim::Study study;
  sim::StudyInputs inputs;
  sim::Plan plan;
  std::string folder;
};

std::string folder_of(const po::variables_map& values, const std::string& path) {
  if (values.count("output")) {
    auto folder = values["output"].as<std::string>();
    if (folder.empty()) throw InputError("--output", "no folder is named", "");
    return folder;
  }
  return std::filesystem::path(path).stem().string() + ".results";
}

OpenStudy open_study(const po::variables_map& values, const std::string& verb) {
  const auto path = required(values, verb, "STUDY.json");
  auto study = sim::load_study(path);
  sim::StudyInputs inputs(study);
  auto plan = sim::plan_of(study, inputs);
  sim::one_currency(study, inputs, plan.points);  // or it is refused, before anything is simulated
  return {std::move(study), std::move(inputs), std::move(plan), folder_of(values, path)};
}

std::optional<std::string> variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

sim::Shard shard_of(const po::variables_map& values) {
  if (values.count("shard")) {
    if (values.count("shards"))
      throw InputError("--shard", "is given beside --shards", "--shard says both");
    return sim::parse_shard(values["shard"].as<std::string>(), "--shard");
  }
  std::optional<std::uint32_t> shards;
  if (values.count("shards"))
    shards = static_cast<std::uint32_t>(whole_number(values, "shards", 1, kMostMembers));
  return sim::shard_from_environment(variable, shards);
}

// Writes the results; the exit status is 1 where the answer has holes: simulations without a row, or with one that says they crashed.
int merge_into_files(const OpenStudy& open) {
  const auto stored = sim::read_rows(open.folder);
  const auto rows = sim::collect_rows(open.plan, stored);
  const auto results = sim::results_of(open.study, open.inputs, open.plan, rows);
  const auto paths = sim::write_results(open.folder, results);
  std::string names;
  for (const auto& path : paths) names += (names.empty() ? "" : ", ") + path;
  std::printf("%s\n%s%s\n", printable(results_text(results)).c_str(),
              rows_text(open.plan, rows, stored).c_str(), names.c_str());
  std::fputs(comparing_text(results, paths.front()).c_str(), stdout);
  return rows.missing + rows.crashed > 0 ? kFailed : kDone;
}

void tell_of_work(const sim::WorkDone& work) {
  std::fflush(stdout);
  if (work.now() > 0) note(work_text(work));
}

// Whose work this process goes on with: what an earlier process, or another one that shares the study, has done is not repeated.
void tell_of_beginning(const std::string& folder, const sim::Shard& shard, std::size_t before,
                       std::size_t share) {
  const std::string left = before == share ? "none" : grouped(share - before);
  if (shard.count > 1)
    note("share " + std::to_string(shard.index + 1) + "/" + std::to_string(shard.count) + " (" +
         shard.source + "): " + counted(share, "simulation") + ", " + grouped(before) +
         " done before, " + left + " left");
  else if (before > 0)
    note("continues " + folder + ": " + counted(share, "simulation") + ", " + grouped(before) +
         " done before, " + left + " left");
}

// Before any simulation: rows are written as they are done.
void make_folder(const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (!failed && euidaccess(folder.c_str(), W_OK | X_OK) != 0)
    failed = std::error_code(errno, std::generic_category());
  if (failed)
    throw InputError(folder, "results cannot be written there: " + failed.message(),
                     "name another folder with -o");
}

// What a replay takes on the command line and a study in its file, where it is part of what was asked.
void refuse_options_of_replay(const Arguments& arguments) {
  struct Counterpart {
    std::string_view option, in_file;
  };
  constexpr Counterpart kCounterparts[] = {
      {"--latency", R"("changes": [{ "path": "/network/link/latency", "multiply_by": 4 }])"},
      {"--bandwidth", R"("changes": [{ "path": "/network/link/bandwidth", "multiply_by": 2 }])"},
      {"--overhead", R"("changes": [{ "path": "/mpi/send_overhead", "multiply_by": 0.5 }])"},
      {"--compute", R"("changes": [{ "compute": {}, "multiply_by": 0.5 }])"},
      {"--set", R"("changes": [{ "path": "/network/link/latency", "set_to": "1 us" }])"},
      {"--platform", R"("platform": "NAME")"},
      {"--placement", R"("placement": "cyclic")"},
      {"--network", R"("network": "flow")"},
      {"--scenario", R"("scenarios": ["none", "FILE.json"])"}};
  for (const auto& argument : arguments)
    for (const auto& [option, in_file] : kCounterparts)
      if (argument.substr(0, argument.find('=')) == option)
        throw InputError("reprise study", std::string(option) + " belongs in the study's file",
                         "such as " + std::string(in_file) + " (docs/STUDIES.md)");
}

int simulate(const Arguments& arguments) {
  refuse_options_of_replay(arguments);
  const auto values = parse(run_syntax(), arguments);
  if (!values) return kDone;
  const auto shard = shard_of(*values);
  const auto jobs = jobs_of(*values, shard.count > 1 ? 1 : sim::usable_cores());
  const auto open = open_study(*values, "study");
  make_folder(open.folder);
  ProgressLine progress(stderr, progress_place(), steady_now);
  const auto work = sim::work_on(open.study, open.inputs, open.plan,
                                 {shard, open.folder, jobs, values->count("retry") > 0, detail,
                                  [&](std::size_t before, std::size_t all) {
                                    tell_of_beginning(open.folder, shard, before, all);
                                  }},
                                 progress);
  tell_of_work(work);
  if (work.is_interrupted) {
    std::fprintf(stderr, "reprise: interrupted; %s left, the same command continues\n",
                 counted(work.share - work.before - work.now(), "simulation").c_str());
    return kRunAgain;
  }
  if (shard.count == 1) return merge_into_files(open);
  std::printf("share %u/%u is done; when all are: reprise study merge %s -o %s\n", shard.index + 1,
              shard.count, sim::shell_word(open.study.file).c_str(),
              sim::shell_word(open.folder).c_str());
  return kDone;
}

int merge(const Arguments& arguments) {
  const auto values =
      parse(action_syntax(
                "merge",
                "Merges all rows into one answer: DIR/results.json, results.csv and report.html. "
                "They are identical to the last byte\nhowever the simulations were shared. The "
                "exit status is 1 if simulations are missing or have crashed."),
            arguments);
  return values ? merge_into_files(open_study(*values, "study merge")) : kDone;
}

int status(const Arguments& arguments) {
  const auto values = parse(action_syntax("status",
                                          "Shows how many simulations are done, failed or "
                                          "missing, and which shares are in progress."),
                            arguments);
  if (!values) return kDone;
  const auto open = open_study(*values, "study status");
  const auto stored = sim::read_rows(open.folder);
  std::fputs(rows_text(open.plan, sim::collect_rows(open.plan, stored), stored).c_str(), stdout);
  for (std::size_t i = 0; i < stored.files.size(); ++i) {
    const auto rows = std::count_if(stored.rows.begin(), stored.rows.end(),
                                    [&](const auto& row) { return row.file == stored.files[i]; });
    std::printf("  %s  %s%s\n", stored.files[i].c_str(),
                counted(static_cast<std::uint64_t>(rows), "row").c_str(),
                stored.is_being_written[i] ? ", in progress" : "");
  }
  return kDone;
}

std::string own_path() {
  char path[PATH_MAX];
  const ssize_t length = readlink("/proc/self/exe", path, sizeof path);
  return length > 0 ? std::string(path, static_cast<std::size_t>(length)) : "reprise";
}

int slurm(const Arguments& arguments) {
  auto syntax =
      action_syntax("slurm",
                    "Writes a batch script for a job array that shares a study:\n`reprise study "
                    "slurm STUDY.json > study.sbatch; sbatch study.sbatch`. Submit it again, whole "
                    "or single members,\nuntil everything is done.");
  syntax.options.add_options()("members",
                               po::value<std::string>()->value_name("N")->default_value("16"),
                               "jobs of the array, at most one per remaining simulation")(
      "at-most", po::value<std::string>()->value_name("N"),
      "members that run at once (default: Slurm decides)")(
      "jobs,j", po::value<std::string>()->value_name("N")->default_value("1"),
      "concurrent simulations, and cores, per member")(
      "time", po::value<std::string>()->value_name("TIME"),
      "time limit per member, in sbatch's syntax: 2:00:00")(
      "partition", po::value<std::string>()->value_name("NAME"), "partition")(
      "account", po::value<std::string>()->value_name("NAME"), "account")(
      "memory", po::value<std::string>()->value_name("SIZE"),
      "memory per member, in sbatch's syntax: 4G");
  const auto values = parse(syntax, arguments);
  if (!values) return kDone;
  const auto open = open_study(*values, "study slurm");
  const auto left = sim::collect_rows(open.plan, sim::read_rows(open.folder)).missing;
  if (left == 0) {
    std::fprintf(stderr,
                 "reprise: all simulations are done, there is nothing to submit; for the results: "
                 "reprise study merge %s -o %s\n",
                 sim::shell_word(open.study.file).c_str(), sim::shell_word(open.folder).c_str());
    return kFailed;
  }
  const auto asked = whole_number(*values, "members", 1, kMostMembers);
  const auto most = sim::largest_array(output_of({"scontrol", "show", "config"}));
  if (most > 0 && asked > most)
    throw InputError(
        "--members",
        std::to_string(asked) + ", but arrays have at most " + std::to_string(most) +
            " members here (MaxArraySize)",
        "ask for fewer; members share the simulations, and -j lets each run several at once");
  const auto word = [&](const char* name) {
    return values->count(name) ? (*values)[name].as<std::string>() : std::string();
  };
  const auto absolute = [](const std::string& path) {
    return std::filesystem::absolute(path).lexically_normal().string();
  };
  sim::SlurmArray array{own_path(),
                        absolute(open.study.file),
                        absolute(open.folder),
                        open.study.name,
                        static_cast<std::uint32_t>(std::min(asked, left)),
                        0,
                        static_cast<std::uint32_t>(whole_number(*values, "jobs", 1, kMostJobs)),
                        word("time"),
                        word("partition"),
                        word("account"),
                        word("memory")};
  if (values->count("at-most"))
    array.at_most = static_cast<std::uint32_t>(whole_number(*values, "at-most", 1, kMostMembers));
  std::filesystem::create_directories(
      array.folder);  // Slurm writes its log there, and makes no folders
  std::fputs(sim::slurm_script(array).c_str(), stdout);
  return kDone;
}

struct StudyAction {
  const char *name, *one_line;
  int (*run)(const Arguments&);
};
constexpr StudyAction kStudyActions[] = {{"merge", "merge all rows into one answer", merge},
                                         {"status", "show how many simulations are done", status},
                                         {"slurm", "write a batch script for a job array", slurm}};

int run_study(const Arguments& arguments) {
  if (arguments.empty()) return simulate({"--help"}), kBadUsage;
  if (arguments[0] == kPrintOptions) {
    simulate(arguments);
    for (const StudyAction& action : kStudyActions) {
      std::printf("action\tstudy\t%s\t%s\n", action.name, action.one_line);
      action.run(arguments);
    }
    return kDone;
  }
  const Arguments rest(arguments.begin() + 1, arguments.end());
  for (const StudyAction& action : kStudyActions)
    if (arguments[0] == action.name) return action.run(rest);
  const bool is_word =
      arguments[0].find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos;
  std::error_code ignored;
  if (is_word && !std::filesystem::exists(arguments[0], ignored)) {
    const auto nearest = nearest_word(arguments[0], {"merge", "status", "slurm"});
    throw InputError("reprise study", "no study file and no action \"" + arguments[0] + "\"",
                     nearest
                         ? "did you mean \"" + *nearest + "\"?"
                         : "give a study file, or one of merge, status, slurm and a study file");
  }
  return simulate(arguments);
}

}  // namespace

const Verb kStudyVerb = {"study", "answer a question with many simulations", run_study};

}  // namespace reprise::cli
