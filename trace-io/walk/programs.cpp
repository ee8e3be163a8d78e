// SPDX-License-Identifier: MIT
#include "trace-io/walk/programs.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "trace-io/model/rank_list.hpp"
#include "trace-io/model/tag_steps.hpp"
#include "trace-io/walk/request_numbers.hpp"

namespace reprise::trace_io {
namespace {

// Ranks that are members of exactly the same ones of some rank lists, found by partition refinement.
//
// Cost    O(members of the distinct lists); equal lists are looked at once.
// Source  partition refinement: Paige and Tarjan, SIAM J. Comput. 16(6), 1987.

class RankGroups {
 public:
  explicit RankGroups(std::int32_t ranks);
  void refine(const RankList&);  // before any look-up of groups_in()

  std::uint32_t group_of(Rank rank) const {
    return group_of_[static_cast<std::size_t>(rank.value)];
  }
  std::size_t count() const { return sizes_.size(); }
  // The groups whose ranks are in the list, ascending. REQUIRES: refine() was called with an equal list.
  std::span<const std::uint32_t> groups_in(const RankList&);

 private:
  struct Known {
    RankList list;
    bool has_groups = false;
    std::vector<std::uint32_t> groups;
  };
  Known* known(const RankList&);

  std::vector<std::uint32_t> group_of_;
  std::vector<std::uint32_t> sizes_;    // by group
  std::vector<std::uint32_t> members_;  // by group, of the list at hand; all 0 between calls
  std::vector<std::uint32_t> rest_;     // by group that is being split: the new group
  std::unordered_map<std::uint64_t, std::vector<Known>> lists_;  // by hash
};

RankGroups::RankGroups(std::int32_t ranks)
    : group_of_(static_cast<std::size_t>(ranks), 0),
      sizes_{static_cast<std::uint32_t>(ranks)},
      members_{0},
      rest_{0} {}

RankGroups::Known* RankGroups::known(const RankList& list) {
  const auto found = lists_.find(list.hash());
  if (found == lists_.end()) return nullptr;
  for (auto& candidate : found->second)
    if (candidate.list == list) return &candidate;
  return nullptr;
}

void RankGroups::refine(const RankList& list) {
  if (known(list)) return;
  lists_[list.hash()].push_back({list, false, {}});
  if (list.size() == static_cast<std::int32_t>(group_of_.size())) return;
  const auto ranks = list.ranks();
  for (const Rank rank : ranks) ++members_[group_of(rank)];
  for (const Rank rank : ranks) {
    const std::uint32_t group = group_of(rank);
    if (members_[group] == 0) continue;  // wholly in the list, or made just now
    if (members_[group] == sizes_[group]) {
      members_[group] = 0;
      continue;
    }
    if (rest_[group] == 0) {
      rest_[group] = static_cast<std::uint32_t>(sizes_.size());
      sizes_.push_back(0);
      members_.push_back(0);
      rest_.push_back(0);
    }
    const std::uint32_t split = rest_[group];
    group_of_[static_cast<std::size_t>(rank.value)] = split;
    ++sizes_[split];
    --sizes_[group];
    if (--members_[group] == 0) rest_[group] = 0;
  }
}

std::span<const std::uint32_t> RankGroups::groups_in(const RankList& list) {
  Known& found = *known(list);
  if (!found.has_groups) {
    for (const Rank rank : list.ranks()) {
      const std::uint32_t group = group_of(rank);
      if (members_[group]++ == 0) found.groups.push_back(group);
    }
    for (const auto group : found.groups) members_[group] = 0;
    std::ranges::sort(found.groups);
    found.has_groups = true;
  }
  return found.groups;
}

void refine(RankGroups& groups, const std::vector<Node>& body) {
  for (const Node& node : body) {
    groups.refine(node.ranks);
    if (const Loop* loop = std::get_if<Loop>(&node.content)) refine(groups, loop->body);
  }
}

class Compiler {
 public:
  Compiler(const Trace& trace, const std::vector<Procedure>& procedures)
      : trace_(trace), procedures_(procedures), groups_(trace.header.ranks) {}

  CompiledThread compile(const std::vector<Node>& program) {
    thread_.is_timed_by_path = trace_.header.timing == Timing::path;
    refine(groups_, program);
    thread_.programs.resize(groups_.count());
    open_.resize(groups_.count());
    compile_body(program, 0);
    for (std::int32_t rank = 0; rank < trace_.header.ranks; ++rank)
      thread_.group_of.push_back(groups_.group_of(Rank{rank}));
    return std::move(thread_);
  }

 private:
  struct OpenLoop {
    std::uint32_t begin;
    std::vector<std::uint32_t> children;
  };

  void compile_body(const std::vector<Node>& body, std::size_t depth) {
    for (const Node& node : body) {
      const auto groups = groups_.groups_in(node.ranks);
      if (const Leaf* leaf = std::get_if<Leaf>(&node.content))
        compile_leaf(*leaf, groups, depth);
      else
        compile_loop(std::get<Loop>(node.content), node.ranks, groups, depth);
    }
  }

