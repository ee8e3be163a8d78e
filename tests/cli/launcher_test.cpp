// SPDX-License-Identifier: MIT
#include "sim/cli/launcher.hpp"

#include <catch2/catch.hpp>

#include "tests/cli/scratch.hpp"

using namespace reprise::cli;
using Words = std::vector<std::string>;

namespace {

const Environment kVariables = {{"A", "1"}, {"B", "x y"}};

// Launchers of all kinds in one folder, which is all of PATH but the system's own.
struct Launchers {
  Scratch scratch;
  std::string app = scratch.script("app", "exit 0");
  std::string orterun = scratch.script("orterun", "exit 0");
  std::string hydra = scratch.script("mpiexec.hydra", "exit 0");
  std::string srun = scratch.script("srun", "exit 0");
  Variable path{"PATH", scratch.folder().string() + ":/usr/bin:/bin"};

  std::string link(const std::string& name, const std::string& target) const {
    std::filesystem::create_symlink(target, scratch.path(name));
    return scratch.path(name);
  }
};

Words worked_in(const Words& command) {
  Environment rest;
  const auto words = with_variables(understand(command), kVariables, rest);
  CHECK(rest.empty());
  return words;
}

}  // namespace

TEST_CASE("launcher: mpirun is known by the program it is a link to", "[cli]") {
  const Launchers launchers;
  const auto mpirun = launchers.link("mpirun", launchers.orterun);
  const auto mpiexec = launchers.link("mpiexec", launchers.hydra);
  CHECK(understand({mpirun, "-n", "2", launchers.app}).launcher == LauncherKind::open_mpi);
  CHECK(understand({"mpirun", "-n", "2", launchers.app}).launcher == LauncherKind::open_mpi);
  CHECK(understand({mpiexec, "-n", "2", launchers.app}).launcher == LauncherKind::hydra);
  CHECK(understand({"srun", "-n", "2", launchers.app}).launcher == LauncherKind::srun);
  CHECK(understand({launchers.app, "-n", "2"}).launcher == LauncherKind::none);
}

TEST_CASE("launcher: an mpirun whose name tells nothing is asked for its version", "[cli]") {
  const Launchers launchers;
  const auto open_mpi = launchers.scratch.script("mpirun", "echo 'mpirun (Open MPI) 5.0.1'");
  const auto hydra = launchers.scratch.script("mpiexec", "echo 'HYDRA build details:'");
  const auto intel = launchers.scratch.script(
      "mpirun.intel", "echo 'Intel(R) MPI Library for Linux* OS, Version 2021'");
  CHECK(understand({open_mpi, launchers.app}).launcher == LauncherKind::open_mpi);
  CHECK(understand({hydra, launchers.app}).launcher == LauncherKind::hydra);
  CHECK(understand({intel, launchers.app}).launcher == LauncherKind::hydra);
}

TEST_CASE("launcher: the application is the first program after the launcher", "[cli]") {
  const Launchers launchers;
  const auto position = [&](const Words& command) { return understand(command).application; };
  CHECK(position({"orterun", "-n", "2", launchers.app, "input"}) == 3);
  CHECK(position({"orterun", "--oversubscribe", "app"}) == 2);
  CHECK(position({"orterun", "-n", "2", "env", "X=1", launchers.app}) == 5);
  CHECK(position({"orterun", "-n", "2", "./nowhere"}) == std::nullopt);
  CHECK(position({launchers.app, "input"}) == 0);
}

TEST_CASE("launcher: an MPI program goes before a word that happens to name another program",
          "[cli]") {
  const Launchers launchers;
  const auto program = launchers.scratch.program_loading("solver", "libmpi.so.40");
  const auto other = launchers.scratch.script("node", "exit 0");
  CHECK(understand({"orterun", "--map-by", "node", program}).application == 3);
  CHECK(understand({"orterun", "--map-by", "node", launchers.app}).application == 2);
}

TEST_CASE("launcher: a static program among a script's arguments is not the application", "[cli]") {
  const Launchers launchers;
  const auto tool = launchers.scratch.static_elf("tool");
  CHECK(understand({"orterun", "-n", "2", launchers.app, tool}).application == 3);
}

