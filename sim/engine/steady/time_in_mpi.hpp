// SPDX-License-Identifier: MIT
// How a rank's time in MPI is divided in iterations that are left out. What transfers take follows from the messages, which are alike in every iteration; waiting
// is how ranks differ, and makes up the rest.
#pragma once

#include <algorithm>
#include <cstdint>

namespace reprise::sim {

struct TimeInMpi {
  double all = 0, wait = 0;  // seconds; ALL holds WAIT
};

// Seconds of IN_MPI, the time in MPI of LEFT_OUT iterations, that are not waiting. WATCHED: since the loop began, ITERATIONS before.
inline double transfer_left_out(TimeInMpi watched, std::uint64_t iterations, std::uint64_t left_out,
                                double in_mpi) {
  if (iterations == 0) return 0;
  const double each = (watched.all - watched.wait) / static_cast<double>(iterations);
  return std::clamp(each * static_cast<double>(left_out), 0.0, in_mpi);
}

}  // namespace reprise::sim
