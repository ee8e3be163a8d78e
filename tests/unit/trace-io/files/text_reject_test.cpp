// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "trace-io/base/error.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise;
using namespace reprise::trace_io;

namespace {

std::string refusal(const std::string& text) {
  try {
    assemble(text, "t");
  } catch (const InputError& error) {
    return error.what();
  }
  return "accepted";
}

// In a program of 4 ranks; the program's first line is line 4.
std::string in_program(const std::string& program) {
  return refusal("reprise-text 1\nranks 4\nthread 0 {\n" + program + "\n}\n");
}

std::string in_tables(const std::string& statement) {
  return refusal("reprise-text 1\nranks 4\n" + statement + "\nthread 0 {\n}\n");
}

}  // namespace

TEST_CASE("text: what is not a text form, or a newer one, is refused", "[trace-io]") {
  REQUIRE(refusal("") == "t:1:1: not a trace in text form\n  it starts with: reprise-text 1");
  REQUIRE(refusal("ranks 4\n") ==
          "t:1:1: not a trace in text form\n  it starts with: reprise-text 1");
  REQUIRE(refusal("reprise-text 2\n") ==
          "t:1:14: version 2 of the text form is not known, this reprise reads version 1");
  REQUIRE(refusal("reprise-text 1\nprogram \"x\"\n") ==
          "t:2:1: expected \"ranks\" in the first statement, found \"program\"");
  REQUIRE(refusal("reprise-text 1\nranks 0\n") == "t:2:7: 0 ranks, 1 to 4194304 can be");
}

TEST_CASE("text: misspelt words are refused with the nearest right one", "[trace-io]") {
  REQUIRE(in_program("MPI_Isned peer=1") ==
          "t:4:1: no procedure \"MPI_Isned\"\n  did you mean \"MPI_Isend\"?");
  REQUIRE(in_program("MPI_Send pear=1") ==
          "t:4:10: MPI_Send has no field \"pear\"\n  did you mean \"peer\"?");
  REQUIRE(in_program("MPI_Wait colour=1") ==
          "t:4:10: MPI_Wait has no field \"colour\"\n  it has request, matched_peer, matched_tag");
  REQUIRE(in_program("Zyzzogeton") ==
          "t:4:1: no procedure \"Zyzzogeton\"\n  a procedure that is only counted and timed must "
          "be in quotes");
  REQUIRE(in_tables("porgram \"x\"") ==
          "t:3:1: no statement \"porgram\"\n  did you mean \"program\"?");
  REQUIRE(in_program("MPI_Barrier | compte 1us") ==
          "t:4:15: expected \"compute\" or \"communicate\" after \"|\"");
}

TEST_CASE("text: steps of tags that cannot be are refused", "[trace-io]") {
  REQUIRE(in_program("MPI_Send peer=1 tag=last bytes=8") ==
          "t:4:26: \"last\" without a step\n  write last+1, last-2, or last+0");
  REQUIRE(in_program("MPI_Send peer=1 tag=last+2147483648 bytes=8") ==
          "t:4:25: a step from the tag before that leads to no tag");
  REQUIRE(in_program("MPI_Probe peer=1 tag=last+1") ==
          "t: ranks 0-3, MPI_Probe at t:4: tag: a value below -1");
}

TEST_CASE("text: missing and doubled fields are refused", "[trace-io]") {
  REQUIRE(in_program("MPI_Isend peer=1 bytes=8") == "t:4:1: MPI_Isend needs \"request\"");
  REQUIRE(in_program("MPI_Waitany requests=[0]") == "t:4:1: MPI_Waitany needs \"completed\"");
  REQUIRE(in_program("MPI_Send peer=1 peer=2 bytes=8") == "t:4:17: field \"peer\" is given twice");
}

TEST_CASE("text: ranks that do not fit are refused", "[trace-io]") {
  REQUIRE(in_program("ranks 0-4: MPI_Barrier") ==
          "t:4:9: there is no rank 4, the ranks are 0 to 3");
  REQUIRE(in_program("ranks 3-1: MPI_Barrier") == "t:4:7: a range of ranks runs upwards");
  REQUIRE(in_program("MPI_Bcast peer=0 send_bytes={0: 1; 1-2: 3}") ==
          "t:4:30: rank 3 executes the call, but has no value");
  REQUIRE(in_program("MPI_Bcast peer=0 send_bytes={0-2: 1; 2-3: 3}") ==
          "t:4:30: rank 2 has two values");
  REQUIRE(in_program("rank 0: MPI_Bcast peer=0 send_bytes={0-2: 1}") ==
          "t:4:38: rank 1 has a value, but does not execute the call");
  REQUIRE(in_program("rank 0: loop 3 {\nrank 1: MPI_Barrier\n}") ==
          "t:5:1: rank 1 executes it, but does not execute what surrounds it");
}

