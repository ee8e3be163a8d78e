// SPDX-License-Identifier: MIT
// Peer codes from one rank's view to another's: what makes "my right neighbour" one value for all ranks.
//
// With p the peer, me and n the position of `from`, me' and n' that of `to`:
//   absolute      p' = p
//   exclusive_or  p' = p xor me xor me'
//   relative      d = p − me, reduced modulo n to −n/2 < d ≤ n/2; p' = (me' + d) mod n'
// Special codes (below kFirstPeer) are the same for all. The result is a valid code, but may name a rank that `to` has not
// (absolute and exclusive_or: p' ≥ n'): whoever shares values compares the result with what the other rank really used.
//
// Composition  recast(recast(c, a → b), b → c) = recast(c, a → c), and hence recast is undone by the way back, always for
//              absolute and exclusive_or; for relative where 0 ≤ p < n and the frames have equal sizes or 2·|d| is less
//              than every size involved. Elsewhere a peer that is relative for some ranks must be checked for each rank.
#pragma once

#include <cstdint>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// A rank in a frame of peers: its own number, and how many peers there are. For an intercommunicator these are of
// different groups: the number in the own group, the size of the remote one.
struct Position {
  std::int32_t me = 0, size = 1;
  friend bool operator==(const Position&, const Position&) = default;
};

inline std::int64_t recast(std::int64_t code, PeerForm form, Position from, Position to) {
  if (code < kFirstPeer || form == PeerForm::absolute) return code;
  const std::int64_t peer = code - kFirstPeer;
  if (form == PeerForm::exclusive_or) return kFirstPeer + (peer ^ from.me ^ to.me);
  if (from.size < 1 || to.size < 1) return code;
  std::int64_t offset = (peer - from.me) % from.size;
  if (2 * offset > from.size) offset -= from.size;
  if (2 * offset <= -from.size) offset += from.size;
  const std::int64_t recast_peer = (to.me + offset) % to.size;
  return kFirstPeer + (recast_peer < 0 ? recast_peer + to.size : recast_peer);
}

}  // namespace reprise::trace_io
