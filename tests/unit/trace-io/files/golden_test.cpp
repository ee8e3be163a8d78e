// SPDX-License-Identifier: MIT
// Files of every format version stay readable for ever. tests/golden/v<N>/sample.reprise was written when version N was the newest;
// sample.txt is its dump; likewise again. Set REPRISE_UPDATE_GOLDEN=1 to write those of the current version anew: only before a release of it.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>

#include "tests/unit/trace-io/files/golden_files.hpp"
#include "trace-io/check/check.hpp"
#include "trace-io/file/trace_file.hpp"
#include "trace-io/text/text.hpp"

using namespace reprise;
using namespace reprise::trace_io;
using namespace reprise::trace_io::testing;

namespace {

// Something of everything that a file can hold.
constexpr const char* kSample = R"(reprise-text 1
ranks 4
program "/home/somebody/solve"
mpi_library "Open MPI 4.1.4"
timing path
clock cpu
bins 5
elapsed 1250ms
host "node1" cores 2 ranks 0-1
host "node2" cores 4 ranks 2-3
procedure 0 "MPI_Init"
procedure 1 "MPI_Isend"
procedure 2 "MPI_Irecv"
procedure 3 "MPI_Waitall"
procedure 4 "MPI_Allreduce"
procedure 5 "MPI_Comm_split"
procedure 6 "MPI_Comm_spawn"
procedure 7 "MPI_Alltoallv"
procedure 8 "MPI_Win_create"
procedure 9 "MPI_Win_post"
procedure 10 "MPI_Rget"
procedure 11 "MPI_File_open"
procedure 12 "MPI_File_iwrite_at"
module 0 "/home/somebody/solve" build_id "00112233445566778899aabbccddeeff00112233"
module 1 "/lib/libc.so.6" build_id "odd id"
path 0 0+0x1100 1+0x2000
path 1 0+0x1200 0+0x1110 1+0x2000
path 2 0+0x1210 0+0x1110 1+0x2000
path 3
frame 0+0x1200 "exchange" "exchange.c" 79
site 0 procedure 0 path 0
site 1 procedure 1 path 1
site 2 procedure 2 path 2
site 3 procedure 3 path 2
site 4 procedure 4 path 0
site 5 procedure 5 path 0
site 6 procedure 6 path 3
site 7 procedure 7 path 3
site 8 procedure 8 path 0
site 9 procedure 9 path 0
site 10 procedure 10 path 0
site 11 procedure 11 path 0
site 12 procedure 12 path 0
members 0: 0 2
members 1: 1 3
members 2 copy 1: 0 1 | 2..3
communicator 2 ranks 0,2 members 0
communicator 2 ranks 1,3 members 1
communicator 3 ranks 0-3 members 2
loss "unmodelled MPI_Comm_spawn" partial count 4 time 12us
thread 0 {
  @0 MPI_Init
  @5 MPI_Comm_split new_comm=2
  loop {0: 10; 1-3: 20} exit 1 {
    @2 MPI_Irecv peer=any tag=any bytes=8KiB request=0
      | compute after @4 {0: 10us; 1-3: 20us}
      | compute after @5 (limit=5 count=4 sum=100 squares=0:3000 min=10@0 max=40@3 bins=[2/30, 2/70] paces=0-3: (100*3, 130) paced=430)
    @1 MPI_Isend peer=+1 tag=(1, 2)*10 bytes={0: 100*20; 1-3: 0..190/10} request=1
      | communicate (limit=5)
    @3 MPI_Waitall requests=[0, 1] matched_peers=[-1, none] matched_tags=[7, none]
    ranks 0,2: @4 MPI_Allreduce comm=2 send_bytes=8 polls=3
  }
  @7 MPI_Alltoallv send_bytes_list=[1, 2, 3, 4] receive_bytes_list={0: [1*4]; 1-3: <1..4 | 4*1>}
  @6 "MPI_Comm_spawn"
  @8 MPI_Win_create comm=2 bytes=1KiB
  @9 MPI_Win_post comm=2 assert=1 group={0: [1]; 1-3: [0, 1]}
  @10 MPI_Rget comm=2 peer=+1 bytes=8 request=0
  @11 MPI_File_open
  @12 MPI_File_iwrite_at bytes={0: 64; 1-3: 128} request=1
}
thread 1 {
  ranks 3: @4 MPI_Allreduce comm=1 send_bytes=8 in_place=1
}
)";

