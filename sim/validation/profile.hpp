// SPDX-License-Identifier: MIT
// What a run did, call site by call site and rank by rank, whoever measured it: a trace, a report of mpiP, a replay.
//
// Counting  follows mpiP (mpip_rules.hpp): its procedures, its bytes. What only one side can know is marked, never guessed.
// Sites     are operation and place, "is.c:772"; an empty place stands for sites that could not be resolved. Sites of one line
//           are one: mpiP splits them where addresses are randomised.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sim/mpip/report.hpp"
#include "sim/validation/run_record.hpp"

namespace reprise::sim::validation {

struct SiteKey {
  std::string operation;  // without "MPI_"
  std::string place;
  friend auto operator<=>(const SiteKey&, const SiteKey&) = default;
};

// A number and how far the truth may be from it, on either side.
struct Measured {
  double value = 0, uncertainty = 0;
  Measured& operator+=(const Measured& other) {
    value += other.value;
    uncertainty += other.uncertainty;
    return *this;
  }
};

struct Calls {
  std::uint64_t calls = 0;
  Measured bytes;           // sent, read or written, put: what mpiP books for the operation
  bool bytes_known = true;  // false where mpiP books an argument that MPI ignores
  Measured time_s;
  Calls& operator+=(const Calls&);
};

struct RankTimes {
  Measured app_s,
      mpi_s;  // app: from the end of MPI_Init to the start of MPI_Finalize, MPI included
};

using RankNumber = std::int32_t;  // mpip::kAllRanks where a source knows only the sum over ranks

struct Profile {
  std::string source;      // the file it comes from
  std::string program;     // the executable's name without folders
  std::string command;     // the executable as the source names it, with folders if it has them
  std::int32_t ranks = 0;  // 0: not known (concise reports do not tell)
  std::map<SiteKey, std::map<RankNumber, Calls>> sites;
  std::vector<RankTimes> times;  // per rank; empty where only the sums are known
  RankTimes all_ranks;           // sums over ranks
  std::string
      times_mean_nothing;      // why this profile's times are no wall time; empty where they are
  std::string oversubscribed;  // as in RunRecord; empty where it was not, or nobody tells
  double recorder_s = 0;       // as in RunRecord
  bool is_replay = false;
  std::set<std::string>
      nested;  // operations with calls inside other MPI calls, which are in no site
  bool is_live_replay() const {
    return program.starts_with("reprise-live");
  }                               // of any program, by call sites of its own
  bool is_cut_to_twenty = false;  // a concise report lists no more than twenty call sites
  // Call sites whose rows of single ranks do not add up to the row of all ranks, although none is missing.
  struct Contradiction {
    SiteKey site;
    std::uint64_t calls_of_ranks = 0, calls_of_all = 0;
  };
  std::vector<Contradiction> contradictions;
};

Profile profile_of(const RunRecord&, const std::string& source);
Profile profile_of(const mpip::Report&, const std::string& source);

}  // namespace reprise::sim::validation
