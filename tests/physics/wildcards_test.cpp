// SPDX-License-Identifier: MIT
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/simulate.hpp"

namespace reprise::test {
namespace {

// Rank 2's message comes first; when it was recorded, rank 1's did.
const std::string kTwoSenders = R"(ranks 1: MPI_Send peer=0 tag=4 bytes=8 | compute 1ms
      ranks 2: MPI_Send peer=0 tag=5 bytes=8
)";

sim::ReplaySettings as_recorded() {
  sim::ReplaySettings settings;
  settings.wildcards = sim::Wildcards::recorded;
  return settings;
}

// Three requests to a master that answers each as it comes; recorded in the order 3, 2, 1, here they come in the order 1, 2, 3.
const std::string kMaster = R"(ranks 1: MPI_Send peer=0 tag=1 bytes=8 | compute 1ms
      ranks 2: MPI_Send peer=0 tag=1 bytes=8 | compute 3ms
      ranks 3: MPI_Send peer=0 tag=1 bytes=8 | compute 5ms
      ranks 0: MPI_Recv peer=any tag=1 bytes=8 matched_peer=3
      ranks 0: MPI_Send peer=3 tag=2 bytes=8 | compute 1ms
      ranks 0: MPI_Recv peer=any tag=1 bytes=8 matched_peer=2
      ranks 0: MPI_Send peer=2 tag=2 bytes=8 | compute 1ms
      ranks 0: MPI_Recv peer=any tag=1 bytes=8 matched_peer=1
      ranks 0: MPI_Send peer=1 tag=2 bytes=8 | compute 1ms
      ranks 1-3: MPI_Recv peer=0 tag=2 bytes=8)";

}  // namespace

TEST_CASE("wildcards: as recorded, a receive takes what it took then", "[physics]") {
  const std::string calls =
      kTwoSenders + R"(ranks 0: MPI_Recv peer=any tag=any bytes=8 matched_peer=1 matched_tag=4
      ranks 0: MPI_Recv peer=any tag=any bytes=8 matched_peer=2 matched_tag=5 | compute 1ms)";
  const auto outcome = simulate_calls(3, calls, star(3), as_recorded());
  CHECK(finish(outcome, 0) == near(1e-3 + eager(8) + 1e-3 + kReceiveOverhead));
  CHECK(outcome.reordered_wildcards == 0);
}

TEST_CASE("wildcards: a receive takes what comes first", "[physics]") {
  const std::string calls =
      kTwoSenders + R"(ranks 0: MPI_Recv peer=any tag=any bytes=8 matched_peer=1 matched_tag=4
      ranks 0: MPI_Recv peer=any tag=any bytes=8 matched_peer=2 matched_tag=5 | compute 5ms)";
  const auto outcome = simulate_calls(3, calls, star(3));
  CHECK(finish(outcome, 0) == near(eager(8) + 5e-3 + kReceiveOverhead));
  CHECK(outcome.reordered_wildcards == 1);
}

TEST_CASE("wildcards: a message that a later call names is left to it", "[physics]") {
  const std::string calls =
      kTwoSenders + R"(ranks 0: MPI_Recv peer=any tag=any bytes=8 matched_peer=1 matched_tag=4
      ranks 0: MPI_Recv peer=2 tag=5 bytes=8)";
  const auto outcome = simulate_calls(3, calls, star(3));
  CHECK(finish(outcome, 0) == near(1e-3 + eager(8) + kReceiveOverhead));
  CHECK(outcome.reordered_wildcards == 0);
}

TEST_CASE("wildcards: of messages that come at one moment the recorded one is taken", "[physics]") {
  const auto outcome = simulate_calls(3, R"(ranks 1-2: MPI_Send peer=0 bytes=8
      ranks 0: loop 2 {
        MPI_Recv peer=any tag=0 bytes=8 matched_peer=absolute:(10, 9)
      })",
                                      uncontended_star(3));
  CHECK(outcome.reordered_wildcards == 0);
  CHECK(finish(outcome, 0) == near(eager(8) + kReceiveOverhead));
}

