// SPDX-License-Identifier: MIT
#include "trace-io/file/back_references.hpp"

#include <algorithm>
#include <utility>

namespace reprise::trace_io {
namespace {

constexpr std::size_t kPartsForPartners = 8;  // fewer cost less than looking for partners

std::vector<RankList> rank_lists_of(const FieldValues& field) {
  std::vector<RankList> parts;
  for (const FieldEntry& entry : field) parts.push_back(entry.ranks);
  return parts;
}

FieldValues values_of(std::span<const RankList> parts, std::span<const Row> rows,
                      std::uint64_t times) {
  FieldValues values;
  for (std::size_t i = 0; i < parts.size(); ++i)
    values.push_back({parts[i], PeerForm::absolute, repeated_row(rows[i], times), {}, 0});
  return values;
}

}  // namespace

std::uint64_t BackReferences::Table::hash() const {
  WordHash words;
  for (const RankList& part : parts) words.add(part.hash());
  for (const Row& row : rows)
    for (const std::int64_t value : row) words.add(static_cast<std::uint64_t>(value));
  return words.value();
}

bool BackReferences::is_table(const FieldValues& field, bool is_vector) {
  const auto is_plain = [](const FieldEntry& entry) {
    return entry.form == PeerForm::absolute && entry.other_forms == 0;
  };
  return !is_vector && field.size() >= kFewestParts &&
         std::all_of(field.begin(), field.end(), is_plain);
}

// What rank from[i] has is what rank to[i] has in the result, which is of `ranks`; none where a rank has nothing.
std::optional<BackReferences::Table> BackReferences::rearranged(const Table& table,
                                                                const std::vector<Rank>& from,
                                                                const std::vector<Rank>& to,
                                                                const RankList& ranks) {
  std::vector<std::pair<Rank, std::size_t>> part_of;
  for (std::size_t i = 0; i < table.parts.size(); ++i)
    for (const Rank rank : table.parts[i].ranks()) part_of.emplace_back(rank, i);
  std::sort(part_of.begin(), part_of.end());
  std::vector<std::vector<Rank>> members(table.parts.size());
  for (std::size_t i = 0; i < from.size(); ++i) {
    const auto at =
        std::lower_bound(part_of.begin(), part_of.end(), std::pair{from[i], std::size_t{0}});
    if (at == part_of.end() || at->first != from[i]) return std::nullopt;
    members[at->second].push_back(to[i]);
  }
  std::vector<std::pair<RankList, std::size_t>> parts;
  for (std::size_t i = 0; i < members.size(); ++i)
    if (!members[i].empty()) parts.emplace_back(RankList::from_ranks(std::move(members[i])), i);
  std::sort(parts.begin(), parts.end(),
            [](const auto& a, const auto& b) { return a.first.front() < b.first.front(); });
  Table result{ranks, {}, {}};
  for (auto& [part, row] : parts) {
    result.parts.push_back(std::move(part));
    result.rows.push_back(table.rows[row]);
  }
  return result;
}

std::optional<std::uint64_t> BackReferences::number_of(const Table& table) const {
  const auto found = by_hash_.find(table.hash());
  if (found == by_hash_.end() || !(tables_[found->second] == table)) return std::nullopt;
  return found->second;
}

void BackReferences::add_next(Table table) {
  if (!table.rows.empty()) by_hash_.emplace(table.hash(), tables_.size());
  tables_.push_back(std::move(table));
}

void BackReferences::add(const FieldValues& field, bool is_vector, const RankList& ranks) {
  if (!is_table(field, is_vector)) return;
  Table table{ranks, rank_lists_of(field), {}};
  if (auto first = first_rows(field)) table.rows = std::move(first->rows);
  add_next(std::move(table));
}

std::optional<BackReferences::Reference> BackReferences::put_again(const FieldValues& field,
                                                                   bool is_vector,
                                                                   const RankList& ranks,
                                                                   const LeafPeers* peers,
                                                                   std::uint64_t written) {
  if (tables_.empty() || !is_table(field, is_vector)) return std::nullopt;
  auto first = first_rows(field);
  if (!first || !stands_for(*first, field)) return std::nullopt;
  Reference reference;
  reference.times = first->times;
  Table table{ranks, rank_lists_of(field), std::move(first->rows)};
  auto number = number_of(table);
  std::uint64_t values = table.values();
  if (!number && peers != nullptr && table.parts.size() >= kPartsForPartners) {
    values = std::max(values, static_cast<std::uint64_t>(ranks.size()));
    const std::vector<Rank> own = ranks.ranks();
    for (std::size_t i = 0; !number && i < peers->fields() && may_copy(values, written); ++i) {
      const auto partners = peers->named_by(i, ranks);
      if (!partners ||
          !std::is_permutation(own.begin(), own.end(), partners->begin(), partners->end()))
        continue;
      const auto of_partners = rearranged(table, own, *partners, ranks);
      if (of_partners) number = number_of(*of_partners);
      reference.partners = i + 1;
    }
  }
  if (!number || !may_copy(values, written)) return std::nullopt;
  copied_ += values;
  reference.table = *number;
  add_next(std::move(table));
  return reference;
}

FieldValues BackReferences::take_again(const Reference& reference, const RankList& ranks,
                                       const LeafPeers* peers, const ColumnReader& in) {
  if (reference.table >= tables_.size())
    in.refuse(Column::fields, "table " + std::to_string(reference.table) +
                                  " does not exist, there are " + std::to_string(tables_.size()) +
                                  " tables so far");
  const Table& table = tables_[reference.table];
  if (table.rows.empty())
    in.refuse(Column::fields,
              "table " + std::to_string(reference.table) + " has no rows of one width");
  const bool is_of_partners = reference.partners != 0;
  const std::uint64_t values =
      is_of_partners ? std::max(table.values(), static_cast<std::uint64_t>(ranks.size()))
                     : table.values();
  if (!may_copy(values, in.taken(Column::sequences)))
    in.refuse(Column::fields, "more values are copied than the file has room for");
  if (reference.times == 0 ||
      reference.times > (std::uint64_t{1} << 62U) / table.rows.front().size())
    in.refuse(Column::fields, "a table of values counts more than 63 bits hold, or nothing");
  copied_ += values;
  std::optional<Table> again;
  if (is_of_partners) {
    const auto partners =
        peers == nullptr ? std::nullopt : peers->named_by(reference.partners - 1, ranks);
    if (partners) again = rearranged(table, *partners, ranks.ranks(), ranks);
    if (!again)
      in.refuse(Column::fields,
                "a table of partners' values for ranks that have no partners in it");
  } else if (table.ranks == ranks) {
    again = table;
  } else {
    in.refuse(Column::fields, "table " + std::to_string(reference.table) + " is of other ranks");
  }
  FieldValues field = values_of(again->parts, again->rows, reference.times);
  add_next(*std::move(again));
  return field;
}

std::optional<std::uint64_t> BackReferences::put_received(const FieldValues& field,
                                                          const RankList& ranks,
                                                          const LeafPeers& peers,
                                                          std::uint64_t written) {
  for (std::size_t i = 0; field.size() > 1 && i < peers.fields(); ++i) {
    const std::uint64_t values = peers.listed_values(i);
    if (values == 0 || !may_copy(values, written)) continue;
    const auto received = peers.received_from(i, ranks);
    if (!received ||
        !std::equal(field.begin(), field.end(), received->begin(), received->end(),
                    [](const FieldEntry& a, const FieldEntry& b) { return same_terms(a, b); }))
      continue;
    copied_ += values;
    return i;
  }
  return std::nullopt;
}

FieldValues BackReferences::take_received(std::uint64_t field, const RankList& ranks,
                                          const LeafPeers* peers, const ColumnReader& in) {
  const std::uint64_t values = peers == nullptr ? 0 : peers->listed_values(field);
  if (values == 0) in.refuse(Column::fields, "lists of the other side of a field that has none");
  if (!may_copy(values, in.taken(Column::sequences)))
    in.refuse(Column::fields, "more values are copied than the file has room for");
  auto received = peers->received_from(field, ranks);
  if (!received)
    in.refuse(Column::fields, "lists of the other side for ranks that are not all there");
  copied_ += values;
  return *std::move(received);
}

}  // namespace reprise::trace_io
