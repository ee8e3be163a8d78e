// SPDX-License-Identifier: MIT
// One execution of a loop that all ranks share, watched until its iterations repeat: when, and by how much, they can be jumped over.
//
// What is watched   the times at which ranks begin iterations: c_r(k). Iteration k is complete when every rank has begun it.
// Exact             with deltas that never change, a replay is a max-plus system: where the vector of all ranks' times comes back
//                   shifted by one λ after p iterations, T(k+p) = T(k) + λ, and what is in flight depends on the iterations
//                   before, it does so for ever (Baccelli, Cohen, Olsder, Quadrat, "Synchronization and Linearity", 1992, §3.7).
//                   Held to be so when it was seen, for every rank within rounding, kStreak periods in a row.
// Drawn             with deltas that vary there is a mean iteration time and an interval around it (batch_means.hpp): steady when its
//                   half-width, with half of what rare deltas may add (rare_deltas.hpp), is below a tolerance and the first ranks gain no
//                   more than that on the last ones. Half of it is added: between nothing and all of it the middle is right to a half.
// Then              two more periods are watched closely: every sequence of parameters must repeat itself with the period in the
//                   first as in the iterations to be left out, take as many values in the second, and over the second, all ranks
//                   together, each message sent must have been received and each collective entered by all. So nothing piles up
//                   on the way, and the jump of all ranks at one iteration leaves everything matched.
// Ordered           where deltas follow a recorded order of which blocks were left out (trace-io/model/order_log.hpp), they repeat after
//                   OrderLog::kBlock executions within a group, and another group differs. So iterations are watched and left out
//                   OrderLog::kBlock at a time, only within stretches that repeat, and in each group anew. An order of which all was kept
//                   is played whole.
// Memory            about 150 bytes a rank while it is watched.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "sim/engine/compute/computing.hpp"
#include "sim/engine/critical_path/loop_paths.hpp"
#include "sim/engine/loop/actor.hpp"
#include "sim/engine/observe/observation.hpp"
#include "sim/engine/steady/batch_means.hpp"
#include "sim/engine/steady/jumps.hpp"
#include "sim/engine/steady/rare_deltas.hpp"
#include "sim/engine/steady/time_in_mpi.hpp"

namespace reprise::sim {

struct SteadySettings {
  bool is_drawn = false;         // deltas vary from execution to execution
  Computing* ordered = nullptr;  // and where they have an order they follow it; null: they do not
  double tolerance = 0.005;      // of a drawn loop's mean iteration time, relative
  double compute_scale = 1;
  double noise = 0;                    // seconds by which a network may round one time
  Observation* observation = nullptr;  // null: nobody watches
  Jumps* jumps = nullptr;
};

class SteadyLoop {
 public:
  static constexpr std::uint64_t kLongestPeriod = 8, kStreak = 4, kFewestIterations = 16;

  SteadyLoop(std::size_t ranks, const trace_io::Loop& loop, const SteadySettings& settings)
      : settings_(settings),
        loop_(loop),
        ranks_(ranks),
        rare_(settings.is_drawn ? RareDeltas(loop, settings.ordered != nullptr) : RareDeltas()),
        is_drawn_(!rare_.is_empty()),
        unit_(rare_.follows_order() ? trace_io::OrderLog::kBlock : 1),
        batches_(unit_ > 1 ? 1 : 4) {}
  // Begins to watch the next execution of the loop.
  void begin(std::uint64_t execution);
  std::uint64_t execution() const { return execution_; }
  // Others have left out iterations of it.
  void give_up() {
    phase_ = Phase::done;
    reason_.clear();
  }
  bool varies() const { return is_drawn_ || rare_.follows_order(); }
  bool repeats_blocks() const { return rare_.repeats_blocks(); }
  bool is_over() const {
    return left_ == ranks_.size();
  }  // all ranks are in their last iteration or behind it

  // The actor's cursor stands at the first event of an iteration. Whether it has jumped.
  bool on_iteration(Actor& actor, std::uint32_t rank, std::uint32_t depth,
                    const trace_io::Cursor::LoopPlace& place);

  // So far, over all executions.
  std::uint64_t skipped() const { return skipped_; }
  double error_bound() const { return error_bound_; }
  const std::string& reason() const {
    return reason_;
  }  // why nothing was skipped the last time; empty where something was
  double watched_for() const { return watched_for_; }  // seconds simulated, the longest execution

