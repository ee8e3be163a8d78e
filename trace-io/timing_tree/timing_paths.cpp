// SPDX-License-Identifier: MIT
#include "trace-io/timing_tree/timing_paths.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "trace-io/base/error.hpp"
#include "trace-io/walk/field_plan.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::int64_t kNothing = -1;  // of an execution that has no call: what was before stays
constexpr double kLongest = 4e6;       // s, of one duration: a third of what 63 bits hold

ValueSequence constant(std::int64_t value, std::uint64_t times) {
  ValueSequence values;
  if (times > 0) values.append_run(value, 0, times);
  return values;
}

// f of the first n values.
template <class F>
ValueSequence mapped(const ValueSequence& values, std::uint64_t n, const F& f) {
  if (values.size() == n)
    if (auto result = values.mapped(f)) return std::move(*result);
  ValueSequence result;
  ValueSequence::Cursor cursor(values);
  while (result.size() < n) {
    const auto run = cursor.run();
    const std::uint64_t count = std::min(run.count, n - result.size());
    if (run.stride == 0) {
      result.append_run(f(run.start), 0, count);
      cursor.skip(count);
    } else {
      for (std::uint64_t i = 0; i < count; ++i) result.append(f(cursor.next()));
    }
  }
  return result;
}

class Builder {
 public:
  // Either of the two is given.
  Builder(const Trace& trace, Rank rank, const TimingTree::Duration* duration,
          const VisitPath* visit)
      : trace_(trace),
        rank_(rank),
        by_path_(trace.header.timing == Timing::path),
        duration_(duration),
        visit_(visit) {}

  std::unique_ptr<TimingNode> program(const std::vector<Node>& nodes) {
    auto root = std::make_unique<TimingNode>();
    root->executions = 1;
    root->iteration_values = constant(1, 1);
    root->exit_values = constant(0, 1);
    Ends ends;
    count(*root, nodes, ends);
    set_paths(*root, ends, constant(std::int64_t{kNoSite}, 1));
    return root;
  }

 private:
  // With which call each execution of a node ends, with those of its children; kNothing: it has none.
  struct Ends {
    ValueSequence last;
    std::vector<Ends> of_children;
    bool is_constant() const {
      return last.empty() || (last.is_constant() && last.front() != kNothing);
    }
  };

  static const ValueSequence& values_of(const FieldValues& entries, Rank rank) {
    static const ValueSequence none;
    const FieldEntry* entry = ranked_for(entries, rank);
    return entry == nullptr ? none : entry->values;
  }

  void count_exits(TimingNode& node) const {
    std::vector<std::int64_t> places;
    ValueSequence::Cursor cursor(node.exit_values);
    for (std::uint64_t seen = 0; seen < node.executions;) {
      const auto run = cursor.run();
      const std::uint64_t here = std::min(run.count, node.executions - seen);
      const std::uint64_t different = run.stride == 0 ? 1 : here;
      for (std::uint64_t i = 0; i < different; ++i)
        places.push_back(advanced(run.start, run.stride, i));
      cursor.skip(here);
      seen += here;
      if (places.size() > 4096) reduce(places);
    }
    reduce(places);
    for (const std::int64_t place : places) {
      if (place == 0) continue;
      node.left.push_back({static_cast<std::uint64_t>(place),
                           PrefixSums(mapped(node.exit_values, node.executions,
                                             [&](std::int64_t exit) -> std::int64_t {
                                               return exit >= place ? 1 : 0;
                                             }))});
    }
  }
  static void reduce(std::vector<std::int64_t>& values) {
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
  }

  // Upwards. REQUIRES: executions and values of the loop are set.
  void count(TimingNode& node, const std::vector<Node>& body, Ends& ends) {
    std::vector<const Node*> members;
    for (const Node& child : body)
      if (child.ranks.contains(rank_)) members.push_back(&child);
    const auto most = static_cast<std::int64_t>(members.size());
    node.exit_values = mapped(node.exit_values, node.executions,
                              [most](std::int64_t exit) { return std::min(exit, most); });
    node.iterations = PrefixSums(node.iteration_values);
    node.exits = PrefixSums(node.exit_values);
    count_exits(node);
    const auto passes = static_cast<std::uint64_t>(node.iterations.sum(node.executions));
    for (std::size_t i = 0; i < members.size(); ++i) {
      auto& child = *node.children.emplace_back(std::make_unique<TimingNode>());
      auto& child_ends = ends.of_children.emplace_back();
      child.executions = passes + node.partial(i, node.executions);
      if (const auto* loop = std::get_if<Loop>(&members[i]->content)) {
        child.loop = loop;
        child.iteration_values = values_of(loop->iterations, rank_);
        child.exit_values = values_of(loop->exits, rank_);
        count(child, loop->body, child_ends);
      } else {
        child.leaf = &std::get<Leaf>(members[i]->content);
        child_ends.last = constant(std::int64_t{child.leaf->site}, child.executions);
      }
    }
    find_last(node, ends);
  }

