// SPDX-License-Identifier: MIT
#include "trace-io/compress/active_loops.hpp"

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

}  // namespace

void ActiveLoops::reopen(FoldNode& last) {
  stack_.clear();
  for (FoldNode* node = &last; node && node->loop(); node = node->loop()->last_done())
    stack_.push_back(node->loop());
}

FoldLeaf* ActiveLoops::search(SiteId site) {
  for (std::size_t level = stack_.size(); level-- > 0;) {
    const FoldLoop& loop = *stack_[level];
    path_.clear();
    const Found ahead = find(loop.body, loop.position, loop.body.size(), site);
    if (ahead == Found::yes) return go(level, false);
    if (ahead == Found::end && find(loop.body, 0, loop.position, site) == Found::yes)
      return go(level, true);
  }
  return repeat_last(site);
}

ActiveLoops::Found ActiveLoops::find(const FoldBody& body, std::size_t first, std::size_t last,
                                     SiteId site) {
  for (std::size_t i = first; i < last; ++i) {
    if (const FoldLeaf* leaf = body[i]->leaf()) {
      if (leaf->site != site) return Found::blocked;
    } else if (const FoldBody& inner = body[i]->loop()->body;
               find(inner, 0, inner.size(), site) != Found::yes) {
      continue;
    }
    path_.push_back(static_cast<std::uint32_t>(i));
    return Found::yes;
  }
  return Found::end;
}

FoldLeaf* ActiveLoops::go(std::size_t level, bool next_pass) {
  stack_.resize(level + 1);
  FoldLoop* loop = stack_.back();
  if (next_pass) {
    skip_to(*loop, loop->body.size());
    loop->position = 0;
    ++loop->passes;
  }
  for (;;) {
    const std::size_t index = path_.back();
    path_.pop_back();
    skip_to(*loop, index);
    loop->step();
    FoldNode& node = *loop->body[index];
    if (node.leaf()) return node.leaf();
    loop = node.loop();
    loop->start_execution();
    stack_.push_back(loop);
  }
}

// A leaf of the innermost loop that comes twice in a row becomes a loop of its own; all its executions so far were of one pass.
// (Found by folding too, but only at the top level and after another pass.)
FoldLeaf* ActiveLoops::repeat_last(SiteId site) {
  FoldLoop& loop = *stack_.back();
  const FoldNode* last = loop.last_done();
  if (!last || !last->leaf() || last->leaf()->site != site) return nullptr;
  auto& place = loop.place_of_last_done();
  promote_leaf(place);
  FoldLoop& repeated = *place->loop();
  stack_.push_back(&repeated);
  repeated.step();
  return repeated.body.front()->leaf();
}

}  // namespace reprise::trace_io
