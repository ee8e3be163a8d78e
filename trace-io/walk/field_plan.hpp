// SPDX-License-Identifier: MIT
// How the values of one field, or the durations of one site, are obtained by the ranks that share a program.
//
// constant  the same for all ranks and executions: nothing is kept per rank.
// per_rank  the same for all executions of a rank: one number per rank.
// reader    a position in a sequence per rank.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace-io/model/procedure.hpp"
#include "trace-io/model/trace.hpp"
#include "trace-io/walk/request_numbers.hpp"

namespace reprise::trace_io {

enum class Source : std::uint8_t { constant, per_rank, reader };

// Whether a field counts bytes: of one message, which is sent even where they are none, or of a collective's block.
enum class SizeOf : std::uint8_t { none, message, block };

struct FieldPlan {
  Source source = Source::constant;
  PeerFrame frame = PeerFrame::not_a_peer;
  SizeOf size_of = SizeOf::none;
  std::uint32_t slot = 0;  // among the node's numbers or readers
  std::int64_t value = 0;  // of a constant
  const FieldValues* entries = nullptr;
  ValueSequence FieldEntry::*part = &FieldEntry::values;  // or lengths
};

// The pointer is kept. Entries that see peers in relation to the own rank need to know that rank's place in the field's frame:
// `frame_is_constant` says whether a rank's communicator for it is always the same one.
FieldPlan plan_field(const FieldValues&, PeerFrame, bool frame_is_constant);
FieldPlan plan_lengths(const FieldValues&);

// Which of the classes applies to a rank: the only one, or a number per rank (its index, kNone where no class lists the rank).
struct ClassPlan {
  SiteId predecessor = kNoSite;
  bool per_rank = false;
  std::uint32_t slot = 0;  // among the node's numbers
  const std::vector<DeltaClass>* classes = nullptr;
};

// The entry or class that lists the rank, null where none does. REQUIRES: ordered by lowest rank, not empty lists.
// Cost: O(log entries) where lists do not interleave.
template <class Ranked>
const Ranked* ranked_for(const std::vector<Ranked>& entries, Rank rank);

struct LeafPlan {
  const Leaf* leaf = nullptr;
  const Procedure* procedure = nullptr;
  SiteId site = kNoSite;  // the leaf's, which is elsewhere in memory
  std::vector<FieldPlan> scalars;
  struct Vector {
    FieldPlan lengths, values;
  };
  std::vector<Vector> vectors;
  std::vector<ClassPlan> compute;
  ClassPlan communicate;
  std::uint32_t numbers = 0, readers = 0;  // that a rank keeps
  int comm = -1, new_comm = -1;            // which scalar, if any
  RequestFields requests;

  // The scalar that says in which communicator a field's peers are counted; null for the world and where they are none.
  const FieldPlan* frame_of(const FieldPlan&) const;
};
LeafPlan plan_leaf(const Leaf&, const Procedure&);

struct LoopPlan {
  const Loop* loop = nullptr;
  bool is_everyones = false;  // all ranks of the job execute it
  FieldPlan iterations, exits;
  std::uint32_t numbers = 0, readers = 0;
};
LoopPlan plan_loop(const Loop&);

template <class Ranked>
const Ranked* ranked_for(const std::vector<Ranked>& entries, Rank rank) {
  std::size_t low = 0, high = entries.size();  // the first entry that starts beyond the rank
  while (low < high) {
    const std::size_t middle = (low + high) / 2;
    if (rank < entries[middle].ranks.front())
      high = middle;
    else
      low = middle + 1;
  }
  while (low-- > 0)
    if (entries[low].ranks.contains(rank)) return &entries[low];
  return nullptr;
}

}  // namespace reprise::trace_io