  static bool is_regular(const Ends& ends) {
    return !ends.of_children.empty() &&
           std::ranges::all_of(ends.of_children, [](const Ends& one) { return one.is_constant(); });
  }
  static std::int64_t only(const Ends& ends) {
    return ends.last.empty() ? kNothing : ends.last.front();
  }

  static void find_last(const TimingNode& node, Ends& ends) {
    const auto& children = ends.of_children;
    if (children.empty()) {
      ends.last = constant(kNothing, node.executions);
      return;
    }
    const auto last_of = [&](std::int64_t exit) {
      return only(exit > 0 ? children[static_cast<std::size_t>(exit) - 1] : children.back());
    };
    if (is_regular(ends) && node.exits.is_constant() && node.executions > 0) {
      const std::int64_t exit = node.exits.at(0), last = last_of(exit);
      ends.last = mapped(node.iteration_values, node.executions, [&](std::int64_t iterations) {
        return iterations > 0 || exit > 0 ? last : kNothing;
      });
      return;
    }
    std::vector<ValueSequence::Cursor> cursors;
    for (const Ends& child : children) cursors.emplace_back(child.last);
    ValueSequence::Cursor iterations(node.iteration_values), exits(node.exit_values);
    const bool regular = is_regular(ends);
    for (std::uint64_t k = 0; k < node.executions; ++k) {
      const std::int64_t passes = iterations.next(), exit = exits.next();
      std::int64_t last = kNothing;
      if (regular) {
        if (passes > 0 || exit > 0) last = last_of(exit);
      } else {
        each_pass(passes, exit, children.size(), [&](std::size_t child) {
          const std::int64_t here = cursors[child].next();
          if (here != kNothing) last = here;
        });
      }
      ends.last.append(last);
    }
  }

  template <class Visit>
  static void each_pass(std::int64_t passes, std::int64_t exit, std::size_t children,
                        const Visit& visit) {
    for (std::int64_t pass = 0; pass < passes; ++pass)
      for (std::size_t child = 0; child < children; ++child) visit(child);
    for (std::size_t child = 0; child < static_cast<std::size_t>(exit); ++child) visit(child);
  }

  // Downwards: BEFORE has the calls before the executions.
  void set_paths(TimingNode& node, const Ends& ends, const ValueSequence& before) {
    if (node.leaf != nullptr) {
      if (visit_ != nullptr) return visit_paths(node, before);
      node.communicate = ticks_of(node.leaf->communicate);
      std::map<std::int64_t, std::int64_t> known;
      node.compute = PrefixSums(mapped(before, node.executions, [&](std::int64_t predecessor) {
        const auto [at, is_new] = known.try_emplace(predecessor, 0);
        if (is_new) at->second = compute_of(*node.leaf, predecessor);
        return at->second;
      }));
      return node.close();
    }
    auto before_children = paths_of_children(node, ends, before);
    for (std::size_t i = 0; i < node.children.size(); ++i)
      set_paths(*node.children[i], ends.of_children[i], before_children[i]);
    if (visit_ == nullptr) node.close();
  }

  void visit_paths(const TimingNode& node, const ValueSequence& before) const {
    for (const PathDeltas& path : node.leaf->compute) {
      std::uint64_t executions = node.executions;
      if (node.leaf->compute.size() > 1)
        executions = static_cast<std::uint64_t>(
            PrefixSums(mapped(before, node.executions,
                              [&](std::int64_t predecessor) -> std::int64_t {
                                return predecessor == std::int64_t{path.predecessor} ? 1 : 0;
                              }))
                .sum(node.executions));
      (*visit_)(*node.leaf, path, executions);
    }
  }

