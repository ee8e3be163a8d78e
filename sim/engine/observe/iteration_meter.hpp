// SPDX-License-Identifier: MIT
// What the iterations of the main loop took, by rank: the iteration graph and the value map of a replay.
//
// Which    trace_io::main_loops(): chosen from what was recorded, before the replay. Of a rank with several threads, the main one.
// Iteration  from its first call on up to the first call behind it; the compute time before its first call belongs to it.
// Columns  at most kColumns, of equally many iterations, a power of two, doubled whenever a run has more. Their graph keeps the largest and the
//          smallest value of any rank and iteration, and the mean of the medians over the ranks.
// Rows     at most kRows, of one rank each, or of as many neighbouring ones as it takes: their mean.
// Loop     from the first rank's entry to the last one's exit, and what each rank takes in all of its iterations together.
// Jumps    iterations that fast-forward leaves out, and the one before them, have the mean of what was counted for them all.
// Cost     two comparisons a call, some twenty additions an iteration and rank; kRows · kColumns · kMetrics numbers, and the iterations
//          that some ranks have finished and others have not.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "sim/engine/loop/actor.hpp"
#include "trace-io/iterations/main_loop.hpp"

namespace reprise::sim {

class IterationMeter {
 public:
  static constexpr std::size_t kRows = 64, kColumns = 200, kMetrics = 6;
  // Seconds, of bytes and calls numbers. Time: computing and inside MPI, of which part is waiting.
  enum class Metric : std::uint8_t { time, compute, communicate, wait, bytes, calls };
  static constexpr std::array<std::string_view, kMetrics> kNames{"time", "compute", "communicate",
                                                                 "wait", "bytes",   "calls"};
  using Values = std::array<double, kMetrics>;
  struct Column {
    std::uint64_t iterations = 0;
    Values most{}, least{}, medians{};  // medians: their sum
  };
  struct Cell {
    std::uint64_t iterations = 0;  // of all ranks of the row
    Values sums{};
  };

  IterationMeter(const trace_io::Trace&, const std::vector<Actor>&);

  // The actor stands at an event that it has not begun, having sent so many bytes.
  void on_event(std::uint32_t actor, const Actor&, std::uint64_t bytes);
  // It has carried out its last one.
  void on_end(std::uint32_t actor, const Actor&, std::uint64_t bytes);
  void finish();  // REQUIRES: every actor has ended, or the replay has

  // Of all iterations, in the predicted run; s. REQUIRES: iterations() > 0.
  struct Whole {
    double begin = 0,
           end = 0;  // of the first rank that enters the loop, and of the last one that leaves it
    double slowest = 0;   // the most that a rank takes in it
    Rank slowest_rank{};  // of equals the lowest
  };
  Whole whole() const;
  const trace_io::MainLoops& loops() const { return loops_; }
  std::uint64_t iterations() const { return iterations_; }  // the most of any rank
  std::uint64_t iterations_per_column() const { return per_column_; }
  const std::vector<Column>& columns() const { return columns_; }
  std::size_t row_count() const { return rows_; }
  Rank first_rank(std::size_t row) const;
  const Cell& at(std::size_t row, std::size_t column) const {
    return cells_[row * kColumns + column];
  }

 private:
  struct Side {
    std::int32_t place = -1;  // among the ranks that execute the loop; −1: is not watched
    bool is_inside = false;
    const trace_io::Loop* loop = nullptr;
    std::uint32_t depth = 0;
    std::uint64_t passed = 0, done = 0;  // full passes when the iteration began; iterations over
    Values before{};
    double first_begin = -1, last_end = 0, time = 0;  // s; of all of its iterations
  };
  // Iterations in a row that were left out together, or one.
  struct Stretch {
    std::uint64_t length = 1;
    std::vector<Values> values;         // of each iteration, by place
    std::vector<std::int32_t> arrived;  // places
  };
  void begin(Side&, const Actor&, std::uint64_t bytes);
  void end(Side&, std::uint64_t length, const Actor&, std::uint64_t bytes);
  void put(std::uint64_t first, const Stretch&);
  void widen();

  trace_io::MainLoops loops_;
  std::size_t rows_ = 0;
  std::uint64_t iterations_ = 0, per_column_ = 1;
  std::vector<Side> sides_;  // by actor
  std::map<std::uint64_t, Stretch> under_way_;
  std::vector<Column> columns_;
  std::vector<Cell> cells_;  // by row, then column
};

}  // namespace reprise::sim
