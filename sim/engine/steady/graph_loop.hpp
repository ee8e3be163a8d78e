// SPDX-License-Identifier: MIT
// One execution of a loop whose compute times vary, foretold by the graph of its events.
//
// Idea      what each execution computes is known before it is replayed: it is in the trace, in its order or shuffled by a seed. Only how
//           messages delay each other is not. So a period's events are written down (loop_tape.hpp), and the graph that they make
//           (event_graph.hpp) is advanced beside the replay, over the same compute times: long ones, however rare, meet the same
//           iterations of the same ranks in both. It is a control variate (Law, "Simulation Modeling and Analysis", §11.4) with
//           coefficient one: what is estimated is only by how much an iteration of the replay is longer than one of the graph.
// Known     by batch means of that difference (batch_means.hpp): once the 99 % bound for the iterations to be left out,
//           t·√(M²σ²/n + Mσ²) for M of them after n, is below a tolerance of their time.
// Then      the graph alone is advanced over M iterations, and each rank goes on where its own clock in the graph has come to: the earliest
//           jumps (Actor::skipped), the others have computed longer. What they have computed and played is exact.
// Again     half of what is left is left out at a time, and a few iterations replayed in between: they tell whether the difference stays what
//           it was, and count for it.
// Cost      that of the graph: 5 ns an event and 20 ns a compute time, for iterations left out as well.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/engine/compute/computing.hpp"
#include "sim/engine/critical_path/loop_paths.hpp"
#include "sim/engine/loop/runtime.hpp"
#include "sim/engine/observe/observation.hpp"
#include "sim/engine/steady/jumps.hpp"
#include "sim/engine/steady/sampled_difference.hpp"
#include "sim/engine/steady/time_in_mpi.hpp"
#include "sim/engine/tape/event_graph.hpp"
#include "sim/engine/tape/loop_tape.hpp"

namespace reprise::sim {

class GraphLoop {
 public:
  static constexpr std::uint64_t kFewestIterations = 32;

  struct Settings {
    Runtime* runtime = nullptr;
    Computing* computing = nullptr;
    double tolerance = 0.005;
    Observation* observation = nullptr;  // null: nobody watches
    Jumps* jumps = nullptr;
  };
  GraphLoop(std::size_t ranks, const Settings& settings) : settings_(settings), ranks_(ranks) {}
  // Begins to watch the next execution of the loop, of so many iterations. NOT_BEFORE: its iteration with that number.
  void begin(std::uint64_t execution, std::uint64_t iterations, std::uint64_t not_before);
  std::uint64_t execution() const { return execution_; }
  bool is_over() const { return left_ == ranks_.size(); }
  // The rank may be in its last iteration.
  void note_left(const Actor& actor, std::uint32_t depth);
  // Others have left out iterations of it.
  void give_up() { end({}); }

  // The actor's cursor stands at the first event of an iteration. Whether it has jumped.
  bool on_iteration(Actor& actor, std::uint32_t rank, std::uint32_t depth,
                    const trace_io::Cursor::LoopPlace& place);

  // So far, over all executions.
  std::uint64_t skipped() const { return skipped_; }
  double error_bound() const {
    return error_bound_ + (difference_.left_out() > 0 ? difference_.bound(0, {}) : 0);
  }
  const std::string& reason() const { return reason_; }

 private:
  enum class Phase : std::uint8_t { waiting, taping, comparing, jumping, done };
  struct Account {
    double compute = 0, expected = 0, in_mpi = 0, wait = 0;
    std::uint64_t operations = 0, messages = 0, balance = 0;
  };
  struct Part {  // a rank's
    std::vector<std::uint64_t> left,
        taken;              // values of its sequences: at the last period's begin; by a period
    Account begun, period;  // at the second period's begin; of it
    // Since the tape began, but for jumps and what comes behind them before it is compared: sizes may have been others before.
    WatchedTimeInMpi watched;
    bool is_to_go_on = false;        // watching, from the next iteration that is compared
    double clock = 0, computed = 0;  // in the graph, of what the jump leaves out
    std::vector<std::pair<trace_io::SiteId, double>>
        computed_at;  // likewise, where calls are watched
    bool has_jumped = false;
    std::unique_ptr<Observation::LoopView> view;  // where somebody watches
  };
  struct Row {
    std::size_t begun = 0;  // by so many ranks
    double latest = 0;
  };

  static constexpr std::uint64_t kShortestJump = 16;

  static Account account_of(const Actor&);
  static double drift_allowed(const Account& before, const Account& after);
  // How many periods of so many are compared before the first jump.
  static std::uint64_t fewest_compared(std::uint64_t periods);
  void watch(const Actor&, std::uint32_t rank, std::uint64_t iteration);
  void start_taping(std::uint64_t iteration);
  void tape(const Actor&, std::uint32_t rank, std::uint32_t depth, std::uint64_t iteration);
  void finish_tape();
  void seek_period(const Actor&, std::uint32_t depth);
  void note(double time, std::uint64_t iteration);
  void on_complete(std::uint64_t iteration, double latest);
  void compare(std::uint64_t iteration, double latest);
  void decide();
  std::uint64_t next_jump(std::uint64_t left);
  void jump(Actor&, std::uint32_t rank, std::uint32_t depth);
  void tape_next_phase();
  void advance_graph();
  void retry(std::string reason);
  void end(std::string reason);

  const Settings settings_;
  std::vector<Part> ranks_;
  std::uint64_t execution_ = 0;
  std::size_t left_ = 0;
  Phase phase_ = Phase::done;
  std::uint64_t count_ = 0, furthest_ = 0, not_before_ = 0;
  std::uint64_t first_ = 0;  // number of rows_.front()
  std::deque<Row> rows_;     // begun by some ranks and not yet by all
  // taping
  std::unique_ptr<LoopTape> tape_;
  std::uint64_t period_ = 1, tape_from_ = 0, jumps_before_ = 0, periods_alike_ = 0;
  unsigned attempts_ = 0;
  bool has_period_ = false, seeks_period_ = false, sizes_vary_ = false;
  // comparing
  std::unique_ptr<LoopPaths> paths_;  // where somebody asks what times consist of
  EventGraph graph_;
  std::vector<const DeltaState*> played_;
  std::uint64_t graph_at_ = 0;  // iteration at whose begin the graph's clocks are
  std::uint64_t alike_until_ =
      0;  // iteration from which on calls have other parameters than those written down
  SampledDifference difference_;
  double latest_ = 0;  // of the ranks, where the last period that both came to began
  double off_ = 0;     // of the replay's time and the graph's, at the last period that both came to
  std::uint64_t windows_left_ = 0, window_ = 0;  // to come, and how many periods each is to have
  std::uint64_t compare_from_ = 0;
  double compared_ = 0, in_graph_ = 0;  // periods, and their seconds in the graph
  // jumping
  std::uint64_t jump_at_ = 0, periods_ = 0;
  double earliest_ = 0;  // of the ranks, seconds left out
  std::size_t jumped_ = 0;
  std::uint64_t skipped_ = 0;
  double error_bound_ = 0;  // of executions that are over, and of roundings
  std::string reason_;
};

}  // namespace reprise::sim
