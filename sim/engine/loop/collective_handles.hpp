// SPDX-License-Identifier: MIT
// Windows (and, in a second table, files): which ranks' slots are one object, and the place where its members meet.
//
// One object  is what the members of a communicator make by the same collective call: their k-th on it (MPI 3.1 §5.12).
// Collectives on the object are told apart from those on its communicator: its view has a context of its own.
// Cost        O(log objects being made) to open, O(log the rank's slots in use) to find. Numbers and contexts of objects that all have closed are used again.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <vector>

#include "sim/engine/loop/communicators.hpp"

namespace reprise::sim {

// One rank's side of an object.
struct LocalHandle {
  bool is_open = false;
  std::uint32_t object = 0;
  CommunicatorView view;  // its members
};

class CollectiveHandles {
 public:
  // Contexts are `first_context`, + `stride`, …
  CollectiveHandles(std::int32_t ranks, std::uint32_t first_context, std::uint32_t stride)
      : first_context_(first_context), stride_(stride), sides_(static_cast<std::size_t>(ranks)) {}

  // The rank is about to enter the collective on `comm` that makes the object. Null where its slot is in use, or below 0.
  // Pointers stay valid.
  LocalHandle* open(std::int32_t rank, std::int64_t slot, const CommunicatorView& comm);
  LocalHandle* find(std::int32_t rank, std::int64_t slot);  // null where it is not open
  // The rank has entered the collective that frees it.
  void close(LocalHandle&);

  // The rank's slot of an object that it has open.
  std::optional<std::int64_t> slot_of(std::int32_t rank, std::uint32_t object) const;
  // How often the object has been made, by number: tells it from one that had the number before.
  std::uint32_t generation(std::uint32_t object) const { return objects_[object].generation; }
  // How many collectives the rank has entered in a context of these; nothing for another context.
  std::optional<std::uint32_t> entered(std::int32_t rank, std::uint32_t context) const;

 private:
  struct Object {
    std::int32_t joined = 0, left = 0;
    std::uint32_t entered = 0;  // collectives in the context before it was made
    std::uint32_t generation = 0;
  };
  using Making = std::tuple<std::uint32_t, std::uint32_t,
                            std::int32_t>;  // context, sequence, rank (of MPI_COMM_SELF, else 0)

  const std::uint32_t first_context_, stride_;
  std::vector<std::map<std::int64_t, LocalHandle>> sides_;  // by rank, by slot
  std::vector<Object> objects_;
  std::vector<std::uint32_t> unused_;
  std::map<Making, std::uint32_t> being_made_;
};

}  // namespace reprise::sim
