// SPDX-License-Identifier: MIT
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/simulate.hpp"

namespace reprise::test {
namespace {

// A window on all ranks, then CALLS.
sim::Outcome on_window(int ranks, const std::string& calls, const platforms::Platform& machine) {
  return simulate_calls(ranks, "MPI_Win_create bytes=1MB\n" + calls, machine);
}
sim::Outcome on_window(int ranks, const std::string& calls) {
  return on_window(ranks, calls, uncontended_star(static_cast<std::uint32_t>(ranks)));
}
// When the window is there: everybody has met.
double made(int ranks) { return on_window(ranks, "").predicted_time.value; }

// From the call to when the origin knows that the operation is over at the target.
double put_time(double bytes) { return kSendOverhead + wire(bytes) + kLatency; }
double get_time(double bytes) { return kSendOverhead + kLatency + wire(bytes); }

}  // namespace

TEST_CASE("window: making and freeing one costs a meeting each", "[physics]") {
  CHECK(made(2) == near(eager(0)));
  CHECK(on_window(2, "MPI_Win_free").predicted_time.value == near(2 * eager(0)));
}

// System: rank 0 puts 10 kB into rank 1's window between two fences.
// Expectation: the fence waits for the acknowledgement, then everybody meets. Rank 1 has done its part of that long before.
TEST_CASE("fence: the put is over before the members meet", "[physics]") {
  const auto outcome =
      on_window(2, "MPI_Win_fence\nranks 0: MPI_Put peer=1 bytes=10kB\nMPI_Win_fence");
  const double last = made(2) + eager(0) + put_time(10e3);
  CHECK(finish(outcome, 0) == near(last + kSendOverhead + kReceiveOverhead));
  CHECK(finish(outcome, 1) == near(last + eager(0)));
}

TEST_CASE("fence: a get is over when its data has come", "[physics]") {
  const auto outcome = on_window(2, "ranks 0: MPI_Get peer=1 bytes=10kB\nMPI_Win_fence");
  CHECK(finish(outcome, 1) == near(made(2) + get_time(10e3) + eager(0)));
}

TEST_CASE("fence: operations that were called one after the other go on at the same time",
          "[physics]") {
  const auto outcome = on_window(2, "ranks 0: loop 3 { MPI_Put peer=1 bytes=10kB }\nMPI_Win_fence");
  CHECK(finish(outcome, 1) == near(made(2) + 2 * kSendOverhead + put_time(10e3) + eager(0)));
}

// System: two puts of 1 MB to two targets through one link of rank 0.
// Expectation: the link is never idle from the first one's start to the last byte.
TEST_CASE("fence: puts of one origin share its link", "[physics]") {
  const auto outcome = on_window(
      3, "ranks 0: MPI_Put peer=1 bytes=1MB\nranks 0: MPI_Put peer=2 bytes=1MB\nMPI_Win_fence",
      star(3));
  const double last = kSendOverhead + kLatency + 2e6 / kBandwidth + kLatency;
  const double meeting = made(3);  // costs the same as the one that made the window
  CHECK(outcome.predicted_time.value == near(meeting + last + meeting));
}

TEST_CASE("lock: the grant takes a round trip, an assertion that nobody else locks takes none",
          "[physics]") {
  CHECK(finish(on_window(2, "ranks 0: MPI_Win_lock peer=1\nranks 0: MPI_Win_unlock peer=1"), 0) ==
        near(made(2) + 2 * kLatency));
  CHECK(
      finish(on_window(2, "ranks 0: MPI_Win_lock peer=1 assert=1\nranks 0: MPI_Win_unlock peer=1"),
             0) == near(made(2)));
}

TEST_CASE("unlock: waits until its operations are over at the target", "[physics]") {
  const auto outcome = on_window(2,
                                 "ranks 0: MPI_Win_lock peer=1\nranks 0: MPI_Accumulate peer=1 "
                                 "bytes=10kB\nranks 0: MPI_Win_unlock peer=1");
  CHECK(finish(outcome, 0) == near(made(2) + 2 * kLatency + put_time(10e3)));
  CHECK(finish(outcome, 1) == near(made(2)));  // a passive target pays nothing
}

// System: ranks 1 and 2 want rank 0's lock alone; rank 2 asks 1 us later and rank 1 computes 10 us while it has it.
TEST_CASE("lock: an exclusive one is handed on in the order of asking", "[physics]") {
  const auto outcome = on_window(3, R"(
      ranks 1: MPI_Win_lock peer=0 exclusive=1
      ranks 2: MPI_Win_lock peer=0 exclusive=1 | compute 1us
      ranks 1: MPI_Win_unlock peer=0 | compute 10us
      ranks 2: MPI_Win_unlock peer=0)");
  const double released = made(3) + 2 * kLatency + 10e-6 + kLatency;
  CHECK(finish(outcome, 1) == near(released - kLatency));
  CHECK(finish(outcome, 2) == near(released + kLatency));
  CHECK(outcome.ranks[2].wait.value - on_window(3, "").ranks[2].wait.value ==
        near(released - made(3) - 1e-6));
}

TEST_CASE("lock: shared ones go together, and with those of all", "[physics]") {
  const auto outcome = on_window(3, R"(
      ranks 1: MPI_Win_lock peer=0
      ranks 2: MPI_Win_lock_all
      ranks 1: MPI_Win_unlock peer=0 | compute 10us
      ranks 2: MPI_Win_unlock_all | compute 20us)");
  CHECK(finish(outcome, 1) == near(made(3) + 2 * kLatency + 10e-6));
  CHECK(finish(outcome, 2) == near(made(3) + 2 * kLatency + 20e-6));
}

TEST_CASE("lock: those of all wait for an exclusive one of any member", "[physics]") {
  const auto outcome = on_window(3, R"(
      ranks 1: MPI_Win_lock peer=2 exclusive=1
      ranks 0: MPI_Win_lock_all | compute 5us
      ranks 1: MPI_Win_unlock peer=2 | compute 20us)");
  // The release comes to rank 2, rank 0 gives out the locks of all to itself: over its node's own path.
  CHECK(finish(outcome, 0) == near(made(3) + 2 * kLatency + 20e-6 + kLatency + kNodeLatency));
}

TEST_CASE("flush: waits for the target, a local one for the origin's buffers", "[physics]") {
  const std::string before =
      "ranks 0: MPI_Win_lock peer=1 assert=1\nranks 0: MPI_Put peer=1 bytes=10kB\nranks 0: ";
  CHECK(finish(on_window(2, before + "MPI_Win_flush peer=1"), 0) == near(made(2) + put_time(10e3)));
  CHECK(finish(on_window(2, before + "MPI_Win_flush_all"), 0) == near(made(2) + put_time(10e3)));
  CHECK(finish(on_window(2, before + "MPI_Win_flush_local peer=1"), 0) ==
        near(made(2) + put_time(10e3) - kLatency));
  CHECK(finish(on_window(2, before + "MPI_Win_flush_local_all"), 0) ==
        near(made(2) + put_time(10e3) - kLatency));
  CHECK(finish(on_window(2, before + "MPI_Win_flush peer=0"), 0) ==
        near(made(2) + kSendOverhead));  // nothing to that one
  CHECK(finish(on_window(2, before + "MPI_Win_sync"), 0) == near(made(2) + kSendOverhead));
}

TEST_CASE("flush: a local one and then the other wait no longer than the other", "[physics]") {
  const auto outcome = on_window(2, R"(ranks 0: MPI_Win_lock_all assert=1
      ranks 0: MPI_Put peer=1 bytes=10kB
      ranks 0: MPI_Win_flush_local peer=1
      ranks 0: MPI_Win_flush peer=1)");
  CHECK(finish(outcome, 0) == near(made(2) + put_time(10e3)));
}

TEST_CASE("fetch: the operands go there, the old value comes back", "[physics]") {
  const std::string lock = "ranks 0: MPI_Win_lock peer=1 assert=1\nranks 0: ",
                    flush = "\nranks 0: MPI_Win_flush peer=1";
  const auto time = [&](const std::string& call) {
    return finish(on_window(2, lock + call + flush), 0) - made(2);
  };
  CHECK(time("MPI_Fetch_and_op peer=1 bytes=8 receive_bytes=8") ==
        near(kSendOverhead + wire(8) + wire(8)));
  CHECK(time("MPI_Fetch_and_op peer=1 bytes=0 receive_bytes=8") ==
        near(kSendOverhead + wire(0) + wire(8)));
  CHECK(time("MPI_Compare_and_swap peer=1 bytes=8 receive_bytes=8") ==
        near(kSendOverhead + wire(16) + wire(8)));
  CHECK(time("MPI_Get_accumulate peer=1 bytes=1kB receive_bytes=2kB") ==
        near(kSendOverhead + wire(1e3) + wire(2e3)));
}

TEST_CASE("request: an operation's is complete when the origin's buffers are free", "[physics]") {
  const std::string lock = "ranks 0: MPI_Win_lock_all assert=1\nranks 0: ";
  const auto time = [&](const std::string& call) {
    return finish(on_window(2, lock + call + " request=0\nranks 0: MPI_Wait request=0"), 0) -
           made(2);
  };
  CHECK(time("MPI_Rput peer=1 bytes=10kB") == near(put_time(10e3) - kLatency));
  CHECK(time("MPI_Raccumulate peer=1 bytes=10kB") == near(put_time(10e3) - kLatency));
  CHECK(time("MPI_Rget peer=1 bytes=10kB") == near(get_time(10e3)));
  CHECK(time("MPI_Rget_accumulate peer=1 bytes=8 receive_bytes=8") ==
        near(kSendOverhead + 2 * wire(8)));
  CHECK(time("MPI_Rput peer=null bytes=10kB") == near(0));
}

TEST_CASE("request: computing overlaps with the operation", "[physics]") {
  const auto outcome = on_window(
      2,
      "ranks 0: MPI_Win_lock_all assert=1\nranks 0: MPI_Rget peer=1 bytes=10kB request=0\n"
      "ranks 0: MPI_Wait request=0 | compute 100us");
  CHECK(finish(outcome, 0) == near(made(2) + kSendOverhead + 100e-6));
}

// System: rank 1 exposes its window to rank 0, which puts 10 kB.
TEST_CASE("groups: start waits for the post, wait for the completion", "[physics]") {
  const auto outcome = on_window(2, R"(
      ranks 1: MPI_Win_post group=[0]
      ranks 0: MPI_Win_start group=[1]
      ranks 0: MPI_Put peer=1 bytes=10kB
      ranks 0: MPI_Win_complete
      ranks 1: MPI_Win_wait)");
  const double completed = made(2) + kLatency + put_time(10e3);
  CHECK(finish(outcome, 0) == near(completed));
  CHECK(finish(outcome, 1) == near(completed + kLatency));
}

TEST_CASE("groups: a late post is waiting time, a post that has come costs nothing", "[physics]") {
  const std::string rest = "\nranks 0: MPI_Win_complete\nranks 1: MPI_Win_test";
  const auto late = on_window(
      2, "ranks 1: MPI_Win_post group=[0] | compute 50us\nranks 0: MPI_Win_start group=[1]" + rest);
  CHECK(finish(late, 0) == near(made(2) + 50e-6 + kLatency));
  CHECK(late.ranks[0].wait.value - on_window(2, "").ranks[0].wait.value == near(50e-6));
  const auto early = on_window(
      2, "ranks 1: MPI_Win_post group=[0]\nranks 0: MPI_Win_start group=[1] | compute 50us" + rest);
  CHECK(finish(early, 0) == near(made(2) + 50e-6));
  CHECK(finish(early, 1) == near(made(2) + 50e-6 + kLatency));
}

TEST_CASE("groups: everybody exposes to and accesses everybody, step after step", "[physics]") {
  const auto outcome = on_window(3, R"(loop 20 {
        MPI_Win_post group={0: [1, 2]; 1: [0, 2]; 2: [0, 1]}
        MPI_Win_start group={0: [1, 2]; 1: [0, 2]; 2: [0, 1]}
        MPI_Put peer=+1 bytes=1kB
        MPI_Win_complete
        MPI_Win_wait
      })");
  CHECK(outcome.predicted_time.value == near(made(3) + 20 * (kLatency + put_time(1e3) + kLatency)));
}

