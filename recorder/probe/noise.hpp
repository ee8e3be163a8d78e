// SPDX-License-Identifier: MIT
// `reprise-probe --noise`: what takes cores away from programs on this machine, one process a core, for `reprise replay --noise FILE`.
//
// How     selfish detours (P. Beckman et al., "The Influence of Operating Systems on the Performance of Collective Operations at Extreme
//         Scale", Cluster 2006; Hoefler, Schneider, Lumsdaine, SC 2010): each process reads a clock in a loop that does nothing else; where two
//         readings lie further apart than kDetour times their usual distance, something else has run. All processes at once.
// Beside  a fixed work quantum: how much longer a fixed amount of work takes in the mean than at best. It holds what the detours
//         hold, and what slows the work without interrupting it.
// Cost    the seconds asked for, and half as many for the quanta.
#pragma once

#include <mpi.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace reprise::probe {

struct CoreNoise {
  struct Octave {
    double count = 0, seconds = 0;
  };
  std::array<Octave, 48> octaves{};  // by the bit width of a detour's nanoseconds
  double seconds = 0;                // measured, detours included
  double interval = 0, interval_squares =
                           0;  // sums over the times between the begins of two detours, in s and s²
  double quantum_excess = 0;   // of the fixed work quanta: mean / least − 1

  double count() const;
  double taken() const;  // s
};

struct MachineNoise {
  std::string date, host;
  double seconds = 0;            // asked for
  std::vector<CoreNoise> cores;  // by rank
  bool is_periodic() const;      // the times between detours scatter by less than half their mean
};

// Collective; complete on rank 0.
MachineNoise measure_noise(double seconds, MPI_Comm);

std::string to_text(const MachineNoise&);
std::string to_json(const MachineNoise&);

}  // namespace reprise::probe