TEST_CASE("launcher: whether anything after it can be run", "[cli]") {
  const Launchers launchers;
  CHECK(understand({"orterun", launchers.app}).names_a_program);
  CHECK(understand({"orterun", "sh", "nowhere.sh"}).names_a_program);
  CHECK_FALSE(understand({"orterun", "-n", "2", "./nowhere"}).names_a_program);
  CHECK(understand({"orterun", "--wdir", "/elsewhere", "./nowhere"}).finds_programs_elsewhere);
  CHECK(understand({"orterun", "--app", "commands"}).finds_programs_elsewhere);
  CHECK_FALSE(understand({"orterun", launchers.app, "--app", "commands"}).finds_programs_elsewhere);
}

TEST_CASE("launcher: the number of ranks is the launcher's option, not the application's",
          "[cli]") {
  const Launchers launchers;
  const auto ranks = [&](const Words& command) { return understand(command).ranks; };
  CHECK(ranks({"orterun", "-n", "4", "app", "-n", "100"}) == 4);
  CHECK(ranks({"orterun", "-np", "4", "app"}) == 4);
  CHECK(ranks({"orterun", "-c", "4", "app"}) == 4);
  CHECK(ranks({"orterun", "--np=4", "app"}) == 4);
  CHECK(ranks({"srun", "-n4", "app"}) == 4);
  CHECK(ranks({"srun", "--ntasks=4", "-c", "8", "app"}) == 4);
  CHECK(ranks({"srun", "-c", "8", "app"}) == 0);
  CHECK(ranks({"orterun", "app", "-n", "100"}) == 0);
  CHECK(ranks({"orterun", "-n", "4x", "app"}) == 0);
  CHECK(ranks({"app", "-n", "100"}) == 0);
}

TEST_CASE("launcher: Open MPI gets -x for every program of the command", "[cli]") {
  const Launchers launchers;
  CHECK(worked_in({"orterun", "-n", "2", "app"}) ==
        Words{"orterun", "-x", "A=1", "-x", "B=x y", "-n", "2", "app"});
  CHECK(worked_in({"orterun", "-n", "1", "app", ":", "-n", "2", "app"}) ==
        Words{"orterun", "-x", "A=1", "-x", "B=x y", "-n", "1", "app", ":", "-x", "A=1", "-x",
              "B=x y", "-n", "2", "app"});
}

TEST_CASE("launcher: Hydra gets -genv, once for all programs", "[cli]") {
  const Launchers launchers;
  CHECK(worked_in({"mpiexec.hydra", "-n", "1", "app", ":", "-n", "2", "app"}) ==
        Words{"mpiexec.hydra", "-genv", "A", "1", "-genv", "B", "x y", "-n", "1", "app", ":", "-n",
              "2", "app"});
}

TEST_CASE("launcher: srun gets --export, worked into the user's own", "[cli]") {
  const Launchers launchers;
  CHECK(worked_in({"srun", "-n", "2", "app"}) ==
        Words{"srun", "--export=ALL,A=1,B=x y", "-n", "2", "app"});
  CHECK(worked_in({"srun", "--export=HOME", "app"}) ==
        Words{"srun", "--export=HOME,A=1,B=x y", "app"});
  CHECK(worked_in({"srun", "--export", "ALL", "app"}) ==
        Words{"srun", "--export", "ALL,A=1,B=x y", "app"});
  CHECK(worked_in({"srun", "--export=NONE", "app"}) == Words{"srun", "--export=A=1,B=x y", "app"});
  CHECK(worked_in({"srun", "app", "--export=mine"}) ==
        Words{"srun", "--export=ALL,A=1,B=x y", "app", "--export=mine"});
}

TEST_CASE("launcher: a value with a comma reaches srun through the environment", "[cli]") {
  const Launchers launchers;
  Environment rest;
  const auto words = with_variables(understand({"srun", "app"}), {{"A", "1,2"}, {"B", "3"}}, rest);
  CHECK(words == Words{"srun", "--export=ALL,B=3", "app"});
  CHECK(rest == Environment{{"A", "1,2"}});
}

TEST_CASE("launcher: without a launcher the variables are for our own environment", "[cli]") {
  const Launchers launchers;
  Environment rest;
  CHECK(with_variables(understand({"app", "input"}), kVariables, rest) == Words{"app", "input"});
  CHECK(rest == kVariables);
}