TEST_CASE("groups: with the assertion that the posts are there nobody waits for them",
          "[physics]") {
  const auto outcome = on_window(2,
                                 "ranks 1: MPI_Win_post group=[0] assert=1 | compute 50us\nranks "
                                 "0: MPI_Win_start group=[1] assert=1\n"
                                 "ranks 0: MPI_Win_complete\nranks 1: MPI_Win_wait");
  CHECK(finish(outcome, 0) == near(made(2)));
  CHECK(finish(outcome, 1) == near(made(2) + 50e-6));
}

TEST_CASE("window: targets are ranks of its communicator, which may be gone", "[physics]") {
  const auto outcome = simulate(4, R"(communicator 2: 3 1
      thread 0 {
        ranks 1,3: MPI_Win_create comm=2 bytes=1kB
        ranks 1,3: MPI_Comm_free comm=2
        ranks 3: MPI_Put comm=2 peer=1 bytes=10kB
        ranks 1,3: MPI_Win_fence comm=2
      })",
                                uncontended_star(4));
  CHECK(finish(outcome, 0) == 0);
  CHECK(finish(outcome, 1) == near(eager(0) + put_time(10e3) + eager(0)));
}

TEST_CASE("window: its collectives are not its communicator's", "[physics]") {
  const auto outcome = on_window(2,
                                 "ranks 0: MPI_Ibarrier request=0\nMPI_Win_fence\nranks 1: "
                                 "MPI_Ibarrier request=0\nMPI_Wait request=0");
  CHECK(outcome.predicted_time.value > made(2));
}

