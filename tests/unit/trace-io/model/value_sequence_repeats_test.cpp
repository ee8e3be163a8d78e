// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>
#include <initializer_list>
#include <vector>

#include "trace-io/model/value_sequence.hpp"

namespace reprise::trace_io {
namespace {

ValueSequence repeated(std::initializer_list<std::int64_t> body, int times,
                       std::initializer_list<std::int64_t> after = {}) {
  ValueSequence sequence;
  for (int i = 0; i < times; ++i)
    for (const auto value : body) sequence.append(value);
  for (const auto value : after) sequence.append(value);
  return sequence;
}

std::uint64_t repeats(const ValueSequence& sequence, std::uint64_t skipped, std::uint64_t period) {
  ValueSequence::Cursor cursor(sequence);
  cursor.skip(skipped);
  return cursor.repeats(period);
}

}  // namespace

TEST_CASE("value sequence cursor: a constant repeats with any period to its end",
          "[value_sequence]") {
  CHECK(repeats(repeated({7}, 100), 10, 1) == 90);
  CHECK(repeats(repeated({7}, 100), 10, 13) == 90);
  CHECK(repeats(repeated({7}, 100), 100, 1) == 0);
}

TEST_CASE("value sequence cursor: a counter repeats with no period", "[value_sequence]") {
  ValueSequence counter;
  for (int i = 0; i < 100; ++i) counter.append(i);
  CHECK(repeats(counter, 10, 1) == 0);
  CHECK(repeats(counter, 10, 7) == 0);
}

TEST_CASE("value sequence cursor: a loop repeats with multiples of its length, up to where it ends",
          "[value_sequence]") {
  const auto sequence = repeated({1, 5, 2}, 50, {9, 9, 9, 9});
  CHECK(repeats(sequence, 30, 3) == 120);
  CHECK(repeats(sequence, 31, 6) == 119);
  CHECK(repeats(sequence, 30, 2) == 1);  // a value by itself
  CHECK(repeats(sequence, 150, 2) == 4);
}

// Whatever it answers must hold value by value, at every place and for every period.
TEST_CASE("value sequence cursor: what it says to repeat does", "[value_sequence]") {
  ValueSequence sequence;
  std::vector<std::int64_t> values;
  const auto add = [&](std::int64_t value) {
    sequence.append(value);
    values.push_back(value);
  };
  for (int outer = 0; outer < 6; ++outer) {
    for (int inner = 0; inner < 4; ++inner)
      for (const int value : {3, 8, 8, 1}) add(value);
    add(100);
  }
  for (int i = 0; i < 5; ++i) add(i);
  for (int i = 0; i < 9; ++i) add(42);
  for (std::uint64_t at = 0; at < values.size(); ++at) {
    for (std::uint64_t period = 1; period < 40; ++period) {
      const std::uint64_t alike = repeats(sequence, at, period);
      REQUIRE(at + alike <= values.size());
      for (std::uint64_t i = at; i + period < at + alike; ++i)
        REQUIRE(values[i] == values[i + period]);
    }
  }
  CHECK(repeats(sequence, 0, 17) == 102);
}

}  // namespace reprise::trace_io
