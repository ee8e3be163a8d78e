// SPDX-License-Identifier: MIT
// Fields whose values differ from rank to rank, kept so that later ones can be told as "the same again", "what my partner had there" or "what
// the others send me": in a decomposition that does not divide evenly every rank has sizes of its own, but few of the calls have new ones (FORMAT.md, section 3).
//
// Tables   number fields of kFewestParts or more entries in absolute form, numbered in the order of the file, however they were written. Those
//          that are passes over rows of one width (row_code.hpp) can be referred to.
// Lists    of an all-to-all follow from those of the other side, whole or not at all.
// Copying  references are worth more than their bytes: both sides keep account, so that they stop at kCopies times the bytes of column
//          sequences so far (`written`), and kFreeCopies, and memory stays proportional to the file.
// Cost     O(rows), and O(ranks · log) for each field of partners that is tried.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "trace-io/file/columns.hpp"
#include "trace-io/file/leaf_peers.hpp"
#include "trace-io/file/row_code.hpp"

namespace reprise::trace_io {

class BackReferences {
 public:
  static constexpr std::size_t kFewestParts = 3;
  static constexpr std::uint64_t kCopies = 16,
                                 kFreeCopies = 1U
                                               << 16;  // values, and ranks where partners are asked

  // How a field follows from an earlier table: row of each rank, or of its partner, `times` passes over it.
  struct Reference {
    std::uint64_t table = 0;
    std::uint64_t partners =
        0;  // 0: the ranks themselves; n: who field n − 1 of the same call names
    std::uint64_t times = 1;
  };

  // Numbers the field if it is a table. `ranks`: the node's.
  void add(const FieldValues&, bool is_vector, const RankList& ranks);
  // The reference that gives this very field, and numbers it; none where there is none, or no copy left.
  std::optional<Reference> put_again(const FieldValues&, bool is_vector, const RankList& ranks,
                                     const LeafPeers*, std::uint64_t written);
  // The earlier field of the same call whose lists are the other side of these; none where there is none, or no copy left.
  std::optional<std::uint64_t> put_received(const FieldValues&, const RankList& ranks,
                                            const LeafPeers&, std::uint64_t written);
  FieldValues take_received(std::uint64_t field, const RankList& ranks, const LeafPeers*,
                            const ColumnReader&);
  // Whether so many values more may be copied.
  bool may_copy(std::uint64_t values, std::uint64_t written) const {
    return values <= kFreeCopies + kCopies * written - copied_;
  }
  // Counts values that something else gives for few bytes; false, and counts nothing, where no copy is left.
  bool charge(std::uint64_t values, std::uint64_t written) {
    if (!may_copy(values, written)) return false;
    copied_ += values;
    return true;
  }
  // What it gives, numbered; refused, at the column's last number, where it gives nothing.
  FieldValues take_again(const Reference&, const RankList& ranks, const LeafPeers*,
                         const ColumnReader&);

 private:
  struct Table {
    RankList ranks;
    std::vector<RankList> parts;  // by lowest rank
    std::vector<Row> rows;        // of the parts; none where they cannot be told
    std::uint64_t hash() const;
    std::uint64_t values() const { return rows.empty() ? 0 : rows.size() * rows.front().size(); }
    friend bool operator==(const Table&, const Table&) = default;
  };
  static bool is_table(const FieldValues&, bool is_vector);
  static std::optional<Table> rearranged(const Table&, const std::vector<Rank>& from,
                                         const std::vector<Rank>& to, const RankList& ranks);
  std::optional<std::uint64_t> number_of(const Table&) const;
  void add_next(Table);  // the next one

  std::vector<Table> tables_;
  std::unordered_map<std::uint64_t, std::uint64_t> by_hash_;  // looked up only
  std::uint64_t copied_ = 0;
};

}  // namespace reprise::trace_io
