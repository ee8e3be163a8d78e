// SPDX-License-Identifier: MIT
// Who sends how much to whom, and what a replay says that it came across.
#include <string>
#include <vector>

#include "sim/engine/observe/observation.hpp"
#include "sim/engine/replay.hpp"
#include "sim/experiment/placement_search.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/near.hpp"
#include "trace-io/text/text.hpp"

namespace reprise::test {
namespace {

using Cell = sim::TrafficPairs::Cell;

trace_io::Trace trace_of(int ranks, const std::string& calls) {
  return trace_io::assemble(
      "reprise-text 1\nranks " + std::to_string(ranks) + "\nthread 0 {\n" + calls + "\n}\n",
      "test");
}

struct Counted {
  sim::Outcome outcome;
  sim::TrafficPairs traffic;
};

Counted counted(int ranks, const std::string& calls, const platforms::Platform& machine,
                bool forwards = true) {
  sim::Observation observation({.pairs = true});
  sim::ReplaySettings settings;
  settings.deltas = sim::Deltas::mean;
  settings.fast_forward = forwards;
  settings.observation = &observation;
  const auto outcome = sim::replay(trace_of(ranks, calls), machine, settings);
  return {outcome, observation.pairs()};
}

std::vector<Cell> row(const sim::TrafficPairs& traffic, std::int32_t from) {
  const auto cells = traffic.row(from);
  return {cells.begin(), cells.end()};
}

const std::string kNested = R"(loop 300 {
    loop 40 { MPI_Sendrecv peer=+1 receive_peer=-1 bytes=(100, 30000, 100)*4000 receive_bytes=30000 | compute 10us }
    MPI_Allreduce send_bytes=8 | compute {0: 10us; 1: 11us; 2: 17us; 3: 12us}
  }
  ranks 2: MPI_Send peer=0 bytes=5
  ranks 0: MPI_Recv peer=2 bytes=5)";

}  // namespace

TEST_CASE("traffic: messages and bytes of each pair that talks", "[physics]") {
  const auto traffic = counted(3, R"(ranks 0: loop 10 { MPI_Send peer=2 bytes=100 }
      ranks 2: loop 10 { MPI_Recv peer=0 bytes=100 }
      ranks 2: MPI_Send peer=1 bytes=7
      ranks 1: MPI_Recv peer=2 bytes=7)",
                               star(3))
                           .traffic;
  CHECK(row(traffic, 0) == std::vector<Cell>{{2, 10, 1000}});
  CHECK(row(traffic, 1).empty());
  CHECK(row(traffic, 2) == std::vector<Cell>{{1, 1, 7}});
}

TEST_CASE("traffic: a collective's messages are those of its algorithm", "[physics]") {
  platforms::Platform machine = star(4);
  machine.collectives.selection = "simple";
  const auto traffic = counted(4, "loop 5 { MPI_Allreduce send_bytes=1000 }", machine).traffic;
  for (std::int32_t rank = 0; rank < 4; ++rank) {  // recursive doubling
    CHECK(traffic.row(rank).size() == 2);
    for (const Cell& cell : traffic.row(rank)) {
      CHECK(((cell.to ^ rank) == 1 || (cell.to ^ rank) == 2));
      CHECK(cell.messages == 5);
      CHECK(cell.bytes == 5000);
    }
  }
}

TEST_CASE("traffic: one-sided transfers count where their bytes go", "[physics]") {
  const auto traffic = counted(2, R"(MPI_Win_create bytes=1MB
      ranks 0: MPI_Put peer=1 bytes=10kB
      ranks 0: MPI_Get peer=1 bytes=30kB
      MPI_Win_fence)",
                               star(2))
                           .traffic;
  CHECK(traffic.bytes() == 40000);
  CHECK(traffic.row(0)[0].bytes == 10000);
  CHECK(traffic.row(1)[0].bytes == 30000);
}

TEST_CASE("traffic: iterations that fast-forward leaves out are counted", "[physics]") {
  const auto full = counted(4, kNested, star(4), false), forwarded = counted(4, kNested, star(4));
  REQUIRE(forwarded.outcome.forwarded.skipped_iterations > 100);
  for (std::int32_t rank = 0; rank < 4; ++rank)
    CHECK(row(forwarded.traffic, rank) == row(full.traffic, rank));
  CHECK(forwarded.traffic.messages() == forwarded.outcome.messages);
  CHECK(full.traffic.messages() == full.outcome.messages);
}

TEST_CASE("traffic: counted by itself it is that of the replay", "[physics]") {
  const auto alone = sim::count_traffic(trace_of(4, kNested), star(4), {});
  const auto full = counted(4, kNested, star(4), false).traffic;
  for (std::int32_t rank = 0; rank < 4; ++rank) CHECK(row(alone, rank) == row(full, rank));
}

TEST_CASE("use of settings: paths, sizes and protocols that messages had", "[physics]") {
  const auto use = counted(3, R"(ranks 0: MPI_Send peer=1 bytes=100
      ranks 1: MPI_Recv peer=0 bytes=100
      ranks 0: MPI_Send peer=2 bytes=100kB | compute 1us
      ranks 2: MPI_Recv peer=0 bytes=100kB)",
                           star(2, 2))
                       .outcome.used;
  CHECK(use.cables == std::vector<std::string>{"intra-node", "node"});
  CHECK(use.inside_nodes.sizes.may_hold(100, 100));
  CHECK_FALSE(use.inside_nodes.sizes.may_hold(101));
  CHECK_FALSE(use.inside_nodes.has_rendezvous);
  CHECK(use.between_nodes.has_rendezvous);
  CHECK(use.between_nodes.by_limit.most() == 100000);
  CHECK(use.computing_nodes == std::vector<std::uint32_t>{0});
  CHECK(use.operations.empty());
  CHECK_FALSE(use.combines);
}

TEST_CASE("use of settings: collectives by name, and whether data was combined", "[physics]") {
  const auto use = counted(2, "MPI_Barrier\nMPI_Allreduce send_bytes=8", star(2)).outcome.used;
  CHECK(use.operations == std::vector<std::string>{"barrier", "allreduce"});
  CHECK(use.combines);
  CHECK_FALSE(use.has_files);
}

TEST_CASE("relative speed: recorded compute times are divided by that of the rank's node",
          "[physics]") {
  platforms::Platform machine = star(3, 2);
  machine.nodes.groups = {{1, 2, std::nullopt, 1, std::nullopt},
                          {2, 2, std::nullopt, 0.5, std::nullopt}};
  const auto outcome = counted(4, "loop 100 { MPI_Barrier | compute 10us }", machine).outcome;
  CHECK(outcome.ranks[0].compute.value == near(1e-3));
  CHECK(outcome.ranks[1].compute.value == near(1e-3));
  CHECK(outcome.ranks[2].compute.value == near(2e-3));
  CHECK(outcome.ranks[3].compute.value == near(2e-3));
  CHECK(outcome.predicted_time.value == near(100 * (20e-6 + 2 * eager(0))).epsilon(0.1));
}

TEST_CASE("relative speed: it counts where all nodes have the same, too", "[physics]") {
  platforms::Platform machine = star(2);
  machine.nodes.relative_speed = 4;
  const auto outcome = counted(2, "loop 100 { MPI_Barrier | compute 10us }", machine).outcome;
  CHECK(outcome.ranks[0].compute.value == near(0.25e-3));
  CHECK(outcome.ranks[1].compute.value == near(0.25e-3));
}

}  // namespace reprise::test
