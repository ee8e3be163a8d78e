// SPDX-License-Identifier: MIT
#include "trace-io/file/shared_writer.hpp"

#include <algorithm>

#include "trace-io/file/row_code.hpp"
#include "trace-io/file/term_columns.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::uint64_t kSame = 0, kNew = 1, kFirstNumber = 2;  // references to rank lists

std::uint64_t form_word(PeerForm form, std::uint8_t other_forms) {
  return static_cast<std::uint64_t>(form) | static_cast<std::uint64_t>(other_forms) << 2U;
}
std::uint64_t form_word(const FieldEntry& entry) {
  return form_word(entry.form, entry.other_forms);
}

constexpr std::size_t kShortestStretch = 16;  // of single values: fewer compress as well as terms

// How many of the first terms are of one value each.
std::size_t single_values(std::span<const ValueSequence::Term> terms) {
  const auto end = std::find_if(terms.begin(), terms.end(),
                                [](const auto& term) { return term.is_loop || term.count != 1; });
  return static_cast<std::size_t>(end - terms.begin());
}

}  // namespace

void SharedWriter::put_ranks_reference(Column column, std::uint64_t number) {
  const auto referred = ranks_coded_in(column);
  if (out_.coder() == nullptr || !referred) return out_.put(column, number);
  references_.reference(*out_.coder(), *referred, place_, field_, {}, number);
}

void SharedWriter::put_field_reference(std::uint64_t number) {
  if (out_.coder() == nullptr) return out_.put(Column::fields, number);
  references_.reference(*out_.coder(), Referred::field, place_, field_, {}, number);
}

std::uint64_t SharedWriter::ranks(Column column, const RankList& ranks, const RankList& context) {
  if (ranks == context) {
    put_ranks_reference(column, kSame);
    return kSame;
  }
  if (const auto number = rank_lists_.number_of(ranks)) {
    put_ranks_reference(column, kFirstNumber + *number);
    return kFirstNumber + *number;
  }
  put_ranks_reference(column, kNew);
  out_.put(Column::rank_lists, ranks.terms().size());
  std::int64_t previous = 0;
  for (const auto& term : ranks.terms()) {
    out_.put_signed(Column::rank_lists, term.start.value - previous);
    previous = term.start.value;
    out_.put(Column::rank_lists, term.dimensions.size());
    for (const auto& dimension : term.dimensions) {
      out_.put(Column::rank_lists, dimension.count);
      out_.put(Column::rank_lists, static_cast<std::uint32_t>(dimension.stride));
    }
  }
  return kFirstNumber + rank_lists_.add(ranks);
}

void SharedWriter::sequence_term(const ValueSequence::Term& term) {
  out_.put(Column::sequences, (term.is_loop ? 2 : 0) + (term.stride == 0 ? 0 : 1));
  out_.put(Column::sequences, term.count);
  if (term.is_loop) {
    out_.put(Column::sequences, term.body_terms);
  } else {
    out_.put_signed(Column::sequences, term.start);
  }
  if (term.stride != 0) out_.put_signed(Column::sequences, term.stride);
}

void SharedWriter::values_one_by_one(std::span<const ValueSequence::Term> terms) {
  const auto least = std::min_element(
      terms.begin(), terms.end(), [](const auto& a, const auto& b) { return a.start < b.start; });
  out_.put(Column::sequences, 4);
  out_.put(Column::sequences, terms.size());
  out_.put_signed(Column::sequences, least->start);
  for (const auto& term : terms)
    out_.put(Column::sequences,
             static_cast<std::uint64_t>(term.start) - static_cast<std::uint64_t>(least->start));
}

std::uint64_t SharedWriter::sequence(Column column, const ValueSequence& sequence) {
  const bool is_shared = sequence.term_count() <= kSharedTerms;
  if (is_shared) {
    if (const auto number = sequences_.number_of(sequence)) {
      out_.put(column, *number + 1);
      return *number + 1;
    }
  }
  out_.put(column, 0);
  if (out_.coder() != nullptr && !is_shared &&
      coded_.put(*out_.coder(), sequence, {around_, &loops_, rank_})) {
    out_.put(Column::sequences, kCodedSequence);
    return 0;
  }
  const std::vector<ValueSequence::Term> all = sequence.terms();
  const std::span<const ValueSequence::Term> terms(all);
  out_.put(Column::sequences, terms.size() + (out_.coder() != nullptr ? 1 : 0));
  for (std::size_t i = 0; i < terms.size();) {
    if (const std::size_t stretch = single_values(terms.subspan(i)); stretch >= kShortestStretch) {
      values_one_by_one(terms.subspan(i, stretch));
      i += stretch;
    } else {
      sequence_term(terms[i++]);
    }
  }
  return is_shared ? sequences_.add(sequence) + 1 : 0;
}

