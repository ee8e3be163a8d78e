// SPDX-License-Identifier: MIT
// Lists whose first numbers stand in place, and lengths of lists that mostly are none.
#include "trace-io/model/short_list.hpp"

#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "trace-io/model/list_lengths.hpp"

namespace reprise::trace_io::testing {
namespace {

using List = ShortList<std::uint16_t, 4>;

List of(std::size_t size) {
  List list;
  for (std::size_t i = 0; i < size; ++i) list.push_back(static_cast<std::uint16_t>(i + 1));
  return list;
}

std::vector<std::uint16_t> numbers(const List& list) { return {list.begin(), list.end()}; }

TEST_CASE("a short list holds what a vector would, copied or moved, in place or not") {
  for (const std::size_t size : {0U, 1U, 4U, 5U, 100U}) {
    CAPTURE(size);
    std::vector<std::uint16_t> expected;
    for (std::size_t i = 0; i < size; ++i) expected.push_back(static_cast<std::uint16_t>(i + 1));
    List list = of(size);
    REQUIRE(numbers(list) == expected);
    REQUIRE((list.heap_bytes() == 0) == (size <= 4));
    REQUIRE(List(expected) == list);
    for (const std::size_t other_size : {0U, 3U, 7U, 200U}) {
      List copy = of(other_size), moved = of(other_size);
      copy = list;
      REQUIRE(copy == list);
      moved = std::move(copy);
      REQUIRE(moved == list);
      REQUIRE(List(moved) == list);
      const List last = std::move(moved);
      REQUIRE(last == list);
      if (other_size != size) REQUIRE_FALSE(of(other_size) == list);
    }
    const List& itself = list;
    list = itself;
    REQUIRE(numbers(list) == expected);
  }
}

TEST_CASE("a short list that becomes longer has zeros, one that becomes shorter keeps its first") {
  List list = of(3);
  list.resize(6);
  REQUIRE(numbers(list) == std::vector<std::uint16_t>{1, 2, 3, 0, 0, 0});
  list.resize(2);
  list.resize(3);
  REQUIRE(numbers(list) == std::vector<std::uint16_t>{1, 2, 0});
  REQUIRE(sizeof(List) == 8 + 8 + 8);
}

TEST_CASE("a moved short list can be used again") {
  for (const std::size_t size : {3U, 30U}) {
    List list = of(size);
    const List taken = std::move(list);
    REQUIRE(taken.size() == size);
    list = of(2);  // NOLINT(bugprone-use-after-move)
    list.push_back(9);
    REQUIRE(numbers(list) == std::vector<std::uint16_t>{1, 2, 9});
  }
}

TEST_CASE("lengths of no list take no memory, and others are a sequence of their own") {
  ListLengths none;
  REQUIRE(sizeof none == sizeof(void*));
  REQUIRE(none.empty());
  REQUIRE(none.size() == 0);
  REQUIRE(none.terms().empty());
  REQUIRE(none == ListLengths(ValueSequence()));
  ListLengths lengths;
  lengths.append(3);
  lengths.append_run(3, 0, 4);
  REQUIRE(lengths.size() == 5);
  REQUIRE(lengths.is_constant());
  REQUIRE(lengths.front() == 3);
  REQUIRE_FALSE(lengths == none);
  REQUIRE(lengths.hash() == lengths.sequence().hash());
  const ListLengths copy = lengths;
  lengths.append(4);
  REQUIRE(copy.size() == 5);
  REQUIRE(lengths.size() == 6);
  lengths = copy;
  REQUIRE(lengths == copy);
  lengths.clear();
  REQUIRE(lengths == none);
  lengths = ValueSequence::of_run(1, 0, 2);
  REQUIRE(lengths.term_count() == 1);
}

}  // namespace
}  // namespace reprise::trace_io::testing
