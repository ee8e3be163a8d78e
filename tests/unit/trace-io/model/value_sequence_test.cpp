// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>
#include <limits>

#include "tests/unit/trace-io/model/value_programs.hpp"

namespace reprise::trace_io {

constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

TEST_CASE("value_sequence: an empty sequence has no terms and equals another empty one",
          "[model]") {
  const ValueSequence sequence;
  CHECK(sequence.size() == 0);
  CHECK(sequence.empty());
  CHECK(sequence.terms().empty());
  CHECK(sequence.term_count() == 0);
  CHECK(sequence.sum() == 0);
  CHECK(sequence == ValueSequence());
  CHECK(sequence.is_prefix_of(sequence_of({1})));
  CHECK_FALSE(sequence == sequence_of({0}));
  CHECK(ValueSequence::Cursor(sequence).at_end());
}

TEST_CASE("value_sequence: one value is a run of one with stride 0", "[model]") {
  for (const std::int64_t value :
       {std::int64_t{0}, std::int64_t{7}, std::int64_t{-1}, kLowest, kHighest}) {
    const ValueSequence sequence = sequence_of({value});
    CHECK(sequence.terms() == Terms{one(value)});
    CHECK(sequence.front() == value);
    CHECK(sequence.is_constant());
  }
}

TEST_CASE("value_sequence: constants and progressions are one run", "[model]") {
  CHECK(sequence_of({5, 5, 5, 5}).terms() == Terms{run(5, 0, 4)});
  CHECK(sequence_of({0, 0, 0}).terms() == Terms{run(0, 0, 3)});
  CHECK(sequence_of({3, 5, 7}).terms() == Terms{run(3, 2, 3)});
  CHECK(sequence_of({9, 6, 3, 0, -3}).terms() == Terms{run(9, -3, 5)});
  CHECK(sequence_of({5, 5}).is_constant());
  CHECK_FALSE(sequence_of({5, 6}).is_constant());
  CHECK_FALSE(sequence_of({1, 2, 1, 2}).is_constant());
}

TEST_CASE("value_sequence: a sequence of one run takes no more than 48 bytes", "[model]") {
  CHECK(sizeof(ValueSequence) <= 48);
}

TEST_CASE("value_sequence: a repeated progression is a loop over one run", "[model]") {
  CHECK(sequence_of(repeated({0, 1, 2, 3, 4, 5, 6, 7}, 100)).terms() ==
        Terms{loop(100, 1), run(0, 1, 8)});
}

TEST_CASE("value_sequence: repeated neighbours are a loop over single values", "[model]") {
  CHECK(sequence_of(repeated({3, 5, -3, 11}, 1000)).terms() ==
        Terms{loop(1000, 4), one(3), one(5), one(-3), one(11)});
}

TEST_CASE("value_sequence: an odd value in each period belongs to the body", "[model]") {
  CHECK(sequence_of(repeated({5, 5, 5, 6}, 50)).terms() ==
        Terms{loop(50, 2), run(5, 0, 3), one(6)});
}

TEST_CASE("value_sequence: loops nest", "[model]") {
  const Values inner = joined(repeated({1, 1, 1, 2}, 5), {9});
  CHECK(sequence_of(repeated(inner, 1000)).terms() ==
        Terms{loop(1000, 4), loop(5, 2), run(1, 0, 3), one(2), one(9)});
  const Values middle = joined({7}, repeated(inner, 4));
  CHECK(sequence_of(repeated(middle, 300)).terms() ==
        Terms{loop(300, 6), one(7), loop(4, 4), loop(5, 2), run(1, 0, 3), one(2), one(9)});
}

TEST_CASE("value_sequence: a loop left in the middle keeps what was followed, and goes on",
          "[model]") {
  const Values body = {4, 4, 8, 1};
  const ValueSequence left = sequence_of(joined(repeated(body, 10), {4, 4, 9}));
  CHECK(left.terms() == Terms{loop(10, 3), run(4, 0, 2), one(8), one(1), run(4, 0, 2), one(9)});
  const ValueSequence partial = sequence_of(joined(repeated(body, 10), {4, 4, 8}));
  CHECK(partial.size() == 43);
  CHECK(partial.terms() == Terms{loop(10, 3), run(4, 0, 2), one(8), one(1), run(4, 0, 2), one(8)});
}

TEST_CASE("value_sequence: an inner loop that goes on longer than the last times is lengthened",
          "[model]") {
  const Values inner = repeated({1, 2}, 3), outer = joined(inner, {9});
  const Values all = joined(joined(repeated(outer, 5), repeated({1, 2}, 8)), {9});
  CHECK(sequence_of(all).terms() ==
        Terms{loop(5, 4), loop(3, 2), one(1), one(2), one(9), loop(8, 2), one(1), one(2), one(9)});
}

TEST_CASE("value_sequence: extreme values neither overflow nor get lost", "[model]") {
  for (const Values& values :
       {Values{kLowest, kHighest}, Values{kLowest, kHighest, kLowest, kHighest},
        Values{kHighest - 2, kHighest - 1, kHighest},
        Values{kHighest - 1, kHighest, kLowest, kLowest + 1},
        Values{kLowest, 0, kHighest, -1, kLowest}, repeated({kLowest, kHighest, 0}, 20),
        Values{kLowest + 2, kLowest + 1, kLowest, kHighest, kHighest - 1}}) {
    const ValueSequence sequence = sequence_of(values);
    CHECK(values_of(sequence) == values);
    CHECK(ValueSequence::well_formed(sequence.terms()));
    CHECK(ValueSequence::from_terms(sequence.terms()) == sequence);
  }
}

TEST_CASE("value_sequence: a progression ends where the next value would not fit 64 bits",
          "[model]") {
  ValueSequence sequence;
  const std::int64_t stride = std::int64_t{1} << 40;
  std::int64_t value = kHighest - 100 * stride;
  Values values;
  for (int i = 0; i < 100; ++i, value += stride) values.push_back(value);
  values.push_back(kHighest);
  values.push_back(kLowest + stride - 1);  // what wrapping would predict
  CHECK(sequence_of(values).terms() ==
        Terms{run(kHighest - 100 * stride, stride, 101), one(kLowest + stride - 1)});
}

TEST_CASE("value_sequence: a sequence moved from is empty", "[model]") {
  ValueSequence from = sequence_of(repeated({1, 2, 3, 7}, 5));
  const ValueSequence copy = from;
  const ValueSequence to = std::move(from);
  CHECK(to == copy);
  CHECK(from.empty());  // NOLINT(bugprone-use-after-move)
}

TEST_CASE("value_sequence: the sum is that of the values", "[model]") {
  CHECK(sequence_of({1, 2, 3, 4, 5}).sum() == 15);
  CHECK(sequence_of(repeated({5, 5, 5, 6}, 50)).sum() == 50 * 21);
  CHECK(ValueSequence::from_terms(Terms{loop(1'000'000, 2), run(0, 1, 1001), one(-500)}).sum() ==
        500'000'000'000);
}

}  // namespace reprise::trace_io
