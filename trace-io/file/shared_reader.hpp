// SPDX-License-Identifier: MIT
// Reads what several places of a payload refer to: rank lists, sequences and field values (FORMAT.md, section 3).
//
// Memory  what one reference copies is bounded (kSharedTerms, kSharedEntries), what those to tables copy in all too (BackReferences); rank lists share storage.
// Errors  as ColumnReader's; rank lists whose members are out of range or twice, and sequences that do not nest, are refused.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "trace-io/file/back_references.hpp"
#include "trace-io/file/coded_references.hpp"
#include "trace-io/file/coded_sequences.hpp"
#include "trace-io/file/columns.hpp"
#include "trace-io/file/loops_around.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

class SharedReader {
 public:
  SharedReader(ColumnReader& in, std::uint32_t version)
      : in_(in), version_(version) {}                          // IN must outlive this
  void set_rank_count(std::int32_t ranks) { ranks_ = ranks; }  // before anything else

  void set_around(const ValueSequence* iterations) { around_ = iterations; }  // as SharedWriter's

  void set_place(const CallPlace& place) {  // likewise
    place_ = place;
    field_ = 0;
  }
  LoopsAround& loops_around() { return loops_; }
  CodedReferences& references() { return references_; }

  RankList ranks(Column, const RankList& context);
  std::optional<RankList> ranks_if_given(Column column) { return referred_ranks(column); }
  // is_shared becomes false where the sequence has no number, so that what holds it has none either.
  ValueSequence sequence(Column, bool& is_shared);
  FieldValues field(bool is_vector, const RankList& context, const LeafPeers* peers = nullptr);

 private:
  // What an entry of a numbered field holds; the ranks are none where they are the enclosing node's.
  struct StoredEntry {
    std::optional<RankList> ranks;
    PeerForm form = PeerForm::absolute;
    std::uint8_t other_forms = 0;
    ValueSequence values, lengths;
  };
  struct StoredField {
    bool is_vector = false;
    std::vector<StoredEntry> entries;
  };

  std::optional<RankList> referred_ranks(Column);  // none: those of the context
  std::uint64_t take_ranks_reference(Column);
  std::uint64_t take_field_reference();
  RankList new_ranks();
  ValueSequence coded_sequence();
  ValueSequence::Term sequence_term(std::uint64_t kind);
  void values_one_by_one(std::vector<ValueSequence::Term>&, std::uint64_t most);
  StoredField old_field(bool is_vector, bool& is_shared);
  StoredField new_field(std::uint64_t head, bool is_vector, const RankList& context,
                        bool& is_shared);
  FieldValues term_columns(bool is_vector, const RankList& context);
  std::uint64_t take_group(std::span<FieldEntry>);
  FieldValues table_again(bool is_vector, const RankList& context, const LeafPeers*);
  FieldValues lists_received(bool is_vector, const RankList& context, const LeafPeers*);
  void take_partition(StoredField&, const RankList& context);
  void take_form(StoredEntry&);
  static FieldValues in_context(const StoredField&, const RankList& context);

  ColumnReader& in_;
  const std::uint32_t version_;
  std::int32_t ranks_ = 1;
  std::vector<RankList> rank_lists_;
  std::vector<ValueSequence> sequences_;
  std::vector<StoredField> fields_;
  std::vector<std::vector<RankList>> partitions_;
  BackReferences tables_;
  CodedSequences coded_{version_ < kAlignedVersion      ? SymbolContexts::same_size
                        : version_ < kNeighboursVersion ? SymbolContexts::aligned
                                                        : SymbolContexts::peeled};
  LoopsAround loops_;
  std::optional<Rank> rank_;  // whose values come next, where they are one an execution
  CodedReferences references_{version_ >= kNeighboursVersion};
  CallPlace place_;
  std::uint64_t field_ = 0;  // of the call at that place
  const ValueSequence* around_ = nullptr;
};

}  // namespace reprise::trace_io
