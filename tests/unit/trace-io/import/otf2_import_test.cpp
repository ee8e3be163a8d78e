// SPDX-License-Identifier: MIT
// What an OTF2 archive means as events of ours: each is written here through libotf2.
#include "trace-io/import/otf2/otf2_import.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/unit/trace-io/import/imported_calls.hpp"
#include "tests/unit/trace-io/import/otf2_archive.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/check/check.hpp"

using namespace reprise;
using namespace reprise::trace_io;
using Events = TestArchive::Events;
using Lines = std::vector<std::string>;

namespace {

void send(Events& e, std::uint32_t to, std::uint32_t tag, std::uint64_t bytes,
          OTF2_CommRef comm = 0) {
  e.call("MPI_Send", [&](Events& in) {
    OTF2_EvtWriter_MpiSend(in.writer, nullptr, in.now, to, comm, tag, bytes);
  });
}
void isend(Events& e, std::uint32_t to, std::uint64_t request) {
  e.call("MPI_Isend", [&](Events& in) {
    OTF2_EvtWriter_MpiIsend(in.writer, nullptr, in.now, to, 0, 5, 100, request);
  });
}
void irecv(Events& e, std::uint64_t request) {
  e.call("MPI_Irecv",
         [&](Events& in) { OTF2_EvtWriter_MpiIrecvRequest(in.writer, nullptr, in.now, request); });
}
void received(Events& in, std::uint32_t from, std::uint32_t tag, std::uint64_t request) {
  OTF2_EvtWriter_MpiIrecv(in.writer, nullptr, in.now, from, 0, tag, 100, request);
}
void collective(Events& e, const std::string& name, OTF2_CollectiveOp op, std::uint32_t root,
                std::uint64_t sent, std::uint64_t got, OTF2_CommRef comm = 0) {
  e.call(name, [&](Events& in) {
    OTF2_EvtWriter_MpiCollectiveBegin(in.writer, nullptr, in.now);
    OTF2_EvtWriter_MpiCollectiveEnd(in.writer, nullptr, in.now, op, comm, root, sent, got);
  });
}

}  // namespace

TEST_CASE("otf2_import: messages, call paths and times of two ranks", "[trace-io]") {
  const ScratchFolder folder;
  TestArchive archive(folder.path("a"), 2);
  archive.rank(0, [](Events& e) {
    e.enter("main");
    e.call("MPI_Init");
    e.enter("solve");
    e.call("MPI_Comm_rank");
    send(e, 1, 7, 1000);
    e.leave("solve");
    e.call("MPI_Finalize");
    e.leave("main");
  });
  archive.rank(1, [](Events& e) {
    e.enter("main");
    e.call("MPI_Init");
    e.call("MPI_Recv",
           [](Events& in) { OTF2_EvtWriter_MpiRecv(in.writer, nullptr, in.now, 0, 0, 7, 1000); });
    e.call("MPI_Finalize");
    e.leave("main");
  });
  const Trace trace = import_otf2(archive.close(), {});
  CHECK(calls_of(trace, 0) == Lines{"MPI_Init", "MPI_Send 0 9 7 1000", "MPI_Finalize"});
  CHECK(calls_of(trace, 1) == Lines{"MPI_Init", "MPI_Recv 0 8 7 1000 3 -1", "MPI_Finalize"});
  // From the end of MPI_Init: solve, MPI_Comm_rank's entry and exit, MPI_Send's entry: 40 ticks of half a nanosecond.
  CHECK(times_of(trace, 0, 1) == std::pair<std::int64_t, std::int64_t>{20, 5});
  REQUIRE(trace.frame_names.size() == 2);
  CHECK(trace.frame_names[0].function == "main");
  CHECK(trace.frame_names[1].function == "solve");
  CHECK(trace.header.ranks == 2);
  CHECK(trace.header.mpi_library == "OTF2 archive of test");
  REQUIRE(trace.header.hosts.size() == 1);
  CHECK(trace.header.hosts[0].name == "host1");
  CHECK(trace.losses.empty());
  CHECK(check(trace).empty());
}

