// SPDX-License-Identifier: MIT
#include "trace-io/file/shared_reader.hpp"

namespace reprise::trace_io {

RankList SharedReader::ranks(Column column, const RankList& context) {
  auto ranks = referred_ranks(column);
  return ranks ? std::move(*ranks) : context;
}

std::optional<RankList> SharedReader::referred_ranks(Column column) {
  const std::uint64_t reference = in_.take_reference(column, rank_lists_.size() + 2, "rank list");
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
      in_.refuse(Column::rank_lists, "a rank list starts outside ranks 0 to " + std::to_string(ranks_ - 1));
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

ValueSequence::Term SharedReader::sequence_term() {
  ValueSequence::Term term;
  const std::uint64_t kind = in_.take(Column::sequences);
  if (kind > 2) in_.refuse(Column::sequences, "sequence term kind " + std::to_string(kind) + " does not exist");
  term.is_loop = kind == 2;
  term.count = in_.take(Column::sequences);
  if (term.is_loop) {
    term.body_terms = in_.take_u32(Column::sequences, "a loop of sequence terms,");
  } else {
    term.start = in_.take_signed(Column::sequences);
    if (kind == 1) term.stride = in_.take_signed(Column::sequences);
  }
  return term;
}

ValueSequence SharedReader::sequence(Column column, bool& is_shared) {
  const std::uint64_t reference = in_.take_reference(column, sequences_.size() + 1, "sequence");
  if (reference > 0) return sequences_[reference - 1];
  const std::uint64_t count = in_.count(Column::sequences, "sequence terms");
  std::vector<ValueSequence::Term> terms;
  for (std::uint64_t i = 0; i < count; ++i) terms.push_back(sequence_term());
  if (!ValueSequence::well_formed(terms))
    in_.refuse(Column::sequences, "a sequence's terms do not nest, or count more than 63 bits hold");
  auto sequence = ValueSequence::from_terms(terms);
  if (count <= kSharedTerms)
    sequences_.push_back(sequence);
  else
    is_shared = false;
  return sequence;
}

SharedReader::StoredField SharedReader::new_field(bool is_vector, bool& is_shared) {
  StoredField field;
  field.is_vector = is_vector;
  const std::uint64_t count = in_.count(Column::fields, "field entries");
  is_shared = count <= kSharedEntries;
  for (std::uint64_t i = 0; i < count; ++i) {
    StoredEntry entry;
    entry.ranks = referred_ranks(Column::fields);
    entry.form = in_.take_enum<PeerForm>(Column::fields, 3, "peer form");
    entry.values = sequence(Column::fields, is_shared);
    if (is_vector) entry.lengths = sequence(Column::fields, is_shared);
    field.entries.push_back(std::move(entry));
  }
  return field;
}

FieldValues SharedReader::in_context(const StoredField& field, const RankList& context) {
  FieldValues values;
  values.reserve(field.entries.size());
  for (const auto& entry : field.entries)
    values.push_back({entry.ranks.value_or(context), entry.form, entry.values, entry.lengths});
  return values;
}

FieldValues SharedReader::field(bool is_vector, const RankList& context) {
  const std::uint64_t reference = in_.take_reference(Column::fields, fields_.size() + 1, "field");
  if (reference > 0) {
    const StoredField& stored = fields_[reference - 1];
    if (stored.is_vector != is_vector)
      in_.refuse(Column::fields,
                 "field " + std::to_string(reference - 1) + " is " +
                     (is_vector ? "a number per call, lists are needed" : "a list per call, numbers are needed"));
    return in_context(stored, context);
  }
  bool is_shared = true;
  StoredField stored = new_field(is_vector, is_shared);
  FieldValues values = in_context(stored, context);
  if (is_shared) fields_.push_back(std::move(stored));
  return values;
}

}  // namespace reprise::trace_io
