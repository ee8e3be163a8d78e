// SPDX-License-Identifier: MIT
// The communicators of this rank: handle → index, members, topology.
//
// Indices   0 is MPI_COMM_WORLD, 1 MPI_COMM_SELF, others are numbered by first creation here; one with the same ordered members
//           and the same copy number as an earlier, freed one gets that one's index again.
// Copies    the smallest number that no living communicator of the same ordered members has; world and self count as copy 0. All members
//           make their communicators in one order, so they agree. Where several threads make them they do not: there a copy has the
//           number of its descent (the parent's, and the smallest one free among the parent's children, mixed to 31 bits), since the
//           calls on one parent have one order in any case. An intercommunicator of two groups that had none counts among those of its members.
// Cost      of(): a comparison for the communicator used last, else a hash look-up; creation: O(members).
// Threads   none: the caller holds the handle lock. A CommunicatorInfo lives as long as the table.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <unordered_map>
#include <vector>

#include "recorder/capture/handle_tables.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::recorder {

struct CommunicatorInfo {
  std::int64_t index = 0;
  bool modelled = true;  // false: has members outside MPI_COMM_WORLD
  bool inter = false;
  int rank = 0, size = 1;  // of the local group
  int peers = 1;           // ranks that a peer can be: size, or the remote group's size
  std::uint32_t copy = 0, members = 0;  // the table's number for its ordered members
  std::uint64_t context =
      0;  // of ordered members and copy: all members have the same number for it
  std::int64_t parent =
      -1;  // index of what it was made from, where threads make them, or a negative key
  std::uint32_t child = 0;  // its number among the parent's children
  const std::vector<int>* peer_world =
      nullptr;  // world rank of each peer; null where they are the same
  std::vector<std::int64_t> sources,
      destinations;  // topology neighbours as peer codes in this communicator
  int neighbours_in = 0, neighbours_out = 0;

  int world_rank(int peer) const {
    return peer_world == nullptr ? peer : (*peer_world)[static_cast<std::size_t>(peer)];
  }
};

// What the MPI library knows locally of a communicator.
struct CommunicatorFacts {
  int rank = 0;                    // in the local group
  bool inter = false;              // then `remote` holds the members of the other group
  bool modelled = true;            // false: some member is not in MPI_COMM_WORLD
  std::vector<int> local, remote;  // world ranks in order
  std::vector<std::int64_t> sources, destinations;  // peer codes; empty without a topology
};
using ReadCommunicator = CommunicatorFacts (*)(HandleKey);

class Communicators {
 public:
  // `read` asks the MPI library; it is called for communicators that are met for the first time.
  // `has_threads`: several threads may make communicators.
  void begin(HandleKey world, HandleKey self, int rank, int size, ReadCommunicator read,
             bool has_threads = false);

  // Of a communicator that was not made by a recorded call: noted now.
  const CommunicatorInfo& of(HandleKey comm) {
    if (comm == last_) return *last_info_;
    return look_up(comm);
  }
  // Null where nothing is known of it; asks MPI nothing.
  const CommunicatorInfo* known(HandleKey comm) const;
  // `parent`: whose members made it, null where that is not known. `is_duplicate`: its members are the parent's and need not be asked
  // for (and cannot be, while it is being made).
  const CommunicatorInfo& made(HandleKey comm, const CommunicatorInfo* parent = nullptr,
                               bool is_duplicate = false);
  // Before a call that frees it: from here on its handle means nothing, since the library may give it to another thread's new
  // communicator before that call returns. Its number; HandleMap::kAbsent where nothing is known of it.
  std::uint32_t detach(HandleKey comm);
  // Of a number that detach() gave. REQUIRES: not kAbsent.
  const CommunicatorInfo& at(std::uint32_t number) const;
  void freed(std::uint32_t number);
  // The call that was to free it failed.
  void attach(HandleKey comm, std::uint32_t number);

  // Fills communicators and communicator_indices, as rank `rank` sees them.
  void describe(trace_io::Trace&, Rank rank) const;
  // Copies whose descent had been given a number already: what other ranks call them is not known.
  std::uint64_t ambiguous() const { return ambiguous_; }

 private:
  static constexpr std::uint32_t kNoIndex = ~std::uint32_t{0};
  struct Descendant {
    std::uint32_t index = kNoIndex;
    bool is_alive = false;
  };
  struct Members {  // world ranks in order; `second` is empty except for intercommunicators
    std::vector<int> first, second;
    std::size_t hash = 0;
    FreeSlots copies;
    std::vector<std::uint32_t> index_of_copy;
    std::map<std::uint32_t, Descendant> by_descent;  // by copy
  };
  static constexpr std::uint32_t kForeign = 0x80000000u;  // in indices_: a number in foreign_
  static constexpr HandleKey kNoHandle = ~HandleKey{0};

  const CommunicatorInfo& look_up(HandleKey comm);
  std::uint32_t& index_by_order(CommunicatorInfo&);
  std::uint32_t& index_by_descent(CommunicatorInfo&, const CommunicatorInfo* parent);
  CommunicatorInfo info_of(CommunicatorFacts facts);
  std::uint32_t members_number(std::vector<int> first, std::vector<int> second);

  ReadCommunicator read_ = nullptr;
  bool has_threads_ = false;
  std::uint64_t ambiguous_ = 0;
  static constexpr std::int64_t kOfNobody = -1;   // parents that are not known
  static constexpr std::int64_t kOfMembers = -2;  // and further down: intercommunicators by members
  std::map<std::int64_t, FreeSlots> children_;    // by parent
  HandleKey last_ = kNoHandle;
  const CommunicatorInfo* last_info_ = nullptr;
  HandleMap indices_;
  std::deque<CommunicatorInfo> infos_;    // by index
  std::deque<CommunicatorInfo> foreign_;  // those with members outside MPI_COMM_WORLD
  std::deque<Members> members_;
  std::unordered_multimap<std::size_t, std::uint32_t>
      members_by_hash_;  // looked up only, never iterated
};

}  // namespace reprise::recorder
