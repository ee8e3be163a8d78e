// SPDX-License-Identifier: MIT
// A field entry with what joining it to another one needs: where its lowest rank stands, and the forms it can take.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "trace-io/merge/rank_unions.hpp"
#include "trace-io/model/communicators.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// Ordered by preference where several are possible: what names a fixed rank (a root) is absolute for all later ranks too.
inline constexpr std::array kPeerForms{PeerForm::absolute, PeerForm::relative,
                                       PeerForm::exclusive_or};
using FormSet = std::uint8_t;  // bit 1 << form, as FieldEntry::other_forms
constexpr FormSet form_bit(PeerForm form) {
  return static_cast<FormSet>(1U << static_cast<unsigned>(form));
}

enum class JoinRule : std::uint8_t {
  any_prefix,      // a sequence may be joined to a longer one that it begins
  same_constancy,  // but not to one that varies where it does not itself: what a peer field's frame depends on stays constant
};

struct FieldView {
  FieldEntry entry;
  std::optional<Position> at;  // of its lowest rank; none where only the absolute form is possible
  FormSet forms = form_bit(PeerForm::absolute);

  FieldView(FieldEntry, std::optional<Position>);

  // Makes one entry of both where that loses nothing, else changes nothing. `same_length`: no prefixes.
  bool join(FieldView& other, bool same_length, JoinRule, RankUnions&);

  // Equal for views whose values are the same in that form; none where the view cannot take the form.
  std::optional<std::uint64_t> key(PeerForm) const;
  // Equal for views one of which is a prefix of the other in that form.
  std::optional<std::uint64_t> prefix_key(PeerForm) const;
};

// Where a rank stands in the frame that a peer field of one leaf is counted in.
//
// None    where the place is not the same in all executions (the communicator field varies), where the rank has no such
//         communicator, and for fields that hold no peers: such values can only be absolute.

class FramePositions {
 public:
  // The leaf, whose communicator fields are read on demand, and the table must outlive this.
  FramePositions(const Leaf&, std::span<const FieldSpec>, const CommunicatorTable&);
  std::optional<Position> of(Rank, PeerFrame) const;  // REQUIRES: the leaf's ranks contain the rank

 private:
  const CommunicatorTable& communicators_;
  const FieldValues* comm_ = nullptr;
  const FieldValues* new_comm_ = nullptr;
};

// The values that the rank at `from` has, as the rank at `to` has them under that form; none where they vary over a run too
// long to be mapped. Values in absolute form, peers or not, are the same everywhere.
std::optional<ValueSequence> seen_from(const ValueSequence&, PeerForm,
                                       const std::optional<Position>& from,
                                       const std::optional<Position>& to);

}  // namespace reprise::trace_io
