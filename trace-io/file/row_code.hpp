// SPDX-License-Identifier: MIT
// The values of a field that differ from rank to rank, as a table of rows that look alike (FORMAT.md, section 3).
//
// What for  one entry per rank (a tag, a size, a peer that each rank computes from its place) costs what is new in each row only:
//           rows in a straight line over the ranks next to nothing, others about a byte a value.
// Cost      O(terms + values written). Reading allocates no more than the bytes it was given.
// Exact     a table stands for the very terms that it was made of: who writes it has tried that.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "trace-io/file/columns.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

enum class RowCode : std::uint8_t {
  each_alone,  // every entry as a sequence of its own
  listed,      // `times` passes over `width` values, listed row by row
  shifted,  // the first row's terms; each further row is greater than the one before by one number a run
};

inline constexpr std::uint64_t kRowCodes = 3;
// Instead of a number of entries and a code: terms in columns, since version 4 (term_columns.hpp).
inline constexpr std::uint64_t kTermColumns = 0;
// Likewise: a table that follows from an earlier one (back_references.hpp).
inline constexpr std::uint64_t kTableAgain = 1;
// Likewise: lists of an earlier field of the same call, seen from the other side (leaf_peers.hpp).
inline constexpr std::uint64_t kListsReceived = 2;

using Row = std::vector<std::int64_t>;

struct RowTable {
  RowCode code = RowCode::each_alone;
  std::uint64_t times = 1, width = 0;  // listed
  std::vector<Row>
      rows;  // listed: the values; shifted: by what each run is greater; the first row left out
};

// What `times` passes over the row amount to, as appending them one by one makes it.
ValueSequence repeated_row(const Row&, std::uint64_t times);

// The first of the rows that entries are passes over, if they are: none where their values are not equally many or rows too wide. Follows from
// the values alone, however they are folded. REQUIRES: entries not empty.
std::optional<RowTable> first_rows(const FieldValues&);
// Whether the table gives the very terms of the entries' sequences.
bool stands_for(const RowTable&, const FieldValues&);

// The shortest table for these entries' values. REQUIRES: entries not empty.
RowTable table_of(const FieldValues&);

// Everything but the code and, where shifted, the first row.
void put_table(ColumnWriter&, const RowTable&);
// The values of `entries` rows. `first`: the first row, where shifted.
std::vector<ValueSequence> take_table(ColumnReader&, RowCode, std::uint64_t entries,
                                      const ValueSequence& first);

}  // namespace reprise::trace_io
