// SPDX-License-Identifier: MIT
#include "sim/engine/rehearsal.hpp"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "trace-io/text/text.hpp"

namespace reprise::test {
namespace {

// Of each rank of a trace with these calls; MPI_Init and MPI_Finalize are not among them.
std::vector<std::uint64_t> carried_out(int ranks, const std::string& calls) {
  const auto trace = trace_io::assemble(
      "reprise-text 1\nranks " + std::to_string(ranks) + "\nthread 0 {\n" + calls + "\n}\n",
      "test");
  std::vector<std::uint64_t> events;
  for (const auto& one : sim::rehearse(trace)) events.push_back(one.events);
  return events;
}
using Events = std::vector<std::uint64_t>;

}  // namespace

TEST_CASE("rehearsal: ranks that fit each other are carried out to their ends", "[physics]") {
  const auto all = sim::rehearse(trace_io::assemble(
      "reprise-text 1\nranks 3\nthread 0 {\nloop 5 {\nMPI_Isend peer=+1 bytes=8 request=0\n"
      "MPI_Recv peer=-1 bytes=8\nMPI_Wait request=0\nMPI_Allreduce send_bytes=8\n}\n}\n",
      "test"));
  REQUIRE(all.size() == 3);
  for (const auto& one : all) {
    CHECK(one.events == 20);
    CHECK(one.is_all);
  }
}

TEST_CASE("rehearsal: nobody goes beyond what the partners did", "[physics]") {
  // a send that nobody receives, however small
  CHECK(carried_out(2, "MPI_Barrier\nrank 0: MPI_Send peer=1 bytes=1\nrank 0: MPI_Barrier") ==
        Events{1, 1});
  // a collective that others never enter, also for the rank that only gives
  CHECK(carried_out(3,
                    "MPI_Barrier\nranks 0-1: MPI_Bcast peer=0 send_bytes=8\nrank 0: MPI_Barrier") ==
        Events{1, 1, 1});
  // a request may stay behind, a wait for it may not
  CHECK(carried_out(2,
                    "MPI_Barrier\nrank 0: MPI_Isend peer=1 bytes=8 request=0\n"
                    "rank 0: MPI_Wait request=0") == Events{2, 1});
}

TEST_CASE("rehearsal: who ran ahead by eager messages is not held back", "[physics]") {
  // both send before they receive; then one is ahead by two messages, of which the other has received one
  CHECK(carried_out(2,
                    "loop 4 {\nMPI_Send peer=+1 bytes=8\nMPI_Recv peer=-1 bytes=8\n}\n"
                    "rank 0: loop 2 {\nrank 0: MPI_Send peer=1 bytes=8\n}\n"
                    "rank 1: MPI_Recv peer=0 bytes=8\n") == Events{9, 9});
  // a master takes two messages of one worker before the first one of another
  CHECK(carried_out(3,
                    "ranks 1-2: MPI_Send peer=0 bytes=8\nrank 1: MPI_Send peer=0 bytes=8\n"
                    "rank 0: MPI_Recv peer=any matched_peer=1 bytes=8\n"
                    "rank 0: MPI_Recv peer=any matched_peer=1 bytes=8\n"
                    "rank 0: MPI_Recv peer=any matched_peer=2 bytes=8") == Events{3, 2, 1});
  // a send that is received while its call still waits for the slowest rank, and others go on
  CHECK(carried_out(4,
                    "loop 20 {\nMPI_Sendrecv peer=+1 receive_peer=-1 bytes=8 receive_bytes=8 | "
                    "compute {0: 1us; 1: 2us; 2: 5us; 3: 1ms}\n}\nMPI_Allreduce send_bytes=8\n") ==
        Events{21, 21, 21, 21});
  // a synchronous send waits
  CHECK(carried_out(2, "MPI_Ssend peer=+1 bytes=8\nMPI_Recv peer=-1 bytes=8") == Events{0, 0});
}

TEST_CASE("rehearsal: a non-blocking collective that others never start is taken back",
          "[physics]") {
  CHECK(carried_out(2,
                    "MPI_Barrier\nrank 0: MPI_Iallreduce send_bytes=8 request=0\n"
                    "rank 0: MPI_Send peer=null bytes=8") == Events{1, 1});
  CHECK(carried_out(2, "MPI_Iallreduce send_bytes=8 request=0\nMPI_Wait request=0") ==
        Events{2, 2});
  // those that were complete long before stay
  CHECK(carried_out(2,
                    "loop 5 {\nMPI_Iallreduce send_bytes=8 request=0\nMPI_Wait request=0\n"
                    "MPI_Allreduce send_bytes=8\n}\nrank 0: MPI_Allreduce send_bytes=8") ==
        Events{15, 15});
}

}  // namespace reprise::test
