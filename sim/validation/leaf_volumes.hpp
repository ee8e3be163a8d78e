// SPDX-License-Identifier: MIT
// The bytes that mpiP books for a call site, rank by rank, summed over folded sequences.
//
// Cost  O(terms) for each distinct prefix of each distinct entry; nothing is unrolled.
#pragma once

#include <map>
#include <span>
#include <tuple>
#include <vector>

#include "sim/validation/mpip_rules.hpp"
#include "sim/validation/run_record.hpp"
#include "trace-io/check/executions.hpp"

namespace reprise::sim::validation {

class LeafVolumes {
 public:
  // All three must outlive this.
  LeafVolumes(const trace_io::Leaf&, const trace_io::Procedure&, const trace_io::NodeExecutions&);

  // Books what `rule` says for the rank at this place of the node's ranks into bytes and bytes_known. The extremes are those of all
  // ranks that share an entry, and of lists the mean: a list's sums per call are not kept.
  void book(ByteRule rule, std::size_t rank_place, SiteRecord& to);

 private:
  struct Reading {
    OverCalls numbers;
    bool constant = true;  // the same in all of the rank's executions
  };
  Reading reading(trace_io::Field,
                  std::size_t rank_place);  // zeros for a field that the procedure does not have

  const trace_io::Leaf& leaf_;
  std::span<const trace_io::FieldSpec> specs_;
  const trace_io::NodeExecutions& executed_;
  std::map<std::size_t, std::vector<std::uint32_t>> owners_;
  std::map<std::tuple<std::size_t, std::uint32_t, std::uint64_t>, Reading> readings_;
};

}  // namespace reprise::sim::validation
