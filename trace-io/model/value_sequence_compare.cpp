// SPDX-License-Identifier: MIT
// What a ValueSequence amounts to, whatever its terms: sum, equality, prefixes.
#include <algorithm>

#include "trace-io/model/value_sequence_parts.hpp"

namespace reprise::trace_io {
namespace {

using Term = ValueSequence::Term;

struct Total {
  std::uint64_t values = 0, sum = 0;
};

Total total_of(std::span<const Term> terms) {
  Total total;
  for (std::size_t i = 0; i < terms.size(); i += 1 + terms[i].body_terms) {
    const Term& term = terms[i];
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

}  // namespace

std::int64_t ValueSequence::sum() const { return static_cast<std::int64_t>(total_of(terms()).sum); }

std::int64_t ValueSequence::front() const { return Cursor(*this).next(); }

bool ValueSequence::is_constant() const {
  if (!folded_) return stride_ == 0 || count_ == 1;
  const std::int64_t first = front();
  const std::vector<Term> all = terms();
  return std::all_of(all.begin(), all.end(), [&](const Term& term) {
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
  if (a.hash() != b.hash()) return false;
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

}  // namespace reprise::trace_io
