// SPDX-License-Identifier: MIT
#include "sim/network/inline_list.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

namespace reprise::test {
namespace {

using List = sim::InlineList<std::uint64_t, 4>;

bool is_equal(const List& list, const std::vector<std::uint64_t>& expected) {
  return list.size() == expected.size() && list.empty() == expected.empty() &&
         std::equal(list.begin(), list.end(), expected.begin());
}

}  // namespace

TEST_CASE("inline lists: what was put in stays, within the owner and outside it", "[physics]") {
  std::mt19937 random(1);
  List list;
  std::vector<std::uint64_t> expected;
  bool was_outside = false;
  for (std::uint64_t i = 0; i < 20'000; ++i) {
    // by turns more come than go, and more go than come
    if (expected.empty() || random() % 8 < (i / 50 % 2 == 0 ? 5U : 3U)) {
      list.push_back(i);
      expected.push_back(i);
    } else {
      const auto place = static_cast<std::uint32_t>(random() % expected.size());
      list[place] = expected[place] = expected.back();
      list.pop_back();
      expected.pop_back();
    }
    REQUIRE(is_equal(list, expected));
    if (!expected.empty()) {
      REQUIRE(list.front() == expected.front());
      REQUIRE(list.back() == expected.back());
    }
    REQUIRE((expected.size() <= 4 || !list.is_inline()));
    was_outside |= !list.is_inline();
  }
  CHECK(was_outside);
  list.clear();
  CHECK(list.empty());
}

TEST_CASE("inline lists: they keep what they have where their owners move", "[physics]") {
  std::vector<List> lists;
  for (std::uint64_t length = 0; length < 100; ++length) {
    lists.emplace_back();  // moves those before
    for (std::uint64_t i = 0; i < length; ++i) lists.back().push_back(100 * length + i);
  }
  for (std::uint64_t length = 0; length < 100; ++length) {
    std::vector<std::uint64_t> expected;
    for (std::uint64_t i = 0; i < length; ++i) expected.push_back(100 * length + i);
    CHECK(is_equal(lists[length], expected));
  }
  List taken(std::move(lists[50]));
  CHECK(taken.size() == 50);
  CHECK(lists[50].empty());  // NOLINT(bugprone-use-after-move): it is a list as before
  lists[50].push_back(7);
  CHECK(lists[50].back() == 7);
  CHECK(taken.back() == 5049);
}

TEST_CASE("inline lists: one of a few things is as large as they and a word", "[physics]") {
  CHECK(sizeof(List) == 4 * sizeof(std::uint64_t) + 8);
}

}  // namespace reprise::test
