// SPDX-License-Identifier: MIT
// What levels are said to take is about what they take when they are coded.
#include "trace-io/order/level_price.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "trace-io/order/level_coder.hpp"

using namespace reprise::trace_io;

namespace {

using Table = std::vector<std::vector<std::int32_t>>;

Table table_of(int ranks, int steps, const std::function<std::int32_t(int rank, int step)>& level) {
  Table rows;
  for (int rank = 0; rank < ranks; ++rank) {
    auto& row = rows.emplace_back();
    for (int step = 0; step < steps; ++step) row.push_back(level(rank, step));
  }
  return rows;
}

double coded_bytes(const Table& rows) {
  LevelEncoder encoder;
  encoder.begin_table();
  for (const auto& row : rows) encoder.put_row(row);
  return static_cast<double>(encoder.bytes().size());
}

double price_of(LevelPrice& price, const Table& rows) {
  price.begin_anew();
  price.begin_table();
  for (const auto& row : rows) price.put_row(row);
  return static_cast<double>(price.bytes());
}

double normal_number(std::mt19937_64& random) {  // the sum of twelve, for the same on every machine
  double sum = -6;
  for (int i = 0; i < 12; ++i) sum += static_cast<double>(random() >> 11U) * 0x1p-53;
  return sum;
}

}  // namespace

TEST_CASE("level_price: a price is within an eighth of what is coded, or 32 bytes", "[trace-io]") {
  LevelPrice price;
  std::mt19937_64 random(11);
  const auto scattered = [&](double width) {
    return table_of(4, 2000, [&, width](int, int) {
      return static_cast<std::int32_t>(width * normal_number(random));
    });
  };
  const std::vector<Table> all = {
      scattered(0.4),
      scattered(0.8),
      scattered(3),
      scattered(40),
      scattered(3000),
      table_of(2, 5000, [&](int, int) { return random() % 50 == 0 ? 1 : 0; }),
      table_of(2, 5000, [&](int, int step) { return step % 40 == 0 ? 12 : 0; }),
      table_of(16, 400, [&](int, int step) { return step * 7919 % 11 - 5; }),
      table_of(3, 3000,
               [&](int rank, int step) {
                 return step / 300 % 3 - 1 + (random() % 30 == 0 ? rank + 1 : 0);
               }),
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    INFO(i << ": " << coded_bytes(all[i]) << " bytes, price " << price_of(price, all[i]));
    CHECK(price_of(price, all[i]) <= 1.125 * coded_bytes(all[i]) + 32);
    CHECK(price_of(price, all[i]) >= 0.875 * coded_bytes(all[i]) - 32);
  }
}

TEST_CASE("level_price: one that begins anew is as a new one, however often", "[trace-io]") {
  LevelPrice price;
  std::mt19937_64 random(5);
  for (int run = 0; run < 600; ++run) {  // what beginnings are counted in goes round twice
    const Table rows =
        table_of(3, 40, [&](int, int) { return static_cast<std::int32_t>(random() % 7) - 3; });
    LevelPrice fresh;
    REQUIRE(price_of(price, rows) == price_of(fresh, rows));
  }
}
