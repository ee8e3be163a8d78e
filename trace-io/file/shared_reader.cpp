// SPDX-License-Identifier: MIT
#include "trace-io/file/shared_reader.hpp"

#include "trace-io/file/row_code.hpp"

namespace reprise::trace_io {

RankList SharedReader::ranks(Column column, const RankList& context) {
  return referred_ranks(column).value_or(context);
}

std::uint64_t SharedReader::take_ranks_reference(Column column) {
  const auto referred = ranks_coded_in(column);
  if (in_.coder() == nullptr || !referred)
    return in_.take_reference(column, rank_lists_.size() + 2, "rank list");
  return in_.checked_reference(
      references_.reference(*in_.coder(), *referred, place_, field_, {}, 0), Column::coded,
      rank_lists_.size() + 2, "rank list");
}

std::uint64_t SharedReader::take_field_reference() {
  if (in_.coder() == nullptr)
    return in_.take_reference(Column::fields, fields_.size() + 1, "field");
  return in_.checked_reference(
      references_.reference(*in_.coder(), Referred::field, place_, field_, {}, 0), Column::coded,
      fields_.size() + 1, "field");
}

std::optional<RankList> SharedReader::referred_ranks(Column column) {
  const std::uint64_t reference = take_ranks_reference(column);
  if (reference == 0) return std::nullopt;
  if (reference == 1) rank_lists_.push_back(new_ranks());
  return reference == 1 ? rank_lists_.back() : rank_lists_[reference - 2];
}

RankList SharedReader::new_ranks() {
  const std::uint64_t count = in_.count(Column::rank_lists, "rank list terms");
  const std::string place = in_.place(Column::rank_lists);
  std::vector<RankList::Term> terms;
  std::int64_t start = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    RankList::Term term;
    const std::int64_t step = in_.take_signed(Column::rank_lists);
    if (step < -ranks_ || step > ranks_ || start + step < 0 || start + step >= ranks_)
      in_.refuse(Column::rank_lists,
                 "a rank list starts outside ranks 0 to " + std::to_string(ranks_ - 1));
    start += step;
    term.start = Rank{static_cast<std::int32_t>(start)};
    const std::uint64_t depth = in_.count(Column::rank_lists, "rank list dimensions");
    for (std::uint64_t d = 0; d < depth; ++d) {
      RankList::Dimension dimension{};
      dimension.count = in_.take_u32(Column::rank_lists, "rank count");
      const std::uint64_t stride = in_.take(Column::rank_lists);
      if (dimension.count < 2 || stride < 1 || stride > static_cast<std::uint64_t>(kMaxRanks))
        in_.refuse(Column::rank_lists, "a rank list repeats " + std::to_string(dimension.count) +
                                           " times with stride " + std::to_string(stride));
      dimension.stride = static_cast<std::int32_t>(stride);
      term.dimensions.push_back(dimension);
    }
    terms.push_back(std::move(term));
  }
  return RankList::from_terms(terms, ranks_, place);
}

void SharedReader::values_one_by_one(std::vector<ValueSequence::Term>& terms, std::uint64_t most) {
  const std::uint64_t count = in_.take(Column::sequences);
  if (count > most)
    in_.refuse(Column::sequences, std::to_string(count) +
                                      " single values where there is room for " +
                                      std::to_string(most) + " terms");
  const std::int64_t least = in_.take_signed(Column::sequences);
  for (std::uint64_t i = 0; i < count; ++i) {
    ValueSequence::Term term;
    term.count = 1;
    term.start =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(least) + in_.take(Column::sequences));
    terms.push_back(term);
  }
}

ValueSequence::Term SharedReader::sequence_term(std::uint64_t kind) {
  ValueSequence::Term term;
  if (kind > (version_ > 1 ? 3 : 2))
    in_.refuse(Column::sequences, "sequence term kind " + std::to_string(kind) + " does not exist");
  term.is_loop = kind >= 2;
  term.count = in_.take(Column::sequences);
  if (term.is_loop) {
    term.body_terms = in_.take_u32(Column::sequences, "a loop of sequence terms,");
    if (kind == 3) term.stride = in_.take_signed(Column::sequences);
  } else {
    term.start = in_.take_signed(Column::sequences);
    if (kind == 1) term.stride = in_.take_signed(Column::sequences);
  }
  return term;
}

