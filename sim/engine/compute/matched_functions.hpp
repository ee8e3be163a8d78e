// SPDX-License-Identifier: MIT
// What a rule for functions holds for: which ones, and how much of the computing they are. For answers.
//
// Cost  O(samples' call paths · frames).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/engine/compute/compute_scaling.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

struct MatchedFunctions {
  std::vector<std::string> names;  // that match, those with most samples first
  std::uint64_t samples = 0,
                all = 0;  // between calls, of the rule's ranks: of these functions, in all
  std::size_t paths = 0, all_paths = 0;  // pairs of calls with such samples, with any
  std::uint64_t recorded = 0;            // samples between calls, of every rank
  std::uint32_t rate = 0;                // that they were asked for at, per second
  double unsampled =
      0;  // share of the ranks' computing before calls without any sample: no rule changes it

  // Fewer samples than a share can be read off, or computing that they do not reach.
  bool is_doubtful() const { return recorded < kFewestSamples || unsampled > kMostUnsampled; }
  static constexpr std::uint64_t kFewestSamples = 30;
  static constexpr double kMostUnsampled = 0.05;
};
// Nodes are not looked at. REQUIRES: a rule for functions; the trace has samples.
MatchedFunctions matched_functions(const trace_io::Trace&, const ComputeRule&);

// "function:dgemm*: dgemm_ with what is called there: 43.2 % of the CPU time between calls (864 of 2000 samples), on 3 of 7 paths with
// samples; 1.2 % of computing is before calls without samples and stays unchanged". Where that is doubtful, the remedy too.
std::string describe(const MatchedFunctions&, const ComputeRule&);

}  // namespace reprise::sim
