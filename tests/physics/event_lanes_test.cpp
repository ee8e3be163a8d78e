// SPDX-License-Identifier: MIT
// What networks keep millions of messages in: events in lanes, short lists by number, arrays in large pages.
#include "sim/network/event_lanes.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "sim/network/large_pages.hpp"
#include "sim/network/short_lists.hpp"

namespace reprise::test {

TEST_CASE("event lanes: events come in the order of one heap, whichever lanes they are in",
          "[physics]") {
  std::mt19937_64 random(11);
  sim::EventLanes lanes;
  std::vector<double> last(5, 0.0);  // of each lane, mostly followed
  std::set<std::tuple<double, std::uint64_t, std::uint32_t>> waiting;  // time, making, id
  std::vector<std::uint32_t> free;
  std::uint32_t ids = 0;
  std::uint64_t made = 0;
  for (int step = 0; step < 40000; ++step) {
    if (waiting.empty() || random() % 5 < (step / 4000 % 2 == 0 ? 3 : 2)) {
      const auto lane = static_cast<std::uint32_t>(random() % 6);
      std::uint32_t id = ids;
      if (free.empty()) {
        ++ids;
      } else {
        id = free.back();
        free.pop_back();
      }
      double time = static_cast<double>(random() % 400) / 8;
      if (lane < 5 && random() % 8 > 0) time = last[lane] += static_cast<double>(random() % 3) / 8;
      const auto kind = static_cast<std::uint8_t>(id % 8);
      if (lane < 5)
        lanes.push(lane, time, kind, id);
      else
        lanes.push(time, kind, id);  // in none
      waiting.emplace(time, made++, id);
    } else {
      const auto [time, making, id] = *waiting.begin();
      REQUIRE(lanes.top().time() == time);
      REQUIRE(static_cast<std::uint32_t>(lanes.top().id) == id);
      REQUIRE(lanes.top().kind() == id % 8);
      waiting.erase(waiting.begin());
      lanes.pop();
      free.push_back(id);
    }
    REQUIRE(lanes.size() == waiting.size());
    REQUIRE(lanes.empty() == waiting.empty());
  }
}

TEST_CASE("event lanes: whoever comes up in a lane is announced, and the one behind it",
          "[physics]") {
  sim::EventLanes lanes;
  for (std::uint32_t id = 0; id < 11; ++id) lanes.push(7, 1.0 + id, 2, id);  // three wait
  std::vector<std::tuple<unsigned, std::uint32_t>> announced;
  lanes.pop([&](unsigned steps, const sim::TimedEvent& event) {
    CHECK(event.kind() == 2);
    announced.emplace_back(steps, static_cast<std::uint32_t>(event.id));
  });
  REQUIRE(announced.size() >= 2);
  CHECK(announced[0] == std::tuple(5U, 9U));
  CHECK(announced[1] == std::tuple(4U, 8U));
  for (std::uint32_t id = 1; id < 11; ++id) {
    CHECK(static_cast<std::uint32_t>(lanes.top().id) == id);
    lanes.pop();
  }
  CHECK(lanes.empty());
}

// System: 100 events of one instant in each of three lanes, and one of each a second later.
// Expectation: each that waited in its lane is announced with 5 to 0 steps, in this order, before it comes.
TEST_CASE("event lanes: events of one instant are announced step by step", "[physics]") {
  constexpr std::uint32_t kLanes = 3, kEach = 100, kWaiting = 8;
  sim::EventLanes lanes;
  for (std::uint32_t lane = 0; lane < kLanes; ++lane)
    for (std::uint32_t n = 0; n <= kEach; ++n)
      lanes.push(lane, n < kEach ? 1 : 2, 1, lane * (kEach + 1) + n);
  std::vector<std::vector<unsigned>> announced(std::size_t{kLanes} * (kEach + 1));
  while (!lanes.empty() && lanes.top().time() < 2) {
    const auto id = static_cast<std::uint32_t>(lanes.top().id);
    // The last ones are the heap's, as others are.
    if (const std::uint32_t n = id % (kEach + 1); n > 2 * kWaiting && n < kEach - kWaiting)
      REQUIRE(announced[id] == std::vector<unsigned>{5, 4, 3, 2, 1, 0});
    lanes.pop([&](unsigned steps, const sim::TimedEvent& event) {
      announced[static_cast<std::uint32_t>(event.id)].push_back(steps);
    });
  }
  CHECK(lanes.size() == kLanes);
}

TEST_CASE("short lists: each is its own, however long the others become", "[physics]") {
  sim::ShortLists<std::uint32_t> lists;
  std::vector<std::vector<std::uint32_t>> plain(300);
  std::mt19937 random(5);
  for (std::uint32_t list = 0; list < plain.size(); ++list) lists.clear(list);
  for (std::uint32_t step = 0; step < 6000; ++step) {
    const auto list = static_cast<std::uint32_t>(random() % plain.size());
    if (random() % 16 == 0) {
      lists.clear(list);
      plain[list].clear();
    } else if (random() % 8 == 0 && !plain[list].empty()) {
      lists.remove_last(list);
      plain[list].pop_back();
    } else {
      lists.add(list, step);
      plain[list].push_back(step);
    }
  }
  for (std::uint32_t list = 0; list < plain.size(); ++list)
    CHECK(
        std::equal(lists[list].begin(), lists[list].end(), plain[list].begin(), plain[list].end()));
}

TEST_CASE("large arrays: begin at a large page, keep what is in them, and small ones are aligned",
          "[physics]") {
  struct alignas(64) Line {
    std::uint64_t number = 0;
  };
  sim::LargeArray<Line> array;
  for (std::uint64_t number = 0; number < 200'000; ++number) {
    array.push_back({number});
    REQUIRE(reinterpret_cast<std::uintptr_t>(array.data()) % 64 == 0);
  }
  CHECK(reinterpret_cast<std::uintptr_t>(array.data()) % (2U << 20) == 0);
  CHECK(std::is_sorted(array.begin(), array.end(),
                       [](const Line& a, const Line& b) { return a.number < b.number; }));
  array.clear();
  array.shrink_to_fit();
  array.push_back({1});
  CHECK(array.front().number == 1);
}

}  // namespace reprise::test