TEST_CASE("otf2_import: call paths that an export of ours has attached", "[trace-io]") {
  const ScratchFolder folder;
  TestArchive archive(folder.path("a"), 1);
  archive.call_path("main", 12, OTF2_UNDEFINED_CALLING_CONTEXT);
  archive.call_path("solve", 40, 0);
  archive.call_path("turns", 5, 2);  // damaged: its caller is itself
  archive.rank(0, [](Events& e) {
    e.enter("main");
    e.call_at("MPI_Init", 0);
    e.call_at("MPI_Init", 1);
    e.call_at("MPI_Init", 2);
    e.call_at("MPI_Init", 9);  // damaged: not defined
    e.call_at("MPI_Init", 9);
    e.leave("main");
  });
  const Trace trace = import_otf2(archive.close(), {});
  const auto path = [&](std::size_t site) {
    std::string text;
    const auto& frames = trace.call_paths[trace.sites[site].call_path].frames;
    for (std::size_t i = 0; i < std::min<std::size_t>(frames.size(), 3); ++i)
      for (const auto& name : trace.frame_names)
        if (name.frame == frames[i]) text += name.function + ":" + std::to_string(name.line) + " ";
    return text + std::to_string(frames.size());
  };
  Lines paths;
  for (std::size_t i = 0; i < trace.sites.size(); ++i) paths.push_back(path(i));
  std::ranges::sort(paths);
  CHECK(paths == Lines{"main:12 1", "main:7 1", "solve:40 main:12 2",
                       "turns:5 turns:5 turns:5 " + std::to_string(kMaxFrames)});
  REQUIRE(trace.losses.size() == 1);
  CHECK(trace.losses[0].name == "call paths that are not defined");
  CHECK(trace.losses[0].count == 2);
}

TEST_CASE("otf2_import: a receive is described by its completion, in whatever order",
          "[trace-io]") {
  const ScratchFolder folder;
  TestArchive archive(folder.path("a"), 2);
  for (int r = 0; r < 2; ++r)
    archive.rank(r, [&](Events& e) {
      const auto other = static_cast<std::uint32_t>(1 - r);
      irecv(e, 11);
      irecv(e, 12);
      isend(e, other, 13);
      isend(e, other, 14);
      e.call("MPI_Waitall", [&](Events& in) {
        received(in, other, 5, 12);
        OTF2_EvtWriter_MpiIsendComplete(in.writer, nullptr, in.now, 13);
        received(in, other, 5, 11);
        OTF2_EvtWriter_MpiIsendComplete(in.writer, nullptr, in.now, 14);
      });
      e.call("MPI_Wait");
    });
  const Trace trace = import_otf2(archive.close(), {});
  CHECK(calls_of(trace, 0) == Lines{"MPI_Irecv 0 9 5 100 0", "MPI_Irecv 0 9 5 100 1",
                                    "MPI_Isend 0 9 5 100 2", "MPI_Isend 0 9 5 100 3",
                                    "MPI_Waitall | 0 1 2 3 | 3 3 3 3 | -1 -1 -1 -1",
                                    "MPI_Wait -1 3 -1"});
  CHECK(check(trace).empty());
}

