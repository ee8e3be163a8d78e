// SPDX-License-Identifier: MIT
#include "sim/engine/compute/matched_counts.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

namespace reprise::sim {
namespace {

using trace_io::SiteId;

std::string way_text(const trace_io::Trace& trace, SiteId site, SiteId predecessor) {
  const std::string to = site_text(trace, site);
  return predecessor == trace_io::kNoSite ? "before " + to
                                          : site_text(trace, predecessor) + " → " + to;
}

}  // namespace

double recorded_seconds(const trace_io::DeltaClass& durations, const ComputeRule& rule) {
  const double all = durations.durations.sum().seconds().value;
  if (rule.ranks.empty()) return all;
  const auto ranks = durations.ranks.ranks();
  const auto in =
      std::ranges::count_if(ranks, [&](Rank rank) { return contains(rule.ranks, rank.value); });
  return ranks.empty() ? 0 : all * static_cast<double>(in) / static_cast<double>(ranks.size());
}

MatchedCounts matched_counts(const trace_io::Trace& trace, const ComputeRule& rule) {
  const WayCounters counters(trace);
  struct Way {
    double time = 0;
    const ProcessorCounts* counts = nullptr;
  };
  std::map<std::pair<SiteId, SiteId>, Way> ways;
  for (const auto& program : trace.threads)
    trace_io::for_each_leaf(program, [&](const trace_io::Leaf& leaf) {
      for (const auto& path : leaf.compute) {
        Way& way = ways[{leaf.site, path.predecessor}];
        way.counts = counters.of(leaf.site, path.predecessor);
        for (const auto& durations : path.classes) way.time += recorded_seconds(durations, rule);
      }
    });
  MatchedCounts matched;
  for (const auto& [sites, way] : ways) {
    if (way.time <= 0) continue;
    matched.all_s += way.time;
    ++matched.all_ways;
    if (way.counts != nullptr && suffices(*way.counts, *rule.processor)) {
      matched.counted_s += way.time;
      ++matched.ways;
      matched.before += *way.counts;
    } else if (way.time > matched.largest_without_s) {
      matched.largest_without_s = way.time;
      matched.largest_without = way_text(trace, sites.first, sites.second);
    }
  }
  return matched;
}

std::string describe_processor(const trace_io::Trace& trace, const ComputeRule& rule) {
  const ProcessorChange& change = *rule.processor;
  std::string text = describe(rule) + ": ";
  std::array<char, 256> part{};
  if (!is_of_counts(rule)) {
    std::snprintf(part.data(), part.size(),
                  "factors only: all these compute times × %g, regardless of counts", rule.factor);
    return text + part.data();
  }
  const MatchedCounts matched = matched_counts(trace, rule);
  std::snprintf(part.data(), part.size(),
                "counts for %.1f %% of the computing, on %zu of %zu paths between two calls",
                matched.all_s > 0 ? 100 * matched.counted_s / matched.all_s : 0.0, matched.ways,
                matched.all_ways);
  text += part.data();
  const ProcessorCounts& before = matched.before;
  if (matched.ways > 0 && before.has_instructions()) {
    const double ipc = before.ipc();
    std::snprintf(part.data(), part.size(), "; %.2f instructions per cycle become %.2f", ipc,
                  change.ipc.value_or(ipc * change.ipc_factor.value_or(1)));
    text += part.data();
  }
  if (matched.ways > 0) {
    const double frequency = before.frequency();
    std::snprintf(part.data(), part.size(), ", %.2f GHz become %.2f", frequency / 1e9,
                  change.frequency.value_or(frequency * change.frequency_factor.value_or(1)) / 1e9);
    text += part.data();
  }
  if (matched.ways == matched.all_ways) return text;
  std::snprintf(part.data(), part.size(), "; %zu without counts keep%s %s time, the longest ",
                matched.all_ways - matched.ways, matched.all_ways - matched.ways == 1 ? "s" : "",
                matched.all_ways - matched.ways == 1 ? "its" : "their");
  return text + part.data() + matched.largest_without;
}

}  // namespace reprise::sim
