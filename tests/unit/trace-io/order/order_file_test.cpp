// SPDX-License-Identifier: MIT
// Logs and orders in files and in the text form: they come back, and what cannot be is refused with its place.
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <string>

#include "tests/unit/trace-io/order/ordered_job.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/check/check.hpp"
#include "trace-io/file/payload.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/order/order_code.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise;
using namespace reprise::trace_io;
using namespace reprise::trace_io::testing;

namespace {

OrderedJob job(int steps) {
  return {.ranks = 4, .steps = steps, .duration = [](int r, int s) {
            return 10'000 + 700 * ((r * 3 + s * s) % 11);
          }};
}

}  // namespace

TEST_CASE("order_file: logs of parts and orders of traces come back from files and texts",
          "[trace-io]") {
  for (const int steps : {200, 2500, 9000}) {
    const Trace part = part_of(job(steps), 2), whole = merged(job(steps));
    REQUIRE(looped(part).logs.size() == 1);
    REQUIRE(looped(whole).order != nullptr);
    for (const Trace* trace : {&part, &whole}) {
      const Trace read = deserialise(serialise(*trace), "t");
      CHECK(looped(read).logs == looped(*trace).logs);
      CHECK((looped(read).order == nullptr) == (looped(*trace).order == nullptr));
      if (looped(read).order != nullptr) CHECK(*looped(read).order == *looped(*trace).order);
      CHECK(dump(read) == dump(*trace));
      const Trace assembled = assemble(dump(*trace), "t");
      CHECK(dump(assembled) == dump(*trace));
      CHECK(serialise(assembled) == serialise(*trace));
    }
  }
}

TEST_CASE("order_file: an order that does not suit its class is refused", "[trace-io]") {
  const Trace whole = merged(job(200));
  CHECK(refusal(whole).empty());
  CHECK(refusal(with_order(whole, [](DurationOrder& o) { o.executions.append(5); })) ==
        "5 numbers of executions for 4 ranks");
  CHECK(refusal(with_order(whole, [](DurationOrder& o) { o.step = 0; })) ==
        "a step of durations below 1 or above 48 bits");
  CHECK(refusal(with_order(whole, [](DurationOrder& o) { o.rows.pop_back(); })) ==
        "rows of durations that are not as long as their ranks' executions");
  CHECK(refusal(with_order(whole, [](DurationOrder& o) { o.rows[1].levels.push_back(1); })) ==
        "rows of durations that are not as long as their ranks' executions");
  CHECK(refusal(with_order(whole, [](DurationOrder& o) {
          o.residuals.assign(6, {1, 0});
        })) == "too many bins of residuals");
  CHECK(refusal(with_order(whole, [](DurationOrder& o) {
          o.residuals = {{0, 0}};
        })) == "a bin of residuals that no run can have");
  Trace both = merged(job(200));
  const_cast<DeltaClass&>(looped(both)).logs.resize(4);
  CHECK(refusal(both) == "logs beside an order");
  Trace inside = merged(job(200));
  for_each_leaf(inside.threads.front(),
                [&](Leaf& leaf) { leaf.communicate.front().order = looped(inside).order; });
  CHECK(refusal(inside) == "an order of times inside a call, where only compute times have one");
}

// Whatever a byte of the payload becomes: the same or another trace that passes the checks, or an error.
TEST_CASE("order_file: durations and steps that no log and no order can hold are refused",
          "[trace-io]") {
  const auto refused = [](std::string text, const std::string& part, const std::string& instead) {
    text.replace(text.find(part), part.size(), instead);
    try {
      assemble(text, "t");
    } catch (const InputError& error) {
      return error.problem();
    }
    return std::string("accepted");
  };
  OrderedJob even{.ranks = 2, .steps = 20, .duration = [](int, int) { return 1000; }};
  const std::string logs = dump(part_of(even, 0));
  CHECK(refused(logs, "[1000*19]", "[27647*19]") == "accepted");
  CHECK(refused(logs, "[1000*19]", "[27648*19]") ==
        "a number 27648 that no order of durations has");
  CHECK(refused(logs, "[1000*19]", "[1000*18]") == "the parts of a log contradict each other");
}

TEST_CASE("order_file: damaged orders never crash a reader", "[trace-io]") {
  std::mt19937 random(5);
  for (const Trace& trace : {part_of(job(300), 1), merged(job(300))}) {
    const auto whole = encode_payload(trace);
    int refused = 0;
    for (int round = 0; round < 1500; ++round) {
      auto payload = whole;
      payload[payload.size() - 1 - random() % (payload.size() / 2)] =
          static_cast<std::byte>(random());
      try {
        const Trace read = decode_payload(payload, 3, "t");
        (void)check_structure(read);
      } catch (const InputError&) {
        ++refused;
      }
    }
    CHECK(refused > 0);
  }
}
