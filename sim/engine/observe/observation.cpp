// SPDX-License-Identifier: MIT
#include "sim/engine/observe/observation.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace reprise::sim {

using trace_io::Field;

namespace {

std::uint64_t sum_of(std::span<const std::int64_t> sizes) {
  return static_cast<std::uint64_t>(
      std::max<std::int64_t>(0, std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0})));
}

// Of the current call: see CallAccount.
std::uint64_t bytes_of(const EventStream& cursor) {
  const EventFields fields(cursor);
  for (const Field field : {Field::bytes, Field::send_bytes})
    if (fields.has(field))
      return static_cast<std::uint64_t>(std::max<std::int64_t>(0, fields.scalar(field)));
  for (const Field field : {Field::send_bytes_list, Field::receive_bytes_list})
    if (fields.has(field)) return sum_of(fields.vector(field));
  return 0;
}

const CallAccount& at(const SiteAccounts& accounts, std::size_t site) {
  static const CallAccount none;
  return site < accounts.size() ? accounts[site] : none;
}

// Each site's part of TOTAL, in proportion to its weight.
void share_out(double total, const std::vector<double>& weights, std::vector<double>& parts) {
  double sum = 0;
  for (const double weight : weights) sum += weight;
  for (std::size_t site = 0; site < weights.size(); ++site)
    parts[site] = sum > 0 ? total * (weights[site] / sum) : 0;
}

}  // namespace

CallAccount& CallAccount::operator+=(const CallAccount& other) {
  calls += other.calls;
  bytes += other.bytes;
  least_bytes = std::min(least_bytes, other.least_bytes);
  most_bytes = std::max(most_bytes, other.most_bytes);
  compute += other.compute;
  expected += other.expected;
  in_mpi += other.in_mpi;
  wait += other.wait;
  shortest = std::min(shortest, other.shortest);
  longest = std::max(longest, other.longest);
  return *this;
}

SiteAccounts difference(const SiteAccounts& now, const SiteAccounts& before) {
  SiteAccounts added = now;
  for (std::size_t site = 0; site < std::min(now.size(), before.size()); ++site) {
    CallAccount& one = added[site];
    const CallAccount& old = before[site];
    one.calls -= old.calls;
    one.bytes -= old.bytes;
    one.compute -= old.compute;
    one.expected -= old.expected;
    one.in_mpi -= old.in_mpi;
    one.wait -= old.wait;
  }
  return added;
}

void jump(SiteAccounts& accounts, const SiteAccounts& watched, const SiteAccounts& period,
          const JumpedTimes& jumped) {
  const auto periods = static_cast<std::uint64_t>(jumped.periods);
  std::vector<double> computed(accounts.size()), transfer(accounts.size()), wait(accounts.size());
  for (std::size_t site = 0; site < accounts.size(); ++site) {
    CallAccount& account = accounts[site];
    const CallAccount& added = at(period, site);
    account.calls += periods * added.calls;
    account.bytes += periods * added.bytes;
    if (jumped.is_exact) {
      account.compute += jumped.periods * added.compute;
      account.expected += jumped.periods * added.expected;
      account.in_mpi += jumped.periods * added.in_mpi;
      account.wait += jumped.periods * added.wait;
      continue;
    }
    // Computing is brought to its mean, as the rank's is, where it is not known; time in MPI is shared out as it was while the rank was watched.
    const CallAccount& before = at(watched, site);
    if (jumped.computed_at.empty())
      computed[site] =
          std::max(0.0, account.expected + jumped.periods * added.expected - account.compute);
    wait[site] = std::max(0.0, account.wait - before.wait);
    transfer[site] = std::max(0.0, account.in_mpi - before.in_mpi - wait[site]);
  }
  if (jumped.is_exact) return;
  for (const auto& [site, seconds] : jumped.computed_at) computed[site] += seconds;
  share_out(jumped.compute, computed, computed);
  share_out(jumped.in_mpi - jumped.wait, transfer, transfer);
  share_out(jumped.wait, wait, wait);
  for (std::size_t site = 0; site < accounts.size(); ++site) {
    accounts[site].compute += computed[site];
    accounts[site].expected = accounts[site].compute;
    accounts[site].in_mpi += transfer[site] + wait[site];
    accounts[site].wait += wait[site];
  }
}

