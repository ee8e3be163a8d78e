// SPDX-License-Identifier: MIT
#include "recorder/wrappers/ranks.hpp"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <cstdint>
#include <new>

#include "recorder/capture/clock.hpp"

namespace reprise::recorder {
namespace {

constexpr int kLengthTag = 1, kBytesTag = 2;
constexpr std::uint64_t kLargestMessage = std::uint64_t{1} << 30;
constexpr double kSpinning = 1e-3;  // s; ranks leave MPI_Init at about the same time
constexpr double kYielding = 1e-4, kLongestPause = 1e-3;  // s, of a wait for another rank's work

double waited_since(std::uint64_t begin) {
  return static_cast<double>(RecordingClock::system_time(CLOCK_MONOTONIC) - begin) * 1e-9;
}

bool all_arrive(double patience_s) noexcept {
  const std::uint64_t begin = RecordingClock::system_time(CLOCK_MONOTONIC);
  MPI_Request request = MPI_REQUEST_NULL;
  if (PMPI_Ibarrier(MPI_COMM_WORLD, &request) != MPI_SUCCESS) return false;
  for (;;) {
    int done = 0;
    if (PMPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) return false;
    if (done != 0) return true;
    const double waited = waited_since(begin);
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

int RanksOverMpi::rank_in(MPI_Comm comm) {
  int rank = 0;
  PMPI_Comm_rank(comm, &rank);
  return rank;
}

int RanksOverMpi::size_of(MPI_Comm comm) {
  int size = 1;
  PMPI_Comm_size(comm, &size);
  return size;
}

void await(MPI_Request& request) noexcept {
  const std::uint64_t begin = RecordingClock::system_time(CLOCK_MONOTONIC);
  for (int done = 0;;) {
    if (PMPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS || done != 0) return;
    const double waited = waited_since(begin);
    if (waited < kYielding) {
      sched_yield();
      continue;
    }
    const timespec pause{0, static_cast<long>(std::min(waited / 4, kLongestPause) * 1e9)};
    nanosleep(&pause, nullptr);
  }
}

void RanksOverMpi::send(int to, const TraceMessage& message) noexcept {
  std::uint64_t left = message.bytes.size();
  const std::uint64_t head[2] = {left, message.cpu_ns};
  MPI_Request request = MPI_REQUEST_NULL;
  PMPI_Isend(head, 2, MPI_UINT64_T, to, kLengthTag, comm_, &request);
  await(request);
  for (const std::byte* from = message.bytes.data(); left > 0;) {
    const std::uint64_t now = std::min(left, kLargestMessage);
    PMPI_Isend(from, static_cast<int>(now), MPI_BYTE, to, kBytesTag, comm_, &request);
    await(request);
    from += now;
    left -= now;
  }
}

// What there is no room for is received all the same, and dropped.
TraceMessage RanksOverMpi::receive(int from) noexcept {
  std::uint64_t head[2] = {};
  MPI_Request request = MPI_REQUEST_NULL;
  PMPI_Irecv(head, 2, MPI_UINT64_T, from, kLengthTag, comm_, &request);
  await(request);
  TraceMessage message{{}, head[1]};
  try {
    message.bytes.resize(head[0]);
  } catch (const std::bad_alloc&) {
  }
  std::byte small[4096];
  for (std::uint64_t at = 0; at < head[0];) {
    const std::uint64_t now = std::min(head[0] - at, kLargestMessage);
    if (!message.bytes.empty())
      PMPI_Irecv(message.bytes.data() + at, static_cast<int>(now), MPI_BYTE, from, kBytesTag, comm_,
                 &request);
    else  // truncated on purpose: the communicator returns errors
      PMPI_Irecv(small, sizeof small, MPI_BYTE, from, kBytesTag, comm_, &request);
    await(request);
    at += now;
  }
  return message;
}

}  // namespace reprise::recorder
