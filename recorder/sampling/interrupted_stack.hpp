// SPDX-License-Identifier: MIT
// The call path of a thread that a signal has interrupted between any two instructions.
//
// Safe     from a signal handler: no lock, no allocation; memory is read only within the bounds of the stack, and code only of modules
//          that unwind tables tell of. A table that is wrong ends the walk, or adds a wrong frame; it never faults.
// Assembly a function that no table knows (hand-written kernels) is left by the first word on the stack that is a return address, one that stands
//          behind a call instruction of a function that a table knows.
// Elsewhere  where the stack pointer is not in the thread's own stack (coroutines, alternate stacks) the function alone is told.
#pragma once

#include <ucontext.h>

#include <cstddef>
#include <cstdint>
#include <span>

namespace reprise::recorder {

struct StackBounds {
  std::uintptr_t low = 0, high = 0;  // addresses of the thread's stack; both 0: not known
};
// Of the calling thread. Allocates, reads /proc: not for signal handlers.
StackBounds stack_of_this_thread() noexcept;

struct InterruptedPath {
  std::size_t frames = 0;    // addresses that were filled in
  bool reached_end = false;  // the outermost frame is among them
};

// Innermost first: the first byte of the interrupted function, plus one, then return addresses. Where no table knows that function, the address
// itself, plus one. At least one where TO has room.
InterruptedPath walk_interrupted(const ucontext_t&, StackBounds,
                                 std::span<std::uintptr_t> to) noexcept;

}  // namespace reprise::recorder
