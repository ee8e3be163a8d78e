// SPDX-License-Identifier: MIT
// A sequence of integers folded as it grows: runs of constant stride, and loops over runs, nested. The values of a loop's body may
// all shift by a constant from one iteration to the next: 0 0 0 0 1 1 1 1 2 2 2 2 … is two terms however long it is.
//
// What for  the values that one field of one call site takes over a run: constant, affine in the iterations of the loops around
//           it, periodic, or nested combinations of these. Lossless whatever the values are.
// Cost      append: O(1) amortised (the next value is predicted from the loop being repeated; a search over at most
//           kWindow terms happens only where the prediction fails). Memory: the folded form; a constant or a single run
//           needs no heap.
// Canonical equal value sequences that were built by append(value) alone have equal terms. Equality is that of the values.
// How       see value_sequence_parts.hpp.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "trace-io/base/integers.hpp"

namespace reprise::trace_io {

class ValueSequence {
 public:
  // The folded form, flat, in pre-order. A run: start, start+stride, …, `count` values. A loop: the `body_terms` terms
  // that follow it (nested loops and their bodies counted) repeated `count` times, every value greater by `stride` than in the
  // iteration before.
  struct Term {
    bool is_loop = false;
    std::int64_t start = 0,
                 stride =
                     0;  // run (a run of one value has stride 0); loop: start 0, stride the shift
    std::uint64_t count = 0;       // run: values; loop: iterations, at least 2
    std::uint32_t body_terms = 0;  // loop
    friend bool operator==(const Term&, const Term&) = default;
  };

  ValueSequence() = default;
  ValueSequence(const ValueSequence&);
  ValueSequence(ValueSequence&& other) noexcept { swap(other); }
  ValueSequence& operator=(const ValueSequence&);
  ValueSequence& operator=(ValueSequence&& other) noexcept {
    ValueSequence moved(std::move(other));
    swap(moved);
    return *this;
  }
  ~ValueSequence() = default;
  void swap(ValueSequence&) noexcept;

  // start, start + stride, … REQUIRES: a run that well_formed() has nothing against.
  static ValueSequence of_run(std::int64_t start, std::int64_t stride, std::uint64_t count);
  // The sequence that the terms stand for. REQUIRES: terms are well formed (see well_formed()). `grown`: they are those of a sequence that is_grown().
  static ValueSequence from_terms(std::span<const Term>, bool grown = false);
  // Whether terms nest properly, with counts ≥ 1 (loops ≥ 2), nesting ≤ kMaxDepth, a total that fits 63 bits and no value
  // that overflows. For readers of untrusted input.
  static bool well_formed(std::span<const Term>);
  static constexpr int kMaxDepth = 64;
  static constexpr std::size_t kWindow = 256;

  void append(std::int64_t value) {
    if (value != next_) return append_unpredicted(value);
    next_ = advanced(next_, stride_);
    if (++count_ == limit_) finish_run();
  }
  void append_run(std::int64_t start, std::int64_t stride, std::uint64_t count);
  void append(const ValueSequence& tail);  // cost: O(terms of tail) amortised, never unrolled

  std::uint64_t size() const;
  bool empty() const { return size() == 0; }
  bool is_constant() const;    // true for one distinct value; REQUIRES: !empty()
  std::int64_t front() const;  // REQUIRES: !empty()
  std::int64_t sum() const;    // of all values, wrapping; O(terms)
  std::vector<Term> terms() const;
  // The one run that all values are; none where they are not, or where there are no values. Cost: O(1).
  std::optional<Term> only_run() const {
    if (folded_ || count_ == 0) return std::nullopt;
    return Term{false, run_start(), count_ == 1 ? 0 : stride_, count_, 0};
  }
  std::vector<std::int64_t> unrolled() const;  // for callers that know them to be few
  std::size_t term_count() const;
  // Whether so many terms came about, but for those of a loop that is being followed. Cost: O(1).
  bool has_terms(std::size_t at_least) const;
  // Whether append(value) would be one comparison and an addition.
  bool foresees(std::int64_t value) const { return value == next_; }
  // A copy that goes on as this one does, and stays is_grown(). Other copies take a third to a half of its memory, and what is appended to one
  // makes it look at all of its terms first.
  ValueSequence copy_to_append() const;
  // Whether its terms are known to be those that append(value) alone makes of its values; true of a run.
  bool is_grown() const;
  std::uint64_t hash() const;  // equal sequences have equal hashes, on every machine
  // May answer false for equal values in unlike terms whose comparison would need more than kEqualityWork steps; sequences
  // built by append(value) alone never need any.
  friend bool operator==(const ValueSequence&, const ValueSequence&);
  static constexpr std::uint64_t kEqualityWork = 1 << 22;

  // Whether this is a prefix of the other. May answer false for a true prefix whose check would need unrolling more than
  // kPrefixWork values.
  bool is_prefix_of(const ValueSequence& longer) const;
  static constexpr std::uint64_t kPrefixWork = 1 << 14;

  // f applied to every value, none where a run too long to be unrolled (> kPrefixWork) would have to be.
  // f: int64 → int64. Runs of stride 0 are mapped as a whole.
  template <class F>
  std::optional<ValueSequence> mapped(F f) const;

  // Reads the values in order without unrolling. The sequence must outlive the cursor and not change meanwhile.
  class Cursor;

 private:
  struct Folded;  // what does not fit a single run
  struct Snapshot;
  struct Destroy {
    void operator()(Folded*) const noexcept;
  };
  // Half of the range: a constant run never reaches it.
  static constexpr std::uint64_t kEndless = std::uint64_t{1} << 63;

  std::int64_t run_start() const { return difference(next_, advanced(0, stride_, count_)); }
  bool is_predicting() const;
  bool is_pair() const { return count_ == 2 && stride_ != 0; }
  Folded& folded();
  void append_unpredicted(std::int64_t value);
  void append_to_open_run(std::int64_t value);
  void finish_run();
  void open(std::int64_t start, std::int64_t stride, std::uint64_t count);
  void open_last_term(std::size_t first_that_may_join);
  void close(std::int64_t start, std::int64_t stride, std::uint64_t count);
  void enter_last_loop();
  void load_run();
  void leave_loop();
  // What is appended is greater by `offset` than the terms say, modulo 2⁶⁴.
  void append_terms(std::span<const Term>, std::uint64_t offset, std::uint64_t& work);
  void append_loop(const Term& loop, std::span<const Term> body, std::uint64_t offset,
                   std::uint64_t& work);
  std::uint64_t repeat_last(const Snapshot& before, std::uint64_t shift, std::uint64_t times);
  void append_verbatim(const Term& loop, std::uint64_t count, std::span<const Term> body,
                       std::uint64_t offset);
  std::optional<ValueSequence> mapped_by(const std::function<std::int64_t(std::int64_t)>&) const;

  // The run that the next value is expected to continue: next_ is that value, count_ values of the run were seen and
  // limit_ > count_ is how many it can have. Outside loops this is the last term, still open (no value yet: count_ 0);
  // inside a loop that is being repeated it is the run of its body that the values have reached.
  std::int64_t next_ = 0, stride_ = 0;
  std::uint64_t count_ = 0, limit_ = kEndless;
  std::unique_ptr<Folded, Destroy> folded_;
};

template <class F>
std::optional<ValueSequence> ValueSequence::mapped(F f) const {
  return mapped_by(std::ref(f));
}

// Reads a ValueSequence from its start. Included by value_sequence.hpp.
//
// Cost    next: O(1) amortised. skip: O(1) inside a run, else O(terms). No heap unless loops nest deeper than kInline.

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
