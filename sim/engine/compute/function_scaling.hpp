// SPDX-License-Identifier: MIT
// By how much compute times change where functions do, by the samples of a trace (trace-io/model/function_samples.hpp).
//
// Factor    of the time between two calls: the mean over its samples of what the rules make of each one. A rule holds for a sample where its
//           pattern matches the name of any function of the call path, or, for a function alone, that of the innermost one. Several that hold multiply.
// Samples   those of the rank's class between the same two calls; where it has none, of its class before the same call; then of all ranks there.
//           Times that no sample was taken of stay as they are: at 200 samples a second those are short.
// CPU time  is what samples are of: a time in which the thread sleeps is scaled as if the function's share of it were that of the CPU time.
// Cost      the factors are found once; factor() is a look-up.
// Errors    InputError{rule.where, …}: a trace without samples, a pattern that no sampled function matches.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "platforms/placement.hpp"
#include "sim/engine/compute/compute_scaling.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

// Whether the trace has samples between calls in a function that matches, or in what it calls.
bool is_sampled_function(const trace_io::Trace&, const std::string& pattern);

class FunctionScaling {
 public:
  FunctionScaling(const trace_io::Trace&, std::span<const ComputeRule>,
                  std::span<const platforms::RankLocation>);
  double factor(std::int32_t rank, const trace_io::DeltaClass& durations) const {
    const auto& factors = factors_[rank_class_[static_cast<std::size_t>(rank)]];
    const auto found = factors.find(&durations);
    return found == factors.end() ? 1 : found->second;
  }
  double largest() const;   // at least 1
  double smallest() const;  // at most 1
  bool has_effect(std::size_t rule) const { return has_effect_[rule]; }

 private:
  std::vector<std::uint32_t> rank_class_;  // by rank
  std::vector<std::unordered_map<const trace_io::DeltaClass*, double>>
      factors_;                   // by rank class; looked up only
  std::vector<bool> has_effect_;  // by rule
};

}  // namespace reprise::sim
