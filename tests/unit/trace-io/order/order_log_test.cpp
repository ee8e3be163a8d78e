// SPDX-License-Identifier: MIT
// The log of one rank's durations: which executions it keeps, and that its sums are exact.
#include "trace-io/model/order_log.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <numeric>
#include <vector>

using namespace reprise;
using namespace reprise::trace_io;

namespace {

OrderLog log_of(std::uint64_t count) {  // the k-th takes k ns
  OrderLog log;
  for (std::uint64_t k = 0; k < count; ++k) log.add(Nanoseconds{static_cast<std::int64_t>(k)});
  return log;
}

std::int64_t sum_of(const OrderLog& log) {
  return std::accumulate(log.sums().begin(), log.sums().end(), std::int64_t{0});
}

}  // namespace

TEST_CASE("order_log: up to 2048 executions are kept, each to 1/1024", "[trace-io]") {
  const OrderLog log = log_of(2048);
  CHECK(log.stride() == 0);
  REQUIRE(log.codes().size() == 2048);
  for (std::uint64_t k = 0; k < 2048; ++k) {
    const auto kept = static_cast<double>(OrderLog::kDurations.number(log.codes()[k]));
    CHECK(std::abs(kept - static_cast<double>(k)) <= static_cast<double>(k) / 1024);
  }
  CHECK(sum_of(log) == 2048 * 2047 / 2);
}

TEST_CASE("order_log: codes are those of the short float", "[trace-io]") {
  for (std::uint64_t number = 1; number < (std::uint64_t{1} << 62U); number += number / 7 + 1) {
    OrderLog log;
    log.add(Nanoseconds{static_cast<std::int64_t>(number)});
    CHECK(log.codes()[0] == OrderLog::kDurations.code(OrderLog::kDurations.rounded(number)));
  }
}

// One more than 32 blocks: every second block of 64 goes. 2 049 executions are 16 groups of 128 and one begun.
TEST_CASE("order_log: beyond 32 blocks every second one is kept, and the sums of both",
          "[trace-io]") {
  const OrderLog log = log_of(2049);
  CHECK(log.stride() == 1);
  REQUIRE(log.sums().size() == 17);
  REQUIRE(log.codes().size() == 16 * 64 + 1);
  for (std::uint64_t group = 0; group < 17; ++group)
    CHECK(OrderLog::kDurations.number(log.codes()[group * 64]) ==
          OrderLog::kDurations.rounded(128 * group));
  CHECK(log.sums()[1] == (128 + 255) * 128 / 2);
  CHECK(sum_of(log) == 2049LL * 2048 / 2);
}

TEST_CASE("order_log: memory does not grow with executions, parts are consistent", "[trace-io]") {
  OrderLog log;
  for (std::uint64_t k = 0; k < 300'000; ++k) {
    log.add(Nanoseconds{5});
    if (k % 997 == 0)
      REQUIRE(
          OrderLog::are_parts(log.count(), log.stride(), log.codes().size(), log.sums().size()));
  }
  CHECK(log.heap_bytes() <= 3 * 4096);
  CHECK(sum_of(log) == 1'500'000);
}

// Ranks that execute a path equally often keep the same executions, however their loops were folded.
TEST_CASE("order_log: a log behind another one is as if all had been added to one", "[trace-io]") {
  for (const std::uint64_t first : {1U, 63U, 64U, 700U, 2000U})
    for (const std::uint64_t second : {1U, 65U, 1500U}) {
      OrderLog log = log_of(first), later, all = log_of(first);
      for (std::uint64_t k = 0; k < second; ++k) {
        later.add(Nanoseconds{static_cast<std::int64_t>(k % 900)});
        all.add(Nanoseconds{static_cast<std::int64_t>(k % 900)});
      }
      log.append(later);
      CHECK(log == all);
    }
}

TEST_CASE("order_log: thinning keeps blocks by their number", "[trace-io]") {
  OrderLog thinned = log_of(5000);
  thinned.thin();
  OrderLog longer = log_of(9000);  // has had to thin itself to the same stride
  REQUIRE(longer.stride() == 3);
  REQUIRE(thinned.stride() == 3);
  for (std::size_t i = 0; i < thinned.codes().size(); ++i)
    CHECK(thinned.codes()[i] == longer.codes()[i]);
}
