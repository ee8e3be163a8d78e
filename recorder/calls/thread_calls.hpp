// SPDX-License-Identifier: MIT
// What a thread's call stream is made of while it runs: where its stack is, the functions that it is in, the coder, one block.
//
// Guard   `busy` is the position of the hook that works on it, 0 outside. A hook of a signal handler that comes in between is counted and skipped. One
//         that finds a position below its own on the thread's stack knows that the hook before was left by siglongjmp: its block is given up.
// Memory  one mapping, of a size that depends on the settings alone; touched where it is used.
#pragma once

#include <atomic>
#include <cstdint>

#include "recorder/calls/shadow_stack.hpp"
#include "trace-io/calls/call_stream_coder.hpp"

namespace reprise::recorder {

class ThreadCalls {
 public:
  static constexpr std::size_t kDepth = 65536;  // functions that are in each other

  // Null where there is no memory. REQUIRES: called by the thread itself.
  static ThreadCalls* make(trace_io::CallStreamForm, std::uint32_t number) noexcept;
  static void remove(ThreadCalls*) noexcept;

  std::atomic<std::uintptr_t> busy{0};
  std::atomic<std::uint64_t> skipped{0};  // events of handlers that interrupted a hook
  const std::uint32_t number;
  const std::size_t mapped;  // bytes
  const OwnStack own;
  ShadowStack stack;
  trace_io::CallStreamCoder coder;
  std::uint64_t lost = 0;      // events that are in no block, since the last one was written
  std::uint64_t all_lost = 0;  // of the whole stream
  std::uint64_t begin_ns = 0, begin_ticks = 0, last_ticks = 0;  // of the block

 private:
  ThreadCalls(trace_io::CallStreamForm, std::uint32_t number, OwnStack, std::span<Entered>,
              std::span<std::byte>) noexcept;
};

// Of the calling thread, without an allocation; all of memory where it cannot be told.
OwnStack own_stack() noexcept;

}  // namespace reprise::recorder
