// SPDX-License-Identifier: MIT
// Every algorithm on 1 … 65 members and several roots: everyone ends up with exactly what MPI promises.
//
// Vectors are cut into elements of 8 bytes: one; a few more than there are members, the last of them short; and so many that each
// member's share takes several segments, the last of them short. Pipelines also run in segments, trees with three children, two
// levels with members dealt out to nodes in blocks and in turns.
#include "tests/physics/collective_symbols.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <set>

#include "sim/collectives/node_map.hpp"

namespace reprise::test {
namespace {

using sim::Algorithm;
using sim::CollectiveCall;
using trace_io::Collective;

constexpr int kMost = 65, kMostLaps = 9;
constexpr std::uint64_t kElement = 8;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::set<int> roots(int n) { return {0, 1 % n, n / 2, n - 1}; }

CollectiveCall call_of(Collective operation, int elements = 3, int root = 0) {
  CollectiveCall call;
  call.operation = operation;
  call.root = root;
  call.element_bytes = Bytes{kElement};
  call.bytes = call.receive_bytes = Bytes{kElement * static_cast<std::uint64_t>(elements)};
  return call;
}

// The item that member `from` sends to member `to`.
int item(int from, int to) { return from * 128 + to; }

// CHECK for every algorithm of the operation, every number of members and way of tuning it.
using Check = std::function<void(const Algorithm&, int n, const CollectiveCall& tuned)>;
void for_every_algorithm(Collective operation, const Check& check) {
  int algorithms = 0;
  for (const Algorithm& algorithm : sim::algorithms()) {
    if (algorithm.operation != operation || algorithm.on_intercommunicators) continue;
    ++algorithms;
    for (int n = 1; n <= kMost; ++n) {
      INFO(algorithm.name << " on " << n);
      std::vector<std::uint32_t> in_blocks, in_turns;
      for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(n); ++i) {
        in_blocks.push_back(i / 4);
        in_turns.push_back(i % 3);
      }
      const sim::NodeMap blocks(in_blocks), turns(in_turns);
      CollectiveCall tuned = call_of(operation);
      tuned.nodes = &blocks;
      check(algorithm, n, tuned);
      tuned.nodes = &turns;
      tuned.segment = Bytes{4 * kElement};
      tuned.fanout = 3;
      check(algorithm, n, tuned);
    }
  }
  CHECK(algorithms > 0);
}

// The same, for vectors of several lengths.
void for_every_vector(Collective operation, const Check& check) {
  for_every_algorithm(operation,
                      [&](const Algorithm& algorithm, int n, const CollectiveCall& tuned) {
                        const auto check_bytes = [&](std::uint64_t bytes) {
                          CollectiveCall call = tuned;
                          call.bytes = Bytes{bytes};
                          check(algorithm, n, call);
                        };
                        const auto members = static_cast<std::uint64_t>(n);
                        check_bytes(kElement);
                        check_bytes(kElement * (members + 3) - 3);
                        // Blocks of 10 and 11 elements in segments of 4: three laps of a segmented ring.
                        if (n <= kMostLaps) check_bytes(kElement * (10 * members + 3));
                      });
}

int elements_of(const CollectiveCall& call) {
  return static_cast<int>((call.bytes.value + kElement - 1) / kElement);
}

// Members with the vector's elements as blocks.
std::vector<Party> with_elements(int n, const CollectiveCall& call) {
  const int elements = elements_of(call);
  auto parties = members(n, call, elements);
  std::vector<std::uint64_t> bytes(at(elements), kElement);
  bytes.back() = call.bytes.value - kElement * static_cast<std::uint64_t>(elements - 1);
  for (auto& party : parties) party.block_bytes = bytes;
  return parties;
}
// Members with one block of each.
std::vector<Party> with_blocks(int n, const CollectiveCall& call,
                               const std::vector<std::int64_t>& sizes = {}) {
  auto parties = members(n, call, n);
  for (auto& party : parties) {
    party.block_bytes.assign(at(n), call.bytes.value);
    for (std::size_t i = 0; i < sizes.size(); ++i)
      party.block_bytes[i] = static_cast<std::uint64_t>(sizes[i]);
  }
  return parties;
}

// Inner nodes of the tree that scatters the data get pieces again when all are gathered, the root of a bcast in two levels gets the
// data back from its node's leader, and members their own blocks from the rank that has gathered all.
bool receives_what_it_has(const Algorithm& algorithm) {
  return algorithm.name.starts_with("scatter_") || algorithm.name == "two_level" ||
         algorithm.name == "gather_bcast";
}

void put_rank_everywhere(std::vector<Party>& parties) {
  for (auto& party : parties)
    for (std::size_t i = 0; i < party.work.size(); ++i)
      party.input[i] = party.work[i] = {party.call.rank};
}

bool all_are(const std::vector<Content>& blocks, const Content& content) {
  return std::all_of(blocks.begin(), blocks.end(),
                     [&](const Content& block) { return block == content; });
}
// Whether each of the n blocks holds its own number.
bool are_numbered(const std::vector<Content>& blocks) {
  for (std::size_t i = 0; i < blocks.size(); ++i)
    if (blocks[i] != Content{static_cast<int>(i)}) return false;
  return true;
}

std::vector<Party> everyone_to_everyone(int n, const CollectiveCall& call) {
  auto parties = members(n, call, n);
  for (auto& party : parties) {
    if (call.operation == Collective::alltoall) party.block_bytes.assign(at(n), call.bytes.value);
    for (int to = 0; to < n; ++to) party.input[at(to)] = {item(party.call.rank, to)};
    party.work[at(party.call.rank)] =
        party.input[at(party.call.rank)];  // the own block is copied, not sent
  }
  return parties;
}

// Whether order is kept can be seen, but for the linear ones, in which the root's own data joins in its turn.
bool shows_order(const Algorithm& algorithm) {
  return !algorithm.only_commuting && algorithm.name != "linear" &&
         algorithm.name != "linear_nb_binomial";
}

}  // namespace

