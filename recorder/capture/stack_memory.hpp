// SPDX-License-Identifier: MIT
// What can be read of the stack that holds a frame: a walk to its callers must not fault, wherever tables or words lead it.
//
// Own      the thread's own stack, whose end is known, and where all above a frame can be read.
// Foreign  any other: coroutines, switched stacks. Where it ends nobody knows, and what its outermost frame has as its return address is anything.
//          There each page is asked for before it is read: rt_sigprocmask() copies from the address before it looks at what it shall do, which
//          is nothing that exists, so it answers EFAULT or EINVAL. Works in any sandbox; the same trick as in abseil and libunwind.
// Cost     own: a comparison a word. Foreign: a system call a page and walk, some 0.1 µs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "recorder/sampling/interrupted_stack.hpp"

namespace reprise::recorder {

// The calling thread's own stack. Cost: the first time that of stack_of_this_thread(), then none.
StackBounds bounds_of_own_stack() noexcept;
// Whether the page of this address can be read. Keeps errno.
bool is_readable(std::uintptr_t address) noexcept;
// Whether all up to so many bytes above the address can. The page of what lies right below it is known to be.
bool is_readable_above(std::uintptr_t address, std::size_t bytes) noexcept;

// Of a walk to the callers of a frame.
class StackReading {
 public:
  static constexpr std::uintptr_t kPage = 4096;  // what mappings are multiples of on x86-64

  // POSITION: where the stack of the wrapper's caller begins. The two words below it are the wrapper's own.
  StackReading(const StackBounds& own, std::uintptr_t position)
      : low_(position - kOfWrapper),
        high_(position >= own.low && position < own.high ? own.high : 0),
        page_((position - kOfWrapper) / kPage) {}

  bool is_own() const { return high_ != 0; }
  bool can_read(const std::uintptr_t* word) {
    const auto at = reinterpret_cast<std::uintptr_t>(word);
    if (at < low_ || at % sizeof at != 0) return false;
    if (is_own()) return at < high_;
    if (at / kPage == page_) return true;
    if (!is_readable(at)) return false;
    page_ = at / kPage;
    return true;
  }

 private:
  static constexpr std::uintptr_t kOfWrapper = 2 * sizeof(std::uintptr_t);

  std::uintptr_t low_, high_;
  std::uintptr_t page_;  // the number of the one that was read last
};

}  // namespace reprise::recorder
