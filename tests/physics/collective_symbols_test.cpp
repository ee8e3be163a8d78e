// SPDX-License-Identifier: MIT
// Every schedule on 1 … 33 members and several roots: everyone ends up with exactly what MPI promises.
#include <catch2/catch.hpp>
#include <set>

#include "tests/physics/collective_symbols.hpp"

namespace reprise::test {
namespace {

using sim::CollectiveCall;
using trace_io::Collective;

constexpr int kMost = 33;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

std::set<int> roots(int n) { return {0, 1 % n, n / 2, n - 1}; }

CollectiveCall call_of(Collective operation, int root = 0, bool commutes = true) {
  CollectiveCall call;
  call.operation = operation;
  call.root = root;
  call.commutes = commutes;
  call.bytes = call.receive_bytes = Bytes{24};
  return call;
}

sim::Schedule schedule_of(Collective operation) { return sim::default_schedule(operation, false); }

// The item that member `from` sends to member `to`.
int item(int from, int to) { return from * 64 + to; }

void put_rank_into_block_zero(std::vector<Party>& parties) {
  for (auto& party : parties) party.input[0] = party.work[0] = {party.call.rank};
}

void put_own_block(std::vector<Party>& parties) {
  for (auto& party : parties) party.work[at(party.call.rank)] = {party.call.rank};
}

void check_allgathered(int n, const std::vector<Party>& parties) {
  for (const auto& party : parties)
    for (int block = 0; block < n; ++block) CHECK(party.work[at(block)] == Content{block});
}

void check_exchanged(int n, const std::vector<Party>& parties) {
  for (const auto& party : parties)
    for (int from = 0; from < n; ++from) CHECK(party.work[at(from)] == Content{item(from, party.call.rank)});
}

std::vector<Party> everyone_to_everyone(int n, const CollectiveCall& call) {
  auto parties = members(n, call, n);
  for (auto& party : parties) {
    for (int to = 0; to < n; ++to) party.input[at(to)] = {item(party.call.rank, to)};
    party.work[at(party.call.rank)] = party.input[at(party.call.rank)];  // the own block is copied, not sent
  }
  return parties;
}

}  // namespace

TEST_CASE("schedules: barrier makes everyone know of everyone", "[collectives]") {
  for (int n = 1; n <= kMost; ++n) {
    auto parties = members(n, call_of(Collective::barrier), 1);
    put_rank_into_block_zero(parties);
    REQUIRE(execute(schedule_of(Collective::barrier), parties) == "");
    for (const auto& party : parties) CHECK(party.work[0] == up_to(n));
  }
}

TEST_CASE("schedules: bcast gives everyone the root's data", "[collectives]") {
  for (int n = 1; n <= kMost; ++n)
    for (const int root : roots(n)) {
      auto parties = members(n, call_of(Collective::bcast, root), 1);
      parties[at(root)].work[0] = {root};
      REQUIRE(execute(schedule_of(Collective::bcast), parties) == "");
      for (const auto& party : parties) CHECK(party.work[0] == Content{root});
    }
}

TEST_CASE("schedules: reduce gives the root everyone's data, in order where the operation asks for it", "[collectives]") {
  for (int n = 1; n <= kMost; ++n)
    for (const int root : roots(n))
      for (const bool commutes : {true, false}) {
        auto parties = members(n, call_of(Collective::reduce, root, commutes), 1);
        put_rank_into_block_zero(parties);
        REQUIRE(execute(schedule_of(Collective::reduce), parties, !commutes) == "");
        CHECK(parties[at(root)].work[0] == up_to(n));
      }
}

TEST_CASE("schedules: allreduce gives everyone everyone's data, in order", "[collectives]") {
  for (int n = 1; n <= kMost; ++n) {
    auto parties = members(n, call_of(Collective::allreduce), 1);
    put_rank_into_block_zero(parties);
    REQUIRE(execute(schedule_of(Collective::allreduce), parties, true) == "");
    for (const auto& party : parties) CHECK(party.work[0] == up_to(n));
  }
}

TEST_CASE("schedules: scan gives the data of the ranks up to one's own, exscan of those below", "[collectives]") {
  for (const Collective operation : {Collective::scan, Collective::exscan})
    for (int n = 1; n <= kMost; ++n) {
      auto parties = members(n, call_of(operation), 2);
      for (auto& party : parties) party.work[0] = {party.call.rank};
      REQUIRE(execute(schedule_of(operation), parties) == "");
      for (const auto& party : parties) CHECK(party.work[1] == up_to(party.call.rank));
    }
}

TEST_CASE("schedules: gather gives the root everyone's block", "[collectives]") {
  for (int n = 1; n <= kMost; ++n)
    for (const int root : roots(n)) {
      auto parties = members(n, call_of(Collective::gather, root), n);
      put_own_block(parties);
      REQUIRE(execute(schedule_of(Collective::gather), parties) == "");
      for (int block = 0; block < n; ++block) CHECK(parties[at(root)].work[at(block)] == Content{block});
    }
}

TEST_CASE("schedules: scatter gives everyone its block", "[collectives]") {
  for (int n = 1; n <= kMost; ++n)
    for (const int root : roots(n)) {
      auto parties = members(n, call_of(Collective::scatter, root), n);
      for (int block = 0; block < n; ++block) parties[at(root)].work[at(block)] = {block};
      REQUIRE(execute(schedule_of(Collective::scatter), parties) == "");
      for (int rank = 0; rank < n; ++rank) CHECK(parties[at(rank)].work[at(rank)] == Content{rank});
    }
}

TEST_CASE("schedules: gatherv and scatterv move the blocks that are not empty", "[collectives]") {
  for (int n = 1; n <= kMost; ++n)
    for (const int root : roots(n)) {
      std::vector<std::int64_t> sizes;
      for (int i = 0; i < n; ++i) sizes.push_back(i % 3 * 8);
      auto gathering = members(n, call_of(Collective::gatherv, root), n);
      auto scattering = members(n, call_of(Collective::scatterv, root), n);
      for (int i = 0; i < n; ++i) {
        gathering[at(i)].call.bytes = scattering[at(i)].call.bytes = Bytes{static_cast<std::uint64_t>(sizes[at(i)])};
        gathering[at(i)].work[at(i)] = {i};
        scattering[at(root)].work[at(i)] = {i};
      }
      gathering[at(root)].call.receive_list = scattering[at(root)].call.send_list = sizes;
      REQUIRE(execute(schedule_of(Collective::gatherv), gathering) == "");
      REQUIRE(execute(schedule_of(Collective::scatterv), scattering) == "");
      for (int i = 0; i < n; ++i) {
        const Content expected = sizes[at(i)] > 0 || i == root ? Content{i} : Content{};
        CHECK(gathering[at(root)].work[at(i)] == expected);
        CHECK(scattering[at(i)].work[at(i)] == expected);
      }
    }
}

TEST_CASE("schedules: allgather and allgatherv give everyone everyone's block", "[collectives]") {
  for (int n = 1; n <= kMost; ++n) {
    auto even = members(n, call_of(Collective::allgather), n);
    put_own_block(even);
    REQUIRE(execute(schedule_of(Collective::allgather), even) == "");
    check_allgathered(n, even);

    std::vector<std::int64_t> sizes;
    for (int i = 0; i < n; ++i) sizes.push_back(i % 4 * 8);
    auto uneven = members(n, call_of(Collective::allgatherv), n);
    for (auto& party : uneven) party.call.receive_list = sizes;
    put_own_block(uneven);
    REQUIRE(execute(schedule_of(Collective::allgatherv), uneven) == "");
    check_allgathered(n, uneven);
  }
}

TEST_CASE("schedules: alltoall, alltoallv and alltoallw exchange every pair's block", "[collectives]") {
  for (int n = 1; n <= kMost; ++n) {
    auto even = everyone_to_everyone(n, call_of(Collective::alltoall));
    REQUIRE(execute(schedule_of(Collective::alltoall), even) == "");
    check_exchanged(n, even);

    for (const Collective operation : {Collective::alltoallv, Collective::alltoallw}) {
      auto uneven = everyone_to_everyone(n, call_of(operation));
      std::vector<std::vector<std::int64_t>> sent(at(n)), received(at(n));
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
          sent[at(i)].push_back(8 + i + 100 * j);
          received[at(i)].push_back(8 + j + 100 * i);
        }
      for (int i = 0; i < n; ++i) {
        uneven[at(i)].call.send_list = sent[at(i)];
        uneven[at(i)].call.receive_list = received[at(i)];
      }
      REQUIRE(execute(schedule_of(operation), uneven) == "");
      check_exchanged(n, uneven);
    }
  }
}

