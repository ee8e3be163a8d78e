// SPDX-License-Identifier: MIT
// How the values of one field, or the durations of one site, are obtained by the ranks that share a program.
//
// constant  the same for all ranks and executions: nothing is kept per rank.
// per_rank  the same for all executions of a rank: one number per rank.
// reader    a position in a sequence per rank.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "trace-io/model/procedure.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

enum class Source : std::uint8_t { constant, per_rank, reader };

// Whether a field counts bytes: of one message, which is sent even where they are none, or of a collective's block.
enum class SizeOf : std::uint8_t { none, message, block };

struct FieldPlan {         // 16 bytes: an event reads those of its fields one behind the other
  std::int64_t value = 0;  // of a constant
  std::uint32_t slot = 0;  // among the node's numbers or readers
  Source source = Source::constant;
  PeerFrame frame = PeerFrame::not_a_peer;
  SizeOf size_of = SizeOf::none;
};

// Entries that see peers in relation to the own rank need to know that rank's place in the field's frame: `frame_is_constant` says
// whether a rank's communicator for it is always the same one.
FieldPlan plan_field(const FieldValues&, PeerFrame, bool frame_is_constant);
FieldPlan plan_lengths(const FieldValues&);

// Which of the classes applies to a rank: the only one, or a number per rank (its index, kNone where no class lists the rank).
struct ClassPlan {
  SiteId predecessor = kNoSite;
  std::uint32_t slot = 0;  // among the node's numbers
  const std::vector<DeltaClass>* classes = nullptr;
  bool per_rank = false;
};

// The entry or class that lists the rank, null where none does. REQUIRES: ordered by lowest rank, not empty lists.
// Cost: O(log entries) where lists do not interleave.
template <class Ranked>
const Ranked* ranked_for(const std::vector<Ranked>& entries, Rank rank);

// What an event reads of its leaf, most often with its fields: two cache lines. Where ranks have calls of their own each event finds
// another leaf.
struct alignas(64) LeafPlan {
  static constexpr std::size_t kFew = 6;  // as most calls have

  const Procedure* procedure = nullptr;
  SiteId site = kNoSite;
  std::uint32_t first_class = 0;  // in LeafPlans::classes: of `compute`, then of `communicate`
  std::uint32_t paths = 0;        // how many ways of computing before it there are
  std::uint32_t first_field = 0;  // in LeafPlans::fields, where they are more than a few
  std::uint8_t scalars = 0, vectors = 0;  // how many; a vector takes two plans
  std::array<FieldPlan, kFew> few_fields{};

  std::size_t fields() const { return scalars + std::size_t{2} * vectors; }
};
static_assert(sizeof(LeafPlan) == 2 * alignof(LeafPlan));

// The leaves of a thread.
struct LeafPlans {
  std::vector<LeafPlan> leaves;
  std::vector<const Leaf*> made_of;  // likewise
  std::vector<FieldPlan> fields;
  std::vector<ClassPlan> classes;

  struct Kept {
    std::uint32_t numbers = 0, readers = 0;
  };
  Kept add(const Leaf&, const Procedure&);  // what a rank keeps of it
  const Leaf& leaf(const LeafPlan& plan) const {
    return *made_of[static_cast<std::size_t>(&plan - leaves.data())];
  }
  // Scalars, then of each vector its lengths and its values.
  const FieldPlan* fields_of(const LeafPlan& leaf) const {
    return leaf.fields() <= LeafPlan::kFew ? leaf.few_fields.data() : &fields[leaf.first_field];
  }
  std::span<const ClassPlan> compute(const LeafPlan& leaf) const {
    return {&classes[leaf.first_class], leaf.paths};
  }
  const ClassPlan& communicate(const LeafPlan& leaf) const {
    return classes[leaf.first_class + leaf.paths];
  }
  // The entries of the communicator in which a field's peers are counted; null for the world and where they are none.
  const FieldValues* frame_of(const FieldPlan&, const LeafPlan&) const;
};

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