 private:
  enum class Phase : std::uint8_t { watching, probing, jumping, done };
  struct Account {
    double compute = 0, expected = 0, in_mpi = 0, wait = 0, at_memory = 0, longer_by_memory = 0;
    std::uint64_t operations = 0, messages = 0;
  };
  struct Part {  // a rank's
    std::array<double, kLongestPeriod + 1>
        times{};     // of its last iterations, by number modulo the size
    Account probed;  // over the second period that was watched closely
    // Since the period that was watched closely, where an order is followed; else over the last half of the iterations, or more.
    WatchedTimeInMpi watched;
    std::vector<std::uint64_t> values;        // left at the last place, then taken by a period
    std::vector<std::uint64_t> plays, taken;  // ordered: of deltas, likewise
    std::uint64_t stretches = 0;              // ordered: at its last iteration
    bool has_jumped = false;
    std::unique_ptr<Observation::LoopView> view;  // where somebody watches
  };
  struct Iteration {
    std::size_t begun = 0;  // by so many ranks
    double earliest = 0, latest = 0;
    std::uint64_t balance = 0;
    bool is_new = false;  // some rank has come to another stretch of an order
    std::array<double, kLongestPeriod + 1> least{},
        most{};  // over the ranks, of the time since so many iterations before
  };
  struct Past {
    double latest = 0;
    std::uint64_t balance = 0;
  };

  static Account account_of(const Actor&);
  void watch(Actor&, std::uint32_t rank, std::uint32_t depth, std::uint64_t iteration);
  void note(const Actor&, std::uint32_t rank, std::uint64_t iteration);
  void probe(Actor&, std::uint32_t rank, Part&, std::uint32_t depth, std::uint64_t iteration);
  void probe_deltas(std::uint32_t rank, Part&, bool is_first);
  void jump(Actor&, std::uint32_t rank, Part&, std::uint32_t depth);
  void watch_again(std::uint64_t from);
  void on_complete(std::uint64_t iteration, const Iteration&);
  bool is_steady(std::uint64_t iteration, const Iteration&);
  void decide(std::uint64_t iteration);
  std::uint64_t periods_before_window(std::uint64_t iteration) const;
  void try_again(std::uint64_t iteration, std::string reason);
  double rounding(double time) const;
  double unseen(const BatchMeans::Estimate& estimate) const {
    return rare_.unseen(estimate.values) * settings_.compute_scale;
  }

  const SteadySettings settings_;
  const trace_io::Loop& loop_;
  std::vector<Part> ranks_;
  const RareDeltas rare_;
  const bool is_drawn_;
  // Iterations that are watched as one; all numbers of iterations and periods below count these.
  const std::uint64_t unit_;
  std::uint64_t execution_ = 0;
  std::size_t left_ = 0;
  Phase phase_ = Phase::watching;
  std::uint64_t count_ = 0;           // iterations of the rank that has fewest
  std::uint64_t furthest_ = 0;        // begun by any rank
  std::uint64_t first_ = 0;           // number of iterations_.front()
  std::uint64_t from_ = 0;            // iterations before are not compared with
  std::deque<Iteration> iterations_;  // begun by some ranks and not yet by all
  static constexpr std::uint64_t kPast = 64;
  std::unique_ptr<LoopPaths> paths_;  // where somebody asks what times consist of
  std::array<Past, kPast> past_{};    // of the last complete ones, by number modulo the size
  std::array<double, kLongestPeriod + 1> step_{};  // of the streak: the time of so many iterations
  std::array<std::uint64_t, kLongestPeriod + 1>
      streak_{};  // so many iterations, one after the other, took it
  BatchMeans batches_;

  bool is_exact_ = false;
  std::uint64_t base_ = 1, period_ = 1;  // of times; of times and parameters
  std::uint64_t not_before_ = 0;
  bool was_refused_ = false;  // in this execution, for what its iterations do
  bool may_be_exact_ = true;  // deltas do not vary, or none that does was seen
  // probing
  std::uint64_t probe_from_ = 0, periods_alike_ = 0;
  bool takes_alike_ = true, is_one_stretch_ = true, has_shuffled_ = false;
  // jumping
  std::uint64_t jump_at_ = 0, periods_ = 0;
  double jump_time_ = 0;
  bool stops_at_window_ = false;  // that somebody watches: behind it, it may jump again
  std::size_t jumped_ = 0;        // ranks
  double began_ = 0, watched_for_ = 0;
  std::uint64_t skipped_ = 0;
  double error_bound_ = 0;
  std::string reason_;
};

}  // namespace reprise::sim
