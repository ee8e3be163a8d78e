// SPDX-License-Identifier: MIT
// Holds what we say of a run against what mpiP said of it: a trace against a report, or two reports against each other.
//
// Exact     program, ranks, and per operation and call site the calls and the bytes, as far as mpiP's printed digits tell: a note says how many
//           comparisons of bytes rest on rounded numbers, and what difference they would not show.
// Tolerant  application time, MPI time and the time of every operation that matters (at least kShareThatMatters of all
//           application time), within a relative tolerance: these come from two runs.
// Skipped   what cannot be compared is listed with its reason: polls, procedures that mpiP does not time, procedures that a
//           trace leaves out because they communicate with nobody, arguments that MPI ignores.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/validation/profile.hpp"

namespace reprise::sim::validation {

inline constexpr double kShareThatMatters = 0.01;

struct Check {
  std::string what;  // "program", "ranks", "calls", "bytes", "application time", "MPI time", "time"
  std::string key;   // "MPI_Send", "MPI_Send is.c:587", "rank 3", …
  double ours = 0, theirs = 0;
  bool ok = false;
  std::string reason;  // of a failure, where the numbers do not say it
  double within =
      0;  // bytes: how far the two may be apart and count as equal, by the digits that were printed; 0: exact, or less than a byte
};
struct Skipped {
  std::string what, key, reason;
};
struct Validation {
  std::vector<Check> checks;
  std::vector<Skipped> skipped;
  std::vector<std::string> notes;  // what may explain times that differ, and what to do
  double worst_time_error = 0;     // relative, of the time checks
  std::string compared_by;         // "operation, file and line", or why not
  bool passed() const;
};

struct ValidationSettings {
  std::optional<double> time_tolerance = 0.05;  // relative; none: times are not compared
};

Validation validate(const Profile& ours, const Profile& theirs, const ValidationSettings&);

}  // namespace reprise::sim::validation
