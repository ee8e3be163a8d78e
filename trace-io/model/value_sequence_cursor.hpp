// SPDX-License-Identifier: MIT
// Reads a ValueSequence from its start. Included by value_sequence.hpp.
//
// Cost    next: O(1) amortised. skip: O(1) inside a run, else O(terms). No heap unless loops nest deeper than kInline.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "trace-io/model/value_sequence.hpp"

namespace reprise::trace_io {

class ValueSequence::Cursor {
 public:
  struct Run {
    std::int64_t start, stride;
    std::uint64_t count;
  };

  Cursor() = default;  // at the end of nothing
  explicit Cursor(const ValueSequence&);

  bool at_end() const { return remaining_ == 0; }
  std::uint64_t remaining() const { return remaining_; }
  std::int64_t next() {  // REQUIRES: !at_end()
    if (left_ == 0) step();
    const std::int64_t value = next_;
    next_ = advanced(next_, stride_);
    --left_;
    --remaining_;
    return value;
  }
  void skip(std::uint64_t values);  // REQUIRES: values ≤ remaining()
  // So many of the values from here on are known to repeat with the period: each equals the one `period` before it, for as
  // long as both are among them. A lower bound, found in the folded form. Cost: O(terms).
  std::uint64_t repeats(std::uint64_t period);
  Run run();  // the rest of the current run; does not move. REQUIRES: !at_end()

 private:
  struct Frame {
    std::uint64_t left;  // iterations after this one
    std::uint64_t
        offset;  // what the loops so far add to a run's values in the current iterations, modulo 2⁶⁴
    std::uint32_t loop;
  };
  static constexpr std::size_t kInline = 2;
  Frame& frame(std::size_t depth) {
    return depth < kInline ? inline_[depth] : deeper_[depth - kInline];
  }
  std::uint64_t offset() { return depth_ > 0 ? frame(depth_ - 1).offset : 0; }
  void push(Frame);
  void step();
  void enter(std::uint32_t node);  // the run at it, or the first run in the loop at it
  void load_open_run();
  void seek(std::uint64_t position);

  const ValueSequence* sequence_ = nullptr;
  std::int64_t next_ = 0, stride_ = 0;
  std::uint64_t left_ = 0, remaining_ = 0;
  std::uint32_t at_ = 0, depth_ = 0;  // at_: the node after the current run
  std::array<Frame, kInline> inline_{};
  std::vector<Frame> deeper_;
};

}  // namespace reprise::trace_io
