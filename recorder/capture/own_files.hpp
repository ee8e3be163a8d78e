// SPDX-License-Identifier: MIT
// Files that a thread writes or reads by itself, outside MPI: checkpoints by write() and fsync(), input by read(). Compute times have the time.
//
// Blocks   by getrusage's block counts, of 512 bytes each: pages of files that became dirty, and what was read from a device or a file server. Neither sockets
//          nor pipes, files in memory (tmpfs), pages rewritten before they were written back, or reads that the page cache serves.
// Outside  what is counted where the thread enters a call after computing for 0.1 ms or more, since it was last looked: after such a call, or
//          after any of MPI's on files. What shorter calls do to files is little.
// Cost     none of its own: FirstTouches looks at the same moments. A system call, 0.2 to 1 µs, for a short call on files.
// Threads  of one thread; bytes() of any.
#pragma once

#include <algorithm>
#include <cstdint>

#include "recorder/capture/owned_sum.hpp"

namespace reprise::recorder {

// What the kernel counts for a thread.
struct KernelUse {
  std::int64_t pages = 0, blocks = 0;  // first touches; blocks of files
  static KernelUse of_thread() noexcept;
};

class OwnFiles {
 public:
  static constexpr std::uint64_t kBlock = 512;  // bytes

  // Up to so many blocks: those of a call, or before the program's own time.
  void after_call(std::int64_t blocks) noexcept { looked_ = std::max(looked_, blocks); }
  // Those since then are the program's own.
  void after_computing(std::int64_t blocks) noexcept {
    if (blocks > looked_) add_owned(own_, static_cast<std::uint64_t>(blocks - looked_));
    after_call(blocks);
  }
  std::uint64_t bytes() const noexcept { return read_shared(own_) * kBlock; }

 private:
  std::int64_t looked_ = 0;
  std::uint64_t own_ = 0;  // blocks
};

}  // namespace reprise::recorder