  std::vector<ValueSequence> paths_of_children(const TimingNode& node, const Ends& ends,
                                               const ValueSequence& before) const {
    const auto& children = ends.of_children;
    std::vector<ValueSequence> paths(children.size());
    if (children.empty()) return paths;
    if (!by_path_) {
      for (std::size_t i = 0; i < children.size(); ++i)
        paths[i] = constant(std::int64_t{kNoSite}, node.children[i]->executions);
      return paths;
    }
    if (is_regular(ends)) {
      for (std::size_t i = 1; i < children.size(); ++i)
        paths[i] = constant(only(children[i - 1]), node.children[i]->executions);
      paths.front() = entries(node, before, only(children.back()));
      return paths;
    }
    std::vector<ValueSequence::Cursor> cursors;
    for (const Ends& child : children) cursors.emplace_back(child.last);
    ValueSequence::Cursor iterations(node.iteration_values), exits(node.exit_values), from(before);
    for (std::uint64_t k = 0; k < node.executions; ++k) {
      std::int64_t last = from.next();
      const std::int64_t passes = iterations.next(), exit = exits.next();
      each_pass(passes, exit, children.size(), [&](std::size_t child) {
        paths[child].append(last);
        const std::int64_t here = cursors[child].next();
        if (here != kNothing) last = here;
      });
    }
    return paths;
  }

  // Of a first child: each execution of the loop comes from before it once, then from its own end.
  static ValueSequence entries(const TimingNode& node, const ValueSequence& before,
                               std::int64_t own_end) {
    if (node.executions == 0) return {};
    const auto passes = [](std::int64_t iterations, std::int64_t exit) {
      return static_cast<std::uint64_t>(iterations + (exit > 0 ? 1 : 0));
    };
    if (before.is_constant() && node.iterations.is_constant() && node.exits.is_constant()) {
      const std::uint64_t each = passes(node.iterations.at(0), node.exits.at(0));
      if (before.front() == own_end) return constant(own_end, each * node.executions);
      if (each < 2) return constant(before.front(), each * node.executions);
      ValueSequence one = constant(before.front(), 1);
      one.append_run(own_end, 0, each - 1);
      if (node.executions == 1) return one;
      std::vector<ValueSequence::Term> terms = one.terms();
      terms.insert(terms.begin(),
                   {true, 0, 0, node.executions, static_cast<std::uint32_t>(terms.size())});
      return ValueSequence::from_terms(terms);
    }
    ValueSequence result;
    ValueSequence::Cursor iterations(node.iteration_values), exits(node.exit_values), from(before);
    for (std::uint64_t k = 0; k < node.executions; ++k) {
      const std::int64_t first = from.next();
      const std::uint64_t each = passes(iterations.next(), exits.next());
      if (each == 0) continue;
      result.append(first);
      if (each > 1) result.append_run(own_end, 0, each - 1);
    }
    return result;
  }

  std::int64_t compute_of(const Leaf& leaf, std::int64_t predecessor) const {
    const auto path =
        std::ranges::find(leaf.compute, static_cast<SiteId>(predecessor), &PathDeltas::predecessor);
    return path == leaf.compute.end() ? 0 : ticks_of(path->classes);
  }

  // As a cursor chooses: a class that is alone holds for all.
  std::int64_t ticks_of(const std::vector<DeltaClass>& classes) const {
    const DeltaClass* found = classes.size() == 1 ? &classes.front() : ranked_for(classes, rank_);
    if (found == nullptr) return 0;
    const double time = (*duration_)(*found).value;
    if (time > kLongest)
      throw InputError("the trace of " + trace_.header.program,
                       "has a duration of " + std::to_string(time) + " s, longer than 4000000 s",
                       "`reprise trace check` lists its further problems");
    return static_cast<std::int64_t>(TimingTree::ticks(Seconds{time}));
  }

  const Trace& trace_;
  const Rank rank_;
  const bool by_path_;
  const TimingTree::Duration* const duration_;
  const VisitPath* const visit_;
};

}  // namespace

std::unique_ptr<TimingNode> timed_program(const Trace& trace, std::size_t thread, Rank rank,
                                          const TimingTree::Duration& duration) {
  return Builder(trace, rank, &duration, nullptr).program(trace.threads[thread]);
}

void count_paths(const Trace& trace, std::size_t thread, Rank rank, const VisitPath& visit) {
  Builder(trace, rank, nullptr, &visit).program(trace.threads[thread]);
}

}  // namespace reprise::trace_io
