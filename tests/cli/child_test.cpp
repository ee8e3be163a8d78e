// SPDX-License-Identifier: MIT
#include "sim/cli/child.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <filesystem>
#include <string>

#include "tests/cli/scratch.hpp"
#include "trace-io/base/error.hpp"

using namespace reprise::cli;

TEST_CASE("child: the exit status is the program's own", "[cli]") {
  CHECK(run_child({"sh", "-c", "exit 0"}, {}) == 0);
  CHECK(run_child({"sh", "-c", "exit 7"}, {}) == 7);
  CHECK(run_child({"sh", "-c", "exit 255"}, {}) == 255);
}

TEST_CASE("child: a signal N is the status 128 + N", "[cli]") {
  CHECK(run_child({"sh", "-c", "kill -KILL $$"}, {}) == 128 + SIGKILL);
  CHECK(run_child({"sh", "-c", "kill -TERM $$"}, {}) == 128 + SIGTERM);
  CHECK(run_child({"sh", "-c", "kill -SEGV $$"}, {}) == 128 + SIGSEGV);
}

TEST_CASE("child: signals that a process sends to us are passed on", "[cli]") {
  std::signal(SIGINT, SIG_DFL);  // a shell cannot trap what is ignored, as in a script's background
  std::signal(SIGQUIT, SIG_DFL);
  const std::string name =
      GENERATE("HUP", "INT", "QUIT", "USR1", "USR2", "ALRM", "TERM", "XCPU", "CONT");
  CAPTURE(name);
  CHECK(run_child({"sh", "-c",
                   "trap 'exit 9' " + name + "; kill -" + name +
                       " $PPID; for i in $(seq 500); do sleep 0.01; done"},
                  {}) == 9);
}

TEST_CASE("child: a SIGUSR1 after its end does nothing, and later programs do not inherit that",
          "[cli]") {
  std::signal(SIGUSR1, SIG_DFL);
  CHECK(run_child({"true"}, {}) == 0);
  CHECK(std::raise(SIGUSR1) == 0);
  CHECK(run_child({"sh", "-c", "kill -USR1 $$"}, {}) == 128 + SIGUSR1);
}

TEST_CASE("child: the program has the signal mask and the ignored signals that we had", "[cli]") {
  std::signal(SIGCHLD, SIG_IGN);
  const Scratch scratch;
  const auto status = scratch.path("status");
  CHECK(run_child({"cp", "/proc/self/status", status}, {}) == 0);
  std::signal(SIGCHLD, SIG_DFL);
  const auto ignored = output_of({"sed", "-n", "s/^SigIgn:\t//p", status});
  const auto blocked = output_of({"sed", "-n", "s/^SigBlk:\t//p", status});
  CHECK((std::stoull(ignored, nullptr, 16) >> (SIGCHLD - 1) & 1) == 1);
  CHECK(std::stoull(blocked, nullptr, 16) == 0);
}

TEST_CASE("child: SIGTSTP stops us where it stops the child, and SIGCONT goes on with both",
          "[cli]") {
  const Scratch scratch;
  const auto begun = scratch.path("begun"), go = scratch.path("go");
  const std::string program =
      "touch " + begun + "; while ! [ -e " + go + " ]; do sleep 0.01; done; exit 7";
  const auto [traps, stops] =
      GENERATE(table<std::string, bool>({{"", true}, {"trap 'exit 5' TSTP; ", false}}));
  CAPTURE(traps);
  const pid_t us = fork();
  if (us == 0) {
    setpgid(0, 0);  // the kernel stops no group without a parent in its session
    _exit(run_child({"sh", "-c", traps + program}, {}));
  }
  for (int i = 0; i < 3000 && !std::filesystem::exists(begun); ++i) usleep(10'000);
  kill(us, SIGTSTP);
  int status = 0;
  REQUIRE(waitpid(us, &status, WUNTRACED) == us);
  CHECK(WIFSTOPPED(status) == stops);
  if (!WIFSTOPPED(status)) {
    CHECK(WEXITSTATUS(status) == 5);
    return;
  }
  scratch.file("go", "");
  kill(us, SIGCONT);
  REQUIRE(waitpid(us, &status, WUNTRACED) == us);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 7);
}

TEST_CASE("child: a program that cannot be run is named with the reason", "[cli]") {
  CHECK_THROWS_WITH(run_child({"/nowhere/program"}, {}),
                    "/nowhere/program: could not be run: No such file or directory");
  CHECK_THROWS_WITH(become({"/nowhere/program"}, {}),
                    "/nowhere/program: could not be run: No such file or directory");
  const Scratch scratch;
  const auto data = scratch.file("data", "no program");
  CHECK_THROWS_WITH(run_child({data}, {}), data + ": could not be run: Permission denied");
}

TEST_CASE("child: variables reach the program and not ourselves", "[cli]") {
  CHECK(run_child({"sh", "-c", "test \"$REPRISE_TEST_VALUE\" = 'a b'"},
                  {{"REPRISE_TEST_VALUE", "a b"}}) == 0);
  CHECK(std::getenv("REPRISE_TEST_VALUE") == nullptr);
}

TEST_CASE("child: output_of is what is written on stdout", "[cli]") {
  CHECK(output_of({"sh", "-c", "echo out; echo err >&2; exit 3"}) == "out\n");
  CHECK(output_of({"sh", "-c", "head -c 100000 /dev/zero"}).size() == 100000);
  CHECK(output_of({"/nowhere/program"}).empty());
}
