// SPDX-License-Identifier: MIT
#include "sim/recorded_machine.hpp"

#include <catch2/catch.hpp>

#include "platforms/load.hpp"

using namespace reprise;
using trace_io::RankList;

namespace {

trace_io::Header header(std::int32_t ranks, std::vector<trace_io::Host> hosts) {
  trace_io::Header header;
  header.ranks = ranks;
  header.recorded = RankList::all(ranks);
  header.hosts = std::move(hosts);
  return header;
}

RankList ranks(std::int32_t first, std::int32_t last) {
  std::vector<Rank> list;
  for (std::int32_t rank = first; rank <= last; ++rank) list.push_back(Rank{rank});
  return RankList::from_ranks(list);
}

}  // namespace

TEST_CASE("recorded_machine: nodes and cores are the recorded ones", "[cli]") {
  const auto recorded = header(4, {{"n1", 16, ranks(0, 1)}, {"n2", 16, ranks(2, 3)}});
  const auto platform = platforms::parse_platform(sim::recorded_machine(recorded));
  CHECK(platform.nodes.count == 2);
  CHECK(platform.nodes.cores == 16);
  REQUIRE(platform.network);
  CHECK(sim::describe_recorded_machine(recorded) ==
        "the machine of the recording (2 nodes of 16 cores), its network assumed: 100 Gbit/s, 0.6 "
        "us a link, its memory path assumed: 10 GB/s, 0.3 us");
}

TEST_CASE("recorded_machine: an oversubscribed node gets a core for each rank", "[cli]") {
  const auto recorded = header(8, {{"n1", 2, ranks(0, 7)}});
  const auto platform = platforms::parse_platform(sim::recorded_machine(recorded));
  CHECK(platform.nodes.count == 1);
  CHECK(platform.nodes.cores == 8);
  CHECK_FALSE(platform.network);
  CHECK(sim::describe_recorded_machine(recorded) ==
        "the machine of the recording (1 node of 8 cores; it was oversubscribed: it has 2), its "
        "memory path assumed: 10 GB/s, 0.3 us");
}

TEST_CASE("recorded_machine: a trace that knows no hosts is of one node", "[cli]") {
  CHECK(platforms::parse_platform(sim::recorded_machine(header(3, {}))).nodes.cores == 3);
  CHECK(
      sim::describe_recorded_machine(header(1, {})) ==
      "the machine of the recording (1 node of 1 core), its memory path assumed: 10 GB/s, 0.3 us");
}

TEST_CASE("recorded_machine: a salvaged trace that knows some hosts still has room for all ranks",
          "[cli]") {
  const auto platform = platforms::parse_platform(
      sim::recorded_machine(header(10, {{"n1", 2, ranks(0, 1)}, {"n3", 2, ranks(4, 5)}})));
  CHECK(platform.nodes.count == 2);
  CHECK(platform.nodes.cores == 5);
}

TEST_CASE("recorded_placement: each rank is on the node of its host", "[cli]") {
  const auto even = RankList::from_ranks({Rank{0}, Rank{2}}),
             odd = RankList::from_ranks({Rank{1}, Rank{3}});
  const auto recorded = header(4, {{"n1", 16, even}, {"n2", 16, odd}});
  const auto placement = sim::recorded_placement(recorded);
  REQUIRE(placement);
  const auto places = platforms::place_ranks(
      4, platforms::parse_platform(sim::recorded_machine(recorded)), *placement);
  CHECK(places == std::vector<platforms::RankLocation>{{0, 0}, {1, 0}, {0, 1}, {1, 1}});
}

TEST_CASE("recorded_placement: there is none for one host, or where a rank's host is unknown",
          "[cli]") {
  CHECK_FALSE(sim::recorded_placement(header(3, {})));
  CHECK_FALSE(sim::recorded_placement(header(2, {{"n1", 16, ranks(0, 1)}})));
  CHECK_FALSE(
      sim::recorded_placement(header(10, {{"n1", 2, ranks(0, 1)}, {"n3", 2, ranks(4, 5)}})));
}

TEST_CASE("was_oversubscribed: where a host has more ranks than cores", "[cli]") {
  CHECK(sim::was_oversubscribed(header(8, {{"n1", 2, ranks(0, 7)}})));
  CHECK_FALSE(sim::was_oversubscribed(header(2, {{"n1", 2, ranks(0, 1)}})));
  CHECK_FALSE(sim::was_oversubscribed(header(2, {{"n1", 0, ranks(0, 1)}})));  // cores unknown
}
