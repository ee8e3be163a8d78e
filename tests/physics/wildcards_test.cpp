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

sim::ReplaySettings by_arrival() {
  sim::ReplaySettings settings;
  settings.wildcards = sim::Wildcards::simulated;
  return settings;
}

}  // namespace

TEST_CASE("wildcards: a receive takes what it took when it was recorded", "[physics]") {
  const std::string calls = kTwoSenders + R"(ranks 0: MPI_Recv peer=any tag=any bytes=8 matched_peer=1 matched_tag=4
      ranks 0: MPI_Recv peer=2 tag=5 bytes=8 | compute 1ms)";
  CHECK(finish(simulate_calls(3, calls, star(3)), 0) == near(1e-3 + eager(8) + 1e-3 + kReceiveOverhead));
}

TEST_CASE("wildcards: by arrival a receive takes what comes first", "[physics]") {
  const std::string calls = kTwoSenders + R"(ranks 0: MPI_Recv peer=any tag=any bytes=8 matched_peer=1 matched_tag=4
      ranks 0: MPI_Recv peer=any tag=any bytes=8 matched_peer=2 matched_tag=5 | compute 5ms)";
  CHECK(finish(simulate_calls(3, calls, star(3), by_arrival()), 0) == near(eager(8) + 5e-3 + kReceiveOverhead));
}

TEST_CASE("wildcards: by arrival, of several that wait the recorded one is taken", "[physics]") {
  // Both have come after 2 ms; taking rank 1's leaves rank 2's for the receive that names it.
  const std::string calls = kTwoSenders + R"(ranks 0: MPI_Recv peer=any tag=any bytes=8 matched_peer=1 matched_tag=4 | compute 2ms
      ranks 0: MPI_Recv peer=2 tag=5 bytes=8)";
  CHECK(finish(simulate_calls(3, calls, star(3), by_arrival()), 0) == near(2e-3 + 2 * kReceiveOverhead));
}

TEST_CASE("wildcards: by arrival a replay may deadlock where the recorded order does not", "[physics]") {
  const std::string body = "thread 0 {\n" + kTwoSenders + R"(ranks 0: MPI_Recv peer=any tag=any bytes=8 matched_peer=1 matched_tag=4
      ranks 0: MPI_Recv peer=2 tag=5 bytes=8
  })";
  CHECK(error_of(3, body, star(3)).empty());
  CHECK(error_of(3, body, star(3), by_arrival()) ==
        "replay deadlocked at 2.808 us: rank 0 waits in MPI_Recv for a message from rank 2, tag 5 (test:7); rank 2 has finished");
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

}  // namespace reprise::test
