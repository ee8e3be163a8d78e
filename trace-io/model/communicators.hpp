// SPDX-License-Identifier: MIT
// Who a rank means: from a rank's communicator index and a peer in it to world ranks, and back.
//
// Cost    construction: O(members of groups that are not one affine run + ranks of the lists of indices that differ between
//         ranks). Look-ups: O(log members); O(1) for world, self and groups that are one affine run (rows, columns, halves).
// Errors  an index that the rank does not have, or a peer that the communicator does not have, gives nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

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

inline constexpr std::int64_t kWorldIndex = 0, kSelfIndex = 1, kFirstOwnIndex = 2;

class CommunicatorTable {
 public:
  // The trace's communicators must be valid (check_communicators()). The table keeps no reference to the trace.
  explicit CommunicatorTable(const Trace&);

  struct Place {
    std::optional<std::uint32_t>
        definition;                // index into Trace::communicators; none for world and self
    std::uint32_t group = 0;       // the one that the rank is in
    std::int32_t local_rank = 0;   // in it
    std::int32_t size = 1;         // of it
    std::int32_t remote_size = 0;  // of the other group; 0 where there is none
    bool is_inter() const { return remote_size > 0; }
  };
  std::optional<Place> place(Rank, std::int64_t index) const;

  // How peers are counted: me in the own group, size of the remote group if there is one, else of the own.
  std::optional<Position> frame_of(Rank, std::int64_t index) const;
  // The peer with a local rank in the remote group if there is one, else in the own.
  std::optional<Rank> world_rank(Rank, std::int64_t index, std::int64_t peer) const;

  // The same for a definition, without a rank's index of it.
  std::int32_t group_count(std::uint32_t definition) const;
  std::int32_t group_size(std::uint32_t definition, std::uint32_t group) const;
  std::optional<Rank> member(std::uint32_t definition, std::uint32_t group,
                             std::int64_t local_rank) const;
  std::optional<std::int32_t> local_rank(std::uint32_t definition, std::uint32_t group, Rank) const;

 private:
  // Members in their order: world rank = start + stride · local rank, or a table both ways.
  struct Group {
    std::int32_t size = 0, start = 0, stride = 0;
    std::vector<std::int32_t> members;  // empty for an affine group
    std::vector<std::pair<std::int32_t, std::int32_t>>
        ordered;  // (world rank, local rank), ascending

    explicit Group(const ValueSequence&);
    std::optional<Rank> member(std::int64_t local) const;
    std::optional<std::int32_t> local_rank(Rank) const;
  };
  // What one index means on each rank.
  struct Index {
    std::vector<CommunicatorUse> uses;
    std::vector<std::pair<std::int32_t, std::uint32_t>>
        by_rank;  // (rank, communicator), where there is more than one use
  };
  std::optional<std::uint32_t> definition(Rank, std::int64_t index) const;

  std::int32_t ranks_;
  std::vector<std::vector<Group>> definitions_;
  std::vector<Index> indices_;
};

// For readers of untrusted input. Throws InputError{where, …} unless every definition has one or two groups, not empty, of
// distinct ranks of the trace, group 0 with the lowest rank; and every use names a definition that its ranks are in, no rank twice
// for one index.
void check_communicators(const Trace&, const std::string& where);

}  // namespace reprise::trace_io
