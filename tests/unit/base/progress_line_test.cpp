// SPDX-License-Identifier: MIT
#include "trace-io/base/progress_line.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <initializer_list>
#include <string>

using namespace reprise;

namespace {

using Place = ProgressLine::Place;

// What a temporary file holds, from its beginning.
std::string all_of(std::FILE* file) {
  std::string text;
  std::rewind(file);
  for (int c; (c = std::fgetc(file)) != EOF;) text += static_cast<char>(c);
  return text;
}

// What is written where show("N") is called at the seconds N after the beginning.
std::string shown(Place place, std::initializer_list<double> times) {
  std::FILE* to = std::tmpfile();
  Seconds now{100};
  {
    ProgressLine line(to, place, [&] { return now; });
    for (const double time : times) {
      now = Seconds{100 + time};
      line.show(std::to_string(time).substr(0, 4));
    }
  }
  const std::string text = all_of(to);
  std::fclose(to);
  return text;
}

}  // namespace

TEST_CASE("progress: a terminal's line comes after two seconds, five times a second, and goes") {
  CHECK(shown(Place::terminal, {0.5, 1.99}).empty());
  CHECK(shown(Place::terminal, {1.99, 2, 2.1, 2.25}) ==
        "\rreprise: 2.00\033[K\rreprise: 2.25\033[K\r\033[K");
}

TEST_CASE("progress: elsewhere a line every 30 s, which stays") {
  CHECK(shown(Place::log, {2, 29.9}).empty());
  CHECK(shown(Place::log, {30, 31, 59.9, 60}) == "reprise: 30.0\nreprise: 60.0\n");
}

TEST_CASE("progress: none is none") { CHECK(shown(Place::none, {2, 30, 3600}).empty()); }

TEST_CASE("progress: a child of the process writes nothing, not even at its end") {
  std::FILE* to = std::tmpfile();
  Seconds now{0};
  ProgressLine line(to, Place::terminal, [&] { return now; });
  now = Seconds{3};
  line.show("parent");
  const pid_t child = fork();
  if (child == 0) {
    now = Seconds{6};
    line.show("child");
    line.clear();
    _exit(0);
  }
  int status = 1;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK(all_of(to) == "\rreprise: parent\033[K");
  line.clear();
  std::fclose(to);
}

TEST_CASE("progress: what cannot be written is left out") {
  Seconds now{0};
  const auto write_to = [&](std::FILE* to) {
    REQUIRE(to != nullptr);
    ProgressLine line(to, Place::terminal, [&] { return now; });
    now += Seconds{3};
    line.show("nobody reads this");
    line.clear();
  };
  std::FILE* full = std::fopen("/dev/full", "w");
  write_to(full);
  std::fclose(full);
  // a pipe whose reader has gone would end the process by SIGPIPE
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  close(ends[0]);
  std::FILE* broken = fdopen(ends[1], "w");
  write_to(broken);
  std::fclose(broken);
  struct sigaction now_set {};
  sigaction(SIGPIPE, nullptr, &now_set);
  CHECK(now_set.sa_handler == SIG_DFL);
}

TEST_CASE("progress: time left is that of the part so far") {
  CHECK(part_text(0, Seconds{5}) == "0 %");
  CHECK(part_text(0.25, Seconds{5}) == "25 %, 15 s left");
  CHECK(part_text(1, Seconds{5}) == "100 %, 0 s left");
  CHECK(part_text(1.5, Seconds{5}) == "100 %, 0 s left");  // an estimate that was too low
  CHECK(time_left_text(Seconds{0.2}) == "1 s");
  CHECK(time_left_text(Seconds{119}) == "119 s");
  CHECK(time_left_text(Seconds{119.5}) == "2 min");
  CHECK(time_left_text(Seconds{121}) == "3 min");
  CHECK(time_left_text(Seconds{7200}) == "2 h 0 min");
}
