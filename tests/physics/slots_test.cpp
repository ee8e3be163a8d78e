// SPDX-License-Identifier: MIT
#include "sim/engine/loop/slots.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <random>
#include <vector>

namespace reprise::test {

TEST_CASE("slots: what was put in is there, near or far", "[physics]") {
  sim::Slots<int> slots(-1);
  CHECK(slots.find(0) == nullptr);
  CHECK(slots.find(-1) == nullptr);
  CHECK(slots.at(3) == -1);
  slots.at(3) = 33;
  slots.at(2'000'000'000) = 7;
  CHECK(slots.at(2) == -1);
  CHECK(slots.at(3) == 33);
  CHECK(*slots.find(2'000'000'000) == 7);
  CHECK(slots.find(1'999'999'999) == nullptr);
  CHECK(&slots.at(-5) == &slots.at(0));
}

TEST_CASE("slots: a far number that comes near stays what it was", "[physics]") {
  std::mt19937 random(1);
  sim::Slots<int> slots(0);
  std::map<std::int64_t, int> expected;
  for (int i = 1; i < 20'000; ++i) {
    // mostly dense numbers that grow, some far ahead of them
    const std::int64_t number =
        random() % 4 == 0 ? random() % 20'000 : random() % static_cast<unsigned>(1 + i / 4);
    CHECK(slots.at(number) == expected[number]);
    slots.at(number) = expected[number] = i;
  }
  int visited = 0;
  slots.for_each([&](int value) { visited += value != 0; });
  const auto filled = std::count_if(expected.begin(), expected.end(),
                                    [](const auto& entry) { return entry.second != 0; });
  CHECK(visited == filled);
  for (const auto& [number, value] : expected) CHECK(*slots.find(number) == value);
}

}  // namespace reprise::test
