// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>
#include <limits>

#include "tests/unit/trace-io/model/value_programs.hpp"

namespace reprise::trace_io {

constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

TEST_CASE("value_sequence terms: well formed are runs and properly nested loops", "[model]") {
  CHECK(ValueSequence::well_formed(Terms{}));
  CHECK(ValueSequence::well_formed(Terms{one(5), run(1, 2, 3)}));
  CHECK(ValueSequence::well_formed(Terms{loop(2, 3), one(1), loop(7, 1), run(0, -1, 4), one(9)}));
  CHECK(ValueSequence::well_formed(Terms{run(kHighest - 1, 1, 2)}));
}

TEST_CASE(
    "value_sequence terms: a run without values, with a stride to nowhere or beyond 64 bits is "
    "refused",
    "[model]") {
  CHECK_FALSE(ValueSequence::well_formed(Terms{run(5, 0, 0)}));
  CHECK_FALSE(ValueSequence::well_formed(Terms{run(5, 1, 1)}));
  CHECK_FALSE(ValueSequence::well_formed(Terms{run(kHighest - 1, 1, 3)}));
  CHECK_FALSE(ValueSequence::well_formed(Terms{run(-2, -kHighest, 2)}));
  CHECK_FALSE(ValueSequence::well_formed(Terms{run(0, kHighest, 3)}));
  CHECK_FALSE(ValueSequence::well_formed(Terms{{false, 5, 0, 2, 1}, one(1)}));
}

TEST_CASE(
    "value_sequence terms: a loop of one pass, without a body or reaching past its parent is "
    "refused",
    "[model]") {
  CHECK_FALSE(ValueSequence::well_formed(Terms{loop(1, 1), one(5)}));
  CHECK_FALSE(ValueSequence::well_formed(Terms{loop(0, 1), one(5)}));
  CHECK_FALSE(ValueSequence::well_formed(Terms{loop(2, 0), one(5)}));
  CHECK_FALSE(ValueSequence::well_formed(Terms{loop(2, 2), one(5)}));
  CHECK_FALSE(ValueSequence::well_formed(Terms{loop(2, 1)}));
  CHECK_FALSE(ValueSequence::well_formed(Terms{loop(2, 2), loop(2, 2), one(5), one(6)}));
  CHECK_FALSE(ValueSequence::well_formed(Terms{loop(2, 0xffffffffU), one(5)}));
  CHECK_FALSE(ValueSequence::well_formed(Terms{{true, 1, 0, 2, 1}, one(5)}));
}

TEST_CASE(
    "value_sequence terms: more values than 63 bits count and deeper nesting than 64 are refused",
    "[model]") {
  const std::uint64_t half = std::uint64_t{1} << 32U;
  CHECK(ValueSequence::well_formed(Terms{loop(half / 4, 1), run(1, 0, half)}));
  CHECK_FALSE(ValueSequence::well_formed(Terms{loop(half, 1), run(1, 0, half)}));
  CHECK_FALSE(ValueSequence::well_formed(Terms{run(1, 0, ~std::uint64_t{0})}));
  const auto nest = [](int depth) {
    Terms terms{one(1), one(2)};
    for (int i = 0; i < depth; ++i)
      terms.insert(terms.begin(), loop(2, static_cast<std::uint32_t>(terms.size())));
    return terms;
  };
  CHECK(ValueSequence::well_formed(nest(61)));        // 2⁶¹ · 2 values
  CHECK_FALSE(ValueSequence::well_formed(nest(62)));  // too many values
  CHECK_FALSE(ValueSequence::well_formed(nest(65)));  // too deep as well
}

TEST_CASE("value_sequence terms: what from_terms takes, terms gives back", "[model]") {
  for (const Terms& terms :
       {Terms{}, Terms{one(5)}, Terms{run(3, 4, 2)}, Terms{run(3, 4, 9)}, Terms{one(1), one(7)},
        Terms{loop(2, 3), one(1), loop(7, 1), run(0, -1, 4), one(9)},
        Terms{one(8), loop(3, 2), one(1), one(7), run(2, 0, 5)},
        Terms{loop(4, 4), one(3), loop(9, 2), one(1), one(7)}}) {
    REQUIRE(ValueSequence::well_formed(terms));
    const ValueSequence sequence = ValueSequence::from_terms(terms);
    CHECK(sequence.terms() == terms);
    CHECK(sequence.term_count() == terms.size());
  }
}

TEST_CASE("value_sequence terms: a loop over one constant is read as that constant", "[model]") {
  const ValueSequence sequence =
      ValueSequence::from_terms(Terms{loop(1000, 2), loop(3, 1), run(5, 0, 4)});
  CHECK(sequence.terms() == Terms{run(5, 0, 12000)});
  CHECK(sequence.is_constant());
}

TEST_CASE("value_sequence terms: equality and hash look at values, not at terms", "[model]") {
  const ValueSequence plain = ValueSequence::from_terms(Terms{loop(6, 2), one(1), one(7)});
  const ValueSequence grouped =
      ValueSequence::from_terms(Terms{loop(2, 3), loop(3, 2), one(1), one(7)});
  const ValueSequence rotated =
      ValueSequence::from_terms(Terms{one(1), loop(5, 2), one(7), one(1), one(7)});
  const ValueSequence other =
      ValueSequence::from_terms(Terms{loop(5, 2), one(1), one(7), one(1), one(8)});
  CHECK(plain == grouped);
  CHECK(plain == rotated);
  CHECK(grouped == rotated);
  CHECK(plain.hash() == grouped.hash());
  CHECK(plain.hash() == rotated.hash());
  CHECK_FALSE(plain == other);
  CHECK(plain.hash() != other.hash());
}

TEST_CASE("value_sequence terms: a sequence of 2^61 values is handled without unrolling",
          "[model]") {
  const std::uint64_t many = std::uint64_t{1} << 30U;
  const Terms terms{loop(many, 4), loop(many, 2), one(3), one(1), one(4)};
  const ValueSequence sequence = ValueSequence::from_terms(terms);
  CHECK(sequence.size() == many * (2 * many + 1));
  ValueSequence::Cursor cursor(sequence);
  cursor.skip(5 * (2 * many + 1) + 2 * many);
  CHECK(cursor.next() == 4);
  CHECK(cursor.next() == 3);
  CHECK(cursor.remaining() == (many - 6) * (2 * many + 1) - 1);
  ValueSequence twice = sequence;
  twice.append(sequence);
  CHECK(twice.terms() == Terms{loop(2 * many, 4), loop(many, 2), one(3), one(1), one(4)});
  CHECK(sequence.is_prefix_of(twice));
  const auto doubled = sequence.mapped([](std::int64_t value) { return 2 * value; });
  REQUIRE(doubled.has_value());
  CHECK(doubled->terms() == Terms{loop(many, 4), loop(many, 2), one(6), one(2), one(8)});
}

}  // namespace reprise::trace_io
