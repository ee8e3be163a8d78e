// SPDX-License-Identifier: MIT
// Sums and counts over the first n values of a folded sequence, without unrolling it.
//
// Cost    construction O(terms) once; every question O(terms · depth), count_above also O(iterations of a shifted loop whose
//         values lie on both sides of the threshold: no more than the range of its body's values).
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

  std::uint64_t size() const { return all_.values; }
  // REQUIRES for all: n ≤ size().
  WideSigned sum(std::uint64_t n) const { return sum(0, terms_.size(), n); }
  std::uint64_t count_above(std::uint64_t n, std::int64_t threshold) const {
    return count_above(0, terms_.size(), n, threshold);
  }
  std::int64_t least() const { return all_.least; }        // of all values; REQUIRES: size() > 0
  std::int64_t greatest() const { return all_.greatest; }  // likewise

 private:
  struct Extent {
    std::uint64_t values = 0;
    WideSigned sum = 0;
    std::int64_t least = INT64_MAX, greatest = INT64_MIN;
  };

  // Of the terms from begin to end; those of the loops' bodies on the way go to bodies_.
  Extent measure(std::size_t begin, std::size_t end);
  // Of the first n values of these terms.
  WideSigned sum(std::size_t begin, std::size_t end, std::uint64_t n) const;
  std::uint64_t count_above(std::size_t begin, std::size_t end, std::uint64_t n,
                            WideSigned threshold) const;

  std::vector<ValueSequence::Term> terms_;
  std::vector<Extent> bodies_;  // per term: of a loop, its body in the first iteration
  Extent all_;
};

}  // namespace reprise::trace_io
