// SPDX-License-Identifier: MIT
// A window of the predicted run: every call and message in it as it was replayed, nothing of the rest.
//
// Which    calls that are under way at some moment from `from` to `to`, or those of some iterations of the main loop (trace_io::main_loops()); of all ranks
//          or of some. A call is kept with the computing before it, and whole where the window cuts it.
// Messages from rank to rank, not those within collectives: those of which a part lies in the window, or that one of their ranks gets or has sent while it
//          is in one of the iterations, of which one rank is asked for.
// Forward  fast-forward leaves iterations out before the window and behind it, never in it: it asks here how far it may go. Times in the
//          window are as exact as the jump before it (Forwarded::error_bound).
// Deadlock calls that never end are kept up to the last moment, and are marked.
// Cost     a comparison a call, and for iterations a look at the loops around it; memory: 96 bytes of each call kept, its fields, 24 bytes
//          for each loop around it, 56 of a message. Of more than `most_calls` none is kept, but they are counted.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "sim/engine/loop/runtime.hpp"
#include "trace-io/iterations/main_loop.hpp"

namespace reprise::sim {

struct WindowQuestion {
  double from = 0, to = std::numeric_limits<double>::infinity();           // s
  std::optional<std::pair<std::uint64_t, std::uint64_t>> iterations = {};  // first and last, from 0
  trace_io::RankList ranks = {};                                           // none: all
  std::uint64_t most_calls = 1'000'000;
  bool keeps_fields = false;  // of calls
  bool keeps_loops = false;   // around calls

  bool is_moment() const { return !iterations && from == to; }
};

struct WindowCall {
  static constexpr std::uint64_t kNoIteration = ~std::uint64_t{0};
  std::int32_t rank = 0;
  std::uint32_t thread = 0;
  trace_io::SiteId site = trace_io::kNoSite;
  bool is_open = false;                    // it never ends: a deadlock
  double begin = 0;                        // s, of the computing before it
  double enter = 0, end = 0;               // of the call
  double wait = 0;                         // in it, for others
  std::uint64_t iteration = kNoIteration;  // of the main loop
  std::uint64_t values = 0;                // where its fields begin
  std::uint64_t loops = 0;                 // where its loops begin
  std::uint32_t depth = 0;                 // how many
  std::uint32_t inner = 0;                 // of them, the last: those within the main loop
};

struct WindowLoop {
  const trace_io::Loop* loop = nullptr;
  std::uint64_t iteration = 0, iterations = 0;
};

class TimelineWindow {
 public:
  explicit TimelineWindow(WindowQuestion question) : question_(std::move(question)) {}

  const WindowQuestion& question() const { return question_; }
  const std::vector<WindowCall>& calls() const { return calls_; }      // by begin, then rank
  const std::vector<Delivery>& messages() const { return messages_; }  // as they were received
  std::uint64_t call_count() const { return seen_; }  // with those that are too many to be kept
  std::uint64_t iterations() const {
    return iterations_;
  }                                    // of the main loop, the most of any rank
  double end() const { return end_; }  // of the last call seen
  // The scalars of a call, then of each vector its length and elements. REQUIRES: asked for.
  std::span<const std::int64_t> values(const WindowCall& call) const {
    return std::span(values_).subspan(call.values);
  }
  std::span<const WindowLoop> loops(const WindowCall& call) const {  // outermost first
    return std::span(loops_).subspan(call.loops, call.depth);
  }
  // Those within the main loop, whose iteration the call names; none outside of it.
  std::span<const WindowLoop> inner_loops(const WindowCall& call) const {
    return loops(call).last(call.inner);
  }

  // Throws InputError where it has no call, or more than it may keep; it names the range that has some.
  void check() const;

  // The engine's, as Observation's.
  void begin(const trace_io::Trace&, std::size_t actors);
  void on_begin(std::uint32_t actor, const Actor&);
  void on_end(std::uint32_t actor, const Actor&, double begin, double computed, double wait);
  // It is in a call that never ends; NOW is the last moment of the replay.
  void on_stuck(std::uint32_t actor, const Actor&, double begin, double computed, double now);
  void on_received(const Delivery&);
  void finish();

  // Between which times the path of the run is to be kept just now; of iterations: from the first rank's entry to the last one's exit.
  std::pair<double, double> path_times() const;

  // Fast-forward's: up to which time a jump from NOW may go, and over how many iterations of a loop from one on.
  double may_jump_to(double now) const;
  std::uint64_t may_leave_out(const trace_io::Loop&, std::uint64_t from) const;
  const char* why_not_forwarded() const;

 private:
  struct Side {
    bool is_in_loop = false, is_asked_for = false;
    std::uint32_t depth = 0;                         // of the main loop
    std::uint64_t passed = 0, before = 0, next = 0;  // passes of this execution, of earlier ones
    std::uint64_t iteration = WindowCall::kNoIteration;
  };
  bool has(std::uint64_t iteration) const;
  bool wants(const Side&, double begin, double end) const;
  void keep(const Actor&, const Side&, WindowCall);

  const WindowQuestion question_;
  trace_io::MainLoops main_;
  std::vector<Side> sides_;              // by actor
  std::vector<std::uint8_t> is_asked_;   // by rank
  std::vector<std::uint32_t> actor_of_;  // by rank: its first
  bool is_before(std::uint64_t iteration) const;
  std::size_t inside_ = 0, before_ = 0;  // actors in one of the iterations asked for; before them
  bool has_entered_ = false;             // any
  std::vector<WindowCall> calls_;
  std::vector<Delivery> messages_;
  std::vector<std::int64_t> values_;
  std::vector<WindowLoop> loops_;
  std::uint64_t seen_ = 0, iterations_ = 0;
  double end_ = 0;
  bool is_stuck_ = false;  // in a call that never ends
};

}  // namespace reprise::sim
