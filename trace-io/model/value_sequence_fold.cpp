// SPDX-License-Identifier: MIT
// Finding loops at the end of the terms, and following the body of one.
#include <algorithm>

#include "trace-io/base/error.hpp"
#include "trace-io/model/value_sequence_parts.hpp"

namespace reprise::trace_io {
namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {  // a step of wyhash's kind: multiply and fold
  __extension__ using Wide = unsigned __int128;
  const Wide product = Wide{hash ^ value ^ 0x9e3779b97f4a7c15U} * 0xa0761d6478bd642fU;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

}  // namespace

std::uint64_t hash_of(const ValueNode* node, const ValueNode* end) {
  std::uint64_t hash = 0;
  for (; node != end; ++node)
    hash = mixed(mixed(mixed(hash, static_cast<std::uint64_t>(node->start)), static_cast<std::uint64_t>(node->stride)),
                 node->count_and_kind);
  return hash;
}

std::uint64_t values_in(const ValueNode* node, const ValueNode* end) {
  std::uint64_t values = 0;
  while (node != end) {
    const ValueNode* after = node + node->span();
    values += node->is_loop() ? node->count() * values_in(node + 1, after) : node->count();
    node = after;
  }
  return values;
}

int depth_of(const ValueNode* node, const ValueNode* end) {
  int depth = 0;
  while (node != end) {
    const ValueNode* after = node + node->span();
    if (node->is_loop()) depth = std::max(depth, 1 + depth_of(node + 1, after));
    node = after;
  }
  return depth;
}

ValueSequence::Folded::Folded(const Folded& other)
    : nodes(other.nodes), frames(other.frames), before(other.before), changes(other.changes) {}

void ValueSequence::Folded::index_tops() {
  if (indexed) return;
  indexed = true;
  tops.clear();
  long_period = {};
  for (std::size_t i = 0; i < nodes.size(); i += nodes[i].span()) {
    const ValueNode* node = &nodes[i];
    note_top({hash_of(node, node + node->span()), static_cast<std::uint32_t>(i)});
  }
}

void ValueSequence::Folded::note_top(Top top) {
  // A fold takes tops away, and an outer loop needs those that are left: more are kept than one period looks back.
  if (tops.size() == 3 * LongPeriod::kLongest) {
    tops.erase(tops.begin(), tops.begin() + LongPeriod::kLongest);
    long_period = {};
  }
  tops.push_back(top);
  long_period.last_was_added(tops);
}

void ValueSequence::Folded::push_top(const ValueNode* term, std::size_t span) {
  REPRISE_ASSERT(nodes.size() + span < UINT32_MAX, "a value sequence has fewer than 2^32 terms");
  note_top({hash_of(term, term + span), static_cast<std::uint32_t>(nodes.size())});
  nodes.insert(nodes.end(), term, term + span);
  ++changes;
}

void ValueSequence::Folded::rehash_last_top() {
  const ValueNode* last = &nodes[tops.back().begin];
  tops.back().hash = hash_of(last, last + last->span());
  long_period.last_were_replaced(tops);
  long_period.last_was_added(tops);
}

bool ValueSequence::Folded::fold() {
  const std::size_t count = tops.size();
  const std::uint64_t last = tops.back().hash;
  const std::size_t longest = std::min(count - 1, kWindow / 2);
  for (std::size_t length = 1; length <= longest; ++length) {
    const std::size_t first = count - length;  // of the second copy
    const std::size_t begin = tops[first].begin, size = nodes.size() - begin;
    const Top& previous = tops[first - 1];
    const auto second = nodes.begin() + static_cast<std::ptrdiff_t>(begin);
    if (nodes[previous.begin].body() == size &&
        std::equal(second, nodes.end(), second - static_cast<std::ptrdiff_t>(size))) {
      ++nodes[previous.begin].count_and_kind;
      nodes.resize(begin);
      tops.resize(first);
      long_period.last_were_replaced(tops);
      return ++changes, true;
    }
    if (previous.hash == last && fold_last(length)) return true;
  }
  const std::size_t period = long_period.found();
  if (period <= longest) return false;
  if (fold_last(period)) return true;
  long_period.forget();
  return false;
}

bool ValueSequence::Folded::fold_last(std::size_t length) {
  if (tops.size() < 2 * length) return false;
  const auto top = [&](std::size_t from_end) { return tops.end() - static_cast<std::ptrdiff_t>(from_end); };
  const auto same_hash = [](const Top& a, const Top& b) { return a.hash == b.hash; };
  if (!std::equal(top(length), tops.end(), top(2 * length), same_hash)) return false;
  const std::size_t body = top(2 * length)->begin, begin = top(length)->begin, size = nodes.size() - begin;
  const auto node = [&](std::size_t i) { return nodes.begin() + static_cast<std::ptrdiff_t>(i); };
  if (begin - body != size || !std::equal(node(begin), nodes.end(), node(body)) ||
      depth_of(&nodes[body], &nodes[body] + size) >= kMaxDepth)
    return false;
  nodes.resize(begin);
  nodes.insert(node(body), ValueNode::loop(size, 2));
  tops.erase(top(2 * length - 1), tops.end());
  long_period.last_were_replaced(tops);
  return ++changes, true;
}

void ValueSequence::Folded::next_run() {
  Frame* frame = &frames.back();
  ++frame->at;
  while (frame->at == frame->loop + nodes[frame->loop].span()) {
    if (frames.size() == 1) {
      ++nodes[frame->loop].count_and_kind;
      frame->at = frame->loop + 1;
    } else if (++frame->iteration < nodes[frame->loop].count()) {
      frame->at = frame->loop + 1;
    } else {
      const std::uint32_t after = frame->at;
      frames.pop_back();
      frame = &frames.back();
      frame->at = after;
    }
  }
  descend();
}

void ValueSequence::Folded::descend() {
  while (nodes[frames.back().at].is_loop()) {
    const std::uint32_t loop = frames.back().at;
    frames.push_back({loop, loop + 1, 0});
  }
}

void ValueSequence::Folded::copy_followed(std::vector<ValueNode>& to) const {
  const auto node = [&](std::uint32_t i) { return nodes.begin() + i; };
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const Frame& frame = frames[i];
    const std::uint32_t body = frame.loop + 1, end = body + nodes[frame.loop].body();
    const std::uint64_t full = i == 0 ? 0 : frame.iteration;
    if (full > 1) to.push_back(ValueNode::loop(end - body, full));
    if (full > 0) to.insert(to.end(), node(body), node(end));
    to.insert(to.end(), node(body), node(frame.at));
  }
}

}  // namespace reprise::trace_io
