// SPDX-License-Identifier: MIT
#include "sim/experiment/mean_times.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "sim/text/numbers.hpp"
#include "sim/text/time_ratio.hpp"

namespace reprise::sim {
namespace {

constexpr std::size_t kSites = 3;
constexpr double kNamed = 0.01;     // of the spread of all
constexpr double kRounding = 1e-9;  // of all compute times: less is no spread

// By how much the durations of a class differ from their mean, all together, in ns.
double spread(const trace_io::DeltaClass& delta) {
  const double mean = delta.durations.mean_ns();
  double sum = 0;
  for (const auto& bin : delta.durations.bins())
    sum += std::abs(static_cast<double>(bin.sum) - static_cast<double>(bin.count) * mean);
  return sum;
}

// None where no compute time varies: means are then what is played anyway.
std::optional<std::string> varying_sites(const trace_io::Trace& trace) {
  std::map<trace_io::SiteId, double> spreads;
  double all = 0, computed = 0;
  for (const auto& program : trace.threads)
    trace_io::for_each_leaf(program, [&](const trace_io::Leaf& leaf) {
      for (const auto& path : leaf.compute)
        for (const auto& delta : path.classes) {
          spreads[leaf.site] += spread(delta);
          all += spread(delta);
          computed += static_cast<double>(delta.durations.sum().value);
        }
    });
  if (all <= kRounding * computed) return std::nullopt;
  std::vector<std::pair<double, trace_io::SiteId>> sites;
  for (const auto& [site, its] : spreads) sites.emplace_back(-its, site);
  std::ranges::sort(sites);
  std::string text;
  for (std::size_t i = 0; i < std::min(kSites, sites.size()); ++i)
    if (-sites[i].first >= kNamed * all)
      text += (text.empty() ? "" : ", ") + trace_io::site_text(trace, sites[i].second) +
              formatted(" (%.0f%%)", -100 * sites[i].first / all);
  return text;
}

// Of any compute times. Parts of a trace that a rank left behind when it died may have none though it was asked for.
bool has_order(const trace_io::Trace& trace) {
  bool found = false;
  for (const auto& program : trace.threads)
    trace_io::for_each_leaf(program, [&](const trace_io::Leaf& leaf) {
      for (const auto& path : leaf.compute)
        for (const auto& delta : path.classes) found = found || delta.order != nullptr;
    });
  return found;
}

}  // namespace

std::optional<MeanTimesOutcome> with_mean_times(const trace_io::Trace& trace,
                                                const platforms::Platform& platform,
                                                const ReplaySettings& settings,
                                                const Outcome& outcome) {
  if (settings.deltas == Deltas::mean || model_of(settings.network).simulates_once ||
      outcome.operations > kMostOperations)
    return std::nullopt;
  const std::optional<std::string> sites = varying_sites(trace);
  if (!sites) return std::nullopt;
  ReplaySettings means = settings;
  means.deltas = Deltas::mean;
  means.observation = nullptr;
  means.fast_forward = true;  // exact where times do not vary
  const Seconds predicted = replay(trace, platform, means).predicted_time;
  if (std::abs(predicted.value - outcome.predicted_time.value) <=
      kNoticed * outcome.predicted_time.value)
    return std::nullopt;
  return MeanTimesOutcome{predicted, *sites};
}

std::string describe(const MeanTimesOutcome& means, const Outcome& outcome,
                     const trace_io::Trace& trace, Deltas deltas) {
  std::string text = "with every compute time at its mean, the run takes " +
                     seconds_text(means.predicted) + ", " +
                     time_ratio_text(means.predicted / outcome.predicted_time, 2) +
                     ": the run time depends strongly on how compute times vary";
  if (!means.sites.empty()) text += ", most before " + means.sites;
  if (deltas != Deltas::ordered)
    return text + "; their order is not played (--deltas ordered plays it)";
  if (has_order(trace)) return text + "; they are played in recorded order";
  return text +
         (trace.header.order_budget.value == 0
              ? "; the trace does not contain their order, so record it again for a better answer"
              : "; no order is stored, so ranks' long times fall together by chance only (`reprise "
                "trace "
                "info -v` says why)");
}

}  // namespace reprise::sim
