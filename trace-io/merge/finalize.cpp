// SPDX-License-Identifier: MIT
#include "trace-io/merge/finalize.hpp"

#include <algorithm>

#include "trace-io/iterations/ranks_iterations.hpp"
#include "trace-io/merge/scale_factor_fit.hpp"
#include "trace-io/model/distribution_rounding.hpp"
#include "trace-io/model/time_pools.hpp"
#include "trace-io/model/unseen_time.hpp"
#include "trace-io/order/order_fit.hpp"

namespace reprise::trace_io {
namespace {

void forget(DeltaClass& delta) {
  if (delta.totals.empty()) return;
  delta.totals.clear();
  delta.totals.shrink_to_fit();
  if (delta.scale_factors == nullptr) delta.durations.pull_bins_in();
}

// What only a further merge would need.
void forget(Leaf& leaf) {
  for (FieldValues& field : leaf.fields)
    for (FieldEntry& entry : field) entry.other_forms = 0;
  for (PathDeltas& path : leaf.compute)
    for (DeltaClass& delta : path.classes) forget(delta);
  for (DeltaClass& delta : leaf.communicate) forget(delta);
}

void round_classes(std::vector<DeltaClass>& classes) {
  for (DeltaClass& delta : classes)
    if (delta.pool == DeltaClass::kOwnTimes)
      if (auto distribution = rounded(delta.durations, delta.is_scaled()))
        delta.durations = *std::move(distribution);
}

}  // namespace

// What ranks touched first in calls is of no matter below 2 % of their run times, or 10 ms in all: start-up has it as well. CPU time is recorded where
// runs take longer than ranks compute, who share cores: there it is 2 % of that.
void forget_few_first_touches(Trace& trace) {
  constexpr double kShare = 0.02;
  constexpr Nanoseconds kLeast{10'000'000};
  const auto found = std::find_if(trace.losses.begin(), trace.losses.end(),
                                  [](const Loss& loss) { return loss.name == kFirstTouches; });
  if (found == trace.losses.end()) return;
  double all = 0;
  if (trace.header.clock == Clock::wall)
    all = static_cast<double>(trace.header.elapsed.value) *
          static_cast<double>(trace.header.recorded.size());
  else
    for (auto& program : trace.threads)
      for_each_leaf(program, [&all](const Leaf& leaf) {
        for (const PathDeltas& path : leaf.compute)
          for (const DeltaClass& delta : path.classes)
            all += static_cast<double>(delta.durations.sum().value);
      });
  if (found->time < kLeast || static_cast<double>(found->time.value) < kShare * all)
    trace.losses.erase(found);
}

void finalize(Trace& trace) {
  forget_few_first_touches(trace);
  const auto budget = static_cast<std::size_t>(trace.header.order_budget.value);
  fit_orders(trace, budget - fit_scale_factors(trace, budget / 2));
  fit_scale_factors_inside_calls(trace);
  for (auto& program : trace.threads) for_each_leaf(program, [](Leaf& leaf) { forget(leaf); });
}

void round_durations(Trace& trace, PoolMembers members) {
  round_iterations(trace);
  for (auto& program : trace.threads)
    for_each_leaf(program, [](Leaf& leaf) {
      for (PathDeltas& path : leaf.compute) round_classes(path.classes);
      round_classes(leaf.communicate);
    });
  for (Distribution& pool : trace.pools)
    if (auto distribution = rounded(pool, false)) pool = *std::move(distribution);
  if (members == PoolMembers::spread) spread_pools(trace);
}

}  // namespace reprise::trace_io