// Of a replay that says whether some of a rank's wildcards had to take the recorded message, although another sender's could have come.
TEST_CASE("wildcards: it is known where the recorded order was kept", "[physics]") {
  const auto kept = [](const std::string& calls, const sim::ReplaySettings& settings = {}) {
    return simulate_calls(3, kTwoSenders + calls, star(3), settings).kept_wildcards;
  };
  const std::string blocking =
      "ranks 0: MPI_Recv peer=any tag=any bytes=8 matched_peer=1 matched_tag=4\n"
      "ranks 0: MPI_Recv peer=any tag=any bytes=8 matched_peer=2 matched_tag=5";
  CHECK_FALSE(kept(blocking));
  CHECK(kept(blocking, as_recorded()));
  const std::string pending =
      "ranks 0: MPI_Irecv peer=any tag=any bytes=8 request=0\n"
      "ranks 0: MPI_Irecv peer=any tag=any bytes=8 request=1\n"
      "ranks 0: MPI_Waitall requests=[0,1] ";
  CHECK(kept(pending + "matched_peers=[1,2] matched_tags=[4,5]"));
  // Rank 2's message comes first, and is of a call that cannot be brought forward.
  CHECK(
      kept("ranks 0: MPI_Recv peer=any tag=any bytes=8 matched_peer=1 matched_tag=4\n"
           "ranks 0: MPI_Recv peer=2 tag=5 bytes=8"));
}

TEST_CASE("wildcards: with one sender there is no order to keep", "[physics]") {
  const auto outcome = simulate_calls(2, R"(ranks 1: MPI_Send peer=0 bytes=8
      ranks 1: MPI_Send peer=0 bytes=8
      ranks 0: loop 2 {
        MPI_Recv peer=any tag=0 bytes=8 matched_peer=1
      })",
                                      star(2), as_recorded());
  CHECK_FALSE(outcome.kept_wildcards);
}

// A master answers whoever asks first: the answer goes with the request, and nobody waits for another's.
TEST_CASE("wildcards: the calls that follow a receive go with the sender that it found",
          "[physics]") {
  const auto outcome = simulate_calls(4, kMaster, star(4));
  const double answered = eager(8) + 1e-3 + eager(8);
  CHECK(finish(outcome, 1) == near(1e-3 + answered));
  CHECK(finish(outcome, 2) == near(3e-3 + answered));
  CHECK(finish(outcome, 3) == near(5e-3 + answered));
  CHECK(outcome.reordered_wildcards == 2);
  const auto recorded = simulate_calls(4, kMaster, star(4), as_recorded());
  CHECK(finish(recorded, 3) == near(5e-3 + answered));
  CHECK(finish(recorded, 1) ==
        near(5e-3 + answered + 2 * (kReceiveOverhead + 1e-3 + kSendOverhead)));
  CHECK(outcome.ranks[0].compute.value == near(recorded.ranks[0].compute.value));
}

TEST_CASE(
    "wildcards: a probe takes what comes first, and the receive that names its sender follows",
    "[physics]") {
  const std::string calls =
      kTwoSenders + R"(ranks 0: MPI_Probe peer=any tag=any matched_peer=1 matched_tag=4
      ranks 0: MPI_Recv peer=1 tag=4 bytes=8
      ranks 0: MPI_Probe peer=any tag=any matched_peer=2 matched_tag=5 | compute 5ms
      ranks 0: MPI_Recv peer=2 tag=5 bytes=8)";
  const auto outcome = simulate_calls(3, calls, star(3));
  CHECK(finish(outcome, 0) == near(eager(8) + 5e-3 + kReceiveOverhead));
  CHECK(outcome.reordered_wildcards == 1);
}