TEST_CASE("schedules: reduce_scatter gives everyone its block of everyone's data", "[collectives]") {
  for (const Collective operation : {Collective::reduce_scatter, Collective::reduce_scatter_block})
    for (const bool commutes : {true, false})
      for (int n = 1; n <= kMost; ++n) {
        const std::vector<std::int64_t> sizes(at(n), 24);
        auto parties = members(n, call_of(operation, 0, commutes), n);
        for (auto& party : parties) {
          for (int block = 0; block < n; ++block) party.input[at(block)] = party.work[at(block)] = {party.call.rank};
          if (operation == Collective::reduce_scatter) party.call.receive_list = sizes;
        }
        REQUIRE(execute(schedule_of(operation), parties, !commutes) == "");
        for (const auto& party : parties) CHECK(party.work[at(party.call.rank)] == up_to(n));
      }
}

// On a ring in which everyone's left neighbour is also its source 0: with two members both neighbours are the same one.
TEST_CASE("schedules: neighbourhoods exchange with sources and destinations in order", "[collectives]") {
  for (int n = 2; n <= kMost; ++n) {
    auto parties = members(n, call_of(Collective::neighbor_alltoall), 2);
    std::vector<std::vector<std::int32_t>> neighbours;
    for (int i = 0; i < n; ++i) neighbours.push_back({(i + n - 1) % n, (i + 1) % n});
    for (int i = 0; i < n; ++i) {
      parties[at(i)].call.sources = parties[at(i)].call.destinations = neighbours[at(i)];
      parties[at(i)].input = {{2 * i}, {2 * i + 1}};
    }
    REQUIRE(execute(schedule_of(Collective::neighbor_alltoall), parties) == "");
    for (int i = 0; n > 2 && i < n; ++i) {
      CHECK(parties[at(i)].work[0] == Content{2 * neighbours[at(i)][0] + 1});
      CHECK(parties[at(i)].work[1] == Content{2 * neighbours[at(i)][1]});
    }
  }
}

TEST_CASE("schedules: every operation has one on every kind of communicator that MPI allows", "[collectives]") {
  std::set<std::pair<Collective, bool>> offered;
  for (const auto& algorithm : sim::algorithms()) {
    CHECK_FALSE(algorithm.name.empty());
    offered.insert({algorithm.operation, algorithm.on_intercommunicators});
  }
  for (int i = 1; i <= static_cast<int>(Collective::neighbor_alltoallw); ++i) {
    const auto operation = static_cast<Collective>(i);
    CHECK(offered.count({operation, false}) == 1);
    const bool between_groups =
        operation < Collective::neighbor_allgather && operation != Collective::scan && operation != Collective::exscan;
    CHECK(offered.count({operation, true}) == (between_groups ? 1 : 0));
  }
}

}  // namespace reprise::test
