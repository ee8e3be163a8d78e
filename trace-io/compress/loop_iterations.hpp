// SPDX-License-Identifier: MIT
// The iterations of one loop of a program that is being folded: where one ends and the next begins, and what each of them was like.
//
// Boundary   an iteration begins with the first event of a pass over the loop's body, which FoldLoop knows anyway: nothing is asked of an event.
//            Leaves keep sums over all of their executions; an iteration's profile is what has been added to them since the last boundary.
//            A pass that was left in the middle is an iteration, too.
// First ones a loop is known for a loop when its second pass is over. The profiles of both passes are then still apart, in the two copies
//            that are folded, so no iteration is missed and nothing is kept in advance.
// Which loop every loop has its iterations recorded until a loop around it has kEnough of them; then only the outer one has. At the end
//            chosen_loop() takes the outermost loop in which most time was spent, but goes inwards where that has fewer than kEnough iterations and a
//            loop within it takes kNearlyAll of the time: time steps of two repetitions, steps between outputs, a solver that is called a few times.
//            Ranks near that border would choose differently, so all ranks' times decide (IterationLevels), where there are others.
//            Which of several nested loops is meant is a question of taste; marks (ThreadCompressor::mark) settle it.
// Lost       where several executions were folded without anybody having watched them (a call that became a loop within another one), the
//            iterations of that loop are not known; it is out of the choice.
// Cost       an iteration: a few ns a leaf of the loop, and IterationClustering::add().
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "trace-io/iterations/clustering.hpp"
#include "trace-io/iterations/main_loop.hpp"

namespace reprise::trace_io {

struct FoldNode;
struct FoldLeaf;
struct FoldLoop;
using FoldBody = std::vector<std::unique_ptr<FoldNode>>;

class LoopIterations {
 public:
  static constexpr std::uint64_t kEnough = kEnoughIterations;

  explicit LoopIterations(IterationClustering::Settings settings)
      : settings_(settings), clusters_(settings) {}

  // What the leaves have got since the last boundary is an iteration, unless it is nothing.
  void finish(const FoldBody&);
  // It is none: the next iteration begins now.
  void begin_anew(const FoldBody&);
  // The iterations of a later loop of the same leaves behind these.
  void append(const LoopIterations& later);
  // The leaves are not the same any more, or at another place.
  void forget_leaves() { leaves_.clear(); }

  const IterationClustering::Settings& settings() const { return settings_; }
  std::uint64_t iterations() const { return clusters_.iterations(); }
  bool is_given_up() const { return clusters_.is_given_up(); }
  std::uint64_t nanoseconds() const { return nanoseconds_; }  // of all iterations
  // With the iteration under way, if there is one. None where nothing can be told.
  std::optional<RankIterations> result(const FoldBody&, Rank) const;
  std::size_t heap_bytes() const;

 private:
  struct WatchedLeaf {
    const FoldLeaf* leaf;
    std::size_t place;  // of its site in counted_
  };
  void find_leaves(const FoldBody&);
  void add_up(const FoldBody&);
  void close(const FoldBody&);

  IterationClustering::Settings settings_;
  IterationClustering clusters_;
  IterationProfile counted_;         // up to the last boundary; sites without calls are possible
  std::vector<WatchedLeaf> leaves_;  // empty: to be looked up
  std::vector<IterationMetrics> now_;
  IterationProfile profile_;
  std::uint64_t nanoseconds_ = 0;
  bool is_alone_ = false;  // inner loops were told to stop
};

// The loops in there record none of their iterations any more.
void drop_iterations(const FoldBody&);

// The loop whose iterations are told.
struct ChosenLoop {
  const FoldLoop* loop = nullptr;  // null where there is none
  bool is_given_up = false;        // it is known, but there is nothing to tell
};
// How far inwards is decided by OF_ALL ranks' times, if given, as far as they go; else by the program's own.
ChosenLoop chosen_loop(const FoldBody& program, const IterationLevels* of_all = nullptr);
// What the program's loops take, for the ranks' vote. Allocates nothing.
IterationLevels iteration_levels(const FoldBody& program);

}  // namespace reprise::trace_io