TEST_CASE("schedules: barrier makes everyone know of everyone", "[collectives]") {
  for_every_algorithm(Collective::barrier,
                      [](const Algorithm& algorithm, int n, const CollectiveCall& tuned) {
                        CollectiveCall call = tuned;
                        call.bytes = Bytes{};
                        auto parties = members(n, call, 1);
                        put_rank_everywhere(parties);
                        REQUIRE(execute(algorithm, parties) == "");
                        // In two levels word of the others comes with the last stage, a bcast of nothing: its blocks hold nothing.
                        for (const auto& party : parties)
                          CHECK((party.work[0] == up_to(n) || algorithm.name == "two_level"));
                      });
}

TEST_CASE("schedules: bcast gives everyone the root's data", "[collectives]") {
  for_every_vector(
      Collective::bcast, [](const Algorithm& algorithm, int n, const CollectiveCall& tuned) {
        for (const int root : roots(n)) {
          CollectiveCall call = tuned;
          call.root = root;
          auto parties = with_elements(n, call);
          for (int i = 0; i < elements_of(call); ++i) parties[at(root)].work[at(i)] = {i};
          const auto expected = parties[at(root)].work;
          REQUIRE(execute(algorithm, parties, false, receives_what_it_has(algorithm)) == "");
          for (const auto& party : parties) {
            const bool has_it = party.work == expected;
            CHECK(has_it);
          }
        }
      });
}

TEST_CASE(
    "schedules: reduce gives the root everyone's data, in order where the operation asks for it",
    "[collectives]") {
  for_every_vector(
      Collective::reduce, [](const Algorithm& algorithm, int n, const CollectiveCall& tuned) {
        for (const int root : roots(n))
          for (const bool commutes : {true, false}) {
            if (!commutes && algorithm.only_commuting) continue;
            CollectiveCall call = tuned;
            call.root = root;
            call.commutes = commutes;
            auto parties = with_elements(n, call);
            put_rank_everywhere(parties);
            REQUIRE(execute(algorithm, parties, !commutes && shows_order(algorithm)) == "");
            CHECK(all_are(parties[at(root)].work, up_to(n)));
          }
      });
}

TEST_CASE(
    "schedules: allreduce gives everyone everyone's data, in order where the operation asks for it",
    "[collectives]") {
  for_every_vector(Collective::allreduce,
                   [](const Algorithm& algorithm, int n, const CollectiveCall& tuned) {
                     CollectiveCall call = tuned;
                     call.commutes = algorithm.only_commuting;
                     auto parties = with_elements(n, call);
                     put_rank_everywhere(parties);
                     REQUIRE(execute(algorithm, parties, shows_order(algorithm)) == "");
                     for (const auto& party : parties) CHECK(all_are(party.work, up_to(n)));
                   });
}

