// SPDX-License-Identifier: MIT
// Values for tests of ValueSequence: random nested programs of runs, repetitions and noise.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "trace-io/model/value_sequence.hpp"

namespace reprise::trace_io {

using Values = std::vector<std::int64_t>;
using Terms = std::vector<ValueSequence::Term>;

// At most a few thousand values; small numbers, so that runs and loops meet by chance as well.
Values random_values(std::mt19937_64&, int depth);

ValueSequence sequence_of(const Values&);  // by append(value)
Values values_of(const ValueSequence&);    // by its cursor
Values joined(const Values&, const Values&);
Values repeated(const Values&, int times);

inline ValueSequence::Term run(std::int64_t start, std::int64_t stride, std::uint64_t count) {
  return {false, start, stride, count, 0};
}
inline ValueSequence::Term one(std::int64_t value) { return run(value, 0, 1); }
inline ValueSequence::Term loop(std::uint64_t count, std::uint32_t body_terms) {
  return {true, 0, 0, count, body_terms};
}

}  // namespace reprise::trace_io