// Sizes that come again, on the ranks themselves and on their partners, lists of the other side, and a rounded distribution.
constexpr const char* kAgain =
    R"(reprise-text 1
ranks 8
timing path
bins 5
thread 0 {
  MPI_Isend peer=relative:9 bytes={0: 8; 1: 24; 2: 16; 3: 88; 4: 40; 5: 72; 6: 56; 7: 64} request=0
    | compute (limit=5 count=10 sum=4000 squares=0:2406560 min=100@1 max=1000@3 bins=[8/2064, 2/1936])
  MPI_Irecv peer=relative:15 bytes={0: 64; 1: 8; 2: 24; 3: 16; 4: 88; 5: 40; 6: 72; 7: 56} request=1
  MPI_Waitall requests=[0, 1]
  loop 10 {
    MPI_Send peer=relative:9 bytes={0: 8; 1: 24; 2: 16; 3: 88; 4: 40; 5: 72; 6: 56; 7: 64}
    MPI_Recv peer=relative:15 bytes={0: 64; 1: 8; 2: 24; 3: 16; 4: 88; 5: 40; 6: 72; 7: 56}
  }
  MPI_Alltoallv send_bytes_list={0-3: [1, 2, 3, 4, 5, 6, 7, 8]; 4-7: [8, 5, 1, 0, 2, 9, 4, 3]} )"
    R"(receive_bytes_list={0: [1, 1, 1, 1, 8, 8, 8, 8]; 1: [2, 2, 2, 2, 5, 5, 5, 5]; 2: [3, 3, 3, 3, 1, 1, 1, 1]; 3: [4, 4, 4, 4, 0, 0, 0, 0]; )"
    R"(4: [5, 5, 5, 5, 2, 2, 2, 2]; 5: [6, 6, 6, 6, 9, 9, 9, 9]; 6: [7, 7, 7, 7, 4, 4, 4, 4]; 7: [8, 8, 8, 8, 3, 3, 3, 3]}
}
)";

// An order of compute times with levels in common and of ranks, in groups and not; times kept apart.
// Times that stand in no compute time, the overhead curves, and who was preempted.
constexpr const char* kApart = R"(reprise-text 1
ranks 4
elapsed 1s
apart snapshots count 3 time 2ms most 1ms@2
apart preemption count 5 time 4107ns most 4100ns@3
apart compensation count 900 time 20us most 9us@1
compensation clamped 7 time 41ns call [20ns/18ns/1ns, 300ns/30ns/2ns, 4us/25ns/6ns] completion [30ns/45ns/3ns]
preempted ranks [1 1/7ns/100us, 3 4/4100ns/90us] octaves [3 1/7ns, 10 2/1100ns, 11 2/3000ns]
thread 0 {
  MPI_Barrier | compute 3us
}
)";

constexpr const char* kOrdered =
    R"(reprise-text 1
ranks 4
timing path
bins 5
order 8192
apart snapshots count 3 time 2ms most 1ms@2
apart folding count 40 time 100us most 30us@0
thread 0 {
  loop 8 {
    MPI_Barrier
      | compute (limit=5 count=32 sum=64000 squares=0:192000000 min=1000@1 max=3000@3 bins=[16/16000, 16/48000] order=(stride=0 executions=[8*4] step=32768 common=16384 [0, 1, (-1, 1)*3] residuals=[20/-120, 12/200] rows=0-1: [1, 0*7] [0*7, -1]))
  }
  loop 200 {
    MPI_Allreduce send_bytes=8
      | compute (limit=5 count=800 sum=800000 squares=0:800000000 min=1000@0 max=1000@0 bins=[800/800000] order=(stride=1 executions=[200*4] step=6554 residuals=[] rows=0-3: [0*128]/[1, 0] [2*128]/[0*2] [0*128]/[0, -1] [-2*128]/[0*2]))
  }
}
)";

