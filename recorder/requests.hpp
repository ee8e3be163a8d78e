// SPDX-License-Identifier: MIT
// The requests (and, in a second table, the matched messages) that are alive: handle → slot and what the end of it must know.
//
// Slots   the smallest free number when the request was made; persistent requests keep theirs until they are freed.
// Equal handles  MPI libraries hand out one shared handle for operations that completed at once. Requests with equal handles are
//         told apart by where the program keeps them, else the oldest is meant: they are all complete, so either is true.
// Threads none: the caller holds the handle lock.
#pragma once

#include <cstdint>
#include <vector>

#include "recorder/free_slots.hpp"
#include "recorder/handle_map.hpp"

namespace reprise::recorder {

struct CommunicatorInfo;

struct Request {
  HandleKey handle = 0;
  const void* where = nullptr;  // the program's variable that received the handle
  const CommunicatorInfo* comm = nullptr;
  bool persistent = false;
  bool active = false;
  bool any_source = false, any_tag = false;
  bool cancelled = false;  // MPI_Cancel was called on it
  std::uint32_t next_alike =
      HandleMap::kAbsent;  // slot of the next request with an equal handle, older ones first
  std::uint64_t claim = 0;
};

class RequestTable {
 public:
  static constexpr std::uint32_t kUnknown = HandleMap::kAbsent;

  std::uint32_t add(const Request& request);
  void remove(std::uint32_t slot);
  Request& operator[](std::uint32_t slot) { return requests_[slot]; }

  // Starts the look-ups of one MPI call: within it no two handles mean the same request.
  void begin_claims() { ++claim_; }
  std::uint32_t claim(HandleKey handle, const void* where) {
    const std::uint32_t first = heads_.find(handle);
    if (first == kUnknown) return kUnknown;
    if (requests_[first].next_alike == kUnknown && requests_[first].claim != claim_) {
      requests_[first].claim = claim_;
      return first;
    }
    return claim_among_alike(first, where);
  }
  // The library gave a persistent request another handle while starting it.
  void rename(std::uint32_t slot, HandleKey handle);

 private:
  std::uint32_t claim_among_alike(std::uint32_t first, const void* where);
  void link(std::uint32_t slot);
  void unlink(std::uint32_t slot);

  HandleMap heads_;  // handle → slot of the oldest request with it
  FreeSlots slots_;
  std::vector<Request> requests_;  // by slot
  std::uint64_t claim_ = 0;
};

}  // namespace reprise::recorder
