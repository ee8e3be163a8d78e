// SPDX-License-Identifier: MIT
// Whether other processes disturbed a recording so much that its run time is not the program's.
//
// Measure   what a rank was preempted for while it computed, in relation to the recorded run time, and to what it computed. The run time alone is no
//           measure: it holds what the ranks lost inside MPI calls meanwhile, which nobody sees, and the more they lost the less the preemption seems.
#pragma once

#include <optional>
#include <string>

#include "trace-io/model/trace.hpp"

namespace reprise {

// A recording with more ranks on a host than the host has cores: they take the cores from each other.
struct SharedCores {
  std::uint64_t ranks = 0;
  std::uint32_t cores = 0;
};
// The host with the most ranks for a core; none where all have one each. Cost: O(hosts · terms).
std::optional<SharedCores> shared_cores(const trace_io::Header&);

struct Disturbance {
  Rank rank;          // that was preempted for longest
  Seconds preempted;  // of it
  double share = 0;   // of the recorded run time
  std::optional<Seconds>
      computing;  // of the rank, without what it was preempted for; none: the trace does not say
  std::optional<SharedCores> shared = {};
};

// None where no rank was preempted for kDisturbed of the recorded run time, or for as long as it computed and kNoticed of the run time; or where
// that is not known. Where the trace does not tell the ranks apart, kDisturbed alone decides. Cost: O(preempted ranks).
inline constexpr double kDisturbed = 0.05;
inline constexpr double kNoticed =
    0.02;  // some time slices in a run that hardly computes are no disturbance
std::optional<Disturbance> disturbance_of(const trace_io::Trace&);

// "rank 3 was preempted for 1.912 s (3.1 times its computing time; 4 ranks shared 2 cores)"
std::string describe(const Disturbance&);
// What to do about it, to follow a sentence: "; record again on idle cores, or with --clock cpu, …". Of a recording that has that clock: a core for
// every rank, or several recordings. Of a program whose threads compute while the one that calls MPI sleeps, the CPU clock would miss them: a core for
// every thread.
std::string remedy_of_disturbance(const trace_io::Trace&);

// What kept the rank that was preempted for longest from computing, whether that disturbed the recording or not; none where it is not known, or
// nothing. `shared` is left out.
std::optional<Disturbance> preemption_of(const trace_io::Trace&);

}  // namespace reprise
