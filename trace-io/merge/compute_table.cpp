// SPDX-License-Identifier: MIT
#include "trace-io/merge/compute_table.hpp"

#include <algorithm>
#include <cmath>

namespace reprise::trace_io {

ComputeTable::ComputeTable(Trace& trace) : ranks_(trace.header.recorded) {
  row_of_rank_.resize(static_cast<std::size_t>(trace.header.ranks));
  std::uint32_t row = 0;
  for (const Rank rank : ranks_.ranks()) row_of_rank_[static_cast<std::size_t>(rank.value)] = row++;
  totals_.resize(row);
  for (auto& program : trace.threads) add(program, trace);
}

void ComputeTable::add(std::vector<Node>& body, const Trace& trace) {
  for (Node& node : body) {
    if (auto* loop = std::get_if<Loop>(&node.content)) {
      add(loop->body, trace);
      continue;
    }
    auto& leaf = std::get<Leaf>(node.content);
    if (procedure_named(trace.procedures[trace.sites[leaf.site].procedure]).kind == Kind::init)
      continue;
    for (PathDeltas& path : leaf.compute)
      for (DeltaClass& delta : path.classes) add(delta);
  }
}

void ComputeTable::add(DeltaClass& delta) {
  const bool is_one_rank = delta.ranks.size() == 1;
  if (delta.durations.count() == 0 || (!is_one_rank && delta.totals.empty())) return;
  const auto& rows = rows_of(delta.ranks);
  ComputePath path{&delta, &rows, static_cast<double>(delta.durations.count()),
                   static_cast<double>(delta.durations.sum().value), -1};
  if (is_one_rank) {
    totals_[rows.front()] += path.sum;
    return;  // its own mean is the right one
  }
  double within = delta.durations.variance_ns2() * path.count, freedom = path.count;
  const double mean = path.sum / path.count;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto sum = static_cast<double>(delta.totals[i].sum),
               count = static_cast<double>(delta.totals[i].count);
    totals_[rows[i]] += sum;
    if (count == 0) continue;
    within -= (sum / count - mean) * (sum - count * mean);
    --freedom;
  }
  if (freedom >= 1) path.deviation = std::sqrt(std::max(within, 0.0) / freedom);
  paths_.push_back(path);
}

const std::vector<std::uint32_t>& ComputeTable::rows_of(const RankList& ranks) {
  auto& rows = rows_[ranks];
  if (rows.empty())
    for (const Rank rank : ranks.ranks())
      rows.push_back(row_of_rank_[static_cast<std::size_t>(rank.value)]);
  return rows;
}

}  // namespace reprise::trace_io
