// SPDX-License-Identifier: MIT
#include "trace-io/check/summary.hpp"

#include <catch2/catch.hpp>
#include <map>

#include "tests/unit/trace-io/files/random_trace.hpp"
#include "trace-io/text/text.hpp"
#include "trace-io/walk/cursor.hpp"

using namespace reprise;
using namespace reprise::trace_io;

TEST_CASE("summary: counts and bytes are those of the unrolled program", "[trace-io]") {
  // Rank 0 runs 5 + 1 sends of 1 KiB, ranks 1 to 3 run 2 + 1; nobody runs the barrier of the exit.
  const Summary summary = summarise(assemble(R"(reprise-text 1
ranks 4
program "p"
loss "x" notice count 1 time 0ns
thread 0 {
  loop {0: 5; 1-3: 2} exit 1 {
    MPI_Send peer=+1 bytes=1KiB
    MPI_Barrier
  }
  loop 2 {
    loop (1, 3) {
      rank 0: MPI_Alltoallv send_bytes_list=[1, 2, 3] receive_bytes_list=[]
      MPI_Allreduce send_bytes=(1, 2, 3, 4)
    }
  }
})",
                                             "t"));
  REQUIRE(summary.program == "p");
  REQUIRE(summary.ranks == 4);
  REQUIRE(summary.compressed_operations == 4);
  REQUIRE(summary.losses.size() == 1);
  REQUIRE(summary.procedures.size() == 4);
  REQUIRE(summary.procedures[0].name == "MPI_Allreduce");
  REQUIRE(summary.procedures[0].calls == 16);
  REQUIRE(summary.procedures[0].bytes_sent == 40);
  REQUIRE(summary.procedures[1].name == "MPI_Alltoallv");
  REQUIRE(summary.procedures[1].calls == 4);
  REQUIRE(summary.procedures[1].bytes_sent == 24);
  REQUIRE(summary.procedures[2].calls == 11);
  REQUIRE(summary.procedures[2].bytes_sent == 0);
  REQUIRE(summary.procedures[3].name == "MPI_Send");
  REQUIRE(summary.procedures[3].calls == 15);
  REQUIRE(summary.procedures[3].bytes_sent == 15 * 1024);
  REQUIRE(summary.operations == 16 + 4 + 11 + 15);
}

TEST_CASE(
    "summary: one-sided operations and file accesses are told apart by which way their bytes go",
    "[trace-io]") {
  const Summary summary = summarise(assemble(R"(reprise-text 1
ranks 2
thread 0 {
  MPI_Win_create bytes=1MiB
  MPI_Put peer=+1 bytes=100
  MPI_Rget peer=+1 bytes=30 request=0
  MPI_Get_accumulate peer=0 bytes=8 receive_bytes=16
  MPI_File_read_all bytes=7
  MPI_File_iwrite bytes={0: 1; 1: 2} request=1
})",
                                             "t"));
  REQUIRE(summary.procedures.size() == 6);
  REQUIRE(summary.procedures[0].bytes_written == 3);
  REQUIRE(summary.procedures[1].bytes_read == 14);
  REQUIRE(summary.procedures[2].bytes_sent == 16);
  REQUIRE(summary.procedures[3].bytes_sent == 200);
  REQUIRE(summary.procedures[4].bytes_fetched == 60);
  REQUIRE(summary.procedures[5].bytes() == 0);
}

TEST_CASE("summary: counts of random traces agree with walking every event", "[trace-io]") {
  for (std::uint32_t seed = 0; seed < 150; ++seed) {
    INFO("seed " << seed);
    const Trace trace = random_trace(seed);
    const Summary summary = summarise(trace);
    if (summary.operations > 200'000) continue;
    const Programs programs(trace);
    std::map<std::string, std::uint64_t> calls;
    std::uint64_t events = 0;
    for (std::size_t thread = 0; thread < programs.thread_count(); ++thread)
      for (const Rank rank : trace.header.recorded.ranks()) {
        if (!programs.has(rank, thread)) continue;
        for (Cursor cursor(programs, rank, thread); cursor.advance(); ++events)
          ++calls[std::string(cursor.procedure().name)];
      }
    REQUIRE(summary.operations == events);
    REQUIRE(summary.procedures.size() == calls.size());
    for (const auto& procedure : summary.procedures)
      REQUIRE(procedure.calls == calls[procedure.name]);
  }
}

TEST_CASE("summary: a program of a million million events is counted at once", "[trace-io]") {
  const Summary summary = summarise(assemble(
      "reprise-text 1\nranks 1000\nthread 0 {\n loop 1000000 { loop 1000 {\n MPI_Barrier\n} }\n}\n",
      "t"));
  REQUIRE(summary.operations == 1'000'000'000'000);
}
