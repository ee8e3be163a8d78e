// SPDX-License-Identifier: MIT
// Appending one value: the open run, and the prediction inside a loop.
#include "trace-io/model/value_sequence.hpp"

#include <limits>

#include "trace-io/base/error.hpp"
#include "trace-io/model/value_sequence_parts.hpp"

namespace reprise::trace_io {
namespace {

// How many values start, start + stride, … fit 64 bits.
std::uint64_t exact_limit(std::int64_t start, std::int64_t stride) {
  using Limits = std::numeric_limits<std::int64_t>;
  const auto from = static_cast<std::uint64_t>(start);
  const auto step = static_cast<std::uint64_t>(stride);
  if (stride > 0) return (static_cast<std::uint64_t>(Limits::max()) - from) / step + 1;
  return (from - static_cast<std::uint64_t>(Limits::min())) / (std::uint64_t{0} - step) + 1;
}

// The same or less, without a division in the usual case; finish_run() asks for the exact one when this is reached.
std::uint64_t quick_limit(std::int64_t start, std::int64_t stride, std::uint64_t count) {
  constexpr std::int64_t kSmallStride = std::int64_t{1} << 30, kSmallStart = std::int64_t{1} << 62;
  constexpr std::uint64_t kSafe = std::uint64_t{1} << 31;  // 2³⁰ · 2³¹ + 2⁶² < 2⁶³
  if (count < kSafe && -kSmallStride <= stride && stride <= kSmallStride && -kSmallStart <= start &&
      start < kSmallStart)
    return kSafe;
  return exact_limit(start, stride);
}

}  // namespace

void ValueSequence::Destroy::operator()(Folded* folded) const noexcept { delete folded; }

ValueSequence::ValueSequence(const ValueSequence& other)
    : next_(other.next_),
      stride_(other.stride_),
      count_(other.count_),
      limit_(other.limit_),
      folded_(other.folded_ ? new Folded(*other.folded_) : nullptr) {}

ValueSequence& ValueSequence::operator=(const ValueSequence& other) {
  ValueSequence copy(other);
  swap(copy);
  return *this;
}

void ValueSequence::swap(ValueSequence& other) noexcept {
  std::swap(next_, other.next_);
  std::swap(stride_, other.stride_);
  std::swap(count_, other.count_);
  std::swap(limit_, other.limit_);
  folded_.swap(other.folded_);
}

ValueSequence::Folded& ValueSequence::folded() {
  if (!folded_) folded_.reset(new Folded);
  return *folded_;
}

bool ValueSequence::is_predicting() const { return folded_ && !folded_->frames.empty(); }

std::uint64_t ValueSequence::size() const { return count_ + (folded_ ? folded_->before : 0); }

void ValueSequence::append_unpredicted(std::int64_t value) {
  if (!is_predicting()) return append_to_open_run(value);
  leave_loop();
  append(value);
}

void ValueSequence::append_to_open_run(std::int64_t value) {
  if (count_ == 0) return open(value, 0, 1);
  std::int64_t stride = 0;
  if (count_ == 1 && !__builtin_sub_overflow(value, next_, &stride)) return open(next_, stride, 2);
  if (is_pair()) {
    const std::int64_t first = run_start(), second = advanced(first, stride_);
    close(first, 0, 1);
    append(second);
  } else {
    close(run_start(), stride_, count_);
  }
  append(value);
}

void ValueSequence::open(std::int64_t start, std::int64_t stride, std::uint64_t count) {
  stride_ = stride;
  count_ = count;
  next_ = static_cast<std::int64_t>(static_cast<std::uint64_t>(start) +
                                    count * static_cast<std::uint64_t>(stride));
  limit_ = stride == 0 ? kEndless : quick_limit(start, stride, count);
  if (count_ == limit_) finish_run();
}

// Makes a term of the run; afterwards either no run is open or a loop is being predicted.
void ValueSequence::close(std::int64_t start, std::int64_t stride, std::uint64_t count) {
  const ValueNode node = ValueNode::run(start, stride, count);
  Folded& parts = folded();
  parts.index_tops();
  parts.push_top(&node, 1);
  parts.before += count;
  if (parts.fold()) return enter_last_loop();
  open(0, 0, 0);
}

void ValueSequence::finish_run() {
  if (is_predicting()) {
    folded_->before += count_;
    folded_->next_run();
    return load_run();
  }
  const std::int64_t start = run_start();
  limit_ = exact_limit(start, stride_);
  if (count_ == limit_) close(start, stride_, count_);
}

void ValueSequence::load_run() {
  const ValueNode& run = folded_->nodes[folded_->frames.back().at];
  next_ = advanced(run.start, static_cast<std::int64_t>(folded_->offset()));
  stride_ = run.stride;
  count_ = 0;
  limit_ = run.count();
}

void ValueSequence::enter_last_loop() {
  Folded& parts = *folded_;
  const std::uint32_t loop = parts.tops.back().begin;
  parts.frames.assign(1, Folded::Frame{loop, loop + 1, 0});
  parts.descend();
  load_run();
}

// The prediction failed: the followed part of the loop's body becomes terms, and the last of them goes on.
void ValueSequence::leave_loop() {
  Folded& parts = *folded_;
  parts.index_tops();
  ++parts.changes;
  parts.rehash_last_top();
  std::vector<ValueNode> followed;
  parts.copy_followed(followed);
  if (followed.empty() &&
      count_ == 0) {  // a loop that ended with a full iteration may complete an outer loop
    if (parts.fold()) return enter_last_loop();
    parts.frames.clear();
    return open(0, 0, 0);
  }
  parts.frames.clear();
  const std::size_t first = parts.nodes.size();
  parts.before += count_;
  for (std::size_t i = 0; i < followed.size(); i += followed[i].span())
    parts.push_top(&followed[i], followed[i].span());
  if (count_ > 0) {
    const ValueNode run = ValueNode::run(run_start(), count_ == 1 ? 0 : stride_, count_);
    parts.push_top(&run, 1);
  }
  open_last_term(first);
}

// Takes up the last term again; terms from node `first_that_may_join` on may make a pair with it.
void ValueSequence::open_last_term(std::size_t first_that_may_join) {
  Folded& parts = *folded_;
  const std::size_t last = parts.tops.back().begin;
  if (parts.nodes[last].is_loop()) return enter_last_loop();
  ValueNode run = parts.nodes[last];
  const auto drop_last = [&] {
    parts.nodes.pop_back();
    parts.tops.pop_back();
  };
  drop_last();
  std::int64_t stride = 0;
  if (run.is_single() && parts.nodes.size() > first_that_may_join &&
      parts.nodes.back().is_single() && parts.tops.back().begin + 1 == parts.nodes.size() &&
      !__builtin_sub_overflow(run.start, parts.nodes.back().start, &stride)) {
    run = ValueNode::run(parts.nodes.back().start, stride, 2);
    drop_last();
  }
  parts.before -= run.count();
  open(run.start, run.stride, run.count());
}

}  // namespace reprise::trace_io
