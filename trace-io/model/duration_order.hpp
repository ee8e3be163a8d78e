// SPDX-License-Identifier: MIT
// The order of the compute times of a path into a call, on all its ranks: a finished trace's form of the ranks' logs (order_log.hpp).
//
// Unit       the mean duration of the rank: 1 is an execution that took as long as the rank's mean. Fractions are counted in 1/kOne.
// Execution  k of a rank took  1 + step_common · common[i] + step · row[i] + residual,  where i is its place among the executions kept. One that was
//            not kept takes what the one at its place in its group's block took, times a factor that gives the group its mean.
// Common     what all ranks have in common at an execution: neighbour lists, output, a slow first pass. Often absent.
// Rows       what a rank has besides. Ranks without a row have the common part and residuals alone.
// Peaks      executions that took far longer than most, wherever they fell, where not all executions are kept (model/order_log.hpp): each takes what
//            stands here. What is kept and repeated is without them.
// Residuals  what levels leave over, as a distribution over all ranks and executions: bins, ascending. Each rank plays them
//            in an order of its own, each bin in its share.
// Absent     a path without an order varies without one (or not at all): its distribution is played in any order.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "trace-io/base/quantity.hpp"
#include "trace-io/model/rank_list.hpp"
#include "trace-io/model/value_sequence.hpp"

namespace reprise::trace_io {

// Of a trace, unless the user says otherwise.
inline constexpr Bytes kOrderBudget{8192};

struct DurationOrder {
  static constexpr std::int64_t kOne = 1 << 16;
  static constexpr std::size_t kResidualBins = 5;

  struct Row {
    std::vector<std::int32_t> levels;  // one per execution that is kept
    // By group, where there are groups of more than one block: by how much the group's mean is more than that of its kept block, in
    // kGroupSteps of a step.
    std::vector<std::int32_t> groups;
    friend bool operator==(const Row&, const Row&) = default;
  };
  static constexpr std::int64_t kGroupSteps = 4;
  struct Residual {
    std::uint64_t count = 0;
    std::int64_t value = 0;  // of kOne
    friend bool operator==(const Residual&, const Residual&) = default;
  };

  // Two sequences of equal length, which several rows may have.
  struct Peaks {
    ValueSequence
        distances;  // in executions from the peak before, of the first from execution −1; ≥ 1
    ValueSequence durations;  // in kOne of the rank's mean; ≥ 0
    friend bool operator==(const Peaks&, const Peaks&) = default;
  };
  static constexpr std::size_t kMostPeaks = std::size_t{1} << 16U;  // in all lists together

  unsigned stride = 0;                     // as OrderLog's, of all rows
  ValueSequence executions;                // of each rank of the class, in their order
  std::int64_t step = 0, step_common = 0;  // of kOne; ≥ 1 where there are such levels
  Row common;                              // as long as the longest row
  RankList ranks;                          // those with a row, of the class's ranks
  std::vector<Row> rows;                   // one per rank of `ranks`
  std::vector<Residual> residuals;
  std::vector<Peaks> peaks;  // none twice; only with a stride
  ValueSequence
      peaks_of_rows;  // of each row, which: 0 none, n: peaks[n − 1]; empty where `peaks` is
  friend bool operator==(const DurationOrder&, const DurationOrder&) = default;
};

// Null ones have none.
using Orders = std::vector<std::shared_ptr<const DurationOrder>>;

// The levels of orders as bytes (order/order_code.hpp). Coding takes some 0.1 µs a level, and whoever chose these orders has done it.
struct CodedLevels {
  Orders orders;
  std::vector<std::uint8_t> bytes;
};

}  // namespace reprise::trace_io
