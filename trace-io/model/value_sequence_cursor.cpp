// SPDX-License-Identifier: MIT
// Reading: the nodes with a stack of loops, then the open run. A loop that is still being repeated is read as an endless
// one: its partial iteration is cut off by remaining().
#include <algorithm>

#include "trace-io/base/error.hpp"
#include "trace-io/model/value_sequence.hpp"
#include "trace-io/model/value_sequence_parts.hpp"

namespace reprise::trace_io {

ValueSequence::Cursor::Cursor(const ValueSequence& sequence)
    : sequence_(&sequence), remaining_(sequence.size()) {
  if (!sequence.folded_) load_open_run();
}

void ValueSequence::Cursor::load_open_run() {
  next_ = sequence_->run_start();
  stride_ = sequence_->stride_;
  left_ = remaining_;
}

void ValueSequence::Cursor::push(Frame pushed) {
  if (depth_ >= kInline && deeper_.size() <= depth_ - kInline) deeper_.resize(depth_ - kInline + 1);
  frame(depth_++) = pushed;
}

void ValueSequence::Cursor::enter(std::uint32_t node) {
  const Folded& parts = *sequence_->folded_;
  while (parts.nodes[node].is_loop()) {
    const bool endless = !parts.frames.empty() && parts.frames.front().loop == node;
    push({endless ? ~std::uint64_t{0} : parts.nodes[node].count() - 1, offset(), node});
    ++node;
  }
  next_ = advanced(parts.nodes[node].start, static_cast<std::int64_t>(offset()));
  stride_ = parts.nodes[node].stride;
  left_ = std::min(parts.nodes[node].count(), remaining_);
  at_ = node + 1;
}

void ValueSequence::Cursor::step() {
  REPRISE_ASSERT(remaining_ > 0, "a cursor is not read past its end");
  const Folded* parts = sequence_->folded_.get();
  while (depth_ > 0) {
    Frame& top = frame(depth_ - 1);
    if (at_ != top.loop + parts->nodes[top.loop].span()) break;
    if (top.left > 0) {
      --top.left;
      top.offset += static_cast<std::uint64_t>(parts->nodes[top.loop].stride);
      at_ = top.loop + 1;
      break;
    }
    --depth_;
  }
  if (parts == nullptr || at_ == parts->nodes.size()) return load_open_run();
  enter(at_);
}

ValueSequence::Cursor::Run ValueSequence::Cursor::run() {
  if (left_ == 0) step();
  return {next_, stride_, left_};
}

std::uint64_t ValueSequence::Cursor::repeats(std::uint64_t period) {
  if (remaining_ == 0) return 0;
  if (left_ == 0) step();
  std::uint64_t most = stride_ == 0 ? left_ : 0;
  const Folded* parts = sequence_->folded_.get();
  std::uint64_t rest =
      left_;  // values up to the end of the current iteration of the loop looked at, then of the loop
  std::uint32_t at = at_;
  for (std::uint32_t depth = depth_; depth-- > 0;) {
    const Frame& loop = frame(depth);
    const ValueNode* node = &parts->nodes[loop.loop];
    const std::uint32_t end = loop.loop + node->span();
    rest += values_in(parts->nodes.data() + at, parts->nodes.data() + end);
    const std::uint64_t body = values_in(node + 1, node + node->span());
    // an open loop has more iterations to come than there are values: its frame says "endless"
    rest = loop.left > (remaining_ - std::min(rest, remaining_)) / body ? remaining_
                                                                        : rest + loop.left * body;
    if (period % body == 0) most = std::max(most, rest);
    at = end;
  }
  return std::min(most, remaining_);
}

void ValueSequence::Cursor::skip(std::uint64_t values) {
  REPRISE_ASSERT(values <= remaining_, "a cursor is not moved past its end");
  constexpr std::uint64_t kStepsBeforeSearch = 64;  // seeking looks at every term
  for (std::uint64_t steps = 0; values > 0; ++steps) {
    if (steps == kStepsBeforeSearch) return seek(sequence_->size() - remaining_ + values);
    if (left_ == 0) step();
    const std::uint64_t taken = std::min(values, left_);
    next_ = advanced(next_, stride_, taken);
    left_ -= taken;
    remaining_ -= taken;
    values -= taken;
  }
}

void ValueSequence::Cursor::seek(std::uint64_t position) {
  const Folded* parts = sequence_->folded_.get();
  remaining_ = sequence_->size();
  left_ = 0;
  depth_ = at_ = 0;
  std::uint32_t end = static_cast<std::uint32_t>(parts->nodes.size());
  while (at_ < end) {
    const ValueNode* node = &parts->nodes[at_];
    const bool endless = !parts->frames.empty() && parts->frames.front().loop == at_;
    const std::uint64_t values = values_in(node, node + node->span());
    if (position >= values && !endless) {
      position -= values;
      remaining_ -= values;
      at_ += node->span();
    } else if (node->is_loop()) {
      const std::uint64_t body = values_in(node + 1, node + node->span()), done = position / body;
      position %= body;
      remaining_ -= done * body;
      push({(endless ? ~std::uint64_t{0} : node->count() - 1) - done,
            offset() + done * static_cast<std::uint64_t>(node->stride), at_});
      end = at_ + node->span();
      ++at_;
    } else {
      enter(at_);
      break;
    }
  }
  if (left_ == 0 && depth_ == 0) load_open_run();
  next_ = advanced(next_, stride_, position);
  left_ -= position;
  remaining_ -= position;
}

}  // namespace reprise::trace_io
