// SPDX-License-Identifier: MIT
#include "trace-io/walk/cut.hpp"

#include <algorithm>
#include <unordered_map>

namespace reprise::trace_io {
namespace {

// The first `count` values of a sequence, then one more.
ValueSequence prefix_and(const ValueSequence& whole, std::uint64_t count, std::int64_t last) {
  ValueSequence cut;
  for (ValueSequence::Cursor at(whole); count > 0;) {
    const auto run = at.run();
    const std::uint64_t taken = std::min(run.count, count);
    cut.append_run(run.start, run.stride, taken);
    at.skip(taken);
    count -= taken;
  }
  cut.append(last);
  return cut;
}

class Cut {
 public:
  explicit Cut(std::uint64_t events) : left_(events) {}

  void program(std::vector<Node>& nodes) {
    const std::size_t executed = walk(nodes, nodes.size());
    if (!is_cut_) return;
    nodes.resize(executed);
  }
  std::uint64_t left() const { return left_; }

 private:
  struct Under {  // a loop, over all its executions so far
    ValueSequence::Cursor iterations, exits;
    std::uint64_t executions = 0;
  };

  // Executes the first `count` nodes; how many of them were begun before the events ran out.
  std::size_t walk(std::vector<Node>& nodes, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      if (left_ == 0) {
        is_cut_ = true;
        return i;
      }
      if (auto* loop = std::get_if<Loop>(&nodes[i].content))
        execute(*loop);
      else
        --left_;
      if (is_cut_) return i + 1;
    }
    return count;
  }

  void execute(Loop& loop) {
    auto [entry, is_first] = under_.try_emplace(&loop);
    Under& under = entry->second;  // stays where it is while others are added
    if (is_first) {
      under.iterations = ValueSequence::Cursor(loop.iterations.front().values);
      under.exits = ValueSequence::Cursor(loop.exits.front().values);
    }
    const auto passes = static_cast<std::uint64_t>(under.iterations.next());
    const auto exit = static_cast<std::size_t>(under.exits.next());
    ++under.executions;
    std::uint64_t done = skip_passes(loop, passes);
    for (; done < passes; ++done) {
      const std::size_t executed = walk(loop.body, loop.body.size());
      if (is_cut_) return leave(loop, under, done, executed);
    }
    if (exit == 0) return;
    const std::size_t executed = walk(loop.body, exit);
    if (is_cut_) leave(loop, under, done, executed);
  }

  // Passes over a body of calls alone that fit in whole.
  std::uint64_t skip_passes(const Loop& loop, std::uint64_t passes) {
    const bool has_loops = std::any_of(loop.body.begin(), loop.body.end(), [](const Node& node) {
      return std::holds_alternative<Loop>(node.content);
    });
    if (has_loops) return 0;
    const std::uint64_t skipped = std::min(passes, left_ / loop.body.size());
    left_ -= skipped * loop.body.size();
    return skipped;
  }

  static void leave(Loop& loop, const Under& under, std::uint64_t passes, std::size_t executed) {
    const auto cut = [&](FieldValues& field, std::uint64_t last) {
      field.front().values =
          prefix_and(field.front().values, under.executions - 1, static_cast<std::int64_t>(last));
    };
    cut(loop.iterations, passes);
    cut(loop.exits, executed);
  }

  std::uint64_t left_;
  bool is_cut_ = false;
  std::unordered_map<const Loop*, Under> under_;
};

}  // namespace

std::uint64_t cut_program(std::vector<Node>& program, std::uint64_t events) {
  Cut cut(events);
  cut.program(program);
  return events - cut.left();
}

}  // namespace reprise::trace_io
