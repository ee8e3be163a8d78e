// SPDX-License-Identifier: MIT
// What a replay's calls cost, call site by call site and rank by rank. Kept where it is asked for (observation.hpp).
//
// Account  of a site: how often it was called, what was computed before its calls, and the time inside them, of which part is waiting
//          (sim/outcome.hpp says what is what). The accounts of a rank add up to the rank's times.
// Bytes    what the calls' send arguments hold, on every rank that gives one: payload of a send, the send buffer of a collective, data
//          put or accumulated, written to a file. Where a call only receives: its receive argument. Starting a persistent send: 0.
// Jumps    iterations that fast-forward leaves out are counted by those that it watched: exactly where the ranks' times are (a period's
//          accounts times the periods); else calls and bytes exactly, and times so that they add up to the rank's.
// Cost     one addition a call; 96 bytes for each rank and site.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "trace-io/base/quantity.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

struct CallAccount {
  std::uint64_t calls = 0, bytes = 0;
  std::uint64_t least_bytes = std::numeric_limits<std::uint64_t>::max(),
                most_bytes = 0;  // of one call
  double compute = 0, expected = 0, in_mpi = 0,
         wait = 0;  // seconds; expected: had every delta been its mean; in_mpi holds wait
  double shortest = std::numeric_limits<double>::infinity(), longest = 0;  // of one call inside MPI
  CallAccount& operator+=(const CallAccount&);
};

// By site; shorter than the trace's sites where the last ones were not called.
using SiteAccounts = std::vector<CallAccount>;

// What a rank gains by a jump.
struct JumpedTimes {
  bool is_exact = false;
  double periods = 0, compute = 0, in_mpi = 0, wait = 0;
};

// ACCOUNTS goes on as if the jumped iterations had been carried out. ENTERED: at the loop's first iteration; PERIOD: what one period
// added. The times are added up to those of JUMPED.
void jump(SiteAccounts& accounts, const SiteAccounts& entered, const SiteAccounts& period,
          const JumpedTimes& jumped);
// What has been added since BEFORE; extremes are those of NOW.
SiteAccounts difference(const SiteAccounts& now, const SiteAccounts& before);

}  // namespace reprise::sim
