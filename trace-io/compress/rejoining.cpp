// SPDX-License-Identifier: MIT
// Widening loops: ActiveLoops::can_rejoin() and rejoin().
//
// Why     a site is a procedure at a call path, so a site that a loop has was executed by that loop's code. If it comes out of
//         turn, code before it was not executed this time, or code was executed that never was so far. Without widening, each
//         such event would end all loops and start the program anew behind them: random branches would be written out.
// Start   a loop entered again at its start after it was left and something else happened is the sign of a loop around
//         both; at the top level FoldedProgram::fold() finds that loop.
#include <utility>

#include "trace-io/compress/active_loops.hpp"

namespace reprise::trace_io {

bool ActiveLoops::can_rejoin(FoldNode& loop, SiteId site, bool has_detour) {
  using How = Rejoining::How;
  reopen(loop);
  for (std::size_t level = stack_.size(); level-- > 0;) {
    const FoldLoop& inner = *stack_[level];
    const FoldBody& body = inner.body;
    rejoining_.level = level;
    path_.clear();
    if (inner.position > 0 && find_anywhere(body, inner.position, body.size(), site)) {
      rejoining_.how = How::ahead;
    } else if (path_.clear(); find(body, 0, body.size(), site) == Found::yes) {
      rejoining_.how = How::again;
      return level > 0 || !has_detour;
    } else if (path_.clear();
               find_anywhere(body, 0, inner.position > 0 ? inner.position : body.size(), site)) {
      rejoining_.how = inner.position > 0 ? How::next_pass : How::ahead;
    } else {
      continue;
    }
    if (!has_detour) return true;
    const std::int64_t position = inner.position;
    auto exits =
        inner.exits.mapped([=](std::int64_t exit) { return exit > position ? exit + 1 : exit; });
    if (!exits) return false;
    rejoining_.exits = std::move(*exits);
    return true;
  }
  return false;
}

// The first place that has the site, whatever stands before it.
bool ActiveLoops::find_anywhere(const FoldBody& body, std::size_t first, std::size_t last,
                                SiteId site) {
  for (std::size_t i = first; i < last; ++i) {
    const FoldLeaf* leaf = body[i]->leaf();
    if (leaf ? leaf->site != site
             : !find_anywhere(body[i]->loop()->body, 0, body[i]->loop()->body.size(), site))
      continue;
    path_.push_back(static_cast<std::uint32_t>(i));
    return true;
  }
  return false;
}

FoldLeaf* ActiveLoops::rejoin(std::unique_ptr<FoldNode>& loop, FoldBody detour) {
  const std::size_t level = rejoining_.level;
  if (rejoining_.how == Rejoining::How::again) {
    auto& place = level == 0 ? loop : stack_[level - 1]->place_of_last_done();
    begin_again(place, std::move(detour));
    stack_.resize(level);
    stack_.push_back(place->loop());
    path_.push_back(0);
    return go(level, false);
  }
  if (!detour.empty()) {
    if (path_.back() >= stack_[level]->position) ++path_.back();
    insert_detour(*stack_[level], std::move(detour));
  }
  return go(level, rejoining_.how == Rejoining::How::next_pass);
}

// The detour was executed in no pass before; those that came as far executed the node that it is put in front of.
void ActiveLoops::insert_detour(FoldLoop& loop, FoldBody detour) {
  const auto place = loop.body.begin() + static_cast<std::ptrdiff_t>(loop.position);
  const std::uint64_t passes = (*place)->executions();
  const bool is_loop = detour.size() == 1 && detour.front()->loop();
  auto node = is_loop ? std::move(detour.front()) : std::make_unique<FoldNode>(std::move(detour));
  node->loop()->prepend_empty_executions(passes);
  loop.body.insert(place, std::move(node));
  loop.exits = std::move(rejoining_.exits);
  ++loop.position;
}

// A loop around a loop and what comes behind it. So far each execution went through the inner loop once.
void ActiveLoops::begin_again(std::unique_ptr<FoldNode>& loop, FoldBody detour) {
  const std::uint64_t before = loop->executions() - 1;
  const bool has_detour = !detour.empty();
  detour.insert(detour.begin(), std::move(loop));
  loop = std::make_unique<FoldNode>(std::move(detour));
  if (before == 0) return;
  loop->loop()->iterations.append_run(has_detour ? 0 : 1, 0, before);
  loop->loop()->exits.append_run(has_detour ? 1 : 0, 0, before);
}

}  // namespace reprise::trace_io
