// SPDX-License-Identifier: MIT
// A rank's own trace is played as it was recorded, one execution after the other.
#include "trace-io/order/exact_orders.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/trace-io/order/ordered_job.hpp"
#include "trace-io/order/played_order.hpp"

using namespace reprise;
using namespace reprise::trace_io;
using trace_io::testing::OrderedJob;

// Of CoMD's kind: two short times and a long one, which comes on all ranks at once; and one that takes ever longer.
TEST_CASE("exact_orders: a rank's own log is what is played of it", "[trace-io]") {
  for (const bool drifts : {false, true}) {
    OrderedJob job;
    job.steps = 90;
    job.duration = [drifts](int rank, int step) -> std::int64_t {
      if (drifts) return 1000 + 500 * step;
      return step % 3 == 2 ? 18'000'000 + 1000 * rank : 66'000 + 100 * step;
    };
    Trace part = trace_io::testing::part_of(job, 1);
    REQUIRE(trace_io::testing::looped(part).logs.size() == 1);
    make_exact_orders(part);
    const DeltaClass& delta = trace_io::testing::looped(part);
    CHECK(delta.logs.empty());
    REQUIRE(delta.order != nullptr);
    const double mean = delta.durations.mean_ns();
    const PlayedOrder order(delta, 1);
    const auto its = order.open(Rank{1}, mean);
    for (int step = 1; step < job.steps; ++step) {
      INFO(step);
      CHECK(mean * order.value(its, static_cast<std::uint64_t>(step - 1)) ==
            Approx(static_cast<double>(job.duration(1, step))).epsilon(2e-3).margin(100));
    }
  }
}

TEST_CASE("exact_orders: times that are all alike need no order", "[trace-io]") {
  OrderedJob job;
  job.duration = [](int, int) -> std::int64_t { return 5000; };
  Trace part = trace_io::testing::part_of(job, 0);
  make_exact_orders(part);
  CHECK(trace_io::testing::looped(part).order == nullptr);
  CHECK(trace_io::testing::looped(part).logs.empty());
}
