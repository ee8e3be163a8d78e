// SPDX-License-Identifier: MIT
// The tables of MPI handles of this process, and the lock around them.
#pragma once

#include <mutex>

#include "recorder/communicators.hpp"
#include "recorder/object_table.hpp"
#include "recorder/requests.hpp"
#include "recorder/type_sizes.hpp"

namespace reprise::recorder {

struct Handles {
  Communicators communicators;
  RequestTable requests;
  RequestTable messages;
  ObjectTable windows, files;
  TypeSizes types;
  bool shared = false;  // several threads may be in MPI at a time (MPI_THREAD_MULTIPLE)
  std::mutex mutex;
};

// Made before recording begins, never destroyed: calls may come while the process ends.
void make_handles();
extern Handles* all_handles;
inline Handles& handles() { return *all_handles; }

// Locks only where threads can meet.
class HandlesLock {
 public:
  HandlesLock() {
    if (handles().shared) handles().mutex.lock();
  }
  ~HandlesLock() {
    if (handles().shared) handles().mutex.unlock();
  }
  HandlesLock(const HandlesLock&) = delete;
  HandlesLock& operator=(const HandlesLock&) = delete;
};

}  // namespace reprise::recorder
