// SPDX-License-Identifier: MIT
#include "sim/engine/steady/graph_loop.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/text/numbers.hpp"
#include "sim/time_grid.hpp"

namespace reprise::sim {
namespace {

// Replayed between two jumps: until messages are on the way as they should be, and then to be compared.
constexpr std::uint64_t kSettles = 2, kFewestCompared = 4;
constexpr std::uint64_t kMostWindows = 8;
// Compared before the first jump; of a loop with few iterations a sixth of them.
constexpr std::uint64_t kCompared = 24, kFew = 144, kFewestOfAll = 5;
constexpr std::uint64_t kAnew = 4;
constexpr std::uint64_t kSlow = 2000;

}  // namespace

std::uint64_t GraphLoop::fewest_compared(std::uint64_t periods) {
  return periods < kFew ? std::max(kFewestOfAll, periods / 8) : kCompared;
}

void GraphLoop::begin(std::uint64_t execution, std::uint64_t iterations, std::uint64_t not_before) {
  end({});
  execution_ = execution;
  left_ = 0;
  phase_ = Phase::waiting;
  count_ = std::numeric_limits<std::uint64_t>::max();
  furthest_ = first_ = 0;
  rows_.clear();
  for (Part& part : ranks_) part.is_to_go_on = false;
  not_before_ = not_before;
  if (settings_.observation != nullptr && settings_.observation->path() != nullptr)
    paths_ = std::make_unique<LoopPaths>(*settings_.observation->path(), ranks_.size());
  period_ = has_period_ ? period_ : 1;  // that of the execution before
  difference_ = SampledDifference(fewest_compared(iterations / period_));
  attempts_ = 0;
  seeks_period_ = false;
  windows_left_ = window_ = 0;
}

// Nothing is left out of this execution any more.
void GraphLoop::end(std::string reason) {
  if (!reason.empty() && skipped_ == 0) reason_ = std::move(reason);
  if (phase_ == Phase::taping) settings_.jumps->is_taping = false;
  if (tape_) settings_.runtime->set_tape(nullptr);
  tape_.reset();
  rows_.clear();
  graph_ = {};
  paths_.reset();
  error_bound_ = error_bound();
  difference_ = SampledDifference();
  phase_ = Phase::done;
}

GraphLoop::Account GraphLoop::account_of(const Actor& actor) {
  return {actor.compute,    actor.expected, actor.in_mpi, actor.wait,
          actor.operations, actor.sent,     actor.balance};
}

bool GraphLoop::on_iteration(Actor& actor, std::uint32_t rank, std::uint32_t depth,
                             const trace_io::Cursor::LoopPlace& place) {
  bool jumps = false;
  if (phase_ != Phase::done) {
    const std::uint64_t iteration = place.passed;
    count_ = std::min(count_, place.passed + place.left);
    jumps = phase_ == Phase::jumping && !ranks_[rank].has_jumped && iteration == jump_at_;
    if (jumps) {
      jump(actor, rank, depth);
    } else {
      furthest_ = std::max(furthest_, iteration);
      if (iteration == 0 && paths_) paths_->mark(rank, LoopPaths::Mark::entered);
      if (seeks_period_ && rank == 0) seek_period(actor, depth);
      if (phase_ == Phase::taping ? iteration == tape_from_
                                  : ranks_[rank].is_to_go_on && iteration >= compare_from_)
        watch(actor, rank, iteration);
      if (phase_ == Phase::taping) tape(actor, rank, depth, iteration);
      if (phase_ != Phase::done) note(actor.clock + actor.skipped, iteration);
    }
  }
  return jumps;
}

void GraphLoop::watch(const Actor& actor, std::uint32_t rank, std::uint64_t iteration) {
  Part& part = ranks_[rank];
  Observation* const observation = settings_.observation;
  const TimeInMpi now{actor.in_mpi, actor.wait};
  if (part.is_to_go_on && phase_ != Phase::taping) {
    part.watched.go_on(now, iteration);
    if (observation != nullptr) observation->go_on_watching(rank, *part.view);
  } else {
    part.watched.begin(now, iteration);
    if (!part.view && observation != nullptr) part.view = std::make_unique<Observation::LoopView>();
    if (observation != nullptr) observation->watch(rank, *part.view);
  }
  part.is_to_go_on = false;
}

void GraphLoop::note_left(const Actor& actor, std::uint32_t depth) {
  if (actor.cursor.cursor().loop(depth).left == 1 && ++left_ == ranks_.size()) end({});
}

void GraphLoop::note(double time, std::uint64_t iteration) {
  if (iteration < first_) return;
  while (first_ + rows_.size() <= iteration) rows_.emplace_back();
  Row& row = rows_[iteration - first_];
  row.latest = row.begun == 0 ? time : std::max(row.latest, time);
  if (++row.begun < ranks_.size()) return;
  const double latest = row.latest;
  rows_.pop_front();
  ++first_;
  on_complete(iteration, latest);
}

void GraphLoop::on_complete(std::uint64_t iteration, double latest) {
  switch (phase_) {
    case Phase::waiting:
      if (!seeks_period_ && iteration >= not_before_ && settings_.jumps->may_begin() &&
          settings_.runtime->tape() == nullptr)
        start_taping(iteration);
      break;
    case Phase::taping:
      if (iteration == tape_from_ + 2 * period_) {
        finish_tape();
        if (phase_ == Phase::comparing) {
          off_ = latest - graph_.latest();
          compared_ = in_graph_ = 0;
        }
      }
      break;
    case Phase::comparing:
      compare(iteration, latest);
      break;
    default:
      break;
  }
}

void GraphLoop::advance_graph() {
  graph_.advance(settings_.computing->deltas(), played_);
  graph_at_ += period_;
}

void GraphLoop::compare(std::uint64_t iteration, double latest) {
  if (iteration > alike_until_) return tape_next_phase();
  if (iteration < graph_at_ + period_) return;
  const double before = graph_.latest();
  advance_graph();
  const double off = latest - graph_.latest(), longer = off - off_;
  off_ = off;
  latest_ = latest;
  if (iteration < compare_from_) return;  // behind a jump, which it may still show
  compared_ += 1;
  in_graph_ += graph_.latest() - before;
  difference_.add(longer, graph_.latest() - before);
  if (settings_.jumps->may_begin()) decide();
}

// How many periods to leave out next, of so many that are left: 0 where what is compared does not tell enough yet. Few
// windows are tried first, then longer ones, as long as they are a quarter of what is left.
std::uint64_t GraphLoop::next_jump(std::uint64_t left) {
  const double mean = in_graph_ / compared_;
  const auto known = [&](std::uint64_t windows, std::uint64_t periods) {
    const std::uint64_t replayed = windows * (periods + kSettles);
    if (4 * replayed > left) return false;
    const std::uint64_t skipped = left - replayed;
    const double bound = difference_.bound(skipped, {windows, periods});
    const double all = static_cast<double>(skipped + difference_.left_out()) * mean;
    if (bound > settings_.tolerance * all && skipped_ == 0 && std::isfinite(bound))
      reason_ = "its iterations vary: their mean time is known to " +
                formatted("%.2g%%", 100 * bound / all) + " only, and skipping some needs " +
                formatted("%.2g%%", 100 * settings_.tolerance) + " (--forward-within)";
    return bound <= settings_.tolerance * all;
  };
  if (difference_.left_out() > 0) {
    if (difference_.in_window() < window_) return 0;
    if (!known(windows_left_, window_)) {
      // What was compared before says nothing about what comes: it begins anew where it has come to something else for long enough.
      if (difference_.in_window() >= kAnew * difference_.before_window()) {
        error_bound_ += difference_.bound(0, {});
        difference_ = SampledDifference(kCompared);
        compared_ = in_graph_ = 0;
      }
      return 0;
    }
  } else {
    windows_left_ = std::min<std::uint64_t>(left / 56, kMostWindows);
    for (window_ = kFewestCompared; !known(windows_left_, window_);
         window_ += std::max<std::uint64_t>(2, window_ / 4))
      if (windows_left_ == 0 || 4 * windows_left_ * (window_ + kSettles) > left) return 0;
  }
  const std::uint64_t replayed = windows_left_ * (window_ + kSettles);
  if (windows_left_ == 0 || left < replayed + kShortestJump) return left;
  return (left - replayed) / (windows_left_ + 1);
}

void GraphLoop::decide() {
  const std::uint64_t at =
      graph_at_ + (furthest_ + 1 - graph_at_ + period_ - 1) / period_ * period_;
  const std::uint64_t last = std::min(count_ - 1, alike_until_);
  if (at + kShortestJump > last) return;
  // What changes slowly, in a long loop, shows late.
  if (difference_.left_out() == 0 && compared_ < static_cast<double>(std::min(count_ / 400, kSlow)))
    return;
  const std::uint64_t periods = next_jump((last - at) / period_);
  if (periods == 0) return;
  if (windows_left_ > 0) --windows_left_;
  // The graph comes to where the jump begins, and to where it ends.
  while (graph_at_ < at) advance_graph();
  const std::vector<double> from = graph_.clocks(), computed = graph_.computed(),
                            computed_at = graph_.computed_at();
  for (std::uint64_t i = 0; i < periods; ++i) advance_graph();
  jump_at_ = at;
  periods_ = periods;
  const double shift = difference_.leave_out(periods);
  earliest_ = std::numeric_limits<double>::infinity();
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    ranks_[rank].clock = graph_.clocks()[rank] - from[rank] + shift;
    ranks_[rank].computed = graph_.computed()[rank] - computed[rank];
    ranks_[rank].has_jumped = false;
    earliest_ = std::min(earliest_, ranks_[rank].clock);
  }
  if (settings_.observation != nullptr) {
    for (Part& part : ranks_) part.computed_at.clear();
    for (std::size_t i = 0; i < computed_at.size(); ++i) {
      const EventGraph::Place& place = graph_.places()[i];
      ranks_[place.rank].computed_at.emplace_back(place.site,
                                                  graph_.computed_at()[i] - computed_at[i]);
    }
  }
  if (paths_) paths_->jump(false, latest_, earliest_);
  constexpr double kGrid = 0x1p-44;  // durations are rounded to (sim/time_grid.hpp)
  error_bound_ +=
      static_cast<double>(periods * graph_.size()) / static_cast<double>(ranks_.size()) * kGrid;
  jumped_ = 0;
  skipped_ += periods_ * period_;
  settings_.jumps->under_way += ranks_.size();
  reason_.clear();
  phase_ = Phase::jumping;
}

