// SPDX-License-Identifier: MIT
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/simulate.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::test {

TEST_CASE("replay: an answer that is no finite time is none", "[physics]") {
  platforms::Platform machine = star(2);
  machine.network->link.latency = Seconds{1e308};
  sim::ReplaySettings settings;
  settings.network = sim::NetworkKind::queue;
  CHECK(error_of(2, "thread 0 {\nMPI_Barrier\n}", machine, settings) ==
        "replay: has no finite end\n  a time or a rate of the platform is outside any realistic "
        "range");
}

TEST_CASE("deadlock: a rank that waits for one that has finished", "[physics]") {
  CHECK(
      error_of(6, "thread 0 {\nranks 3: MPI_Recv peer=5 tag=7 bytes=8 | compute 2ms\n}", star(6)) ==
      "replay deadlocked at 2 ms: rank 3 waits in MPI_Recv for a message from rank 5, tag 7 "
      "(test:4); rank 5 has finished");
}

TEST_CASE("deadlock: iterations that were left out have taken their time", "[physics]") {
  const std::string body =
      "thread 0 {\nloop 100 {\nMPI_Barrier | compute 5ms\n}\n"
      "ranks 0: MPI_Recv peer=1 tag=7 bytes=8\n}";
  const auto at = [&](bool fast_forward) {
    sim::ReplaySettings settings;
    settings.fast_forward = fast_forward;
    const std::string error = error_of(2, body, star(2), settings);
    return error.substr(0, error.find(" ms"));
  };
  CHECK(at(true).starts_with("replay deadlocked at 500"));
  CHECK(at(true) == at(false));
}

TEST_CASE("deadlock: where phases of completions stand for others the remedy is named",
          "[physics]") {
  const std::string receive = "thread 0 {\nranks 3: MPI_Recv peer=5 tag=7 bytes=8 | compute 2ms\n}";
  CHECK(error_of(6, "completions phases 15 represented 3\n" + receive, star(6)) ==
        "replay deadlocked at 2 ms: rank 3 waits in MPI_Recv for a message from rank 5, tag 7 "
        "(test:5); rank 5 has finished\n  in this trace, phases of MPI_Waitany and similar calls "
        "represent other phases; if the program itself does not hang, record it with --completions "
        "exact");
}

TEST_CASE("deadlock: where calls are missing that is said", "[physics]") {
  const auto error = [](const std::string& severity) {
    return error_of(
        2,
        "loss \"calls beyond the REPRISE_MEMORY limit\" " + severity +
            " count 57200 time 1s\nthread 0 {\nranks 0: MPI_Recv peer=1 tag=7 bytes=8 | "
            "compute 2ms\n}",
        star(2));
  };
  const std::string deadlock =
      "replay deadlocked at 2 ms: rank 0 waits in MPI_Recv for a message from rank 1, tag 7 "
      "(test:5); rank 1 has finished";
  CHECK(error("error") ==
        deadlock +
            "\n  in this trace, calls of the program are missing: calls beyond the REPRISE_MEMORY "
            "limit, 57200 times; record it again without that loss");
  CHECK(error("partial") == deadlock);
}

TEST_CASE("deadlock: the cycle comes first and starts with its lowest rank", "[physics]") {
  CHECK(error_of(4, R"(thread 0 {
      ranks 0: MPI_Recv peer=2 tag=1 bytes=8
      ranks 1: MPI_Ssend peer=3 tag=2 bytes=8
      ranks 2: MPI_Recv peer=3 tag=3 bytes=8
      ranks 3: MPI_Recv peer=2 tag=4 bytes=8
    })",
                 star(4)) ==
        "replay deadlocked at 300 ns: rank 2 waits in MPI_Recv for a message from rank 3, tag 3 "
        "(test:6); "
        "rank 3 waits in MPI_Recv for a message from rank 2, tag 4 (test:7); "
        "rank 0 waits in MPI_Recv for a message from rank 2, tag 1 (test:4); "
        "rank 1 waits in MPI_Ssend for rank 3 to receive its message, tag 2 (test:5)");
}

TEST_CASE("deadlock: names the call site", "[physics]") {
  CHECK(error_of(2, R"(procedure 0 "MPI_Recv"
      module 0 "/opt/app/bin/solve" build_id ""
      path 0 0+0x1f40
      frame 0+0x1f40 "exchange" "src/solve.c" 212
      site 0 procedure 0 path 0
      thread 0 {
        ranks 0: @0 MPI_Recv peer=1 tag=any bytes=8 matched_tag=9
      })",
                 star(2)) ==
        "replay deadlocked at 0 s: rank 0 waits in MPI_Recv for a message from rank 1, tag 9 "
        "(solve.c:212); "
        "rank 1 has finished");
}

