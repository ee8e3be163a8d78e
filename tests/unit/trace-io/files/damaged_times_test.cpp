// SPDX-License-Identifier: MIT
// Damaged scale factors, totals of ranks, rounded bins and tables of rows: refused with their place, by the reader of files.
#include <catch2/catch.hpp>

#include "tests/unit/trace-io/files/payload_columns.hpp"

using namespace reprise;
using namespace reprise::trace_io;
using reprise::trace_io::testing::Payload;
using reprise::trace_io::testing::refusal;

namespace {

std::string barrier_with(const std::string& compute) {
  return "reprise-text 1\nranks 4\ntiming histogram\nbins 3\nthread 0 {\n  MPI_Barrier | compute " +
         compute + "\n}\n";
}

const std::string kScaled = barrier_with(
    "(limit=3 count=4 sum=100 squares=0:3000 min=10@0 max=40@3 bins=[2/30, 2/70] "
    "scale=0-3: (100, 130, 95, 120) scaled=445)");
const std::string kTotals = barrier_with(
    "(limit=3 count=4 sum=100 squares=0:3000 min=10@0 max=40@3 bins=[2/30, 2/70] "
    "totals=[1/10, 1/20, 1/30, 1/40])");
// Gaps of 102400 = 800 · 2⁷ above the minimum and 0 below the maximum; the sum of squares exceeds the least by 8 · 2³⁰.
const std::string kRounded = barrier_with(
    "(limit=3 count=7 sum=7404800 squares=0:9144361454592 min=500000@0 max=2000000@3 "
    "bins=[2/1204800, 4/4200000, 1/2000000])");
constexpr const char* kTables = R"(reprise-text 1
ranks 4
thread 0 {
  loop 4 {
    MPI_Allreduce send_bytes={0: 5; 1: 9; 2: 4; 3: 6}
    MPI_Allreduce send_bytes={0: 0..3; 1: 10..13; 2: 20..23; 3: 30..33}
    MPI_Allreduce send_bytes={0: 5; 1,3: 6; 2: 7}
    MPI_Allreduce send_bytes={0: 15; 1,3: 17; 2: 18}
  }
}
)";

}  // namespace

TEST_CASE("decode: damaged scale factors are refused at their byte", "[trace-io]") {
  Payload payload(kScaled);
  REQUIRE(refusal(payload.bytes()) == "accepted");
  SECTION("a set of scale factors that is not there") {
    CHECK(payload.change(Column::deltas, 6, 9) ==
          "set of scale factors reference 9 is beyond 2, the last so far");
  }
  SECTION("a form of scale factors that does not exist") {
    CHECK(payload.change(Column::deltas, 8, 2) == "form of scale factors 2 does not exist");
  }
  SECTION("their ranks") {
    CHECK(payload.change(Column::deltas, 7, 9) ==
          "rank list reference 9 is beyond 1, the last so far");
  }
  SECTION("a lowest scale factor beyond the largest") {
    const auto at =
        payload.start(Column::deltas) + 9 + 5;  // noticed with the scale factor that follows it
    CHECK(payload.replace(Column::deltas, 9, 1, {0xff, 0xff, 0xff, 0xff, 0x07}) ==
          "f at payload byte " + std::to_string(at) + ": a scale factor above 2147483647");
  }
  SECTION("fewer scale factors than ranks") {  // the scaled count is taken for the last one
    const std::string error = payload.replace(Column::deltas, 13, 1, {});
    CHECK(error == "f at payload byte " + std::to_string(payload.start(Column::deltas) + 15) +
                       ": column \"deltas\" ends within a number");
  }
  SECTION("a scaled count of nothing") {  // −445 beside the usual one
    CHECK(payload.replace(Column::deltas, 14, 1, {0xf9, 0x06}) ==
          "f: ranks 0-3, MPI_Barrier at t:6: a scaled count of 0, or above 62 bits");
  }
}

