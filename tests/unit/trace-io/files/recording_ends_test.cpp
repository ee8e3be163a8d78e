// SPDX-License-Identifier: MIT
// Where recordings ended: as text, as a file, united by the merge, in words, and refused where it cannot be.
#include <catch2/catch.hpp>

#include "trace-io/base/error.hpp"
#include "trace-io/check/check.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/merge/merge.hpp"
#include "trace-io/model/end_groups.hpp"
#include "trace-io/model/recording_end.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise;
using namespace reprise::trace_io;

namespace {

std::string with(const std::string& statements, const std::string& recorded = "0-3",
                 const std::string& first = "MPI_Barrier", const std::string& second = "MPI_Recv") {
  return "reprise-text 1\nranks 4\nrecorded " + recorded + "\nincomplete\nprocedure 0 \"" + first +
         "\"\nprocedure 1 \"" + second +
         "\"\npath 0\nsite 0 procedure 0 path 0\nsite 1 procedure 1 path 0\n" + statements +
         "thread 0 {\n  loop 5 {\n    @" + (first == "MPI_Barrier" ? "0" : "1") +
         " MPI_Barrier\n  }\n}\n";
}

std::string refused(const std::string& statements) {
  try {
    assemble(with(statements), "t.txt");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("recording ends: text and file give them back", "[trace-io]") {
  const std::string ended =
      "ended rank 0 thread 0 inside @1 for 5300000000ns signal 15\n"
      "ended rank 1 thread 0 outside for 0ns signal 0\n"
      "ended rank 3 thread 0 polling @0 for 7ns signal 64\n";
  const Trace trace = assemble(with(ended), "t.txt");
  CHECK(trace.ends == std::vector<RecordingEnd>{
                          {Rank{0}, 0, LastPlace::inside, 1, Nanoseconds{5'300'000'000}, 15},
                          {Rank{1}, 0, LastPlace::outside, kNoSite, {}, 0},
                          {Rank{3}, 0, LastPlace::polling, 0, Nanoseconds{7}, 64}});
  const std::string dumped = dump(trace);
  CHECK(dumped.find(ended) != std::string::npos);
  CHECK(dump(assemble(dumped, "t.txt")) == dumped);
  CHECK(dump(deserialise(serialise(trace), "t.reprise")) == dumped);
  CHECK(longest_hang(trace) == Nanoseconds{5'300'000'000});
}

TEST_CASE("recording ends: a trace without them has no byte for them", "[trace-io]") {
  const Trace without = assemble(with(""), "t.txt");
  CHECK(deserialise(serialise(without), "t.reprise").ends.empty());
  CHECK(serialise(without).size() <
        serialise(assemble(with("ended rank 0 thread 0 inside @1 for 1ns signal 15\n"), "t.txt"))
            .size());
}

TEST_CASE("recording ends: ranks' sites are those of the union", "[merge]") {
  const Trace both = merge(
      assemble(with("ended rank 1 thread 0 inside @1 for 2000000000ns signal 15\n", "1"), "t.txt"),
      assemble(with("ended rank 0 thread 0 inside @0 for 3000000000ns signal 15\n", "0", "MPI_Recv",
                    "MPI_Barrier"),
               "t.txt"));
  REQUIRE(both.ends.size() == 2);
  CHECK(both.ends[0].rank == Rank{0});
  CHECK(both.ends[0].site == both.ends[1].site);
  CHECK(site_text(both, both.ends[0].site) == "MPI_Recv");
}

TEST_CASE("recording ends: in words, ranks at one place together", "[trace-io]") {
  const Trace trace = assemble(with("ended rank 0 thread 0 polling @0 for 1500000000ns signal 11\n"
                                    "ended rank 1 thread 0 inside @1 for 5300000000ns signal 15\n"
                                    "ended rank 2 thread 0 inside @1 for 5400000000ns signal 15\n"),
                               "t.txt");
  CHECK(end_texts(trace) ==
        std::vector<std::string>{
            "ranks 1-2 had been in MPI_Recv for 5.3 s to 5.4 s when SIGTERM ended them",
            "rank 0 had polled by MPI_Barrier for 1.5 s, in vain, when SIGSEGV ended it",
            "where rank 3 was at the end is not known: nothing was saved after the last snapshot "
            "(ended by SIGKILL, or while saving)"});
  const Trace exited = assemble(with("ended rank 0 thread 0 outside @0 for 2000000ns signal 0\n"
                                     "ended rank 1 thread 0 outside for 0ns signal 0\n"
                                     "ended rank 2 thread 0 outside for 0ns signal 0\n"
                                     "ended rank 3 thread 0 inside for 0ns signal 30\n"),
                                "t.txt");
  CHECK(end_texts(exited) ==
        std::vector<std::string>{
            "ranks 1-2 had been outside MPI when the processes ended without MPI_Finalize",
            "rank 0 had been outside MPI for 0.002 s, after MPI_Barrier, when the process ended "
            "without MPI_Finalize",
            "rank 3 had been in an MPI call when signal 30 ended it"});
}

TEST_CASE("recording ends: nothing is said where the run came to its end", "[trace-io]") {
  CHECK(end_texts(assemble(with("", "0-3", "MPI_Barrier", "MPI_Finalize"), "t.txt")).empty());
  CHECK(end_texts(assemble(with(""), "t.txt")).size() == 1);
}

TEST_CASE("recording ends: what cannot be is refused", "[trace-io]") {
  const std::string first = "ended rank 1 thread 0 inside @1 for 1ns signal 15\n";
  CHECK(refused(first + first) == "t.txt: ends of recordings: not ascending by rank and thread");
  CHECK(refused("ended rank 1 thread 1 inside for 1ns signal 15\n") ==
        "t.txt: ends of recordings: of a thread that does not exist");
  CHECK(refused("ended rank 4 thread 0 inside for 1ns signal 15\n").find("there is no rank 4") !=
        std::string::npos);
  CHECK(refused("ended rank 1 thread 0 inside @2 for 1ns signal 15\n").find("there is no site 2") !=
        std::string::npos);
  CHECK(refused("ended rank 1 thread 0 inside @1 for 1ns signal 65\n")
            .find("there is no signal 65") != std::string::npos);
  CHECK(refused("ended rank 1 thread 0 beside @1 for 1ns signal 15\n")
            .find("no place \"beside\"\n  it is inside, polling or outside") != std::string::npos);
}
