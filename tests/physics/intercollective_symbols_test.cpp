// SPDX-License-Identifier: MIT
// Schedules between two groups of 1 … 9 members: the data of one group ends up in the other.
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/physics/collective_symbols.hpp"

namespace reprise::test {
namespace {

using sim::CollectiveCall;
using Side = CollectiveCall::Side;
using trace_io::Collective;

constexpr int kMost = 9;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

const sim::Algorithm& schedule_of(Collective operation) {
  return sim::simple_algorithm(operation, true);
}

// Group 0 has a members, parties 0 … a−1; group 1 has b. Roots are in the group `root_group`.
std::vector<Party> groups(int a, int b, Collective operation, int blocks, int root = 0,
                          int root_group = 0) {
  std::vector<Party> parties(at(a + b));
  for (int i = 0; i < a + b; ++i) {
    Party& party = parties[at(i)];
    const bool first = i < a;
    party.call.operation = operation;
    party.call.bytes = party.call.receive_bytes = party.call.element_bytes = Bytes{24};
    party.call.group = first ? 0 : 1;
    party.call.rank = first ? i : i - a;
    party.call.size = first ? a : b;
    party.call.remote_size = first ? b : a;
    party.group_begin = first ? 0 : a;
    party.other_begin = first ? a : 0;
    party.call.root = root;
    const bool beside = static_cast<int>(party.call.group) == root_group;
    party.call.side = !beside                   ? Side::opposite
                      : party.call.rank == root ? Side::root
                                                : Side::with_root;
    party.input.resize(at(blocks));
    party.work.resize(at(blocks));
  }
  return parties;
}

// What group `group`'s members number: their places in the list of parties.
Content of_group(int group, int a, int b) {
  Content content;
  for (int i = group == 0 ? 0 : a; i < (group == 0 ? a : a + b); ++i) content.push_back(i);
  return content;
}

template <class Check>
void for_all_sizes(Check check) {
  for (int a = 1; a <= kMost; ++a)
    for (int b = 1; b <= kMost; ++b) check(a, b);
}

}  // namespace

TEST_CASE("schedules between groups: barrier makes everyone know of everyone", "[collectives]") {
  for_all_sizes([](int a, int b) {
    auto parties = groups(a, b, Collective::barrier, 1);
    for (int i = 0; i < a + b; ++i) parties[at(i)].work[0] = {i};
    REQUIRE(execute(schedule_of(Collective::barrier), parties) == "");
    for (const auto& party : parties) CHECK(party.work[0] == up_to(a + b));
  });
}

TEST_CASE("schedules between groups: bcast reaches the other group and leaves the root's alone",
          "[collectives]") {
  for_all_sizes([](int a, int b) {
    for (const int group : {0, 1}) {
      const int root = (group == 0 ? a : b) - 1;
      auto parties = groups(a, b, Collective::bcast, 1, root, group);
      parties[at(group == 0 ? root : a + root)].work[0] = {77};
      REQUIRE(execute(schedule_of(Collective::bcast), parties) == "");
      for (const auto& party : parties)
        CHECK(party.work[0] == (party.call.side == Side::with_root ? Content{} : Content{77}));
    }
  });
}

TEST_CASE("schedules between groups: reduce gives the root the other group's data",
          "[collectives]") {
  for_all_sizes([](int a, int b) {
    for (const int group : {0, 1}) {
      const int root = (group == 0 ? a : b) / 2;
      auto parties = groups(a, b, Collective::reduce, 1, root, group);
      for (int i = 0; i < a + b; ++i)
        if (parties[at(i)].call.side == Side::opposite) parties[at(i)].work[0] = {i};
      REQUIRE(execute(schedule_of(Collective::reduce), parties) == "");
      CHECK(parties[at(group == 0 ? root : a + root)].work[0] == of_group(1 - group, a, b));
    }
  });
}

TEST_CASE("schedules between groups: allreduce gives everyone the other group's data",
          "[collectives]") {
  for_all_sizes([](int a, int b) {
    auto parties = groups(a, b, Collective::allreduce, 1);
    for (int i = 0; i < a + b; ++i) parties[at(i)].work[0] = {i};
    REQUIRE(execute(schedule_of(Collective::allreduce), parties) == "");
    for (const auto& party : parties)
      CHECK(party.work[0] == of_group(party.call.group == 0 ? 1 : 0, a, b));
  });
}

TEST_CASE("schedules between groups: reduce_scatter spreads the other group's data over blocks",
          "[collectives]") {
  for_all_sizes([](int a, int b) {
    // Both groups reduce vectors of one total size (MPI 3.1 §5.10), here a · b blocks: a member of one group ends up with as many
    // of them as the other group has members.
    for (const Collective operation :
         {Collective::reduce_scatter_block, Collective::reduce_scatter}) {
      auto parties = groups(a, b, operation, a * b);
      const std::vector<std::int64_t> sizes_a(at(a), 8 * b), sizes_b(at(b), 8 * a);
      for (int i = 0; i < a + b; ++i) {
        Party& party = parties[at(i)];
        party.call.bytes = Bytes{static_cast<std::uint64_t>(8 * party.call.remote_size)};
        if (operation == Collective::reduce_scatter)
          party.call.receive_list = party.call.group == 0 ? sizes_a : sizes_b;
        for (Content& block : party.work) block = {i};
      }
      REQUIRE(execute(schedule_of(operation), parties) == "");
      for (const Party& party : parties)
        for (int k = 0; k < party.call.remote_size; ++k)
          CHECK(party.work[at(party.call.rank * party.call.remote_size + k)] ==
                of_group(party.call.group == 0 ? 1 : 0, a, b));
    }
  });
}

TEST_CASE("schedules between groups: gather and scatter move every block of the other group",
          "[collectives]") {
  for_all_sizes([](int a, int b) {
    for (const Collective operation : {Collective::gather, Collective::gatherv}) {
      auto parties = groups(a, b, operation, b, a - 1, 0);
      const std::vector<std::int64_t> sizes(at(b), 24);
      if (operation == Collective::gatherv) parties[at(a - 1)].call.receive_list = sizes;
      for (int i = 0; i < b; ++i) parties[at(a + i)].work[at(i)] = {i};
      REQUIRE(execute(schedule_of(operation), parties) == "");
      for (int i = 0; i < b; ++i) CHECK(parties[at(a - 1)].work[at(i)] == Content{i});
    }
    for (const Collective operation : {Collective::scatter, Collective::scatterv}) {
      auto parties = groups(a, b, operation, b, 0, 0);
      const std::vector<std::int64_t> sizes(at(b), 24);
      if (operation == Collective::scatterv) parties[0].call.send_list = sizes;
      for (int i = 0; i < b; ++i) parties[0].work[at(i)] = {i};
      REQUIRE(execute(schedule_of(operation), parties) == "");
      for (int i = 0; i < b; ++i) CHECK(parties[at(a + i)].work[at(i)] == Content{i});
    }
  });
}

TEST_CASE(
    "schedules between groups: allgather and alltoall exchange blocks with every member of the "
    "other",
    "[collectives]") {
  for_all_sizes([](int a, int b) {
    const int most = std::max(a, b);
    auto gathering = groups(a, b, Collective::allgather, most);
    for (int i = 0; i < a + b; ++i) gathering[at(i)].input[0] = {i};
    REQUIRE(execute(schedule_of(Collective::allgather), gathering) == "");
    auto exchanging = groups(a, b, Collective::alltoall, most);
    for (int i = 0; i < a + b; ++i)
      for (int block = 0; block < most; ++block)
        exchanging[at(i)].input[at(block)] = {100 * i + block};
    REQUIRE(execute(schedule_of(Collective::alltoall), exchanging) == "");
    for (int i = 0; i < a + b; ++i) {
      const auto& call = gathering[at(i)].call;
      for (int peer = 0; peer < call.remote_size; ++peer) {
        const int party = gathering[at(i)].other_begin + peer;
        CHECK(gathering[at(i)].work[at(peer)] == Content{party});
        CHECK(exchanging[at(i)].work[at(peer)] == Content{100 * party + call.rank});
      }
    }
  });
}

}  // namespace reprise::test
