// SPDX-License-Identifier: MIT
#include "tests/unit/trace-io/order/ordered_job.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "trace-io/base/error.hpp"
#include "trace-io/check/check.hpp"
#include "trace-io/compress/thread_compressor.hpp"
#include "trace-io/merge/merge.hpp"
#include "trace-io/order/played_order.hpp"

namespace reprise::trace_io::testing {

Trace part_of(const OrderedJob& job, int rank) {
  ThreadCompressor compressor({.rank = Rank{rank}, .keeps_order = job.budget > 0});
  const std::int64_t world = 0;
  const auto append = [&](SiteId site, std::int64_t duration) {
    compressor.append(EventView{.site = site,
                                .scalars = {&world, 1},
                                .vectors = {},
                                .compute = Nanoseconds{duration},
                                .communicate = Nanoseconds{100}});
  };
  for (int step = 0; step < job.steps; ++step) {
    append(0, job.duration(rank, step));
    if (job.second) append(1, job.second(rank, step));
  }
  Trace trace;
  trace.header.ranks = job.ranks;
  trace.header.bins = 5;
  trace.header.order_budget = Bytes{job.budget};
  trace.header.recorded = RankList::single(Rank{rank});
  trace.procedures = {"MPI_Barrier"};
  trace.call_paths = {CallPath{}};
  trace.sites = {Site{}};
  if (job.second) {
    trace.modules = {Module{.path = "program", .build_id = ""}};
    trace.call_paths.push_back(CallPath{{Frame{.module = 0, .offset = 16}}});
    trace.sites.push_back(Site{.procedure = 0, .call_path = 1});
  }
  trace.threads = {compressor.program()};
  return trace;
}

Trace merged(const OrderedJob& job) {
  std::vector<Trace> parts;
  for (int rank = 0; rank < job.ranks; ++rank) parts.push_back(part_of(job, rank));
  while (parts.size() > 1) {
    std::vector<Trace> pairs;
    for (std::size_t i = 0; i < parts.size(); i += 2)
      pairs.push_back(i + 1 < parts.size() ? merge(std::move(parts[i]), std::move(parts[i + 1]))
                                           : std::move(parts[i]));
    parts = std::move(pairs);
  }
  return std::move(parts.front());
}

const DeltaClass& looped(const Trace& trace) {
  const DeltaClass* found = nullptr;
  for_each_leaf(trace.threads.front(), [&](const Leaf& leaf) {
    for (const PathDeltas& path : leaf.compute)
      if (path.predecessor == 0) found = &path.classes.front();
  });
  REPRISE_ASSERT(found != nullptr, "the job has a loop");
  return *found;
}

double slowest(const OrderedJob& job) {
  double sum = 0;
  for (int step = 1; step < job.steps; ++step) {
    std::int64_t most = 0;
    for (int rank = 0; rank < job.ranks; ++rank) most = std::max(most, job.duration(rank, step));
    sum += static_cast<double>(most);
  }
  return sum;
}

double slowest_played(const OrderedJob& job, const Trace& trace, std::uint64_t seed) {
  const DeltaClass& delta = looped(trace);
  const PlayedOrder played(delta, seed);
  std::vector<PlayedOrder::OfRank> ranks;
  for (int rank = 0; rank < job.ranks; ++rank)
    ranks.push_back(
        played.open(Rank{rank}, relative_mean(delta, Rank{rank}) * delta.durations.mean_ns()));
  double sum = 0;
  for (int step = 1; step < job.steps; ++step) {
    double most = 0;
    for (int rank = 0; rank < job.ranks; ++rank)
      most = std::max(most, played.value(ranks[static_cast<std::size_t>(rank)],
                                         static_cast<std::uint64_t>(step) - 1) *
                                relative_mean(delta, Rank{rank}) * delta.durations.mean_ns());
    sum += most;
  }
  return sum;
}

Trace with_order(const Trace& trace, const std::function<void(DurationOrder&)>& change) {
  Trace changed = trace;
  auto& delta = const_cast<DeltaClass&>(looped(changed));
  auto order = std::make_shared<DurationOrder>(*delta.order);
  change(*order);
  delta.order = order;
  return changed;
}

std::string refusal(const Trace& trace) {
  const auto findings = check_structure(trace);
  return findings.empty() ? "" : findings.front().problem;
}

}  // namespace reprise::trace_io::testing
