// SPDX-License-Identifier: MIT
// Calls that no correct program makes, in traces that a reader accepts: a replay ends with an answer or a named error all the same.
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/simulate.hpp"

namespace reprise::test {
namespace {

// Four receives of rank 0, all of which come.
const std::string kFourReceives = R"(ranks 1: loop 4 {
        MPI_Send peer=0 bytes=8
      }
      ranks 0: MPI_Irecv peer=1 bytes=8 request=0
      ranks 0: MPI_Irecv peer=1 bytes=8 request=1
      ranks 0: MPI_Irecv peer=1 bytes=8 request=2
      ranks 0: MPI_Irecv peer=1 bytes=8 request=3
)";

}  // namespace

// The recorded slot is not one of those that it could have changed places with.
TEST_CASE("odd calls: what completed was not handed in", "[physics]") {
  const auto outcome =
      simulate_calls(2, kFourReceives + R"(ranks 0: MPI_Waitsome requests=[0, 1] completed=[2]
      ranks 0: MPI_Waitany requests=[0, 1] completed=[3]
      ranks 0: MPI_Waitall requests=[0, 1] | compute 1ms)",
                     star(2));
  CHECK(finish(outcome, 0) > 1e-3);
  CHECK(error_of(2,
                 "thread 0 {\n" + kFourReceives +
                     "ranks 0: MPI_Waitsome requests=[0, 1] completed=[9]\n}\n",
                 star(2)) ==
        "rank 0 in MPI_Waitsome (test:11): uses request 9, which was never started\n  `reprise "
        "trace check` lists further problems of the trace");
}

// It is waited for twice, and comes once.
TEST_CASE("odd calls: a request is named twice in one call", "[physics]") {
  const auto error_in = [](const std::string& call) {
    return error_of(2, "thread 0 {\n" + kFourReceives + "ranks 0: " + call + "\n}\n", star(2));
  };
  CHECK(error_in("MPI_Waitall requests=[0, 0]").starts_with("replay deadlocked at "));
  CHECK(error_in("MPI_Waitsome requests=[0, 0, 1] completed=[0, 0]")
            .starts_with("replay deadlocked at "));
  CHECK(error_in("MPI_Waitany requests=[0, 1, 0] completed=[0]") == "");
}

TEST_CASE("odd calls: a persistent request is started while it is active", "[physics]") {
  CHECK(error_of(2, R"(thread 0 {
      ranks 0: MPI_Recv_init peer=1 bytes=8 request=0 
      ranks 0: MPI_Start request=0
      ranks 0: MPI_Start request=0
      }
)",
                 star(2)) ==
        "rank 0 in MPI_Start (test:6): starts request 0, which is active\n  `reprise trace check` "
        "lists further problems of the trace");
}

// A slot far from the others, which the table has come near to by then.
TEST_CASE("odd calls: slots that are far apart change places", "[physics]") {
  std::string calls = R"(ranks 1: MPI_Send peer=0 bytes=8 tag=1 | compute 1ms
      ranks 1: MPI_Send peer=0 bytes=8 tag=2
      ranks 0: MPI_Irecv peer=1 bytes=8 tag=2 request=100
      ranks 0: MPI_Irecv peer=1 bytes=8 tag=1 request=0
)";
  for (int slot = 1; slot < 60; ++slot)
    calls += "ranks 0: MPI_Isend peer=null bytes=0 request=" + std::to_string(slot) + "\n";
  calls += R"(ranks 0: MPI_Waitany requests=[100, 0] completed=[100]
      ranks 0: MPI_Waitall requests=[0..59])";
  const auto outcome = simulate_calls(2, calls, star(2));
  CHECK(outcome.reordered_completions == 1);
  CHECK(finish(outcome, 0) == near(1e-3 + eager(8) + kReceiveOverhead));
}

// Sizes fit their own receive alone: whatever else was matched would be cut short, or would not end.
TEST_CASE("odd calls: many posted receives are matched in their order, wherever they stand",
          "[physics]") {
  constexpr int kMany = 90;  // of three tags
  const auto bytes = [](int number) { return std::to_string(1000 + (number / 3) * 10); };
  std::string calls = "ranks 1: MPI_Recv peer=0 bytes=0 tag=9\n";
  for (int i = 0; i < kMany; ++i)
    calls += "ranks 0: MPI_Irecv peer=1 tag=" + std::to_string(i % 3) + " bytes=" + bytes(i) +
             " request=" + std::to_string(i) + "\n";
  calls += "ranks 0: MPI_Send peer=1 bytes=0 tag=9\n";
  for (const int tag : {0, 2, 1})
    for (int i = tag; i < kMany; i += 3)
      calls += "ranks 1: MPI_Send peer=0 tag=" + std::to_string(tag) + " bytes=" + bytes(i) + "\n";
  calls += "ranks 0: MPI_Waitall requests=[0.." + std::to_string(kMany - 1) + "]";
  CHECK(simulate_calls(2, calls, star(2)).messages == kMany + 1);
}

}  // namespace reprise::test