TEST_CASE("text: values that do not fit are refused", "[trace-io]") {
  REQUIRE(in_program("MPI_Send peer=1 bytes=8XB") ==
          "t:4:24: unknown unit \"XB\"\n  units of size are B, kB, MB, GB, KiB, MiB, GiB");
  REQUIRE(in_program("MPI_Send peer=1 bytes=99999999999999999999") ==
          "t:4:23: a value does not fit 64 bits");
  REQUIRE(in_program("MPI_Send peer=1 bytes=0..5/2") ==
          "t:4:26: strides of 2 do not lead from 0 to 5");
  REQUIRE(in_program("MPI_Send peer=1 bytes=(1, 2)*1") ==
          "t:4:30: a list is repeated at least 2 times");
  REQUIRE(in_program("MPI_Send peer=1 bytes=x") == "t:4:23: expected a value, found \"x\"");
  REQUIRE(in_program("MPI_Send peer=* bytes=8") ==
          "t:4:15: expected a peer (3, +1, -1, ^1, any, null, root, none), found \"*\"");
  REQUIRE(
      in_program("MPI_Send peer=0..3 bytes=8") ==
      "t:4:15: a run of peers\n  list the peers, or write their codes: absolute:8..11 for 0 to 3");
  REQUIRE(in_program("loop 2 {\nMPI_Send peer=(1, +1) bytes=8\n}") ==
          "t:5:19: ranks that share a value must see all peers absolute, all relative or all by "
          "exclusive-or\n"
          "  write \"{0-1: …; 2-3: …}\" where they differ");
  REQUIRE(
      in_program("MPI_Send peer=also=8 +1 bytes=8") ==
      "t:4:20: other forms are 1 to 7: 1 absolute, 2 relative, 4 exclusive-or, or a sum of these");
  REQUIRE(in_program("MPI_Send peer=+4 bytes=8") == "t:4:15: no such peer among 4 ranks");
  REQUIRE(in_program("MPI_Send comm=2 peer=+1 bytes=8") ==
          "t:4:22: rank 0 has no such communicator\n  declare it: communicator 2 ranks 0-1: 0 1");
  REQUIRE(in_program("MPI_Barrier | compute 10") ==
          "t:4:23: a duration has no unit\n  units of time are ns, us, ms, s");
  REQUIRE(in_program("MPI_Barrier | compute 0.5ns") ==
          "t:4:23: a duration is not a whole number of nanoseconds");
}

TEST_CASE("text: programs that do not hold together are refused", "[trace-io]") {
  REQUIRE(in_program("loop 3 {\n}") == "t:4:1: the loop's body is empty");
  REQUIRE(in_program("loop 3 {\nMPI_Barrier") ==
          "t:7:1: expected \"}\" before the end of the text");
  REQUIRE(in_program("loop 3 {\nrank 0: MPI_Barrier\n}") ==
          "t:4:1: rank 1 executes nothing in the loop's body");
  REQUIRE(in_program("loop 3 exit 2 {\nMPI_Barrier\n}") ==
          "t:4:1: the loop is left beyond the 1 nodes of its body that rank 0 executes");
  REQUIRE(in_program("loop -1 {\nMPI_Barrier\n}") ==
          "t:4:1: the loop's iterations: a negative number");
  REQUIRE(in_program("loop 3 {\nloop (1, 2) {\nMPI_Barrier\n}\n}") ==
          "t:5:1: the loop's iterations: rank 0 needs 3 values, there are 2");
  REQUIRE(in_program("loop 3 {\nMPI_Bcast peer=0 send_bytes=(1, 2)\n}") ==
          "t: ranks 0-3, MPI_Bcast at t:5: send_bytes: 3 calls, but only 2 values");
  REQUIRE(in_program("loop 3 {\nMPI_Startall requests=<(0, 1) | (1, 1, 1)>\n}") ==
          "t: ranks 0-3, MPI_Startall at t:5: requests: the lengths do not add up to the 2 values");
  REQUIRE(in_program("MPI_Barrier MPI_Barrier") ==
          "t:4:13: MPI_Barrier has no field \"MPI_Barrier\"\n  it has comm");
  REQUIRE(in_program("loop 4611686018427387904 {\nMPI_Barrier\n}") ==
          "t:4:1: a loop of more than 2^62 iterations");
  REQUIRE(in_program("@0 MPI_Barrier") == "t:4:2: there is no site 0, 0 are declared");
}

TEST_CASE("text: tables that do not hold together are refused", "[trace-io]") {
  REQUIRE(in_tables("procedure 1 \"MPI_Send\"") == "t:3:11: procedure 0 is next, found 1");
  REQUIRE(in_tables("procedure 0 \"MPI_Send\"\nprocedure 1 \"MPI_Send\"") ==
          "t: procedures: MPI_Send is listed twice");
  REQUIRE(in_tables("path 0 0+0x1") == "t:3:8: module 0 is not declared, 0 are");
  REQUIRE(in_tables("site 0 procedure 0 path 0") == "t:3:18: procedure 0 is not declared, 0 are");
  REQUIRE(in_tables("communicator 1: 0 1") ==
          "t:3:14: communicator indices are 2 to 100000: 0 is MPI_COMM_WORLD, 1 is MPI_COMM_SELF");
  REQUIRE(in_tables("communicator 2: 0 7") == "t:3:14: there is no rank 7, the ranks are 0 to 3");
  REQUIRE(in_tables("members 0: 0 0") == "t: communicator 0: rank 0 is a member twice");
  REQUIRE(in_tables("communicator 2 ranks 0: 1 2") ==
          "t: communicator index 2: rank 0 is not a member of communicator 0");
  REQUIRE(in_tables("program \"open") == "t:3:9: the program has no closing quote on its line");
  REQUIRE(in_tables("timing often") == "t:3:8: expected \"stat\", \"histogram\" or \"path\"");
  REQUIRE(in_tables("thread 1 {\n}") == "t:3:8: thread 0 is next, found 1");
  REQUIRE(refusal("reprise-text 1\nranks 1\nthread 0 {\n}\nclock cpu\n") ==
          "t:5:1: \"clock\" stands before the first thread");
}