// What rank 0 did alone on a window counts for nobody in the one that takes its place.
TEST_CASE("window: one of all ranks after one of a rank alone", "[physics]") {
  const auto outcome = simulate_calls(2, R"(ranks 0: MPI_Win_create comm=1 bytes=8
      ranks 0: loop 5 {
        MPI_Win_fence
      }
      ranks 0: MPI_Win_free
      MPI_Win_create bytes=8
      MPI_Win_fence
      MPI_Win_free
  )",
                                      uncontended_star(2));
  CHECK(finish(outcome, 0) == near(3 * eager(0)));
  CHECK(finish(outcome, 1) == near(3 * eager(0)));
}

TEST_CASE("window: slots are each rank's own", "[physics]") {
  const auto outcome = simulate_calls(2, R"(ranks 0: MPI_Win_create comm=1 bytes=8
      MPI_Win_create window={0: 1; 1: 0} bytes=8
      loop 5 {
        ranks 0: MPI_Put window=1 peer=1 bytes=10kB
        MPI_Win_fence window={0: 1; 1: 0}
      }
      MPI_Win_free window={0: 1; 1: 0}
      MPI_Win_create window={0: 1; 1: 0} bytes=8)",
                                      uncontended_star(2));
  // Rank 0 enters the next step as soon as it has taken rank 1's message; the last fence, the free and the two makings are whole ones.
  CHECK(finish(outcome, 1) ==
        near(5 * put_time(10e3) + 4 * (kSendOverhead + kReceiveOverhead) + 4 * eager(0)));
}

