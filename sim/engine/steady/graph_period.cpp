// SPDX-License-Identifier: MIT
// How a period of a loop is written down as a graph of its events, and which period that is; the rest of GraphLoop is graph_loop.cpp.
#include <algorithm>
#include <limits>
#include <utility>

#include "sim/engine/steady/graph_loop.hpp"

namespace reprise::sim {
namespace {

constexpr std::uint64_t kLongestPeriod = 4, kLongestSought = 128;
constexpr std::uint64_t kShortestPhase = 4 * kLongestSought;
constexpr unsigned kMostAttempts = 6;

}  // namespace

// By how much of their mean sizes may drift: an iteration changes by that share of its transfer at most, which is to be 5 % of it.
double GraphLoop::drift_allowed(const Account& before, const Account& after) {
  const double in_mpi = after.in_mpi - before.in_mpi,
               transfer = in_mpi - (after.wait - before.wait),
               iteration = after.compute - before.compute + in_mpi;
  const double least = trace_io::Cursor::kLeastDrift, most = trace_io::Cursor::kMostDrift;
  return transfer * most > least * iteration ? std::max(least, least * iteration / transfer) : most;
}

void GraphLoop::start_taping(std::uint64_t) {
  tape_from_ = furthest_ + 1;
  if (tape_from_ + 2 * period_ + kShortestJump >= count_)
    return end("its iterations were nearly over when it had become steady");
  phase_ = Phase::taping;
  jumps_before_ = settings_.jumps->made;
  settings_.jumps->is_taping = true;
  periods_alike_ = std::numeric_limits<std::uint64_t>::max();
  sizes_vary_ = false;
  tape_ = std::make_unique<LoopTape>(ranks_.size(), settings_.computing->deltas());
  settings_.runtime->set_tape(tape_.get());
}

void GraphLoop::tape(const Actor& actor, std::uint32_t rank, std::uint32_t depth,
                     std::uint64_t iteration) {
  const bool is_first = iteration == tape_from_, is_second = iteration == tape_from_ + period_,
             is_end = iteration == tape_from_ + 2 * period_;
  if (!is_first && !is_second && !is_end) return;
  Part& part = ranks_[rank];
  tape_->begin_period(rank, actor.clock, settings_.computing->played(rank));
  std::vector<std::uint64_t> now;
  actor.cursor.cursor().values_left(depth, now);
  if (is_first) part.begun = account_of(actor);
  if (is_second) {
    part.taken = now;
    for (std::size_t i = 0; i < now.size(); ++i) part.taken[i] = part.left[i] - now[i];
    const auto& cursor = actor.cursor.cursor();
    const std::uint64_t equal = cursor.periods_alike(depth, part.taken);
    std::uint64_t alike = equal;
    // A phase of equal sizes is taken by itself, even if those behind it are similar: what is sent is exact then.
    if (equal < kShortestPhase / period_)
      alike = cursor.periods_alike(depth, part.taken, trace_io::Cursor::Sizes::similar,
                                   drift_allowed(part.begun, account_of(actor)));
    periods_alike_ = std::min(periods_alike_, alike);
    sizes_vary_ = sizes_vary_ || equal < alike;
    part.begun = account_of(actor);
    if (paths_) paths_->mark(rank, LoopPaths::Mark::begun);
    if (settings_.observation != nullptr)
      settings_.observation->begin_period(rank, *part.view, this);
  } else if (is_end) {
    if (paths_) paths_->mark(rank, LoopPaths::Mark::ended);
    if (settings_.observation != nullptr) settings_.observation->end_period(rank, *part.view, this);
    for (std::size_t i = 0; i < now.size(); ++i)
      if (part.left[i] - now[i] != part.taken[i])
        tape_->give_up("its iterations differ in what they do");
    const Account after = account_of(actor);
    const Account& before = part.begun;
    part.period = {after.compute - before.compute,       after.expected - before.expected,
                   after.in_mpi - before.in_mpi,         after.wait - before.wait,
                   after.operations - before.operations, after.messages - before.messages,
                   after.balance - before.balance};
  }
  part.left = std::move(now);
}

// Perhaps a longer period repeats itself, or a later one.
void GraphLoop::retry(std::string reason) {
  has_period_ = false;
  if (skipped_ == 0) reason_ = std::move(reason);
  phase_ = Phase::waiting;
  if (++attempts_ == kMostAttempts) return end({});
  if (attempts_ == 1) seeks_period_ = true;
  period_ = period_ % kLongestPeriod + 1;
  not_before_ = furthest_ + (period_ == 1 ? furthest_ : 0);
}

// That of what the ranks do, where it is longer than those that are tried one after the other.
void GraphLoop::seek_period(const Actor& actor, std::uint32_t depth) {
  seeks_period_ = false;
  const std::uint64_t period = actor.cursor.cursor().period(depth, kLongestSought);
  if (period <= kLongestPeriod) return;
  period_ = period;
  not_before_ = furthest_;
  difference_ = SampledDifference(fewest_compared(count_ / period_));
}

void GraphLoop::finish_tape() {
  settings_.jumps->is_taping = false;
  settings_.runtime->set_tape(nullptr);
  EventGraph graph = tape_->graph();
  std::string problem = tape_->problem();
  tape_.reset();
  std::uint64_t balance = 0;
  for (const Part& part : ranks_) balance += part.period.balance;
  if (problem.empty() && balance != 0)
    problem = "the messages sent and received in an iteration do not pair up";
  // A part of a period that is longer may repeat itself as well, but not for long; a phase of the program does.
  if (problem.empty() &&
      periods_alike_ < std::min((count_ - furthest_) / 2, kShortestPhase) / period_)
    problem = "parameters of its calls change from iteration to iteration";
  if (problem.empty() && sizes_vary_ && settings_.observation != nullptr &&
      settings_.observation->meters())
    problem =
        "the sizes of its messages vary, and the bytes on links and between ranks are asked for";
  if (problem.empty() && settings_.jumps->made != jumps_before_)
    problem = "iterations of a loop inside it were left out";
  if (!problem.empty()) return retry(std::move(problem));
  has_period_ = true;
  graph_ = std::move(graph);
  graph_at_ = tape_from_ + 2 * period_;
  periods_alike_ -= std::min<std::uint64_t>(periods_alike_, 1);
  alike_until_ =
      periods_alike_ >= count_ ? count_ : tape_from_ + 2 * period_ + periods_alike_ * period_;
  played_.clear();
  for (std::uint32_t rank = 0; rank < ranks_.size(); ++rank)
    played_.push_back(&settings_.computing->played(rank));
  compare_from_ = graph_at_;
  phase_ = Phase::comparing;
}

// Iterations from here on do something else, such as sending other sizes: they are written down, and compared, by themselves.
void GraphLoop::tape_next_phase() {
  if (alike_until_ + kShortestPhase > count_) return end({});
  error_bound_ = error_bound();
  difference_ = SampledDifference(fewest_compared((count_ - alike_until_) / period_));
  windows_left_ = window_ = 0;
  graph_ = {};
  attempts_ = 0;
  not_before_ = 0;
  phase_ = Phase::waiting;
}

}  // namespace reprise::sim