// Two workers that were served in turn when it was recorded. Here one takes a third of the other's time, and is ahead by ever more tasks.
TEST_CASE("wildcards: workers that drift apart do not wait for each other", "[physics]") {
  const std::string calls = R"(ranks 1: loop 500 {
        MPI_Send peer=0 tag=1 bytes=8 | compute 1s
        MPI_Recv peer=0 tag=2 bytes=8
      }
      ranks 2: loop 500 {
        MPI_Send peer=0 tag=1 bytes=8 | compute 3.3s
        MPI_Recv peer=0 tag=2 bytes=8
      }
      ranks 0: loop 500 {
        MPI_Recv peer=any tag=1 bytes=8 matched_peer=1
        MPI_Send peer=1 tag=2 bytes=8
        MPI_Recv peer=any tag=1 bytes=8 matched_peer=2
        MPI_Send peer=2 tag=2 bytes=8
      })";
  const auto outcome = simulate_calls(3, calls, star(3));
  CHECK(finish(outcome, 1) == Approx(500 * 1.0).margin(0.1));
  CHECK(finish(outcome, 2) == Approx(500 * 3.3).margin(0.1));
  CHECK(finish(outcome, 0) == Approx(500 * 3.3).margin(0.1));
  CHECK_FALSE(outcome.kept_wildcards);
  // Worker 1's tasks while worker 2 is at its first, and so on: 2.3 more each time, until there are none.
  CHECK(outcome.reordered_wildcards > 300);
  CHECK(finish(simulate_calls(3, calls, star(3), as_recorded()), 1) == Approx(500 * 3.3).margin(4));
}

TEST_CASE("wildcards: a call with others ends the window", "[physics]") {
  // The second receive's message must not be taken by the first: between them all ranks meet.
  const auto outcome = simulate_calls(
      3, kTwoSenders + R"(ranks 0: MPI_Recv peer=any tag=any bytes=8 matched_peer=1 matched_tag=4
      ranks 0: MPI_Barrier comm=1
      ranks 0: MPI_Recv peer=any tag=any bytes=8 matched_peer=2 matched_tag=5)",
      star(3));
  CHECK(outcome.reordered_wildcards == 0);
  CHECK(finish(outcome, 0) == near(1e-3 + eager(8) + kReceiveOverhead));
}

TEST_CASE("wildcards: large messages go by rendezvous with whoever comes first", "[physics]") {
  const auto outcome = simulate_calls(3, R"(ranks 1: MPI_Send peer=0 bytes=1MB | compute 8ms
      ranks 2: MPI_Send peer=0 bytes=1MB
      ranks 0: loop 2 {
        MPI_Recv peer=any tag=0 bytes=1MB matched_peer=absolute:(9, 10)
      })",
                                      star(3));
  CHECK(finish(outcome, 2) == near(rendezvous(1e6) - kReceiveOverhead));
  CHECK(finish(outcome, 0) == near(8e-3 + rendezvous(1e6)));
}

// System: rank 1 asks, then needs rank 2's word before it takes the answer, and rank 2 gives it after its own answer. Rank 1 comes
// first here; when it was recorded, rank 2 did. Answers are synchronous.
// Expectation: serving rank 1 first deadlocks; the replay is repeated with the recorded order and says so.
TEST_CASE("wildcards: where their order deadlocks the recorded one is replayed", "[physics]") {
  const auto outcome = simulate_calls(3, R"(ranks 1: MPI_Send peer=0 bytes=8
      ranks 2: MPI_Send peer=0 bytes=8 | compute 1ms
      ranks 0: loop 2 {
        MPI_Recv peer=any tag=0 bytes=8 matched_peer=absolute:(10, 9)
        MPI_Ssend peer=absolute:(10, 9) tag=1 bytes=8
      }
      ranks 1: MPI_Recv peer=2 tag=2 bytes=8
      ranks 1-2: MPI_Recv peer=0 tag=1 bytes=8
      ranks 2: MPI_Send peer=1 tag=2 bytes=8)",
                                      star(3));
  CHECK(outcome.wildcards_as_recorded);
  CHECK(outcome.reordered_wildcards == 0);
  CHECK(finish(outcome, 2) > 1e-3);
}

