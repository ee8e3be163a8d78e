// SPDX-License-Identifier: MIT
// Appending whole runs and whole sequences.
#include <catch2/catch.hpp>

#include "tests/unit/trace-io/model/value_programs.hpp"

namespace reprise::trace_io {

TEST_CASE("value_sequence join: appending a sequence is appending its values", "[model]") {
  std::mt19937_64 random(11);
  for (int i = 0; i < 6000; ++i) {
    const Values front = random_values(random, i % 5), back = random_values(random, i % 4);
    ValueSequence sequence = sequence_of(front);
    sequence.append(sequence_of(back));
    const Values both = joined(front, back);
    REQUIRE(sequence.size() == both.size());
    REQUIRE(values_of(sequence) == both);
    REQUIRE(sequence == sequence_of(both));
    REQUIRE((!sequence.is_grown() || sequence.terms() == sequence_of(both).terms()));
    REQUIRE(sequence.hash() == sequence_of(both).hash());
    REQUIRE(sequence_of(front).is_prefix_of(sequence));
    REQUIRE(sequence_of(front).is_prefix_of(sequence_of(both)));
  }
}

TEST_CASE("value_sequence join: a sequence goes on after it was read back or copied", "[model]") {
  std::mt19937_64 random(12);
  for (int i = 0; i < 3000; ++i) {
    const Values front = random_values(random, i % 5), back = random_values(random, i % 5);
    ValueSequence read = ValueSequence::from_terms(sequence_of(front).terms());
    ValueSequence copy = sequence_of(front);
    ValueSequence other = copy;
    for (const std::int64_t value : back) {
      read.append(value);
      other.append(value);
    }
    const Values both = joined(front, back);
    REQUIRE(values_of(read) == both);
    REQUIRE(values_of(other) == both);
    REQUIRE(other.terms() == sequence_of(both).terms());
    REQUIRE(values_of(copy) == front);
  }
}

TEST_CASE(
    "value_sequence join: what grew value by value says so, what was read or goes on does not",
    "[model]") {
  const Values values = {3, 5, -3, 11, 4};
  const ValueSequence grown = sequence_of(values);
  CHECK(grown.is_grown());
  CHECK(ValueSequence(grown).is_grown());
  CHECK(sequence_of({5, 6, 7}).is_grown());
  CHECK_FALSE(ValueSequence::from_terms(grown.terms()).is_grown());
  ValueSequence longer = grown;
  for (const std::int64_t value : {9, 1, 7}) longer.append(value);
  CHECK_FALSE(longer.is_grown());
  std::mt19937_64 random(14);
  for (int i = 0; i < 3000; ++i) {
    const Values front = random_values(random, i % 5), back = random_values(random, i % 5);
    ValueSequence sequence = sequence_of(front);
    sequence.append(sequence_of(back));
    for (const std::int64_t value : front) sequence.append(value);
    const Values all = joined(joined(front, back), front);
    REQUIRE((!sequence.is_grown() || sequence.terms() == sequence_of(all).terms()));
  }
}

TEST_CASE("value_sequence join: a sequence can be appended to itself", "[model]") {
  std::mt19937_64 random(13);
  for (int i = 0; i < 500; ++i) {
    const Values values = random_values(random, i % 5);
    ValueSequence sequence = sequence_of(values);
    sequence.append(sequence);
    REQUIRE(values_of(sequence) == joined(values, values));
  }
}

TEST_CASE("value_sequence join: equal loops become one", "[model]") {
  const ValueSequence half = sequence_of(repeated({3, 5, -3, 11}, 1000));
  ValueSequence whole = half;
  for (int i = 1; i < 100; ++i) whole.append(half);
  CHECK(whole.terms() == Terms{loop(100'000, 4), one(3), one(5), one(-3), one(11)});
}

TEST_CASE("value_sequence join: a loop in another phase is followed all the same", "[model]") {
  ValueSequence sequence = sequence_of(joined(repeated({3, 5, -3, 11}, 10), {3}));
  sequence.append(
      ValueSequence::from_terms(Terms{loop(1'000'000'000, 4), one(5), one(-3), one(11), one(3)}));
  CHECK(sequence.terms() ==
        Terms{loop(1'000'000'010, 4), one(3), one(5), one(-3), one(11), one(3)});
}

TEST_CASE("value_sequence join: whole nested sequences in a row become an outer loop", "[model]") {
  const ValueSequence part = sequence_of(joined(repeated({1, 1, 1, 2}, 5), {9}));
  ValueSequence whole;
  for (int i = 0; i < 50; ++i) whole.append(part);
  CHECK(whole.terms() == Terms{loop(50, 4), loop(5, 2), run(1, 0, 3), one(2), one(9)});
}

TEST_CASE("value_sequence join: runs are appended as a whole", "[model]") {
  ValueSequence sequence;
  sequence.append_run(7, 0, 1'000'000'000'000);
  CHECK(sequence.terms() == Terms{run(7, 0, 1'000'000'000'000)});
  sequence.append_run(7, 0, 5);
  sequence.append_run(8, 3, 1'000'000'000);
  sequence.append_run(3'000'000'008, 3, 2);
  sequence.append_run(1, 1, 0);
  CHECK(sequence.terms() == Terms{run(7, 0, 1'000'000'000'005), run(8, 3, 1'000'000'002)});
}

TEST_CASE("value_sequence join: appending a run is appending its values", "[model]") {
  std::mt19937_64 random(14);
  for (int i = 0; i < 3000; ++i) {
    Values values = random_values(random, i % 4);
    ValueSequence sequence = sequence_of(values);
    const auto start = static_cast<std::int64_t>(random() % 4),
               stride = static_cast<std::int64_t>(random() % 3) - 1;
    const std::uint64_t count = random() % 9;
    sequence.append_run(start, stride, count);
    for (std::uint64_t k = 0; k < count; ++k)
      values.push_back(start + static_cast<std::int64_t>(k) * stride);
    REQUIRE(sequence.terms() == sequence_of(values).terms());
  }
}

TEST_CASE("value_sequence join: a prefix is known across loops of different lengths", "[model]") {
  const Values body = joined(repeated({1, 1, 1, 2}, 5), {9});
  const ValueSequence many = ValueSequence::from_terms(
      Terms{loop(1'000'000'000'000, 4), loop(5, 2), run(1, 0, 3), one(2), one(9)});
  CHECK(sequence_of(repeated(body, 10)).is_prefix_of(many));
  CHECK(sequence_of(joined(repeated(body, 10), {1, 1, 1, 2, 1})).is_prefix_of(many));
  CHECK_FALSE(sequence_of(joined(repeated(body, 10), {1, 1, 1, 2, 2})).is_prefix_of(many));
  CHECK_FALSE(many.is_prefix_of(sequence_of(body)));
  CHECK(many.is_prefix_of(many));
}

TEST_CASE("value_sequence join: a run too long to be unrolled is not mapped", "[model]") {
  ValueSequence sequence;
  sequence.append_run(0, 1, ValueSequence::kPrefixWork + 1);
  CHECK_FALSE(sequence.mapped([](std::int64_t value) { return value; }).has_value());
  ValueSequence constant;
  constant.append_run(4, 0, ValueSequence::kPrefixWork + 1);
  const auto mapped = constant.mapped([](std::int64_t value) { return value + 1; });
  REQUIRE(mapped.has_value());
  CHECK(mapped->terms() == Terms{run(5, 0, ValueSequence::kPrefixWork + 1)});
}

}  // namespace reprise::trace_io
