// SPDX-License-Identifier: MIT
// Merging as a property: whatever the programs, every rank of a merged trace decodes to its own calls, and no time is lost.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <utility>

#include "tests/unit/trace-io/merge/job.hpp"
#include "tests/unit/trace-io/merge/random_job.hpp"
#include "tests/unit/trace-io/merge/random_program.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/merge/merge.hpp"

namespace reprise::trace_io::testing {
namespace {

constexpr std::uint64_t kSeeds = 3000;

bool is_lossless(const Job& job, const Trace& trace) {
  for (std::int32_t rank = 0; rank < job.ranks; ++rank) {
    const std::vector<Call>& calls = job.calls[static_cast<std::size_t>(rank)];
    const std::vector<Call> back = decoded(trace, rank);
    if (!std::equal(calls.begin(), calls.end(), back.begin(), back.end(), same_call)) return false;
  }
  return true;
}

struct Total {
  std::uint64_t count = 0;
  std::int64_t compute = 0, communicate = 0;
  friend bool operator==(const Total&, const Total&) = default;
};
using Totals = std::map<std::uint32_t, Total>;  // by place

Totals totals_of(const Job& job) {
  Totals totals;
  for (const auto& calls : job.calls)
    for (const Call& call : calls) {
      Total& total = totals[call.place];
      ++total.count;
      total.compute += call.compute.value;
      total.communicate += call.communicate.value;
    }
  return totals;
}

void add_totals(const Trace& trace, const std::vector<Node>& nodes, Totals& totals,
                bool& ranks_are_right) {
  for (const Node& node : nodes) {
    if (const Loop* loop = std::get_if<Loop>(&node.content)) {
      add_totals(trace, loop->body, totals, ranks_are_right);
      continue;
    }
    const Leaf& leaf = std::get<Leaf>(node.content);
    Total& total = totals[static_cast<std::uint32_t>(
        trace.call_paths[trace.sites[leaf.site].call_path].frames[0].offset)];
    RankList in_classes, on_ways;
    for (const DeltaClass& deltas : leaf.communicate) {
      total.count += deltas.durations.count();
      total.communicate += deltas.durations.sum().value;
      ranks_are_right = ranks_are_right && !in_classes.intersects(deltas.ranks);
      in_classes = in_classes.united(deltas.ranks);
    }
    for (const PathDeltas& path : leaf.compute)
      for (const DeltaClass& deltas : path.classes) {
        total.compute += deltas.durations.sum().value;
        on_ways = on_ways.united(deltas.ranks);
      }
    ranks_are_right = ranks_are_right && in_classes == node.ranks && on_ways == node.ranks;
  }
}

TEST_CASE("merge: every rank decodes to its own calls, whatever the tree", "[merge]") {
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed) {
    const Job job = random_job(seed);
    Random random(seed);
    const Trace in_tree = merged_in_tree(job);
    const Trace in_any_order =
        merged_in_any_order(job, [&](std::size_t limit) { return random.below(limit); });
    CAPTURE(seed, job.ranks);
    REQUIRE(is_lossless(job, in_tree));
    REQUIRE(is_lossless(job, in_any_order));
  }
}

TEST_CASE(
    "merge: counts and sums of all durations are conserved, and classes list the ranks that have "
    "them",
    "[merge]") {
  for (std::uint64_t seed = 0; seed < kSeeds / 4; ++seed) {
    const Job job = random_job(seed);
    const Trace trace = merged_in_tree(job);
    Totals totals;
    bool ranks_are_right = true;
    add_totals(trace, trace.threads.at(0), totals, ranks_are_right);
    CAPTURE(seed, job.ranks);
    REQUIRE(totals == totals_of(job));
    REQUIRE(ranks_are_right);
  }
}

TEST_CASE("merge: the order of the two traces makes no difference", "[merge]") {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Job job = random_job(seed);
    if (job.ranks < 2) continue;
    const Trace one = trace_of_rank(job, 0), other = trace_of_rank(job, job.ranks - 1);
    CAPTURE(seed);
    REQUIRE(serialise(merge(one, other)) == serialise(merge(other, one)));
  }
}

TEST_CASE("merge: one tree gives the same bytes each time", "[merge]") {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Job job = random_job(seed);
    CAPTURE(seed);
    REQUIRE(serialise(merged_in_tree(job)) == serialise(merged_in_tree(job)));
  }
}

// As the recorder does it: every trace that is merged came from another process.
TEST_CASE("merge: traces that were sent in between are merged without loss", "[merge]") {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Job job = random_job(seed);
    Trace all = trace_of_rank(job, 0);
    for (std::int32_t rank = 1; rank < job.ranks; ++rank)
      all = merge(deserialise(serialise(all), "so far"),
                  deserialise(serialise(trace_of_rank(job, rank)), "one rank"));
    CAPTURE(seed, job.ranks);
    REQUIRE(is_lossless(job, all));
  }
}

}  // namespace
}  // namespace reprise::trace_io::testing
