// SPDX-License-Identifier: MIT
// Appending many values at once: the result is that of appending them one by one, without unrolling loops.
//
// A loop is appended by appending its body until doing so changed nothing but the count of one loop: then every
// further repetition does the same, and the rest is added to that count. Where that does not come about within the
// allowed work (deeply nested loops that meet an unlike history), the rest of the loop is put down as it is.
#include <algorithm>

#include "trace-io/base/error.hpp"
#include "trace-io/model/value_sequence_parts.hpp"

namespace reprise::trace_io {

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
      next_ = static_cast<std::int64_t>(static_cast<std::uint64_t>(next_) +
                                        taken * static_cast<std::uint64_t>(stride_));
      count_ += taken;
      if (count_ == limit_) finish_run();
    } else {
      append(start);
    }
    start = static_cast<std::int64_t>(static_cast<std::uint64_t>(start) +
                                      taken * static_cast<std::uint64_t>(stride));
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
  parts.index_tops();
  parts.push_top(nodes.data(), nodes.size());
  parts.before += values_in(nodes.data(), nodes.data() + nodes.size());
  parts.fold();
  enter_last_loop();
}

}  // namespace reprise::trace_io
