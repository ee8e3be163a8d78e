// SPDX-License-Identifier: MIT
// How the number of terms grows with the number of values.
#include <algorithm>
#include <catch2/catch.hpp>

#include "tests/unit/trace-io/model/value_programs.hpp"

namespace reprise::trace_io {

TEST_CASE("value_sequence growth: the terms of a periodic sequence do not grow with 10^6 values",
          "[model]") {
  std::mt19937_64 random(21);
  for (int i = 0; i < 25; ++i) {
    Values period = random_values(random, 2 + i % 3);
    period.resize(std::min<std::size_t>(period.size(), 100));
    const std::size_t period_terms = sequence_of(period).term_count();
    ValueSequence sequence;
    const auto append_until = [&](std::uint64_t size) {
      while (sequence.size() < size)
        for (const std::int64_t value : period) sequence.append(value);
    };
    append_until(10'000);
    const std::size_t early = sequence.term_count();
    append_until(1'000'000);
    CHECK(sequence.term_count() <= early);
    // A loop's node, one body, and at most one more on the way in (the period may be found in another phase).
    CHECK(early <= 3 * period_terms + 6);
  }
}

TEST_CASE("value_sequence growth: 10^6 periodic values of three levels stay four levels of terms",
          "[model]") {
  const Values inner = joined(repeated({1, 1, 1, 2}, 5), {9});
  const Values outer = joined(joined({7}, repeated(inner, 4)), {8, 8, 3});
  ValueSequence sequence;
  while (sequence.size() < 1'000'000)
    for (const std::int64_t value : outer) sequence.append(value);
  CHECK(sequence.term_count() == 9);
}

TEST_CASE("value_sequence growth: an irregular list that comes back is folded, long as it may be",
          "[model]") {
  std::mt19937_64 random(23);
  for (const std::size_t length : {100U, 129U, 300U, 4096U, 65536U}) {
    Values list(length);
    for (std::int64_t& value : list) value = static_cast<std::int64_t>(random() % 1'000'000);
    ValueSequence sequence;
    for (int times = 0; times < 5; ++times)
      for (const std::int64_t value : list) sequence.append(value);
    // The list's terms, the loop, and those that were found in another phase where the list's ends made a run together.
    CHECK(sequence.term_count() <= 2 * length + 8);
    CHECK(values_of(sequence) == repeated(list, 5));
  }
}

TEST_CASE("value_sequence growth: a long list with loops in it is folded as well", "[model]") {
  std::mt19937_64 random(24);
  for (int tries = 0; tries < 20; ++tries) {
    Values list;
    while (list.size() < 3000) {
      list.push_back(static_cast<std::int64_t>(random() % 100'000));
      const Values pair = {static_cast<std::int64_t>(random() % 100),
                           static_cast<std::int64_t>(200 + random() % 100)};
      list = joined(list, repeated(pair, static_cast<int>(random() % 5)));
    }
    ValueSequence sequence;
    const std::size_t once = sequence_of(list).term_count();
    for (int times = 0; times < 6; ++times)
      for (const std::int64_t value : list) sequence.append(value);
    CHECK(sequence.term_count() <= 2 * once + 16);
    CHECK(values_of(sequence) == repeated(list, 6));
  }
}

TEST_CASE("value_sequence growth: irregular values cost at most one term each", "[model]") {
  std::mt19937_64 random(22);
  for (const std::uint64_t alphabet : {2U, 3U, 4U, 1000U, 1000000U}) {
    ValueSequence sequence;
    constexpr std::size_t kCount = 50'000;
    for (std::size_t i = 0; i < kCount; ++i)
      sequence.append(static_cast<std::int64_t>(random() % alphabet));
    CHECK(sequence.size() == kCount);
    CHECK(sequence.term_count() <= kCount);
  }
}

TEST_CASE("value_sequence growth: words without squares, and words full of them, decode",
          "[model]") {
  Values thue_morse{0}, fibonacci{0}, before{1}, ruler;
  while (thue_morse.size() < 20'000) {
    Values complement = thue_morse;
    for (std::int64_t& bit : complement) bit = 1 - bit;
    thue_morse = joined(thue_morse, complement);
  }
  while (fibonacci.size() < 20'000) {
    Values next = joined(fibonacci, before);
    before = std::move(fibonacci);
    fibonacci = std::move(next);
  }
  for (int i = 1; i <= 20'000; ++i) ruler.push_back(__builtin_ctz(static_cast<unsigned>(i)));
  for (const Values& word : {thue_morse, fibonacci, ruler}) {
    const ValueSequence sequence = sequence_of(word);
    CHECK(values_of(sequence) == word);
    CHECK(sequence.term_count() <= word.size());
  }
}

TEST_CASE("value_sequence growth: a staircase of 10^6 values is two terms", "[model]") {
  ValueSequence sequence;
  for (std::int64_t i = 0; i < 1'000'000; ++i) sequence.append(i / 4);
  CHECK(sequence.term_count() == 2);
  CHECK(sequence.terms() == Terms{{true, 0, 1, 250'000, 1}, run(0, 0, 4)});
  CHECK(sequence.sum() == 4 * (std::int64_t{249'999} * 250'000 / 2));
  ValueSequence::Cursor cursor(sequence);
  cursor.skip(777'777);
  CHECK(cursor.next() == 777'777 / 4);
}

TEST_CASE("value_sequence growth: counters that run side by side in one place fold", "[model]") {
  // tag = 10·step + neighbour, for the 3 neighbours of each of 4 stages; and one value that is irregular but comes back shifted.
  ValueSequence sequence;
  for (std::int64_t step = 0; step < 50'000; ++step)
    for (const std::int64_t neighbour : {0, 7, 3, 1000, 1, 1})
      sequence.append(10 * step + neighbour);
  CHECK(sequence.term_count() <= 14);
  ValueSequence::Cursor cursor(sequence);
  for (std::int64_t step = 0; step < 50'000; ++step)
    for (const std::int64_t neighbour : {0, 7, 3, 1000, 1, 1})
      if (cursor.next() != 10 * step + neighbour)
        FAIL("value " << neighbour << " of step " << step);
}

TEST_CASE("value_sequence growth: staircases within staircases that come back are a few terms",
          "[model]") {
  ValueSequence sequence;
  Values values;
  for (std::int64_t pass = 0; pass < 40; ++pass)
    for (std::int64_t outer = 0; outer < 20; ++outer)
      for (std::int64_t inner = 0; inner < 10; ++inner)
        for (int twice = 0; twice < 2; ++twice) values.push_back(100 * outer + inner);
  for (const std::int64_t value : values) sequence.append(value);
  CHECK(sequence.term_count() <= 12);
  CHECK(values_of(sequence) == values);
}

TEST_CASE("value_sequence growth: a shift that would leave 64 bits is not counted on", "[model]") {
  const std::int64_t most = INT64_MAX;
  for (const Values& values :
       {Values{most - 4, most - 4, most - 2, most - 2, most, most, INT64_MIN + 1, INT64_MIN + 1},
        Values{INT64_MIN, INT64_MIN, -1, -1, most - 1, most - 1, INT64_MIN + 3, INT64_MIN + 3}}) {
    const ValueSequence sequence = sequence_of(values);
    CHECK(values_of(sequence) == values);
    CHECK(ValueSequence::well_formed(sequence.terms()));
  }
}

}  // namespace reprise::trace_io
