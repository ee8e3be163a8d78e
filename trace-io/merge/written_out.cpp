// SPDX-License-Identifier: MIT
#include "trace-io/merge/written_out.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "trace-io/merge/alignment.hpp"

namespace reprise::trace_io {
namespace {

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
    if (!loop.is_loop || loop.body.size() > gap.last - from) continue;
    for (std::size_t i = from; i + loop.body.size() <= gap.last; ++i) {
      if (!same_structure(std::span(side.shapes).subspan(i, loop.body.size()), loop.body)) continue;
      found.push_back({i, i + loop.body.size()});
      from = found.back().last;
      break;
    }
  }
}

void fold(ProgramSide& side, const std::vector<Stretch>& stretches) {
  std::vector<Node> nodes;
  std::vector<NodeShape> shapes;
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