TEST_CASE("schedules: scan gives the data of the ranks up to one's own, exscan of those below",
          "[collectives]") {
  for (const Collective operation : {Collective::scan, Collective::exscan})
    for_every_algorithm(operation,
                        [](const Algorithm& algorithm, int n, const CollectiveCall& call) {
                          auto parties = members(n, call, 2);
                          for (auto& party : parties)
                            party.input[0] = party.work[0] = {party.call.rank};
                          REQUIRE(execute(algorithm, parties) == "");
                          for (const auto& party : parties)
                            CHECK(party.work[1] == up_to(party.call.rank));
                        });
}

TEST_CASE("schedules: gather gives the root everyone's block", "[collectives]") {
  for_every_algorithm(Collective::gather,
                      [](const Algorithm& algorithm, int n, const CollectiveCall& tuned) {
                        for (const int root : roots(n)) {
                          CollectiveCall call = tuned;
                          call.root = root;
                          auto parties = with_blocks(n, call);
                          if (algorithm.name == "linear_sync")  // a block in two messages
                            for (auto& party : parties) party.block_bytes.clear();
                          for (int i = 0; i < n; ++i) parties[at(i)].work[at(i)] = {i};
                          REQUIRE(execute(algorithm, parties) == "");
                          CHECK(are_numbered(parties[at(root)].work));
                        }
                      });
}

TEST_CASE("schedules: scatter gives everyone its block", "[collectives]") {
  for_every_algorithm(Collective::scatter,
                      [](const Algorithm& algorithm, int n, const CollectiveCall& tuned) {
                        for (const int root : roots(n)) {
                          CollectiveCall call = tuned;
                          call.root = root;
                          auto parties = with_blocks(n, call);
                          for (int block = 0; block < n; ++block)
                            parties[at(root)].work[at(block)] = {block};
                          REQUIRE(execute(algorithm, parties) == "");
                          for (int rank = 0; rank < n; ++rank)
                            CHECK(parties[at(rank)].work[at(rank)] == Content{rank});
                        }
                      });
}

TEST_CASE("schedules: gatherv and scatterv move the blocks that are not empty", "[collectives]") {
  for (const Collective operation : {Collective::gatherv, Collective::scatterv})
    for_every_algorithm(operation, [](const Algorithm& algorithm, int n,
                                      const CollectiveCall& tuned) {
      for (const int root : roots(n)) {
        std::vector<std::int64_t> sizes;
        for (int i = 0; i < n; ++i) sizes.push_back(i % 3 * 8);
        CollectiveCall call = tuned;
        call.root = root;
        auto parties = with_blocks(n, call, sizes);
        const bool gathers = call.operation == Collective::gatherv;
        for (int i = 0; i < n; ++i) {
          parties[at(i)].call.bytes = Bytes{static_cast<std::uint64_t>(sizes[at(i)])};
          parties[at(gathers ? i : root)].work[at(i)] = {i};
        }
        (gathers ? parties[at(root)].call.receive_list : parties[at(root)].call.send_list) = sizes;
        REQUIRE(execute(algorithm, parties) == "");
        for (int i = 0; i < n; ++i)
          CHECK(parties[at(gathers ? root : i)].work[at(i)] ==
                (sizes[at(i)] > 0 || i == root ? Content{i} : Content{}));
      }
    });
}

TEST_CASE("schedules: allgather and allgatherv give everyone everyone's block", "[collectives]") {
  for (const Collective operation : {Collective::allgather, Collective::allgatherv})
    for_every_algorithm(
        operation, [](const Algorithm& algorithm, int n, const CollectiveCall& call) {
          std::vector<std::int64_t> sizes;
          for (int i = 0; i < n; ++i) sizes.push_back(i % 4 * 8);
          auto parties = call.operation == Collective::allgatherv ? with_blocks(n, call, sizes)
                                                                  : with_blocks(n, call);
          for (auto& party : parties) {
            if (call.operation == Collective::allgatherv) party.call.receive_list = sizes;
            party.work[at(party.call.rank)] = {party.call.rank};
          }
          REQUIRE(execute(algorithm, parties, false, receives_what_it_has(algorithm)) == "");
          for (const auto& party : parties) CHECK(are_numbered(party.work));
        });
}