TEST_CASE("decode: damaged totals of ranks are refused", "[trace-io]") {
  Payload payload(kTotals);
  REQUIRE(refusal(payload.bytes()) == "accepted");
  SECTION("more executions than there are") {
    CHECK(payload.change(Column::bin_counts, 3, 9) ==
          "f at payload byte " + std::to_string(payload.start(Column::bin_times) + 4) +
              ": totals of ranks that exceed those of all ranks");
  }
  SECTION("more time than there is") {
    CHECK(payload.change(Column::bin_times, 4, 101) ==
          "totals of ranks that exceed those of all ranks");
  }
  SECTION("less time than there is") {
    CHECK(payload.change(Column::bin_times, 7, 39) ==
          "totals of ranks that do not add up to those of all ranks");
  }
  SECTION("fewer executions than there are") {
    payload[Column::bin_counts][6] = std::byte{0};
    CHECK(refusal(payload.bytes())
              .ends_with(": totals of ranks that do not add up to those of all ranks"));
  }
}

TEST_CASE("decode: damaged rounded distributions are refused at their byte", "[trace-io]") {
  Payload payload(kRounded);
  REQUIRE(refusal(payload.bytes()) == "accepted");
  const auto refused = [&](Column column, std::size_t offset, const std::string& problem) {
    return "f at payload byte " + std::to_string(payload.start(column) + offset) + ": " + problem;
  };
  SECTION("a fullest bin that is not there") {
    CHECK(payload.change(Column::bin_counts, 0, 1 + 2 * (3 + 4 * (3 + 3))) ==
          "the fullest bin is none of 3");
  }
  SECTION("an empty bin") {
    CHECK(payload.change(Column::bin_counts, 2, 0) ==
          "a bin's count is 0 or leaves nothing for the fullest bin");
  }
  SECTION("a bin that leaves nothing for the fullest") {
    CHECK(payload.change(Column::bin_counts, 2, 7) ==
          "a bin's count is 0 or leaves nothing for the fullest bin");
  }
  SECTION("one bin of nothing") {
    payload[Column::bin_counts][0] = std::byte{1 + 2 * (1 + 4 * 3)};
    CHECK(payload.change(Column::bin_counts, 1, 0) == "a rounded distribution counts nothing");
  }
  SECTION("a sum beyond 63 bits") {
    CHECK(payload.replace(Column::bin_times, 3, 4,
                          {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}) ==
          refused(Column::bin_times, 3, "a bin's times do not add up"));
  }
  SECTION("a code of a gap that does not exist") {
    CHECK(payload.replace(Column::bin_times, 7, 2,
                          {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}) ==
          refused(Column::bin_times, 7,
                  "code 9223372036854775807 of a rounded number does not exist"));
  }
  SECTION("a bin of more time than all have") {  // 3907 · 2¹⁰ above the minimum
    CHECK(payload.replace(Column::bin_times, 7, 2, {0x83, 0x21}) ==
          refused(Column::bin_times, 7, "a bin's times do not add up"));
  }
  SECTION("a sum that leaves the fullest bin below the minimum") {
    CHECK(payload.replace(Column::bin_times, 3, 4, {0})
              .ends_with(": a distribution's counts, sums and extremes contradict each other"));
  }
  SECTION("a code of the squares that does not exist") {
    CHECK(payload.replace(Column::squares, 0, 1, {0xff, 0xff, 0x01})
              .ends_with(" of a rounded number does not exist"));
  }
  SECTION("a rank of an extreme") {
    CHECK(payload.change(Column::extreme_ranks, 1, 4) ==
          "rank 4 does not exist, there are 4 ranks");
  }
}

