// SPDX-License-Identifier: MIT
// What `reprise record` is going to run and with which variables, and its refusals of what can be seen to fail before a job runs.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/cli/launcher.hpp"

namespace reprise::cli {

// What the user asked for, checked.
struct RecordSettings {
  std::optional<std::string> output;
  bool force = false, compensate = true;
  std::string timing = "path", histogram = "ward", order = "8KiB", clock = "wall";
  std::uint64_t bins = 5, depth = 16;
  std::string completions = "represented";  // or exact
  std::string times = "pooled";             // as REPRISE_TIMES has it
  std::string messages = "none";            // whose times are sampled; as REPRISE_MESSAGES has it
  std::uint64_t iterations = 0;             // clusters of them; 0: none are recorded
  std::string counters;                     // events as REPRISE_COUNTERS has them; empty: none
  std::string functions;                    // modes as functions_option.hpp has them; empty: none
  bool compresses_afterwards =
      false;  // whoever runs the plan, when the job is over: the ranks need not
};

struct RecordPlan {
  std::vector<std::string> command;  // with the variables for the ranks worked in
  Environment environment;           // for our own child, or for ourselves
  std::filesystem::path
      output;  // absolute; behind a launcher and without -o the recorder chooses, and this is empty
  bool traces_calls = false;
  bool is_rank = false;                  // we run behind a launcher, once per rank
  std::optional<std::string> sanitized;  // the program for which ASAN_OPTIONS was extended
};

// `recorder_folders`: where the recorder libraries may be. Throws InputError: a program that does not exist or is statically linked,
// an MPI library that is not the launcher's, no recorder for it, a trace that exists. REQUIRES: the command is not empty.
RecordPlan plan_recording(const RecordSettings&, const std::vector<std::string>& command,
                          const std::vector<std::filesystem::path>& recorder_folders);

// As a shell would have it: NAME=VALUE lines, then the command, quoted where need be.
std::string plan_text(const RecordPlan&);

}  // namespace reprise::cli
