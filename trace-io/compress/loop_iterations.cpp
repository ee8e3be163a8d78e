// SPDX-License-Identifier: MIT
#include "trace-io/compress/loop_iterations.hpp"

#include <algorithm>

#include "trace-io/compress/fold_node.hpp"

namespace reprise::trace_io {
namespace {

template <class Visit>
void for_each_fold_leaf(const FoldBody& body, const Visit& visit) {
  for (const auto& node : body) {
    if (const FoldLeaf* leaf = node->leaf())
      visit(*leaf);
    else
      for_each_fold_leaf(node->loop()->body, visit);
  }
}

bool is_known(const FoldLoop& loop) {
  return loop.recorded && !loop.recorded->is_given_up() && loop.recorded->iterations() > 0;
}

void choose(const FoldBody& body, ChosenLoop& chosen) {
  for (const auto& node : body) {
    const FoldLoop* loop = node->loop();
    if (loop == nullptr) continue;
    if (loop->recorded && loop->recorded->is_given_up()) chosen.is_given_up = true;
    if (is_known(*loop)) {
      const std::uint64_t time = loop->recorded->nanoseconds();
      if (chosen.loop == nullptr || time > chosen.loop->recorded->nanoseconds()) chosen.loop = loop;
      continue;
    }
    choose(loop->body, chosen);
  }
}

// That iterations may be told of instead, where the loop has few: null where it has enough, or none within has more.
const FoldLoop* loop_within(const FoldLoop& loop) {
  if (loop.recorded->iterations() >= LoopIterations::kEnough) return nullptr;
  ChosenLoop inner;
  choose(loop.body, inner);
  if (inner.loop == nullptr || inner.loop->recorded->iterations() <= loop.recorded->iterations())
    return nullptr;
  return inner.loop;
}

LevelTimes times_of(const FoldLoop& around, const FoldLoop& within) {
  return {static_cast<double>(around.recorded->nanoseconds()),
          static_cast<double>(within.recorded->nanoseconds())};
}

}  // namespace

void drop_iterations(const FoldBody& body) {
  for (const auto& node : body) {
    if (FoldLoop* loop = node->loop()) {
      loop->recorded.reset();
      drop_iterations(loop->body);
    }
  }
}

void LoopIterations::find_leaves(const FoldBody& body) {
  std::vector<SiteId> sites;
  for_each_fold_leaf(body, [&](const FoldLeaf& leaf) { sites.push_back(leaf.site); });
  std::ranges::sort(sites);
  sites.erase(std::unique(sites.begin(), sites.end()), sites.end());
  IterationProfile profile;
  for (const SiteId site : sites) profile.push_back({site, {}});
  add_profile(counted_, profile);
  for_each_fold_leaf(body, [&](const FoldLeaf& leaf) {
    const auto at = std::ranges::lower_bound(counted_, leaf.site, {}, &SiteMetrics::site);
    leaves_.push_back({&leaf, static_cast<std::size_t>(at - counted_.begin())});
  });
}

void LoopIterations::add_up(const FoldBody& body) {
  if (leaves_.empty()) find_leaves(body);
  now_.assign(counted_.size(), {});
  for (const auto& [leaf, place] : leaves_) now_[place] += leaf->sums();
}

void LoopIterations::begin_anew(const FoldBody& body) {
  add_up(body);
  for (std::size_t i = 0; i < now_.size(); ++i) counted_[i].metrics = now_[i];
}

// profile_ becomes the iteration under way.
void LoopIterations::close(const FoldBody& body) {
  add_up(body);
  profile_.clear();
  for (std::size_t i = 0; i < now_.size(); ++i) {
    IterationMetrics& before = counted_[i].metrics;
    SiteMetrics one{counted_[i].site, now_[i]};
    for (std::size_t m = 0; m < kIterationMetrics; ++m) one.metrics.of[m] -= before.of[m];
    before = now_[i];
    if (one.metrics[IterationMetric::calls] > 0) profile_.push_back(one);
  }
  if (profile_.empty()) return;
  for (const auto& [site, metrics] : profile_)
    nanoseconds_ += metrics[IterationMetric::compute] + metrics[IterationMetric::communicate];
  clusters_.add(profile_);
}

void LoopIterations::finish(const FoldBody& body) {
  if (is_given_up()) return;
  close(body);
  if (is_alone_ || iterations() < kEnough) return;
  drop_iterations(body);
  is_alone_ = true;
}

void LoopIterations::append(const LoopIterations& later) {
  add_profile(counted_, later.counted_);
  nanoseconds_ += later.nanoseconds_;
  clusters_.append(later.clusters_);
  forget_leaves();
}

std::optional<RankIterations> LoopIterations::result(const FoldBody& body, Rank rank) const {
  LoopIterations all(*this);
  all.forget_leaves();
  all.close(body);
  if (all.is_given_up()) return std::nullopt;
  return all.clusters_.result(rank);
}

std::size_t LoopIterations::heap_bytes() const {
  return sizeof *this + clusters_.heap_bytes() + counted_.capacity() * sizeof(SiteMetrics) +
         leaves_.capacity() * sizeof(WatchedLeaf) + now_.capacity() * sizeof(IterationMetrics) +
         profile_.capacity() * sizeof(SiteMetrics);
}

ChosenLoop chosen_loop(const FoldBody& program, const IterationLevels* of_all) {
  ChosenLoop chosen;
  choose(program, chosen);
  for (std::size_t level = 0; chosen.loop != nullptr; ++level) {
    const FoldLoop* const inner = loop_within(*chosen.loop);
    if (inner == nullptr) break;
    const bool is_voted_on = of_all != nullptr && level < of_all->size();
    const LevelTimes times = is_voted_on ? (*of_all)[level] : times_of(*chosen.loop, *inner);
    if (!times.is_within()) break;
    chosen.loop = inner;
  }
  return chosen;
}

IterationLevels iteration_levels(const FoldBody& program) {
  IterationLevels levels{};
  ChosenLoop chosen;
  choose(program, chosen);
  for (LevelTimes& level : levels) {
    const FoldLoop* const inner = chosen.loop != nullptr ? loop_within(*chosen.loop) : nullptr;
    if (inner == nullptr) break;
    level = times_of(*chosen.loop, *inner);
    chosen.loop = inner;
  }
  return levels;
}

}  // namespace reprise::trace_io
