// SPDX-License-Identifier: MIT
// Properties of every sequence, tried on random nested programs of values.
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

#include "tests/unit/trace-io/model/value_programs.hpp"

namespace reprise::trace_io {

constexpr int kPrograms = 4000;

TEST_CASE("value_sequence random: decoding gives back what was appended", "[model]") {
  std::mt19937_64 random(1);
  for (int i = 0; i < kPrograms; ++i) {
    const Values values = random_values(random, i % 6);
    const ValueSequence sequence = sequence_of(values);
    REQUIRE(sequence.size() == values.size());
    REQUIRE(values_of(sequence) == values);
    REQUIRE(sequence.sum() == std::accumulate(values.begin(), values.end(), std::int64_t{0}));
    REQUIRE(sequence.front() == values.front());
    REQUIRE(sequence.is_constant() ==
            std::all_of(values.begin(), values.end(),
                        [&](std::int64_t value) { return value == values[0]; }));
  }
}

TEST_CASE("value_sequence random: every prefix of a growing sequence decodes", "[model]") {
  std::mt19937_64 random(2);
  for (int i = 0; i < 300; ++i) {
    Values values = random_values(random, 3);
    values.resize(std::min<std::size_t>(values.size(), 120));
    ValueSequence sequence;
    for (std::size_t size = 0; size < values.size(); ++size) {
      sequence.append(values[size]);
      REQUIRE(values_of(sequence) ==
              Values(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(size) + 1));
    }
  }
}

TEST_CASE("value_sequence random: own terms are well formed and make the same sequence again",
          "[model]") {
  std::mt19937_64 random(3);
  for (int i = 0; i < kPrograms; ++i) {
    const ValueSequence sequence = sequence_of(random_values(random, i % 6));
    const Terms terms = sequence.terms();
    REQUIRE(ValueSequence::well_formed(terms));
    REQUIRE(terms.size() == sequence.term_count());
    const ValueSequence again = ValueSequence::from_terms(terms);
    REQUIRE(again.terms() == terms);
    REQUIRE(again == sequence);
    REQUIRE(again.hash() == sequence.hash());
  }
}

TEST_CASE("value_sequence random: sequences differ where one value differs", "[model]") {
  std::mt19937_64 random(4);
  for (int i = 0; i < kPrograms; ++i) {
    Values values = random_values(random, i % 6);
    const ValueSequence sequence = sequence_of(values);
    const std::size_t at = random() % values.size();
    values[at] += 1;
    const ValueSequence other = sequence_of(values);
    REQUIRE_FALSE(other == sequence);
    REQUIRE(other.hash() != sequence.hash());
    values.push_back(0);
    REQUIRE_FALSE(sequence.is_prefix_of(sequence_of(values)));
  }
}

TEST_CASE("value_sequence random: a cursor that skips reads on at the right place", "[model]") {
  std::mt19937_64 random(5);
  for (int i = 0; i < kPrograms; ++i) {
    const Values values = random_values(random, i % 6);
    const ValueSequence sequence = sequence_of(values);
    ValueSequence::Cursor cursor(sequence);
    std::size_t at = 0;
    while (!cursor.at_end()) {
      const std::size_t skipped = random() % (values.size() - at + 1);
      cursor.skip(skipped);
      at += skipped;
      REQUIRE(cursor.remaining() == values.size() - at);
      for (int reads = 0; reads < 3 && !cursor.at_end(); ++reads)
        REQUIRE(cursor.next() == values[at++]);
    }
    REQUIRE(at == values.size());
  }
}

TEST_CASE("value_sequence random: runs seen by a cursor make up the values", "[model]") {
  std::mt19937_64 random(6);
  for (int i = 0; i < 1000; ++i) {
    const Values values = random_values(random, i % 6);
    const ValueSequence sequence = sequence_of(values);
    Values read;
    for (ValueSequence::Cursor cursor(sequence); !cursor.at_end();) {
      const auto part = cursor.run();
      for (std::uint64_t k = 0; k < part.count; ++k)
        read.push_back(part.start + static_cast<std::int64_t>(k) * part.stride);
      cursor.skip(part.count);
    }
    REQUIRE(read == values);
  }
}

TEST_CASE("value_sequence random: mapping maps every value", "[model]") {
  std::mt19937_64 random(7);
  for (int i = 0; i < kPrograms; ++i) {
    Values values = random_values(random, i % 6);
    const auto image = [](std::int64_t value) { return value % 3 * 10; };
    const auto mapped = sequence_of(values).mapped(image);
    std::transform(values.begin(), values.end(), values.begin(), image);
    REQUIRE(mapped.has_value());
    REQUIRE(values_of(*mapped) == values);
    REQUIRE(*mapped == sequence_of(values));
  }
}

}  // namespace reprise::trace_io
