// SPDX-License-Identifier: MIT
#include "trace-io/file/row_code.hpp"

#include <algorithm>
#include <limits>

namespace reprise::trace_io {
namespace {

using Term = ValueSequence::Term;
constexpr std::size_t kFewEntries = 3;  // fewer are numbered for reuse instead
constexpr std::uint64_t kWidest =
    48;  // values of a listed row; zstd shortens longer ones more as terms (NPB IS: by 30 %)
constexpr std::uint64_t kBytesOfTerm = 3;  // of a term on its own, about

// The shortest row that the first values repeat, and so perhaps all; else the whole.
std::uint64_t values_of_pass(const ValueSequence& values) {
  const std::uint64_t size = values.size();
  if (values.terms().front().stride == 0 && values.term_count() == 1) return 1;
  Row first;
  ValueSequence::Cursor cursor(values);
  while (first.size() < std::min<std::uint64_t>(size, 2 * kWidest)) first.push_back(cursor.next());
  for (std::size_t width = 1; width <= std::min<std::uint64_t>(kWidest, size / 2); ++width)
    if (size % width == 0 &&
        std::equal(first.begin() + static_cast<std::ptrdiff_t>(width), first.end(), first.begin()))
      return width;
  return size;
}

std::optional<RowTable> shifted(const FieldValues& entries) {
  RowTable table;
  table.code = RowCode::shifted;
  auto previous = entries.front().values.terms();
  if (ValueSequence::from_terms(previous).terms() != previous) return std::nullopt;
  for (std::size_t i = 1; i < entries.size(); ++i) {
    auto terms = entries[i].values.terms();
    if (terms.size() != previous.size() || ValueSequence::from_terms(terms).terms() != terms)
      return std::nullopt;
    Row row;
    for (std::size_t t = 0; t < terms.size(); ++t) {
      Term alike = terms[t];
      alike.start = previous[t].start;
      if (alike != previous[t]) return std::nullopt;
      if (!terms[t].is_loop) row.push_back(difference(terms[t].start, previous[t].start));
    }
    table.rows.push_back(std::move(row));
    previous = std::move(terms);
  }
  return table;
}

// Few unlike steps from row to row: a line, or a few of them. Differences of irregular values are more irregular still.
bool are_lines(std::vector<Row> steps) {
  const std::size_t all = steps.size();
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  return steps.size() == 1 || 4 * steps.size() <= all;
}

}  // namespace

ValueSequence repeated_row(const Row& row, std::uint64_t times) {
  ValueSequence once;
  for (const std::int64_t value : row) once.append(value);
  if (times == 1) return once;
  auto terms = once.terms();
  terms.insert(terms.begin(), Term{true, 0, 0, std::max<std::uint64_t>(times - 1, 2),
                                   static_cast<std::uint32_t>(terms.size())});
  ValueSequence all = once;
  all.append(times == 2 ? once : ValueSequence::from_terms(terms));
  return all;
}

std::optional<RowTable> first_rows(const FieldValues& entries) {
  RowTable table;
  table.code = RowCode::listed;
  const std::uint64_t size = entries.front().values.size();
  for (const auto& entry : entries) {
    if (entry.values.size() != size || size == 0) return std::nullopt;
    table.width = std::max(table.width, values_of_pass(entry.values));
    if (table.width > kWidest || size % table.width != 0) return std::nullopt;
  }
  table.times = size / table.width;
  for (const auto& entry : entries) {
    Row& row = table.rows.emplace_back();
    ValueSequence::Cursor cursor(entry.values);
    while (row.size() < table.width) row.push_back(cursor.next());
  }
  return table;
}

bool stands_for(const RowTable& table, const FieldValues& entries) {
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (repeated_row(table.rows[i], table.times).terms() != entries[i].values.terms()) return false;
  return true;
}

RowTable table_of(const FieldValues& entries) {
  if (entries.size() < kFewEntries) return {};
  std::size_t terms = 0;
  for (const auto& entry : entries) {
    if (entry.values.empty() || entry.form != entries.front().form ||
        entry.other_forms != entries.front().other_forms ||
        entry.lengths != entries.front().lengths)
      return {};
    terms += entry.values.term_count();
  }
  if (auto lines = shifted(entries); lines && are_lines(lines->rows)) return *std::move(lines);
  auto table = first_rows(entries);
  const bool is_short = table && entries.size() * table->width <= kBytesOfTerm * terms;
  return is_short && stands_for(*table, entries) ? *std::move(table) : RowTable();
}

void put_table(ColumnWriter& out, const RowTable& table) {
  if (table.code == RowCode::shifted) {
    for (const auto& row : table.rows)
      for (const std::int64_t by : row) out.put_signed(Column::sequences, by);
    return;
  }
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (const auto& row : table.rows)
    least = std::min(least, *std::min_element(row.begin(), row.end()));
  out.put(Column::sequences, table.times);
  out.put(Column::sequences, table.width);
  out.put_signed(Column::sequences, least);
  for (const auto& row : table.rows)
    for (const std::int64_t value : row)
      out.put(Column::sequences, static_cast<std::uint64_t>(difference(value, least)));
}

std::vector<ValueSequence> take_table(ColumnReader& in, RowCode code, std::uint64_t entries,
                                      const ValueSequence& first) {
  std::vector<ValueSequence> rows;
  const auto refuse_overflow = [&] {
    in.refuse(Column::sequences, "a table of values counts more than 63 bits hold");
  };
  if (code == RowCode::shifted) {
    auto terms = first.terms();
    rows.push_back(first);
    while (rows.size() < entries) {
      for (auto& term : terms)
        if (!term.is_loop) term.start = advanced(term.start, in.take_signed(Column::sequences));
      if (!ValueSequence::well_formed(terms)) refuse_overflow();
      rows.push_back(ValueSequence::from_terms(terms));
    }
    return rows;
  }
  const std::uint64_t times = in.take(Column::sequences);
  const std::uint64_t width = in.count(Column::sequences, "values of a table's row");
  if (times == 0 || width == 0 || times > (std::uint64_t{1} << 62) / width) refuse_overflow();
  const std::int64_t least = in.take_signed(Column::sequences);
  Row row(width);
  while (rows.size() < entries) {
    for (std::int64_t& value : row)
      value = advanced(least, static_cast<std::int64_t>(in.take(Column::sequences)));
    rows.push_back(repeated_row(row, times));
  }
  return rows;
}

}  // namespace reprise::trace_io
