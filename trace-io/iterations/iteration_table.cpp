// SPDX-License-Identifier: MIT
#include "trace-io/iterations/iteration_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "trace-io/iterations/main_loop.hpp"
#include "trace-io/iterations/ranks_iterations.hpp"

namespace reprise::trace_io {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

double value_of(const IterationMetrics& metrics, const IterationQuestion& question) {
  const double number = question.metric
                            ? static_cast<double>(metrics[*question.metric])
                            : static_cast<double>(metrics[IterationMetric::compute] +
                                                  metrics[IterationMetric::communicate]);
  return question.is_time() ? number * 1e-9 : number;
}

double mean_of(const IterationCluster& cluster, const IterationQuestion& question) {
  double sum = 0;
  for (const auto& [site, metrics] : cluster.sums)
    if (!question.site || *question.site == site) sum += value_of(metrics, question);
  return sum / static_cast<double>(cluster.size);
}

double time_of(const std::vector<RankIterations>& ranks) {
  double sum = 0;
  for (const RankIterations& rank : ranks)
    for (const IterationCluster& cluster : rank.clusters)
      sum += mean_of(cluster, {}) * static_cast<double>(cluster.size);
  return sum;
}

struct Chosen {
  std::vector<const RankIterations*> ranks;  // ascending
  std::string name;
  std::vector<Rank> others;
};

std::uint64_t most_iterations(const std::vector<RankIterations>& ranks) {
  std::uint64_t most = 0;
  for (const RankIterations& one : ranks) most = std::max(most, one.sequence.size());
  return most;
}

Chosen chosen(const Trace& trace) {
  struct Candidate {
    const std::vector<RankIterations>* ranks;
    const Loop* loop;
  };
  std::vector<Candidate> all;
  if (!trace.marked_iterations.empty()) all.push_back({&trace.marked_iterations, nullptr});
  for (const auto& program : trace.threads)
    for_each_clustered_loop(program, [&](const Loop& loop) {
      all.push_back({&loop.clusters, &loop});
    });
  if (all.empty()) return {};
  const auto best = std::ranges::max_element(
      all, {}, [](const Candidate& candidate) { return time_of(*candidate.ranks); });
  Chosen chosen;
  chosen.name = best->loop == nullptr ? "marked iterations" : loop_text(trace, *best->loop);
  for (const Candidate& candidate : all)
    for (const RankIterations& one : *candidate.ranks) {
      if (candidate.ranks == best->ranks ||
          most_iterations(*candidate.ranks) == most_iterations(*best->ranks))
        chosen.ranks.push_back(&one);
      else
        chosen.others.push_back(one.rank);
    }
  std::ranges::sort(chosen.ranks, {}, &RankIterations::rank);
  std::ranges::sort(chosen.others);
  return chosen;
}

}  // namespace

IterationTable::Extremes extremes_of(std::vector<double> values) {
  std::erase_if(values, [](double value) { return std::isnan(value); });
  if (values.empty()) return {kNothing, kNothing, kNothing};
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  const double median =
      values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
  return {values.back(), median, values.front()};
}

std::optional<IterationTable> iteration_table(const Trace& trace,
                                              const IterationQuestion& question) {
  const Chosen which = chosen(trace);
  if (which.ranks.empty()) return std::nullopt;
  IterationTable table;
  table.loop = which.name;
  table.others = which.others;
  std::vector<ValueSequence::Cursor> cursors;
  std::vector<std::vector<double>> means;  // by rank, then cluster
  for (const RankIterations* one : which.ranks) {
    table.ranks.push_back(one->rank);
    table.iterations = std::max(table.iterations, one->sequence.size());
    table.clusters = std::max(table.clusters, one->clusters.size());
    cursors.emplace_back(one->sequence);
    std::vector<double>& its = means.emplace_back();
    for (const IterationCluster& cluster : one->clusters) its.push_back(mean_of(cluster, question));
  }
  const std::uint64_t room = std::max<std::size_t>(question.most_columns, 1);
  table.iterations_per_column = (table.iterations + room - 1) / room;
  table.map.resize(table.ranks.size());
  std::vector<double> values(table.ranks.size()), sums;
  std::vector<std::uint64_t> counts;
  for (std::uint64_t from = 0; from < table.iterations; from += table.iterations_per_column) {
    const std::uint64_t end = std::min(from + table.iterations_per_column, table.iterations);
    IterationTable::Extremes column{-HUGE_VAL, 0, HUGE_VAL};
    sums.assign(values.size(), 0);
    counts.assign(values.size(), 0);
    for (std::uint64_t iteration = from; iteration < end; ++iteration) {
      for (std::size_t r = 0; r < values.size(); ++r) {
        values[r] = kNothing;
        if (cursors[r].at_end()) continue;
        values[r] = means[r][static_cast<std::size_t>(cursors[r].next())];
        sums[r] += values[r];
        ++counts[r];
      }
      const auto one = extremes_of(values);
      column = {std::max(column.most, one.most), column.median + one.median,
                std::min(column.least, one.least)};
    }
    column.median /= static_cast<double>(end - from);
    table.graph.push_back(column);
    for (std::size_t r = 0; r < values.size(); ++r)
      table.map[r].push_back(counts[r] > 0 ? sums[r] / static_cast<double>(counts[r]) : kNothing);
  }
  return table;
}

std::vector<SiteShare> site_shares(const Trace& trace, const IterationQuestion& question) {
  std::map<SiteId, double> sums;
  for (const RankIterations* one : chosen(trace).ranks)
    for (const IterationCluster& cluster : one->clusters)
      for (const auto& [site, metrics] : cluster.sums) sums[site] += value_of(metrics, question);
  std::vector<SiteShare> shares;
  for (const auto& [site, value] : sums) shares.push_back({site, value});
  std::ranges::stable_sort(shares, std::ranges::greater(), &SiteShare::value);
  return shares;
}

}  // namespace reprise::trace_io
