// SPDX-License-Identifier: MIT
// The tables of MPI handles of this process, and the lock around them.
#pragma once

#include <memory>
#include <mutex>

#include "recorder/capture/communicators.hpp"
#include "recorder/capture/handle_tables.hpp"
#include "recorder/capture/message_sampler.hpp"

namespace reprise::recorder {

struct Handles {
  Communicators communicators;
  RequestTable requests;
  RequestTable messages;
  ObjectTable windows, files;
  TypeSizes types;
  std::uint64_t scattered_buffers = 0;      // of derived datatypes, in all calls
  std::unique_ptr<MessageSampler> sampler;  // null: no messages are sampled
  bool shared = false;  // several threads may be in MPI at a time (MPI_THREAD_MULTIPLE)
  std::mutex mutex;
};

// Made before recording begins, never destroyed: calls may come while the process ends.
inline constinit Handles* all_handles = nullptr;
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
