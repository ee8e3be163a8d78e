// SPDX-License-Identifier: MIT
// What the coder of call streams and its decoder know of the symbols before: the last ones, and where each was last followed by others.
//
// Symbols  2-byte numbers of functions as they are entered, 0 for any leave.
// Window   the last 2^window symbols in a ring, and a table of 65536 places: all memory is asked for once, so a stream of any length
//          is coded in the same memory. A place further back than the window counts as none.
// Forms    symbol   [002] RTC-Tracer: the place looked up is where this symbol was last, and the 3 symbols before must be alike.
//          context  the place is where the same 8 symbols, this one included, were last; where there is none, the same 4.
//                   Measured better (docs/RESULTS.md, "Call streams"), because a function that is called from several places is
//                   found where it was called from the same one.
// Places   are numbers modulo 2^32. One that has become ambiguous after 2^32 symbols is so for both sides alike: it is compared with the
//          ring before it is used.
// Cost     append() and find(): constant, no allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace reprise::trace_io {

enum class LzForm : std::uint8_t { symbol = 1, context = 2 };
inline constexpr unsigned kLeastWindow = 8, kMostWindow = 24;  // as powers of two
inline constexpr unsigned kDefaultWindow = 18;

class LzHistory {
 public:
  // Of the memory that the constructor takes.
  static constexpr std::size_t memory_bytes(LzForm form, unsigned window) {
    return (std::size_t{2} << window) +
           kPlaces * sizeof(std::uint32_t) * (form == LzForm::symbol ? 1 : 2);
  }
  // REQUIRES: memory of memory_bytes(), all zero, aligned to 4 bytes, which outlives this; window from kLeastWindow to kMostWindow.
  LzHistory(LzForm form, unsigned window, std::span<std::byte> memory) noexcept
      : last_(reinterpret_cast<std::uint32_t*>(memory.data())),
        last_long_(form == LzForm::symbol ? nullptr : last_ + kPlaces),
        ring_(reinterpret_cast<std::uint16_t*>(memory.data() + memory_bytes(form, window) -
                                               (std::size_t{2} << window))),
        mask_((std::uint32_t{1} << window) - 1) {}

  // The symbol at a place that is not further back than the window.
  std::uint16_t at(std::uint32_t place) const noexcept { return ring_[place & mask_]; }

  void append(std::uint16_t symbol) noexcept {
    step(symbol);
    last_[slot_] = next_;
    if (last_long_ != nullptr) last_long_[long_slot_] = next_;
    ring_[next_ & mask_] = symbol;
    ++next_;
  }
  // As append(), and then the place after an earlier one like this; 0 where there is none.
  std::uint32_t append_and_find(std::uint16_t symbol) noexcept {
    step(symbol);
    const std::uint32_t place = last_[slot_], here = next_;
    std::uint32_t found = 0;
    if (last_long_ != nullptr) {
      const std::uint32_t long_place = last_long_[long_slot_];
      if (is_alike(long_place, here, kLongContext - 1) && at(long_place) == symbol)
        found = long_place + 1;
      last_long_[long_slot_] = here;
    }
    if (found == 0 && is_alike(place, here, kContext) && at(place) == symbol) found = place + 1;
    last_[slot_] = here;
    ring_[here & mask_] = symbol;
    ++next_;
    return found;
  }

 private:
  static constexpr std::size_t kPlaces = 65536;
  static constexpr std::uint32_t kContext = 3, kLongContext = 8;

  void step(std::uint16_t symbol) noexcept {
    if (last_long_ == nullptr) {
      slot_ = symbol;
      return;
    }
    older_ = older_ << 16U | newer_ >> 48U;
    newer_ = newer_ << 16U | symbol;
    const std::uint64_t mixed = newer_ * 0x9e3779b97f4a7c15U;
    slot_ = static_cast<std::uint32_t>(mixed >> 48U);
    long_slot_ = static_cast<std::uint32_t>(
        (mixed ^ older_ * 0xc2b2ae3d27d4eb4fU) * 0x165667b19e3779f9U >> 48U);
  }
  // Whether so many symbols before both places are the same ones.
  bool is_alike(std::uint32_t place, std::uint32_t here, std::uint32_t count) const noexcept {
    if (place == 0 || here - place > mask_ - kLongContext) return false;
    for (std::uint32_t back = 1; back <= count; ++back)
      if (at(place - back) != at(here - back)) return false;
    return true;
  }

  std::uint32_t *last_, *last_long_;  // the latter null in the form `symbol`
  std::uint16_t* ring_;
  std::uint32_t mask_;
  std::uint32_t next_ = kLongContext;  // as if that many leaves had been before; 0 is no place
  std::uint32_t slot_ = 0, long_slot_ = 0;
  std::uint64_t newer_ = 0, older_ = 0;  // the last 8 symbols
};

}  // namespace reprise::trace_io
