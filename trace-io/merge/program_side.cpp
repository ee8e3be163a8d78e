// SPDX-License-Identifier: MIT
#include "trace-io/merge/program_side.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "trace-io/merge/alignment.hpp"

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

struct Stretch {
  std::size_t first = 0, last = 0;
  std::size_t size() const { return last - first; }
};

bool same_structure(std::span<const NodeShape> x, std::span<const NodeShape> y) {
  return std::equal(
      x.begin(), x.end(), y.begin(), y.end(),
      [](const NodeShape& one, const NodeShape& other) { return one.hash == other.hash; });
}

// Where in the gap of one side the bodies of the other side's loops stand written out; ascending, disjoint.
void find_written_out(const ProgramSide& side, Stretch gap, const ProgramSide& other,
                      Stretch other_gap, std::vector<Stretch>& found) {
  if (other_gap.size() == 0 || gap.size() > kAlignWork / other_gap.size()) return;
  std::size_t from = gap.first;
  for (std::size_t l = other_gap.first; l < other_gap.last; ++l) {
    const NodeShape& loop = other.shapes[l];
    if (!loop.is_loop) continue;
    for (std::size_t i = from; i + loop.body.size() <= gap.last; ++i) {
      if (!same_structure(std::span(side.shapes).subspan(i, loop.body.size()), loop.body)) continue;
      found.push_back({i, i + loop.body.size()});
      from = found.back().last;
      break;
    }
  }
}

void fold(ProgramSide& side, const std::vector<Stretch>& stretches) {
  if (stretches.empty()) return;
  std::vector<Node> nodes;
  std::vector<NodeShape> shapes;
  nodes.reserve(side.nodes.size());
  shapes.reserve(side.shapes.size());
  std::size_t i = 0;
  const auto keep_until = [&](std::size_t end) {
    for (; i < end; ++i) {
      nodes.push_back(std::move(side.nodes[i]));
      shapes.push_back(std::move(side.shapes[i]));
    }
  };
  for (const Stretch& stretch : stretches) {
    keep_until(stretch.first);
    nodes.push_back(as_loop(side, stretch.first, stretch.last));
    shapes.push_back(std::move(shapes_of(std::span(nodes).last(1)).front()));
    i = stretch.last;
  }
  keep_until(side.nodes.size());
  side.nodes = std::move(nodes);
  side.shapes = std::move(shapes);
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

bool fold_written_out_loops(ProgramSide& a, ProgramSide& b, const IndexPairs& pairs) {
  std::vector<Stretch> in_a, in_b;
  std::size_t i = 0, j = 0;
  const auto search_gap = [&](std::size_t a_end, std::size_t b_end) {
    const Stretch gap_a{i, a_end}, gap_b{j, b_end};
    if (a.is_flat) find_written_out(a, gap_a, b, gap_b, in_a);
    if (b.is_flat) find_written_out(b, gap_b, a, gap_a, in_b);
  };
  for (const auto& [pair_a, pair_b] : pairs) {
    search_gap(pair_a, pair_b);
    i = pair_a + 1;
    j = pair_b + 1;
  }
  search_gap(a.nodes.size(), b.nodes.size());
  fold(a, in_a);
  fold(b, in_b);
  return !in_a.empty() || !in_b.empty();
}

}  // namespace reprise::trace_io
