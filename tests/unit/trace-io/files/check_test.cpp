// SPDX-License-Identifier: MIT
#include "trace-io/check/check.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/trace-io/files/random_trace.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise;
using namespace reprise::trace_io;

namespace {

std::vector<std::string> findings(const std::string& program, const std::string& tables = "",
                                  std::uint64_t limit = 1'000'000) {
  const Trace trace =
      assemble("reprise-text 1\nranks 4\n" + tables + "thread 0 {\n" + program + "\n}\n", "t");
  std::vector<std::string> texts;
  for (const auto& finding : check(trace, limit)) {
    const char* severity = finding.severity == Severity::notice    ? "notice: "
                           : finding.severity == Severity::partial ? "partial: "
                                                                   : "error: ";
    texts.push_back(severity + finding.where + ": " + finding.problem);
  }
  return texts;
}

using Texts = std::vector<std::string>;
// The first line of a program behind the tables, when there are none: line 4.

}  // namespace

TEST_CASE("check: a ring, a halo with wildcards and persistent requests are clean", "[trace-io]") {
  REQUIRE(findings("loop 10 {\nMPI_Isend peer=+1 bytes=8 request=0\nMPI_Recv peer=any bytes=8 "
                   "matched_peer=-1\n"
                   "MPI_Wait request=0\nMPI_Allreduce send_bytes=8\n}") == Texts{});
  REQUIRE(findings("MPI_Send_init peer=+1 bytes=8 request=0\nMPI_Recv_init peer=any bytes=8 "
                   "request=1\nloop 3 {\n"
                   "MPI_Startall requests=[0, 1]\nMPI_Waitall requests=[0, 1] matched_peers=[none, "
                   "none]\n}\n"
                   "MPI_Request_free request=0\nMPI_Request_free request=1") == Texts{});
  REQUIRE(findings("MPI_Irecv peer=any bytes=8 request=0\nMPI_Send peer=+1 bytes=8\nMPI_Wait "
                   "request=0 matched_peer=-1") == Texts{});
}

TEST_CASE("check: windows and files are used between the calls that make and free them",
          "[trace-io]") {
  REQUIRE(findings("MPI_Comm_dup new_comm=2\nMPI_Win_create comm=2 bytes=8\nMPI_Comm_free "
                   "comm=2\nMPI_Win_fence comm=2\n"
                   "MPI_Put comm=2 peer=+1 bytes=8\nMPI_Win_fence "
                   "comm=2\nMPI_File_open\nMPI_File_iwrite bytes=8 request=0\n"
                   "MPI_Wait request=0\nMPI_File_close\nMPI_Win_free comm=2",
                   "communicator 2 copy 1: 0..3\n") == Texts{});
  REQUIRE(findings("ranks 0: MPI_Put peer=4 bytes=8 window=1") ==
          Texts{"error: rank 0, MPI_Put at t:4: uses window 1, which does not exist",
                "error: rank 0, MPI_Put at t:4: peer 4 is not one of the communicator's 4 ranks"});
  REQUIRE(
      findings(
          "MPI_File_open comm=1\nranks 2: MPI_File_read bytes=1\nranks 2: MPI_File_open comm=1\n"
          "MPI_File_close comm=1\nranks 0: MPI_File_seek comm=1") ==
      Texts{
          "error: rank 0, MPI_File_seek at t:8: uses file 0, which does not exist",
          "error: rank 2, MPI_File_read at t:5: uses file 0 with communicator 0, it was made on 1",
          "error: rank 2, MPI_File_open at t:6: makes file 0, which is in use"});
}

TEST_CASE("check: requests are started before they are completed", "[trace-io]") {
  REQUIRE(findings("rank 0: MPI_Wait request=3") ==
          Texts{"error: rank 0, MPI_Wait at t:4: completes request 3, which is not active"});
  REQUIRE(findings("rank 0: MPI_Start request=0") ==
          Texts{"error: rank 0, MPI_Start at t:4: starts request 0, which does not exist"});
  REQUIRE(findings("rank 0: MPI_Isend peer=null bytes=1 request=0\nrank 0: MPI_Isend peer=null "
                   "bytes=1 request=0\n"
                   "rank 0: MPI_Wait request=0") ==
          Texts{"error: rank 0, MPI_Isend at t:5: starts request 0, which is in use"});
  REQUIRE(findings("rank 0: MPI_Isend peer=null bytes=1 request=0\nrank 0: MPI_Finalize") ==
          Texts{"notice: rank 0, MPI_Isend at t:4: request 0 is never completed"});
  // A rank that does not come to MPI_Finalize was cut off: it may have been completed later.
  REQUIRE(findings("rank 0: MPI_Isend peer=null bytes=1 request=0").empty());
  REQUIRE(findings("rank 0: MPI_Isend peer=null bytes=1 request=0\nrank 0: MPI_Waitany requests=[] "
                   "completed=[0]") ==
          Texts{"error: rank 0, MPI_Waitany at t:5: completes request 0, which was not handed in"});
}

