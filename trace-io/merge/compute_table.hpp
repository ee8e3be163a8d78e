// SPDX-License-Identifier: MIT
// What each rank computed on each path into a call, as numbers to fit scale factors to.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

class ComputeTable {
 public:
  struct ComputePath {
    DeltaClass* delta = nullptr;
    const std::vector<std::uint32_t>* rows = nullptr;  // of its ranks, ascending
    double count = 0, sum = 0;
    double deviation =
        0;  // of one execution around its rank's own mean; < 0 where no rank executed it twice
  };

  // The paths whose ranks' totals are known, but those before MPI_Init. The trace must outlive this.
  explicit ComputeTable(Trace&);

  std::vector<ComputePath>& paths() { return paths_; }
  const std::vector<double>& totals() const { return totals_; }  // by row: ns computed on all paths
  const RankList& ranks() const { return ranks_; }

 private:
  void add(std::vector<Node>&, const Trace&);
  void add(DeltaClass&);
  const std::vector<std::uint32_t>& rows_of(const RankList&);

  RankList ranks_;
  std::vector<std::uint32_t> row_of_rank_;
  std::vector<double> totals_;
  std::vector<ComputePath> paths_;
  struct ByHash {
    std::size_t operator()(const RankList& list) const {
      return static_cast<std::size_t>(list.hash());
    }
  };
  std::unordered_map<RankList, std::vector<std::uint32_t>, ByHash> rows_;  // looked up only
};

}  // namespace reprise::trace_io
