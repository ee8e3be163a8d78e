// SPDX-License-Identifier: MIT
// A process's work on a study: its share of the simulations that nobody has done yet, in child processes, a row of each kept.
//
// Resume  what has a row in any of the folder's files is done: the same command again goes on where it was stopped.
// Stop    SIGTERM, SIGINT or SIGHUP: no new simulation is begun, those that run are finished and kept; a second one ends them. One that
//         is killed from then on has no row, and is done again by the same command.
// Files   DIR/shard-I-of-N.jsonl with the rows, DIR/times-I-of-N.jsonl with what each has cost, which nothing reads back.
#pragma once

#include <functional>
#include <string>

#include "sim/study/plan.hpp"
#include "sim/study/shard.hpp"
#include "trace-io/base/progress_line.hpp"

namespace reprise::sim {

struct Work {
  Shard shard;
  std::string folder;
  std::size_t jobs = 1;                          // simulations at a time
  bool again = false;                            // do crashed simulations again
  std::function<void(const std::string&)> tell;  // hears of every simulation that is over
  // Hears, before the first simulation, how many of how many had a row already, by whichever process.
  std::function<void(std::size_t before, std::size_t share)> begin = {};
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
WorkDone work_on(const Study&, const StudyInputs&, const Plan&, const Work&, ProgressLine&);

// How far a study is. Time left from the pace so far.
// "120 of 400 simulations, 41 a second, 7 s left"; before the first has ended without pace and time left. NOW_DONE: of DONE those that
// this process did, in ELAPSED.
std::string progress_text(std::size_t done, std::size_t total, std::size_t now_done,
                          Seconds elapsed);

}  // namespace reprise::sim
