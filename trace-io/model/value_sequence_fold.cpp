// SPDX-License-Identifier: MIT
// Finding loops at the end of the terms, and following the body of one.
#include <algorithm>
#include <bit>
#include <optional>

#include "trace-io/base/error.hpp"
#include "trace-io/model/value_sequence_parts.hpp"

namespace reprise::trace_io {
namespace {

std::uint64_t mixed(std::uint64_t hash,
                    std::uint64_t value) {  // a step of wyhash's kind: multiply and fold
  const Wide product = Wide{hash ^ value ^ 0x9e3779b97f4a7c15U} * 0xa0761d6478bd642fU;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

constexpr std::uint64_t kPatience = ValueSequence::kWindow;
constexpr std::size_t kShiftWindow = 96;  // terms looked at for three copies of a shifted body

// By what the first run of one copy is greater than that of the other. None where a loop of that shift could not be counted far
// without leaving 64 bits, or there is no shift.
std::optional<std::int64_t> shift_between(const ValueNode* from, const ValueNode* to) {
  constexpr std::int64_t kLargest = std::int64_t{1} << 61, kSteepest = std::int64_t{1} << 40;
  for (; from->is_loop() && to->is_loop(); ++from, ++to) {
  }
  if (from->is_loop() || to->is_loop()) return std::nullopt;
  if (from->start < -kLargest || from->start > kLargest || to->start < -kLargest ||
      to->start > kLargest)
    return std::nullopt;
  const std::int64_t shift = to->start - from->start;
  if (shift == 0 || shift < -kSteepest || shift > kSteepest) return std::nullopt;
  return shift;
}

// Whether the nodes at `to` are those of from … end with every run greater by `shift` (modulo 2⁶⁴).
bool is_shifted(const ValueNode* from, const ValueNode* end, const ValueNode* to,
                std::int64_t shift) {
  for (; from != end; ++from, ++to) {
    if (from->stride != to->stride || from->count_and_kind != to->count_and_kind) return false;
    const auto moved =
        static_cast<std::uint64_t>(to->start) - static_cast<std::uint64_t>(from->start);
    if (moved != (from->is_loop() ? 0 : static_cast<std::uint64_t>(shift))) return false;
  }
  return true;
}

std::uint64_t gram(const std::vector<TopTerm>& tops, std::size_t last, std::size_t length) {
  std::uint64_t hash = 0;
  for (std::size_t i = 0; i < length; ++i)
    hash = (hash ^ tops[last - i].hash) * 0x9e3779b97f4a7c15U;
  return hash ^ (hash >> 32U);
}

constexpr std::size_t kMostLookedBack = 256;  // keeps the work per term bounded

}  // namespace

void copy_shifted(const ValueNode* node, const ValueNode* end, std::uint64_t offset,
                  std::vector<ValueNode>& to) {
  for (; node != end; ++node) {
    to.push_back(*node);
    if (!node->is_loop())
      to.back().start = static_cast<std::int64_t>(static_cast<std::uint64_t>(node->start) + offset);
  }
}

std::uint64_t hash_of(const ValueNode* node, const ValueNode* end) {
  std::uint64_t hash = 0;
  for (; node != end; ++node)
    hash = mixed(mixed(mixed(hash, static_cast<std::uint64_t>(node->start)),
                       static_cast<std::uint64_t>(node->stride)),
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

std::size_t copied_heap_bytes(std::size_t terms) {
  constexpr std::size_t kFolded = 256;  // with its block of the heap
  return terms > 1 ? kFolded + terms * sizeof(ValueNode) : 0;
}

std::size_t grown_heap_bytes(std::size_t terms) {
  if (terms <= 1) return 0;
  const std::size_t tops = std::min(terms, 3 * LongPeriod::kLongest);
  const std::size_t places = terms > ValueSequence::kWindow / 2 ? 4 * std::bit_ceil(tops) : 0;
  return copied_heap_bytes(std::bit_ceil(terms)) + std::bit_ceil(tops) * sizeof(TopTerm) +
         places * sizeof(std::uint32_t);
}

ValueSequence::Folded::Folded(const Folded& other)
    : nodes(other.nodes),
      frames(other.frames),
      before(other.before),
      changes(other.changes),
      grown(other.grown),
      effort(other.effort) {}

void ValueSequence::Folded::index_tops() {
  if (indexed) return;
  indexed = true;
  grown = grown && nodes.empty();
  tops.clear();
  long_period = {};
  for (std::size_t i = 0; i < nodes.size(); i += nodes[i].span()) {
    const ValueNode* node = &nodes[i];
    note_top({hash_of(node, node + node->span()), static_cast<std::uint32_t>(i), node->body()});
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
  note_top({hash_of(term, term + span), static_cast<std::uint32_t>(nodes.size()), term->body()});
  nodes.insert(nodes.end(), term, term + span);
  ++changes;
}

void ValueSequence::Folded::rehash_last_top() {
  const ValueNode* last = &nodes[tops.back().begin];
  tops.back().hash = hash_of(last, last + last->span());
  long_period.last_were_replaced(tops);
  long_period.last_was_added(tops);
}

// The last runs of three copies: the last node of a term is a run.
inline bool ValueSequence::Folded::may_be_shifted(std::size_t length) const {
  const std::size_t count = tops.size();
  const auto start = [&](std::size_t node_after) {
    return static_cast<std::uint64_t>(nodes[node_after - 1].start);
  };
  const std::uint64_t third = start(nodes.size()), second = start(tops[count - length].begin),
                      first = start(tops[count - 2 * length].begin);
  return third - second == second - first && third != second;
}

std::size_t ValueSequence::Folded::longest_to_look_for() {
  if (++effort.searches % kPatience == 0) {
    effort.is_irregular = nodes.size() > effort.nodes + kPatience / 4;
    effort.nodes = nodes.size();
  }
  constexpr std::size_t kOften = 2;  // times within a period
  const int rarer = std::countr_zero(effort.searches);
  const std::size_t longest =
      effort.is_irregular && rarer < 6 ? kOften << static_cast<unsigned>(rarer) : kWindow / 2;
  return std::min(tops.size() - 1, longest);
}

bool ValueSequence::Folded::fold() { return fold_within(longest_to_look_for()); }

bool ValueSequence::Folded::fold_within(std::size_t longest) {
  const std::size_t count = tops.size();
  const std::uint64_t last = tops.back().hash;
  const auto is_end = [&](std::size_t length) {  // of a first copy, maybe
    const Top& top = tops[count - length - 1];
    return (top.hash == last) | (top.body != 0);
  };
  for (std::size_t length = 1; length <= longest; ++length) {
    // Most are ruled out: four at a time where no shift is looked for.
    while (3 * length > kShiftWindow && length + 3 <= longest &&
           !(is_end(length) | is_end(length + 1) | is_end(length + 2) | is_end(length + 3)))
      length += 4;
    if (length > longest) break;
    const std::size_t first = count - length;  // of the second copy
    const std::size_t begin = tops[first].begin, size = nodes.size() - begin;
    const Top& previous = tops[first - 1];
    if (previous.body == size && continues(previous.begin, begin)) {
      ++nodes[previous.begin].count_and_kind;
      nodes.resize(begin);
      tops.resize(first);
      long_period.last_were_replaced(tops);
      return ++changes, true;
    }
    if (previous.hash == last && fold_last(length)) return true;
    if (3 * length <= std::min(count, kShiftWindow) && may_be_shifted(length) &&
        fold_shifted(length))
      return true;
  }
  const std::size_t period = long_period.found();
  if (period <= longest) return false;
  if (fold_last(period)) return true;
  long_period.forget();
  return false;
}

bool ValueSequence::Folded::fold_last(std::size_t length) {
  if (tops.size() < 2 * length) return false;
  const auto top = [&](std::size_t from_end) {
    return tops.end() - static_cast<std::ptrdiff_t>(from_end);
  };
  const auto same_hash = [](const Top& a, const Top& b) { return a.hash == b.hash; };
  if (!std::equal(top(length), tops.end(), top(2 * length), same_hash)) return false;
  const std::size_t body = top(2 * length)->begin, begin = top(length)->begin,
                    size = nodes.size() - begin;
  const auto node = [&](std::size_t i) { return nodes.begin() + static_cast<std::ptrdiff_t>(i); };
  if (begin - body != size || !std::equal(node(begin), nodes.end(), node(body)) ||
      depth_of(&nodes[body], &nodes[body] + size) >= kMaxDepth)
    return false;
  nodes.resize(begin);
  nodes.insert(node(body), ValueNode::loop(size, 2, 0));
  tops.erase(top(2 * length - 1), tops.end());
  tops.back().body = static_cast<std::uint32_t>(size);
  long_period.last_were_replaced(tops);
  return ++changes, true;
}

bool ValueSequence::Folded::continues(std::size_t loop, std::size_t begin) const {
  const std::uint64_t shift = nodes[loop].count() * static_cast<std::uint64_t>(nodes[loop].stride);
  return is_shifted(&nodes[loop + 1], &nodes[loop + 1] + nodes[loop].body(), &nodes[begin],
                    static_cast<std::int64_t>(shift));
}

bool ValueSequence::Folded::fold_shifted(std::size_t length) {
  const std::size_t first = tops[tops.size() - 3 * length].begin,
                    second = tops[tops.size() - 2 * length].begin,
                    third = tops[tops.size() - length].begin, size = nodes.size() - third;
  if (third - second != size || second - first != size || (size == 1 && nodes[third].is_single()))
    return false;
  const auto shift = shift_between(&nodes[second], &nodes[third]);
  if (!shift || shift != shift_between(&nodes[first], &nodes[second]) ||
      !is_shifted(&nodes[second], &nodes[third], &nodes[third], *shift) ||
      !is_shifted(&nodes[first], &nodes[second], &nodes[second], *shift) ||
      depth_of(&nodes[first], &nodes[second]) >= kMaxDepth)
    return false;
  nodes.resize(second);
  nodes.insert(nodes.begin() + static_cast<std::ptrdiff_t>(first),
               ValueNode::loop(size, 3, *shift));
  tops.erase(tops.end() - static_cast<std::ptrdiff_t>(3 * length - 1), tops.end());
  tops.back().body = static_cast<std::uint32_t>(size);
  long_period.last_were_replaced(tops);
  return ++changes, true;
}

std::uint64_t ValueSequence::Folded::offset() const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const ValueNode& loop = nodes[frames[i].loop];
    if (loop.stride != 0)
      sum +=
          static_cast<std::uint64_t>(loop.stride) * (i == 0 ? loop.count() : frames[i].iteration);
  }
  return sum;
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
  std::uint64_t offset = 0;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const Frame& frame = frames[i];
    const ValueNode* loop = &nodes[frame.loop];
    const ValueNode *body = loop + 1, *end = body + loop->body();
    const std::uint64_t full = i == 0 ? 0 : frame.iteration;
    if (full > 1) to.push_back(ValueNode::loop(loop->body(), full, loop->stride));
    if (full > 0) copy_shifted(body, end, offset, to);
    offset += static_cast<std::uint64_t>(loop->stride) * (i == 0 ? loop->count() : frame.iteration);
    copy_shifted(body, nodes.data() + frame.at, offset, to);
  }
}

// Periods too long for the direct search.

void LongPeriod::last_was_added(const std::vector<TopTerm>& tops) {
  const std::size_t last = tops.size() - 1;
  last_ = last;
  if (period_ > 0 && last >= period_ && tops[last].hash == tops[last - period_].hash) {
    ++matched_;
  } else {
    break_off(last - 1);
  }
  // Up to here the direct search sees everything.
  if (last <= ValueSequence::kWindow / 2) return;
  if (places_.size() < 2 * tops.size()) grow(tops);
  std::uint32_t& place = places_[gram(tops, last, kSeen) & (places_.size() - 1)];
  const std::size_t before = place;
  place = static_cast<std::uint32_t>(last);
  if (period_ > 0 || before + 1 < kSeen || before >= last || last - before > kLongest) return;
  // How far back both agree: a loop starts as early as it can.
  const std::size_t period = last - before;
  std::size_t agreed = 0;
  while (agreed <= before && agreed < kMostLookedBack &&
         tops[before - agreed].hash == tops[last - agreed].hash) {
    ++agreed;
    if (period == broken_.period && last - agreed == broken_.last && broken_.length > 0) {
      agreed += broken_.length;
      break;
    }
  }
  if (agreed < kSeen) return;
  period_ = period;
  matched_ = agreed;
}

void LongPeriod::break_off(std::size_t last_agreed) {
  if (period_ > 0 && (matched_ > broken_.length || period_ == broken_.period))
    broken_ = {period_, matched_, last_agreed};
  period_ = matched_ = 0;
}

void LongPeriod::last_were_replaced(const std::vector<TopTerm>& tops) {
  break_off(last_);
  last_ = tops.size() - 1;
  const std::size_t replaced =
      broken_.last + 1 - std::min(broken_.last + 1, last_);  // of those that agreed
  broken_.length -= std::min(broken_.length, replaced);
  broken_.last -= replaced;
}

void LongPeriod::grow(const std::vector<TopTerm>& tops) {
  std::size_t size = 4 * ValueSequence::kWindow;
  while (size < 4 * tops.size()) size *= 2;
  places_.assign(size, 0);
  for (std::size_t last = kSeen - 1; last + 1 < tops.size(); ++last)
    places_[gram(tops, last, kSeen) & (size - 1)] = static_cast<std::uint32_t>(last);
}

}  // namespace reprise::trace_io
