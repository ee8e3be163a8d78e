// SPDX-License-Identifier: MIT
#include "trace-io/compress/folded_program.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>

#include "trace-io/compress/fold_node.hpp"

namespace reprise::trace_io {
namespace {

// Whether two consecutive pieces of a program are the same code executed twice, and making one piece of them.
//
// Same    leaves of one site; loops whose bodies are the same; a loop and its body written out (executed once). Iterations,
//         exits and field values are free.
// Flat    at the top level, where every node is executed once, several nodes may become a loop. Inside a loop's body only
//         single nodes may: the exits of that body count its nodes.
// Cost    O(leaves of both).

struct FoldRange {
  std::span<const std::unique_ptr<FoldNode>> nodes;
  bool flat;
};

bool alike(FoldRange earlier, FoldRange later);

// Appends the executions of `later` to those of `earlier`. REQUIRES: alike().
FoldBody united(FoldBody earlier, FoldBody later);

// The iterations of two loops of the same leaves, before their bodies are united.
void unite_iterations(FoldLoop& earlier, FoldLoop& later) {
  earlier.finish_iteration();
  if (earlier.recorded && later.recorded)
    earlier.recorded->append(*later.recorded);
  else
    earlier.recorded.reset();
}

// Of a loop and its body written out behind it: what that has is the iteration under way, if it is a single one.
void continue_iterations(FoldLoop& loop, std::uint64_t executions) {
  loop.finish_iteration();
  if (loop.recorded) loop.recorded->forget_leaves();
  if (executions > 1) loop.recorded.reset();
}

// Of the body of a loop, written out, and the loop behind it.
std::unique_ptr<LoopIterations> begun_iterations(const FoldBody& first, std::uint64_t executions,
                                                 const LoopIterations* later) {
  if (later == nullptr || executions > 1) return nullptr;
  auto all = std::make_unique<LoopIterations>(later->settings());
  all->finish(first);
  all->append(*later);
  return all;
}

using Nodes = std::span<const std::unique_ptr<FoldNode>>;

int single_node_nesting(const FoldNode& node) {
  int depth = 0;
  const FoldNode* inner = &node;
  while (inner->loop() && inner->loop()->body.size() == 1) {
    inner = inner->loop()->body.front().get();
    ++depth;
  }
  return depth;
}

// How two nodes at the same place of the leaf strings are to be matched.
enum class Match { leaves, bodies, earlier_is_loop_of, later_is_loop_of, none };

Match match(const FoldNode& earlier, const FoldNode& later) {
  if (earlier.leaf() && later.leaf())
    return earlier.leaf()->site == later.leaf()->site ? Match::leaves : Match::none;
  if (earlier.leaf()) return Match::later_is_loop_of;
  if (later.leaf()) return Match::earlier_is_loop_of;
  if (earlier.length != later.length)
    return earlier.length > later.length ? Match::earlier_is_loop_of : Match::later_is_loop_of;
  // Loops of loops of the same leaves: the deeper one is entered first.
  const int difference = single_node_nesting(earlier) - single_node_nesting(later);
  if (difference == 0) return Match::bodies;
  return difference > 0 ? Match::earlier_is_loop_of : Match::later_is_loop_of;
}

// How many of the nodes, from the first on, have `length` leaves; 0 where no number of them does.
std::size_t nodes_of_length(Nodes nodes, std::uint64_t length) {
  std::uint64_t sum = 0;
  for (std::size_t count = 0; count < nodes.size() && sum < length;) {
    sum += nodes[count++]->length;
    if (sum == length) return count;
  }
  return 0;
}

FoldBody taken(FoldBody& body, std::size_t first, std::size_t count) {
  const auto begin = body.begin() + static_cast<std::ptrdiff_t>(first);
  return {std::make_move_iterator(begin),
          std::make_move_iterator(begin + static_cast<std::ptrdiff_t>(count))};
}

bool alike(FoldRange earlier, FoldRange later) {
  std::size_t i = 0, j = 0;
  while (i < earlier.nodes.size() && j < later.nodes.size()) {
    const FoldNode &x = *earlier.nodes[i], &y = *later.nodes[j];
    std::size_t used_earlier = 1, used_later = 1;
    switch (match(x, y)) {
      case Match::none:
        return false;
      case Match::leaves:
        break;
      case Match::bodies:
        if (x.hash != y.hash || !alike({x.loop()->body, false}, {y.loop()->body, false}))
          return false;
        break;
      case Match::earlier_is_loop_of:
        used_later = nodes_of_length(later.nodes.subspan(j), x.length);
        if (used_later == 0 || (used_later > 1 && !later.flat)) return false;
        if (!alike({x.loop()->body, false}, {later.nodes.subspan(j, used_later), later.flat}))
          return false;
        break;
      case Match::later_is_loop_of:
        used_earlier = nodes_of_length(earlier.nodes.subspan(i), y.length);
        if (used_earlier == 0 || (used_earlier > 1 && !earlier.flat)) return false;
        if (!alike({earlier.nodes.subspan(i, used_earlier), earlier.flat}, {y.loop()->body, false}))
          return false;
        break;
    }
    i += used_earlier;
    j += used_later;
  }
  return i == earlier.nodes.size() && j == later.nodes.size();
}

FoldBody united(FoldBody earlier, FoldBody later) {
  FoldBody result;
  result.reserve(earlier.size());
  for (std::size_t i = 0, j = 0; i < earlier.size();) {
    FoldNode &x = *earlier[i], &y = *later[j];
    switch (match(x, y)) {
      case Match::none:
        return {};
      case Match::leaves:
        x.leaf()->append(std::move(*y.leaf()));
        result.push_back(std::move(earlier[i++]));
        ++j;
        break;
      case Match::bodies:
        unite_iterations(*x.loop(), *y.loop());
        x.loop()->append_executions_of(*y.loop());
        x.loop()->body = united(std::move(x.loop()->body), std::move(y.loop()->body));
        result.push_back(std::move(earlier[i++]));
        ++j;
        break;
      case Match::earlier_is_loop_of: {
        const std::size_t used = nodes_of_length(Nodes(later).subspan(j), x.length);
        continue_iterations(*x.loop(), y.executions());
        x.loop()->append_single_passes(y.executions());
        x.loop()->body = united(std::move(x.loop()->body), taken(later, j, used));
        result.push_back(std::move(earlier[i++]));
        j += used;
        break;
      }
      case Match::later_is_loop_of: {
        const std::size_t used = nodes_of_length(Nodes(earlier).subspan(i), y.length);
        const std::uint64_t executions = x.executions();
        FoldBody first = taken(earlier, i, used);
        auto recorded = begun_iterations(first, executions, y.loop()->recorded.get());
        auto node = std::make_unique<FoldNode>(united(std::move(first), std::move(y.loop()->body)));
        node->loop()->recorded = std::move(recorded);
        if (executions > 1) {  // the node starts with one execution of one pass
          node->loop()->append_single_passes(executions - 1);
        }
        node->loop()->append_executions_of(*y.loop());
        result.push_back(std::move(node));
        i += used;
        ++j;
        break;
      }
    }
  }
  return result;
}

}  // namespace

void FoldedProgram::append(std::unique_ptr<FoldNode> node) {
  note_sites(*node, nodes_.size());
  add(std::move(node));
}

void FoldedProgram::add(std::unique_ptr<FoldNode> node) {
  add_place(*node);
  nodes_.push_back(std::move(node));
  ++appended_;
}

// Of the node behind those that have one.
void FoldedProgram::add_place(const FoldNode& node) {
  places_.push_back(
      {length_, hash_, std::exchange(latest_[node.last_site], places_.size()), false});
  length_ += node.length;
  hash_ = hash_ * node.power + node.hash;
  tail_ = joined_tail(tail_, node.tail, node.length);
  tails_.push(tail_);
}

void FoldedProgram::note_sites(const FoldNode& node, std::size_t place) {
  if (const FoldLoop* loop = node.loop()) {
    for (const auto& inner : loop->body) note_sites(*inner, place);
    return;
  }
  std::size_t& last = last_with_site_[node.last_site];
  if (last != kNone && last < place) places_[last].is_shared = true;
  last = place;
}

void FoldedProgram::move_sites(const FoldNode& node, std::size_t place) {
  if (const FoldLoop* loop = node.loop()) {
    for (const auto& inner : loop->body) move_sites(*inner, place);
  } else {
    last_with_site_[node.last_site] = place;
  }
}

FoldNode* FoldedProgram::loop_before_detour(SiteId site) const {
  const std::size_t last = last_with_site_.find(site);
  if (last == kNone || places_[last].is_shared) return nullptr;
  FoldNode& node = *nodes_[last];
  const std::uint64_t detour = length_ - places_[last].length_before - node.length;
  return node.loop() && detour <= kNear ? &node : nullptr;
}

FoldBody FoldedProgram::take_from(const FoldNode& loop) {
  FoldBody taken;
  do {
    taken.push_back(take_back());
  } while (taken.back().get() != &loop);
  std::ranges::reverse(taken);
  for (const auto& node : std::span(taken).subspan(1)) move_sites(*node, nodes_.size());
  return taken;
}

// All of its sites are known to be at its place: a long loop costs no more than a short one.
void FoldedProgram::put_back(std::unique_ptr<FoldNode> loop) { add(std::move(loop)); }

bool FoldedProgram::fold() {
  const std::size_t end = nodes_.size();
  std::size_t candidate = places_.back().previous;
  for (int i = 0; i < kNearCandidates && candidate != kNone && end - candidate <= kNear; ++i) {
    if (may_repeat(candidate) && fold_at(candidate)) return true;
    candidate = places_[candidate].previous;
  }
  if (appended_ < far_from_) return false;
  auto far = tails_.previous(static_cast<std::uint32_t>(end - 1));
  for (int i = 0; i < kFarCandidates && far != TailIndex::kNone; ++i) {
    if (end - far > kNear && fold_at(far)) return true;
    if (appended_ < far_from_) return false;
    far = tails_.previous(far);
  }
  return false;
}

// What would be equal ends with equal leaves.
bool FoldedProgram::may_repeat(std::size_t end) const {
  const std::uint64_t length = length_ - places_[end + 1].length_before;
  const std::uint64_t unlike = tails_.tail(end) ^ tail_;
  return length < 64 ? (unlike << (64 - length)) == 0 : unlike == 0;
}

bool FoldedProgram::fold_at(std::size_t first_copy_end) {
  const std::size_t second = first_copy_end + 1, first = first_copy_start(second);
  if (first == kNone) return false;
  const std::span nodes(nodes_);
  if (alike({nodes.subspan(first, second - first), true}, {nodes.subspan(second), true})) {
    fold(first, second);
    return true;
  }
  const std::uint64_t length = length_ - places_[second].length_before;
  if (length > kNear) far_from_ = appended_ + length;
  return false;
}

// Where the piece starts that ends before node `end` and has the leaf string of everything from there on.
std::size_t FoldedProgram::first_copy_start(std::size_t end) const {
  const Place& middle = places_[end];
  const std::uint64_t length = length_ - middle.length_before;
  if (length > middle.length_before) return kNone;
  const std::uint64_t start = middle.length_before - length;
  const std::size_t nodes = nodes_.size() - end;
  std::size_t first = end - std::min(end, nodes);  // where both copies have as many nodes
  if (places_[first].length_before != start) {
    const auto found = std::ranges::lower_bound(places_.begin(),
                                                places_.begin() + static_cast<std::ptrdiff_t>(end),
                                                start, {}, &Place::length_before);
    if (found->length_before != start) return kNone;
    first = static_cast<std::size_t>(found - places_.begin());
  }
  const std::uint64_t power = leaf_string_power(length);
  if (middle.hash_before - places_[first].hash_before * power != hash_ - middle.hash_before * power)
    return kNone;
  return first;
}

void FoldedProgram::fold(std::size_t first_start, std::size_t second_start) {
  // take_back() needs what the nodes were: they are taken out from the end, then put back in order.
  FoldBody earlier(second_start - first_start), later(nodes_.size() - second_start);
  for (auto place = later.rbegin(); place != later.rend(); ++place) *place = take_back();
  for (auto place = earlier.rbegin(); place != earlier.rend(); ++place) *place = take_back();
  std::unique_ptr<LoopIterations> recorded;
  if (iterations_) {
    recorded = std::make_unique<LoopIterations>(*iterations_);
    recorded->finish(earlier);
    recorded->forget_leaves();
  }
  auto node = std::make_unique<FoldNode>(united(std::move(earlier), std::move(later)));
  node->loop()->passes = 2;
  node->loop()->recorded = std::move(recorded);
  append(std::move(node));
}

std::unique_ptr<FoldNode> FoldedProgram::take_back() {
  auto node = std::move(nodes_.back());
  const Place place = places_.back();
  nodes_.pop_back();
  places_.pop_back();
  tails_.pop();
  length_ = place.length_before;
  hash_ = place.hash_before;
  tail_ = nodes_.empty() ? 0 : tails_.tail(nodes_.size() - 1);
  latest_[node->last_site] = place.previous;
  return node;
}

void FoldedProgram::drop_tables() {
  std::vector<Place>().swap(places_);
  tails_ = {};
  latest_ = {};
  last_with_site_ = {};
}

void FoldedProgram::make_tables() {
  drop_tables();
  length_ = hash_ = tail_ = 0;
  for (const auto& node : nodes_) {
    note_sites(*node, places_.size());
    add_place(*node);
  }
}

void FoldedProgram::settle() {
  nodes_.shrink_to_fit();
  drop_tables();
  for (const auto& node : nodes_) node->settle();
}

std::size_t FoldedProgram::memory_bytes() const {
  return places_.capacity() * sizeof(Place) + tails_.memory_bytes() + latest_.memory_bytes() +
         last_with_site_.memory_bytes();
}

}  // namespace reprise::trace_io
