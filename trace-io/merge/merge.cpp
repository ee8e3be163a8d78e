// SPDX-License-Identifier: MIT
#include "trace-io/merge/merge.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "trace-io/iterations/ranks_iterations.hpp"
#include "trace-io/merge/alignment.hpp"
#include "trace-io/merge/delta_classes.hpp"
#include "trace-io/merge/field_join.hpp"
#include "trace-io/merge/finalize.hpp"
#include "trace-io/merge/program_side.hpp"
#include "trace-io/merge/rank_unions.hpp"
#include "trace-io/merge/tables.hpp"
#include "trace-io/model/communicators.hpp"
#include "trace-io/model/trace.hpp"
#include "trace-io/order/order_fit.hpp"

namespace reprise::trace_io {
namespace {

// Two programs of disjoint ranks become one.
//
// Order   every rank meets its nodes in the order it had: pairs ascend on both sides, and what stands between two pairs is kept
//         whole, a's before b's. The exits of loops stay right, since they count only the nodes that the rank takes part in.
// Cost    see alignment.hpp; the union of a pair costs its fields (field_join.hpp) and delta classes (delta_classes.hpp).

// What merging nodes needs to know of the united trace. All of it outlives the merge.
struct MergeSetting {
  std::vector<std::span<const FieldSpec>> fields_of_site;
  std::vector<bool>
      is_simulated_site;  // a replay computes the time inside the call: who spent how much of it is not kept
  const CommunicatorTable& communicators;
  Nanoseconds elapsed;
  RankUnions& unions;
};

// REQUIRES: the sites of both are numbered alike.
std::vector<Node> merged_programs(std::vector<Node> a, std::vector<Node> b, const MergeSetting&);

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
    both.clusters = united_iterations(std::move(a.clusters), std::move(b.clusters));
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
    std::ranges::merge(a.further, b.further, std::back_inserter(both.further), {},
                       &FurtherCalls::rank, &FurtherCalls::rank);
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

std::vector<Node> merged_programs(std::vector<Node> a, std::vector<Node> b,
                                  const MergeSetting& setting) {
  return ProgramMerge(setting).merged(side_of_program(std::move(a)), side_of_program(std::move(b)));
}

std::vector<std::span<const FieldSpec>> fields_of_sites(const Trace& trace) {
  std::vector<std::span<const FieldSpec>> of_procedure, of_site;
  for (const std::string& name : trace.procedures)
    of_procedure.push_back(fields(procedure_named(name)));
  for (const Site& site : trace.sites) of_site.push_back(of_procedure.at(site.procedure));
  return of_site;
}

// All but one-sided communication, files and what is not modelled: those may be played at their recorded times.
std::vector<bool> simulated_sites(const Trace& trace) {
  std::vector<bool> of_procedure, of_site;
  for (const std::string& name : trace.procedures)
    of_procedure.push_back(procedure_named(name).kind < Kind::window_create);
  for (const Site& site : trace.sites) of_site.push_back(of_procedure.at(site.procedure));
  return of_site;
}

bool holds_lower_rank(const Header& a, const Header& b) {
  return !a.recorded.empty() && (b.recorded.empty() || a.recorded.front() < b.recorded.front());
}

}  // namespace

Trace merge(Trace a, Trace b) {
  check_one_job(a, b);
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
  const MergeSetting setting{fields_of_sites(a), simulated_sites(a), communicators,
                             a.header.elapsed, unions};
  a.threads.resize(std::max(a.threads.size(), b.threads.size()));
  for (std::size_t thread = 0; thread < b.threads.size(); ++thread)
    a.threads[thread] =
        merged_programs(std::move(a.threads[thread]), std::move(b.threads[thread]), setting);
  limit_logs(a);
  if (a.header.recorded.size() == a.header.ranks) finalize(a);
  return a;
}

}  // namespace reprise::trace_io
