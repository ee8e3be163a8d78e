// SPDX-License-Identifier: MIT
// A process's work on a study: its share of the simulations that nobody has done yet, each in a child process, its row kept.
//
// Resume  what has a row in any of the folder's files is done: the same command again goes on where it was stopped.
// Stop    SIGTERM, SIGINT or SIGHUP: no new simulation is begun, those that run are finished and kept; a second one ends them.
// Files   DIR/shard-I-of-N.jsonl with the rows, DIR/times-I-of-N.jsonl with what each has cost, which nothing reads back.
#pragma once

#include <string>

#include "sim/study/plan.hpp"
#include "sim/study/progress.hpp"
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

}  // namespace reprise::sim
