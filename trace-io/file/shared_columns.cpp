// SPDX-License-Identifier: MIT
// Fields whose terms stand in columns over the ranks: the reader's part.
#include <algorithm>
#include <utility>

#include "trace-io/file/shared_reader.hpp"
#include "trace-io/file/term_columns.hpp"

namespace reprise::trace_io {

// The first of the entries get their form and values; returns how many.
std::uint64_t SharedReader::take_group(std::span<FieldEntry> entries) {
  StoredEntry common;
  take_form(common);
  TermGroup group;
  group.entries = in_.take(Column::sequences);
  if (group.entries == 0 || group.entries > entries.size())
    in_.refuse(Column::sequences, "terms in columns for " + std::to_string(group.entries) +
                                      " entries where " + std::to_string(entries.size()) +
                                      " are left");
  const std::uint64_t terms = in_.count(Column::sequences, "terms of an entry");
  std::size_t columns = 0;
  for (std::uint64_t i = 0; i < terms; ++i) {
    auto& term = group.shape.emplace_back();
    const std::uint32_t word = in_.take_u32(Column::sequences, "a loop of sequence terms,");
    term.is_loop = word > 0;
    term.body_terms = term.is_loop ? word - 1 : 0;
    columns += columns_of(term);
  }
  if (!tables_.charge(group.copied(), in_.taken(Column::sequences)))
    in_.refuse(Column::sequences, "more values are copied than the file has room for");
  std::vector<ValueSequence::Cursor> at;
  group.columns.reserve(columns);  // cursors point to them
  for (std::size_t i = 0; i < columns; ++i) {
    bool is_shared = true;
    group.columns.push_back(sequence(Column::sequences, is_shared));
    if (group.columns.back().size() != group.entries)
      in_.refuse(Column::sequences, "a column of " + std::to_string(group.columns.back().size()) +
                                        " numbers for terms of " + std::to_string(group.entries) +
                                        " entries");
    at.emplace_back(group.columns.back());
  }
  for (FieldEntry& entry : entries.first(group.entries)) {
    auto values = next_entry(group, at);
    if (!values)
      in_.refuse(Column::sequences,
                 "terms in columns do not nest, or count more than 63 bits hold");
    entry.form = common.form;
    entry.other_forms = common.other_forms;
    entry.values = *std::move(values);
  }
  return group.entries;
}

FieldValues SharedReader::term_columns(bool is_vector, const RankList& context) {
  const std::uint64_t count = in_.take(Column::fields);
  const auto ranks = static_cast<std::uint64_t>(context.size());
  if (count < 2 || count > ranks)
    in_.refuse(Column::fields, "terms in columns of " + std::to_string(count) + " entries for " +
                                   std::to_string(ranks) + " ranks");
  const bool is_each_alone = count == ranks;
  const std::size_t written = in_.taken(Column::sequences);
  if (is_each_alone ? !tables_.may_copy(count, written) : !tables_.charge(ranks, written))
    in_.refuse(Column::fields, "more values are copied than the file has room for");
  bool is_shared = true;
  FieldValues values(count);
  if (is_each_alone) {
    std::size_t next = 0;
    for (const Rank rank : context.ranks()) values[next++].ranks = RankList::single(rank);
  } else {
    const ValueSequence entry_of_rank = sequence(Column::fields, is_shared);
    auto parts =
        entry_of_rank.size() == ranks ? parts_of(entry_of_rank, count, context) : std::nullopt;
    if (!parts)
      in_.refuse(Column::fields, "numbers of entries that do not divide " + std::to_string(ranks) +
                                     " ranks among " + std::to_string(count) + " entries");
    for (std::size_t i = 0; i < values.size(); ++i) values[i].ranks = std::move((*parts)[i]);
  }
  if (is_vector) {
    is_shared = true;
    const ValueSequence lengths = sequence(Column::fields, is_shared);
    if (!is_shared || lengths.term_count() > kSharedTerms)
      in_.refuse(Column::fields, "a table of values whose lengths have too many terms");
    for (FieldEntry& entry : values) entry.lengths = lengths;
  }
  for (std::span<FieldEntry> left(values); !left.empty();) left = left.subspan(take_group(left));
  return values;
}

}  // namespace reprise::trace_io
