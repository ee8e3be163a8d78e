// SPDX-License-Identifier: MIT
// What DUMPI's records mean as events of ours.
#include "trace-io/import/dumpi/dumpi_import.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/unit/trace-io/import/dumpi_file.hpp"
#include "tests/unit/trace-io/import/imported_calls.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/check/check.hpp"
#include "trace-io/import/import.hpp"

using namespace reprise;
using namespace reprise::trace_io;
using Lines = std::vector<std::string>;

namespace {

// Numbers of procedures, datatypes and communicators in DUMPI's files.
enum : unsigned {
  kSend = 0,
  kRecv = 1,
  kIsend = 8,
  kIrecv = 12,
  kWait = 13,
  kTest = 14,
  kWaitall = 18,
  kWaitsome = 20,
  kSendInit = 26,
  kStart = 31,
  kBcast = 53,
  kGather = 54,
  kAlltoallv = 61,
  kOpCreate = 63,
  kAllreduce = 65,
  kCommGroup = 72,
  kGroupIncl = 76,
  kCommSize = 81,
  kCommDup = 84,
  kCommCreate = 85,
  kCommSplit = 86,
  kCommFree = 87,
  kCartCreate = 99,
  kCartSub = 111,
  kInit = 124,
  kFinalize = 125,
  kWinFence = 146
};
constexpr std::int64_t kInt = 9, kDouble = 14, kWorld = 2;

void begin(DumpiFile& file) { file.call(kInit, 0, 1).word(0); }
void end(DumpiFile& file) { file.call(kFinalize, 900, 901); }

std::string problem_of(const std::vector<std::string>& files) {
  try {
    import_dumpi(files, {});
  } catch (const InputError& error) {
    const std::string text = error.what();
    return text.substr(text.find("/t-") + 1);
  }
  return "nothing";
}

}  // namespace

TEST_CASE("dumpi_import: messages, requests, wildcards", "[trace-io]") {
  const ScratchFolder folder;
  DumpiFile zero, one;
  begin(zero), begin(one);
  zero.call(kIsend, 3, 3.5).message(10, kDouble, 1, 4, kWorld).word(2);
  zero.call(kIrecv, 4, 4.5).message(10, kDouble, -1, -1, kWorld).word(3);
  zero.call(kTest, 5, 5.1).word(3).word(0).no_status();
  zero.call(kWaitall, 6, 7.25).word(2).words({2, 3}).word(2);
  zero.word(8).word(-2).byte(0).byte(0).word(0).word(80).word(1).byte(0).byte(0).word(5);
  zero.call(kSend, 8, 9).message(2, kInt, -2, 0, kWorld);  // MPI_PROC_NULL
  end(zero);
  one.call(kRecv, 3, 3.5).message(10, kDouble, -1, 4, kWorld).status(0, 4);
  one.call(kSendInit, 4, 4.1).message(10, kDouble, 0, 5, kWorld).word(7);
  one.call(kStart, 5, 5.5).word(7);
  one.call(kWaitsome, 6, 7).word(1).words({7}).word(1).words({0}).status(-2, 0);
  end(one);
  folder.write("t-0001.bin", one.text());
  const Trace trace = import_dumpi({folder.write("t-0000.bin", zero.text())}, {});
  CHECK(calls_of(trace, 0) == Lines{"MPI_Init", "MPI_Isend 0 9 4 80 0", "MPI_Irecv 0 1 -1 80 1",
                                    "MPI_Waitall | 0 1 | 3 9 | -1 5", "MPI_Send 0 0 0 8",
                                    "MPI_Finalize"});
  CHECK(calls_of(trace, 1) == Lines{"MPI_Init", "MPI_Recv 0 1 4 80 8 -1", "MPI_Isend 0 8 5 80 0",
                                    "MPI_Waitsome | 0 | 0 | 3 | -1", "MPI_Finalize"});
  CHECK(losses_of(trace) ==
        Lines{"persistent requests made: their starts are the sends and receives: 1"});
  CHECK(check(trace).size() == 1);  // the loss
}

TEST_CASE("dumpi_import: communicators from what their members gave", "[trace-io]") {
  const ScratchFolder folder;
  for (int rank = 0; rank < 4; ++rank) {
    DumpiFile file;
    begin(file);
    file.call(kCommSize, 2, 2.1).half(kWorld).word(4);
    file.call(kCommSplit, 3, 4).half(kWorld).word(rank % 2).word(-rank).half(4);  // 2 0 and 3 1
    file.call(kBcast, 5, 6).word(3).half(kInt).word(0).half(4);
    file.call(kCommFree, 7, 8).half(4);
    file.call(kCartCreate, 9, 10).half(kWorld).word(2).words({2, 2}).words({0, 0}).word(0).half(4);
    file.call(kCartSub, 11, 12).word(2).half(4).words({0, 1}).half(5);  // rows: 0 1 and 2 3
    file.call(kBcast, 13, 14).word(1).half(kDouble).word(1).half(5);
    file.call(kCommGroup, 15, 15.1).half(kWorld).half(3);
    file.call(kGroupIncl, 16, 16.1).half(3).word(2).words({3, 1}).half(4);
    file.call(kCommCreate, 17, 18).half(kWorld).half(4).half(rank % 2 == 1 ? 6 : 1);
    if (rank % 2 == 1) file.call(kBcast, 19, 20).word(1).half(kInt).word(0).half(6);
    end(file);
    folder.write("t-" + std::to_string(rank) + ".bin", file.text());
  }
  folder.write("t.meta", "hostname=h\nnumprocs=4\nfileprefix=elsewhere/t\n");
  const Trace trace = import_dumpi({folder.path("t.meta")}, {});
  CHECK(calls_of(trace, 1) == Lines{"MPI_Init", "MPI_Comm_split 0 2 | |", "MPI_Bcast 2 8 12",
                                    "MPI_Comm_free 2", "MPI_Cart_create 0 3 | |",
                                    "MPI_Cart_sub 3 4 | |", "MPI_Bcast 4 9 8",
                                    "MPI_Comm_create 0 5 | |", "MPI_Bcast 5 8 4", "MPI_Finalize"});
  std::vector<std::vector<std::int64_t>> members;
  for (const auto& communicator : trace.communicators) {
    members.emplace_back();
    for (ValueSequence::Cursor at(communicator.groups[0]); !at.at_end();)
      members.back().push_back(at.next());
  }
  std::sort(members.begin(), members.end());
  CHECK(members == std::vector<std::vector<std::int64_t>>{
                       {0, 1}, {0, 1, 2, 3}, {2, 0}, {2, 3}, {3, 1}, {3, 1}});
  CHECK(trace.losses.empty());
  CHECK(check(trace).empty());
}

