// SPDX-License-Identifier: MIT
// The functions that a thread is in, as the hooks told, corrected by the stack pointer: who left by longjmp or an exception has told nobody.
//
// Positions  a hook's own frame lies right below the frame of the function that calls it, and stacks grow downwards: what is called later lies
//            lower. A function of the stack that lies lower than the one whose hook runs has left ([002]: "pop while saved SP < current SP").
// Equal      functions that were inlined share a frame, with the same return address. Others of the same position have left: another return address,
//            or the same hook call once more.
// Tail call  a function's last act may be a jump to the leave hook, whose return address then is the function's own: its frame is gone, and it is the
//            outermost of those below.
// Elsewhere  signal handlers on a stack of their own, and coroutines: a position outside the thread's stack corrects nothing; back in it, those
//            outside have left.
// Limit      a function that left unseen and whose frame ends higher than that of the one called next from the same place is taken for its caller, until
//            something higher runs: a hook knows where its caller's frame ends, not where it begins ([002] has the same limit).
// Depth      beyond kMost functions are counted, not kept: they are entered and left in the stream all the same.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace reprise::recorder {

struct Entered {
  std::uintptr_t position;  // of the hook's frame
  std::uintptr_t site;      // return address of the function
  std::uintptr_t at;        // return address of the hook
  std::uint16_t number;
};

struct OwnStack {
  std::uintptr_t low = 0, high = ~std::uintptr_t{0};
  bool has(std::uintptr_t position) const noexcept { return position >= low && position < high; }
};

class ShadowStack {
 public:
  // The room outlives this; at least one entry.
  ShadowStack(std::span<Entered> room, OwnStack own) noexcept : room_(room), own_(own) {}

  std::uint64_t corrected() const noexcept { return corrected_; }  // leaves that no hook told
  std::uint64_t unmatched() const noexcept {
    return unmatched_;
  }  // leaves of functions that were never entered
  std::size_t depth() const noexcept { return depth_ + beyond_; }

  // Calls leave() for each function that has left before, for the stream.
  template <class Leave>
  void enter(const Entered& entered, const Leave& leave) noexcept {
    if (depth_ > 0 && room_[depth_ - 1].position <= entered.position) [[unlikely]]
      drop_before(entered, leave);
    if (depth_ == room_.size()) {
      ++beyond_;
      return;
    }
    room_[depth_++] = entered;
  }
  template <class Leave>
  void leave(const Entered& left, const Leave& leave) noexcept {
    if (beyond_ > 0) {
      --beyond_;
      return leave();
    }
    if (depth_ > 0 && room_[depth_ - 1].number == left.number &&
        room_[depth_ - 1].position >= left.position) [[likely]] {
      --depth_;
      return leave();
    }
    leave_after_others(left, leave);
  }

 private:
  template <class Leave>
  void pop(const Leave& leave) noexcept {
    --depth_;
    leave();
  }
  template <class Leave>
  void correct(const Leave& leave) noexcept {
    ++corrected_;
    pop(leave);
  }
  // What lies below POSITION, or on another stack, has left.
  template <class Leave>
  void drop_below(std::uintptr_t position, const Leave& leave) noexcept {
    if (!own_.has(position)) return;
    if (beyond_ > 0) {
      for (; beyond_ > 0; --beyond_) {
        ++corrected_;
        leave();
      }
    }
    while (depth_ > 0 &&
           (room_[depth_ - 1].position < position || !own_.has(room_[depth_ - 1].position)))
      correct(leave);
  }
  template <class Leave>
  void drop_before(const Entered& entered, const Leave& leave) noexcept {
    drop_below(entered.position, leave);
    std::size_t same = depth_;  // from here on they have the same position
    while (same > 0 && room_[same - 1].position == entered.position) --same;
    for (std::size_t i = same; i < depth_; ++i) {
      if (room_[i].site == entered.site && room_[i].at != entered.at) continue;
      while (depth_ > i) correct(leave);
    }
  }
  template <class Leave>
  void leave_after_others(const Entered& left, const Leave& leave) noexcept {
    if (left.at == left.site) {  // a tail call
      std::size_t outer = depth_;
      while (outer > 0 && room_[outer - 1].position < left.position) --outer;
      if (outer == depth_) {
        ++unmatched_;
        return;
      }
      while (depth_ > outer + 1) correct(leave);
      return pop(leave);
    }
    drop_below(left.position, leave);
    std::size_t at = depth_;
    while (at > 0 && room_[at - 1].position == left.position && room_[at - 1].number != left.number)
      --at;
    if (at == 0 || room_[at - 1].number != left.number || room_[at - 1].position < left.position) {
      ++unmatched_;
      return;
    }
    while (depth_ > at) correct(leave);
    pop(leave);
  }

  std::span<Entered> room_;
  OwnStack own_;
  std::size_t depth_ = 0;
  std::uint64_t beyond_ = 0, corrected_ = 0, unmatched_ = 0;
};

}  // namespace reprise::recorder
