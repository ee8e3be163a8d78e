// SPDX-License-Identifier: MIT
// Asking for memory before it is needed.
#pragma once

namespace reprise {

// Asks the processor to have a cache line soon. Changes nothing else, whatever stands there.
// GCC 12 takes a function that does nothing but __builtin_prefetch for one without effects, and leaves out calls of it; the empty assembly is one.
inline void prefetch(const void* line) {
  __builtin_prefetch(line);
  __asm__ volatile("" : : "r"(line));
}

}  // namespace reprise