void SharedWriter::field(const FieldValues& values, bool is_vector, const RankList& context,
                         const LeafPeers* peers) {
  ++field_;
  const auto signature = known_signature(values, is_vector);
  if (signature) {
    if (const auto number = fields_.number_of(*signature)) return put_field_reference(*number + 1);
  }
  put_field_reference(0);
  if (const auto reference =
          tables_.put_again(values, is_vector, context, peers, out_.size(Column::sequences))) {
    out_.put(Column::fields, kTableAgain);
    out_.put(Column::fields, reference->table);
    out_.put(Column::fields, reference->partners);
    out_.put(Column::fields, reference->times);
    return;
  }
  const bool has_other_side = is_vector && peers != nullptr;
  if (const auto sent = has_other_side ? tables_.put_received(values, context, *peers,
                                                              out_.size(Column::sequences))
                                       : std::nullopt) {
    out_.put(Column::fields, kListsReceived);
    out_.put(Column::fields, *sent);
    return;
  }
  if (put_columns(values, is_vector, context)) return;
  new_entries(values, is_vector, context);
  tables_.add(values, is_vector, context);
}

// Whether it was done: where the columns are shorter and the account of copies has room.
bool SharedWriter::put_columns(const FieldValues& values, bool is_vector, const RankList& context) {
  if (values.empty() || values.front().lengths.term_count() > kSharedTerms) return false;
  const auto columns = term_columns_of(values, context);
  if (!columns || !tables_.charge(columns->copied(), out_.size(Column::sequences))) return false;
  has_columns_ = true;
  out_.put(Column::fields, kTermColumns);
  out_.put(Column::fields, values.size());
  if (!columns->entry_of_rank.empty()) sequence(Column::fields, columns->entry_of_rank);
  if (is_vector) sequence(Column::fields, values.front().lengths);
  for (const TermGroup& group : columns->groups) {
    out_.put(Column::fields, form_word(group.form, group.other_forms));
    out_.put(Column::sequences, group.entries);
    out_.put(Column::sequences, group.shape.size());
    for (const auto& term : group.shape)
      out_.put(Column::sequences, term.is_loop ? 1 + std::uint64_t{term.body_terms} : 0);
    for (const ValueSequence& column : group.columns) sequence(Column::sequences, column);
  }
  return true;
}

void SharedWriter::new_entries(const FieldValues& values, bool is_vector, const RankList& context) {
  const RowTable table = table_of(values);
  const bool is_table =
      table.code != RowCode::each_alone && values.front().lengths.term_count() <= kSharedTerms;
  out_.put(Column::fields,
           values.size() * kRowCodes + (is_table ? static_cast<std::uint64_t>(table.code) : 0));
  if (values.size() == 1) {
    if (!is_vector) rank_ = first_of(context);
    one_entry(values.front(), is_vector);
    rank_.reset();
    return;
  }
  partition(values, context);
  if (!is_table) {
    for (const auto& entry : values) {
      out_.put(Column::fields, form_word(entry));
      if (!is_vector) rank_ = first_of(entry.ranks);
      sequence(Column::fields, entry.values);
      rank_.reset();
      if (is_vector) sequence(Column::fields, entry.lengths);
    }
    return;
  }
  out_.put(Column::fields, form_word(values.front()));
  if (is_vector) sequence(Column::fields, values.front().lengths);
  if (table.code == RowCode::shifted) sequence(Column::fields, values.front().values);
  put_table(out_, table);
}

void SharedWriter::one_entry(const FieldEntry& entry, bool is_vector) {
  out_.put(Column::fields, form_word(entry));
  const std::uint64_t values = sequence(Column::fields, entry.values),
                      lengths = is_vector ? sequence(Column::fields, entry.lengths) : 0;
  if (values != 0 && (!is_vector || lengths != 0))
    fields_.add({{is_vector ? 1U : 0U, form_word(entry), values, lengths}});
}

// How the entries divide the node's ranks. The last part follows from the others.
void SharedWriter::partition(const FieldValues& values, const RankList& context) {
  if (values.size() == static_cast<std::size_t>(context.size())) return out_.put(Column::fields, 1);
  Partition parts;
  for (const auto& entry : values) parts.lists.push_back(entry.ranks);
  const bool is_shared = values.size() <= kSharedParts;
  const auto number = is_shared ? partitions_.number_of(parts) : std::nullopt;
  if (number) return out_.put(Column::fields, 2 + *number);
  out_.put(Column::fields, 0);
  for (std::size_t i = 0; i + 1 < values.size(); ++i)
    ranks(Column::fields, values[i].ranks, context);
  if (is_shared) partitions_.add(parts);
}

// A field of one entry is known only if all its parts are: its signature is made of their numbers.
std::optional<FieldSignature> SharedWriter::known_signature(const FieldValues& values,
                                                            bool is_vector) const {
  if (values.size() != 1) return std::nullopt;
  const FieldEntry& entry = values.front();
  const auto number_of = [&](const ValueSequence& sequence) -> std::uint64_t {
    if (sequence.term_count() > kSharedTerms) return 0;
    const auto number = sequences_.number_of(sequence);
    return number ? *number + 1 : 0;
  };
  const std::uint64_t first = number_of(entry.values);
  if (first == 0) return std::nullopt;
  const std::uint64_t lengths = is_vector ? number_of(entry.lengths) : 0;
  if (is_vector && lengths == 0) return std::nullopt;
  return FieldSignature{{is_vector ? 1U : 0U, form_word(entry), first, lengths}};
}

}  // namespace reprise::trace_io
