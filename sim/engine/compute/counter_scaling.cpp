// SPDX-License-Identifier: MIT
#include "sim/engine/compute/counter_scaling.hpp"

#include <algorithm>
#include <string>

#include "trace-io/base/error.hpp"

namespace reprise::sim {
namespace {

using trace_io::ComputeCounters;
using trace_io::CounterEvent;
using trace_io::SiteId;
using Membership = std::vector<bool>;  // by rule

bool is_counted(const ComputeCounters& counters, CounterEvent wanted) {
  return std::ranges::any_of(counters.events, [&](const trace_io::CountedEvent& event) {
    return event.event == wanted && event.threads > 0;
  });
}

// A rule that gives instructions per cycle in absolute terms needs both events, one for the frequency alone cycles.
void refuse_without_counts(const trace_io::Trace& trace, const ComputeRule& rule) {
  const char* remedy = "record it with --counters; factors, such as ipc=1.3x, need no counts";
  if (trace.counters == nullptr)
    throw InputError(rule.where, "the trace has no instruction and cycle counts", remedy);
  for (const CounterEvent event : {CounterEvent::instructions, CounterEvent::cycles}) {
    if (event == CounterEvent::instructions && !rule.processor->ipc) continue;
    if (!is_counted(*trace.counters, event))
      throw InputError(rule.where,
                       "the trace's counters have no " + std::string(trace_io::name_of(event)),
                       "record it with --counters=instructions,cycles on a machine whose kernel "
                       "provides them; factors, such as ipc=1.3x, need no counts");
  }
}

ProcessorCounts counts_of(const ComputeCounters& counters, const trace_io::WayCounts& way) {
  ProcessorCounts all;
  for (std::size_t i = 0; i < way.counts.size(); ++i) {
    const trace_io::Count& count = way.counts[i];
    if (counters.events[i].event == CounterEvent::instructions) {
      all.instructions = static_cast<double>(count.value);
      all.instructions_s = count.time.seconds().value;
    } else if (counters.events[i].event == CounterEvent::cycles) {
      all.cycles = static_cast<double>(count.value);
      all.cycles_s = count.time.seconds().value;
    }
  }
  return all;
}

}  // namespace

ProcessorCounts& ProcessorCounts::operator+=(const ProcessorCounts& other) {
  instructions += other.instructions;
  cycles += other.cycles;
  instructions_s += other.instructions_s;
  cycles_s += other.cycles_s;
  return *this;
}

bool suffices(const ProcessorCounts& counts, const ProcessorChange& change) {
  return (!change.ipc || counts.has_instructions()) &&
         (!change.needs_counts() || counts.has_cycles());
}

double factor_of(const ProcessorCounts& counts, const ProcessorChange& change) {
  double factor = change.factor();
  if (change.ipc) factor *= counts.ipc() / *change.ipc;
  if (change.frequency) factor *= counts.frequency() / *change.frequency;
  return factor;
}

WayCounters::WayCounters(const trace_io::Trace& trace) {
  for (const auto& way : trace.counters->ways) {
    const ProcessorCounts counts = counts_of(*trace.counters, way);
    ways_.emplace(std::pair(way.site, way.predecessor), counts);
    sites_[way.site] += counts;
  }
}

const ProcessorCounts* WayCounters::of(SiteId site, SiteId predecessor) const {
  const auto way = ways_.find({site, predecessor});
  if (way != ways_.end()) return &way->second;
  const auto of_site = sites_.find(site);
  return of_site == sites_.end() ? nullptr : &of_site->second;
}

CounterScaling::CounterScaling(const trace_io::Trace& trace, std::span<const ComputeRule> rules,
                               std::span<const platforms::RankLocation> locations)
    : has_effect_(rules.size()) {
  for (const ComputeRule& rule : rules)
    if (is_of_counts(rule)) refuse_without_counts(trace, rule);
  const WayCounters counters(trace);

  std::map<Membership, std::uint32_t> classes;
  for (std::size_t rank = 0; rank < locations.size(); ++rank) {
    Membership in(rules.size());
    for (std::size_t rule = 0; rule < rules.size(); ++rule)
      in[rule] = is_of_counts(rules[rule]) &&
                 contains(rules[rule].ranks, static_cast<std::int64_t>(rank)) &&
                 contains(rules[rule].nodes, locations[rank].node);
    rank_class_.push_back(
        classes.emplace(in, static_cast<std::uint32_t>(classes.size())).first->second);
  }
  factors_.resize(classes.size());
  const auto scale = [&](const trace_io::Leaf& leaf, const trace_io::PathDeltas& path) {
    const ProcessorCounts* counts = counters.of(leaf.site, path.predecessor);
    if (counts == nullptr) return;
    for (const auto& [in, number] : classes) {
      double factor = 1;
      for (std::size_t rule = 0; rule < rules.size(); ++rule) {
        if (!in[rule] || !suffices(*counts, *rules[rule].processor)) continue;
        factor *= factor_of(*counts, *rules[rule].processor);
        has_effect_[rule] = true;
      }
      largest_ = std::max(largest_, factor);
      smallest_ = std::min(smallest_, factor);
      for (const auto& durations : path.classes) factors_[number].emplace(&durations, factor);
    }
  };
  for (const auto& program : trace.threads)
    trace_io::for_each_leaf(program, [&](const trace_io::Leaf& leaf) {
      for (const auto& path : leaf.compute) scale(leaf, path);
    });
}

}  // namespace reprise::sim
