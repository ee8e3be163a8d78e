// SPDX-License-Identifier: MIT
// Walks a trace as one rank saw it, event by event, without unrolling anything.
//
// Programs  compiles a trace once: ranks that execute the same nodes with the same field entries share one compiled program, so
//           memory is (distinct programs) × (nodes) + (ranks) × (a small cursor).
// Cursor    one per rank and thread: position, loop counters, and the positions of those sequences that are not constant.
// Cost      advance(): O(1) + O(vector elements); no allocation once its buffers have grown.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

class Programs {
 public:
  explicit Programs(const Trace&);  // the trace must outlive this
  ~Programs();
  const Trace& trace() const;
  std::size_t thread_count() const;
  bool has(Rank, std::size_t thread) const;  // whether the rank executes anything on that thread
  struct State;                              // the compiled form (programs.hpp), for cursors
  const State& state() const { return *state_; }

 private:
  std::unique_ptr<State> state_;
};

class Cursor {
 public:
  Cursor(const Programs&, Rank, std::size_t thread);
  Cursor copy() const;  // at the same event
  Cursor(Cursor&&) noexcept;
  Cursor& operator=(Cursor&&) noexcept;
  ~Cursor();

  bool advance();  // to the first, then to the next event; false at the end
  // It will soon advance, 2 to 0 steps from now, each a little after the one before: asks the processor for its memory, and for what the next
  // events read. Changes nothing.
  void prepare(unsigned steps) const;

  // Of the current event. REQUIRES: the last advance() returned true. Spans hold until the next advance().
  SiteId site() const;
  const Procedure& procedure() const;
  std::span<const std::int64_t> scalars() const;  // peers as codes in this rank's view
  std::span<const std::int64_t> vector(std::size_t index) const;
  const Leaf& leaf() const;
  // The recorded durations that apply: this rank's class, on the path that led here. Null where the trace has none.
  const DeltaClass* compute() const;
  const DeltaClass* communicate() const;

  // Loops. Depth 0 is the outermost loop around the current event.
  struct LoopPlace {
    std::uint32_t loop;  // number of the loop, the same for all ranks on this thread
    const Loop* node;
    bool is_everyones;  // all ranks of the job execute it
    std::uint64_t passed,
        left;  // full iterations over, and left with the one under way; 0 left in a partial one
  };
  std::uint32_t depth() const;
  bool began_iteration()
      const;  // the current event is the first of an iteration of at least one loop around it
  std::uint32_t begun() const;  // the outermost of these. REQUIRES: began_iteration()
  LoopPlace loop(std::uint32_t depth) const;
  // How many values are left in each changing sequence of the loop's body. TO is overwritten.
  void values_left(std::uint32_t depth, std::vector<std::uint64_t>& to) const;
  // For how many periods from here on every sequence of the body is known to repeat itself, where a period takes that many
  // values of each. Similar sizes: those of messages need not repeat, if they only scatter (similar_sizes.hpp): at each place in a period
  // their mean may DRIFT by so much of it. 0 where the body has tags stored as steps, since they change from iteration to iteration. Cost: O(terms of the sequences); similar sizes: up to 2²⁰ of their values.
  enum class Sizes : std::uint8_t { equal, similar, any };
  static constexpr double kLeastDrift = 0.05, kMostDrift = 0.25;
  std::uint64_t periods_alike(std::uint32_t depth, std::span<const std::uint64_t> values_per_period,
                              Sizes sizes = Sizes::equal, double drift = kLeastDrift) const;
  // The shortest period, in iterations, with which the body's sequences repeat themselves, but for similar sizes, in at least half of what
  // is left of the loop; 0 where none up to the longest does. REQUIRES: the current event is the first of an iteration of that loop.
  // Cost: that of walking LONGEST iterations, and of as many periods_alike().
  std::uint64_t period(std::uint32_t depth, std::uint64_t longest) const;
  // Leaves out so many iterations, that is periods, of the loop; the current event stays what it is. REQUIRES: fewer than left.
  void jump(std::uint32_t depth, std::uint64_t iterations, std::uint64_t periods,
            std::span<const std::uint64_t> values_per_period);

 private:
  struct State;
  explicit Cursor(std::unique_ptr<State>);
  std::unique_ptr<State> state_;
};

}  // namespace reprise::trace_io
