// SPDX-License-Identifier: MIT
#include "sim/cli/record_plan.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>

#include "tests/cli/scratch.hpp"
#include "trace-io/base/error.hpp"

using namespace reprise::cli;
using Words = std::vector<std::string>;

namespace {

// Recorders, launchers and programs that are all fakes; no variable of a launcher or batch system around us.
struct Setting {
  Scratch scratch;
  std::string open_mpi_recorder = scratch.file("lib/libreprise-recorder.so", "");
  std::string mpich_recorder = scratch.file("lib/libreprise-recorder-mpich.so", "");
  std::string app = scratch.script("app", "exit 0");
  std::string orterun = scratch.script("orterun", "exit 0");
  std::string hydra = scratch.script("mpiexec.hydra", "exit 0");
  Variable path{"PATH", scratch.folder().string() + ":/usr/bin:/bin"};
  Variable no_preload{"LD_PRELOAD", std::nullopt};
  Variable ompi{"OMPI_COMM_WORLD_RANK", std::nullopt}, pmix{"PMIX_RANK", std::nullopt},
      pmi{"PMI_RANK", std::nullopt};
  Variable slurm{"SLURM_PROCID", std::nullopt}, job{"SLURM_JOB_ID", std::nullopt},
      pbs{"PBS_JOBID", std::nullopt};
  Variable lsf{"LSB_JOBID", std::nullopt}, sge{"JOB_ID", std::nullopt};

  RecordPlan plan(const Words& command, const RecordSettings& settings = {}) const {
    return plan_recording(settings, command, {scratch.path("nowhere"), scratch.path("lib")});
  }
  RecordSettings into(const std::string& name) const {
    RecordSettings settings;
    settings.output = scratch.path(name);
    return settings;
  }
};

}  // namespace

TEST_CASE("record_plan: a program that does not exist is refused", "[cli]") {
  const Setting setting;
  CHECK_THROWS_WITH(setting.plan({"./nowhere"}), "./nowhere: is not an executable program");
  CHECK_THROWS_WITH(setting.plan({"orterun", "-n", "2", "./nowhere"}),
                    "./nowhere: is not an executable program");
  CHECK_THROWS_WITH(
      setting.plan({"orterun", "-n", "2", "no-such-program"}),
      "no-such-program: is neither on PATH nor in this folder\n  give the program's path, such as "
      "./app");
  CHECK_THROWS_WITH(setting.plan({"orterun", "--oversubscribe", "no-such-program", "2"}),
                    Catch::StartsWith("no-such-program: is neither on PATH nor in this folder"));
  CHECK_THROWS_WITH(setting.plan({"orterun", "--mca", "btl", "self", "no-such-program"}),
                    Catch::StartsWith("no-such-program: "));
  CHECK_THROWS_WITH(
      setting.plan({"orterun", "-n", "2"}),
      "orterun: no executable program follows it\n  give the program's path, such as ./app");
  CHECK_NOTHROW(setting.plan({"orterun", "-n", "2", "--wdir", "/elsewhere", "./nowhere"}));
}

TEST_CASE("record_plan: a static program is refused", "[cli]") {
  const Setting setting;
  const auto program = setting.scratch.static_elf("program");
  CHECK_THROWS_WITH(setting.plan({"orterun", "-n", "2", program}),
                    program +
                        ": is statically linked: the recorder cannot be loaded into it\n"
                        "  link the program dynamically with its MPI library");
}

TEST_CASE("record_plan: a program of another MPI library than the launcher's is refused", "[cli]") {
  const Setting setting;
  const auto open_mpi = setting.scratch.program_loading("a", "libmpi.so.40");
  const auto mpich = setting.scratch.program_loading("b", "libmpich.so.12");
  const std::string hint = "\n  start it with its own launcher (mpirun.openmpi or mpirun.mpich)";
  CHECK_THROWS_WITH(setting.plan({"mpiexec.hydra", open_mpi}),
                    open_mpi + ": is built with Open MPI, but mpiexec.hydra is MPICH's" + hint);
  CHECK_THROWS_WITH(setting.plan({"orterun", mpich}),
                    mpich + ": is built with MPICH, but orterun is Open MPI's" + hint);
}

TEST_CASE(
    "record_plan: the recorder is the one of the program's MPI library, else of the launcher's",
    "[cli]") {
  const Setting setting;
  const auto preload = [&](const Words& command) {
    return setting.plan(command).environment.at(0).second;
  };
  CHECK(preload({setting.app}) == setting.open_mpi_recorder);
  CHECK(preload({setting.scratch.program_loading("b", "libmpich.so.12")}) ==
        setting.mpich_recorder);
  CHECK(setting.plan({"mpiexec.hydra", setting.app}).command.at(3) == setting.mpich_recorder);
}