  void compile_leaf(const Leaf& leaf, std::span<const std::uint32_t> groups, std::size_t depth) {
    const auto index = static_cast<std::uint32_t>(thread_.plans.leaves.size());
    const auto kept = thread_.plans.add(leaf, procedures_[trace_.sites[leaf.site].procedure]);
    const LeafPlan& plan = thread_.plans.leaves.back();
    thread_.has_ages = thread_.has_ages || has_ages(leaf, *plan.procedure);
    has_tag_steps_.push_back(tells_tag_steps(leaf, plan.procedure->kind));
    thread_.has_tag_steps = thread_.has_tag_steps || has_tag_steps_.back();
    for (const auto group : groups) {
      if (open_[group].size() != depth) continue;  // not in the parent's list
      CompiledProgram& program = thread_.programs[group];
      append({.kind = Operation::Kind::leaf, .plan = index}, kept.numbers, kept.readers, group);
      program.scalars = std::max<std::uint32_t>(program.scalars, plan.scalars);
      program.vectors = std::max<std::uint32_t>(program.vectors, plan.vectors);
    }
  }

  void compile_loop(const Loop& loop, const RankList& ranks, std::span<const std::uint32_t> groups,
                    std::size_t depth) {
    const auto index = static_cast<std::uint32_t>(thread_.loops.size());
    thread_.loops.push_back(plan_loop(loop));
    thread_.loops.back().is_everyones = ranks.size() == trace_.header.ranks;
    const std::uint32_t numbers = thread_.loops.back().numbers,
                        readers = thread_.loops.back().readers;
    for (const auto group : groups) {
      if (open_[group].size() != depth) continue;
      CompiledProgram& program = thread_.programs[group];
      const auto begin = static_cast<std::uint32_t>(program.operations.size());
      const auto part = static_cast<std::uint32_t>(program.loops.size());
      program.loops.push_back({.plan = index, .first = begin + 1});
      append({.kind = Operation::Kind::loop_begin, .plan = part}, numbers, readers, group);
      open_[group].push_back({begin, {}});
      program.depth = std::max(program.depth, static_cast<std::uint32_t>(depth + 1));
    }
    compile_body(loop.body, depth + 1);
    for (const auto group : groups)
      if (open_[group].size() == depth + 1) close(group);
  }

  void append(Operation operation, std::uint32_t numbers, std::uint32_t readers,
              std::uint32_t group) {
    CompiledProgram& program = thread_.programs[group];
    operation.first_number = program.numbers;
    operation.first_reader = program.readers;
    program.numbers += numbers;
    program.readers += readers;
    if (!open_[group].empty())
      open_[group].back().children.push_back(static_cast<std::uint32_t>(program.operations.size()));
    program.operations.push_back(operation);
  }

  void close(std::uint32_t group) {
    CompiledProgram& program = thread_.programs[group];
    const OpenLoop loop = std::move(open_[group].back());
    open_[group].pop_back();
    Operation last = program.operations[loop.begin];
    last.kind = Operation::Kind::loop_end;
    LoopPart& part = program.loops[last.plan];
    part.behind = static_cast<std::uint32_t>(program.operations.size()) + 1;
    part.first_child = static_cast<std::uint32_t>(program.children.size());
    part.children = static_cast<std::uint32_t>(loop.children.size());
    part.has_tag_steps = std::any_of(program.operations.begin() + loop.begin,
                                     program.operations.end(), [this](const Operation& operation) {
                                       return operation.kind == Operation::Kind::leaf &&
                                              has_tag_steps_[operation.plan];
                                     });
    part.body_reader = last.first_reader + thread_.loops[part.plan].readers;
    part.end_reader = program.readers;
    program.children.insert(program.children.end(), loop.children.begin(), loop.children.end());
    program.operations.push_back(last);
  }

  const Trace& trace_;
  const std::vector<Procedure>& procedures_;
  RankGroups groups_;
  CompiledThread thread_;
  std::vector<std::vector<OpenLoop>> open_;  // by group
  std::vector<bool> has_tag_steps_;          // by leaf
};

}  // namespace

CompiledThread compile_thread(const std::vector<Node>& program, const Trace& trace,
                              const std::vector<Procedure>& procedures) {
  return Compiler(trace, procedures).compile(program);
}

Programs::State::State(const Trace& its_trace) : trace(its_trace), communicators(its_trace) {
  procedures.reserve(trace.procedures.size());
  for (const auto& name : trace.procedures) procedures.push_back(procedure_named(name));
  for (const Procedure& procedure : procedures) requests.push_back(request_fields(procedure));
  threads.reserve(trace.threads.size());
  for (const auto& program : trace.threads)
    threads.push_back(compile_thread(program, trace, procedures));
}

Programs::Programs(const Trace& trace) : state_(std::make_unique<State>(trace)) {}
Programs::~Programs() = default;

const Trace& Programs::trace() const { return state_->trace; }
std::size_t Programs::thread_count() const { return state_->threads.size(); }

bool Programs::has(Rank rank, std::size_t thread) const {
  return thread < state_->threads.size() &&
         !state_->threads[thread].program_of(rank).operations.empty();
}

}  // namespace reprise::trace_io
