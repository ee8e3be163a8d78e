// SPDX-License-Identifier: MIT
#include "sim/processes/at_once.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cerrno>
#include <csignal>
#include <new>
#include <vector>

#include "sim/replay_watch.hpp"
#include "trace-io/base/error.hpp"

using namespace reprise;
using namespace reprise::sim;

namespace {

constexpr std::size_t kAllJobs[] = {1, 2, 3, 16};

std::string error_of(std::size_t jobs, const std::function<std::string(std::size_t)>& work) {
  try {
    bytes_at_once(jobs, 4, "a further replay", work);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no error";
}

std::string nothing(std::size_t) { return ""; }

bool has_children() {
  int status = 0;
  return waitpid(-1, &status, WNOHANG) >= 0 || errno != ECHILD;
}

}  // namespace

TEST_CASE("at once: results come in order, whoever ends first", "[processes]") {
  for (const std::size_t jobs : kAllJobs) {
    const auto results = bytes_at_once(jobs, 7, "a test", [](std::size_t i) {
      usleep(static_cast<useconds_t>(1000 * ((7 - i) % 3)));
      return std::string(i * 40'000, static_cast<char>('a' + i));
    });
    REQUIRE(results.size() == 7);
    for (std::size_t i = 0; i < 7; ++i)
      CHECK(results[i] == std::string(i * 40'000, static_cast<char>('a' + i)));
  }
  CHECK(bytes_at_once(2, 0, "a test", nothing).empty());
  CHECK(bytes_at_once(2, 3, "a test", nothing) == std::vector<std::string>(3));
}

TEST_CASE("at once: the parent tells how many are over, none where all is done in it",
          "[processes]") {
  struct Listener : ReplayWatch {
    std::vector<std::size_t> over;
    void begin() override {}
    bool is_due() override { return true; }
    void at(std::uint64_t) override {}
    void end() override {}
    void waiting(std::size_t done, std::size_t count) override {
      CHECK(count == 5);
      over.push_back(done);
    }
  };
  for (const std::size_t jobs : kAllJobs) {
    Listener listener;
    bytes_at_once(jobs, 5, "a test", nothing, &listener);
    CHECK(std::is_sorted(listener.over.begin(), listener.over.end()));
    CHECK((jobs == 1 ? listener.over.empty() : listener.over.back() == 5));
  }
}

TEST_CASE("at once: plain data comes back to the last bit", "[processes]") {
  struct Both {
    double third;
    int number;
  };
  for (const std::size_t jobs : kAllJobs) {
    const auto results = at_once(jobs, 5, "a test", [](std::size_t i) {
      return Both{static_cast<double>(i) / 3, static_cast<int>(i)};
    });
    for (std::size_t i = 0; i < 5; ++i) {
      CHECK(results[i].third == static_cast<double>(i) / 3);
      CHECK(results[i].number == static_cast<int>(i));
    }
  }
}

TEST_CASE("at once: one job is done here, several each in a child, of which none is left",
          "[processes]") {
  int changed = 0;
  const auto process_of = [&changed](std::size_t i) {
    changed += static_cast<int>(i) + 1;
    return getpid();
  };
  for (const pid_t process : at_once(1, 3, "a test", process_of)) CHECK(process == getpid());
  CHECK(changed == 6);
  auto processes = at_once(2, 3, "a test", process_of);
  CHECK(std::count(processes.begin(), processes.end(), getpid()) == 0);
  std::sort(processes.begin(), processes.end());
  CHECK(std::unique(processes.begin(), processes.end()) == processes.end());
  CHECK(changed == 6);
  CHECK_FALSE(has_children());
}

TEST_CASE("at once: of what is thrown, the first in order is thrown here", "[processes]") {
  for (const std::size_t jobs : kAllJobs)
    CHECK(error_of(jobs, [](std::size_t i) -> std::string {
            if (i == 1) usleep(20'000);  // the other one comes first
            if (i == 1 || i == 2) throw InputError("the trace", "number " + std::to_string(i));
            return "";
          }) == "the trace: number 1");
  CHECK_FALSE(has_children());
}

TEST_CASE("at once: a child that dies is named, and the others are ended at once", "[processes]") {
  CHECK(error_of(2,
                 [](std::size_t i) -> std::string {
                   if (i == 0)
                     for (;;) pause();
                   std::raise(SIGKILL);
                   return "";
                 }) ==
        "a further replay: killed by signal 9 (Killed), perhaps because the machine ran out of "
        "memory\n  try fewer at a time with -j");
  CHECK(error_of(2, [](std::size_t i) -> std::string {
          if (i == 1) throw std::bad_alloc();
          return "";
        }) == "a further replay: out of memory\n  try fewer at a time with -j");
  CHECK_FALSE(has_children());
}

// A process that does two pieces of work, each of which holds a pipe open for ever, gets a SIGINT as from a terminal.
// Expectation: the pipe is closed, so all of them are gone.
TEST_CASE("at once: Ctrl-C ends the parent and all children", "[processes]") {
  int holders[2];
  REQUIRE(pipe(holders) == 0);
  const pid_t parent = fork();
  REQUIRE(parent >= 0);
  if (parent == 0) {
    std::signal(SIGINT, SIG_DFL);
    close(holders[0]);
    bytes_at_once(2, 2, "a test", [&holders](std::size_t) -> std::string {
      const char here = 'x';
      if (write(holders[1], &here, 1) != 1) _exit(1);
      for (;;) pause();
    });
    _exit(0);
  }
  close(holders[1]);
  char seen = 0;
  for (int child = 0; child < 2; ++child) REQUIRE(read(holders[0], &seen, 1) == 1);
  kill(parent, SIGINT);
  int status = 0;
  REQUIRE(waitpid(parent, &status, 0) == parent);
  CHECK(WIFSIGNALED(status));
  CHECK(read(holders[0], &seen, 1) == 0);  // no writer is left
  close(holders[0]);
}
