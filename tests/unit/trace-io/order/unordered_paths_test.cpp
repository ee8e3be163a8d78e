// SPDX-License-Identifier: MIT
// Why paths have no order, counted in traces of known compute times.
#include "trace-io/order/unordered_paths.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/trace-io/order/ordered_job.hpp"
#include "trace-io/order/order_code.hpp"

using namespace reprise;
using namespace reprise::trace_io;
using namespace reprise::trace_io::testing;

namespace {

// In turn long and short, so that in every step one half of the ranks waits for the other.
std::int64_t alternating(int rank, int step) { return (rank + step) % 2 ? 90'000 : 10'000; }

}  // namespace

// System: the loop's call has a path from before the loop, and one from the step before.
TEST_CASE("unordered paths: executed once, always the same time, and those left over",
          "[trace-io]") {
  const Trace constant = merged({.duration = [](int, int) { return std::int64_t{10'000}; }});
  const std::uint64_t paths = order_size(constant).paths;
  const UnorderedPaths alike = unordered_paths(constant);
  CHECK(alike.constant == 1);
  CHECK(alike.once == paths - 1);
  CHECK(alike.brief + alike.others == 0);

  const Trace ordered = merged({.duration = alternating});
  CHECK(order_size(ordered).ordered == 1);
  const UnorderedPaths none = unordered_paths(ordered);
  CHECK(none.once == paths - 1);
  CHECK(none.constant + none.brief + none.others == 0);

  const Trace too_little = merged({.budget = 1, .duration = alternating});
  CHECK(order_size(too_little).ordered == 0);
  CHECK(unordered_paths(too_little).others == 1);
}

TEST_CASE("unordered paths: those of a thousandth of the computing are brief", "[trace-io]") {
  for (const std::int64_t unit : {5, 50}) {  // ns, of 50 000 in the mean
    const Trace trace = merged({.budget = 1, .duration = alternating, .second = [=](int, int step) {
                                  return step % 2 ? unit : 2 * unit;
                                }});
    INFO(unit);
    CHECK(unordered_paths(trace).brief == (unit == 5 ? 1 : 0));
    CHECK(unordered_paths(trace).others == (unit == 5 ? 1 : 2));
  }
}
