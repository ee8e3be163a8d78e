// SPDX-License-Identifier: MIT
#include <fstream>
#include <string>
#include <string_view>

#include "sim/network/network_model.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "tests/physics/simulate.hpp"

namespace reprise::test {

// System: two senders, one receiving node: its down link is the bottleneck of both flows.
// Expectation: each gets B/2 because max-min sharing is equal on the only saturated link.
TEST_CASE("flow: two flows share a link half and half", "[physics]") {
  const auto outcome = simulate_calls(3, R"(ranks 0-1: MPI_Rsend peer=2 bytes=1MB
      ranks 2: MPI_Irecv peer=0 bytes=1MB request=0
      ranks 2: MPI_Irecv peer=1 bytes=1MB request=1
      ranks 2: MPI_Waitall requests=[0, 1])",
                                      star(3));
  CHECK(finish(outcome, 2) ==
        near(kSendOverhead + kLatency + 2e6 / kBandwidth + 2 * kReceiveOverhead));
}

// System: the second flow starts when a quarter of the first has gone through.
// Expectation: first: 1/4 alone, then B/2 until done; second: B/2 while both, then alone.
TEST_CASE("flow: a flow that comes later takes its share from then on", "[physics]") {
  const double alone = 1e6 / kBandwidth;
  const auto outcome = simulate_calls(4, R"(ranks 0: MPI_Rsend peer=2 bytes=1MB
      ranks 1: MPI_Rsend peer=3 bytes=1MB | compute 250us
      ranks 2: MPI_Recv peer=0 bytes=1MB
      ranks 3: MPI_Recv peer=1 bytes=1MB)",
                                      [] {
                                        // All through one switch above two pods: both flows climb out of pod 0.
                                        auto machine = fat_tree(2, 2);
                                        return machine;
                                      }());
  // Up link of the pod: shared from 250 us on. First: 250 + 750 · 2; second: 1500 us shared, a quarter left alone.
  const double start = kSendOverhead + 2 * kLatency;
  CHECK(finish(outcome, 2) == near(start + 0.25 * alone + 1.5 * alone + kReceiveOverhead));
  CHECK(finish(outcome, 3) ==
        near(start + 0.25 * alone + 1.5 * alone + 0.25 * alone + kReceiveOverhead));
}

// System: one node sends to two; its up link carries both.
TEST_CASE("flow: a node's messages share its link out", "[physics]") {
  const auto outcome = simulate_calls(3, R"(ranks 0: MPI_Irsend peer=1 bytes=1MB request=0
      ranks 0: MPI_Irsend peer=2 bytes=1MB request=1
      ranks 0: MPI_Waitall requests=[0, 1]
      ranks 1-2: MPI_Recv peer=0 bytes=1MB)",
                                      star(3));
  // The first has the link alone for one send overhead, so it ends that much before the second.
  const double first_start = kSendOverhead + kLatency;
  const double ahead = kSendOverhead * kBandwidth;
  const double first_end = first_start + kSendOverhead + 2 * (1e6 - ahead) / kBandwidth;
  CHECK(finish(outcome, 1) == near(first_end + kReceiveOverhead));
  CHECK(finish(outcome, 2) == near(first_end + ahead / kBandwidth + kReceiveOverhead));
}

TEST_CASE("networks: docs/MODEL.md has a row for each model, with its summary", "[physics]") {
  std::ifstream file(REPRISE_MODEL_MD);
  std::string table, row, rows;
  for (const std::string_view name : sim::network_names()) {
    const auto kind = sim::find_network(name);
    REQUIRE(kind.has_value());
    CHECK(sim::name_of(*kind) == name);
    rows += "| `" + std::string(name) + "` | " + std::string(sim::model_of(*kind).summary) + " |\n";
  }
  while (std::getline(file, row) && row != "| network | messages share links |") continue;
  std::getline(file, row);
  while (std::getline(file, row) && !row.empty()) table += row + "\n";
  CHECK(table == rows);
  CHECK_FALSE(sim::find_network("flo"));
}

TEST_CASE("flow: opposite directions of a full-duplex link do not meet, of a shared one they do",
          "[physics]") {
  const std::string calls = "MPI_Sendrecv peer=^1 bytes=60kB receive_peer=^1 receive_bytes=60kB";
  CHECK(simulate_calls(2, calls, star(2)).predicted_time.value == near(eager(60e3)));
  CHECK(simulate_calls(2, calls, star(2, 1, platforms::Sharing::kShared)).predicted_time.value ==
        near(eager(120e3)));
}

TEST_CASE("placement: ranks of one node talk over its own path", "[physics]") {
  const std::string calls = R"(ranks 0: MPI_Send peer=1 bytes=8kB
      ranks 1: MPI_Recv peer=0 bytes=8kB)";
  sim::ReplaySettings cyclic;
  cyclic.placement = platforms::PlacementOrder::kCyclic;
  const double inside = kSendOverhead + kNodeLatency + 8e3 / kNodeBandwidth + kReceiveOverhead;
  CHECK(finish(simulate_calls(4, calls, star(2, 2)), 1) == near(inside));
  CHECK(finish(simulate_calls(4, calls, star(2, 2), cyclic), 1) == near(eager(8e3)));
}

TEST_CASE("fat tree: a route through the upper switch has twice the latency", "[physics]") {
  const auto time = [](int peer) {
    const std::string p = std::to_string(peer);
    return finish(simulate_calls(4,
                                 "ranks 0: MPI_Send peer=" + p + " bytes=8kB\nranks " + p +
                                     ": MPI_Recv peer=0 bytes=8kB",
                                 fat_tree(2, 2)),
                  peer);
  };
  CHECK(time(1) == near(eager(8e3)));
  CHECK(time(2) == near(eager(8e3) + kLatency));
}

// System: a random-looking exchange that never contends: neighbours in pairs, sizes and computing times of their own.
TEST_CASE("flow: without contention it gives the times of the uncontended network", "[physics]") {
  std::string calls =
      "loop 20 {\nMPI_Sendrecv peer=^1 bytes=(100, 5000, 70000, 900000)*5 receive_peer=^1 "
      "receive_bytes=1MB"
      " | compute {0: 3us; 1: 5us; 2: 40us; 3: 1us}\n}";
  sim::ReplaySettings settings;
  settings.network = sim::NetworkKind::uncontended;
  const auto flow = simulate_calls(4, calls, star(4)),
             bare = simulate_calls(4, calls, star(4), settings);
  for (int rank = 0; rank < 4; ++rank) CHECK(finish(flow, rank) == near(finish(bare, rank)));
}

// System: eight ranks, everyone to everyone with delays of their own: flows join and leave links all the time.
// Expectation: what crosses the links is conserved: no link can have carried its bytes faster than its bandwidth.
TEST_CASE("flow: a busy link is never faster than its bandwidth", "[physics]") {
  const auto outcome = simulate_calls(8, R"(loop 10 {
      MPI_Alltoallv send_bytes_list=[30000*8] receive_bytes_list=[30000*8] | compute {0: 0us; 1: 3us; 2: 7us; 3: 31us; 4: 1us; 5: 9us; 6: 14us; 7: 2us}
    })",
                                      star(8));
  CHECK(outcome.predicted_time.value > 10 * 7 * 30000 / kBandwidth);
  CHECK(outcome.predicted_time.value <
        10 * (7 * 30000 / kBandwidth + 31e-6 + 7 * (kSendOverhead + kReceiveOverhead) + 40e-6));
}

}  // namespace reprise::test
