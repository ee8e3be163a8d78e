// SPDX-License-Identifier: MIT
// What a ValueSequence amounts to, whatever its terms: sum, equality, prefixes.
#include <algorithm>

#include "trace-io/model/value_sequence.hpp"
#include "trace-io/model/value_sequence_parts.hpp"

namespace reprise::trace_io {
namespace {

using SequenceTerm = ValueSequence::Term;

struct Total {
  std::uint64_t values = 0, sum = 0;
};

Total total_of(std::span<const SequenceTerm> terms) {
  Total total;
  for (std::size_t i = 0; i < terms.size(); i += 1 + terms[i].body_terms) {
    const SequenceTerm& term = terms[i];
    const Total once = term.is_loop ? total_of(terms.subspan(i + 1, term.body_terms))
                                    : Total{1, static_cast<std::uint64_t>(term.start)};
    const std::uint64_t n = term.count, pairs = n % 2 == 0 ? n / 2 * (n - 1) : n * ((n - 1) / 2);
    total.values += n * once.values;
    total.sum += n * once.sum + pairs * static_cast<std::uint64_t>(term.stride) * once.values;
  }
  return total;
}

// Whether both give the same `values` values; false as well where `work` steps did not suffice.
bool same_values(ValueSequence::Cursor a, ValueSequence::Cursor b, std::uint64_t values,
                 std::uint64_t work) {
  while (values > 0) {
    if (work-- == 0) return false;
    const auto run = a.run(), other = b.run();
    std::uint64_t common = std::min(run.count, other.count);
    if (run.start != other.start) return false;
    if (common > 1 && run.stride != other.stride) return false;
    common = std::min(common, values);
    a.skip(common);
    b.skip(common);
    values -= common;
  }
  return true;
}

// Whether their first few runs show that they are not the same values: most that differ do so there. REQUIRES: as many values.
bool differ_soon(ValueSequence::Cursor a, ValueSequence::Cursor b) {
  constexpr int kFew = 8;
  for (int i = 0; i < kFew && !a.at_end(); ++i) {
    const auto run = a.run(), other = b.run();
    const std::uint64_t common = std::min(run.count, other.count);
    if (run.start != other.start || (common > 1 && run.stride != other.stride)) return true;
    a.skip(common);
    b.skip(common);
  }
  return false;
}

// Values at the front that both have for certain, seen from the terms alone.
std::uint64_t common_front(const ValueNode* a, const ValueNode* a_end, const ValueNode* b,
                           const ValueNode* b_end) {
  std::uint64_t values = 0;
  while (a != a_end && b != b_end && a->is_loop() == b->is_loop() && a->start == b->start &&
         a->stride == b->stride && std::equal(a + 1, a + a->span(), b + 1)) {
    if (!a->is_loop()) {
      values += std::min(a->count(), b->count());
    } else {
      values += std::min(a->count(), b->count()) * values_in(a + 1, a + a->span());
    }
    if (a->count() != b->count()) break;
    a += a->span();
    b += b->span();
  }
  return values;
}

using SequenceTerm = ValueSequence::Term;

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

Polynomial polynomial_of_run(const SequenceTerm& run) {
  if (run.count == 1) return {kBase, residue(run.start), 1};
  const std::uint64_t shift = power(kBase, run.count);
  const std::uint64_t ones = times(minus(shift, 1), kInverse);  // Σ base^(n−1−i)
  const std::uint64_t ramp =
      times(minus(ones, run.count % kPrime), kInverse);  // Σ i · base^(n−1−i)
  return {shift, plus(times(residue(run.start), ones), times(residue(run.stride), ramp)), ones};
}

// By doubling: `reached` iterations, then as many more, each shifted by what lies between.
Polynomial polynomial_of_loop(Polynomial body, const SequenceTerm& loop) {
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

Polynomial polynomial_of(std::span<const SequenceTerm> terms) {
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

std::vector<std::int64_t> ValueSequence::unrolled() const {
  std::vector<std::int64_t> values;
  values.reserve(size());
  for (Cursor cursor(*this); !cursor.at_end();) values.push_back(cursor.next());
  return values;
}

std::int64_t ValueSequence::sum() const { return static_cast<std::int64_t>(total_of(terms()).sum); }

std::int64_t ValueSequence::front() const { return Cursor(*this).next(); }

bool ValueSequence::is_constant() const {
  if (!folded_) return stride_ == 0 || count_ == 1;
  const std::int64_t first = front();
  const std::vector<SequenceTerm> all = terms();
  return std::all_of(all.begin(), all.end(), [&](const SequenceTerm& term) {
    return term.stride == 0 && (term.is_loop || term.start == first);
  });
}

bool operator==(const ValueSequence& a, const ValueSequence& b) {
  if (a.size() != b.size()) return false;
  if (!a.folded_ && !b.folded_)
    return a.empty() ||
           (a.run_start() == b.run_start() && (a.count_ == 1 || a.stride_ == b.stride_));
  if (a.folded_ && b.folded_ && a.folded_->nodes == b.folded_->nodes &&
      a.folded_->frames == b.folded_->frames && a.count_ == b.count_ && a.next_ == b.next_ &&
      a.stride_ == b.stride_)
    return true;
  if (differ_soon(ValueSequence::Cursor(a), ValueSequence::Cursor(b)) || a.hash() != b.hash())
    return false;
  return same_values(ValueSequence::Cursor(a), ValueSequence::Cursor(b), a.size(),
                     ValueSequence::kEqualityWork);
}

bool ValueSequence::is_prefix_of(const ValueSequence& longer) const {
  if (size() > longer.size()) return false;
  if (size() == longer.size()) return *this == longer;
  std::uint64_t known = 0;
  if (folded_ && longer.folded_) {
    const auto &mine = folded_->nodes, &theirs = longer.folded_->nodes;
    known = common_front(mine.data(), mine.data() + mine.size(), theirs.data(),
                         theirs.data() + theirs.size());
  }
  Cursor a(*this), b(longer);
  a.skip(known);
  b.skip(known);
  return same_values(std::move(a), std::move(b), size() - known, kPrefixWork);
}

// A hash of the values that does not depend on the terms: O(terms · log count), in closed form for runs.

std::uint64_t ValueSequence::hash() const {
  const auto run = only_run();  // as nearly all are: no list of terms is made then
  const Polynomial polynomial = run ? polynomial_of_run(*run) : polynomial_of(terms());
  return polynomial.hash ^ (size() << 40U);
}

}  // namespace reprise::trace_io
