// SPDX-License-Identifier: MIT
#include "trace-io/compress/active_loops.hpp"

#include <cstdint>
#include <memory>
#include <utility>

namespace reprise::trace_io {
namespace {

// Moves on to a node of the pass under way; what stands before it is executed zero times.
void skip_to(FoldLoop& loop, std::size_t index) {
  for (std::size_t i = loop.position; i < index; ++i) {
    if (loop.body[i]->leaf()) promote_leaf(loop.body[i]);  // only when rejoining
    loop.body[i]->loop()->start_execution();
  }
  loop.position = static_cast<std::uint32_t>(index);
}

constexpr std::size_t kLine = 64;  // of a cache

// All lines that have some of it.
void fetch(const void* begin, std::size_t bytes) {
  const auto* first = static_cast<const char*>(begin);
  const auto* line = first - reinterpret_cast<std::uintptr_t>(begin) % kLine;
  for (; line < first + bytes; line += kLine) __builtin_prefetch(line, 1);
}

// Calls from now: when a leaf's first line is fetched, and, as that tells, what else its call will touch. What that leads to follows in the calls between,
// one step each.
constexpr unsigned kFirstAhead = 5, kTimesAhead = 3;

void fetch_counters(const FoldLeaf& leaf) {
  if (leaf.waiting.are_times_due())
    fetch(leaf.counters.get(), sizeof *leaf.counters);
  else
    __builtin_prefetch(&leaf.counters->scalars, 1);
}

void fetch_parts(const FoldLeaf& leaf) {
  const LeafCounters& of = *leaf.counters;
  if (leaf.waiting.are_scalars_due())
    fetch(of.scalars.data(), of.scalars.size() * sizeof(ValueSequence));
  if (leaf.waiting.are_times_due() && of.latest_path < of.paths.size()) {
    fetch(&of.paths[of.latest_path], sizeof(LeafCounters::ComputePath));
    fetch(of.communicate.bins().data(), of.communicate.bins().size_bytes());
  }
}

void fetch_ends(const FoldLeaf& leaf) {
  const LeafCounters& of = *leaf.counters;
  if (!leaf.waiting.are_times_due() || of.latest_path >= of.paths.size()) return;
  const LeafCounters::ComputePath& path = of.paths[of.latest_path];
  fetch(path.compute.bins().data(), path.compute.bins().size_bytes());
  fetch(path.order.codes().data() + path.order.codes().size(), 1);
  fetch(path.order.sums().data() + path.order.sums().size(), 1);
}

}  // namespace

void ActiveLoops::fetch_next_of(const FoldLoop& loop) {
  const std::size_t size = loop.body.size(), next = loop.position;
  const auto after = [&](std::size_t calls) {
    return loop.body[next + calls < size ? next + calls : next + calls - size].get();
  };
  __builtin_prefetch(after(kFirstAhead), 1);
  due_ <<= 1U;
  if (const FoldLeaf* leaf = after(kTimesAhead)->leaf()) {
    __builtin_prefetch(leaf->waiting.next_times(), 1);
    if (leaf->waiting.are_times_due() || leaf->waiting.are_scalars_due()) {
      __builtin_prefetch(&leaf->counters, 1);
      due_ |= 1U;
    }
  }
  const auto due_after = [&](unsigned calls) {
    return (due_ >> (kTimesAhead - calls) & 1U) != 0 ? after(calls)->leaf() : nullptr;
  };
  if ((due_ & ((2U << kTimesAhead) - 2U)) == 0) [[likely]]
    return;
  if (const FoldLeaf* leaf = due_after(2)) fetch_counters(*leaf);
  if (const FoldLeaf* leaf = due_after(1)) fetch_parts(*leaf);
  if (const FoldLeaf* leaf = due_after(0)) fetch_ends(*leaf);
}

void ActiveLoops::reopen(FoldNode& last) {
  stack_.clear();
  for (FoldNode* node = &last; node && node->loop(); node = node->loop()->last_done())
    stack_.push_back({node, node->loop()});
}

FoldLeaf* ActiveLoops::search(SiteId site) {
  const WantedSite wanted(site);
  for (std::size_t level = stack_.size(); level-- > 0;) {
    if (!stack_[level].node->may_have(wanted)) continue;
    const FoldLoop& loop = *stack_[level].loop;
    path_.clear();
    const Found ahead = find(loop.body, loop.position, loop.body.size(), wanted);
    if (ahead == Found::yes) return go(level, false);
    if (ahead == Found::end && find(loop.body, 0, loop.position, wanted) == Found::yes)
      return go(level, true);
  }
  return repeat_last(site);
}

ActiveLoops::Found ActiveLoops::find(const FoldBody& body, std::size_t first, std::size_t last,
                                     const WantedSite& wanted) {
  for (std::size_t i = first; i < last; ++i) {
    const FoldNode& node = *body[i];
    if (const FoldLeaf* leaf = node.leaf()) {
      if (leaf->site != wanted.site) return Found::blocked;
    } else {
      if (!node.may_have(wanted)) continue;
      const FoldBody& inner = node.loop()->body;
      if (find(inner, 0, inner.size(), wanted) != Found::yes) continue;
    }
    path_.push_back(static_cast<std::uint32_t>(i));
    return Found::yes;
  }
  return Found::end;
}

FoldLeaf* ActiveLoops::go(std::size_t level, bool next_pass) {
  stack_.resize(level + 1);
  FoldLoop* loop = stack_.back().loop;
  if (next_pass) {
    skip_to(*loop, loop->body.size());
    loop->position = 0;
    ++loop->passes;
  }
  // What is passed over starts executions of inner loops, which is too late.
  if (loop->position == 0 && path_.back() > 0) loop->finish_iteration();
  for (;;) {
    const std::size_t index = path_.back();
    path_.pop_back();
    skip_to(*loop, index);
    loop->step();
    FoldNode& node = *loop->body[index];
    if (node.leaf()) return node.leaf();
    loop = node.loop();
    loop->start_execution();
    stack_.push_back({&node, loop});
  }
}

// A leaf of the innermost loop that comes twice in a row becomes a loop of its own; all its executions so far were of one pass.
// (Found by folding too, but only at the top level and after another pass.)
FoldLeaf* ActiveLoops::repeat_last(SiteId site) {
  FoldLoop& loop = *stack_.back().loop;
  const FoldNode* last = loop.last_done();
  if (!last || !last->leaf() || last->leaf()->site != site) return nullptr;
  auto& place = loop.place_of_last_done();
  promote_leaf(place);
  FoldLoop& repeated = *place->loop();
  stack_.push_back({place.get(), &repeated});
  repeated.step();
  return repeated.body.front()->leaf();
}

// Widening loops: ActiveLoops::can_rejoin() and rejoin().
//
// Why     a site is a procedure at a call path, so a site that a loop has was executed by that loop's code. If it comes out of
//         turn, code before it was not executed this time, or code was executed that never was so far. Without widening, each
//         such event would end all loops and start the program anew behind them: random branches would be written out.
// Start   a loop entered again at its start after it was left and something else happened is the sign of a loop around
//         both; at the top level FoldedProgram::fold() finds that loop.

bool ActiveLoops::can_rejoin(FoldNode& loop, SiteId site, bool has_detour) {
  using How = Rejoining::How;
  const WantedSite wanted(site);
  reopen(loop);
  for (std::size_t level = stack_.size(); level-- > 0;) {
    if (!stack_[level].node->may_have(wanted)) continue;
    FoldLoop& inner = *stack_[level].loop;
    const FoldBody& body = inner.body;
    rejoining_.level = level;
    path_.clear();
    if (inner.position > 0 && find_anywhere(body, inner.position, body.size(), wanted)) {
      rejoining_.how = How::ahead;
    } else if (path_.clear(); find(body, 0, body.size(), wanted) == Found::yes) {
      rejoining_.how = How::again;
      return level > 0 || !has_detour;
    } else if (path_.clear();
               find_anywhere(body, 0, inner.position > 0 ? inner.position : body.size(), wanted)) {
      rejoining_.how = inner.position > 0 ? How::next_pass : How::ahead;
    } else {
      continue;
    }
    if (!has_detour) return true;
    auto exits = inner.finished.exits_with_node_at(inner.position);
    if (!exits) return false;
    rejoining_.exits = std::move(*exits);
    return true;
  }
  return false;
}

// The first place that has the site, whatever stands before it.
bool ActiveLoops::find_anywhere(const FoldBody& body, std::size_t first, std::size_t last,
                                const WantedSite& wanted) {
  for (std::size_t i = first; i < last; ++i) {
    const FoldNode& node = *body[i];
    if (!node.may_have(wanted)) continue;
    const FoldLeaf* leaf = node.leaf();
    if (leaf ? leaf->site != wanted.site
             : !find_anywhere(node.loop()->body, 0, node.loop()->body.size(), wanted))
      continue;
    path_.push_back(static_cast<std::uint32_t>(i));
    return true;
  }
  return false;
}

FoldLeaf* ActiveLoops::rejoin(std::unique_ptr<FoldNode>& loop, FoldBody detour) {
  const std::size_t level = rejoining_.level;
  for (const Open& open : stack_)
    if (open.loop->recorded) open.loop->recorded->forget_leaves();
  const auto renew_to = [this](std::size_t changed) {
    for (std::size_t outer = changed + 1; outer-- > 0;) stack_[outer].node->renew_leaf_string();
  };
  if (rejoining_.how == Rejoining::How::again) {
    auto& place = level == 0 ? loop : stack_[level - 1].loop->place_of_last_done();
    begin_again(place, std::move(detour));
    stack_.resize(level);
    stack_.push_back({place.get(), place->loop()});
    renew_to(level);
    path_.push_back(0);
    return go(level, false);
  }
  if (!detour.empty()) {
    FoldLoop& open = *stack_[level].loop;
    // A detour at the start of a pass is part of that pass.
    if (open.position == 0) open.finish_iteration();
    if (path_.back() >= open.position) ++path_.back();
    insert_detour(open, std::move(detour));
    renew_to(level);
  }
  return go(level, rejoining_.how == Rejoining::How::next_pass);
}

// The detour was executed in no pass before; those that came as far executed the node that it is put in front of.
void ActiveLoops::insert_detour(FoldLoop& loop, FoldBody detour) {
  const auto place = loop.body.begin() + static_cast<std::ptrdiff_t>(loop.position);
  const std::uint64_t passes = (*place)->executions();
  const bool is_loop = detour.size() == 1 && detour.front()->loop();
  auto node = is_loop ? std::move(detour.front()) : std::make_unique<FoldNode>(std::move(detour));
  node->loop()->finished.prepend_empty(passes);
  loop.body.insert(place, std::move(node));
  loop.finished.assign_exits(std::move(rejoining_.exits));
  ++loop.position;
}

// A loop around a loop and what comes behind it. So far each execution went through the inner loop once, or, where that had no pass, is
// one without a pass of either.
void ActiveLoops::begin_again(std::unique_ptr<FoldNode>& loop, FoldBody detour) {
  const std::uint64_t before = loop->executions() - 1;
  const bool has_detour = !detour.empty();
  // Everything so far is the first iteration, if it is one execution.
  auto recorded = loop->loop()->recorded && before == 0
                      ? std::make_unique<LoopIterations>(loop->loop()->recorded->settings())
                      : nullptr;
  const ValueSequence went_through = loop->loop()->finished.leave_out_empty();
  detour.insert(detour.begin(), std::move(loop));
  loop = std::make_unique<FoldNode>(std::move(detour));
  loop->loop()->recorded = std::move(recorded);
  if (before == 0) return;
  LoopExecutions::Sequences outer;
  (has_detour ? outer.exits : outer.iterations) = went_through;
  (has_detour ? outer.iterations : outer.exits).append_run(0, 0, before);
  loop->loop()->finished.assign(std::move(outer));
}

}  // namespace reprise::trace_io