// Iterations of loops on some ranks, and marked ones; rounded times and others.
constexpr const char* kIterations =
    R"(reprise-text 1
ranks 3
procedure 0 "MPI_Barrier"
procedure 1 "MPI_Allreduce"
path 0
site 0 procedure 0 path 0
site 1 procedure 1 path 0
iterations rank 2 limit 8 same sites sequence [0*3, 1] clusters [3: @1 5/40/3000/1001; 1: @1 1/8/999/7]
thread 0 {
  loop 4 {
    iterations rank 0 limit 64 same counts sequence [0, 1*2, 0] clusters [2: @0 2/0/2000/600, @1 2/16/31/0; 2: @0 2/0/2016/604, @1 2/16/30/1]
    iterations rank 1 limit 64 same any sequence [(0, 1)*2] clusters [2: @0 2/0/1800000/600, @1 2/16/8/0; 2: @0 2/0/2100000/604, @1 2/16/9/9]
    @0 MPI_Barrier
    @1 MPI_Allreduce send_bytes=8
  }
  ranks 2: loop 3 {
    @1 MPI_Allreduce send_bytes=8
  }
}
)";

// Sends that nothing waits for, and the call that stands for their polls.
constexpr const char* kUnawaited = R"(reprise-text 1
ranks 4
completions phases 0 represented 0
thread 0 {
  loop 20 {
    MPI_Isend peer=+1 bytes=8 request={0: (-2, -1*19); 1: (-2*7, -1*13); 2-3: (-2*3, -1*17)}
    MPI_Recv peer=-1 bytes=8 polls=3
  }
  MPI_Testall requests=[-2] further_calls=[0/18, 1/12]
}
)";

// Two pools, of compute times and of times inside calls, and calls that have times of their own.
constexpr const char* kPooled = R"(reprise-text 1
ranks 2
timing path
bins 3
pool 0 compute (limit=3 count=12 sum=190 squares=0:3900 min=10@0 max=30@1 bins=[8/80, 2/50, 2/60])
pool 1 communicate (limit=3 count=6 sum=6000 squares=0:6000000 min=1000@0 max=1000@0 bins=[6/6000])
thread 0 {
  loop 3 {
    MPI_Barrier at a | compute (pool=0 count=6) | communicate (pool=1 count=6)
    MPI_Barrier at b | compute 2us | communicate 3us
  }
  loop 3 {
    MPI_Barrier at c | compute {0: (pool=0 count=3); 1: 7us} | communicate 1us
    MPI_Barrier at d | compute {0: (pool=0 count=3); 1: 5us}
  }
}
)";

}  // namespace

// Calls of procedures that have got a meaning since are as what they were then: time only.
TEST_CASE("golden: a file of version 1 reads as it did when it was written", "[trace-io]") {
  if (std::getenv("REPRISE_UPDATE_GOLDEN") != nullptr) {
    save(assemble(kSample, "sample"), path_of("sample.reprise"));
    std::ofstream(path_of("sample.txt")) << dump(load(path_of("sample.reprise")));
  }
  REQUIRE(dump(load(path_of("sample.reprise", 1))) == content(path_of("sample.txt", 1)));
}

TEST_CASE("golden: files of version 2 read as they did when they were written", "[trace-io]") {
  for (const char* name : {"sample", "again"}) {
    const std::string stem = name;
    REQUIRE(dump(load(path_of((stem + ".reprise").c_str(), 2))) ==
            content(path_of((stem + ".txt").c_str(), 2)));
  }
}

