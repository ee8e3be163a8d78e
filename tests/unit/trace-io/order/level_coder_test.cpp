// SPDX-License-Identifier: MIT
// Levels come back as they were put, and what can be foreseen takes next to nothing.
#include "trace-io/order/level_coder.hpp"

#include <catch2/catch.hpp>
#include <cstdint>
#include <functional>
#include <random>
#include <vector>

#include "trace-io/base/integers.hpp"

using namespace reprise::trace_io;

namespace {

using Rows = std::vector<std::vector<std::int32_t>>;

std::vector<std::uint8_t> coded(const Rows& rows) {
  LevelEncoder encoder;
  encoder.begin_table();
  for (const auto& row : rows) encoder.put_row(row);
  return encoder.bytes();
}

// Whether the bytes give the rows again, and are used up.
bool come_back(const Rows& rows, const std::vector<std::uint8_t>& bytes) {
  LevelDecoder decoder(bytes);
  decoder.begin_table();
  for (const auto& row : rows) {
    std::vector<std::int32_t> taken(row.size());
    decoder.take_row(taken);
    if (taken != row) return false;
  }
  return decoder.is_at_end();
}

// 16 ranks of 240 executions.
Rows rows_of(const std::function<std::int32_t(int rank, int step)>& level) {
  Rows rows;
  for (int rank = 0; rank < 16; ++rank) {
    auto& row = rows.emplace_back();
    for (int step = 0; step < 240; ++step) row.push_back(level(rank, step));
  }
  return rows;
}

std::size_t bytes_of(const Rows& rows) {
  const auto bytes = coded(rows);
  CHECK(come_back(rows, bytes));
  return bytes.size();
}

}  // namespace

TEST_CASE("level_coder: an encoder that begins anew is as a new one, however often", "[trace-io]") {
  LevelEncoder encoder;
  std::mt19937_64 random(5);
  for (int run = 0; run < 600;
       ++run) {  // what an encoder counts its beginnings in goes round twice
    const auto rows = Rows(3, [&] {
      std::vector<std::int32_t> row(40);
      for (auto& level : row) level = static_cast<std::int32_t>(random() % 7) - 3;
      return row;
    }());
    encoder.begin_anew();
    encoder.begin_table();
    for (const auto& row : rows) encoder.put_row(row);
    REQUIRE(encoder.bytes() == coded(rows));
  }
}

// Made by the first version that wrote them. Levels of few kinds, for among those some stretches have one hash, which a reader has to have, too.
TEST_CASE("level_coder: levels give the bytes that they always gave", "[trace-io]") {
  struct Pinned {
    int kinds;
    std::size_t size;
    std::uint64_t hash;
  };
  for (const Pinned& pinned :
       {Pinned{3, 606, 0xd7a1029100dba637}, Pinned{5, 892, 0x755edb4c1fcce024},
        Pinned{9, 1225, 0xfde0aa4b51f1f08e}}) {
    std::mt19937_64 random(7);
    Rows rows(3, std::vector<std::int32_t>(1000));
    for (auto& row : rows)
      for (auto& level : row)
        level = static_cast<std::int32_t>(random() % static_cast<unsigned>(pinned.kinds)) -
                pinned.kinds / 2;
    const auto bytes = coded(rows);
    WordHash hash;
    for (const std::uint8_t byte : bytes) hash.add(byte);
    CHECK(bytes.size() == pinned.size);
    CHECK(hash.value() == pinned.hash);
  }
}

TEST_CASE("level_coder: what repeats, and what is alike or shifted on other ranks, is nearly free",
          "[trace-io]") {
  CHECK(bytes_of(rows_of([](int, int) { return 0; })) == 0);
  CHECK(bytes_of(rows_of([](int, int step) { return step % 2; })) <= 8);
  CHECK(bytes_of(rows_of([](int, int step) { return step % 40 == 0 ? 17 : 0; })) <= 24);
  CHECK(bytes_of(rows_of([](int rank, int step) { return step % 16 == rank ? 15 : 0; })) <= 24);
  CHECK(bytes_of(rows_of([](int rank, int step) { return (step + rank) % 2; })) <= 12);
}

// 3840 levels that are 1 with probability 1/4 hold 3840 · H(1/4) / 8 = 389 bytes.
TEST_CASE("level_coder: what cannot be foreseen takes its entropy, once", "[trace-io]") {
  std::mt19937 random(1);
  const Rows apart = rows_of([&](int, int) { return random() % 4 == 0 ? 1 : 0; });
  CHECK(bytes_of(apart) < 430);
  // On all ranks alike: a sixteenth, and little for saying so.
  const Rows alike =
      rows_of([&](int, int step) { return apart[0][static_cast<std::size_t>(step)]; });
  CHECK(bytes_of(alike) < 60);
}

TEST_CASE("level_coder: any levels come back", "[trace-io]") {
  std::mt19937_64 random(2);
  for (int round = 0; round < 60; ++round) {
    Rows rows(1 + random() % 5);
    const unsigned bits = 1 + static_cast<unsigned>(random() % 31);
    for (auto& row : rows) {
      row.resize(random() % 90);
      for (auto& level : row) {
        level = static_cast<std::int32_t>(random() % (std::uint64_t{1} << bits));
        if (random() % 2 == 0) level = -level;
      }
    }
    CHECK(come_back(rows, coded(rows)));
  }
  CHECK(bytes_of({{INT32_MAX, -INT32_MAX, 0, 1, -1}}) > 0);
}

TEST_CASE("level_coder: damaged bytes give other levels and never fail", "[trace-io]") {
  std::mt19937 random(3);
  const Rows rows = rows_of([&](int, int) { return static_cast<std::int32_t>(random() % 50); });
  const auto whole = coded(rows);
  for (int round = 0; round < 50; ++round) {
    auto bytes = whole;
    bytes.resize(random() % (bytes.size() + 1));
    for (int i = 0; i < 5 && !bytes.empty(); ++i)
      bytes[random() % bytes.size()] = static_cast<std::uint8_t>(random());
    (void)come_back(rows, bytes);
  }
  CHECK_FALSE(come_back({{0, 0}}, {1, 2, 3, 4, 5, 6, 7, 8, 9}));  // bytes are left over
}
