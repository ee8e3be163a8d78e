// SPDX-License-Identifier: MIT
// Every enter and leave of functions, per thread, into a file of the rank ([002] RTC-Tracer): `--functions trace`.
//
// Begin   when the library is loaded, if REPRISE_FUNCTIONS says so: main is entered before MPI_Init. What does not fit into a block until
//         MPI_Init tells where the file is, is lost and counted.
// End     when the process exits, or a fatal signal or MPI_Abort ends it: then the last blocks are written. A process that is killed loses what is in no
//         block yet, at most 2^20 events a thread (2^18 where they are timed).
// Fork    a child is not recorded.
// Off     a hook returns after one load and one branch.
// Source  [002] RTC-Tracer; the coder: trace-io/calls/lz_coder.hpp; the correction by the stack pointer: shadow_stack.hpp.
#pragma once

#include <atomic>
#include <cstdint>

#include "recorder/calls/call_output.hpp"

namespace reprise::recorder {

extern std::atomic<bool> call_streams_on;
// The same of MPI calls: from MPI_Init on, whose rehearsals of the recorder's own cost are no calls of the program.
extern std::atomic<bool> mpi_calls_in_streams;
inline bool has_call_streams() noexcept { return call_streams_on.load(std::memory_order_relaxed); }

// REQUIRES: call_streams_on was true a moment ago. `key`: the address of the function, or below kMpiKeys an MPI procedure; `site`: where it
// returns to; `at`: where the hook returns to; `position`: of the hook's frame. From any thread and signal handler; never throw.
void enter_function(std::uintptr_t key, std::uintptr_t site, std::uintptr_t at,
                    std::uintptr_t position) noexcept;
void leave_function(std::uintptr_t key, std::uintptr_t site, std::uintptr_t at,
                    std::uintptr_t position) noexcept;

// After MPI_Init: the file is FOLDER/rank-N.calls; the folder is made. False where it cannot be, said on stderr.
bool begin_call_file(const char* folder, int rank, MpiName) noexcept;
// What was recorded until now is for nothing: MPI_Init did not begin a recording, or with other settings.
void drop_call_streams() noexcept;
// All blocks are written, and nothing follows. From signal handlers, too; once.
void end_call_streams() noexcept;

// Of one call of MPI.
class MpiCallInStream {
 public:
  // `is_of_program`: not made inside another call.
  MpiCallInStream(bool is_of_program, std::uint32_t id, const std::uintptr_t* frame) noexcept
      : key_(is_of_program && mpi_calls_in_streams.load(std::memory_order_relaxed) ? id + 1U : 0U),
        frame_(frame) {
    if (key_ != 0) [[unlikely]]
      enter_function(key_, frame[1], key_, position());
  }
  ~MpiCallInStream() {
    if (key_ != 0) [[unlikely]]
      leave_function(key_, frame_[1], key_, position());
  }
  MpiCallInStream(const MpiCallInStream&) = delete;
  MpiCallInStream& operator=(const MpiCallInStream&) = delete;

 private:
  // A little below the caller's hooks, which stand where the wrapper does.
  std::uintptr_t position() const noexcept { return reinterpret_cast<std::uintptr_t>(frame_) - 8; }
  std::uintptr_t key_;
  const std::uintptr_t* frame_;
};

}  // namespace reprise::recorder
