// SPDX-License-Identifier: MIT
// Writes what several places of a payload refer to: rank lists, sequences and field values (FORMAT.md, section 3).
//
// Cost  O(size) plus look-ups by hash, whose order never reaches the result.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "trace-io/file/back_references.hpp"
#include "trace-io/file/coded_references.hpp"
#include "trace-io/file/coded_sequences.hpp"
#include "trace-io/file/columns.hpp"
#include "trace-io/file/loops_around.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// Numbers 0, 1, … in order of first occurrence. The table is never iterated.
template <class Thing>
class Numbering {
 public:
  std::optional<std::uint64_t> number_of(const Thing& thing) const {
    const auto found = numbers_.find(thing);
    if (found == numbers_.end()) return std::nullopt;
    return found->second;
  }
  std::uint64_t add(const Thing& thing) {
    return numbers_.emplace(thing, numbers_.size()).first->second;
  }

 private:
  std::unordered_map<Thing, std::uint64_t, ByHash> numbers_;
};

// How the entries of a field divide the ranks.
struct Partition {
  std::vector<RankList> lists;
  std::uint64_t hash() const {
    WordHash words;
    for (const auto& list : lists) words.add(list.hash());
    return words.value();
  }
  friend bool operator==(const Partition&, const Partition&) = default;
};

// One FieldEntry as numbers of its parts: equal signatures mean equal values.
struct FieldSignature {
  // Whether it is a vector, its form, its values and its lengths; of the latter 0 for scalars.
  std::array<std::uint64_t, 4> parts{};
  std::uint64_t hash() const {
    WordHash words;
    for (const auto part : parts) words.add(part);
    return words.value();
  }
  friend bool operator==(const FieldSignature&, const FieldSignature&) = default;
};

class SharedWriter {
 public:
  explicit SharedWriter(ColumnWriter& out) : out_(out) {}  // which must outlive this

  // Returns what refers to the list from now on.
  std::uint64_t ranks(Column, const RankList&, const RankList& context);
  // Likewise; 0 where the sequence is too long to be numbered.
  std::uint64_t sequence(Column, const ValueSequence&);
  // `peers`: of the fields before, where it is one of a call.
  void field(const FieldValues&, bool is_vector, const RankList& context,
             const LeafPeers* peers = nullptr);
  // The iterations of the loop around the sequences that follow, or none; they must outlive that.
  void set_around(const ValueSequence* iterations) { around_ = iterations; }
  // Where what follows is: for numbers coded by place.
  void set_place(const CallPlace& place) {
    place_ = place;
    field_ = 0;
  }
  LoopsAround& loops_around() { return loops_; }
  CodedReferences& references() { return references_; }
  // Whether a field so far needed them, and with them a newer version of the format.
  bool has_columns() const { return has_columns_; }

 private:
  void put_ranks_reference(Column, std::uint64_t);
  void put_field_reference(std::uint64_t);
  bool put_columns(const FieldValues&, bool is_vector, const RankList& context);
  void sequence_term(const ValueSequence::Term&);
  void values_one_by_one(std::span<const ValueSequence::Term>);
  void new_entries(const FieldValues&, bool is_vector, const RankList& context);
  void one_entry(const FieldEntry&, bool is_vector);
  void partition(const FieldValues&, const RankList& context);
  std::optional<FieldSignature> known_signature(const FieldValues&, bool is_vector) const;

  ColumnWriter& out_;
  Numbering<RankList> rank_lists_;
  Numbering<ValueSequence> sequences_;
  Numbering<FieldSignature> fields_;
  Numbering<Partition> partitions_;
  BackReferences tables_;
  CodedSequences coded_{SymbolContexts::peeled};
  LoopsAround loops_;
  std::optional<Rank> rank_;  // whose values come next, where they are one an execution
  CodedReferences references_;
  CallPlace place_;
  std::uint64_t field_ = 0;  // of the call at that place
  const ValueSequence* around_ = nullptr;
  bool has_columns_ = false;
};

}  // namespace reprise::trace_io
