// SPDX-License-Identifier: MIT
#include "sim/cli/child.hpp"

#include <catch2/catch.hpp>
#include <csignal>
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

TEST_CASE("child: SIGTERM and SIGHUP sent to us are passed on", "[cli]") {
  CHECK(
      run_child({"sh", "-c", "trap 'exit 9' TERM; kill -TERM $PPID; while :; do sleep 0.01; done"},
                {}) == 9);
  CHECK(run_child({"sh", "-c", "trap 'exit 8' HUP; kill -HUP $PPID; while :; do sleep 0.01; done"},
                  {}) == 8);
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
