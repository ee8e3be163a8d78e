// SPDX-License-Identifier: MIT
// The iteration graph and the value map of a written trace, where every number can be told.
#include "trace-io/iterations/iteration_table.hpp"

#include <catch2/catch.hpp>
#include <cmath>

#include "trace-io/text/text.hpp"

using namespace reprise;
using namespace reprise::trace_io;

namespace {

// Three ranks, four iterations; rank 2 has two. Per iteration of two calls: time, in ns, as the names say.
Trace trace() {
  return assemble(R"(reprise-text 1
ranks 4
procedure 0 "MPI_Barrier"
path 0
site 0 procedure 0 path 0
site 1 procedure 0 path 0
thread 0 {
  ranks 0-2: loop {0-1: 4; 2: 2} {
    iterations rank 0 limit 2 same counts sequence [0*3, 1] clusters [3: @0 3/24/300/30, @1 3/0/600/60; 1: @0 1/8/1000/10, @1 1/0/2000/20]
    iterations rank 1 limit 2 same counts sequence [0*4] clusters [4: @0 4/32/4000/40, @1 4/0/40/4]
    iterations rank 2 limit 2 same counts sequence [0*2] clusters [2: @0 2/0/200/20, @1 2/0/200/20]
    @0 MPI_Barrier
    @1 MPI_Barrier
  }
  rank 3: loop 5 {
    iterations rank 3 limit 2 same counts sequence [0*5] clusters [5: @0 5/0/5/5]
    @0 MPI_Barrier
  }
}
)",
                  "t");
}

}  // namespace

TEST_CASE("iteration_table: graph and map of times, of the loop that takes most", "[trace-io]") {
  const auto table = iteration_table(trace(), {});
  REQUIRE(table);
  CHECK(table->loop == "the loop of MPI_Barrier");
  CHECK(table->ranks == std::vector{Rank{0}, Rank{1}, Rank{2}});
  CHECK(table->others == std::vector{Rank{3}});
  CHECK(table->iterations == 4);
  CHECK(table->clusters == 2);
  REQUIRE(table->columns() == 4);
  CHECK(table->map[0][2] == Approx(330e-9));
  CHECK(table->map[0][3] == Approx(3030e-9));
  CHECK(table->map[1][0] == Approx(1021e-9));
  CHECK(table->map[2][1] == Approx(220e-9));
  CHECK(std::isnan(table->map[2][2]));
  CHECK(table->graph[0].most == Approx(1021e-9));
  CHECK(table->graph[0].median == Approx(330e-9));
  CHECK(table->graph[0].least == Approx(220e-9));
  CHECK(table->graph[3].median == Approx((3030e-9 + 1021e-9) / 2));
  CHECK(table->graph[3].least == Approx(1021e-9));
}

TEST_CASE("iteration_table: metrics, and one call path alone", "[trace-io]") {
  const auto of = [&](IterationMetric metric, std::optional<SiteId> site) {
    return iteration_table(trace(), {.metric = metric, .site = site})->map[0][3];
  };
  CHECK(of(IterationMetric::calls, {}) == 2);
  CHECK(of(IterationMetric::bytes, {}) == 8);
  CHECK(of(IterationMetric::compute, {}) == Approx(3000e-9));
  CHECK(of(IterationMetric::communicate, SiteId{1}) == Approx(20e-9));
  CHECK(of(IterationMetric::bytes, SiteId{1}) == 0);
}

TEST_CASE("iteration_table: long runs share columns", "[trace-io]") {
  const auto table = iteration_table(trace(), {.most_columns = 3});
  REQUIRE(table->iterations_per_column == 2);
  REQUIRE(table->columns() == 2);
  CHECK(table->map[0][1] == Approx((330e-9 + 3030e-9) / 2));
  CHECK(table->graph[1].most == Approx(3030e-9));
  CHECK(table->graph[1].least == Approx(330e-9));
  CHECK(table->graph[1].median == Approx(((330e-9 + 1021e-9) / 2 + (3030e-9 + 1021e-9) / 2) / 2));
}

TEST_CASE("iteration_table: call paths by their share", "[trace-io]") {
  const auto shares = site_shares(trace(), {.metric = IterationMetric::compute});
  REQUIRE(shares.size() == 2);
  CHECK(shares[0].site == 0);
  CHECK(shares[0].value == Approx(5500e-9));
  CHECK(shares[1].value == Approx(2840e-9 + 0));
}
