// SPDX-License-Identifier: MIT
// What ranks computed, counted on folded paths, is what a walk along the trace adds up.
#include "trace-io/timing_tree/computing_of_ranks.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "trace-io/text/text.hpp"
#include "trace-io/walk/cursor.hpp"

namespace reprise::trace_io::testing {
namespace {

// Ranks 0 and 1 work for 2 and 5 rounds, three times; rank 2 only meets them. Every call comes on several paths.
const char* const kUneven = R"TRACE(reprise-text 1
ranks 3
timing path
bins 5
procedure 0 "MPI_Barrier"
procedure 1 "MPI_Bcast"
path 0
site 0 procedure 0 path 0
site 1 procedure 1 path 0
thread 0 {
  loop 3 {
    @0 MPI_Barrier
      | compute (limit=5 count=3 sum=3000000 squares=0:3000000000000 min=1000000@0 max=1000000@0 bins=[3/3000000])
      | compute after @0 (limit=5 count=2 sum=2000000 squares=0:2000000000000 min=1000000@0 max=1000000@0 bins=[2/2000000])
      | compute after @1 (limit=5 count=4 sum=4000000 squares=0:4000000000000 min=1000000@0 max=1000000@0 bins=[4/4000000])
    ranks 0-1: loop {0: 2*3; 1: 5*3} {
      @1 MPI_Bcast peer=0 send_bytes=8
        | compute after @0 (limit=5 count=6 sum=6000000 squares=0:6000000000000 min=1000000@0 max=1000000@0 bins=[6/6000000])
        | compute after @1 (limit=5 count=15 sum=60000000 squares=0:260000000000000 min=1000000@0 max=7000000@1 bins=[15/60000000] scale=0-1: 100..200/100 scaled=2700)
    }
  }
}
)TRACE";

std::map<std::int32_t, double> walked(const Trace& trace) {
  const Programs programs(trace);
  std::map<std::int32_t, double> times;
  for (std::int32_t rank = 0; rank < trace.header.ranks; ++rank)
    for (Cursor cursor(programs, Rank{rank}, 0); cursor.advance();)
      if (const DeltaClass* delta = cursor.compute())
        times[rank] += delta->durations.mean_ns() * 1e-9 * relative_mean(*delta, Rank{rank});
  return times;
}

std::map<std::int32_t, double> counted(const Trace& trace) {
  ComputingOfRanks computing(trace, 0);
  std::map<std::int32_t, double> times;
  for_each_leaf(trace.threads.front(), [&](const Leaf& leaf) {
    for (const PathDeltas& path : leaf.compute)
      for (const DeltaClass& delta : path.classes) {
        const auto each = computing.of(leaf, path, delta);
        const auto ranks = delta.ranks.ranks();
        REQUIRE(each.size() == ranks.size());
        for (std::size_t i = 0; i < ranks.size(); ++i) times[ranks[i].value] += each[i];
      }
  });
  return times;
}

}  // namespace

TEST_CASE("computing of ranks: ranks that execute a path unequally often have their own executions",
          "[timing_tree]") {
  const Trace trace = assemble(kUneven, "uneven");
  const auto ours = counted(trace), theirs = walked(trace);
  REQUIRE(ours.size() == 3);
  // 3 ms, 3 first rounds of 1 ms, and 3 or 12 further ones of 60/27 ms a unit.
  CHECK(ours.at(0) == Approx(0.006 + 3 * 0.060 / 27));
  CHECK(ours.at(1) == Approx(0.006 + 24 * 0.060 / 27));
  CHECK(ours.at(2) == Approx(0.003));
  for (const auto& [rank, time] : theirs) CHECK(ours.at(rank) == Approx(time));
}

}  // namespace reprise::trace_io::testing