TEST_CASE("schedules: alltoall, alltoallv and alltoallw exchange every pair's block",
          "[collectives]") {
  for (const Collective operation :
       {Collective::alltoall, Collective::alltoallv, Collective::alltoallw})
    for_every_algorithm(
        operation, [](const Algorithm& algorithm, int n, const CollectiveCall& call) {
          auto parties = everyone_to_everyone(n, call);
          std::vector<std::vector<std::int64_t>> sent(at(n)), received(at(n));
          for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j) {
              sent[at(i)].push_back(8 + i + 100 * j);
              received[at(i)].push_back(8 + j + 100 * i);
            }
          const bool turns =
              algorithm.name == "bruck";  // blocks are held turned by the rank, see bruck_alltoall
          for (int i = 0; i < n; ++i) {
            Party& party = parties[at(i)];
            if (call.operation != Collective::alltoall) {
              party.call.send_list = sent[at(i)];
              party.call.receive_list = received[at(i)];
            }
            for (int k = 0; turns && k < n; ++k) party.work[at(k)] = party.input[at((i + k) % n)];
          }
          REQUIRE(execute(algorithm, parties) == "");
          for (int i = 0; i < n; ++i) {
            bool has_all = true;
            for (int from = 0; from < n; ++from)
              has_all = has_all && parties[at(i)].work[at(turns ? (i - from + n) % n : from)] ==
                                       Content{item(from, i)};
            CHECK(has_all);
          }
        });
}

TEST_CASE("schedules: reduce_scatter gives everyone its block of everyone's data",
          "[collectives]") {
  for (const Collective operation : {Collective::reduce_scatter, Collective::reduce_scatter_block})
    for_every_algorithm(operation,
                        [](const Algorithm& algorithm, int n, const CollectiveCall& tuned) {
                          for (const bool commutes : {true, false}) {
                            if (!commutes && algorithm.only_commuting) continue;
                            const std::vector<std::int64_t> sizes(at(n), kElement);
                            CollectiveCall call = tuned;
                            call.bytes = Bytes{kElement};
                            call.commutes = commutes;
                            auto parties = with_blocks(n, call);
                            put_rank_everywhere(parties);
                            for (auto& party : parties)
                              if (call.operation == Collective::reduce_scatter)
                                party.call.receive_list = sizes;
                            REQUIRE(execute(algorithm, parties, !commutes) == "");
                            for (const auto& party : parties)
                              CHECK(party.work[at(party.call.rank)] == up_to(n));
                          }
                        });
}

TEST_CASE("schedules: reduce_scatter moves shares of different sizes, and empty ones",
          "[collectives]") {
  for_every_algorithm(Collective::reduce_scatter,
                      [](const Algorithm& algorithm, int n, const CollectiveCall& call) {
                        if (algorithm.name == "nonoverlapping")
                          return;  // its first stage is a reduce, which counts elements
                        std::vector<std::int64_t> sizes;
                        for (int i = 0; i < n; ++i) sizes.push_back(i % 3 * 8);
                        auto parties = with_blocks(n, call, sizes);
                        put_rank_everywhere(parties);
                        for (auto& party : parties) party.call.receive_list = sizes;
                        REQUIRE(execute(algorithm, parties) == "");
                        for (const auto& party : parties)
                          CHECK(party.work[at(party.call.rank)] == up_to(n));
                      });
}

// On a ring in which everyone's left neighbour is also its source 0: with two members both neighbours are the same one.
TEST_CASE("schedules: neighbourhoods exchange with sources and destinations in order",
          "[collectives]") {
  for (int n = 2; n <= kMost; ++n) {
    auto parties = members(n, call_of(Collective::neighbor_alltoall), 2);
    std::vector<std::vector<std::int32_t>> neighbours;
    for (int i = 0; i < n; ++i) neighbours.push_back({(i + n - 1) % n, (i + 1) % n});
    for (int i = 0; i < n; ++i) {
      parties[at(i)].call.sources = parties[at(i)].call.destinations = neighbours[at(i)];
      parties[at(i)].input = {{2 * i}, {2 * i + 1}};
    }
    REQUIRE(execute(sim::simple_algorithm(Collective::neighbor_alltoall, false), parties) == "");
    for (int i = 0; n > 2 && i < n; ++i) {
      CHECK(parties[at(i)].work[0] == Content{2 * neighbours[at(i)][0] + 1});
      CHECK(parties[at(i)].work[1] == Content{2 * neighbours[at(i)][1]});
    }
  }
}

}  // namespace reprise::test
