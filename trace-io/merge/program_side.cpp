// SPDX-License-Identifier: MIT
#include "trace-io/merge/program_side.hpp"

#include <algorithm>
#include <utility>

namespace reprise::trace_io {
namespace {

FieldValues constant_field(const RankList& ranks, std::int64_t value, std::uint64_t count) {
  FieldEntry entry;
  entry.ranks = ranks;
  entry.values.append_run(value, 0, count);
  FieldValues values;
  values.push_back(std::move(entry));
  return values;
}

// A full pass each iteration, and one more where the loop is left in the middle. An upper bound, since an entry may hold
// more values than its ranks use; at least 1, as a sequence has values.
std::uint64_t body_executions(const Loop& loop, bool is_flat) {
  std::uint64_t most = 1;
  for (const FieldEntry& entry : loop.iterations)
    most = std::max(
        most, static_cast<std::uint64_t>(entry.values.sum()) + (is_flat ? 0 : entry.values.size()));
  return most;
}

bool is_never_left_early(const Loop& loop) {
  return std::all_of(loop.exits.begin(), loop.exits.end(), [](const FieldEntry& entry) {
    return entry.values.empty() || (entry.values.front() == 0 && entry.values.is_constant());
  });
}

}  // namespace

ProgramSide side_of_program(std::vector<Node> nodes) {
  std::vector<NodeShape> shapes = shapes_of(nodes);
  return {std::move(nodes), std::move(shapes), 1, true};
}

ProgramSide side_of_body(Loop& loop, std::vector<NodeShape> shapes) {
  const bool is_flat = is_never_left_early(loop);
  const std::uint64_t executions = body_executions(loop, is_flat);
  return {std::move(loop.body), std::move(shapes), executions, is_flat};
}

Node as_loop(ProgramSide& side, std::size_t first, std::size_t last) {
  Node node;
  Loop loop;
  for (std::size_t i = first; i < last; ++i) {
    node.ranks = node.ranks.united(side.nodes[i].ranks);
    loop.body.push_back(std::move(side.nodes[i]));
  }
  loop.iterations = constant_field(node.ranks, 1, side.executions);
  loop.exits = constant_field(node.ranks, 0, side.executions);
  node.content = std::move(loop);
  return node;
}

}  // namespace reprise::trace_io
