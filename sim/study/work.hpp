// SPDX-License-Identifier: MIT
// A process's work on a study: its share of the simulations that nobody has done yet, each in a child process, its row kept.
//
// Resume  what has a row in any of the folder's files is done: the same command again goes on where it was stopped.
// Stop    SIGTERM, SIGINT or SIGHUP: no new simulation is begun, those that run are finished and kept; a second one ends them. One that
//         is killed from then on has no row, and is done again by the same command.
// Files   DIR/shard-I-of-N.jsonl with the rows, DIR/times-I-of-N.jsonl with what each has cost, which nothing reads back.
#pragma once

#include <cstdio>
#include <string>

#include "sim/study/plan.hpp"
#include "sim/study/shard.hpp"

namespace reprise::sim {

struct Work {
  Shard shard;
  std::string folder;
  std::size_t jobs = 1;  // simulations at a time
  bool again = false;    // do crashed simulations again
};

struct WorkDone {
  std::size_t share = 0;   // simulations of this process
  std::size_t before = 0;  // of them those that had a row already
  std::size_t done = 0, failed = 0, deadlocked = 0, crashed = 0;  // now
  bool is_interrupted = false;
  Seconds wall, cpu;   // of this process and its children, planning and reading not counted
  Seconds simulation;  // of that the replays alone
  std::size_t now() const { return done + failed + deadlocked + crashed; }
};

// Throws RunError: the share is being worked on by another process, no child can be made, the disk is full.
WorkDone work_on(const Study&, const StudyInputs&, const Plan&, const Work&, std::FILE* progress,
                 bool is_terminal);

// How far a study is: on a terminal a line that renews itself, elsewhere a line every 30 s. Time left from the pace so far.
// "120 of 400 simulations, 41 a second, 7 s left"; before the first has ended without pace and time left. NOW_DONE: of DONE those that
// this process did, in ELAPSED.
std::string progress_text(std::size_t done, std::size_t total, std::size_t now_done,
                          Seconds elapsed);

class ProgressLine {
 public:
  // The times are of a steady clock; TO is usually stderr.
  ProgressLine(std::FILE* to, bool is_terminal, Seconds start)
      : to_(to), is_terminal_(is_terminal), start_(start), last_(start) {}

  // Writes where it is time to.
  void show(std::size_t done, std::size_t total, std::size_t now_done, Seconds now);
  void clear();  // takes the terminal's line away

 private:
  std::FILE* to_;
  bool is_terminal_, has_line_ = false;
  Seconds start_, last_;
};

}  // namespace reprise::sim
