// SPDX-License-Identifier: MIT
#include "trace-io/compress/alignment.hpp"

#include <iterator>
#include <utility>

namespace reprise::trace_io {
namespace {

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

}  // namespace

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
        x.loop()->append_executions_of(*y.loop());
        x.loop()->body = united(std::move(x.loop()->body), std::move(y.loop()->body));
        result.push_back(std::move(earlier[i++]));
        ++j;
        break;
      case Match::earlier_is_loop_of: {
        const std::size_t used = nodes_of_length(Nodes(later).subspan(j), x.length);
        x.loop()->append_single_passes(y.executions());
        x.loop()->body = united(std::move(x.loop()->body), taken(later, j, used));
        result.push_back(std::move(earlier[i++]));
        j += used;
        break;
      }
      case Match::later_is_loop_of: {
        const std::size_t used = nodes_of_length(Nodes(earlier).subspan(i), y.length);
        const std::uint64_t executions = x.executions();
        auto node =
            std::make_unique<FoldNode>(united(taken(earlier, i, used), std::move(y.loop()->body)));
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

}  // namespace reprise::trace_io
