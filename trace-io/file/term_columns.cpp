// SPDX-License-Identifier: MIT
#include "trace-io/file/term_columns.hpp"

#include <algorithm>
#include <utility>

#include "trace-io/file/row_code.hpp"

namespace reprise::trace_io {
namespace {

using Term = ValueSequence::Term;
constexpr std::size_t kFewTermEntries = 6;  // fewer: what the columns need themselves is not less
constexpr std::size_t kMostTerms = 64;      // of an entry: more are no rule
// Of few entries zstd shortens rows as well as columns: the gain must be plain there.
constexpr std::size_t kManyEntries = 12;
constexpr double kGainOfFew = 1.5;
constexpr std::size_t kBytesOfList = 2, kBytesOfRankTerm = 2;  // of a rank list, about

bool same_shape(std::span<const Term> a, std::span<const Term> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Term& x, const Term& y) {
    return x.is_loop == y.is_loop && x.body_terms == y.body_terms;
  });
}

void append(TermGroup& group, std::span<const Term> terms) {
  auto column = group.columns.begin();
  for (const Term& term : terms) {
    if (!term.is_loop) (column++)->append(term.start);
    (column++)->append(term.stride);
    (column++)->append(static_cast<std::int64_t>(term.count));
  }
  ++group.entries;
}

TermGroup group_of(const FieldEntry& entry, std::span<const Term> terms) {
  TermGroup group;
  group.form = entry.form;
  group.other_forms = entry.other_forms;
  for (const Term& term : terms) {
    Term& bare = group.shape.emplace_back();
    bare.is_loop = term.is_loop;
    bare.body_terms = term.body_terms;
    group.columns.resize(group.columns.size() + columns_of(term));
  }
  append(group, terms);
  return group;
}

// A column of one value for all entries is seldom new.
std::size_t bytes_of(const TermGroup& group) {
  std::size_t bytes = 3 + group.shape.size();
  for (const ValueSequence& column : group.columns)
    bytes += column.is_constant() ? 2 : folded_bytes(column);
  return bytes;
}

std::size_t bytes_without(const FieldValues& entries, bool is_each_alone) {
  const RowTable table = table_of(entries);
  std::size_t bytes = 0;
  if (!is_each_alone)
    for (const FieldEntry& entry : entries)
      bytes += kBytesOfList + kBytesOfRankTerm * entry.ranks.terms().size();
  if (table.code == RowCode::shifted) return bytes;  // straight lines as they are
  if (table.code == RowCode::listed)
    for (const Row& row : table.rows) bytes += row.size();
  else
    for (const FieldEntry& entry : entries) bytes += folded_bytes(entry.values);
  return bytes;
}

// Of each rank, in their order.
ValueSequence entry_numbers(const FieldValues& entries) {
  std::vector<std::pair<Rank, std::int64_t>> numbers;
  for (std::size_t i = 0; i < entries.size(); ++i)
    for (const Rank rank : entries[i].ranks.ranks())
      numbers.emplace_back(rank, static_cast<std::int64_t>(i));
  std::sort(numbers.begin(), numbers.end());
  ValueSequence sequence;
  for (const auto& [rank, number] : numbers) sequence.append(number);
  return sequence;
}

}  // namespace

std::uint64_t TermColumns::copied() const {
  std::uint64_t values = entry_of_rank.size();
  for (const TermGroup& group : groups) values += group.copied();
  return values;
}

std::optional<TermColumns> term_columns_of(const FieldValues& entries, const RankList& context) {
  if (entries.size() < kFewTermEntries) return std::nullopt;
  const auto is_alike = [&](const FieldEntry& entry) {
    return !entry.values.empty() && entry.values.term_count() <= kMostTerms &&
           entry.lengths == entries.front().lengths;
  };
  if (!std::all_of(entries.begin(), entries.end(), is_alike)) return std::nullopt;
  TermColumns columns;
  std::vector<TermGroup>& groups = columns.groups;
  for (const FieldEntry& entry : entries) {
    const auto terms = entry.values.terms();
    if (ValueSequence::from_terms(terms).terms() != terms) return std::nullopt;
    const bool is_next = !groups.empty() && groups.back().form == entry.form &&
                         groups.back().other_forms == entry.other_forms &&
                         same_shape(groups.back().shape, terms);
    if (is_next)
      append(groups.back(), terms);
    else
      groups.push_back(group_of(entry, terms));
    if (2 * groups.size() > entries.size() + 2) return std::nullopt;
  }
  const bool is_each_alone = entries.size() == static_cast<std::size_t>(context.size());
  if (!is_each_alone) columns.entry_of_rank = entry_numbers(entries);
  std::size_t bytes = 1 + folded_bytes(columns.entry_of_rank);
  for (const TermGroup& group : groups) bytes += bytes_of(group);
  const double gain = entries.size() < kManyEntries ? kGainOfFew : 1;
  if (gain * static_cast<double>(bytes) >
      static_cast<double>(bytes_without(entries, is_each_alone)))
    return std::nullopt;
  return columns;
}

std::optional<std::vector<RankList>> parts_of(const ValueSequence& entry_of_rank,
                                              std::uint64_t entries, const RankList& context) {
  std::vector<std::vector<Rank>> members;
  ValueSequence::Cursor cursor(entry_of_rank);
  for (const Rank rank : context.ranks()) {
    const auto entry = static_cast<std::uint64_t>(cursor.next());
    if (entry > members.size() || entry >= entries) return std::nullopt;
    if (entry == members.size()) members.emplace_back();
    members[entry].push_back(rank);
  }
  if (members.size() != entries) return std::nullopt;
  std::vector<RankList> parts;
  parts.reserve(members.size());
  for (auto& ranks : members) parts.push_back(RankList::from_ranks(std::move(ranks)));
  return parts;
}

std::optional<ValueSequence> next_entry(const TermGroup& group,
                                        std::span<ValueSequence::Cursor> at) {
  std::vector<Term> terms = group.shape;
  auto column = at.begin();
  for (Term& term : terms) {
    if (!term.is_loop) term.start = (column++)->next();
    term.stride = (column++)->next();
    term.count = static_cast<std::uint64_t>((column++)->next());
  }
  if (!ValueSequence::well_formed(terms)) return std::nullopt;
  return ValueSequence::from_terms(terms);
}

}  // namespace reprise::trace_io