ValueSequence SharedReader::coded_sequence() {
  std::string problem;
  auto sequence = coded_.take(*in_.coder(), {around_, &loops_, rank_}, in_.coded_bytes(), problem);
  if (!problem.empty()) in_.refuse(Column::sequences, problem);
  return sequence;
}

ValueSequence SharedReader::sequence(Column column, bool& is_shared) {
  const std::uint64_t reference = in_.take_reference(column, sequences_.size() + 1, "sequence");
  if (reference > 0) return sequences_[reference - 1];
  std::uint64_t count = in_.take(Column::sequences);
  if (in_.coder() != nullptr && count-- == kCodedSequence) {
    is_shared = false;
    return coded_sequence();
  }
  in_.checked_count(count, Column::sequences, Column::sequences, "sequence terms");
  std::vector<ValueSequence::Term> terms;
  while (terms.size() < count) {
    const std::uint64_t kind = in_.take(Column::sequences);
    if (kind == 4 && version_ > 1)
      values_one_by_one(terms, count - terms.size());
    else
      terms.push_back(sequence_term(kind));
  }
  if (!ValueSequence::well_formed(terms))
    in_.refuse(Column::sequences,
               "a sequence's terms do not nest, or count more than 63 bits hold");
  auto sequence = ValueSequence::from_terms(terms);
  if (count <= kSharedTerms)
    sequences_.push_back(sequence);
  else
    is_shared = false;
  return sequence;
}

void SharedReader::take_form(StoredEntry& entry) {
  const std::uint64_t form = in_.take(Column::fields);
  const std::uint64_t others = form >> 2;
  if ((form & 3) > 2 || others > (version_ > 1 ? 7 : 0))
    in_.refuse(Column::fields, "peer form " + std::to_string(form) + " does not exist");
  entry.form = static_cast<PeerForm>(form & 3);
  entry.other_forms = static_cast<std::uint8_t>(others);
}

// The ranks of the entries (version 2), which divide those of the context.
void SharedReader::take_partition(StoredField& field, const RankList& context) {
  if (field.entries.size() < 2) return;  // the context's own
  const std::uint64_t reference =
      in_.take_reference(Column::fields, partitions_.size() + 2, "partition of ranks");
  std::vector<RankList> parts;
  if (reference >= 2) {
    parts = partitions_[reference - 2];
    if (parts.size() != field.entries.size())
      in_.refuse(Column::fields, "a partition of " + std::to_string(parts.size()) + " parts for " +
                                     std::to_string(field.entries.size()) + " entries");
  } else if (reference == 1) {
    if (static_cast<std::uint64_t>(context.size()) != field.entries.size())
      in_.refuse(Column::fields, std::to_string(field.entries.size()) +
                                     " entries, one a rank, of " + std::to_string(context.size()) +
                                     " ranks");
    for (const Rank rank : context.ranks()) parts.push_back(RankList::single(rank));
  } else {
    std::vector<Rank> listed;
    for (std::size_t i = 0; i + 1 < field.entries.size(); ++i) {
      parts.push_back(ranks(Column::fields, context));
      if (listed.size() + static_cast<std::size_t>(parts.back().size()) >=
          static_cast<std::size_t>(context.size()))
        in_.refuse(Column::fields, "field entries leave no rank for the last of them");
      const auto members = parts.back().ranks();
      listed.insert(listed.end(), members.begin(), members.end());
    }
    parts.push_back(context.minus(RankList::from_ranks(std::move(listed))));
    if (parts.size() <= kSharedParts) partitions_.push_back(parts);
  }
  for (std::size_t i = 0; i < parts.size(); ++i) field.entries[i].ranks = std::move(parts[i]);
}

// Of version 1.
SharedReader::StoredField SharedReader::old_field(bool is_vector, bool& is_shared) {
  StoredField field;
  field.is_vector = is_vector;
  const std::uint64_t count = in_.count(Column::fields, "field entries");
  is_shared = count <= kSharedEntries;
  for (std::uint64_t i = 0; i < count; ++i) {
    StoredEntry& entry = field.entries.emplace_back();
    entry.ranks = referred_ranks(Column::fields);
    take_form(entry);
    entry.values = sequence(Column::fields, is_shared);
    if (is_vector) entry.lengths = sequence(Column::fields, is_shared);
  }
  return field;
}

