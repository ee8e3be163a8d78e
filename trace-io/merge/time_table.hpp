// SPDX-License-Identifier: MIT
// What each rank spent on each path into a call, or inside each call, as numbers to fit scale factors to (scale_factor_fit.hpp).
//
// Cost    O(ranks of the paths) time and memory.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "trace-io/merge/delta_classes.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

enum class Spent : std::uint8_t { computing, inside_calls };

class TimeTable {
 public:
  struct TimePath {
    DeltaClass* delta = nullptr;
    const std::vector<std::uint32_t>* rows = nullptr;  // of its ranks, ascending
    double count = 0, sum = 0;
    double deviation =
        0;  // of one execution around its rank's own mean; < 0 where no rank executed it twice
  };

  // The paths whose ranks' totals are known, but those before MPI_Init. The trace must outlive this.
  TimeTable(Trace&, Spent);

  std::vector<TimePath>& paths() { return paths_; }
  const std::vector<double>& totals() const { return totals_; }  // by row: ns on all paths
  const RankList& ranks() const { return ranks_; }

 private:
  void add(DeltaClass&);
  const std::vector<std::uint32_t>& rows_of(const RankList&);

  RankList ranks_;
  std::vector<std::uint32_t> row_of_rank_;
  std::vector<double> totals_;
  std::vector<TimePath> paths_;
  std::unordered_map<RankList, std::vector<std::uint32_t>, ByHash> rows_;  // looked up only
};

}  // namespace reprise::trace_io
