// SPDX-License-Identifier: MIT
#include "trace-io/model/rank_list.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <iterator>
#include <random>
#include <set>

namespace reprise::trace_io {
namespace {

using Numbers = std::set<std::int32_t>;

RankList list_of(const Numbers& numbers) {
  std::vector<Rank> ranks;
  for (const std::int32_t number : numbers) ranks.push_back(Rank{number});
  return RankList::from_ranks(std::move(ranks));
}

Numbers numbers_of(const RankList& list) {
  Numbers numbers;
  for (const Rank rank : list.ranks()) numbers.insert(rank.value);
  return numbers;
}

// Sparse, dense, strided and blocked sets below 200.
Numbers random_set(std::mt19937_64& random) {
  Numbers numbers;
  for (std::uint64_t parts = 1 + random() % 3; parts > 0; --parts) {
    const auto start = static_cast<std::int32_t>(random() % 60),
               stride = static_cast<std::int32_t>(1 + random() % 12);
    const auto rows = static_cast<std::int32_t>(1 + random() % 5),
               count = static_cast<std::int32_t>(1 + random() % 8);
    for (std::int32_t row = 0; row < rows; ++row)
      for (std::int32_t i = 0; i < count; ++i)
        numbers.insert(start + row * stride * 2 + i * (random() % 9 == 0 ? 2 : 1));
  }
  return numbers;
}

using Dimensions = std::vector<RankList::Dimension>;

}  // namespace

TEST_CASE("rank_list: an empty list has no members and no terms", "[model]") {
  const RankList list;
  CHECK(list.empty());
  CHECK(list.size() == 0);
  CHECK(list.terms().empty());
  CHECK(list.text().empty());
  CHECK_FALSE(list.contains(Rank{0}));
  CHECK(list == RankList::all(0));
  CHECK(list == RankList::from_ranks({}));
}

TEST_CASE("rank_list: a single rank and all ranks are one term, whatever their number", "[model]") {
  CHECK(RankList::single(Rank{5}).terms()[0] == RankList::Term{Rank{5}, {}});
  CHECK(RankList::all(1) == RankList::single(Rank{0}));
  const RankList all = RankList::all(65536);
  REQUIRE(all.terms().size() == 1);
  CHECK(all.terms()[0] == RankList::Term{Rank{0}, {{65536, 1}}});
  CHECK(all.size() == 65536);
  CHECK(all.contains(Rank{65535}));
  CHECK_FALSE(all.contains(Rank{65536}));
  CHECK_FALSE(all.contains(Rank{-1}));
}

TEST_CASE("rank_list: every rectangle of an 8 × 8 grid is one term", "[model]") {
  int rectangles = 0;
  for (std::int32_t top = 0; top < 8; ++top)
    for (std::int32_t left = 0; left < 8; ++left)
      for (std::int32_t bottom = top; bottom < 8; ++bottom)
        for (std::int32_t right = left; right < 8; ++right) {
          Numbers numbers;
          for (std::int32_t y = top; y <= bottom; ++y)
            for (std::int32_t x = left; x <= right; ++x) numbers.insert(8 * y + x);
          const RankList list = list_of(numbers);
          REQUIRE(list.terms().size() == 1);
          REQUIRE(numbers_of(list) == numbers);
          ++rectangles;
        }
  CHECK(rectangles == 36 * 36);
}

TEST_CASE("rank_list: every box of a 4 × 5 × 6 grid is one term", "[model]") {
  for (int box = 0; box < 2000; ++box) {
    std::mt19937_64 random(static_cast<std::uint64_t>(box));
    const auto side = [&](std::uint64_t length) {
      const auto a = static_cast<std::int32_t>(random() % length),
                 b = static_cast<std::int32_t>(random() % length);
      return std::pair(std::min(a, b), std::max(a, b));
    };
    const auto [x0, x1] = side(6);
    const auto [y0, y1] = side(5);
    const auto [z0, z1] = side(4);
    Numbers numbers;
    for (std::int32_t z = z0; z <= z1; ++z)
      for (std::int32_t y = y0; y <= y1; ++y)
        for (std::int32_t x = x0; x <= x1; ++x) numbers.insert(30 * z + 6 * y + x);
    REQUIRE(list_of(numbers).terms().size() == 1);
  }
}

TEST_CASE("rank_list: the rim of a grid is one term for the long sides and one for the short ones",
          "[model]") {
  Numbers rim;
  for (std::int32_t i = 0; i < 64; ++i)
    if (i < 8 || i >= 56 || i % 8 == 0 || i % 8 == 7) rim.insert(i);
  const RankList list = list_of(rim);
  REQUIRE(list.terms().size() == 2);
  CHECK(list.terms()[0] == RankList::Term{Rank{0}, {{2, 55}, {9, 1}}});
  CHECK(list.terms()[1] == RankList::Term{Rank{15}, {{5, 8}, {2, 1}}});
  CHECK(list.text() == "0-8,55-63,15-16,23-24,31-32,39-40,47-48");
}

TEST_CASE("rank_list: strided terms are written with their stride", "[model]") {
  CHECK(list_of({0, 1, 2, 3, 8, 10, 12, 14}).text() == "0-3,8-14:2");
  CHECK(list_of({0, 8}).text() == "0,8");
  CHECK(list_of({7}).text() == "7");
  CHECK(list_of({0, 4, 8, 100, 104, 108}).text() == "0-8:4,100-108:4");
}

TEST_CASE("rank_list: order and duplicates of the ranks given do not matter", "[model]") {
  const RankList list = RankList::from_ranks({Rank{9}, Rank{1}, Rank{5}, Rank{1}, Rank{9}});
  CHECK(list == list_of({1, 5, 9}));
  CHECK(list.size() == 3);
  CHECK(list.front() == Rank{1});
}

TEST_CASE("rank_list: set algebra is that of sets", "[model]") {
  std::mt19937_64 random(31);
  for (int i = 0; i < 3000; ++i) {
    const Numbers a = random_set(random), b = random_set(random);
    const RankList x = list_of(a), y = list_of(b);
    Numbers both = a, rest, common;
    both.insert(b.begin(), b.end());
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::inserter(rest, rest.end()));
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(),
                          std::inserter(common, common.end()));
    REQUIRE(numbers_of(x) == a);
    REQUIRE(x.size() == static_cast<std::int32_t>(a.size()));
    REQUIRE(x.front().value == *a.begin());
    REQUIRE(numbers_of(x.united(y)) == both);
    REQUIRE(numbers_of(x.minus(y)) == rest);
    REQUIRE(x.intersects(y) == !common.empty());
    REQUIRE((x == y) == (a == b));
    for (std::int32_t rank = -2; rank < 200; ++rank)
      REQUIRE(x.contains(Rank{rank}) == (a.count(rank) == 1));
  }
}

