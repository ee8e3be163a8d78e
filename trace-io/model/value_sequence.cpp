// SPDX-License-Identifier: MIT
// Appending one value: the open run, and the prediction inside a loop.
#include "trace-io/model/value_sequence.hpp"

#include <algorithm>
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

ValueSequence ValueSequence::copy_to_append() const {
  ValueSequence copy(*this);
  if (folded_) copy.folded_->take_index_of(*folded_);
  return copy;
}

ValueSequence& ValueSequence::operator=(const ValueSequence& other) {
  if (!folded_ && !other.folded_) {
    next_ = other.next_;
    stride_ = other.stride_;
    count_ = other.count_;
    limit_ = other.limit_;
    return *this;
  }
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

bool ValueSequence::has_terms(std::size_t at_least) const {
  return folded_ && folded_->nodes.size() >= at_least;
}

bool ValueSequence::is_grown() const { return !folded_ || folded_->grown; }

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
  next_ = advanced(start, stride, count);
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

// Appending many values at once: the result is that of appending them one by one, without unrolling loops.
//
// A loop is appended by appending its body until doing so changed nothing but the count of one loop: then every
// further repetition does the same, and the rest is added to that count. Where that does not come about within the
// allowed work (deeply nested loops that meet an unlike history), the rest of the loop is put down as it is.

struct ValueSequence::Snapshot {
  std::uint64_t changes, size, count, top_iterations;
  std::int64_t next;
  std::vector<Folded::Frame> frames;

  explicit Snapshot(const ValueSequence& sequence)
      : changes(sequence.folded_ ? sequence.folded_->changes : 0),
        size(sequence.size()),
        count(sequence.count_),
        top_iterations(0),
        next(sequence.next_) {
    if (!sequence.is_predicting()) return;
    frames = sequence.folded_->frames;
    top_iterations = sequence.folded_->nodes[frames.front().loop].count();
  }
};

void ValueSequence::append_run(std::int64_t start, std::int64_t stride, std::uint64_t count) {
  while (count > 0) {
    std::uint64_t taken = 1;
    if (start == next_ && stride == stride_) {
      taken = std::min(count, limit_ - count_);
      next_ = advanced(next_, stride_, taken);
      count_ += taken;
      if (count_ == limit_) finish_run();
    } else {
      append(start);
    }
    start = advanced(start, stride, taken);
    count -= taken;
  }
}

void ValueSequence::append(const ValueSequence& tail) {
  if (!tail.folded_) return append_run(tail.run_start(), tail.stride_, tail.count_);
  if (empty()) {
    *this = tail;
    return;
  }
  const std::vector<Term> terms = tail.terms();
  std::uint64_t work = 64 * terms.size() + 4096;
  append_terms(terms, 0, work);
}

void ValueSequence::append_terms(std::span<const Term> terms, std::uint64_t offset,
                                 std::uint64_t& work) {
  for (std::size_t i = 0; i < terms.size(); i += 1 + terms[i].body_terms) {
    const Term& term = terms[i];
    work -= std::min<std::uint64_t>(work, 1);
    if (term.is_loop)
      append_loop(term, terms.subspan(i + 1, term.body_terms), offset, work);
    else
      append_run(advanced(term.start, static_cast<std::int64_t>(offset)), term.stride, term.count);
  }
}

void ValueSequence::append_loop(const Term& loop, std::span<const Term> body, std::uint64_t offset,
                                std::uint64_t& work) {
  constexpr int kMostTrials =
      8;  // two for the loop to be found, some for runs to be closed and for inner loops to end
  const auto shift = static_cast<std::uint64_t>(loop.stride);
  std::uint64_t count = loop.count;
  for (int trial = 0; count > 0; ++trial) {
    if (count > 1 && (trial == kMostTrials || work == 0))
      return append_verbatim(loop, count, body, offset);
    const Snapshot before(*this);
    append_terms(body, offset, work);
    --count;
    const std::uint64_t repeated = repeat_last(before, shift, count);
    count -= repeated;
    offset += shift * (1 + repeated);
    if (repeated > 0) trial = 0;
  }
}

// If all that happened since `before` was that one loop went on by some iterations and `shift`: does the same `times` more, or as
// often as that loop can. Returns how often.
std::uint64_t ValueSequence::repeat_last(const Snapshot& before, std::uint64_t shift,
                                         std::uint64_t times) {
  if (times == 0 || !is_predicting()) return 0;
  Folded& parts = *folded_;
  const auto& frames = parts.frames;
  if (parts.changes != before.changes || count_ != before.count ||
      next_ != advanced(before.next, static_cast<std::int64_t>(shift)) ||
      frames.size() != before.frames.size())
    return 0;
  std::size_t moved = frames.size();
  for (std::size_t i = frames.size(); i-- > 0;) {
    if (frames[i].loop != before.frames[i].loop || frames[i].at != before.frames[i].at) return 0;
    const bool differs = frames[i].iteration != before.frames[i].iteration ||
                         (i == 0 && parts.nodes[frames[0].loop].count() != before.top_iterations);
    if (differs && moved != frames.size()) return 0;
    if (differs) moved = i;
  }
  if (moved == frames.size()) return 0;
  const std::uint64_t values = size() - before.size;
  ValueNode& loop = parts.nodes[frames[moved].loop];
  if (moved == 0) {
    const std::uint64_t step = loop.count() - before.top_iterations;
    if (step * static_cast<std::uint64_t>(loop.stride) != shift) return 0;
    loop.count_and_kind += step * times;
  } else {
    if (frames[moved].iteration <= before.frames[moved].iteration) return 0;
    const std::uint64_t step = frames[moved].iteration - before.frames[moved].iteration;
    if (step * static_cast<std::uint64_t>(loop.stride) != shift) return 0;
    times = std::min(times, (loop.count() - 1 - frames[moved].iteration) / step);
    parts.frames[moved].iteration += step * times;
  }
  parts.before += values * times;
  next_ = advanced(next_, static_cast<std::int64_t>(shift * times));
  return times;
}

void ValueSequence::append_verbatim(const Term& loop, std::uint64_t count,
                                    std::span<const Term> body, std::uint64_t offset) {
  while (is_predicting() || count_ > 0) {
    if (is_predicting()) {
      leave_loop();
    } else if (is_pair()) {
      const std::int64_t first = run_start(), second = advanced(first, stride_);
      close(first, 0, 1);
      append(second);
    } else {
      close(run_start(), stride_, count_);
    }
  }
  std::vector<ValueNode> nodes{ValueNode::loop(body.size(), count, loop.stride)};
  for (const Term& term : body)
    nodes.push_back(term.is_loop
                        ? ValueNode::loop(term.body_terms, term.count, term.stride)
                        : ValueNode::run(advanced(term.start, static_cast<std::int64_t>(offset)),
                                         term.stride, term.count));
  Folded& parts = folded();
  parts.grown = false;
  parts.index_tops();
  parts.push_top(nodes.data(), nodes.size());
  parts.before += values_in(nodes.data(), nodes.data() + nodes.size());
  parts.fold();
  enter_last_loop();
}

}  // namespace reprise::trace_io
