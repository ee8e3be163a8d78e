// SPDX-License-Identifier: MIT
#include "trace-io/model/communicators.hpp"

#include <catch2/catch.hpp>

#include "tests/unit/trace-io/model/value_programs.hpp"

namespace reprise::trace_io {
namespace {

RankList ranks(std::initializer_list<std::int32_t> numbers) {
  std::vector<Rank> list;
  for (const std::int32_t number : numbers) list.push_back(Rank{number});
  return RankList::from_ranks(std::move(list));
}

// 8 ranks as 2 rows of 4. Index 2: the rows; 3: {5, 0, 2, 1}; 4: an intercommunicator of {0, 1, 2, 3} and {7, 5, 6};
// 5: {7, 5, 3, 1}, listed in two uses.
Trace example() {
  Trace trace;
  trace.header.ranks = 8;
  trace.communicators = {
      {{sequence_of({0, 1, 2, 3})}, 0}, {{sequence_of({4, 5, 6, 7})}, 0},
      {{sequence_of({5, 0, 2, 1})}, 0}, {{sequence_of({0, 1, 2, 3}), sequence_of({7, 5, 6})}, 0},
      {{sequence_of({7, 5, 3, 1})}, 0},
  };
  trace.communicator_indices = {
      {{ranks({0, 1, 2, 3}), 0}, {ranks({4, 5, 6, 7}), 1}},
      {{ranks({0, 1, 2, 5}), 2}},
      {{ranks({0, 1, 2, 3, 5, 6, 7}), 3}},
      {{ranks({1, 3}), 4}, {ranks({5, 7}), 4}},
  };
  return trace;
}

}  // namespace

TEST_CASE("communicators: the world and oneself need no definition", "[model]") {
  const CommunicatorTable table(example());
  for (std::int32_t rank = 0; rank < 8; ++rank) {
    CHECK(table.frame_of(Rank{rank}, kWorldIndex) == Position{rank, 8});
    CHECK(table.frame_of(Rank{rank}, kSelfIndex) == Position{0, 1});
    CHECK(table.world_rank(Rank{rank}, kWorldIndex, 6) == Rank{6});
    CHECK(table.world_rank(Rank{rank}, kSelfIndex, 0) == Rank{rank});
    CHECK_FALSE(table.world_rank(Rank{rank}, kSelfIndex, 1).has_value());
    CHECK_FALSE(table.world_rank(Rank{rank}, kWorldIndex, 8).has_value());
    CHECK_FALSE(table.place(Rank{rank}, kWorldIndex)->definition.has_value());
  }
}

TEST_CASE("communicators: one index means a different row to different ranks", "[model]") {
  const CommunicatorTable table(example());
  for (std::int32_t rank = 0; rank < 8; ++rank) {
    const auto place = table.place(Rank{rank}, 2);
    REQUIRE(place.has_value());
    CHECK(place->definition == static_cast<std::uint32_t>(rank / 4));
    CHECK(place->local_rank == rank % 4);
    CHECK(place->size == 4);
    CHECK_FALSE(place->is_inter());
    CHECK(table.frame_of(Rank{rank}, 2) == Position{rank % 4, 4});
    CHECK(table.world_rank(Rank{rank}, 2, 3) == Rank{4 * (rank / 4) + 3});
  }
}

TEST_CASE("communicators: members are counted in the communicator's own order", "[model]") {
  const CommunicatorTable table(example());
  CHECK(table.frame_of(Rank{5}, 3) == Position{0, 4});
  CHECK(table.frame_of(Rank{0}, 3) == Position{1, 4});
  CHECK(table.frame_of(Rank{1}, 3) == Position{3, 4});
  CHECK(table.world_rank(Rank{1}, 3, 0) == Rank{5});
  CHECK(table.world_rank(Rank{1}, 3, 2) == Rank{2});
  CHECK(table.frame_of(Rank{7}, 5) == Position{0, 4});  // descending: 7, 5, 3, 1
  CHECK(table.frame_of(Rank{1}, 5) == Position{3, 4});
  CHECK(table.world_rank(Rank{1}, 5, 1) == Rank{5});
}

TEST_CASE("communicators: peers of an intercommunicator are in the other group", "[model]") {
  const CommunicatorTable table(example());
  CHECK(table.frame_of(Rank{2}, 4) == Position{2, 3});
  CHECK(table.frame_of(Rank{7}, 4) == Position{0, 4});
  CHECK(table.frame_of(Rank{6}, 4) == Position{2, 4});
  CHECK(table.world_rank(Rank{2}, 4, 0) == Rank{7});
  CHECK(table.world_rank(Rank{2}, 4, 2) == Rank{6});
  CHECK_FALSE(table.world_rank(Rank{2}, 4, 3).has_value());
  CHECK(table.world_rank(Rank{7}, 4, 3) == Rank{3});
  const auto place = table.place(Rank{5}, 4);
  REQUIRE(place.has_value());
  CHECK(place->group == 1);
  CHECK(place->size == 3);
  CHECK(place->remote_size == 4);
}

TEST_CASE("communicators: an index, a rank or a peer that does not exist gives nothing",
          "[model]") {
  const CommunicatorTable table(example());
  CHECK_FALSE(table.place(Rank{4}, 3).has_value());
  CHECK_FALSE(table.place(Rank{0}, 6).has_value());
  CHECK_FALSE(table.place(Rank{0}, -1).has_value());
  CHECK_FALSE(table.place(Rank{0}, std::int64_t{1} << 40).has_value());
  CHECK_FALSE(table.place(Rank{8}, kWorldIndex).has_value());
  CHECK_FALSE(table.place(Rank{-1}, kSelfIndex).has_value());
  CHECK_FALSE(table.frame_of(Rank{4}, 4).has_value());
  CHECK_FALSE(table.world_rank(Rank{0}, 2, -1).has_value());
  CHECK_FALSE(table.world_rank(Rank{0}, 2, 4).has_value());
}

TEST_CASE("communicators: definitions can be asked for members both ways", "[model]") {
  const CommunicatorTable table(example());
  CHECK(table.group_count(3) == 2);
  CHECK(table.group_size(3, 1) == 3);
  for (const auto& [definition, group] : {std::pair(0U, 0U), {2U, 0U}, {3U, 1U}, {4U, 0U}})
    for (std::int32_t local = 0; local < table.group_size(definition, group); ++local) {
      const auto member = table.member(definition, group, local);
      REQUIRE(member.has_value());
      CHECK(table.local_rank(definition, group, *member) == local);
    }
  CHECK_FALSE(table.local_rank(4, 0, Rank{2}).has_value());
  CHECK_FALSE(table.local_rank(4, 0, Rank{0}).has_value());
  CHECK_FALSE(table.local_rank(2, 0, Rank{3}).has_value());
}

TEST_CASE("communicators: the example is valid", "[model]") {
  CHECK_NOTHROW(check_communicators(example(), "x"));
}

}  // namespace reprise::trace_io