TEST_CASE("rank_list: equal sets have equal terms, however they were made", "[model]") {
  std::mt19937_64 random(32);
  for (int i = 0; i < 2000; ++i) {
    const Numbers a = random_set(random), b = random_set(random);
    Numbers both = a;
    both.insert(b.begin(), b.end());
    const RankList united = list_of(a).united(list_of(b)), made = list_of(both);
    REQUIRE(std::equal(united.terms().begin(), united.terms().end(), made.terms().begin(),
                       made.terms().end()));
    REQUIRE(united == made);
    REQUIRE(united.hash() == made.hash());
    REQUIRE(RankList::from_terms(made.terms(), 200, "x") == made);
    REQUIRE(list_of(a).minus(list_of(b)).united(list_of(b)) == made);
  }
}

TEST_CASE("rank_list: neighbouring intervals unite to one, and equal lists share their storage",
          "[model]") {
  const RankList low = RankList::all(32768);
  const RankList high =
      RankList::from_terms(std::vector{RankList::Term{Rank{32768}, {{32768, 1}}}}, 65536, "x");
  CHECK(low.united(high) == RankList::all(65536));
  CHECK(high.united(low) == RankList::all(65536));
  CHECK(low.united(low).terms().data() == low.terms().data());
  CHECK(low.united(RankList()).terms().data() == low.terms().data());
}

TEST_CASE("rank_list: 65536 ranks in a checkerboard of a 256 × 256 grid are folded", "[model]") {
  std::vector<Rank> ranks;
  for (std::int32_t y = 0; y < 256; ++y)
    for (std::int32_t x = y % 2; x < 256; x += 2) ranks.push_back(Rank{256 * y + x});
  const RankList list = RankList::from_ranks(ranks);
  CHECK(list.size() == 32768);
  CHECK(list.ranks() == ranks);
  CHECK(list.terms().size() <= 256);
  CHECK(list.contains(Rank{257}));
  CHECK_FALSE(list.contains(Rank{256}));
}

}  // namespace reprise::trace_io