TEST_CASE("decode: rounded distributions in the earlier form are read, damaged ones refused",
          "[trace-io]") {
  Payload payload(kRounded);
  payload[Column::bin_counts][0] = std::byte{1 + 2 * (3 + 4 * 1)};
  payload.replace(Column::squares, 0, payload[Column::squares].size(), {248, 1});
  REQUIRE(payload.replace(Column::bin_times, 0, payload[Column::bin_times].size(),
                          {160, 194, 30, 160, 34, 0, 240, 168, 27, 0}) == "accepted");
  const auto refused = [&](Column column, std::size_t offset, const std::string& problem) {
    return "f at payload byte " + std::to_string(payload.start(column) + offset) + ": " + problem;
  };
  SECTION("it says the same") {
    const Trace earlier = deserialise(wrap(payload.bytes()), "f");
    CHECK(encode_payload(earlier) == encode_payload(assemble(kRounded, "t")));
  }
  SECTION("a fullest bin that is not there") {
    CHECK(payload.change(Column::bin_counts, 0, 1 + 2 * (2 + 4 * 2)) ==
          "the fullest bin is none of 2");
  }
  SECTION("a code of a gap that does not exist") {
    CHECK(payload.replace(Column::bin_times, 3, 2, {0xff, 0xff, 0x07}) ==
          refused(Column::bin_times, 3, "code 131071 of a rounded number does not exist"));
  }
  SECTION("a code of the squares that does not exist") {
    CHECK(payload.replace(Column::squares, 0, 2, {0xff, 0xff, 0x01}) ==
          refused(Column::squares, 0, "code 32767 of a rounded number does not exist"));
  }
  SECTION("a remainder as large as the count") {
    CHECK(payload.change(Column::bin_times, 9, 4) == "a bin's times do not add up");
  }
  SECTION("a minimum beyond 63 bits") {
    CHECK(payload
              .replace(Column::bin_times, 0, 3,
                       {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01})
              .ends_with(": a distribution's counts, sums and extremes contradict each other"));
  }
  SECTION("a highest bin below the minimum") {  // 928 · 2¹¹ below the maximum
    CHECK(payload.replace(Column::bin_times, 5, 1, {0xa0, 0x33})
              .ends_with(": a distribution's counts, sums and extremes contradict each other"));
  }
}

TEST_CASE("decode: damaged tables of rows and partitions are refused at their byte", "[trace-io]") {
  Payload payload(kTables);
  REQUIRE(refusal(payload.bytes()) == "accepted");
  SECTION("one entry a rank, but more of them") {
    CHECK(payload.change(Column::fields, 13, 3 * 5 + 1) ==
          "f at payload byte " + std::to_string(payload.start(Column::fields) + 14) +
              ": 5 entries, one a rank, of 4 ranks");
  }
  SECTION("a partition of other parts") {
    CHECK(payload.change(Column::fields, 47, 3 * 2 + 1) ==
          "f at payload byte " + std::to_string(payload.start(Column::fields) + 48) +
              ": a partition of 3 parts for 2 entries");
  }
  SECTION("a partition that is not there") {
    CHECK(payload.change(Column::fields, 48, 9) ==
          "partition of ranks reference 9 is beyond 2, the last so far");
  }
  SECTION("parts that leave nobody for the last") {
    CHECK(payload.change(Column::fields, 38, 0) ==
          "field entries leave no rank for the last of them");
  }
  SECTION("more rows than bytes") {
    payload[Column::fields][13] = std::byte{3 * 40 + 1};
    CHECK(refusal(payload.bytes()) ==
          "f at payload byte " + std::to_string(payload.start(Column::fields) + 13) +
              ": 40 field entries claimed, but column \"sequences\" has 35 bytes left");
  }
  SECTION("lists of the other side, which a table of no rows once was") {
    CHECK(payload.change(Column::fields, 27, 2) ==
          "lists of the other side, a number per call is needed");
  }
  SECTION("no pass over the rows") {
    const auto at = payload.start(Column::sequences) + 13;
    CHECK(payload.change(Column::sequences, 12, 0) ==
          "f at payload byte " + std::to_string(at) +
              ": a table of values counts more than 63 bits hold");
  }
  SECTION("rows of nothing") {
    CHECK(payload.change(Column::sequences, 13, 0) ==
          "a table of values counts more than 63 bits hold");
  }
  SECTION("more passes than 62 bits count") {
    const std::string error = payload.replace(
        Column::sequences, 12, 1, {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f});
    CHECK(error.ends_with(": a table of values counts more than 63 bits hold"));
  }
  SECTION("wider rows than bytes") {
    CHECK(payload.change(Column::sequences, 13, 127) ==
          "127 values of a table's row claimed, but column \"sequences\" has 33 bytes left");
  }
  SECTION("rows shifted from a row of nothing") {
    const std::string error = payload.change(Column::sequences, 27, 0);
    CHECK(error.ends_with(": a table of no values"));
  }
}
