// SPDX-License-Identifier: MIT
// A hash of the values that does not depend on the terms: O(terms · log count), in closed form for runs.
#include "trace-io/model/value_sequence.hpp"

namespace reprise::trace_io {
namespace {

using Term = ValueSequence::Term;
__extension__ using Wide = unsigned __int128;

// Arithmetic modulo the Mersenne prime 2^61 - 1.
constexpr std::uint64_t kPrime = (std::uint64_t{1} << 61) - 1;
constexpr std::uint64_t kBase = 0x0b1e55ed0ddba115U;  // any number; below the prime

constexpr std::uint64_t times(std::uint64_t a, std::uint64_t b) {
  const Wide product = Wide{a} * b;
  const std::uint64_t sum =
      (static_cast<std::uint64_t>(product) & kPrime) + static_cast<std::uint64_t>(product >> 61U);
  return sum >= kPrime ? sum - kPrime : sum;
}
constexpr std::uint64_t plus(std::uint64_t a, std::uint64_t b) { return (a + b) % kPrime; }
constexpr std::uint64_t minus(std::uint64_t a, std::uint64_t b) {
  return (a + kPrime - b) % kPrime;
}
constexpr std::uint64_t power(std::uint64_t base, std::uint64_t exponent) {
  std::uint64_t result = 1;
  for (; exponent > 0; exponent >>= 1U, base = times(base, base))
    if ((exponent & 1U) != 0) result = times(result, base);
  return result;
}
constexpr std::uint64_t kInverse = power(kBase - 1, kPrime - 2);
static_assert(times(kInverse, kBase - 1) == 1);

constexpr std::uint64_t residue(std::int64_t value) {
  const std::int64_t rest = value % static_cast<std::int64_t>(kPrime);
  return static_cast<std::uint64_t>(rest < 0 ? rest + static_cast<std::int64_t>(kPrime) : rest);
}

// A polynomial hash, so that it depends on the values alone: hash of v1 … vn is Σ v_i · base^(n−i), shift is base^n, ones the hash
// of n ones.
struct Polynomial {
  std::uint64_t shift = 1, hash = 0, ones = 0;
  Polynomial plus_each(std::uint64_t value) const {
    return {shift, plus(hash, times(value, ones)), ones};
  }
};
Polynomial joined(Polynomial a, Polynomial b) {
  return {times(a.shift, b.shift), plus(times(a.hash, b.shift), b.hash),
          plus(times(a.ones, b.shift), b.ones)};
}

Polynomial polynomial_of_run(const Term& run) {
  const std::uint64_t shift = power(kBase, run.count);
  const std::uint64_t ones = times(minus(shift, 1), kInverse);  // Σ base^(n−1−i)
  const std::uint64_t ramp =
      times(minus(ones, run.count % kPrime), kInverse);  // Σ i · base^(n−1−i)
  return {shift, plus(times(residue(run.start), ones), times(residue(run.stride), ramp)), ones};
}

// By doubling: `reached` iterations, then as many more, each shifted by what lies between.
Polynomial polynomial_of_loop(Polynomial body, const Term& loop) {
  const std::uint64_t shift = residue(loop.stride);
  Polynomial all;
  std::uint64_t reached = 0;
  for (unsigned bit = 64; bit-- > 0;) {
    all = joined(all, all.plus_each(times(reached % kPrime, shift)));
    reached *= 2;
    if ((loop.count >> bit & 1U) == 0) continue;
    all = joined(all, body.plus_each(times(reached % kPrime, shift)));
    ++reached;
  }
  return all;
}

Polynomial polynomial_of(std::span<const Term> terms) {
  Polynomial all;
  for (std::size_t i = 0; i < terms.size(); i += 1 + terms[i].body_terms) {
    if (!terms[i].is_loop) {
      all = joined(all, polynomial_of_run(terms[i]));
      continue;
    }
    all = joined(all, polynomial_of_loop(polynomial_of(terms.subspan(i + 1, terms[i].body_terms)),
                                         terms[i]));
  }
  return all;
}

}  // namespace

std::uint64_t ValueSequence::hash() const {
  const Polynomial polynomial = polynomial_of(terms());
  return polynomial.hash ^ (size() << 40U);
}

}  // namespace reprise::trace_io
