// SPDX-License-Identifier: MIT
// Which algorithm is chosen; thresholds as in the libraries' own tables.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/collectives/node_map.hpp"
#include "sim/collectives/selection.hpp"
#include "tests/physics/machines.hpp"
#include "tests/physics/simulate.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::test {
namespace {

using trace_io::Collective;

platforms::Platform choosing(const std::string& selection) {
  auto platform = star(4);
  platform.file = "star.json";
  platform.collectives.selection = selection;
  return platform;
}

std::string chosen(const sim::Selection& selection, Collective operation, int members,
                   std::uint64_t bytes, bool commutes = true, const sim::NodeMap* nodes = nullptr) {
  sim::CollectiveCall call;
  call.operation = operation;
  call.size = members;
  call.bytes = Bytes{bytes};
  call.element_bytes = Bytes{8};
  call.commutes = commutes;
  call.nodes = nodes;
  const std::int64_t whole[] = {static_cast<std::int64_t>(bytes)};
  if (operation == Collective::reduce_scatter) call.receive_list = whole;
  return std::string(selection.choose(call).algorithm->name);
}

std::string chosen_of_shares(const sim::Selection& selection, int members, std::uint64_t bytes) {
  const std::vector<std::int64_t> shares(static_cast<std::size_t>(members),
                                         static_cast<std::int64_t>(bytes));
  sim::CollectiveCall call;
  call.operation = Collective::allgatherv;
  call.size = members;
  call.receive_list = shares;
  return std::string(selection.choose(call).algorithm->name);
}

}  // namespace

TEST_CASE("selection: the recorded library chooses", "[collectives]") {
  CHECK(sim::Selection(choosing("recorded"), "Open MPI 4.1.4").name() == "open-mpi-4.1");
  CHECK(sim::Selection(choosing("recorded"), "MPICH 4.0.2").name() == "mpich-4.0");
  CHECK(sim::Selection(choosing("recorded"), "").name() == "simple");
  CHECK(sim::Selection(choosing("smpi"), "Open MPI 4.1.4").name() == "smpi");
}

TEST_CASE("selection: Open MPI's thresholds", "[collectives]") {
  const sim::Selection selection(choosing("open-mpi-4.1"), "");
  CHECK(chosen(selection, Collective::allreduce, 16, 63) == "segmented_ring");
  CHECK(chosen(selection, Collective::allreduce, 16, 64) == "recursive_doubling");
  CHECK(chosen(selection, Collective::allreduce, 31, 4096) == "rabenseifner");
  CHECK(chosen(selection, Collective::allreduce, 128, 1000) == "nonoverlapping");
  CHECK(chosen(selection, Collective::allreduce, 8, 1 << 20, false) == "nonoverlapping");
  CHECK(chosen(selection, Collective::bcast, 16, 1 << 20) == "scatter_recursive_doubling");
  CHECK(chosen(selection, Collective::bcast, 64, 100) == "knomial");
  CHECK(chosen(selection, Collective::reduce, 64, 100, false) == "in_order_binary");
  CHECK(chosen(selection, Collective::alltoall, 64, 1023) == "bruck");
  CHECK(chosen(selection, Collective::allgather, 64, 512) == "neighbor_exchange");
  CHECK(chosen(selection, Collective::barrier, 64, 0) == "dissemination");
}

// Its sizes are a member's mean share, in bytes. Each algorithm holds from its size to the next, for the fewest and the most members.
TEST_CASE("selection: Open MPI's thresholds of allgatherv", "[collectives]") {
  struct Row {
    std::vector<int> members;
    std::vector<std::pair<std::uint64_t, std::string>> from;
  };
  const std::string linear = "gather_bcast", pairs = "neighbor_exchange",
                    two = "recursive_doubling";
  const std::vector<Row> rows = {
      {{2}, {{0, "ring"}, {2048, two}, {4096, "ring"}, {8192, two}}},
      {{4, 6},
       {{0, linear},
        {256, pairs},
        {4096, "ring"},
        {8192, pairs},
        {16384, "bruck"},
        {262144, pairs}}},
      {{8, 14}, {{0, linear}, {1024, "bruck"}}},
      {{16, 30}, {{0, linear}, {128, "bruck"}, {262144, "ring"}}},
      {{32, 62}, {{0, linear}, {256, "bruck"}, {8192, "ring"}}},
      {{64, 126}, {{0, linear}, {256, "bruck"}, {4096, "ring"}}},
      {{128, 254}, {{0, "bruck"}, {1024, pairs}, {65536, "ring"}}},
      {{256, 510}, {{0, "bruck"}, {1024, "ring"}}},
      {{512, 1022},
       {{0, "bruck"}, {512, linear}, {1024, "bruck"}, {4096, pairs}, {1048576, "ring"}}},
      {{1024, 2000}, {{0, "bruck"}, {4096, pairs}}}};
  const sim::Selection selection(choosing("open-mpi-4.1"), "");
  for (const Row& row : rows)
    for (const int members : row.members)
      for (std::size_t i = 0; i < row.from.size(); ++i) {
        const auto& [size, name] = row.from[i];
        CAPTURE(members, size);
        CHECK(chosen_of_shares(selection, members, size) == name);
        if (i > 0) CHECK(chosen_of_shares(selection, members, size - 1) == row.from[i - 1].second);
      }
}

