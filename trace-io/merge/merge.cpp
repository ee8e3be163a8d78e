// SPDX-License-Identifier: MIT
#include "trace-io/merge/merge.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "trace-io/iterations/ranks_iterations.hpp"
#include "trace-io/merge/alignment.hpp"
#include "trace-io/merge/finalize.hpp"
#include "trace-io/merge/leaf_union.hpp"
#include "trace-io/merge/program_side.hpp"
#include "trace-io/merge/rank_unions.hpp"
#include "trace-io/merge/tables.hpp"
#include "trace-io/model/communicators.hpp"
#include "trace-io/model/time_pools.hpp"
#include "trace-io/model/trace.hpp"
#include "trace-io/order/order_fit.hpp"

namespace reprise::trace_io {
namespace {

// Two programs of disjoint ranks become one.
//
// Order   every rank meets its nodes in the order it had: pairs ascend on both sides, and what stands between two pairs is kept
//         whole, a's before b's. The exits of loops stay right, since they count only the nodes that the rank takes part in.
// Cost    see alignment.hpp; the union of a pair costs its fields (field_join.hpp) and delta classes (delta_classes.hpp).

class ProgramMerge {
 public:
  explicit ProgramMerge(const LeafUnion& leaves) : leaves_(leaves) {}

  std::vector<Node> merged(ProgramSide a, ProgramSide b) {
    IndexPairs pairs = aligned(a.shapes, b.shapes);
    if (pairs.size() < std::max(a.nodes.size(), b.nodes.size()) &&
        fold_written_out_loops(a, b, pairs))
      pairs = aligned(a.shapes, b.shapes);
    std::vector<Node> result;
    result.reserve(a.nodes.size() + b.nodes.size() - pairs.size());
    std::size_t i = 0, j = 0;
    const auto keep_apart = [&](std::size_t a_end, std::size_t b_end) {
      while (i < a_end) result.push_back(std::move(a.nodes[i++]));
      while (j < b_end) result.push_back(std::move(b.nodes[j++]));
    };
    for (const auto& [in_a, in_b] : pairs) {
      keep_apart(in_a, in_b);
      result.push_back(merged_pair(a, i++, b, j++));
    }
    keep_apart(a.nodes.size(), b.nodes.size());
    return result;
  }

 private:
  Node merged_pair(ProgramSide& a, std::size_t i, ProgramSide& b, std::size_t j) {
    if (a.shapes[i].is_loop || b.shapes[j].is_loop) {
      become_loop(a, i);
      become_loop(b, j);
      unite_loops(std::get<Loop>(a.nodes[i].content), std::move(a.shapes[i].body),
                  std::get<Loop>(b.nodes[j].content), std::move(b.shapes[j].body));
    } else {
      leaves_.unite(std::get<Leaf>(a.nodes[i].content), std::get<Leaf>(b.nodes[j].content));
    }
    a.nodes[i].ranks = leaves_.united(a.nodes[i].ranks, b.nodes[j].ranks);
    return std::move(a.nodes[i]);
  }

  static void become_loop(ProgramSide& side, std::size_t i) {
    if (side.shapes[i].is_loop) return;
    side.nodes[i] = as_loop(side, i, i + 1);
    side.shapes[i] = std::move(shapes_of({&side.nodes[i], 1}).front());
  }

  void unite_loops(Loop& a, std::vector<NodeShape> shapes_a, Loop& b,
                   std::vector<NodeShape> shapes_b) {
    a.body = merged(side_of_body(a, std::move(shapes_a)), side_of_body(b, std::move(shapes_b)));
    leaves_.unite_heads(a, b);
  }

  const LeafUnion& leaves_;
};

// Whether every node of one pairs with the node at its place in the other, as aligning them would have it.
bool are_in_step(const std::vector<Node>& a, const std::vector<Node>& b) {
  return std::ranges::equal(a, b, [](const Node& x, const Node& y) {
    if (x.content.index() != y.content.index()) return false;
    const Leaf* leaf = std::get_if<Leaf>(&x.content);
    if (leaf != nullptr) return leaf->site == std::get<Leaf>(y.content).site;
    return are_in_step(std::get<Loop>(x.content).body, std::get<Loop>(y.content).body);
  });
}

void unite_in_step(std::vector<Node>& a, std::vector<Node>& b, const LeafUnion& leaves) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (Leaf* leaf = std::get_if<Leaf>(&a[i].content)) {
      leaves.unite(*leaf, std::get<Leaf>(b[i].content));
    } else {
      Loop &in_a = std::get<Loop>(a[i].content), &in_b = std::get<Loop>(b[i].content);
      unite_in_step(in_a.body, in_b.body, leaves);
      leaves.unite_heads(in_a, in_b);
    }
    a[i].ranks = leaves.united(a[i].ranks, b[i].ranks);
  }
}

// REQUIRES: the sites of both are numbered alike.
void unite_programs(std::vector<Node>& a, std::vector<Node>& b, const LeafUnion& leaves) {
  if (are_in_step(a, b)) return unite_in_step(a, b, leaves);
  a = ProgramMerge(leaves).merged(side_of_program(std::move(a)), side_of_program(std::move(b)));
}

bool holds_lower_rank(const Header& a, const Header& b) {
  return !a.recorded.empty() && (b.recorded.empty() || a.recorded.front() < b.recorded.front());
}

}  // namespace

Trace unite(Trace a, Trace b) {
  check_one_job(a, b);
  release_pools(a);  // which of its calls matter little is another question for more ranks
  release_pools(b);
  // The side with the lowest rank gives the numbers and comes first, so that the order of the arguments makes no difference.
  if (holds_lower_rank(b.header, a.header)) std::swap(a, b);

  RankUnions unions;
  const std::vector<SiteId> site_numbers = unite_tables(a, b, unions);
  for (std::vector<Node>& program : b.threads) {
    renumber_sites(program, site_numbers);
    renumber_iterations(program, site_numbers);
  }
  renumber(b.marked_iterations, site_numbers);
  a.marked_iterations =
      united_iterations(std::move(a.marked_iterations), std::move(b.marked_iterations));

  const CommunicatorTable communicators(a);
  const LeafUnion leaves(a, communicators, unions);
  a.threads.resize(std::max(a.threads.size(), b.threads.size()));
  for (std::size_t thread = 0; thread < b.threads.size(); ++thread)
    unite_programs(a.threads[thread], b.threads[thread], leaves);
  limit_logs(a);
  return a;
}

Trace merge(Trace a, Trace b) {
  Trace both = unite(std::move(a), std::move(b));
  if (both.header.recorded.size() == both.header.ranks) finalize(both);
  return both;
}

}  // namespace reprise::trace_io