void GraphLoop::jump(Actor& actor, std::uint32_t rank, std::uint32_t depth) {
  Part& part = ranks_[rank];
  const auto periods = static_cast<double>(periods_);
  const double span = part.clock, in_mpi = std::max(0.0, span - part.computed),
               wait = in_mpi - part.watched.transfer_left_out({actor.in_mpi, actor.wait}, jump_at_,
                                                              periods_ * period_, in_mpi);
  part.watched.pause({actor.in_mpi, actor.wait}, jump_at_);
  part.is_to_go_on = true;
  const double from = actor.clock + actor.skipped;
  actor.skipped += earliest_;
  actor.clock += on_grid(span - earliest_);
  if (CriticalPath* const path = settings_.runtime->path(); path != nullptr)
    path->advance({CriticalPath::Of::actor, rank}, actor.clock, PathPart::compute);
  actor.operations += periods_ * part.period.operations;
  actor.sent += periods_ * part.period.messages;
  actor.compute += part.computed;
  actor.expected += periods * part.period.expected;
  actor.in_mpi += in_mpi;
  actor.wait += wait;
  if (settings_.observation != nullptr) {
    settings_.observation->pause_watching(rank, *part.view);
    settings_.observation->on_jump(rank, *part.view,
                                   {.is_exact = false,
                                    .periods = periods,
                                    .compute = part.computed,
                                    .in_mpi = in_mpi,
                                    .wait = wait,
                                    .computed_at = part.computed_at},
                                   from, span);
  }
  if (sizes_vary_) settings_.runtime->set_sizes_left_out();
  graph_.set_plays(rank, settings_.computing->played(rank));
  actor.cursor.cursor().jump(depth, periods_ * period_, periods_, part.taken);
  part.has_jumped = true;
  ++settings_.jumps->made;
  --settings_.jumps->under_way;
  furthest_ = std::max(furthest_, jump_at_ + periods_ * period_);
  if (++jumped_ < ranks_.size()) return;
  phase_ = Phase::comparing;
  first_ = furthest_ + 1;
  rows_.clear();
  while (graph_at_ + period_ < first_) advance_graph();
  compare_from_ = first_ + (kSettles + 1) * period_;
}

}  // namespace reprise::sim
