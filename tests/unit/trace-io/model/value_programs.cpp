// SPDX-License-Identifier: MIT
#include "tests/unit/trace-io/model/value_programs.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::size_t kMostValues = 3000;

int below(std::mt19937_64& random, int limit) {
  return static_cast<int>(random() % static_cast<std::uint64_t>(limit));
}

void add_random(std::mt19937_64& random, int depth, Values& values) {
  for (int parts = 1 + below(random, 4); parts > 0; --parts) {
    const int kind = below(random, 4);
    if (kind == 0 || (kind > 1 && depth == 0)) {
      values.push_back(below(random, 4));
    } else if (kind == 1) {
      const int start = below(random, 5), stride = below(random, 5) - 2;
      for (int i = 0, count = 1 + below(random, 6); i < count; ++i)
        values.push_back(start + i * stride);
    } else {
      Values body;
      add_random(random, depth - 1, body);
      const int shift = below(random, 3) == 0 ? below(random, 5) - 2 : 0;
      for (int times = 1 + below(random, 5); times > 0 && values.size() + body.size() < kMostValues;
           --times) {
        values.insert(values.end(), body.begin(), body.end());
        for (std::int64_t& value : body) value += shift;
      }
    }
  }
}

}  // namespace

Values random_values(std::mt19937_64& random, int depth) {
  Values values;
  add_random(random, depth, values);
  return values;
}

ValueSequence sequence_of(const Values& values) {
  ValueSequence sequence;
  for (const std::int64_t value : values) sequence.append(value);
  return sequence;
}

Values values_of(const ValueSequence& sequence) {
  Values values;
  for (ValueSequence::Cursor cursor(sequence); !cursor.at_end();) values.push_back(cursor.next());
  return values;
}

Values joined(const Values& a, const Values& b) {
  Values both = a;
  both.insert(both.end(), b.begin(), b.end());
  return both;
}

Values repeated(const Values& body, int times) {
  Values all;
  for (; times > 0; --times) all.insert(all.end(), body.begin(), body.end());
  return all;
}

}  // namespace reprise::trace_io
