// SPDX-License-Identifier: MIT
// Sums of the first k values of a folded sequence, looked up.
//
// How   every list of terms knows how many values come before each of its terms, and their sum. The sum of k values is that before the term
//       they end in, and a closed form in it: of a run k·start + stride·k(k−1)/2, of a loop the iterations that are complete, each
//       greater by the shift, and the rest by the body's own list.
// Cost  made in O(terms); a sum or a value O(depth · log terms).
#pragma once

#include <cstdint>
#include <vector>

#include "trace-io/base/integers.hpp"
#include "trace-io/model/value_sequence.hpp"

namespace reprise::trace_io {

class PrefixSums {
 public:
  PrefixSums() = default;
  explicit PrefixSums(const ValueSequence&);

  std::uint64_t size() const { return lists_.empty() ? 0 : lists_.front().values; }
  WideSigned sum(std::uint64_t k) const;     // of the first k; REQUIRES: k ≤ size()
  std::int64_t at(std::uint64_t k) const;    // REQUIRES: k < size()
  bool is_constant() const;                  // one distinct value, or none
  bool repeats(std::uint64_t period) const;  // known to: every value equals the one `period` before

 private:
  struct Item {
    std::uint64_t before = 0;  // values of the list before this term
    WideSigned sum_before = 0;
    ValueSequence::Term term;
    std::uint32_t body = 0;  // of a loop: its list
  };
  struct List {
    std::vector<Item> items;
    std::uint64_t values = 0;
    WideSigned sum = 0;
  };

  std::uint32_t add_list(const std::vector<ValueSequence::Term>&, std::size_t begin,
                         std::size_t end);
  const Item& item_of(const List&, std::uint64_t k) const;
  WideSigned sum(const List&, std::uint64_t k) const;
  bool repeats(const List&, std::uint64_t period) const;

  std::vector<List> lists_;  // the first is the sequence
};

}  // namespace reprise::trace_io