TEST_CASE("otf2_import: sums of bytes become the arguments of collectives", "[trace-io]") {
  const ScratchFolder folder;
  TestArchive archive(folder.path("a"), 4, {{1, 3}});
  for (int r = 0; r < 4; ++r)
    archive.rank(r, [&](Events& e) {
      const bool root = r == 2;
      const auto none = OTF2_COLLECTIVE_ROOT_NONE;
      collective(e, "MPI_Barrier", OTF2_COLLECTIVE_OP_BARRIER, none, 0, 0);
      collective(e, "MPI_Bcast", OTF2_COLLECTIVE_OP_BCAST, 2, root ? 400 : 0, 100);
      collective(e, "MPI_Reduce", OTF2_COLLECTIVE_OP_REDUCE, 2, 8, root ? 32 : 0);
      collective(e, "MPI_Allreduce", OTF2_COLLECTIVE_OP_ALLREDUCE, none, 32, 32);
      collective(e, "MPI_Gather", OTF2_COLLECTIVE_OP_GATHER, 2, 6, root ? 24 : 0);
      collective(e, "MPI_Alltoall", OTF2_COLLECTIVE_OP_ALLTOALL, none, 40, 40);
      collective(e, "MPI_Alltoallv", OTF2_COLLECTIVE_OP_ALLTOALLV, none, 10, 10);
      if (r % 2 == 1) collective(e, "MPI_Allreduce", OTF2_COLLECTIVE_OP_ALLREDUCE, none, 16, 16, 2);
    });
  const Trace trace = import_otf2(archive.close(), {});
  CHECK(calls_of(trace, 2) == Lines{"MPI_Barrier 0", "MPI_Bcast 0 10 100",
                                    "MPI_Reduce 0 10 8 0 8 1", "MPI_Allreduce 0 8 0 8 1",
                                    "MPI_Gather 0 10 6 6 0", "MPI_Alltoall 0 10 10 0",
                                    "MPI_Alltoallv 0 0 | 3 3 2 2 | 3 3 2 2"});
  CHECK(calls_of(trace, 3).back() == "MPI_Allreduce 2 8 0 8 1");
  CHECK(calls_of(trace, 3)[1] == "MPI_Bcast 0 10 100");
  CHECK(losses_of(trace) ==
        Lines{"elements and operations of reductions: of at most 8 B, commutative: 10",
              "sizes per rank of MPI_Alltoallv: the sum, divided evenly: 4"});
}

TEST_CASE("otf2_import: collectives that do not block are described by their completion",
          "[trace-io]") {
  const ScratchFolder folder;
  TestArchive archive(folder.path("a"), 2);
  for (int r = 0; r < 2; ++r)
    archive.rank(r, [](Events& e) {
      e.call("MPI_Ibarrier", [](Events& in) {
        OTF2_EvtWriter_NonBlockingCollectiveRequest(in.writer, nullptr, in.now, 3);
      });
      e.call("MPI_Test",
             [](Events& in) { OTF2_EvtWriter_MpiRequestTest(in.writer, nullptr, in.now, 3); });
      e.call("MPI_Test", [](Events& in) {
        OTF2_EvtWriter_NonBlockingCollectiveComplete(in.writer, nullptr, in.now,
                                                     OTF2_COLLECTIVE_OP_BARRIER, 0,
                                                     OTF2_COLLECTIVE_ROOT_NONE, 0, 0, 3);
      });
    });
  const Trace trace = import_otf2(archive.close(), {});
  CHECK(calls_of(trace, 1) == Lines{"MPI_Ibarrier 0 0", "MPI_Test 0 3 -1"});
  CHECK(check(trace).empty());
}