TEST_CASE("golden: orders of compute times read as they did when they were written", "[trace-io]") {
  if (std::getenv("REPRISE_UPDATE_GOLDEN") != nullptr) {
    save(assemble(kOrdered, "ordered"), path_of("ordered.reprise"));
    std::ofstream(path_of("ordered.txt")) << dump(load(path_of("ordered.reprise")));
  }
  const Trace golden = load(path_of("ordered.reprise"));
  REQUIRE(dump(golden) == content(path_of("ordered.txt")));
  REQUIRE(serialise(assemble(kOrdered, "ordered")) == serialise(golden));
}

TEST_CASE("golden: what stands in no compute time reads as it did when it was written",
          "[trace-io]") {
  if (std::getenv("REPRISE_UPDATE_GOLDEN") != nullptr) {
    save(assemble(kApart, "apart"), path_of("apart.reprise"));
    std::ofstream(path_of("apart.txt")) << dump(load(path_of("apart.reprise")));
  }
  const Trace golden = load(path_of("apart.reprise"));
  REQUIRE(dump(golden) == content(path_of("apart.txt")));
  REQUIRE(serialise(assemble(kApart, "apart")) == serialise(golden));
}

TEST_CASE("golden: iterations read as they did when they were written", "[trace-io]") {
  if (std::getenv("REPRISE_UPDATE_GOLDEN") != nullptr) {
    save(assemble(kIterations, "iterations"), path_of("iterations.reprise"));
    std::ofstream(path_of("iterations.txt")) << dump(load(path_of("iterations.reprise")));
  }
  const Trace golden = load(path_of("iterations.reprise"));
  REQUIRE(dump(golden) == content(path_of("iterations.txt")));
  REQUIRE(serialise(assemble(kIterations, "iterations")) == serialise(golden));
}

TEST_CASE(
    "golden: tables that come again and rounded distributions read as they did when they were "
    "written",
    "[trace-io]") {
  if (std::getenv("REPRISE_UPDATE_GOLDEN") != nullptr) {
    save(assemble(kAgain, "again"), path_of("again.reprise"));
    std::ofstream(path_of("again.txt")) << dump(load(path_of("again.reprise")));
  }
  const Trace golden = load(path_of("again.reprise"));
  REQUIRE(dump(golden) == content(path_of("again.txt")));
  REQUIRE(serialise(assemble(kAgain, "again")) == serialise(golden));
}

TEST_CASE("golden: the current writer's payload of the sample means the same as the golden file",
          "[trace-io]") {
  // Meaning, not bytes: another zstd release may compress differently.
  const Trace golden = load(path_of("sample.reprise"));
  REQUIRE(serialise(assemble(kSample, "sample")) == serialise(golden));
}

TEST_CASE("golden: pools of times read as they did when they were written", "[trace-io]") {
  if (std::getenv("REPRISE_UPDATE_GOLDEN") != nullptr) {
    save(assemble(kPooled, "pooled"), path_of("pooled.reprise", 6));
    std::ofstream(path_of("pooled.txt", 6)) << dump(load(path_of("pooled.reprise", 6)));
  }
  const Trace golden = load(path_of("pooled.reprise", 6));
  REQUIRE(dump(golden) == content(path_of("pooled.txt", 6)));
  REQUIRE(serialise(assemble(kPooled, "pooled")) == serialise(golden));
  const auto& first = std::get<Leaf>(std::get<Loop>(golden.threads[0][0].content).body[0].content);
  REQUIRE(first.compute[0].classes[0].durations.sum() == Nanoseconds{95});  // not only its text
}

TEST_CASE("golden: sends that nothing waits for read as they did when they were written",
          "[trace-io]") {
  if (std::getenv("REPRISE_UPDATE_GOLDEN") != nullptr) {
    save(assemble(kUnawaited, "unawaited"), path_of("unawaited.reprise", 5));
    std::ofstream(path_of("unawaited.txt", 5)) << dump(load(path_of("unawaited.reprise", 5)));
  }
  const Trace golden = load(path_of("unawaited.reprise", 5));
  REQUIRE(dump(golden) == content(path_of("unawaited.txt", 5)));
  REQUIRE(serialise(assemble(kUnawaited, "unawaited")) == serialise(golden));
}