TEST_CASE("check: communicators are described, made before they are used, and not used when freed",
          "[trace-io]") {
  REQUIRE(findings("rank 0: MPI_Barrier comm=2") ==
          Texts{"error: rank 0, MPI_Barrier at t:4: uses communicator 2, which is not described"});
  REQUIRE(
      findings("ranks 0-1: MPI_Barrier comm=2", "communicator 2: 0 1\n") ==
      Texts{"notice: rank 0, MPI_Barrier at t:5: uses communicator 2 before any call makes it",
            "notice: rank 1, MPI_Barrier at t:5: uses communicator 2 before any call makes it"});
  REQUIRE(findings("ranks 0-1: \"MPI_Comm_split (time only)\"\nranks 0-1: MPI_Barrier comm=2",
                   "communicator 2: 0 1\n")
              .empty());  // an imported trace: which call made which communicator is not known
  REQUIRE(findings("ranks 0-1: \"MPI_Comm_free (time only)\"\nranks 0-1: MPI_Barrier comm=2",
                   "communicator 2: 0 1\n")
              .size() == 2);
  REQUIRE(findings("MPI_Comm_dup new_comm=2\nMPI_Comm_free comm=2\nrank 0: MPI_Send comm=2 "
                   "peer=null bytes=1",
                   "communicator 2: 0..3\n") ==
          Texts{"error: rank 0, MPI_Send at t:7: uses communicator 2 after it was freed"});
}

TEST_CASE("check: peers are ranks of their communicator", "[trace-io]") {
  REQUIRE(findings("rank 0: MPI_Send peer=7 bytes=1") ==
          Texts{"error: rank 0, MPI_Send at t:4: peer 7 is not one of the communicator's 4 ranks"});
}

TEST_CASE("check: messages received were sent, and messages sent are received", "[trace-io]") {
  REQUIRE(findings("rank 1: MPI_Recv peer=0 bytes=1") ==
          Texts{"error: MPI_COMM_WORLD: rank 1 received 1 messages from rank 0, which sent 0"});
  REQUIRE(
      findings("rank 0: loop 3 {\nMPI_Send peer=1 bytes=1\n}\nrank 1: MPI_Recv peer=0 bytes=1") ==
      Texts{"partial: MPI_COMM_WORLD: rank 0 sent 3 messages to rank 1, which received 1"});
  REQUIRE(
      findings("rank 0: MPI_Recv peer=any bytes=1") ==
      Texts{"error: MPI_COMM_WORLD: rank 0 received 1 messages from any source that nobody sent"});
  REQUIRE(findings("rank 1: MPI_Send peer=0 bytes=1\nrank 0: MPI_Recv peer=any bytes=1") ==
          Texts{});
}

TEST_CASE("check: collectives are entered alike by all members", "[trace-io]") {
  REQUIRE(findings("MPI_Barrier\nranks 0-2: MPI_Barrier") ==
          Texts{"error: MPI_COMM_WORLD: rank 0 enters MPI_Barrier as number 2, rank 3 no more "
                "collectives"});
  REQUIRE(findings("MPI_Bcast peer={0-2: 0; 3: 1} send_bytes=8") ==
          Texts{"error: MPI_COMM_WORLD: rank 0 enters MPI_Bcast with root 0 as number 1, rank 3 "
                "MPI_Bcast with root 1"});
}

TEST_CASE("check: beyond the event limit numbers alone are compared", "[trace-io]") {
  REQUIRE(findings("loop 100 {\nMPI_Barrier\nrank 0: MPI_Barrier\n}", "", 99) ==
          Texts{"notice: trace: 500 events are more than the limit of 99: requests were not "
                "checked, messages and collectives only by their numbers",
                "partial: MPI_COMM_WORLD: rank 0 enters MPI_Barrier 200 times, rank 1 100 times"});
}

TEST_CASE("check: what was lost and what is missing is reported", "[trace-io]") {
  REQUIRE(findings("ranks 0-2: MPI_Barrier",
                   "recorded 0-2\nincomplete\nloss \"unmodelled MPI_Comm_spawn\" partial count 3 "
                   "time 12us\n") ==
          Texts{"partial: trace: nothing was recorded for ranks 3",
                "notice: recorder: where ranks 0-2 were at the end is not known: nothing was saved "
                "after the last snapshot (ended by SIGKILL, or while saving)",
                "partial: recorder: unmodelled MPI_Comm_spawn: 3 times, 12us in all"});
}

TEST_CASE("check: a program of several threads is not blamed for their order", "[trace-io]") {
  const Trace trace = assemble(
      "reprise-text 1\nranks 1\nthread 0 {\nMPI_Irecv peer=null bytes=1 request=0\n}\nthread 1 "
      "{\nMPI_Wait request=0\n}\n",
      "t");
  const auto found = check(trace);
  REQUIRE(found.size() == 1);
  REQUIRE(found[0].severity == Severity::notice);
}

TEST_CASE("check: random traces are walked to their ends", "[trace-io]") {
  for (std::uint32_t seed = 0; seed < 100; ++seed)
    for (const auto& finding : check(random_trace(seed), 100'000)) REQUIRE(!finding.where.empty());
}
