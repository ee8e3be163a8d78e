// SPDX-License-Identifier: MIT
// Where a rank stands in the frame that a peer field of one leaf is counted in.
//
// None    where the place is not the same in all executions (the communicator field varies), where the rank has no such
//         communicator, and for fields that hold no peers: such values can only be absolute.
#pragma once

#include <optional>
#include <span>

#include "trace-io/model/communicators.hpp"
#include "trace-io/model/peer_form.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

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
