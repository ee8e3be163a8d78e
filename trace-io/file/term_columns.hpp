// SPDX-License-Identifier: MIT
// The values of a field that differ from rank to rank by a rule: each number of their terms (starts, strides, counts) is a sequence over the
// ranks, and folds as one (FORMAT.md, section 3, "Terms in columns").
//
// What for  rank r of n sends to 0 … r−1 and r+1 … n−1 with tag r·n + peer: two runs whose starts and counts are straight lines over the ranks,
//           a few bytes for any n. Blocks of n/P and n/P + 1, children and parents in trees and places in grids are runs, or loops with a shift, over the ranks.
// Groups    entries side by side of one form whose terms nest alike stand together; the first and the last rank often have a term less.
// Ranks     which of them share an entry is a sequence over the ranks too: the number of each one's entry.
// Cost      O(terms of all entries + ranks · log).
// Exact     entries get the very terms that they had: who writes has tried that.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// So many columns describe a term: of a run its start, stride and count, of a loop its shift and count.
constexpr std::size_t columns_of(const ValueSequence::Term& term) { return term.is_loop ? 2 : 3; }

struct TermGroup {
  PeerForm form = PeerForm::absolute;  // of all its entries
  std::uint8_t other_forms = 0;
  std::uint64_t entries = 0;               // one after the other
  std::vector<ValueSequence::Term> shape;  // what is no number of the columns: is_loop, body_terms
  std::vector<ValueSequence> columns;  // term by term, as columns_of() says; a value for each entry
  // What the entries take when they are read: for the account of what is copied.
  std::uint64_t copied() const { return entries * (shape.size() + 1); }
};

struct TermColumns {
  ValueSequence
      entry_of_rank;  // in the order of the node's ranks; empty where each rank has its own
  std::vector<TermGroup> groups;
  std::uint64_t copied() const;  // by the groups, and numbers of entries
};

// None where the entries are few, differ in lengths, have no values, or take less than twice as many bytes without columns.
// REQUIRES: entries not empty, of the ranks of `context`.
std::optional<TermColumns> term_columns_of(const FieldValues&, const RankList& context);

// The ranks of each entry; none where the numbers are not those of `entries` entries, ascending by lowest rank.
// REQUIRES: one number for each rank.
std::optional<std::vector<RankList>> parts_of(const ValueSequence& entry_of_rank,
                                              std::uint64_t entries, const RankList& context);

// The next entry's values; none where the terms do not nest, or count more than 63 bits hold. `at`: one cursor for each of the columns.
std::optional<ValueSequence> next_entry(const TermGroup&, std::span<ValueSequence::Cursor> at);

}  // namespace reprise::trace_io
