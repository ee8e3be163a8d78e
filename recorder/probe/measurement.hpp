// SPDX-License-Identifier: MIT
// What the probe measures: many short timings of one thing told by their median and spread, in series, and the file that it leaves behind: JSON, read by platforms/calibration/probe_file.hpp.
//
// Times are seconds; sizes are bytes. What a time is of, by series:
//   pingpong       one way of a message that is sent back: half the round trip
//   exchange       MPI_Sendrecv of both partners, from call to return; `pairs` at once
//   send_overhead  MPI_Send of an eager message, from call to return
//   recv_overhead  MPI_Recv of an eager message that has come already, from call to return
//   cold_send, cold_recv, cold_round_trip (a message and an empty answer), cold_copy
//                  MPI_Send, MPI_Recv, … after both partners have computed for after_s over other data
//   copy           memcpy, caches warm
//   reduce         MPI_Reduce_local, MPI_SUM of MPI_DOUBLE
//   barrier, bcast, allreduce, alltoall   among all ranks, the slowest one's time; alltoall: size of one block
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace reprise::probe {

// Samples  a sample is the mean of `inner` repetitions in a row, as many as make it long against the clock's resolution, so that a
//          rank that loses its core for a moment spoils one sample and not the answer.
struct Summary {
  double low_s = 0, median_s = 0, high_s = 0;  // the 10 %, 50 % and 90 % quantiles
  std::size_t samples = 0;
};

// REQUIRES: at least one sample. Quantiles are samples: the one of rank ⌊q (n − 1) + ½⌋.
Summary summarise(std::vector<double> samples);

// How often something that takes about `estimate_s` is repeated in `budget_s`.
struct Repetitions {
  int inner = 1, samples = 1;
};
Repetitions plan(double estimate_s, double budget_s);

// Takes the samples by chunks until there are enough, or they take three times the budget because somebody else has the cores; then
// GO_ON, given the leader's wish, tells all who sample together whether to stop. Chunks begin with two samples and double, so that a row
// of which each message waits for a time slice does not take a thousand of them before anybody looks at the clock.
template <class Sample, class GoOn>
std::vector<double> sample(const Repetitions& wanted, double budget_s, double (*now)(), Sample once,
                           GoOn go_on) {
  constexpr int kChunks = 10;
  int chunk = 2;
  std::vector<double> samples;
  const double end = now() + 3 * budget_s;
  do {
    for (int i = 0; i < chunk; ++i) samples.push_back(once(wanted.inner));
    chunk = std::min(2 * chunk, wanted.samples / kChunks + 1);
  } while (go_on(static_cast<int>(samples.size()) < wanted.samples && now() < end));
  return samples;
}

struct Row {
  std::uint64_t bytes = 0;
  Summary time;
};

struct Series {
  std::string what;
  std::string path;  // "intra_node", "inter_node", "rank" (no message), "world"
  int pairs = 1;     // that did it at once
  std::vector<Row> rows;
  double after_s = -1;  // of computing before each; below 0: none is meant
};

// The largest message that a send does not wait for its receiver with, by path.
struct EagerLimit {
  std::string path;
  std::uint64_t bytes = 0;
  bool is_bound = true;          // false: even the largest message tried was eager
  bool is_asynchronous = false;  // larger ones go on while the receiver computes
};

// What told whether the machine was still the same (machine_state.hpp), of one path. Times: one way.
struct Reference {
  static constexpr std::uint64_t kBytes = 256 << 10;
  static constexpr double kSameState = 1.5;  // times within this factor
  std::string path;
  double time_s = 0;             // in its usual state
  double low_s = 0, high_s = 0;  // of all looks
  double share = 1;              // of the looks that found it so
  std::uint64_t other_rows = 0;  // measured in another state
};

// The most times that agree within a factor of kSameState: the median of these, and their share. REQUIRES: at least one time above 0.
Reference usual_state(std::vector<double> times);

struct Measurement {
  std::string date, host, mpi_library;  // date: UTC, 2024-05-14T12:30:00Z
  int ranks = 0, nodes = 0, cores = 0;  // cores: of the first rank's node
  std::vector<EagerLimit> eager_limits;
  std::vector<Reference> references;
  std::vector<Series> series;
  std::uint64_t not_measured = 0;  // rows that there was no time for
};

// Returns whether it was written; errno tells why not. "-" is stdout.
bool write(const Measurement&, const std::string& path);

}  // namespace reprise::probe
