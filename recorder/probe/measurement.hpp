// SPDX-License-Identifier: MIT
// What the probe measured, and the file that it leaves behind: JSON, read by platforms/calibration/probe_file.hpp.
//
// Times are seconds; sizes are bytes. What a time is of, by series:
//   pingpong       one way of a message that is sent back: half the round trip
//   exchange       MPI_Sendrecv of both partners, from call to return; `pairs` at once
//   send_overhead  MPI_Send of an eager message, from call to return
//   recv_overhead  MPI_Recv of an eager message that has come already, from call to return
//   copy           memcpy, caches warm
//   reduce         MPI_Reduce_local, MPI_SUM of MPI_DOUBLE
//   barrier, bcast, allreduce, alltoall   among all ranks, the slowest one's time; alltoall: size of one block
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "recorder/probe/sampling.hpp"

namespace reprise::probe {

struct Row {
  std::uint64_t bytes = 0;
  Summary time;
};

struct Series {
  std::string what;
  std::string path;  // "intra_node", "inter_node", "rank" (no message), "world"
  int pairs = 1;     // that did it at once
  std::vector<Row> rows;
};

// The largest message that a send does not wait for its receiver with, by path.
struct EagerLimit {
  std::string path;
  std::uint64_t bytes = 0;
  bool is_bound = true;          // false: even the largest message tried was eager
  bool is_asynchronous = false;  // larger ones go on while the receiver computes
};

struct Measurement {
  std::string date, host, mpi_library;  // date: UTC, 2024-05-14T12:30:00Z
  int ranks = 0, nodes = 0, cores = 0;  // cores: of the first rank's node
  std::vector<EagerLimit> eager_limits;
  std::vector<Series> series;
};

// Returns whether it was written; errno tells why not. "-" is stdout.
bool write(const Measurement&, const std::string& path);

}  // namespace reprise::probe