void Observation::begin(const trace_io::Trace& trace, const platforms::Platform& platform,
                        std::vector<platforms::NodeIndex> end_of_rank,
                        const std::vector<Actor>& actors, std::span<const LinkChange> changes) {
  sides_.assign(actors.size(), {});
  for (std::size_t actor = 0; actor < actors.size(); ++actor)
    sides_[actor].rank = actors[actor].rank;
  if (what_.timeline) timeline_ = TimeBins(static_cast<std::size_t>(trace.header.ranks));
  if (what_.pairs) pairs_ = TrafficPairs(end_of_rank.size());
  if (what_.iterations) iterations_.emplace(trace, actors);
  if (window_) window_->begin(trace, actors.size());
  keep_path();
  if (what_.traffic) traffic_.emplace(platform, std::move(end_of_rank), changes);
}

void Observation::keep_path() {
  if (!window_ || !path_) return;
  const auto [from, to] = window_->path_times();
  path_->keep_steps(from, to);
}

void Observation::on_begin(std::uint32_t index, const Actor& actor) {
  Side& side = sides_[index];
  if (iterations_) iterations_->on_event(index, actor, side.bytes);
  if (window_) {
    window_->on_begin(index, actor);
    keep_path();
  }
  side.has_begun = true;
  side.from = actor.clock + actor.skipped;
  side.compute = actor.compute;
  side.expected = actor.expected;
  side.in_mpi = actor.in_mpi;
  side.wait = actor.wait;
}

void Observation::on_end(std::uint32_t index, const Actor& actor) {
  Side& side = sides_[index];
  if (!side.has_begun) return;  // nothing has been carried out yet
  const double computed = actor.compute - side.compute, in_mpi = actor.in_mpi - side.in_mpi,
               wait = actor.wait - side.wait;
  if (window_) window_->on_end(index, actor, side.from, computed, wait);
  if (what_.timeline) {
    timeline_.add(side.rank, side.from, computed, {computed, 0, 0});
    timeline_.add(side.rank, side.from + computed, in_mpi, {0, in_mpi - wait, wait});
  }
  if (!what_.calls && !what_.iterations) return;
  const std::uint64_t bytes = bytes_of(actor.cursor);
  side.bytes += bytes;
  if (!what_.calls) return;
  const trace_io::SiteId site = actor.cursor.site();
  if (side.sites.size() <= site) side.sites.resize(site + 1);
  CallAccount& account = side.sites[site];
  ++account.calls;
  account.bytes += bytes;
  account.least_bytes = std::min(account.least_bytes, bytes);
  account.most_bytes = std::max(account.most_bytes, bytes);
  account.compute += computed;
  account.expected += actor.expected - side.expected;
  account.in_mpi += in_mpi;
  account.wait += wait;
  account.shortest = std::min(account.shortest, in_mpi);
  account.longest = std::max(account.longest, in_mpi);
}

void Observation::on_finished(std::uint32_t index, const Actor& actor) {
  if (iterations_) iterations_->on_end(index, actor, sides_[index].bytes);
}

void Observation::finish(const std::vector<Actor>& actors, double now) {
  if (iterations_) iterations_->finish();
  if (!window_) return;
  // Ranks run ahead of the events between them: the last moment is the latest of any.
  for (const Actor& actor : actors) now = std::max(now, actor.clock);
  for (std::uint32_t index = 0; index < actors.size(); ++index)
    if (const Side& side = sides_[index];
        side.has_begun && actors[index].state != Actor::State::finished)
      window_->on_stuck(index, actors[index], side.from, actors[index].compute - side.compute, now);
  window_->finish();
}

