// SPDX-License-Identifier: MIT
// Sums and counts over the first n values of a folded sequence, without unrolling it.
//
// Cost    construction O(terms · depth) once; every question O(terms · depth).
// Exact   128-bit arithmetic: a sequence has fewer than 2⁶³ values, each of 64 bits, so nothing overflows.
#pragma once

#include <cstdint>
#include <vector>

#include "trace-io/model/value_sequence.hpp"

namespace reprise::trace_io {

__extension__ using WideSigned = __int128;

class SequenceSums {
 public:
  explicit SequenceSums(const ValueSequence&);

  std::uint64_t size() const { return size_; }
  // REQUIRES for all: n ≤ size().
  WideSigned sum(std::uint64_t n) const;
  std::uint64_t count_above(std::uint64_t n, std::int64_t threshold) const;
  std::int64_t least() const;     // of all values; REQUIRES: size() > 0
  std::int64_t greatest() const;  // likewise

 private:
  // Calls visit(run, values used of it, how often) for the first n values.
  template <class Visit>
  void visit_runs(std::size_t begin, std::size_t end, std::uint64_t n, std::uint64_t times, Visit& visit) const;
  std::uint64_t measure(std::size_t begin, std::size_t end);

  std::vector<ValueSequence::Term> terms_;
  std::vector<std::uint64_t> sizes_;  // per term: values of a run, or of one pass over a loop's body
  std::uint64_t size_ = 0;
};

}  // namespace reprise::trace_io
