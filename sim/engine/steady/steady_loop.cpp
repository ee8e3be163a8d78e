// SPDX-License-Identifier: MIT
#include "sim/engine/steady/steady_loop.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/text/numbers.hpp"

namespace reprise::sim {
void SteadyLoop::begin(std::uint64_t execution) {
  execution_ = execution;
  if (paths_) paths_->clear();
  if (!paths_ && settings_.observation != nullptr && settings_.observation->path() != nullptr)
    paths_ = std::make_unique<LoopPaths>(*settings_.observation->path(), ranks_.size());
  left_ = 0;
  phase_ = Phase::watching;
  count_ = std::numeric_limits<std::uint64_t>::max();
  furthest_ = 0;
  was_refused_ = false;
  may_be_exact_ = !is_drawn_ || unit_ > 1;
  watch_again(0);
  if (unit_ == 1) return;
  // Its iterations differ as they were recorded: what the first ones took says nothing about the last ones.
  if (!rare_.repeats_blocks()) phase_ = Phase::done;
  was_refused_ = true;
  reason_ = "its compute times are played in recorded order";
}

void SteadyLoop::watch_again(std::uint64_t from) {
  phase_ = Phase::watching;
  first_ = from_ = from;
  iterations_.clear();
  streak_.fill(0);
  batches_.clear();
  base_ = period_ = 1;
  not_before_ = 0;
  jumped_ = 0;
  for (Part& part : ranks_) part.has_jumped = false;
}

SteadyLoop::Account SteadyLoop::account_of(const Actor& actor) {
  return {actor.compute,   actor.expected,         actor.in_mpi,     actor.wait,
          actor.at_memory, actor.longer_by_memory, actor.operations, actor.sent};
}

// Times are sums of thousands of terms, each rounded to the last bit of the time reached.
double SteadyLoop::rounding(double time) const {
  return 64 * std::numeric_limits<double>::epsilon() * time + settings_.noise;
}

bool SteadyLoop::on_iteration(Actor& actor, std::uint32_t rank, std::uint32_t depth,
                              const trace_io::Cursor::LoopPlace& place) {
  const bool is_watched = phase_ != Phase::done && place.passed % unit_ == 0;
  const std::uint64_t iteration = place.passed / unit_;
  const bool jumps =
      is_watched && phase_ == Phase::jumping && !ranks_[rank].has_jumped && iteration == jump_at_;
  if (is_watched) {
    count_ = std::min(count_, (place.passed + place.left) / unit_);
    if (jumps)
      jump(actor, rank, ranks_[rank], depth);
    else
      watch(actor, rank, depth, iteration);
  }
  if (actor.cursor.cursor().loop(depth).left == 1) ++left_;
  if (paths_ && is_over()) paths_->clear();
  return jumps;
}

void SteadyLoop::watch(Actor& actor, std::uint32_t rank, std::uint32_t depth,
                       std::uint64_t iteration) {
  Part& part = ranks_[rank];
  furthest_ = std::max(furthest_, iteration);
  if (iteration == 0 && paths_) paths_->mark(rank, LoopPaths::Mark::entered);
  if (iteration == 0 && settings_.observation != nullptr && !part.view)
    part.view = std::make_unique<Observation::LoopView>();
  if (iteration == 0) {
    part.watched.begin({actor.in_mpi, actor.wait}, iteration);
    if (settings_.observation != nullptr) settings_.observation->watch(rank, *part.view);
  } else if (unit_ == 1 && is_drawn_ && std::has_single_bit(iteration)) {
    part.watched.move_on({actor.in_mpi, actor.wait}, iteration);
    if (settings_.observation != nullptr) settings_.observation->watch_on(rank, *part.view);
  }
  if (phase_ == Phase::probing) probe(actor, rank, part, depth, iteration);
  if (phase_ != Phase::jumping && iteration >= first_) note(actor, rank, iteration);
}

void SteadyLoop::note(const Actor& actor, std::uint32_t rank, std::uint64_t iteration) {
  Part& part = ranks_[rank];
  const double time = actor.clock + actor.skipped;
  while (first_ + iterations_.size() <= iteration) iterations_.emplace_back();
  Iteration& row = iterations_[iteration - first_];
  row.balance += actor.balance;
  row.earliest = row.begun == 0 ? time : std::min(row.earliest, time);
  row.latest = std::max(row.latest, time);
  if (unit_ > 1) {
    const std::uint64_t stretches =
        settings_.ordered->deltas().stretches(settings_.ordered->played(rank));
    row.is_new = row.is_new || stretches != part.stretches;
    part.stretches = stretches;
  }
  for (std::uint64_t lag = 1; lag <= std::min(iteration - from_, kLongestPeriod); ++lag) {
    const double step = time - part.times[(iteration - lag) % part.times.size()];
    row.least[lag] = row.begun == 0 ? step : std::min(row.least[lag], step);
    row.most[lag] = row.begun == 0 ? step : std::max(row.most[lag], step);
  }
  part.times[iteration % part.times.size()] = time;
  if (++row.begun < ranks_.size()) return;
  const Iteration complete = row;
  iterations_.pop_front();
  ++first_;
  on_complete(iteration, complete);
}

void SteadyLoop::on_complete(std::uint64_t iteration, const Iteration& row) {
  past_[iteration % kPast] = {row.latest, row.balance};
  if (iteration == 0) began_ = row.latest;
  watched_for_ = std::max(watched_for_, row.latest - began_);
  if (row.is_new) {
    from_ = iteration;
    streak_.fill(0);
    batches_.clear();
    is_one_stretch_ = false;
  }
  for (std::uint64_t lag = 1; lag <= std::min(iteration - from_, kLongestPeriod); ++lag) {
    const double allowed = 1e-12 * row.most[lag] + rounding(row.latest);
    const double middle = (row.least[lag] + row.most[lag]) / 2;
    const bool is_even = row.most[lag] - row.least[lag] <= allowed;
    if (is_even && streak_[lag] > 0 && std::abs(middle - step_[lag]) <= allowed) {
      ++streak_[lag];
    } else {
      streak_[lag] = is_even ? 1 : 0;
      step_[lag] = middle;
    }
  }
  if (is_drawn_) batches_.add(row.latest, row.earliest);
  if (phase_ == Phase::probing && iteration == probe_from_ + 2 * period_) return decide(iteration);
  if (phase_ != Phase::watching || iteration < not_before_ || !is_steady(iteration, row)) return;
  probe_from_ = furthest_ + 1;
  if (probe_from_ + 3 * period_ + 2 > count_) {
    if (skipped_ == 0 && !was_refused_) reason_ = "it reached a steady state only near its end";
    phase_ = Phase::done;
    return;
  }
  phase_ = Phase::probing;
  periods_alike_ = std::numeric_limits<std::uint64_t>::max();
  takes_alike_ = is_one_stretch_ = true;
  has_shuffled_ = false;
}

bool SteadyLoop::is_steady(std::uint64_t iteration, const Iteration&) {
  for (std::uint64_t lag = 1; lag <= std::min(iteration - from_, kLongestPeriod) && may_be_exact_;
       ++lag) {
    if (streak_[lag] < kStreak * lag) continue;
    is_exact_ = true;
    if (base_ != lag) period_ = lag;
    base_ = lag;
    return true;
  }
  if (!is_drawn_) {
    if (skipped_ == 0 && !was_refused_) reason_ = "its iterations did not reach a steady state";
    return false;
  }
  const bool has_reason = skipped_ == 0 && !was_refused_;
  if (has_reason && reason_.empty())
    reason_ = "it has too few iterations to estimate their mean time";
  if (!batches_.has_news()) return false;
  const auto estimate = batches_.estimate();
  if (!estimate) return false;
  if (const double rare = unseen(*estimate) / 2;
      estimate->half_width + rare > settings_.tolerance * estimate->mean) {
    if (has_reason)
      reason_ = "the mean time of its iterations is known to " +
                formatted("%.2g%%", 100 * ((estimate->half_width + rare) / estimate->mean)) +
                " only, " + formatted("%.2g%%", 100 * rare / estimate->mean) +
                " of that for deltas too rare to be sampled; " +
                formatted("%.2g%%", 100 * settings_.tolerance) + " is required";
    return false;
  }
  if (std::abs(estimate->lag) > settings_.tolerance * estimate->mean) {
    if (skipped_ == 0) reason_ = "its ranks do not advance at the same rate";
    return false;
  }
  if (is_exact_) period_ = 1;
  is_exact_ = false;
  base_ = 1;
  return true;
}

void SteadyLoop::probe(Actor& actor, std::uint32_t rank, Part& part, std::uint32_t depth,
                       std::uint64_t iteration) {
  if (iteration == probe_from_) {
    actor.cursor.cursor().values_left(depth, part.values);
    if (unit_ > 1) part.plays = DeltaPlayer::plays(settings_.ordered->played(rank));
    return;
  }
  const bool is_first = iteration == probe_from_ + period_,
             is_second = iteration == probe_from_ + 2 * period_;
  if (!is_first && !is_second) return;
  if (paths_) paths_->mark(rank, is_first ? LoopPaths::Mark::begun : LoopPaths::Mark::ended);
  std::vector<std::uint64_t> now;
  actor.cursor.cursor().values_left(depth, now);
  if (unit_ > 1) probe_deltas(rank, part, is_first);
  if (is_first) {
    for (std::size_t i = 0; i < now.size(); ++i) part.values[i] -= now[i];
    periods_alike_ =
        std::min(periods_alike_, actor.cursor.cursor().periods_alike(depth, part.values));
    now.insert(now.end(), part.values.begin(), part.values.end());  // left, then taken
    part.values = std::move(now);
    part.probed = account_of(actor);
    if (unit_ > 1) part.watched.begin({actor.in_mpi, actor.wait}, iteration);
    if (unit_ > 1 && settings_.observation != nullptr)
      settings_.observation->watch(rank, *part.view);
    if (settings_.observation != nullptr)
      settings_.observation->begin_period(rank, *part.view, this);
    return;
  }
  const std::size_t sequences = now.size();
  for (std::size_t i = 0; i < sequences; ++i)
    if (part.values[i] - now[i] != part.values[sequences + i]) takes_alike_ = false;
  part.values.erase(part.values.begin(),
                    part.values.begin() + static_cast<std::ptrdiff_t>(sequences));
  const Account after = account_of(actor);
  Account& taken = part.probed;
  taken = {after.compute - taken.compute,       after.expected - taken.expected,
           after.in_mpi - taken.in_mpi,         after.wait - taken.wait,
           after.at_memory - taken.at_memory,   after.longer_by_memory - taken.longer_by_memory,
           after.operations - taken.operations, after.messages - taken.messages};
  if (settings_.observation != nullptr) settings_.observation->end_period(rank, *part.view, this);
}

void SteadyLoop::probe_deltas(std::uint32_t rank, Part& part, bool is_first) {
  const DeltaState& played = settings_.ordered->played(rank);
  std::vector<std::uint64_t> now = DeltaPlayer::plays(played), taken = now;
  if (part.plays.size() != now.size()) {
    takes_alike_ = false;
    return;
  }
  for (std::size_t i = 0; i < now.size(); ++i) taken[i] -= part.plays[i];
  if (is_first)
    periods_alike_ =
        std::min(periods_alike_, settings_.ordered->deltas().periods_alike(played, taken));
  else if (taken != part.taken)
    takes_alike_ = false;
  has_shuffled_ = has_shuffled_ || settings_.ordered->deltas().has_shuffled(played, taken);
  part.taken = std::move(taken);
  part.plays = std::move(now);
}

void SteadyLoop::decide(std::uint64_t iteration) {
  if (!is_one_stretch_) {  // where an order goes on, its iterations have to become alike anew
    phase_ = Phase::watching;
    return;
  }
  if (is_exact_ && has_shuffled_) {  // alike so far, but a seldom delta may be to come
    may_be_exact_ = false;
    phase_ = Phase::watching;
    return;
  }
  if (!settings_.jumps->may_begin()) {
    phase_ = Phase::watching;
    return;
  }
  if (!takes_alike_) return try_again(iteration, "its iterations differ in what they do");
  if (past_[iteration % kPast].balance != past_[(iteration - period_) % kPast].balance)
    return try_again(iteration, "the messages sent and received in an iteration do not pair up");
  if (is_exact_ && streak_[base_] < kStreak * base_)
    return try_again(iteration, "its iterations did not reach a steady state");
  jump_at_ = furthest_ + 1;
  const std::uint64_t start =
      probe_from_ + period_;  // from here on the parameters repeat themselves
  const std::uint64_t alike = std::min(periods_alike_, count_ / period_ + 1) * period_;
  const std::uint64_t end = std::min(start + alike, count_ - 1);
  periods_ = end > jump_at_ ? (end - jump_at_) / period_ : 0;
  if (periods_ == 0 && unit_ > 1 && periods_alike_ > 0) {  // not worth it before the group ends
    phase_ = Phase::watching;
    return;
  }
  if (periods_ == 0)
    return try_again(iteration, "parameters of its calls change from iteration to iteration");
  const std::uint64_t before_window = periods_before_window(iteration);
  stops_at_window_ = periods_ > before_window;
  periods_ = std::min(periods_, before_window);
  if (periods_ == 0) {  // what somebody watches is replayed
    phase_ = Phase::watching;
    return;
  }
  const double skipped = static_cast<double>(periods_ * period_);
  if (is_exact_) {
    const std::uint64_t span = std::min(streak_[base_], kPast - 1) / period_ * period_;
    const std::uint64_t used = std::max(span, period_);
    const double time = past_[iteration % kPast].latest - past_[(iteration - used) % kPast].latest;
    jump_time_ = skipped * (time / static_cast<double>(used));
    error_bound_ += 1e-12 * jump_time_ +
                    skipped / static_cast<double>(used) * rounding(past_[iteration % kPast].latest);
  } else {
    const auto estimate = batches_.estimate();
    // Deltas too rare to have been met add something between nothing and all of it: the middle is right to half of it.
    const double rare = unseen(*estimate) / 2;
    jump_time_ = skipped * (estimate->mean + rare);
    error_bound_ += estimate->quantile * std::sqrt(skipped * skipped * estimate->variance /
                                                       static_cast<double>(estimate->values) +
                                                   skipped * estimate->variance) +
                    skipped * rare;
  }
  if (paths_) {
    const double from = past_[iteration % kPast].latest +
                        static_cast<double>(jump_at_ - iteration) * (jump_time_ / skipped);
    paths_->jump(is_exact_, from, jump_time_);
  }
  skipped_ += periods_ * period_ * unit_;
  settings_.jumps->under_way += ranks_.size();
  reason_.clear();
  phase_ = Phase::jumping;
}

// What comes before a window that somebody watches, but for one period.
std::uint64_t SteadyLoop::periods_before_window(std::uint64_t iteration) const {
  constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
  const auto* window = settings_.observation == nullptr ? nullptr : settings_.observation->window();
  if (window == nullptr) return kAny;
  const std::uint64_t iterations = window->may_leave_out(loop_, jump_at_ * unit_);
  std::uint64_t periods = iterations == kAny ? kAny : iterations / (period_ * unit_);
  const double now = past_[iteration % kPast].latest;
  const double to = window->may_jump_to(now);
  if (to == std::numeric_limits<double>::infinity()) return periods;
  const std::uint64_t back = std::min(iteration - from_, kPast - 1);
  const double each = (now - past_[(iteration - back) % kPast].latest) / static_cast<double>(back);
  const double room = (to - now) / each - static_cast<double>(jump_at_ - iteration + 2 * period_);
  if (!(room > 0)) return 0;
  return std::min(periods, static_cast<std::uint64_t>(room) / period_);
}

// Parameters may repeat with a multiple of the times' period; else the watching goes on, each time for twice as long.
void SteadyLoop::try_again(std::uint64_t iteration, std::string reason) {
  if (skipped_ == 0) reason_ = std::move(reason);
  was_refused_ = true;
  phase_ = Phase::watching;
  period_ += base_;
  if (period_ <= kLongestPeriod) return;
  period_ = base_;
  not_before_ = 2 * iteration;
}

void SteadyLoop::jump(Actor& actor, std::uint32_t rank, Part& part, std::uint32_t depth) {
  const Account before = account_of(actor);
  const double from = actor.clock + actor.skipped;
  const double periods = static_cast<double>(periods_);
  const Account& taken = part.probed;
  actor.skipped += jump_time_;
  actor.operations += periods_ * taken.operations;
  actor.sent += periods_ * taken.messages;
  actor.at_memory += periods * taken.at_memory;
  actor.longer_by_memory += periods * taken.longer_by_memory;
  if (is_exact_) {
    actor.compute += periods * taken.compute;
    actor.expected += periods * taken.expected;
    actor.in_mpi += periods * taken.in_mpi;
    actor.wait += periods * taken.wait;
  } else {
    // What is left out computes its mean, and what was played so far is brought to its mean as well: totals are the recorded ones.
    // Where an order is followed, this group's mean need not be that of the run.
    const double computed =
        std::clamp(unit_ > 1 ? periods * taken.compute
                             : actor.expected + periods * taken.expected - actor.compute,
                   0.0, jump_time_);
    const double in_mpi = jump_time_ - computed;
    actor.wait += in_mpi - part.watched.transfer_left_out({actor.in_mpi, actor.wait}, jump_at_,
                                                          periods_ * period_, in_mpi);
    actor.compute += computed;
    actor.expected = unit_ > 1 ? actor.expected + periods * taken.expected : actor.compute;
    actor.in_mpi += in_mpi;
  }
  if (settings_.observation != nullptr)
    settings_.observation->on_jump(rank, *part.view,
                                   {.is_exact = is_exact_,
                                    .periods = periods,
                                    .compute = actor.compute - before.compute,
                                    .in_mpi = actor.in_mpi - before.in_mpi,
                                    .wait = actor.wait - before.wait},
                                   from, jump_time_);
  actor.cursor.cursor().jump(depth, periods_ * period_ * unit_, periods_, part.values);
  part.values = {};
  ++settings_.jumps->made;
  --settings_.jumps->under_way;
  if (unit_ > 1) {
    DeltaState& played = settings_.ordered->played(rank);
    DeltaPlayer::leave_out(played, part.taken, periods_);
    part.stretches = settings_.ordered->deltas().stretches(played);
  } else if (!stops_at_window_) {
    return;
  }
  part.has_jumped = true;
  furthest_ = std::max(furthest_, jump_at_ + periods_ * period_);
  if (++jumped_ == ranks_.size()) watch_again(furthest_ + 1);
}

}  // namespace reprise::sim
