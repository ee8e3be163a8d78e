// SPDX-License-Identifier: MIT
// The tables of MPI handles of this process, and the lock around them.
#pragma once

#include <mutex>

#include "recorder/communicators.hpp"
#include "recorder/object_table.hpp"
#include "recorder/requests.hpp"

namespace reprise::recorder {

struct Handles {
  Communicators communicators;
  RequestTable requests;
  RequestTable messages;
  ObjectTable windows, files;
  bool shared = false;  // several threads may be in MPI at a time (MPI_THREAD_MULTIPLE)
  std::mutex mutex;
};

// Made on first use, never destroyed: calls may come while the process ends.
Handles& handles();

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
