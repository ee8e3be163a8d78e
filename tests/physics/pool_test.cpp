// SPDX-License-Identifier: MIT
// Numbers of a pool: the least free one is taken first, whatever has come back in which order.
#include "sim/network/pool.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <random>
#include <set>

namespace reprise::test {

TEST_CASE("free numbers are taken from the least one on", "[physics]") {
  sim::FreeNumbers free;
  CHECK(free.empty());
  for (const std::uint32_t number : {300'000U, 7U, 64U, 4095U, 4096U, 63U}) free.give_back(number);
  for (const std::uint32_t number : {7U, 63U, 64U, 4095U, 4096U, 300'000U}) {
    REQUIRE_FALSE(free.empty());
    CHECK(free.take() == number);
  }
  CHECK(free.empty());
}

TEST_CASE("free numbers are those of a set, at random", "[physics]") {
  std::mt19937 random(1);
  for (const std::uint32_t most : {3U, 64U, 65U, 5000U, 300'000U}) {
    sim::FreeNumbers free(0);
    std::set<std::uint32_t> expected;
    for (int i = 0; i < 20'000; ++i) {
      const std::uint32_t number = static_cast<std::uint32_t>(random()) % most;
      if (random() % 2 == 0 && expected.insert(number).second) free.give_back(number);
      if (random() % 3 != 0 || expected.empty()) continue;
      REQUIRE(free.take() == *expected.begin());
      expected.erase(expected.begin());
    }
    CHECK(free.empty() == expected.empty());
  }
}

TEST_CASE("a pool gives the number that has come back last while it has few", "[physics]") {
  sim::Pool<int> pool;
  for (std::uint32_t i = 0; i < 100; ++i) CHECK(pool.take() == i);
  for (const std::uint32_t number : {70U, 3U, 99U}) pool.give_back(number);
  pool[3] = 42;
  for (const std::uint32_t number : {99U, 3U, 70U, 100U}) CHECK(pool.take() == number);
  CHECK(pool[3] == 42);
  CHECK(pool.size() == 101);
}

TEST_CASE("a pool gives the least number once it has many", "[physics]") {
  sim::Pool<int> pool;
  const std::uint32_t many = sim::FreeNumbers::kFew + 1;
  for (std::uint32_t i = 0; i < many; ++i) REQUIRE(pool.take() == i);
  for (const std::uint32_t number : {70U, 3U, many - 1, 99U}) pool.give_back(number);
  for (const std::uint32_t number : {3U, 70U, 99U, many - 1, many}) CHECK(pool.take() == number);
}

}  // namespace reprise::test
