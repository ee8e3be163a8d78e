// SPDX-License-Identifier: MIT
// Symbols to words and back ([002], "LZ"): where what follows an earlier place repeats itself, how often it does so is all that is kept.
//
// Words   a symbol; where the history knows an earlier place like this one, then a count of the symbols after it that were the same
//         as those after that place (perhaps 0); and so on. At the end of a block the count is written, and the next block begins with a symbol.
// Limit   a count is at most 65535: then the next word is a symbol again.
// Cost    constant a symbol; in the form `sparse` a comparison and a store while something repeats.
#pragma once

#include <algorithm>
#include <cstdint>

#include "trace-io/calls/lz_history.hpp"
#include "trace-io/calls/zero_elimination.hpp"

namespace reprise::trace_io {

class LzEncoder {
 public:
  static constexpr std::uint16_t kMostCopied = 65535;

  explicit LzEncoder(LzHistory history) noexcept : history_(history) {}

  // Whether the symbol goes on with what is being repeated and needs no word now; else it is to be put_other().
  bool repeat(std::uint16_t symbol) noexcept {
    if (done_ >= run_.size || run_.expected[done_] != symbol) return false;
    run_.to[done_++] = symbol;
    return true;
  }
  // How many symbols were repeat()ed since the last of put_other() and end_block().
  std::uint32_t repeated() const noexcept { return done_; }
  // Any symbol. At most two words are put. At most so many are repeat()ed next.
  void put_other(std::uint16_t symbol, std::uint32_t most, ZeroEliminator& to) noexcept {
    end_run();
    if (from_ != 0 && count_ < kMostCopied && history_.at(from_ + count_) == symbol) {
      ++count_;
      history_.append(symbol);
    } else {
      if (from_ != 0) to.put(count_);
      to.put(symbol);
      from_ = history_.append_and_find(symbol);
      count_ = 0;
    }
    if (from_ == 0) return;
    run_ = history_.run(from_ + count_);
    run_.size = std::min({run_.size, most, std::uint32_t{kMostCopied} - count_});
  }
  // Either of the two.
  void put(std::uint16_t symbol, ZeroEliminator& to) noexcept {
    if (!repeat(symbol)) put_other(symbol, kMostCopied, to);
  }
  // What is put then can be read without what follows. At most one word.
  void end_block(ZeroEliminator& to) noexcept {
    end_run();
    if (from_ != 0) to.put(count_);
    from_ = 0;
    to.end_group();
  }

 private:
  void end_run() noexcept {
    history_.skip(done_);
    count_ = static_cast<std::uint16_t>(count_ + done_);
    done_ = run_.size = 0;
  }

  std::uint32_t done_ = 0;   // of the run
  LzHistory::Run run_;       // of what is being repeated
  std::uint32_t from_ = 0;   // what is being repeated; 0: nothing
  std::uint16_t count_ = 0;  // of it, without the run
  LzHistory history_;
};

class LzDecoder {
 public:
  explicit LzDecoder(LzHistory history) noexcept : history_(history) {}

  // The next symbol of a block; none where the words end. REQUIRES: the same words as they were put.
  std::optional<std::uint16_t> next(ZeroRestorer& from) noexcept {
    if (has_count_) {
      const auto count = from.next();
      if (!count) return std::nullopt;
      left_ = *count;
      has_count_ = false;
    }
    if (left_ > 0) {
      const std::uint16_t symbol = history_.at(from_++);
      --left_;
      history_.append(symbol);
      return symbol;
    }
    const auto symbol = from.next();
    if (!symbol) return std::nullopt;
    from_ = history_.append_and_find(*symbol);
    has_count_ = from_ != 0;
    return symbol;
  }
  // After the last symbol of a block: reads the count that may be left. False where the block has more than that.
  bool end_block(ZeroRestorer& from) noexcept {
    if (left_ > 0) return false;
    if (has_count_ && from.next().value_or(1) != 0) return false;
    has_count_ = false;
    return from.at_end();
  }

 private:
  LzHistory history_;
  std::uint32_t from_ = 0, left_ = 0;
  bool has_count_ = false;
};

}  // namespace reprise::trace_io
