// SPDX-License-Identifier: MIT
// Folds the event stream of one thread of one rank while the program runs.
//
// How     Loops are found on sites alone. In steady state the next site is predicted from the loops being executed: compare,
//         advance, add to counters. Where the prediction fails, loops are left (at any position, to the nearest enclosing loop
//         that can go on with the site, possibly past loops executed zero times); where none can but one has the site, it is
//         widened (active_loops.hpp: branches never taken so far); else the event is appended to the program, and a tail that
//         repeats what is before it, at whatever length, is folded (RSD/PRSD; folded_program.hpp says how it is found).
// Cost    predicted event: O(fields + vector elements), no allocation, two lines of a leaf where its parameters are those of the call before
//         (waiting_calls.hpp); a mispredicted one: O(leaves of the loops), or one bounded search.
// Memory  the folded program; memory_bytes() is its size, peak_bytes() with what a trace of it takes while it is made and written.
// Source  Ratn et al., ICS 2008; Noeth et al., IPDPS 2007 (RSD/PRSD folding), with prediction and widening added.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "trace-io/iterations/clustering.hpp"
#include "trace-io/iterations/main_loop.hpp"
#include "trace-io/model/event.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// Meets the nodes of a folded program one after the other, each loop before its body. What it meets is its own until it returns.
class ProgramVisitor {
 public:
  ProgramVisitor() = default;
  virtual ~ProgramVisitor() = default;
  ProgramVisitor(const ProgramVisitor&) = delete;
  ProgramVisitor& operator=(const ProgramVisitor&) = delete;
  virtual void begin_nodes(std::size_t count) = 0;  // of the program, or of the loop met last
  virtual void loop(Loop& head) = 0;                // iterations and exits, no body
  virtual void leaf(Leaf&) = 0;
};

class ThreadCompressor {
 public:
  struct Settings {
    Timing timing = Timing::path;
    std::uint32_t bins = 5;  // 0 with Timing::stat
    Rank
        rank{};  // extremes are annotated with it, and every rank list of the result holds it alone
    BinRule bin_rule = BinRule::ward;
    bool keeps_order = false;  // of compute times (model/order_log.hpp); not with Timing::stat
    // Clusters of iterations (loop_iterations.hpp), where they are to be recorded.
    std::optional<IterationClustering::Settings> iterations{};
  };

  explicit ThreadCompressor(Settings);
  ~ThreadCompressor();
  ThreadCompressor(ThreadCompressor&&) noexcept;
  ThreadCompressor& operator=(ThreadCompressor&&) noexcept;

  // Whether it may have taken memory; a call that goes on with a loop as the one before at its place did takes none but each kMost-th time (waiting_calls.hpp).
  // REQUIRES: the same site always comes with the same number of scalars and of vectors. May throw std::bad_alloc only.
  bool append(const EventView&);

  // Keeps at most so many bins per distribution from now on, of what is recorded already as well, and no order. REQUIRES: bins ≥ 1.
  void coarsen(std::uint32_t bins);

  // The program marks where an iteration begins and where it ends (MPI_Pcontrol); marks that nest or do not match are of no use.
  enum class Mark : std::uint8_t { begin, end };
  void mark(Mark);
  // Why the iterations that were to be recorded are not told; empty where they are, or where there is no loop.
  std::string_view iterations_problem() const;
  // For the vote of all ranks on whose iterations are told (main_loop.hpp), and its outcome.
  IterationLevels iteration_levels() const;
  void choose_iterations_by(const IterationLevels& of_all);
  // Between marks, where there are any; none else.
  std::optional<RankIterations> marked_iterations() const;

  std::uint64_t events() const;
  std::size_t memory_bytes() const;
  // With a copy of the program, as program() makes one, and the coding of that copy into a file (footprint.hpp).
  std::size_t peak_bytes() const;
  // What is only there to fold further events is freed, a third to a half of the memory of what does not fold. An event that follows all the same
  // is folded as any other: what it takes for that is made again, O(what is recorded).
  void settle();
  // The folded program so far; can be called at any time (a snapshot) and more events may follow. No event comes meanwhile, as in visit(): both add the calls
  // that wait (waiting_calls.hpp), which changes nothing that anybody else sees.
  enum class Detail : std::uint8_t {
    totals,      // no compute time's order
    order,       // of compute times as well
    iterations,  // and clusters of iterations, by what choose_iterations_by() has said
  };
  std::vector<Node> program(Detail = Detail::iterations) const;
  // The nodes of the same, with order, one at a time: no more than one call is in memory twice. Clusters of iterations are left out. `own`: the list
  // of the rank alone, which all that is met shares.
  void visit(ProgramVisitor&, const RankList& own) const;
  // How they nest alone: loops without iterations and exits, calls that have a site and nothing else.
  void visit_nesting(ProgramVisitor&) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace reprise::trace_io
