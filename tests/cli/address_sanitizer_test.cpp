// SPDX-License-Identifier: MIT
#include "sim/cli/address_sanitizer.hpp"

#include <catch2/catch.hpp>

#include "sim/cli/record_plan.hpp"
#include "tests/cli/scratch.hpp"

using namespace reprise::cli;
using Words = std::vector<std::string>;

namespace {

// A program that loads the sanitizer's runtime, one that does not, a launcher; no ASAN_OPTIONS around us.
struct Programs {
  Scratch scratch;
  std::string sanitized = scratch.program_loading("sanitized", "libasan.so.8");
  std::string mpi = scratch.program_loading("mpi", "libmpi.so.40");
  std::string orterun = scratch.script("orterun", "exit 0");
  std::string hydra = scratch.script("mpiexec.hydra", "exit 0");
  Variable path{"PATH", scratch.folder().string() + ":/usr/bin:/bin"};
  Variable none{"ASAN_OPTIONS", std::nullopt};

  // The command as it becomes, and what is added to the variables.
  std::pair<Words, Environment> allowed(const Words& command) const {
    Launch launch = understand(command);
    Environment variables;
    CHECK(allow_preloading(launch, variables));
    return {launch.command, variables};
  }
  bool is_left_alone(const Words& command) const {
    Launch launch = understand(command);
    Environment variables;
    return !allow_preloading(launch, variables) && launch.command == command && variables.empty();
  }
};

}  // namespace

TEST_CASE("address sanitizer: a program that loads it is found, in each part of the command",
          "[cli]") {
  const Programs programs;
  const auto found = [&](const Words& command) { return sanitized_program(understand(command)); };
  CHECK(found({programs.sanitized}) == programs.sanitized);
  CHECK(found({"orterun", "-n", "2", "sanitized", "input"}) == "sanitized");
  CHECK(found({"orterun", "-n", "1", "mpi", ":", "-n", "1", "env", "A=1", "sanitized"}) ==
        "sanitized");
  CHECK_FALSE(found({"orterun", "-n", "2", "mpi"}));
  CHECK_FALSE(found({"orterun", "-n", "2", "mpi", "sanitized"}));  // an argument
  CHECK_FALSE(found({programs.scratch.script("script", "exec sanitized")}));
}

TEST_CASE("address sanitizer: the option stands behind the user's", "[cli]") {
  const Programs programs;
  const Words command = {"orterun", "-n", "2", "sanitized"};
  CHECK(programs.allowed(command).second ==
        Environment{{"ASAN_OPTIONS", "verify_asan_link_order=0"}});
  {
    const Variable options("ASAN_OPTIONS", "detect_leaks=0:log_path=x");
    CHECK(programs.allowed(command) ==
          std::pair{command, Environment{{"ASAN_OPTIONS",
                                          "detect_leaks=0:log_path=x:verify_asan_link_order=0"}}});
    CHECK(programs.allowed({"orterun", "-x", "ASAN_OPTIONS", "sanitized"}).first ==
          Words{"orterun", "-x", "ASAN_OPTIONS=detect_leaks=0:log_path=x:verify_asan_link_order=0",
                "sanitized"});
  }
  const auto in_the_command = [&](const Words& words) {
    const auto [changed, variables] = programs.allowed(words);
    CHECK(variables.empty());
    return changed;
  };
  const std::string both = "detect_leaks=0:verify_asan_link_order=0";
  CHECK(in_the_command({"orterun", "-x", "ASAN_OPTIONS=detect_leaks=0", "sanitized"}) ==
        Words{"orterun", "-x", "ASAN_OPTIONS=" + both, "sanitized"});
  CHECK(in_the_command({"mpiexec.hydra", "-genv", "ASAN_OPTIONS", "detect_leaks=0", "sanitized"}) ==
        Words{"mpiexec.hydra", "-genv", "ASAN_OPTIONS", both, "sanitized"});
  CHECK(in_the_command({"env", "ASAN_OPTIONS=detect_leaks=0", "sanitized"}) ==
        Words{"env", "ASAN_OPTIONS=" + both, "sanitized"});
}

TEST_CASE("address sanitizer: what the user has set of the option stays", "[cli]") {
  const Programs programs;
  CHECK(programs.is_left_alone(
      {"orterun", "-x", "ASAN_OPTIONS=verify_asan_link_order=1", "sanitized"}));
  const Variable options("ASAN_OPTIONS", "verify_asan_link_order=1");
  CHECK(programs.is_left_alone({"orterun", "sanitized"}));
}

TEST_CASE("address sanitizer: the plan of a recording hands the option to the ranks", "[cli]") {
  const Programs programs;
  programs.scratch.file("lib/libreprise-recorder.so", "");
  const auto plan = [&](const Words& command) {
    RecordSettings settings;
    settings.output = programs.scratch.path("x.reprise");
    return plan_recording(settings, command, {programs.scratch.path("lib")});
  };
  const auto sanitized = plan({"orterun", "-n", "2", "sanitized"});
  CHECK(sanitized.sanitized == "sanitized");
  CHECK(plan_text(sanitized).find(" -x ASAN_OPTIONS=verify_asan_link_order=0 ") !=
        std::string::npos);
  const auto other = plan({"orterun", "-n", "2", "mpi"});
  CHECK_FALSE(other.sanitized);
  CHECK(plan_text(other).find("ASAN_OPTIONS") == std::string::npos);
  const Variable options("ASAN_OPTIONS", "verify_asan_link_order=1");
  CHECK_FALSE(plan({"orterun", "-n", "2", "sanitized"}).sanitized);
}