TEST_CASE("dumpi_import: collectives and their datatypes", "[trace-io]") {
  const ScratchFolder folder;
  DumpiFile file;
  begin(file);
  file.call(kOpCreate, 1.5, 1.6).word(0).byte(15);
  file.call(kAllreduce, 2, 3).word(3).half(kDouble).byte(15).half(kWorld);
  file.call(kGather, 4, 5).word(0).word(2).half(kInt).word(0).half(kWorld).word(2).half(kInt);
  file.call(kAlltoallv, 6, 7).word(1).words({5}).words({0}).half(28).words({5}).words({0}).half(28);
  file.half(kWorld);
  end(file);
  const Trace trace = import_dumpi({folder.write("t-0.bin", file.text())}, {});
  CHECK(calls_of(trace, 0) == Lines{"MPI_Init", "MPI_Allreduce 0 24 0 8 0", "MPI_Gather 0 8 8 8 0",
                                    "MPI_Alltoallv 0 0 | 120 | 120", "MPI_Finalize"});
  CHECK(times_of(trace, 0, 2) == std::pair<std::int64_t, std::int64_t>{1000, 1000});
  CHECK(trace.losses.empty());
}

TEST_CASE("dumpi_import: what a file does not say is named with its count", "[trace-io]") {
  const ScratchFolder folder;
  DumpiFile file;
  begin(file);
  file.call(kBcast, 2, 3).word(1).half(99).word(0).half(kWorld);  // a datatype without a size
  file.call(kBcast, 4, 5).word(1).half(kInt).word(0).half(77);    // a communicator nobody made
  file.call(kWinFence, 6, 7).byte(0).half(1);
  file.call(kRecv, -1, -1).message(1, kInt, -1, 0, kWorld).no_status();
  file.call(kWait, 8, 9).word(55).no_status();
  end(file);
  const Trace trace = import_dumpi({folder.write("t-0.bin", file.text({{kSend, 3}}))}, {});
  CHECK(losses_of(trace) ==
        Lines{"MPI_Bcast (time only): 2", "MPI_Recv (time only): 1", "MPI_Win_fence (time only): 1",
              "calls of MPI_Send that the footer counts otherwise: 3", "calls without times: 1",
              "completions of requests that were never started: 1"});
}

TEST_CASE("dumpi_import: errors name file and record", "[trace-io]") {
  const ScratchFolder folder;
  DumpiFile file;
  begin(file);
  file.call(kCommSize, 2, 2.1).half(kWorld).word(1);
  end(file);
  const std::string good = file.text();
  const auto problem = [&](const std::string& bytes) {
    return problem_of({folder.write("t-0.bin", bytes)});
  };
  CHECK(problem(good) == "nothing");
  CHECK(problem(good.substr(0, 200)) ==
        "t-0.bin: has no index at its end\n  the file is cut off: its run did not end");
  CHECK(problem("") ==
        "t-0.bin: is not a DUMPI trace\n  a DUMPI trace is a .bin file of each rank and a .meta "
        "file");
  std::string unknown = good;
  unknown[16] = 2;  // the number of the first procedure
  CHECK(problem(unknown) ==
        "t-0.bin: record 1 (at byte 16): is of no procedure: number 636\n  the file is damaged");
  std::string list = good;
  list[31] = 1;  // the number of MPI_Init's arguments
  CHECK(problem(list) ==
        "t-0.bin: record 1 (at byte 16): has a list of 16777216 elements, more than the file "
        "holds\n  the file is damaged");
  DumpiFile more;
  begin(more);
  more.call(kCommSize, 2, 2.1).half(kWorld).word(3);
  CHECK(problem(more.text()) ==
        "t-0.bin: record 2 (at byte 35): is of a run of 3 ranks, but there are 1 file\n  give the "
        ".meta file, or the .bin files of all ranks in their order");
  folder.write("t.meta", "numprocs=2\nfileprefix=t\n");
  CHECK(problem_of({folder.path("t.meta")}) ==
        "t-1.bin: is missing\n  " + folder.path("t.meta") + " says that the trace has 2 ranks");
}
