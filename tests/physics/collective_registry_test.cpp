// SPDX-License-Identifier: MIT
// The registry of collective algorithms: what is offered, and where two libraries' algorithms of one name differ.
#include <catch2/catch.hpp>
#include <cstdint>
#include <set>
#include <utility>

#include "sim/collectives/schedule.hpp"

namespace reprise::test {

using sim::Algorithm;
using sim::CollectiveCall;
using trace_io::Collective;

// 7 elements on 4 members, rank 0, first exchange. Open MPI cuts in the middle: 3 stay, 4 go. MPICH makes 4 pieces of 1, the last one
// longer: 2 stay, 5 go.
TEST_CASE("schedules: halves are cut as the library cuts them", "[collectives]") {
  struct Cut {
    Collective operation;
    const char* algorithm;
    std::int64_t sent;
  };
  for (const Cut& cut :
       {Cut{Collective::reduce, "rabenseifner", 4}, Cut{Collective::allreduce, "rabenseifner", 4},
        Cut{Collective::allreduce, "reduce_scatter_allgather", 5}}) {
    constexpr std::uint64_t kElement = 8;
    CollectiveCall call;
    call.operation = cut.operation;
    call.element_bytes = Bytes{kElement};
    call.bytes = call.receive_bytes = Bytes{7 * kElement};
    call.size = 4;
    const Algorithm* algorithm = sim::find_algorithm(cut.operation, false, cut.algorithm);
    REQUIRE(algorithm != nullptr);
    sim::Position position;
    sim::Steps steps;
    while (steps.empty()) REQUIRE(sim::next_round(*algorithm, call, position, steps));
    REQUIRE(steps.size() == 2);
    CHECK(steps[1].kind == sim::Step::Kind::send);
    CHECK(steps[1].count == cut.sent);
    CHECK(steps[1].bytes.value == kElement * static_cast<std::uint64_t>(cut.sent));
  }
}

TEST_CASE("schedules: every operation has one on every kind of communicator that MPI allows",
          "[collectives]") {
  std::set<std::pair<Collective, bool>> offered;
  for (const auto& algorithm : sim::algorithms()) {
    CHECK_FALSE(algorithm.name.empty());
    CHECK((algorithm.schedule == nullptr) != (algorithm.stages == nullptr));
    CHECK(sim::find_algorithm(algorithm.operation, algorithm.on_intercommunicators,
                              algorithm.name) == &algorithm);
    offered.insert({algorithm.operation, algorithm.on_intercommunicators});
  }
  for (int i = 1; i <= static_cast<int>(Collective::neighbor_alltoallw); ++i) {
    const auto operation = static_cast<Collective>(i);
    CHECK(offered.count({operation, false}) == 1);
    const bool between_groups = operation < Collective::neighbor_allgather &&
                                operation != Collective::scan && operation != Collective::exscan;
    CHECK(offered.count({operation, true}) == (between_groups ? 1 : 0));
  }
}

}  // namespace reprise::test