TEST_CASE("selection: MPICH's thresholds", "[collectives]") {
  const sim::Selection selection(choosing("mpich-4.0"), "");
  CHECK(chosen(selection, Collective::bcast, 16, 12288) == "binomial");
  CHECK(chosen(selection, Collective::bcast, 16, 12289) == "scatter_recursive_doubling");
  CHECK(chosen(selection, Collective::bcast, 15, 12289) == "scatter_ring");
  CHECK(chosen(selection, Collective::allreduce, 16, 8) == "recursive_doubling");
  CHECK(chosen(selection, Collective::allreduce, 16, 15 * 8) ==
        "recursive_doubling");  // fewer elements than ranks
  CHECK(chosen(selection, Collective::allreduce, 16, 16 * 8) == "reduce_scatter_allgather");
  CHECK(chosen(selection, Collective::allgather, 16, 32768) == "ring");
  CHECK(chosen(selection, Collective::allgather, 16, 32767) == "recursive_doubling");
  const sim::NodeMap nodes(std::vector<std::uint32_t>{0, 0, 1, 1});
  CHECK(chosen(selection, Collective::allreduce, 4, 8, true, &nodes) == "two_level");
  CHECK(chosen(selection, Collective::allreduce, 4, 8, false, &nodes) == "recursive_doubling");
}

TEST_CASE("selection: the platform's rules come first, where they can be followed",
          "[collectives]") {
  auto platform = choosing("open-mpi-4.1");
  platform.collectives.rules = {{"allreduce", Bytes{1024}, "ring", Bytes{}, 0, "/a"},
                                {"bcast", std::nullopt, "two_level", Bytes{}, 0, "/b"}};
  const sim::Selection selection(platform, "");
  CHECK(chosen(selection, Collective::allreduce, 16, 1024) == "ring");
  CHECK(chosen(selection, Collective::allreduce, 16, 1025) == "recursive_doubling");
  CHECK(chosen(selection, Collective::allreduce, 16, 1024, false) == "recursive_doubling");
  CHECK(chosen(selection, Collective::bcast, 64, 100) == "knomial");  // no nodes to tell apart
}

TEST_CASE("selection: names that there are not are refused", "[collectives]") {
  auto platform = choosing("open-mpi-4.1");
  platform.collectives.rules = {
      {"scan", std::nullopt, "linea", Bytes{}, 0, "/mpi/collectives/scan"}};
  try {
    sim::Selection selection(platform, "");
    FAIL("accepted");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()) ==
          "star.json at /mpi/collectives/scan: no algorithm \"linea\" for scan\n"
          "  did you mean \"linear\"? there are: recursive_doubling, linear, linear_nb, library");
  }
}

TEST_CASE("collectives: members that reduce with different operators", "[physics]") {
  CHECK(error_of(2, "thread 0 {\nMPI_Allreduce send_bytes=8 commutes={0: 1; 1: 0}\n}", star(2)) ==
        "rank 1 in MPI_Allreduce (test:4): reduces with an operator that does not commute, rank 0 "
        "in MPI_Allreduce (test:4) with one "
        "that does\n  members of a communicator must reduce with one operator");
}

TEST_CASE("collectives: a collective that its root leaves and others never enter", "[physics]") {
  CHECK(error_of(3, "thread 0 {\nranks 0: MPI_Bcast peer=0 send_bytes=8\n}", star(3)) ==
        "rank 0 in MPI_Bcast (test:4): only 1 of 3 members ever enter this collective; rank 1 is "
        "the first that does not\n"
        "  members of a communicator must enter its collectives in one order");
}

