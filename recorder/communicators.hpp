// SPDX-License-Identifier: MIT
// The communicators of this rank: handle → index, members, topology.
//
// Indices   0 is MPI_COMM_WORLD, 1 MPI_COMM_SELF, others are numbered by first creation here; one with the same ordered members
//           and the same copy number as an earlier, freed one gets that one's index again.
// Copies    the smallest number that no living communicator of the same ordered members has; world and self count as copy 0.
// MPI       asks the library only for what it knows locally (groups, topology).
// Cost      of(): a comparison for the communicator used last, else a hash look-up; creation: O(members).
// Threads   none: the caller holds the handle lock. A CommunicatorInfo lives as long as the table.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "recorder/free_slots.hpp"
#include "recorder/handle_map.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::recorder {

struct CommunicatorInfo {
  std::int64_t index = 0;
  bool modelled = true;  // false: has members outside MPI_COMM_WORLD
  bool inter = false;
  int rank = 0, size = 1;  // of the local group
  int peers = 1;           // ranks that a peer can be: size, or the remote group's size
  std::uint32_t copy = 0, members = 0;  // the table's number for its ordered members
  const std::vector<int>* peer_world =
      nullptr;  // world rank of each peer; null where they are the same
  std::vector<std::int64_t> sources,
      destinations;  // topology neighbours as peer codes in this communicator
  int neighbours_in = 0, neighbours_out = 0;

  int world_rank(int peer) const {
    return peer_world == nullptr ? peer : (*peer_world)[static_cast<std::size_t>(peer)];
  }
};

class Communicators {
 public:
  // Asks MPI for world and self. REQUIRES: MPI is initialised.
  void begin();

  // Of a communicator that was not made by a recorded call: noted now.
  const CommunicatorInfo& of(MPI_Comm comm) {
    if (comm == last_) return *last_info_;
    return look_up(comm);
  }
  // Null where nothing is known of it; asks MPI nothing.
  const CommunicatorInfo* known(MPI_Comm comm) const;
  // `origin`: what it is a duplicate of, where its members need not be asked for (and cannot be, while it is being made).
  const CommunicatorInfo& made(MPI_Comm comm, const CommunicatorInfo* origin = nullptr);
  void freed(MPI_Comm comm);

  int world_rank() const { return infos_[0].rank; }
  int world_size() const { return infos_[0].size; }
  // Fills communicators and communicator_indices, as rank `rank` sees them.
  void describe(trace_io::Trace&, Rank rank) const;

 private:
  struct
      Members {  // ordered, as world ranks; the second group is empty except for intercommunicators
    std::vector<int> first, second;
    std::size_t hash = 0;
    FreeSlots copies;
    std::vector<std::uint32_t> index_of_copy;
  };
  static constexpr std::uint32_t kNoIndex = ~std::uint32_t{0};
  static constexpr std::uint32_t kForeign = 0x80000000u;  // in indices_: a number in foreign_

  const CommunicatorInfo& look_up(MPI_Comm comm);
  CommunicatorInfo read(MPI_Comm comm);
  void read_topology(MPI_Comm comm, CommunicatorInfo& info) const;
  std::uint32_t members_number(std::vector<int> first, std::vector<int> second);
  bool translate(MPI_Group group, std::vector<int>& world) const;

  MPI_Comm last_ = MPI_COMM_NULL;
  const CommunicatorInfo* last_info_ = nullptr;
  HandleMap indices_;
  std::deque<CommunicatorInfo> infos_;    // by index
  std::deque<CommunicatorInfo> foreign_;  // those with members outside MPI_COMM_WORLD
  std::deque<Members> members_;
  std::unordered_multimap<std::size_t, std::uint32_t>
      members_by_hash_;  // looked up only, never iterated
  MPI_Group world_group_ = MPI_GROUP_NULL;
};

}  // namespace reprise::recorder