TEST_CASE("window: thousands of puts without a flush end in one", "[physics]") {
  const auto outcome = on_window(2,
                                 "ranks 0: MPI_Win_lock_all assert=1\nranks 0: loop 5000 { MPI_Put "
                                 "peer=1 bytes=8 }\nranks 0: MPI_Win_flush_all");
  CHECK(finish(outcome, 0) == near(made(2) + 4999 * kSendOverhead + put_time(8)));
  CHECK(outcome.messages == 5000 + 2);
}

TEST_CASE("one-sided: what waits for ever is named", "[physics]") {
  const auto error = [](const std::string& calls) {
    return error_of(2, "thread 0 {\nMPI_Win_create bytes=8\n" + calls + "\n}", star(2));
  };
  CHECK(error("ranks 0: MPI_Win_start group=[1]") ==
        "replay deadlocked at 2.8 us: rank 0 waits in MPI_Win_start for rank 1 to post its window "
        "(test:5); rank 1 has finished");
  CHECK(error("ranks 0: MPI_Win_post group=[1]\nranks 0: MPI_Win_wait") ==
        "replay deadlocked at 2.8 us: rank 0 waits in MPI_Win_wait for rank 1 to complete its "
        "accesses (test:6); rank 1 has finished");
  CHECK(
      error(
          "ranks 1: MPI_Win_lock peer=0 exclusive=1\nranks 0: MPI_Win_lock peer=0 | compute 9us") ==
      "replay deadlocked at 11.8 us: rank 0 waits in MPI_Win_lock for a lock of rank 0 (test:6)");
  CHECK(error("ranks 0: MPI_Win_fence") ==
        "replay deadlocked at 3.1 us: rank 0 waits in MPI_Win_fence for rank 1, which has not "
        "entered the collective (test:5); "
        "rank 1 has finished");
}

