// SPDX-License-Identifier: MIT
// Compute times less the recorder's own part, by curves that the tests make up.
#include "recorder/capture/overhead_table.hpp"

#include <catch2/catch.hpp>

using namespace reprise;
using namespace reprise::recorder;
using trace_io::OverheadKind;

namespace {

// Before a call 10 ns every 100 ns and 30 ns every 10 us, before a completion always 50 ns.
trace_io::Compensation curves() {
  trace_io::Compensation compensation;
  compensation.curves[0] = {{Nanoseconds{100}, Nanoseconds{10}, Nanoseconds{1}},
                            {Nanoseconds{10'000}, Nanoseconds{30}, Nanoseconds{1}}};
  compensation.curves[1] = {{Nanoseconds{100}, Nanoseconds{50}, Nanoseconds{1}}};
  return compensation;
}

}  // namespace

TEST_CASE("an overhead curve is linear in the logarithm of the period, and level beyond its ends") {
  const trace_io::OverheadCurve curve = curves().curves[0];
  CHECK(overhead_at(curve, Nanoseconds{0}) == Nanoseconds{10});
  CHECK(overhead_at(curve, Nanoseconds{100}) == Nanoseconds{10});
  CHECK(overhead_at(curve, Nanoseconds{1000}) == Nanoseconds{20});
  CHECK(overhead_at(curve, Nanoseconds{10'000}) == Nanoseconds{30});
  CHECK(overhead_at(curve, Nanoseconds{1'000'000'000}) == Nanoseconds{30});
}

// 1024 to 2047 ns are one octave with the geometric mean 2^10.5: 10 + 20 (10.5 − log2 100) / log2 100 = 21.6.
TEST_CASE("the recorder's part is taken off by the period of the event, and added up") {
  const OverheadTable table(curves());
  TakenOff taken;
  CHECK(table.take_off(Nanoseconds{1000}, Nanoseconds{24}, OverheadKind::call, taken) ==
        Nanoseconds{978});
  CHECK(table.take_off(Nanoseconds{40}, Nanoseconds{2007}, OverheadKind::call, taken) ==
        Nanoseconds{18});
  CHECK(table.take_off(Nanoseconds{1000}, Nanoseconds{24}, OverheadKind::completion, taken) ==
        Nanoseconds{950});
  CHECK(taken.count == 3);
  CHECK(taken.time == Nanoseconds{94});
  CHECK(taken.clamped_count == 0);
}

TEST_CASE(
    "a compute time shorter than the recorder's part is 0, and what was too much is counted") {
  const OverheadTable table(curves());
  TakenOff taken;
  CHECK(table.take_off(Nanoseconds{42}, Nanoseconds{0}, OverheadKind::completion, taken) ==
        Nanoseconds{0});
  CHECK(table.take_off(Nanoseconds{0}, Nanoseconds{0}, OverheadKind::call, taken) ==
        Nanoseconds{0});
  CHECK(taken.time == Nanoseconds{42});
  CHECK(taken.clamped_count == 2);
  CHECK(taken.clamped_time == Nanoseconds{18});
}

// 50 ns of the recorder's in each: what the first is too short for is taken off the second.
TEST_CASE(
    "what a compute time is too short for is taken off the next ones, and their sum is right") {
  const OverheadTable table(curves());
  TakenOff taken;
  const auto off = [&](std::int64_t compute) {
    return table.take_off(Nanoseconds{compute}, Nanoseconds{0}, OverheadKind::completion, taken);
  };
  CHECK(off(20) == Nanoseconds{0});
  CHECK(taken.clamped_time == Nanoseconds{30});
  CHECK(off(95) == Nanoseconds{15});
  CHECK(taken.clamped_time == Nanoseconds{0});
  CHECK(taken.time == Nanoseconds{100});
  CHECK(taken.clamped_count == 1);
}

TEST_CASE("at most sixteen overheads are owed, however many times were too short") {
  const OverheadTable table(curves());
  TakenOff taken;
  for (int i = 0; i < 1000; ++i)
    table.take_off(Nanoseconds{0}, Nanoseconds{0}, OverheadKind::call, taken);
  CHECK(taken.clamped_count == 1000);
  CHECK(taken.clamped_time == Nanoseconds{160});
  CHECK(table.take_off(Nanoseconds{100'000}, Nanoseconds{0}, OverheadKind::call, taken) ==
        Nanoseconds{100'000 - 160 - 30});
}

namespace {

// Of the 10 or 30 ns before a call samples find half, of the 50 ns before a completion 40.
OverheadParts parts() {
  OverheadParts parts;
  parts.wrappers[0] = {{Nanoseconds{100}, Nanoseconds{5}, {}},
                       {Nanoseconds{10'000}, Nanoseconds{15}, {}}};
  parts.rest[0] = parts.wrappers[0];
  parts.wrappers[1] = {{Nanoseconds{100}, Nanoseconds{40}, {}}};
  parts.rest[1] = {{Nanoseconds{100}, Nanoseconds{10}, {}}};
  return parts;
}

}  // namespace

TEST_CASE(
    "of a sampled time is taken off what its own wrappers took, and what samples do not find") {
  CHECK_FALSE(OverheadTable(curves()).has_parts());
  const OverheadTable table(curves(), parts());
  REQUIRE(table.has_parts());
  TakenOff taken;
  OverheadCorrection correction;
  CHECK(table.take_off_sampled(Nanoseconds{900}, Nanoseconds{100}, Nanoseconds{300},
                               OverheadKind::completion, taken, correction) == Nanoseconds{590});
  CHECK(taken.count == 1);
  CHECK(taken.time == Nanoseconds{310});
  CHECK(correction.of(OverheadKind::completion) == Nanoseconds{0});  // one sample is not enough
}

TEST_CASE("samples correct the curve of their kind, by the mean of their difference from it") {
  const OverheadTable table(curves(), parts());
  TakenOff taken;
  OverheadCorrection correction;
  for (int i = 0; i < 16; ++i)
    table.take_off_sampled(Nanoseconds{1000}, Nanoseconds{0}, Nanoseconds{i % 2 == 0 ? 60 : 100},
                           OverheadKind::completion, taken, correction);
  CHECK(correction.of(OverheadKind::completion) == Nanoseconds{40});
  CHECK(correction.largest(OverheadKind::completion) == Nanoseconds{40});
  CHECK(correction.of(OverheadKind::call) == Nanoseconds{0});
  CHECK(table.take_off(Nanoseconds{1000}, Nanoseconds{0}, OverheadKind::completion, taken,
                       correction.of(OverheadKind::completion)) == Nanoseconds{1000 - 50 - 40});
}

TEST_CASE("wrappers that are faster than the calibration's lower the curve, not below 0") {
  const OverheadTable table(curves(), parts());
  TakenOff taken;
  OverheadCorrection correction;
  for (int i = 0; i < 16; ++i)
    table.take_off_sampled(Nanoseconds{1000}, Nanoseconds{0}, Nanoseconds{20},
                           OverheadKind::completion, taken, correction);
  CHECK(correction.of(OverheadKind::completion) == Nanoseconds{-20});
  CHECK(correction.largest(OverheadKind::completion) == Nanoseconds{0});
  CHECK(table.take_off(Nanoseconds{1000}, Nanoseconds{0}, OverheadKind::completion, taken,
                       correction.of(OverheadKind::completion)) == Nanoseconds{970});
  CHECK(table.take_off(Nanoseconds{1000}, Nanoseconds{0}, OverheadKind::completion, taken,
                       Nanoseconds{-60}) == Nanoseconds{1000});
}

// 4 · 40 + 1000 ns is the most that a sample counts for.
TEST_CASE("a sample that was interrupted hardly moves the correction") {
  const OverheadTable table(curves(), parts());
  TakenOff taken;
  OverheadCorrection correction;
  for (int i = 0; i < 16; ++i)
    table.take_off_sampled(Nanoseconds{1'000'000}, Nanoseconds{0},
                           Nanoseconds{i == 7 ? 900'000 : 40}, OverheadKind::completion, taken,
                           correction);
  CHECK(correction.of(OverheadKind::completion) == Nanoseconds{(1160 - 40) / 16});
}
