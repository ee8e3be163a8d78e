// SPDX-License-Identifier: MIT
// Writes what several places of a payload refer to: rank lists, sequences and field values (FORMAT.md, section 3).
//
// Cost  O(size) plus look-ups by hash, whose order never reaches the result.
#pragma once

#include <optional>
#include <span>

#include "trace-io/file/back_references.hpp"
#include "trace-io/file/columns.hpp"
#include "trace-io/file/interning.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

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

 private:
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
};

}  // namespace reprise::trace_io