TEST_CASE("deadlock: a collective that a member never enters", "[physics]") {
  CHECK(error_of(3, R"(thread 0 {
      ranks 0-1: MPI_Barrier
    })",
                 star(3)) ==
        "replay deadlocked at 3.1 us: rank 0 waits in MPI_Barrier for rank 2, which has not "
        "entered the collective (test:4); "
        "rank 2 has finished; rank 1 waits in MPI_Barrier for rank 2, which has not entered the "
        "collective (test:4)");
}

TEST_CASE("deadlock: at most eight ranks are listed", "[physics]") {
  const std::string text = error_of(12, "thread 0 {\nMPI_Recv peer=+1 bytes=8\n}", star(12));
  CHECK(text.find(
            "rank 7 waits in MPI_Recv for a message from rank 8, tag 0 (test:4); 4 more wait") !=
        std::string::npos);
  CHECK(text.find("rank 8 waits") == std::string::npos);
}

TEST_CASE("deadlock: waits of probes and of non-blocking collectives are named", "[physics]") {
  CHECK(error_of(2, R"(thread 0 {
      ranks 0: MPI_Probe peer=any tag=3 matched_peer=1
      ranks 1: MPI_Ibarrier request=0
      ranks 1: MPI_Wait request=0
    })",
                 star(2)) ==
        "replay deadlocked at 0 s: rank 0 waits in MPI_Probe for a message from any rank, tag 3 "
        "(test:4); "
        "rank 1 waits in MPI_Wait for rank 0, which has not entered the collective (test:6)");
}

TEST_CASE("collectives: members that enter different operations", "[physics]") {
  CHECK(error_of(2, R"(thread 0 {
      ranks 0: MPI_Barrier
      ranks 1: MPI_Bcast peer=0 send_bytes=8
    })",
                 star(2)) ==
        "rank 1 in MPI_Bcast (test:5): meets rank 0 in MPI_Barrier (test:4) on the same "
        "communicator\n"
        "  members of a communicator must enter its collectives in one order");
}

TEST_CASE("collectives: members that name different roots", "[physics]") {
  CHECK(error_of(3, "thread 0 {\nMPI_Bcast peer={0-1: 0; 2: 1} send_bytes=8\n}", star(3)) ==
        "rank 2 in MPI_Bcast (test:4): has rank 1 as its root, rank 0 in MPI_Bcast (test:4) has "
        "rank 0\n"
        "  members of a communicator must name one root");
}

TEST_CASE("collectives: a root that is not in the communicator", "[physics]") {
  CHECK(error_of(2, "thread 0 {\nMPI_Bcast peer=2 send_bytes=8\n}", star(2)) ==
        "rank 0 in MPI_Bcast (test:4): names rank 2 of 2 as its root\n  `reprise trace check` "
        "lists further problems of the trace");
}

TEST_CASE("input: a request that was never started", "[physics]") {
  CHECK(error_of(1, "thread 0 {\nMPI_Wait request=4\n}", star(1)) ==
        "rank 0 in MPI_Wait (test:4): uses request 4, which was never started\n  `reprise trace "
        "check` lists further problems of the trace");
}

TEST_CASE("input: a communicator that the rank does not have", "[physics]") {
  CHECK(error_of(2, R"(communicator 2 ranks 0: 0
    thread 0 {
      MPI_Barrier comm=2
    })",
                 star(2)) ==
        "rank 1 in MPI_Barrier (test:5): uses communicator 2, which it does not have\n  `reprise "
        "trace check` lists further problems of the trace");
}

TEST_CASE("errors: a replay that came to no end says of what kind it is", "[physics]") {
  using Kind = sim::ReplayError::Kind;
  const auto kind_of = [](const std::string& calls) {
    return error_kind_of(2, "thread 0 {\n" + calls + "\n}", star(2));
  };
  CHECK(kind_of("ranks 0: MPI_Recv peer=1 tag=7 bytes=8") == Kind::deadlock);
  CHECK(kind_of("ranks 0: MPI_Barrier\nranks 1: MPI_Bcast peer=0 send_bytes=8") ==
        Kind::collective_mismatch);
  CHECK(kind_of("ranks 0: MPI_Bcast peer=0 send_bytes=8") == Kind::collective_incomplete);
  CHECK(kind_of("ranks 0: MPI_Send peer=1 bytes=9\nranks 1: MPI_Recv peer=0 bytes=8") ==
        Kind::truncation);
  CHECK(kind_of("MPI_Wait request=4") == Kind::invalid_call);
  CHECK(kind_of("MPI_Barrier") == std::nullopt);
}

TEST_CASE("input: a trace without all of its ranks", "[physics]") {
  CHECK(error_of(
            4, "program \"heat\"\nincomplete\nrecorded 0-2\nthread 0 {\nranks 0-2: MPI_Barrier\n}",
            star(4)) ==
        "the trace of heat: holds 3 of 4 ranks\n"
        "  only a complete trace can be replayed; did the program abort while it was recorded?");
}

}  // namespace reprise::test
