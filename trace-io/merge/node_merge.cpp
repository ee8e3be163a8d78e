// SPDX-License-Identifier: MIT
#include "trace-io/merge/node_merge.hpp"

#include <algorithm>
#include <iterator>

#include "trace-io/merge/alignment.hpp"
#include "trace-io/merge/delta_classes.hpp"
#include "trace-io/merge/field_join.hpp"
#include "trace-io/merge/pooled_class.hpp"
#include "trace-io/merge/program_side.hpp"
#include "trace-io/merge/written_out.hpp"

namespace reprise::trace_io {
namespace {

class ProgramMerge {
 public:
  explicit ProgramMerge(const MergeSetting& setting) : setting_(setting) {}

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
    Node both;
    both.ranks = setting_.unions.united(a.nodes[i].ranks, b.nodes[j].ranks);
    if (a.shapes[i].is_loop || b.shapes[j].is_loop) {
      become_loop(a, i);
      become_loop(b, j);
      both.content = merged_loops(std::get<Loop>(a.nodes[i].content), std::move(a.shapes[i].body),
                                  std::get<Loop>(b.nodes[j].content), std::move(b.shapes[j].body));
    } else {
      both.content =
          merged_leaves(std::get<Leaf>(a.nodes[i].content), std::get<Leaf>(b.nodes[j].content));
    }
    return both;
  }

  static void become_loop(ProgramSide& side, std::size_t i) {
    if (side.shapes[i].is_loop) return;
    side.nodes[i] = as_loop(side, i, i + 1);
    side.shapes[i] = std::move(shapes_of({&side.nodes[i], 1}).front());
  }

  Loop merged_loops(Loop& a, std::vector<NodeShape> shapes_a, Loop& b,
                    std::vector<NodeShape> shapes_b) {
    Loop both;
    both.body = merged(side_of_body(a, std::move(shapes_a)), side_of_body(b, std::move(shapes_b)));
    both.iterations =
        joined_plain(std::move(a.iterations), std::move(b.iterations), setting_.unions);
    both.exits = joined_plain(std::move(a.exits), std::move(b.exits), setting_.unions);
    return both;
  }

  Leaf merged_leaves(Leaf& a, Leaf& b) {
    Leaf both;
    both.site = a.site;
    both.fields = joined_fields(a, b, setting_.fields_of_site.at(a.site), setting_.communicators,
                                setting_.unions);
    both.compute = merged_paths(std::move(a.compute), std::move(b.compute));
    both.communicate =
        setting_.is_simulated_site.at(a.site)
            ? one_class(std::move(a.communicate), std::move(b.communicate), setting_.unions)
            : merged_classes(std::move(a.communicate), std::move(b.communicate));
    both.polls = a.polls + b.polls;
    return both;
  }

  std::vector<DeltaClass> merged_classes(std::vector<DeltaClass> a, std::vector<DeltaClass> b) {
    return united_classes(std::move(a), std::move(b), setting_.elapsed, setting_.unions);
  }

  std::vector<PathDeltas> merged_paths(std::vector<PathDeltas> a, std::vector<PathDeltas> b) {
    std::vector<PathDeltas> both;
    auto in_a = a.begin();
    auto in_b = b.begin();
    while (in_a != a.end() && in_b != b.end()) {
      if (in_a->predecessor < in_b->predecessor) {
        both.push_back(std::move(*in_a++));
      } else if (in_b->predecessor < in_a->predecessor) {
        both.push_back(std::move(*in_b++));
      } else {
        in_a->classes =
            pooled_classes(std::move(in_a->classes), std::move(in_b->classes), setting_.unions);
        both.push_back(std::move(*in_a++));
        ++in_b;
      }
    }
    std::move(in_a, a.end(), std::back_inserter(both));
    std::move(in_b, b.end(), std::back_inserter(both));
    return both;
  }

  const MergeSetting& setting_;
};

}  // namespace

std::vector<Node> merged_programs(std::vector<Node> a, std::vector<Node> b,
                                  const MergeSetting& setting) {
  return ProgramMerge(setting).merged(side_of_program(std::move(a)), side_of_program(std::move(b)));
}

}  // namespace reprise::trace_io
