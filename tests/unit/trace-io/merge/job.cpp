// SPDX-License-Identifier: MIT
#include "tests/unit/trace-io/merge/job.hpp"

#include <algorithm>
#include <map>
#include <span>

#include "trace-io/merge/merge.hpp"
#include "trace-io/walk/cursor.hpp"

namespace reprise::trace_io::testing {
namespace {

constexpr std::uint32_t kBins = 4;

// The site of a place in this trace, new where it was not called before.
SiteId site_of(Trace& trace, std::map<std::uint32_t, SiteId>& sites, const Job& job,
               std::uint32_t place) {
  if (const auto found = sites.find(place); found != sites.end()) return found->second;
  const std::string& name = job.procedures.at(place);
  auto procedure = std::find(trace.procedures.begin(), trace.procedures.end(), name);
  if (procedure == trace.procedures.end()) procedure = trace.procedures.insert(procedure, name);
  trace.call_paths.push_back({{{0, place}}});
  trace.sites.push_back({static_cast<std::uint32_t>(procedure - trace.procedures.begin()),
                         static_cast<std::uint32_t>(trace.call_paths.size() - 1)});
  return sites[place] = static_cast<SiteId>(trace.sites.size() - 1);
}

void measure(const FieldValues& values, Size& size) {
  size.entries += values.size();
  size.most_entries = std::max(size.most_entries, values.size());
}

void measure(const std::vector<Node>& nodes, Size& size) {
  for (const Node& node : nodes) {
    ++size.nodes;
    if (const Loop* loop = std::get_if<Loop>(&node.content)) {
      measure(loop->iterations, size);
      measure(loop->exits, size);
      measure(loop->body, size);
      continue;
    }
    const Leaf& leaf = std::get<Leaf>(node.content);
    for (const FieldValues& field : leaf.fields) measure(field, size);
    size.classes += leaf.communicate.size();
    for (const PathDeltas& path : leaf.compute) size.classes += path.classes.size();
  }
}

}  // namespace

bool same_call(const Call& x, const Call& y) {
  return x.place == y.place && x.scalars == y.scalars && x.vectors == y.vectors;
}

Trace trace_of_rank(const Job& job, std::int32_t rank) {
  RecordedRank recorded = recorded_rank(job, rank);
  recorded.tables.threads = {recorded.thread.program()};
  return std::move(recorded.tables);
}

RecordedRank recorded_rank(const Job& job, std::int32_t rank) {
  const RankList self = RankList::single(Rank{rank});
  const auto own = static_cast<std::size_t>(rank);
  Trace trace;
  trace.header.ranks = job.ranks;
  trace.header.timing = job.timing;
  trace.header.bins = job.timing == Timing::stat ? 0 : kBins;
  trace.header.order_budget = job.order_budget;
  trace.header.recorded = self;
  trace.modules = {{"program", ""}};
  if (!job.communicators.empty())
    for (const Communicator& communicator : job.communicators.at(own)) {
      trace.communicator_indices.push_back(
          {{self, static_cast<std::uint32_t>(trace.communicators.size())}});
      trace.communicators.push_back(communicator);
    }
  std::map<std::uint32_t, SiteId> sites;
  ThreadCompressor compressor(
      {job.timing, trace.header.bins, Rank{rank}, BinRule::ward, job.keeps_order});
  for (const Call& call : job.calls.at(own)) {
    EventView event;
    event.site = site_of(trace, sites, job, call.place);
    event.scalars = call.scalars;
    const std::vector<std::span<const std::int64_t>> vectors(call.vectors.begin(),
                                                             call.vectors.end());
    event.vectors = vectors;
    event.compute = call.compute;
    event.communicate = call.communicate;
    compressor.append(event);
  }
  return {std::move(trace), std::move(compressor)};
}

Trace merged_in_tree(const Job& job) {
  std::vector<Trace> traces;
  for (std::int32_t rank = 0; rank < job.ranks; ++rank) traces.push_back(trace_of_rank(job, rank));
  for (std::size_t step = 1; step < traces.size(); step *= 2)
    for (std::size_t i = 0; i + step < traces.size(); i += 2 * step)
      traces[i] = merge(std::move(traces[i]), std::move(traces[i + step]));
  return std::move(traces.front());
}

Trace merged_in_any_order(const Job& job, const Chooser& choose) {
  std::vector<Trace> traces;
  for (std::int32_t rank = 0; rank < job.ranks; ++rank) traces.push_back(trace_of_rank(job, rank));
  while (traces.size() > 1) {
    std::swap(traces[choose(traces.size())], traces.back());
    Trace one = std::move(traces.back());
    traces.pop_back();
    Trace& other = traces[choose(traces.size())];
    other = merge(std::move(one), std::move(other));
  }
  return std::move(traces.front());
}

std::vector<Call> decoded(const Trace& trace, std::int32_t rank) {
  std::vector<Call> calls;
  const Programs programs(trace);
  if (!programs.has(Rank{rank}, 0)) return calls;
  Cursor cursor(programs, Rank{rank}, 0);
  while (cursor.advance()) {
    Call call;
    call.place = static_cast<std::uint32_t>(
        trace.call_paths.at(trace.sites.at(cursor.site()).call_path).frames.at(0).offset);
    call.scalars.assign(cursor.scalars().begin(), cursor.scalars().end());
    for (std::size_t i = 0; i < vector_count(cursor.procedure()); ++i)
      call.vectors.emplace_back(cursor.vector(i).begin(), cursor.vector(i).end());
    calls.push_back(std::move(call));
  }
  return calls;
}

Size size_of(const std::vector<Node>& nodes) {
  Size size;
  measure(nodes, size);
  return size;
}

}  // namespace reprise::trace_io::testing
