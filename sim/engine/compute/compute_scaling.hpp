// SPDX-License-Identifier: MIT
// By how much recorded compute times are multiplied: for everything, for parts of the program, for some ranks or nodes.
//
// A compute time belongs to the call before which it was spent, so a rule for a part of the program is one for call sites: it holds
// for a site where its pattern matches any frame of the call path, by function, by file, or by "file:line".
// A rule for what is computed in a function holds for that part of compute times, by the trace's samples (function_scaling.hpp); one for a
// processor of other instructions per cycle or frequency for all, by the trace's counts (counter_scaling.hpp).
// Several rules that hold for one call multiply.
// Cost    rules are matched once, at the start; factor() is two or three look-ups.
// Errors  InputError{rule.where, …}: a rule that matches no call site, a rank or node that is not there.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/placement.hpp"
#include "platforms/platform.hpp"
#include "sim/engine/compute/processor_change.hpp"
#include "sim/number_ranges.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::sim {

struct ComputeRule {
  enum class Calls : std::uint8_t { anyhow, in_functions, at_places };
  std::string where;  // who says so, for messages: "--compute"
  std::string
      call;  // pattern with * and ?: "solve*", "exchange.c", "exchange.c:21?"; empty: every call
  NumberRanges ranks;  // empty: every rank
  NumberRanges nodes;  // likewise
  Calls calls =
      Calls::anyhow;  // what the pattern is matched with: functions, files and file:line, or either
  // The part of compute times that is spent in functions that match, and in what they call, or in them alone; then `call` is a pattern of
  // functions' names.
  enum class Part : std::uint8_t { all, in_function, in_function_alone };
  Part part = Part::all;
  double factor = 1;  // with `processor`: what its own factors make of compute times
  std::optional<ProcessorChange>
      processor;  // by another one's work per cycle and cycles per second
};

// Whether what it makes of compute times is in the trace's counts of instructions and cycles.
inline bool is_of_counts(const ComputeRule& rule) {
  return rule.processor && rule.processor->needs_counts();
}
inline bool is_of_functions(const ComputeRule& rule) { return rule.part != ComputeRule::Part::all; }

// "FACTOR", "PATTERN=FACTOR", "rank:0-3,8=FACTOR", "node:2=FACTOR", "function:PATTERN=FACTOR", "function-exclusive:PATTERN=FACTOR";
// FACTOR as "0.5x". "ipc=1.3x,frequency=3.2 GHz" for another processor (processor_change.hpp).
ComputeRule parse_compute_rule(std::string_view text, const std::string& where);
// "every compute time × 0.5", "compute times before calls of solve* × 0.5".
std::string describe(const ComputeRule&);

// By rank, what the nodes' relative speed makes of recorded compute times; empty where it makes nothing.
std::vector<double> slowness_of(const platforms::Platform&,
                                std::span<const platforms::RankLocation>);

class CounterScaling;
class FunctionScaling;

class ComputeScaling {
 public:
  ComputeScaling(const trace_io::Trace&, std::span<const ComputeRule>, double overall,
                 std::span<const platforms::RankLocation>, std::span<const double> slowness = {});
  ~ComputeScaling();
  // Of compute times before calls of the site, recorded in this class.
  double factor(std::int32_t rank, trace_io::SiteId site,
                const trace_io::DeltaClass& durations) const {
    if (rank_class_.empty()) return overall_;
    const std::size_t site_class = site < site_class_.size() ? site_class_[site] : 0;
    const double of_site =
        factors_[rank_class_[static_cast<std::size_t>(rank)] * site_classes_ + site_class];
    return functions_ == nullptr && counters_ == nullptr
               ? of_site
               : of_site * factor_of_parts(rank, durations);
  }
  bool has_rules() const { return !rank_class_.empty(); }
  // The rank has computed some time before a call of the site.
  void note(std::int32_t rank, trace_io::SiteId site) {
    has_effect_[rank_class_[static_cast<std::size_t>(rank)] * site_classes_ +
                (site < site_class_.size() ? site_class_[site] : 0)] = true;
  }
  // Which rules no computing has met.
  std::vector<std::size_t> without_effect() const;

  double largest() const;   // of all factors
  double smallest() const;  // likewise, or less

 private:
  double factor_of_parts(std::int32_t rank, const trace_io::DeltaClass&) const;

  double overall_;
  std::unique_ptr<const FunctionScaling> functions_;  // null where no rule is for them
  std::unique_ptr<const CounterScaling> counters_;    // likewise
  std::size_t site_classes_ = 1;
  std::vector<std::uint32_t> site_class_,
      rank_class_;                               // empty where no rule tells sites or ranks apart
  std::vector<double> factors_;                  // by rank class, then site class
  std::vector<bool> has_effect_;                 // likewise
  std::vector<std::vector<std::size_t>> rules_;  // likewise: those that apply
  std::size_t rule_count_ = 0;
};

}  // namespace reprise::sim
