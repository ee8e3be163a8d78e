// SPDX-License-Identifier: MIT
// The call path that led to an MPI call: unwinding, and recognising a path that was unwound before.
//
// Unwinding  libgcc's unwinder over the programs' own unwind tables, linked statically and hidden: about 0.3–1 µs a frame.
// Remembered a path keeps where on the stack its return addresses lie (and its frame pointers, where a frame is found
//            through them). The same return address at the same stack position, with the same words at all these
//            places, is the same path: 1 ns a word. A frame whose pointer could not be located is never remembered.
// Source     call-path recognition by comparing return addresses in place: as in hpctoolkit's and Score-P's caches of
//            the last unwinding, here with one entry per (return address, stack position).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace reprise::recorder {

// The frame of an exported wrapper, as __builtin_frame_address(0) gives it there: on x86-64 word 0 is the caller's frame
// pointer, word 1 the return address, and the caller's stack begins at word 2.
using Frame = const std::uintptr_t*;
inline std::uintptr_t return_address(Frame frame) { return frame[1]; }
inline std::uintptr_t stack_position(Frame frame) {
  return reinterpret_cast<std::uintptr_t>(frame + 2);
}

struct StackWord {
  const std::uintptr_t* where;
  std::uintptr_t value;
};

struct Unwound {
  static constexpr std::size_t kMaxFrames = 80;

  std::array<std::uintptr_t, kMaxFrames>
      addresses;  // return addresses, innermost (the caller of MPI) first
  std::size_t frames = 0;
  bool reached_end = false;                     // the outermost frame is among them
  std::array<StackWord, 2 * kMaxFrames> words;  // what to compare
  std::size_t word_count = 0;
  bool can_be_remembered = true;
};

// At most `limit` frames above the wrapper. REQUIRES: called from within that wrapper's call; limit ≤ kMaxFrames.
void unwind(Frame wrapper, std::size_t limit, Unwound& result) noexcept;

}  // namespace reprise::recorder
