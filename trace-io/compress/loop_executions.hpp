// SPDX-License-Identifier: MIT
// The finished executions of one loop of a program that is being folded: how many passes each had, and where in its body it was left.
//
// Empty    a loop that is passed over again and again only counts.
// Waiting  numbers that follow no rule are looked for among all that came before, which misses the caches. Where there are many of them,
//          executions wait and are added kMost at a time; what comes of it is the same.
// Ended    whoever asks for the whole wants the execution that is still open as well. Adding that to a copy without an index looks at all of its terms,
//          so settle() keeps what it gives.
// Cost     add(): that of ValueSequence::append(), or a few stores. Memory: 0.5 KiB more for a loop whose executions wait.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "trace-io/model/value_sequence.hpp"

namespace reprise::trace_io {

class LoopExecutions {
 public:
  struct Sequences {
    ValueSequence iterations, exits;  // equally long
  };

  void add(std::uint64_t passes, std::uint32_t exit) {
    const auto iteration = static_cast<std::int64_t>(passes);
    if (empty_ > 0 || has_waiting() || !all_.iterations.foresees(iteration) ||
        !all_.exits.foresees(exit))
      return add_unforeseen({passes, exit, 0});
    all_.iterations.append(iteration);
    all_.exits.append(exit);
  }
  void add_empty() { ++empty_; }
  void add_single_passes(std::uint64_t executions);  // that came to the body's end
  void append(const LoopExecutions& later);
  void prepend_empty(std::uint64_t executions);
  void assign(Sequences all);

  std::uint64_t count() const;
  // The exits as they would be with one more node in the body at this place; none where that takes too long to tell.
  std::optional<ValueSequence> exits_with_node_at(std::int64_t place);
  void assign_exits(ValueSequence exits);
  // Removes the executions without a pass. Returns a 1 for each execution that stays and a 0 for each that was removed, in order.
  // O(runs of their numbers), O(executions) where there are such.
  ValueSequence leave_out_empty();

  // With the open one, which has had so many passes and stands there.
  Sequences with_open(std::uint64_t passes, std::uint32_t position) const;
  // Frees what only further executions need, and keeps what with_open() gives now.
  void settle(std::uint64_t passes, std::uint32_t position);

  const Sequences& without_waiting() const { return all_; }
  // Beside that of these with all that they need to go on, which settle() frees more of than it keeps.
  std::size_t heap_bytes() const;

 private:
  static constexpr std::size_t kMost = 32;
  static constexpr std::size_t kManyTerms = 64;  // of what is irregular
  struct Execution {
    std::uint64_t passes = 0;
    std::uint32_t exit = 0, empty_before = 0;
  };
  struct Waiting {
    std::array<Execution, kMost> executions;
    std::size_t count = 0;
    std::uint64_t empty = 0;  // before all of these
    std::span<const Execution> in_order() const { return {executions.data(), count}; }
  };
  struct Ended {
    std::uint64_t count = 0, passes = 0;
    std::uint32_t position = 0;
    Sequences all;
  };

  bool has_waiting() const { return waiting_ && waiting_->count > 0; }
  std::span<const Execution> waiting() const {
    return waiting_ ? waiting_->in_order() : std::span<const Execution>();
  }
  bool is_irregular() const;
  void add_unforeseen(Execution);
  void add_all();
  static void add_to(Sequences&, std::span<const Execution>, std::uint64_t empty_behind);

  Sequences all_;  // but for those that wait, and the last `empty_`, which had no pass
  std::uint64_t empty_ = 0;
  std::unique_ptr<Waiting> waiting_;
  std::unique_ptr<Ended> ended_;
};

}  // namespace reprise::trace_io