SharedReader::StoredField SharedReader::new_field(std::uint64_t head, bool is_vector,
                                                  const RankList& context, bool& is_shared) {
  StoredField field;
  field.is_vector = is_vector;
  const auto code = static_cast<RowCode>(head % kRowCodes);
  // Entries of a table take their bytes in the table.
  const Column holder = code == RowCode::each_alone ? Column::fields : Column::sequences;
  const std::uint64_t count = head / kRowCodes,
                      before = code == RowCode::shifted && count > 0 ? 1 : 0;  // the first row
  in_.checked_count(count - before, Column::fields, holder, "field entries");
  is_shared = count == 1 && code == RowCode::each_alone;
  field.entries.resize(count);
  take_partition(field, context);
  if (code == RowCode::each_alone) {
    for (StoredEntry& entry : field.entries) {
      take_form(entry);
      if (!is_vector) rank_ = first_of(entry.ranks.value_or(context));
      entry.values = sequence(Column::fields, is_shared);
      rank_.reset();
      if (is_vector) entry.lengths = sequence(Column::fields, is_shared);
    }
    return field;
  }
  StoredEntry alike;
  take_form(alike);
  if (is_vector) alike.lengths = sequence(Column::fields, is_shared);
  if (alike.lengths.term_count() > kSharedTerms && count > 1)
    in_.refuse(Column::fields, "a table of values whose lengths have too many terms");
  if (code == RowCode::shifted) alike.values = sequence(Column::fields, is_shared);
  if (code == RowCode::shifted && alike.values.empty())
    in_.refuse(Column::fields, "a table of no values");
  is_shared = false;
  auto rows = take_table(in_, code, count, alike.values);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    StoredEntry& entry = field.entries[i];
    entry.form = alike.form;
    entry.other_forms = alike.other_forms;
    entry.lengths = alike.lengths;
    entry.values = std::move(rows[i]);
  }
  return field;
}

FieldValues SharedReader::in_context(const StoredField& field, const RankList& context) {
  FieldValues values;
  values.reserve(field.entries.size());
  for (const auto& entry : field.entries)
    values.push_back({entry.ranks.value_or(context), entry.form, entry.values, entry.lengths,
                      entry.other_forms});
  return values;
}

FieldValues SharedReader::table_again(bool is_vector, const RankList& context,
                                      const LeafPeers* peers) {
  if (is_vector) in_.refuse(Column::fields, "a table of one number a call, lists are needed");
  BackReferences::Reference reference;
  reference.table = in_.take(Column::fields);
  reference.partners = in_.take(Column::fields);
  reference.times = in_.take(Column::fields);
  return tables_.take_again(reference, context, peers, in_);
}

FieldValues SharedReader::lists_received(bool is_vector, const RankList& context,
                                         const LeafPeers* peers) {
  if (!is_vector)
    in_.refuse(Column::fields, "lists of the other side, a number per call is needed");
  const std::uint64_t sent = in_.take(Column::fields);
  return tables_.take_received(sent, context, peers, in_);
}

FieldValues SharedReader::field(bool is_vector, const RankList& context, const LeafPeers* peers) {
  ++field_;
  const std::uint64_t reference = take_field_reference();
  if (reference > 0) {
    const StoredField& stored = fields_[reference - 1];
    if (stored.is_vector != is_vector)
      in_.refuse(Column::fields, "field " + std::to_string(reference - 1) + " is " +
                                     (is_vector ? "a number per call, lists are needed"
                                                : "a list per call, numbers are needed"));
    return in_context(stored, context);
  }
  const std::uint64_t head = version_ > 1 ? in_.take(Column::fields) : 0;
  if (head == kTermColumns && version_ >= kColumnsVersion) return term_columns(is_vector, context);
  if (head == kTableAgain) return table_again(is_vector, context, peers);
  if (head == kListsReceived) return lists_received(is_vector, context, peers);
  bool is_shared = true;
  StoredField stored = version_ > 1 ? new_field(head, is_vector, context, is_shared)
                                    : old_field(is_vector, is_shared);
  FieldValues values = in_context(stored, context);
  if (is_shared) fields_.push_back(std::move(stored));
  if (version_ > 1) tables_.add(values, is_vector, context);
  return values;
}

}  // namespace reprise::trace_io