const char* Observation::why_not_forwarded() const {
  if (window_ && window_->why_not_forwarded()) return window_->why_not_forwarded();
  return iterations_ && !iterations_->loops().are_outermost
             ? "iterations are shown of a loop within another one"
             : nullptr;
}

void Observation::count(const TrafficMeter::Kind& kind, std::uint64_t times) {
  if (traffic_) traffic_->add(kind, times);
  if (what_.pairs) pairs_.add(kind.from, {kind.to, times, times * kind.bytes});
}

void Observation::on_sent(std::uint32_t index, std::int32_t from, std::int32_t to, Bytes bytes) {
  if (!meters()) return;
  const TrafficMeter::Kind kind{from, to, bytes.value};
  count(kind, 1);
  for (auto& [loop, log] : sides_[index].logs) ++log[kind];
}

void Observation::watch(std::uint32_t index, LoopView& view) {
  if (what_.calls) view.watched = view.later = sides_[index].sites;
}

void Observation::watch_on(std::uint32_t index, LoopView& view) {
  if (!what_.calls) return;
  view.watched = std::move(view.later);
  view.later = sides_[index].sites;
}

void Observation::pause_watching(std::uint32_t index, LoopView& view) {
  if (what_.calls) view.later = sides_[index].sites;
}

void Observation::go_on_watching(std::uint32_t index, LoopView& view) {
  if (!what_.calls) return;
  const SiteAccounts unwatched = difference(sides_[index].sites, view.later);
  view.watched.resize(unwatched.size());
  for (std::size_t site = 0; site < unwatched.size(); ++site) view.watched[site] += unwatched[site];
}

void Observation::begin_period(std::uint32_t index, LoopView& view, const void* loop) {
  view.period = sides_[index].sites;
  view.bytes = sides_[index].bytes;
  if (meters()) sides_[index].logs[loop].clear();
}

void Observation::end_period(std::uint32_t index, LoopView& view, const void* loop) {
  view.period = difference(sides_[index].sites, view.period);
  view.bytes = sides_[index].bytes - view.bytes;
  view.sent.clear();
  if (meters()) std::swap(view.sent, sides_[index].logs[loop]);
  sides_[index].logs.erase(loop);
}

void Observation::on_jump(std::uint32_t index, const LoopView& view, const JumpedTimes& jumped,
                          double from, double span) {
  Side& side = sides_[index];
  if (what_.timeline)
    timeline_.add(side.rank, from, span,
                  {jumped.compute, jumped.in_mpi - jumped.wait, jumped.wait});
  if (what_.calls) jump(side.sites, view.watched, view.period, jumped);
  const auto periods = static_cast<std::uint64_t>(jumped.periods);
  side.bytes += periods * view.bytes;
  if (!meters()) return;
  for (const auto& [kind, times] : view.sent) {
    count(kind, times * periods);
    for (auto& [loop, log] : side.logs) log[kind] += times * periods;
  }
}

std::vector<Observation::RankSite> Observation::calls() const {
  std::vector<RankSite> rows;
  for (std::size_t first = 0; first < sides_.size();) {
    SiteAccounts of_rank;  // of all the rank's threads
    std::size_t side = first;
    for (; side < sides_.size() && sides_[side].rank == sides_[first].rank; ++side) {
      of_rank.resize(std::max(of_rank.size(), sides_[side].sites.size()));
      for (std::size_t site = 0; site < sides_[side].sites.size(); ++site)
        of_rank[site] += sides_[side].sites[site];
    }
    for (std::size_t site = 0; site < of_rank.size(); ++site)
      if (of_rank[site].calls > 0)
        rows.push_back(
            {Rank{sides_[first].rank}, static_cast<trace_io::SiteId>(site), of_rank[site]});
    first = side;
  }
  return rows;
}

}  // namespace reprise::sim