TEST_CASE("record_plan: a recorder that is not there is named, with where it was looked for",
          "[cli]") {
  const Setting setting;
  std::filesystem::remove(setting.mpich_recorder);
  CHECK_THROWS_WITH(
      setting.plan({"mpiexec.hydra", setting.app}),
      "libreprise-recorder-mpich.so: there is no recorder for MPICH in " +
          setting.scratch.path("nowhere") + ", " + setting.scratch.path("lib") +
          "\n  build it with the MPI library's development package installed (./bootstrap build)");
}

TEST_CASE("record_plan: an existing trace is refused without force, behind a launcher too",
          "[cli]") {
  const Setting setting;
  auto settings = setting.into("x.reprise");
  const auto path = setting.scratch.file("x.reprise", "older");
  const std::string message =
      path + ": exists already\n  choose another name with -o, or --force to overwrite it";
  CHECK_THROWS_WITH(setting.plan({setting.app}, settings), message);
  {
    const Variable rank("PMI_RANK", "3");
    CHECK_THROWS_WITH(setting.plan({setting.app}, settings), message);
  }
  settings.force = true;
  CHECK(setting.plan({setting.app}, settings).output == path);
}

TEST_CASE("record_plan: the trace is named after program, ranks and job", "[cli]") {
  const Setting setting;
  const std::string pid = std::to_string(getpid());
  CHECK(setting.plan({"orterun", "-n", "2", setting.app}).output.filename() ==
        "app.2." + pid + ".reprise");
  CHECK(setting.plan({setting.app}).output.filename() == "app." + pid + ".reprise");
  const Variable job("SLURM_JOB_ID", "77");
  CHECK(setting.plan({"orterun", "-n", "2", setting.app}).output.filename() == "app.2.77.reprise");
}

TEST_CASE("record_plan: behind a launcher and without -o the recorder chooses the name", "[cli]") {
  const Setting setting;
  const Variable rank("PMI_RANK", "0");
  const auto plan = setting.plan({setting.app});
  CHECK(plan.is_rank);
  CHECK(plan.output.empty());
  CHECK(plan.environment.size() == 8);
  CHECK(plan.environment.back().first == "REPRISE_VERBOSE");
  CHECK(plan.environment.back().second == "trace");
  CHECK_FALSE(setting.plan({"orterun", setting.app}).is_rank);
}

TEST_CASE("record_plan: ranks leave compressing to whoever does it when the job is over", "[cli]") {
  const Setting setting;
  RecordSettings settings;
  const auto asks = [&] {
    return plan_text(setting.plan({setting.app}, settings)).find("REPRISE_COMPRESSION=quick\n") !=
           std::string::npos;
  };
  CHECK_FALSE(asks());
  settings.compresses_afterwards = true;
  CHECK(asks());
  const Variable rank("PMI_RANK", "0");  // nobody is left behind the ranks
  CHECK_FALSE(asks());
}

TEST_CASE("record_plan: what is preloaded already stays preloaded", "[cli]") {
  const Setting setting;
  const Variable preload("LD_PRELOAD", "/lib/other.so");
  CHECK(setting.plan({setting.app}).environment.at(0).second ==
        setting.open_mpi_recorder + ":/lib/other.so");
}

TEST_CASE("record_plan: the recorder's own part stays in compute times where that is wanted",
          "[cli]") {
  const Setting setting;
  RecordSettings settings;
  CHECK(plan_text(setting.plan({setting.app}, settings)).find("REPRISE_COMPENSATION") ==
        std::string::npos);
  settings.compensate = false;
  CHECK(plan_text(setting.plan({setting.app}, settings)).find("REPRISE_COMPENSATION=off\n") !=
        std::string::npos);
}

TEST_CASE("record_plan: --print-env shows variables and command as a shell takes them", "[cli]") {
  const Setting setting;
  const auto settings = setting.into("x.reprise");
  const std::string variables[] = {"LD_PRELOAD=" + setting.open_mpi_recorder,
                                   "REPRISE_TIMING=path",
                                   "REPRISE_BINS=5",
                                   "REPRISE_HISTOGRAM=ward",
                                   "REPRISE_ORDER=8KiB",
                                   "REPRISE_CLOCK=wall",
                                   "REPRISE_DEPTH=16",
                                   "REPRISE_OUTPUT=" + setting.scratch.path("x.reprise")};
  std::string lines, options;
  for (const auto& variable : variables) {
    lines += variable + "\n";
    options += " -x " + variable;
  }
  CHECK(plan_text(setting.plan({"app", "an input", "it's", ""}, settings)) ==
        lines + "app 'an input' 'it'\\''s' ''\n");
  CHECK(plan_text(setting.plan({"orterun", "-n", "2", "app"}, settings)) ==
        "orterun" + options + " -n 2 app\n");
}
