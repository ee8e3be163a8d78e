// SPDX-License-Identifier: MIT
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/simulate.hpp"

namespace reprise::test {

TEST_CASE("uncontended: flows do not see each other", "[physics]") {
  sim::ReplaySettings settings;
  settings.network = sim::NetworkKind::uncontended;
  const auto outcome = simulate_calls(3, R"(ranks 0-1: MPI_Rsend peer=2 bytes=1MB
      ranks 2: MPI_Irecv peer=0 bytes=1MB request=0
      ranks 2: MPI_Irecv peer=1 bytes=1MB request=1
      ranks 2: MPI_Waitall requests=[0, 1])",
                                      star(3), settings);
  CHECK(finish(outcome, 2) == near(kSendOverhead + wire(1e6) + 2 * kReceiveOverhead));
  CHECK(outcome.network == "uncontended");
}

}  // namespace reprise::test
