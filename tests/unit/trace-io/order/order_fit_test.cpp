// SPDX-License-Identifier: MIT
// Which orders are kept, at what price, and that what is played of them takes as long as what was recorded.
#include "trace-io/order/order_fit.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <memory>
#include <utility>

#include "tests/unit/trace-io/order/ordered_job.hpp"
#include "trace-io/base/integers.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/merge/merge.hpp"
#include "trace-io/model/time_pools.hpp"
#include "trace-io/order/order_code.hpp"

using namespace reprise;
using namespace reprise::trace_io;
using namespace reprise::trace_io::testing;

namespace {

std::uint64_t hash_of(int rank, int step) {
  return mixed_bits(static_cast<std::uint64_t>(rank) * 1'000'003 +
                    static_cast<std::uint64_t>(step) + 7);
}

struct Pattern {
  const char* name;
  Duration duration;
  double within;      // relative, of Σ slowest
  std::size_t bytes;  // of the trace, beyond that of a constant
};

constexpr std::int64_t kShort = 10'000, kLong = 90'000;

const Pattern kPatterns[] = {
    {"short and long on all ranks at once", [](int, int s) { return s % 2 ? kLong : kShort; },
     0.004, 80},
    {"ranks alternate", [](int r, int s) { return (r + s) % 2 ? kLong : kShort; }, 0.004, 80},
    {"every 40th step long", [](int, int s) { return s % 40 ? kShort : 20 * kLong; }, 0.005, 110},
    {"a long step that goes round the ranks",
     [](int r, int s) { return s % 16 == r ? kLong : kShort; }, 0.004, 110},
    {"two phases", [](int, int s) { return s < 100 ? kShort : kLong; }, 0.004, 80},
    {"drift", [](int, int s) { return kShort + 300 * s; }, 0.01, 350},
    {"random, the same on all ranks",
     [](int, int s) { return kShort + static_cast<std::int64_t>(hash_of(0, s) % 80'000); }, 0.01,
     500},
    {"random",
     [](int r, int s) { return kShort + static_cast<std::int64_t>(hash_of(r, s) % 80'000); }, 0.01,
     3700},
    {"a slow first pass", [](int, int s) { return s < 2 ? 50 * kLong : kShort + s % 3; }, 0.005,
     110},
    {"halves of the ranks swap", [](int r, int s) { return (r < 8) == (s < 120) ? kLong : kShort; },
     0.004, 80},
};

}  // namespace

TEST_CASE("order_fit: played in order, every pattern takes as long as recorded", "[trace-io]") {
  OrderedJob constant{.ranks = 16, .duration = [](int, int) { return kShort; }};
  const std::size_t least = serialise(merged(constant)).size();
  for (const Pattern& pattern : kPatterns) {
    OrderedJob job{.ranks = 16, .duration = pattern.duration};
    const Trace trace = merged(job);
    INFO(pattern.name);
    CHECK(slowest_played(job, trace) == Approx(slowest(job)).epsilon(pattern.within));
    CHECK(serialise(trace).size() <= least + pattern.bytes);
  }
}

TEST_CASE("order_fit: what has no order, or none that matters, is kept without", "[trace-io]") {
  OrderedJob constant{.ranks = 4, .duration = [](int, int) { return kShort; }};
  CHECK(looped(merged(constant)).order == nullptr);
  OrderedJob one{.ranks = 1, .duration = [](int, int s) { return s % 2 ? kLong : kShort; }};
  Trace trace = part_of(one, 0);
  fit_orders(trace, static_cast<std::size_t>(trace.header.order_budget.value));
  CHECK(looped(trace).order == nullptr);
  OrderedJob imbalance{.ranks = 4, .duration = [](int r, int) { return kShort * (r + 1); }};
  CHECK(looped(merged(imbalance)).order == nullptr);
}

// Two ranks with programs of their own: at a grid's corner a rank takes a path a little less often; where each tests for messages that came by chance,
// nobody takes the other's path as often, and each is alone on its own.
TEST_CASE("order_fit: a rank whose path is executed less often than the other's has an order, too",
          "[trace-io]") {
  const auto alternate = [](int r, int s) { return (r + s) % 2 ? kLong : kShort; };
  for (const int steps : {232, 120}) {
    OrderedJob often{.ranks = 2, .steps = 240, .duration = alternate};
    OrderedJob seldom{.ranks = 2, .steps = steps, .duration = alternate};
    Trace trace = part_of(often, 0);
    trace.threads.push_back(part_of(seldom, 1).threads.front());
    fit_orders(trace, static_cast<std::size_t>(trace.header.order_budget.value));
    INFO(steps);
    CHECK(looped(trace).order != nullptr);
    Trace last;
    last.threads = {trace.threads.back()};
    CHECK(looped(last).order != nullptr);
  }
}

TEST_CASE("order_fit: a budget is kept, and without one there is no order", "[trace-io]") {
  const auto random = [](int r, int s) {
    return kShort + static_cast<std::int64_t>(hash_of(r, s) % 80'000);
  };
  OrderedJob none{.ranks = 16, .budget = 0, .duration = random};
  const Trace without = merged(none);
  CHECK(looped(without).order == nullptr);
  CHECK(looped(without).logs.empty());
  const std::size_t bytes = serialise(without).size();
  for (const std::uint64_t budget : {100U, 400U, 1000U, 4000U}) {
    OrderedJob job{.ranks = 16, .budget = budget, .duration = random};
    const Trace trace = merged(job);
    CHECK(serialise(trace).size() <= bytes + budget + 24);
    CHECK(order_size(trace).bytes <= budget);
    CHECK(looped(trace).logs.empty());
  }
}

TEST_CASE("order_fit: in a trace that is to be pooled an order pays for the path's own times, too",
          "[trace-io]") {
  // One rank is missing, so that merging does not make the orders yet.
  OrderedJob job{.ranks = 17, .duration = [](int r, int s) {
                   return kShort + static_cast<std::int64_t>(hash_of(r, s) % 80'000);
                 }};
  Trace logged = part_of(job, 0);
  for (int rank = 1; rank + 1 < job.ranks; ++rank)
    logged = merge(std::move(logged), part_of(job, rank));
  bool is_coarser = false;
  for (std::uint64_t budget = 600; budget <= 3000; budget += 16) {
    Trace few = logged;
    Trace many = few;
    Leaf further;
    further.compute.resize(1);
    further.compute.front().classes.resize(1);
    further.compute.front().classes.front().durations.add(Nanoseconds{1}, Rank{0});
    for (std::size_t i = 0; i < kFewestToPool * kTimesKept; ++i)
      many.threads.front().push_back({many.header.recorded, further});
    fit_orders(few, budget);
    fit_orders(many, budget);
    CHECK(order_size(many).bytes + kBytesApart <= budget);
    CHECK(order_size(few).bytes <= budget);
    is_coarser = is_coarser || order_size(many).bytes < order_size(few).bytes;
  }
  CHECK(is_coarser);
}

TEST_CASE("order_fit: levels that were coded on the way are those of the file, while orders stay",
          "[trace-io]") {
  OrderedJob job{.ranks = 16, .duration = [](int r, int s) {
                   return kShort + static_cast<std::int64_t>(hash_of(r, s) % 80'000);
                 }};
  Trace trace = merged(job);
  REQUIRE(trace.coded_levels != nullptr);
  CHECK(trace.coded_levels->orders == orders_of(trace));
  const auto file = serialise(trace);
  const auto known = std::exchange(trace.coded_levels, nullptr);
  CHECK(serialise(trace) == file);
  trace.coded_levels = known;
  auto other = std::make_shared<DurationOrder>(*looped(trace).order);
  other->rows.front().levels.front() += 1;
  for (auto& program : trace.threads)
    for_each_leaf(program, [&](Leaf& leaf) {
      for (PathDeltas& path : leaf.compute)
        for (DeltaClass& delta : path.classes)
          if (delta.order != nullptr) delta.order = other;
    });
  const auto changed = serialise(trace);
  trace.coded_levels = nullptr;
  CHECK(changed == serialise(trace));
  CHECK(changed != file);
}

TEST_CASE("order_fit: long runs take no more bytes than short ones, and their sums stay",
          "[trace-io]") {
  std::size_t bytes = 0;
  for (const int steps : {3000, 12'000, 48'000}) {
    OrderedJob job{
        .ranks = 4, .steps = steps, .duration = [](int, int s) { return s % 2 ? kLong : kShort; }};
    const Trace trace = merged(job);
    CHECK(slowest_played(job, trace) == Approx(slowest(job)).epsilon(0.01));
    if (bytes != 0) CHECK(serialise(trace).size() <= bytes + 40);
    bytes = serialise(trace).size();
  }
  OrderedJob phases{.ranks = 4, .steps = 48'000, .duration = [](int, int s) {
                      return s < 20'000 ? kShort : kLong;
                    }};
  CHECK(slowest_played(phases, merged(phases)) == Approx(slowest(phases)).epsilon(0.01));
}

TEST_CASE("order_fit: logs of many ranks stay within their limit", "[trace-io]") {
  OrderedJob job{.ranks = 300, .steps = 2000, .duration = [](int r, int s) {
                   return (r + s) % 2 ? kLong : kShort;
                 }};
  Trace trace = part_of(job, 0);
  for (int rank = 1; rank < 260; ++rank) {
    Trace other = part_of(job, rank);
    DeltaClass& into = const_cast<DeltaClass&>(looped(trace));
    into.logs.push_back(looped(other).logs.front());
    into.ranks = RankList::all(rank + 1);
  }
  limit_logs(trace);
  std::size_t kept = 0;
  for (const OrderLog& log : looped(trace).logs) kept += log.codes().size();
  CHECK(kept <= kMostKept);
  CHECK(kept > kMostKept / 8);
}
