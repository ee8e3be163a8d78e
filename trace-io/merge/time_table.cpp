// SPDX-License-Identifier: MIT
#include "trace-io/merge/time_table.hpp"

#include <algorithm>
#include <cmath>

namespace reprise::trace_io {

TimeTable::TimeTable(Trace& trace, Spent spent) : ranks_(trace.header.recorded) {
  row_of_rank_.resize(static_cast<std::size_t>(trace.header.ranks));
  std::uint32_t row = 0;
  for (const Rank rank : ranks_.ranks()) row_of_rank_[static_cast<std::size_t>(rank.value)] = row++;
  totals_.resize(row);
  for (auto& program : trace.threads)
    for_each_leaf(program, [&](Leaf& leaf) {
      if (procedure_of(trace, leaf.site).kind == Kind::init) return;
      if (spent == Spent::inside_calls)
        for (DeltaClass& delta : leaf.communicate) add(delta);
      else
        for (PathDeltas& path : leaf.compute)
          for (DeltaClass& delta : path.classes) add(delta);
    });
}

void TimeTable::add(DeltaClass& delta) {
  const bool is_one_rank = delta.ranks.size() == 1;
  if (delta.durations.count() == 0 || (!is_one_rank && delta.totals.empty())) return;
  const auto& rows = rows_of(delta.ranks);
  TimePath path{&delta, &rows, static_cast<double>(delta.durations.count()),
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

const std::vector<std::uint32_t>& TimeTable::rows_of(const RankList& ranks) {
  auto& rows = rows_[ranks];
  if (rows.empty())
    for (const Rank rank : ranks.ranks())
      rows.push_back(row_of_rank_[static_cast<std::size_t>(rank.value)]);
  return rows;
}

}  // namespace reprise::trace_io
