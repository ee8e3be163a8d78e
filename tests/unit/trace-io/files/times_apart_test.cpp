// SPDX-License-Identifier: MIT
// What was taken off compute times for the recorder's own part, and who was preempted: as text, as a file, merged, and refused where it
// cannot be.
#include <catch2/catch.hpp>

#include "trace-io/base/error.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/merge/merge.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise;
using namespace reprise::trace_io;

namespace {

const std::string kCompensated =
    "apart compensation count 40 time 600ns most 400ns@1\n"
    "compensation clamped 3 time 12ns call [20ns/18ns/1ns, 2000ns/5ns/2ns] completion "
    "[30ns/25ns/3ns]\n";
const std::string kPreempted =
    "preempted ranks [0 2/3500ns/1000000ns, 3 1/7ns/20000ns] octaves [3 1/7ns, 11 2/3500ns]\n";

const std::string kRemedy =
    "\n  the file is damaged or was not written by reprise; record the program again";

Trace assembled(const std::string& lines, const std::string& header = "") {
  return assemble("reprise-text 1\nranks 4\n" + header + lines + "thread 0 {\n  MPI_Barrier\n}\n",
                  "t.txt");
}

std::string refusal(const std::string& lines, const std::string& header = "") {
  try {
    assembled(lines, header);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("times apart: text and file give back what was taken off and who was preempted",
          "[trace-io]") {
  const Trace trace = assembled(kCompensated + kPreempted);
  REQUIRE(trace.compensation);
  CHECK(trace.compensation->clamped_count == 3);
  CHECK(trace.compensation->curves[0] ==
        OverheadCurve{{Nanoseconds{20}, Nanoseconds{18}, Nanoseconds{1}},
                      {Nanoseconds{2000}, Nanoseconds{5}, Nanoseconds{2}}});
  REQUIRE(trace.preemptions);
  CHECK(trace.preemptions->ranks ==
        std::vector<RankPreemptions>{{Rank{0}, 2, Nanoseconds{3500}, Nanoseconds{1'000'000}},
                                     {Rank{3}, 1, Nanoseconds{7}, Nanoseconds{20'000}}});
  const Trace again = deserialise(serialise(trace), "t.reprise");
  CHECK(again.compensation == trace.compensation);
  CHECK(again.preemptions == trace.preemptions);
  CHECK(dump(again) == dump(trace));
  CHECK(dump(again).find(kCompensated + kPreempted) != std::string::npos);
}

TEST_CASE("times apart: never preempted differs from not watched", "[trace-io]") {
  const Trace watched = assembled("preempted ranks [] octaves []\n"), plain = assembled("");
  REQUIRE(deserialise(serialise(watched), "t").preemptions);
  CHECK_FALSE(deserialise(serialise(plain), "t").preemptions);
  CHECK_FALSE(deserialise(serialise(plain), "t").compensation);
}

TEST_CASE("times apart: merged, counts add up and the larger overhead stays", "[trace-io]") {
  const auto of_rank = [](int rank, const std::string& lines) {
    return assembled(lines, "recorded " + std::to_string(rank) + "\n");
  };
  const std::string curves = " call [20ns/18ns/1ns] completion [30ns/25ns/3ns]\n";
  const std::string first =
      "apart compensation count 2 time 30ns most 30ns@0\ncompensation clamped 1 time 4ns" + curves +
      "preempted ranks [0 1/1500ns/9000ns] octaves [11 1/1500ns]\n";
  const std::string second =
      "apart compensation count 3 time 50ns most 50ns@2\ncompensation clamped 2 time 7ns" + curves +
      "preempted ranks [2 2/1508ns/8000ns] octaves [4 1/8ns, 11 1/1500ns]\n";
  const Trace merged = merge(of_rank(2, second), of_rank(0, first));
  CHECK(
      dump(merged).find("apart compensation count 5 time 80ns most 50ns@2\n"
                        "compensation clamped 3 time 11ns" +
                        curves +
                        "preempted ranks [0 1/1500ns/9000ns, 2 2/1508ns/8000ns] octaves [4 1/8ns, "
                        "11 2/3000ns]\n") != std::string::npos);
  std::string other = second;
  other.replace(other.find("18ns"), 4, "19ns");
  CHECK(dump(merge(of_rank(2, other), of_rank(0, first)))
            .find("call [20ns/19ns/1ns] completion [30ns/25ns/3ns]\n") != std::string::npos);
  CHECK(dump(merge(of_rank(2, other), of_rank(0, first))) ==
        dump(merge(of_rank(0, first), of_rank(2, other))));
  other.replace(other.find("20ns"), 4, "21ns");
  CHECK_THROWS_WITH(merge(of_rank(2, other), of_rank(0, first)),
                    "merging rank 2 with rank 0: the overhead curves of the recorder differ\n"
                    "  merge the traces of one run of one job only");
  // Of a rank that did not look nothing is known: so of the whole nothing is.
  CHECK_FALSE(merge(of_rank(0, first), of_rank(1, "")).preemptions);
}

TEST_CASE("times apart: compensation that cannot be is refused", "[trace-io]") {
  const std::string curves = " call [20ns/18ns/1ns] completion [30ns/25ns/3ns]\n";
  CHECK(refusal("apart compensation count 2 time 30ns most 30ns@0\n") ==
        "t.txt: compensation: time was taken off without overhead curves");
  CHECK(refusal("compensation clamped 0 time 0ns" + curves) ==
        "t.txt: compensation: overhead curves without what was taken off");
  CHECK(
      refusal("apart compensation count 2 time 51ns most 51ns@0\ncompensation clamped 0 time 0ns" +
              curves) == "t.txt: compensation: 51 ns taken off 2 times, at most 25 ns each can be");
  CHECK(refusal("apart compensation count 2 time 5ns most 5ns@0\ncompensation clamped 3 time 0ns" +
                curves) ==
        "t.txt: compensation: 0 ns clamped in 3 of 2 times, at most 25 ns each can be");
  CHECK(
      refusal("apart compensation count 9 time 90ns most 80ns@2\ncompensation clamped 0 time 0ns" +
                  curves,
              "elapsed 79ns\n") ==
      "t.txt: compensation: 80 ns taken off on rank 2, more than the 79 ns of the run");
  CHECK(refusal("apart compensation count 9 time 90ns most 80ns@2\n"
                "compensation clamped 0 time 0ns call [] completion [30ns/25ns/3ns]\n") ==
        "t.txt: compensation: the curve of call: 0 points, 1 to 64 can be");
  CHECK(refusal("apart compensation count 9 time 90ns most 80ns@2\ncompensation clamped 0 time 0ns "
                "call [20ns/18ns/1ns] completion [30ns/25ns/3ns, 30ns/2ns/3ns]\n") ==
        "t.txt: compensation: the curve of completion: not in the order of the periods");
}

TEST_CASE("times apart: preemptions that cannot be are refused", "[trace-io]") {
  CHECK(refusal("preempted ranks [4 1/7ns/9ns] octaves [3 1/7ns]\n") ==
        "t.txt: preempted ranks: not ascending, or beyond the job's 4");
  CHECK(refusal("preempted ranks [1 0/7ns/9ns] octaves [3 1/7ns]\n") ==
        "t.txt: preempted ranks: rank 1 without preemptions, or of a time that cannot be");
  CHECK(refusal("preempted ranks [1 1/7ns/9ns] octaves [3 2/14ns]\n") ==
        "t.txt: preempted ranks: durations that do not add up to those of the ranks");
  CHECK(refusal("preempted ranks [1 1/7ns/9ns] octaves [4 1/7ns]\n") ==
        "t.txt: preempted ranks: durations that are not of their octave 4");
  CHECK(refusal("preempted ranks [1 1/7ns/9ns] octaves [48 1/7ns]\n") ==
        "t.txt: preempted ranks: durations not ascending, or beyond the octaves");
}

TEST_CASE("times apart: a damaged file is refused", "[trace-io]") {
  Trace trace = assembled(kCompensated + kPreempted);
  trace.compensation->clamped_count = 41;
  CHECK_THROWS_WITH(
      deserialise(serialise(trace), "f.reprise"),
      "f.reprise: compensation: 12 ns clamped in 41 of 40 times, at most 25 ns each can be" +
          kRemedy);
  trace = assembled(kPreempted);
  trace.preemptions->ranks[0].time = Nanoseconds{-5};
  CHECK_THROWS_WITH(
      deserialise(serialise(trace), "f.reprise"),
      "f.reprise: preempted ranks: rank 0 without preemptions, or of a time that cannot be" +
          kRemedy);
}
