// SPDX-License-Identifier: MIT
// The two views of a run's iterations: the iteration graph (largest, median and smallest value over the ranks, by iteration) and the value map (rank ×
// iteration).
//
// Values    of an iteration of a rank: the mean of its cluster. Of one call path or of all, in bytes, calls or seconds.
// Columns   one iteration each, or, where a run has more than there is room for, equally many in a row: the map shows their mean, the graph the largest and the
//           smallest of them and the mean of their medians.
// Which     where ranks spend their time in different loops, those of the loop that takes most of it, and of loops with as many iterations: the same
//           code, folded otherwise. `others` names the rest.
// Cost      O(ranks · iterations).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

struct IterationTable {
  struct Extremes {
    double most = 0, median = 0, least = 0;
  };
  std::string loop;  // "the loop of MPI_Isend at solve.c:12", "marked iterations"
  std::vector<Rank> ranks;
  std::vector<Rank> others;
  std::uint64_t iterations = 0;             // the most that any rank has
  std::uint64_t iterations_per_column = 1;  // the last column may have fewer
  std::size_t clusters = 0;                 // the most of any rank
  std::vector<Extremes> graph;              // by column
  std::vector<std::vector<double>>
      map;  // by rank, then column; no number where it has no such iteration

  std::size_t columns() const { return graph.size(); }
};

// What is shown: one of the metrics, or (none) time, that is compute and communicate together.
struct IterationQuestion {
  std::optional<IterationMetric> metric{};
  std::optional<SiteId> site{};  // none: all
  std::size_t most_columns = 1000;
  bool is_time() const {
    return !metric || *metric == IterationMetric::compute ||
           *metric == IterationMetric::communicate;
  }
};

// None where no iterations were recorded. REQUIRES: check_structure() finds nothing.
std::optional<IterationTable> iteration_table(const Trace&, const IterationQuestion&);

// How the sums over all ranks and iterations of the table fall to call paths, the largest first.
struct SiteShare {
  SiteId site = kNoSite;
  double value = 0;
};
std::vector<SiteShare> site_shares(const Trace&, const IterationQuestion&);

// The values of one iteration, and their extremes: of those that are numbers.
IterationTable::Extremes extremes_of(std::vector<double> values);

}  // namespace reprise::trace_io