TEST_CASE("otf2_import: what an archive does not say is named with its count", "[trace-io]") {
  const ScratchFolder folder;
  TestArchive archive(folder.path("a"), 2);
  archive.rank(0, [](Events& e) {
    e.call("MPI_Send");        // to MPI_PROC_NULL
    irecv(e, 1);               // never completed
    e.call("MPI_Iallreduce");  // an old Score-P has no records of it
    e.call("MPI_Comm_split");  // of which communicator?
    e.call("MPI_Win_flush");   // of which window?
    OTF2_EvtWriter_MpiSend(e.writer, nullptr, e.now, 1, 0, 0, 8);  // in no call
    e.call("MPI_Wait",
           [](Events& in) { OTF2_EvtWriter_MpiIsendComplete(in.writer, nullptr, in.now, 99); });
    send(e, 5, 0, 8);      // no such rank
    send(e, 0, 0, 8, 42);  // no such communicator
    OTF2_EvtWriter_MeasurementOnOff(e.writer, nullptr, e.now + 10, OTF2_MEASUREMENT_OFF);
    OTF2_EvtWriter_MeasurementOnOff(e.writer, nullptr, e.now + 110, OTF2_MEASUREMENT_ON);
    e.now += 120;
    e.leave("nowhere");
    e.call("MPI_Barrier", [](Events& in) {
      OTF2_EvtWriter_MpiCollectiveEnd(in.writer, nullptr, in.now, OTF2_COLLECTIVE_OP_BARRIER, 0,
                                      OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
    });
    e.enter("MPI_Finalize");
  });
  archive.rank(1, [](Events& e) {
    e.call("MPI_Barrier", [](Events& in) {
      OTF2_EvtWriter_MpiCollectiveEnd(in.writer, nullptr, in.now, OTF2_COLLECTIVE_OP_BARRIER, 0,
                                      OTF2_COLLECTIVE_ROOT_NONE, 0, 0);
    });
  });
  const Trace trace = import_otf2(archive.close(), {});
  CHECK(calls_of(trace, 0) ==
        Lines{"MPI_Send 0 0 0 0", "MPI_Irecv 0 0 0 0 0", "MPI_Iallreduce (time only)",
              "MPI_Comm_split (time only)", "MPI_Win_flush (time only)", "MPI_Wait -1 3 -1",
              "MPI_Send (time only)", "MPI_Send (time only)", "MPI_Barrier 0"});
  CHECK(losses_of(trace) == Lines{"MPI_Comm_split (time only): 1", "MPI_Iallreduce (time only): 1",
                                  "MPI_Send (time only): 2", "MPI_Win_flush (time only): 1",
                                  "blocking calls without a message: with MPI_PROC_NULL: 1",
                                  "calls without an end in the archive: 1",
                                  "completions of requests that were never started: 1",
                                  "exits of regions that were not entered: 1",
                                  "messages outside of any MPI call: 1",
                                  "messages with ranks that the communicator does not have: 1",
                                  "receives that are never completed: from MPI_PROC_NULL: 1",
                                  "records on communicators that are not defined: 1",
                                  "time during which nothing was recorded: 1"});
  // 10 ticks until the measurement was off, 10 + 10 + 10 from when it was on: 20 ns, not the 50 between.
  CHECK(times_of(trace, 0, 8).first == 20);
}

TEST_CASE("otf2_import: archives that cannot be read are refused with their name", "[trace-io]") {
  const ScratchFolder folder;
  SECTION("no MPI processes") {
    TestArchive archive(folder.path("a"), 1);
    archive.rank(0, [](Events& e) { e.call("main"); });
    const auto anchor = archive.close(OTF2_PARADIGM_OPENMP);
    CHECK_THROWS_WITH(
        import_otf2(anchor, {}),
        anchor + ": has no MPI processes\n  only archives of MPI programs can be imported");
  }
  SECTION("events cut off") {
    TestArchive archive(folder.path("a"), 1);
    archive.rank(0, [](Events& e) {
      for (int i = 0; i < 1000; ++i) send(e, 0, 1, 8);
    });
    const auto anchor = archive.close();
    std::filesystem::resize_file(folder.path("a/traces/0.evt"), 600);
    CHECK_THROWS_AS(import_otf2(anchor, {}), InputError);
  }
  SECTION("events cut off within a block that libotf2 reads beyond") {
    TestArchive archive(folder.path("a"), 1);
    archive.rank(0, [](Events& e) {
      for (int i = 0; i < 30; ++i) send(e, 0, 1, 8);
    });
    const auto anchor = archive.close();
    const auto events = folder.path("a/traces/0.evt");
    const auto bytes = std::filesystem::file_size(events);
    for (const double part : {0.3, 0.5, 0.7, 0.9}) {
      std::filesystem::resize_file(events, static_cast<std::uintmax_t>(part * double(bytes)));
      try {
        const Trace trace = import_otf2(anchor, {});
        CHECK(calls_of(trace, 0).size() <= 30);
      } catch (const InputError& error) {
        CHECK(error.where() == anchor);
      }
      std::filesystem::resize_file(events, bytes);
    }
  }
  SECTION("events missing") {
    TestArchive archive(folder.path("a"), 1);
    archive.rank(0, [](Events& e) { send(e, 0, 1, 8); });
    const auto anchor = archive.close();
    std::filesystem::remove(folder.path("a/traces/0.evt"));
    CHECK_THROWS_AS(import_otf2(anchor, {}), InputError);
  }
  SECTION("an anchor file alone") {
    const auto anchor = folder.write("b.otf2", "OTF2 and no more");
    CHECK(std::string(anchor).ends_with("b.otf2"));
    CHECK_THROWS_AS(import_otf2(anchor, {}), InputError);
  }
}
