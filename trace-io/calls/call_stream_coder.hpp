// SPDX-License-Identifier: MIT
// The stream of one thread as it is recorded: symbols in, blocks out. All memory is the caller's and is given once.
//
// Blocks  a block is to be written after kSymbolsPerBlock symbols, so that little is lost where a program is killed, or when its buffer is full.
//         It ends what was being repeated, and the history goes on: what follows is read after what was before.
// Cost    put(): constant. begin_block(): constant; finish_block(): a checksum of at most 64 KiB (and 256 KiB of times).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "trace-io/calls/call_block.hpp"
#include "trace-io/calls/call_time_code.hpp"
#include "trace-io/calls/lz_coder.hpp"

namespace reprise::trace_io {

struct CallStreamForm {
  LzForm form = LzForm::sparse;
  unsigned window = kDefaultWindow;
  bool is_timed = false;
};

class CallStreamCoder {
 public:
  static constexpr std::uint32_t kSymbolsPerBlock = 1U << 20U, kTimedPerBlock = 1U << 18U;
  static constexpr std::size_t kWordBytes = std::size_t{1} << 16U;
  static constexpr std::size_t memory_bytes(CallStreamForm form) {
    return LzHistory::memory_bytes(form.form, form.window) + kWordBytes +
           (form.is_timed ? kTimedPerBlock : 0);
  }

  // REQUIRES: memory of memory_bytes(), all zero, aligned to 8 bytes, which outlives this.
  CallStreamCoder(CallStreamForm form, std::span<std::byte> memory) noexcept
      : form_(form),
        history_(memory.first(LzHistory::memory_bytes(form.form, form.window))),
        words_(memory.subspan(history_.size(), kWordBytes)),
        times_(memory.subspan(history_.size() + kWordBytes)),
        encoder_(LzHistory(form.form, form.window, history_)),
        zeros_(words_),
        most_(form.is_timed ? kTimedPerBlock : kSymbolsPerBlock) {}

  // REQUIRES: not is_full(). `now`: ticks, not before those of the symbol before; any where it is not timed.
  [[gnu::always_inline]] void put(std::uint16_t symbol, std::uint64_t now) noexcept {
    if (form_.is_timed) put_time(now);
    if (!encoder_.repeat(symbol)) put_other(symbol);
  }
  // The block is to be finished before more is put.
  bool is_full() const noexcept { return is_full_; }
  bool is_empty() const noexcept { return count() == 0; }
  std::uint32_t count() const noexcept { return counted_ + encoder_.repeated(); }

  // The block up to now; its head lacks rank, thread and moments. What it refers to is there until begin_block().
  struct Block {
    CallBlockHead head;
    std::span<const std::byte> words, times;
  };
  Block finish_block() noexcept {
    const std::uint32_t symbols = count();
    encoder_.end_block(zeros_);
    counted_ = symbols;
    Block block;
    block.head.flags = static_cast<std::uint8_t>((is_fresh_ ? CallBlockHead::kRestart : 0) |
                                                 (form_.is_timed ? CallBlockHead::kTimed : 0));
    block.head.form = static_cast<std::uint8_t>(form_.form);
    block.head.window = static_cast<std::uint8_t>(form_.window);
    block.head.count = symbols;
    block.words = words_.first(zeros_.size());
    block.times = times_.first(form_.is_timed ? symbols : 0);
    block.head.bytes = static_cast<std::uint32_t>(block.words.size() + block.times.size());
    block.head.time_bytes = static_cast<std::uint32_t>(block.times.size());
    return block;
  }
  // After finish_block(), whose block was written.
  void begin_block() noexcept {
    is_fresh_ = false;
    zeros_.clear();
    counted_ = 0;
    is_full_ = false;
  }
  // The block up to now is given up; what follows is read without anything before. Cost: the memory is cleared.
  void restart() noexcept {
    for (std::byte& byte : history_) byte = std::byte{0};
    encoder_ = LzEncoder(LzHistory(form_.form, form_.window, history_));
    begin_block();
    is_fresh_ = true;
  }

 private:
  void put_time(std::uint64_t now) noexcept {
    const std::uint32_t at = count();
    if (at == 0) coded_ = now;
    const std::uint8_t code = code_of_interval(now > coded_ ? now - coded_ : 0);
    times_[at] = static_cast<std::byte>(code);
    coded_ += interval_of_code(code);
  }
  // The last symbol of a block comes here, too: what is repeated leaves room for it. Out of line, so that put() is a few instructions where it
  // is called.
  [[gnu::noinline]] void put_other(std::uint16_t symbol) noexcept {
    counted_ += encoder_.repeated() + 1;
    encoder_.put_other(symbol, counted_ < most_ ? most_ - counted_ - 1 : 0, zeros_);
    is_full_ = counted_ >= most_ || zeros_.is_full();
  }

  CallStreamForm form_;
  std::span<std::byte> history_, words_, times_;
  LzEncoder encoder_;
  ZeroEliminator zeros_;
  std::uint32_t most_;
  std::uint32_t counted_ = 0;  // of the block, without what the encoder has repeated since
  bool is_full_ = false;
  std::uint64_t coded_ = 0;  // ticks that the codes up to now add up to
  bool is_fresh_ = true;
};

}  // namespace reprise::trace_io
