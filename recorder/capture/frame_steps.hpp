// SPDX-License-Identifier: MIT
// The way from each frame to its caller, read from the unwind tables once a return address and kept.
//
// Why     programs reach MPI on ever new paths through ever the same functions: of 20 frames of a new path the steps of all are known.
// Plain   steps that need no more than the stack pointer and the frame pointer, which is what compilers write for all but a few functions (those
//         that realign their stack, signal frames, code without tables). At one that needs more the walk ends, and libgcc's unwinder does it whole.
// Cost    a known step 5 to 10 ns, 24 bytes; a new one some 100 ns. Tables change when files are unloaded: clear() then.
// Source  the same idea as in perf's and framehop's caches of unwind rules.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "recorder/capture/call_path.hpp"
#include "recorder/capture/stack_memory.hpp"

namespace reprise::recorder {

class FrameSteps {
 public:
  // As unwind(), with the same result, along plain steps; false where there is another, or a word that cannot be read, and then `result` has the
  // frames up to there. Of those the last may be an address that no table has. May throw std::bad_alloc.
  bool walk(Frame wrapper, std::size_t limit, StackReading& stack, Unwound& result);
  void clear();  // gives its memory back

 private:
  enum class Kind : std::uint8_t { from_stack_pointer, from_frame_pointer, outermost, other };
  struct Step {
    std::uintptr_t address = 0;  // the return address; 0: a free place
    std::int32_t frame = 0;      // where the frame ends, from either pointer
    std::int32_t saved =
        0;  // where the caller's frame pointer lies, from there; 0: in its register
    Kind kind = Kind::other;
  };
  static constexpr std::size_t kFewest = 32, kMost = std::size_t{1} << 16;  // powers of two

  static Step read(std::uintptr_t address);
  const Step& step_at(std::uintptr_t address);
  std::size_t place_of(std::uintptr_t address) const {
    return (address * 0x9e3779b97f4a7c15u) >> 32U & (steps_.size() - 1);
  }
  void grow();

  std::vector<Step> steps_;
  std::size_t known_ = 0;
};

}  // namespace reprise::recorder
