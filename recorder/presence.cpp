// SPDX-License-Identifier: MIT
#include "recorder/presence.hpp"

#include <mpi.h>
#include <time.h>

#include <cstdint>

#include "recorder/clock.hpp"

namespace reprise::recorder {
namespace {

constexpr double kSpinning = 1e-3;  // s; ranks leave MPI_Init at about the same time

bool all_arrive(double patience_s) noexcept {
  const std::uint64_t begin = RecordingClock::system_time(CLOCK_MONOTONIC);
  MPI_Request request = MPI_REQUEST_NULL;
  if (PMPI_Ibarrier(MPI_COMM_WORLD, &request) != MPI_SUCCESS) return false;
  for (;;) {
    int done = 0;
    if (PMPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return false;
    if (done != 0) return true;
    const double waited =
        static_cast<double>(RecordingClock::system_time(CLOCK_MONOTONIC) - begin) * 1e-9;
    if (waited > patience_s)
      return false;  // the request stays with the library: a barrier cannot be cancelled
    const timespec pause{0, waited < kSpinning ? 0 : 100'000};
    nanosleep(&pause, nullptr);
  }
}

}  // namespace

bool all_ranks_answer(double patience_s) noexcept {
  return all_arrive(patience_s) && all_arrive(patience_s);
}

}  // namespace reprise::recorder