// System: two non-blocking wildcard receives; their matches are known to the trace only at the Waitall.
// Expectation: the first takes rank 1's message although rank 2's comes first; so rank 1's lateness is what slot 0 waits for.
TEST_CASE("wildcards: a non-blocking receive knows its match before its wait", "[physics]") {
  const std::string calls = kTwoSenders + R"(ranks 0: MPI_Irecv peer=any tag=any bytes=8 request=0
      ranks 0: MPI_Irecv peer=any tag=any bytes=8 request=1
      ranks 0: MPI_Wait request=1 matched_peer=2 matched_tag=5
      ranks 0: MPI_Wait request=0 matched_peer=1 matched_tag=4)";
  const auto outcome = simulate_calls(3, calls, star(3));
  CHECK(finish(outcome, 0) == near(1e-3 + eager(8)));
  CHECK(outcome.ranks[0].wait.value == near(kSendOverhead + (1e-3 + kSendOverhead - eager(8))));
}

TEST_CASE("wildcards: persistent receives find a match at every start", "[physics]") {
  const std::string calls = R"(ranks 1: MPI_Send peer=0 bytes=8 | compute 1ms
      ranks 2: MPI_Send peer=0 bytes=8 | compute 3ms
      ranks 0: MPI_Recv_init peer=any tag=0 bytes=8 request=0
      ranks 0: loop 2 {
        MPI_Start request=0
        MPI_Wait request=0 matched_peer=absolute:(10, 9)
      })";
  const auto outcome = simulate_calls(3, calls, star(3));
  CHECK(finish(outcome, 0) == near(3e-3 + eager(8) + kReceiveOverhead));
}

TEST_CASE("wildcards: a receive cancelled when it was recorded takes nothing", "[physics]") {
  const std::string calls = R"(ranks 1: MPI_Send peer=0 bytes=8
      ranks 0: MPI_Irecv peer=any tag=0 bytes=8 request=0
      ranks 0: MPI_Recv peer=1 bytes=8
      ranks 0: MPI_Cancel request=0
      ranks 0: MPI_Wait request=0)";
  CHECK(finish(simulate_calls(2, calls, star(2)), 0) == near(eager(8)));
}

// A master as above that answers by non-blocking sends and waits for them: what is started and completed with one sender moves with it.
TEST_CASE("wildcards: non-blocking answers go with the sender as well", "[physics]") {
  const auto outcome = simulate_calls(3, R"(ranks 1: MPI_Send peer=0 tag=4 bytes=8 | compute 5ms
      ranks 2: MPI_Send peer=0 tag=4 bytes=8
      ranks 0: MPI_Recv peer=any tag=4 bytes=8 matched_peer=1
      ranks 0: MPI_Isend peer=1 tag=6 bytes=8 request=0
      ranks 0: MPI_Wait request=0
      ranks 0: MPI_Recv peer=any tag=4 bytes=8 matched_peer=2
      ranks 0: MPI_Irecv peer=2 tag=7 bytes=8 request=0
      ranks 0: MPI_Isend peer=2 tag=6 bytes=8 request=1
      ranks 0: MPI_Wait request=1
      ranks 0: MPI_Wait request=0
      ranks 1-2: MPI_Recv peer=0 tag=6 bytes=8
      ranks 2: MPI_Send peer=0 tag=7 bytes=8)",
                                      star(3));
  CHECK(outcome.reordered_wildcards == 1);
  CHECK(finish(outcome, 2) < 1e-3);
  CHECK(finish(outcome, 1) == near(5e-3 + 2 * eager(8)));
}

}  // namespace reprise::test