TEST_CASE(
    "one-sided: a call on no window, a target that it has not, an unlock without a lock are errors",
    "[physics]") {
  const std::string hint = "\n  `reprise trace check` lists further problems of the trace";
  CHECK(error_of(2, "thread 0 {\nranks 1: MPI_Win_fence window=3\n}", star(2)) ==
        "rank 1 in MPI_Win_fence (test:4): uses window 3, which it has not made" + hint);
  CHECK(error_of(2, "thread 0 {\nMPI_Win_create bytes=8\nranks 0: MPI_Put peer=7 bytes=8\n}",
                 star(2)) ==
        "rank 0 in MPI_Put (test:5): names rank 7, which its window does not have" + hint);
  CHECK(error_of(2, "thread 0 {\nMPI_Win_create bytes=8\nranks 0: MPI_Win_unlock peer=1\n}",
                 star(2)) ==
        "rank 0 in MPI_Win_unlock (test:5): unlocks what it has not locked" + hint);
  CHECK(error_of(2, "thread 0 {\nMPI_Win_create bytes=8 window=1000000000000\n}", star(2)) ==
        "test: ranks 0-1, MPI_Win_create at test:4: window: a value above 2147483647");
  CHECK(error_of(2, "thread 0 {\nMPI_Win_create bytes=8\nMPI_Win_create bytes=8\n}", star(2)) ==
        "rank 1 in MPI_Win_create (test:5): makes window 0, which it has already or cannot have" +
            hint);
  CHECK(error_of(2, "thread 0 {\nMPI_Win_create bytes=8\nranks 0: MPI_Win_post group=[null]\n}",
                 star(2)) == "rank 0 in MPI_Win_post (test:5): names no rank in its group" + hint);
}

// Under a sanitizer, which keeps what is freed, memory says nothing.
#if !defined(__SANITIZE_ADDRESS__)

namespace {

// What RUN does and the processes that it starts may take so many bytes more of addresses than this process has.
template <class Run>
sim::Outcome within(rlim_t bytes, Run run) {
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_AS, &before) == 0);
  rlim_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  REQUIRE(pages > 0);
  rlimit limit = before;
  limit.rlim_cur = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + bytes;
  REQUIRE(setrlimit(RLIMIT_AS, &limit) == 0);
  try {
    const sim::Outcome outcome = run();
    setrlimit(RLIMIT_AS, &before);
    return outcome;
  } catch (...) {
    setrlimit(RLIMIT_AS, &before);
    throw;
  }
}

}  // namespace

// System: puts to a lock that is held till the end, and no flush. Expectation: what has ended is forgotten, so that memory does not
// grow with their number: the replay has 24 MB, half a million operations and their requests would take more than 80.
TEST_CASE("window: half a million puts without a flush take no memory that grows", "[physics]") {
  const std::string put =
      "MPI_Win_create bytes=1MB\nranks 0: MPI_Win_lock_all assert=1\n"
      "ranks 0: loop 500000 { MPI_Put peer=1 bytes=8 }\n"
      "ranks 0: MPI_Win_unlock_all";
  const auto outcome =
      within(24 << 20, [&] { return simulate_calls(2, put, uncontended_star(2)); });
  CHECK(finish(outcome, 0) == near(made(2) + 499'999 * kSendOverhead + put_time(8)));
}

#endif

}  // namespace reprise::test
