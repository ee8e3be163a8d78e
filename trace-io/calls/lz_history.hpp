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
//          sparse   as context; of symbols that repeat others only every 32nd is entered into the table. As small, and coded in
//                   less than half the time: what repeats is compared and stored, nothing else.
// Places   are numbers modulo 2^32. One that has become ambiguous after 2^32 symbols is so for both sides alike: it is compared with the
//          ring before it is used.
// Cost     append() and find(): constant, no allocation.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

namespace reprise::trace_io {

enum class LzForm : std::uint8_t { symbol = 1, context = 2, sparse = 3 };
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
        mask_((std::uint32_t{1} << window) - 1),
        is_sparse_(form == LzForm::sparse) {}

  // The symbol at a place that is not further back than the window.
  std::uint16_t at(std::uint32_t place) const noexcept { return ring_[place & mask_]; }

  // The next symbol, which repeats an earlier one.
  void append(std::uint16_t symbol) noexcept {
    ring_[next_ & mask_] = symbol;
    if (!is_sparse_ || next_ % kSparse == 0) enter(symbol);
    ++next_;
  }
  // Any other; then the place after an earlier one like this; 0 where there is none.
  std::uint32_t append_and_find(std::uint16_t symbol) noexcept {
    const std::uint32_t here = next_;
    ring_[here & mask_] = symbol;
    const auto [place, long_place] = enter(symbol);
    ++next_;
    if (last_long_ != nullptr && is_alike(long_place, here, kLongContext - 1) &&
        at(long_place) == symbol)
      return long_place + 1;
    return is_alike(place, here, kContext) && at(place) == symbol ? place + 1 : 0;
  }

  // Symbols from `from` on that may be compared with `expected` and, where they are the same, stored at `to`, in order and without
  // anything else; what was stored is then told with skip().
  struct Run {
    const std::uint16_t* expected = nullptr;
    std::uint16_t* to = nullptr;
    std::uint32_t size = 0;
  };
  Run run(std::uint32_t from) noexcept {
    if (!is_sparse_) return {};
    const std::uint32_t expected = from & mask_, to = next_ & mask_;
    // Up to the next one that is to be entered, which the end of the ring is as well.
    const std::uint32_t left = (kSparse - next_ % kSparse) % kSparse;
    return {ring_ + expected, ring_ + to, std::min(left, mask_ + 1 - expected)};
  }
  void skip(std::uint32_t symbols) noexcept { next_ += symbols; }

 private:
  static constexpr std::size_t kPlaces = 65536;
  static constexpr std::uint32_t kContext = 3, kLongContext = 8, kSparse = 32;
  static_assert((1U << kLeastWindow) % kSparse == 0);

  struct Places {
    std::uint32_t near = 0, far = 0;  // by the last 4 symbols (or this one), and by the last 8
  };
  // Enters the place of the symbol just stored into the tables; returns what was there.
  Places enter(std::uint16_t symbol) noexcept {
    if (last_long_ == nullptr) return {std::exchange(last_[symbol], next_), 0};
    const std::uint64_t newer = last_four(next_), older = last_four(next_ - 4);
    const std::uint64_t mixed = newer * 0x9e3779b97f4a7c15U;
    const std::uint64_t long_mixed = (mixed ^ older * 0xc2b2ae3d27d4eb4fU) * 0x165667b19e3779f9U;
    return {std::exchange(last_[mixed >> 48U], next_),
            std::exchange(last_long_[long_mixed >> 48U], next_)};
  }
  // The symbols up to a place, the newest in the low bits; in the form `sparse` in the high ones, as they lie in memory.
  std::uint64_t last_four(std::uint32_t place) const noexcept {
    std::uint64_t four = 0;
    const std::uint32_t first = (place - 3) & mask_;
    if (std::endian::native == std::endian::little && is_sparse_ && first + 3 <= mask_) {
      std::memcpy(&four, ring_ + first, sizeof four);
      return four;
    }
    for (std::uint32_t back = 0; back < 4; ++back)
      four |= std::uint64_t{at(place - back)} << 16 * (is_sparse_ ? 3 - back : back);
    return four;
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
  bool is_sparse_;
};

}  // namespace reprise::trace_io
