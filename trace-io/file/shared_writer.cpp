// SPDX-License-Identifier: MIT
#include "trace-io/file/shared_writer.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::uint64_t kSame = 0, kNew = 1, kFirstNumber = 2;  // references to rank lists

}  // namespace

std::uint64_t SharedWriter::ranks(Column column, const RankList& ranks, const RankList& context) {
  if (ranks == context) {
    out_.put(column, kSame);
    return kSame;
  }
  if (const auto number = rank_lists_.number_of(ranks)) {
    out_.put(column, kFirstNumber + *number);
    return kFirstNumber + *number;
  }
  out_.put(column, kNew);
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

std::uint64_t SharedWriter::sequence(Column column, const ValueSequence& sequence) {
  const bool is_shared = sequence.term_count() <= kSharedTerms;
  if (is_shared) {
    if (const auto number = sequences_.number_of(sequence)) {
      out_.put(column, *number + 1);
      return *number + 1;
    }
  }
  out_.put(column, 0);
  const auto terms = sequence.terms();
  out_.put(Column::sequences, terms.size());
  for (const auto& term : terms) {
    out_.put(Column::sequences, term.is_loop ? 2 : term.stride == 0 ? 0 : 1);
    out_.put(Column::sequences, term.count);
    if (term.is_loop) {
      out_.put(Column::sequences, term.body_terms);
      continue;
    }
    out_.put_signed(Column::sequences, term.start);
    if (term.stride != 0) out_.put_signed(Column::sequences, term.stride);
  }
  return is_shared ? sequences_.add(sequence) + 1 : 0;
}

void SharedWriter::field(const FieldValues& values, bool is_vector, const RankList& context) {
  // A field is known only if all its parts are: its signature is made of their numbers.
  if (const auto signature = known_signature(values, is_vector, context)) {
    if (const auto number = fields_.number_of(*signature)) {
      out_.put(Column::fields, *number + 1);
      return;
    }
  }
  out_.put(Column::fields, 0);
  out_.put(Column::fields, values.size());
  FieldSignature signature{{is_vector ? 1U : 0U}};
  bool is_shared = values.size() <= kSharedEntries;
  for (const auto& entry : values) {
    signature.parts.push_back(ranks(Column::fields, entry.ranks, context));
    signature.parts.push_back(static_cast<std::uint64_t>(entry.form));
    out_.put(Column::fields, static_cast<std::uint64_t>(entry.form));
    signature.parts.push_back(sequence(Column::fields, entry.values));
    is_shared = is_shared && signature.parts.back() != 0;
    if (!is_vector) continue;
    signature.parts.push_back(sequence(Column::fields, entry.lengths));
    is_shared = is_shared && signature.parts.back() != 0;
  }
  if (is_shared) fields_.add(signature);
}

std::optional<FieldSignature> SharedWriter::known_signature(const FieldValues& values, bool is_vector,
                                                            const RankList& context) const {
  if (values.size() > kSharedEntries) return std::nullopt;
  FieldSignature signature{{is_vector ? 1U : 0U}};
  const auto add_sequence = [&](const ValueSequence& sequence) {
    const auto number = sequence.term_count() <= kSharedTerms ? sequences_.number_of(sequence) : std::nullopt;
    signature.parts.push_back(number.value_or(0) + 1);
    return number.has_value();
  };
  for (const auto& entry : values) {
    if (entry.ranks == context) {
      signature.parts.push_back(kSame);
    } else {
      const auto number = rank_lists_.number_of(entry.ranks);
      if (!number) return std::nullopt;
      signature.parts.push_back(kFirstNumber + *number);
    }
    signature.parts.push_back(static_cast<std::uint64_t>(entry.form));
    if (!add_sequence(entry.values) || (is_vector && !add_sequence(entry.lengths))) return std::nullopt;
  }
  return signature;
}

}  // namespace reprise::trace_io