TEST_CASE("collectives: the same members on different communicators do not meet", "[physics]") {
  CHECK(error_of(2,
                 "communicator 2: 0 1\ncommunicator 3 copy 1: 0 1\nthread 0 {\nMPI_Barrier "
                 "comm={0: 2; 1: 3}\n}",
                 star(2)) ==
        "replay deadlocked at 300 ns: rank 0 waits in MPI_Barrier for rank 1, which has not "
        "entered the collective (test:6); "
        "rank 1 waits in MPI_Barrier for rank 0, which has not entered the collective (test:6)");
}

TEST_CASE("collectives: different sizes are a loss, and the first one's is used", "[physics]") {
  const auto outcome = simulate_calls(2, "MPI_Bcast peer=0 send_bytes={0: 1kB; 1: 2kB}", star(2));
  CHECK(finish(outcome, 1) == Approx(eager(1e3)));
  REQUIRE(outcome.losses.size() == 1);
  CHECK(outcome.losses[0].name ==
        "collectives entered with another size than the first member's, which was used");
  CHECK(outcome.losses[0].count == 1);
}

TEST_CASE("selection: thresholds are the sizes at which the choice may change", "[collectives]") {
  using Sizes = std::vector<std::uint64_t>;
  auto platform = choosing("simple");
  CHECK(sim::Selection(platform, "").thresholds(Collective::bcast, 8).empty());
  platform.collectives.rules = {{"bcast", Bytes{1024}, "linear", Bytes{}, 0, "/a"},
                                {"bcast", Bytes{64}, "binomial", Bytes{}, 0, "/b"},
                                {"bcast", std::nullopt, "binomial", Bytes{}, 0, "/c"},
                                {"reduce", Bytes{10}, "library", Bytes{}, 0, "/d"}};
  const sim::Selection ruled(platform, "");
  CHECK(ruled.thresholds(Collective::bcast, 8) == Sizes{65, 1025});
  CHECK(ruled.thresholds(Collective::reduce, 8) == Sizes{11});
  CHECK(chosen(ruled, Collective::bcast, 8, 64) == "linear");  // the first rule that fits
  CHECK(chosen(ruled, Collective::bcast, 8, 1025) == "binomial");
  // MPICH's sizes of an allgather are those of all blocks together: 81920 and 524288 over 6 members, rounded up.
  const sim::Selection mpich(choosing("mpich-4.0"), "");
  CHECK(mpich.thresholds(Collective::allgather, 6) == Sizes{13654, 87382});
  CHECK(mpich.thresholds(Collective::allgather, 1) == Sizes{81920, 524288});
}

namespace {

// FNV-1a of every choice of a library on either side of each of its thresholds, for 1 to 5000 members.
std::uint64_t choices_of(const std::string& library) {
  static constexpr Collective kOperations[] = {
      Collective::barrier,        Collective::bcast,
      Collective::reduce,         Collective::allreduce,
      Collective::scan,           Collective::exscan,
      Collective::gather,         Collective::gatherv,
      Collective::scatter,        Collective::scatterv,
      Collective::allgather,      Collective::alltoall,
      Collective::alltoallv,      Collective::alltoallw,
      Collective::reduce_scatter, Collective::reduce_scatter_block};
  const sim::Selection selection(choosing(library), "");
  const sim::NodeMap nodes(std::vector<std::uint32_t>{0, 0, 1, 1});
  std::uint64_t hash = 0xcbf29ce484222325U;
  for (int members = 1; members <= 5000; members += members < 300 ? 1 : members % 256 < 2 ? 1 : 31)
    for (const Collective operation : kOperations)
      for (const bool commutes : {true, false})
        for (const auto* map : {static_cast<const sim::NodeMap*>(nullptr), &nodes}) {
          auto sizes = selection.thresholds(operation, members);
          sizes.insert(sizes.begin(), 0);
          for (const std::uint64_t size : sizes)
            for (const std::uint64_t bytes : {size, size - (size > 0 ? 1 : 0)})
              for (const char c : chosen(selection, operation, members, bytes, commutes, map) + ';')
                hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
        }
  return hash;
}

}  // namespace

// Held as numbers: the tables were transcribed from the libraries' sources (sim/collectives/tables/). Whoever mends a row by its
// source changes its library's number.
TEST_CASE("selection: every choice of each library is the one that was transcribed",
          "[collectives]") {
  CHECK(choices_of("open-mpi-4.1") == 0x9792775886f3dd15U);
  CHECK(choices_of("mpich-4.0") == 0x697c095b2a3d25beU);
  CHECK(choices_of("smpi") == 0xec5562c3f4f0f74dU);
}

}  // namespace reprise::test
