// SPDX-License-Identifier: MIT
#include "recorder/merge_tree.hpp"

#include <time.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "trace-io/file/trace_file.hpp"
#include "trace-io/merge/finalize.hpp"
#include "trace-io/merge/merge.hpp"

namespace reprise::recorder {
namespace {

constexpr int kLengthTag = 1, kBytesTag = 2;
constexpr std::uint64_t kLargestMessage = std::uint64_t{1} << 30;
constexpr char kLossName[] = "ranks lost in the merge";

using Bytes = std::vector<std::byte>;

// What stands in front of a trace.
struct Head {
  std::uint64_t bytes = 0, cpu = 0;  // cpu: ns that making the bytes took
};

std::uint64_t cpu_now() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 +
         static_cast<std::uint64_t>(now.tv_nsec);
}

void add_cpu(trace_io::Trace& trace, std::uint64_t nanoseconds) {
  trace.header.merge_cpu += Nanoseconds{static_cast<std::int64_t>(nanoseconds)};
}

void send_bytes(MPI_Comm comm, int to, const Bytes& bytes, std::uint64_t cpu) {
  std::uint64_t left = bytes.size();
  const Head head{left, cpu};
  PMPI_Send(&head, 2, MPI_UINT64_T, to, kLengthTag, comm);
  for (const std::byte* from = bytes.data(); left > 0;) {
    const std::uint64_t now = std::min(left, kLargestMessage);
    PMPI_Send(from, static_cast<int>(now), MPI_BYTE, to, kBytesTag, comm);
    from += now;
    left -= now;
  }
}

// Receives and drops what there is no room for.
std::optional<Bytes> receive_bytes(MPI_Comm comm, int from, std::uint64_t& cpu) {
  Head head;
  PMPI_Recv(&head, 2, MPI_UINT64_T, from, kLengthTag, comm, MPI_STATUS_IGNORE);
  cpu = head.cpu;
  std::uint64_t left = head.bytes;
  if (left == 0) return std::nullopt;
  std::optional<Bytes> bytes;
  try {
    bytes.emplace(left);
  } catch (const std::bad_alloc&) {
  }
  std::byte small[4096];
  for (std::uint64_t at = 0; left > 0;) {
    const std::uint64_t now = std::min(left, kLargestMessage);
    if (bytes) {
      PMPI_Recv(bytes->data() + at, static_cast<int>(now), MPI_BYTE, from, kBytesTag, comm,
                MPI_STATUS_IGNORE);
    } else {  // truncated on purpose: the communicator returns errors
      PMPI_Recv(small, sizeof small, MPI_BYTE, from, kBytesTag, comm, MPI_STATUS_IGNORE);
    }
    at += now;
    left -= now;
  }
  return bytes;
}

void note_lost(trace_io::Trace& trace, std::uint64_t ranks) {
  trace.header.complete = false;
  auto& losses = trace.losses;
  const auto at = std::lower_bound(
      losses.begin(), losses.end(), kLossName,
      [](const trace_io::Loss& loss, const char* name) { return loss.name < name; });
  if (at != losses.end() && at->name == kLossName) {
    at->count += ranks;
    return;
  }
  trace_io::Loss loss;
  loss.name = kLossName;
  loss.severity = trace_io::Severity::error;
  loss.count = ranks;
  losses.insert(at, std::move(loss));
}

// Merging may have used up what it was given when it fails, so it works on copies.
void take_in(std::optional<trace_io::Trace>& own, const std::optional<Bytes>& bytes,
             std::uint64_t ranks, int from) {
  std::optional<trace_io::Trace> other;
  if (bytes) other = trace_io::deserialise(*bytes, "the trace from rank " + std::to_string(from));
  if (own && other) {
    own = trace_io::merge(*own, std::move(*other));
  } else if (other) {
    own = std::move(other);
    note_lost(*own, 1);
  } else if (own) {
    note_lost(*own, ranks);
  }
}

// The last merge settles a trace of all ranks; where some are missing there is none that could know it is the last.
void finalize_incomplete(trace_io::Trace& trace) noexcept {
  try {
    if (!trace.header.complete) trace_io::finalize(trace);
  } catch (...) {  // out of memory: all the same a readable trace
  }
}

}  // namespace

std::optional<trace_io::Trace> merge_over(MPI_Comm comm,
                                          std::optional<trace_io::Trace> own) noexcept {
  int rank = 0, size = 1;
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &size);
  for (int step = 1; step < size; step *= 2) {
    if ((rank & step) != 0) {
      Bytes bytes;
      const std::uint64_t begin = cpu_now();
      try {
        if (own) bytes = trace_io::serialise(*own);
      } catch (...) {
        bytes.clear();
      }
      send_bytes(comm, rank - step, bytes, cpu_now() - begin);
      return std::nullopt;
    }
    const int from = rank + step;
    if (from >= size) continue;
    const auto ranks = static_cast<std::uint64_t>(std::min(step, size - from));
    std::uint64_t cpu = 0;
    const std::optional<Bytes> bytes = receive_bytes(comm, from, cpu);
    const std::uint64_t begin = cpu_now();
    try {
      take_in(own, bytes, ranks, from);
    } catch (...) {
      if (own) note_lost(*own, ranks);
    }
    if (own) add_cpu(*own, cpu + cpu_now() - begin);
  }
  if (own) finalize_incomplete(*own);
  return own;
}

}  // namespace reprise::recorder
