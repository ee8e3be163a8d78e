// SPDX-License-Identifier: MIT
// By how much compute times change on a processor of other instructions per cycle or frequency, by the counts of a trace
// (trace-io/model/compute_counters.hpp).
//
// Factor    of the time between two calls: (ipc / ipc′) · (f / f′), with ipc and f as they were counted between the same two calls; where nothing
//           was counted there, before the same call. f is cycles per second of compute time: what a thread waits for in it lowers it.
// Without   times that have no counts stay as they are; matched_counts.hpp says how much that is.
// Cost      the factors are found once; factor() is a look-up.
// Errors    InputError{rule.where, …}: a trace without the counts that a rule needs.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "platforms/placement.hpp"
#include "sim/engine/compute/compute_scaling.hpp"
#include "trace-io/model/compute_counters.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

// What was counted in some compute times.
struct ProcessorCounts {
  double instructions = 0, cycles = 0;
  double instructions_s = 0, cycles_s = 0;  // compute time in which each was counted
  ProcessorCounts& operator+=(const ProcessorCounts&);
  double ipc() const { return instructions_rate() / frequency(); }
  double frequency() const { return cycles / cycles_s; }  // Hz
  double instructions_rate() const { return instructions / instructions_s; }
  bool has_instructions() const { return instructions > 0 && instructions_s > 0; }
  bool has_cycles() const { return cycles > 0 && cycles_s > 0; }
};

// Whether they are what a change needs, and what it makes of a compute time in which this was counted.
bool suffices(const ProcessorCounts&, const ProcessorChange&);
double factor_of(const ProcessorCounts&, const ProcessorChange&);

// The counts of a trace by way and by call.
class WayCounters {
 public:
  // REQUIRES: the trace has counts.
  explicit WayCounters(const trace_io::Trace&);
  // Those that say most about the time between two calls; null where there are none.
  const ProcessorCounts* of(trace_io::SiteId site, trace_io::SiteId predecessor) const;

 private:
  std::map<std::pair<trace_io::SiteId, trace_io::SiteId>, ProcessorCounts> ways_;
  std::map<trace_io::SiteId, ProcessorCounts> sites_;
};

class CounterScaling {
 public:
  CounterScaling(const trace_io::Trace&, std::span<const ComputeRule>,
                 std::span<const platforms::RankLocation>);
  double factor(std::int32_t rank, const trace_io::DeltaClass& durations) const {
    const auto& factors = factors_[rank_class_[static_cast<std::size_t>(rank)]];
    const auto found = factors.find(&durations);
    return found == factors.end() ? 1 : found->second;
  }
  double largest() const { return largest_; }    // at least 1
  double smallest() const { return smallest_; }  // at most 1
  bool has_effect(std::size_t rule) const { return has_effect_[rule]; }

 private:
  std::vector<std::uint32_t> rank_class_;  // by rank
  std::vector<std::unordered_map<const trace_io::DeltaClass*, double>>
      factors_;                   // by rank class; looked up only
  std::vector<bool> has_effect_;  // by rule
  double largest_ = 1, smallest_ = 1;
};

}  // namespace reprise::sim
