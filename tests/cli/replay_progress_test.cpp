// SPDX-License-Identifier: MIT
#include "sim/cli/replay_progress.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "sim/engine/replay.hpp"
#include "sim/experiment/experiment.hpp"
#include "trace-io/check/summary.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise;
using cli::ReplayProgress;

namespace {

// A progress line in a file, and a clock that is set by hand.
struct Watched {
  std::FILE* to = std::tmpfile();
  Seconds now{0};
  ProgressLine line{to, ProgressLine::Place::terminal, [this] { return now; }};
  ~Watched() { std::fclose(to); }

  // What has been written since the last time, without what places it.
  std::string text() {
    std::string all;
    std::fseek(to, read, SEEK_SET);
    for (int c; (c = std::fgetc(to)) != EOF; ++read)
      if (c != '\r') all += static_cast<char>(c);
    return all.substr(0, all.find("\033[K"));
  }
  long read = 0;
};

// Hears everything.
struct Listener : sim::ReplayWatch {
  std::vector<std::uint64_t> told;
  int begun = 0, ended = 0;
  void begin() override { ++begun; }
  bool is_due() override { return true; }
  void at(std::uint64_t calls) override { told.push_back(calls); }
  void end() override { ++ended; }
};

}  // namespace

TEST_CASE("the first replay tells its calls and the time left") {
  Watched watched;
  ReplayProgress progress(watched.line, 1'000'000, 40, {});
  progress.begin();
  CHECK_FALSE(progress.is_due());
  watched.now = Seconds{3};
  CHECK(progress.is_due());
  progress.at(250'000);
  CHECK(watched.text() == "reprise: replay of 1 000 000 MPI calls: 25 %, 9 s left");
}

TEST_CASE("further replays are numbered, and take as long as those before them") {
  Watched watched;
  std::vector<std::string> told;
  ReplayProgress progress(watched.line, 1000, 3,
                          [&](const std::string& text) { told.push_back(text); });
  const auto replay_of = [&](double seconds) {
    progress.begin();
    watched.now += Seconds{seconds};
    progress.end();
  };
  replay_of(4);
  replay_of(2);  // the first further one
  progress.begin();
  watched.now += Seconds{0.5};
  progress.at(100);
  CHECK(watched.text() == "reprise: further replay 2 of about 3: 10 %, about 4 s left");
  watched.now += Seconds{1.5};
  progress.end();  // takes the line away, to tell that it is over
  CHECK(watched.text().empty());
  progress.begin();
  watched.now += Seconds{1};
  progress.at(500);
  CHECK(watched.text() == "reprise: further replay 3 of about 3: 50 %, about 1 s left");
  watched.now += Seconds{1};
  progress.end();
  CHECK(watched.text().empty());
  progress.begin();  // more than were thought
  watched.now += Seconds{1};
  progress.at(999);
  CHECK(watched.text() == "reprise: further replay 4: 99 %, about 1 s left");
  CHECK(told == std::vector<std::string>{"replay of 1 000 MPI calls: 4.00 s",
                                         "further replay 1: 2.00 s", "further replay 2: 2.00 s",
                                         "further replay 3: 2.00 s"});
}

TEST_CASE("replays in children are told by the parent alone") {
  Watched watched;
  std::vector<std::string> told;
  ReplayProgress progress(watched.line, 1000, 0,
                          [&](const std::string& text) { told.push_back(text); });
  watched.now = Seconds{3};
  progress.waiting(0, 6);
  CHECK(watched.text() == "reprise: further replays: 0 %");
  watched.now = Seconds{5};
  progress.waiting(2, 6);
  CHECK(watched.text() == "reprise: further replays: 33 %, 4 s left");
  const pid_t child = fork();
  if (child == 0) {
    watched.now = Seconds{9};
    progress.begin();
    progress.at(500);
    progress.end();
    _exit(told.empty() ? 0 : 1);
  }
  int status = 1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(watched.text().empty());
}

TEST_CASE("a replay tells how many calls have begun, those that it leaves out included") {
  const auto trace = trace_io::assemble(
      "reprise-text 1\nranks 2\nthread 0 {\n  loop 20000 {\n"
      "    ranks 0: MPI_Send peer=1 tag=7 bytes=8 | compute 10us\n"
      "    ranks 1: MPI_Recv peer=0 tag=7 bytes=8\n"
      "    ranks 1: MPI_Send peer=0 tag=7 bytes=8 | compute 10us\n"
      "    ranks 0: MPI_Recv peer=1 tag=7 bytes=8\n  }\n}\n",
      "long.txt");
  const std::uint64_t calls = trace_io::summarise(trace).operations;
  for (const bool forward : {false, true}) {
    Listener listener;
    sim::Experiment experiment;
    experiment.trace = &trace;
    sim::set_machine(experiment, std::nullopt);
    experiment.settings.fast_forward = forward;
    experiment.settings.watch = &listener;
    const auto prepared = sim::prepare(experiment);
    const auto outcome = sim::replay(trace, prepared.platform, prepared.settings);
    CHECK(outcome.operations == calls);
    CHECK(listener.begun == 1);
    CHECK(listener.ended == 1);
    if (!forward) CHECK_FALSE(listener.told.empty());
    CHECK(std::is_sorted(listener.told.begin(), listener.told.end()));
    for (const std::uint64_t told : listener.told) CHECK(told <= calls);
  }
}
