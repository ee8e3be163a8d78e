// SPDX-License-Identifier: MIT
#include "trace-io/iterations/clustering.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "trace-io/base/integers.hpp"

namespace reprise::trace_io {
namespace {

constexpr float kFar = std::numeric_limits<float>::infinity();

std::uint32_t root_of(const std::vector<std::uint32_t>& parents, std::uint32_t iteration) {
  while (parents[iteration] != iteration) iteration = parents[iteration];
  return iteration;
}

}  // namespace

void add_profile(IterationProfile& sums, const IterationProfile& more) {
  std::size_t at = 0;
  for (const SiteMetrics& one : more) {
    while (at < sums.size() && sums[at].site < one.site) ++at;
    if (at < sums.size() && sums[at].site == one.site)
      sums[at].metrics += one.metrics;
    else
      sums.insert(sums.begin() + static_cast<std::ptrdiff_t>(at), one);
  }
}

IterationClustering::IterationClustering(Settings settings)
    : settings_(settings), call_trees_(settings.call_trees.value_or(CallTrees::same_counts)) {}

IterationClustering::Figures IterationClustering::figures_of(const IterationCluster& cluster) {
  using enum IterationMetric;
  IterationMetrics all;
  std::uint64_t most_computed = 0, most_communicated = 0;
  for (const auto& [site, metrics] : cluster.sums) {
    all += metrics;
    most_computed = std::max(most_computed, metrics[compute]);
    most_communicated = std::max(most_communicated, metrics[communicate]);
  }
  // Divided, not multiplied by 1 / size: the means of equal iterations are equal.
  const auto size = static_cast<double>(cluster.size);
  Figures figures{};
  for (std::size_t m = 0; m < kIterationMetrics; ++m)
    figures[m] = static_cast<double>(all.of[m]) / size;
  figures[kIterationMetrics] = static_cast<double>(all[compute] + all[communicate]) / size;
  figures[kIterationMetrics + 1] = static_cast<double>(most_computed) / size;
  figures[kIterationMetrics + 2] = static_cast<double>(most_communicated) / size;
  return figures;
}

IterationClustering::Kind IterationClustering::kind_of(const IterationCluster& cluster) const {
  Kind kind;
  if (call_trees_ == CallTrees::any) return kind;
  kind.reserve(cluster.sums.size());
  const bool counts = call_trees_ == CallTrees::same_counts;
  for (const auto& [site, metrics] : cluster.sums)
    kind.emplace_back(site, counts ? metrics[IterationMetric::calls] / cluster.size : 0);
  return kind;
}

std::uint32_t IterationClustering::number_of(const IterationCluster& cluster) {
  Kind kind = kind_of(cluster);
  WordHash hash;
  for (const auto& [site, calls] : kind) {
    hash.add(site);
    hash.add(calls);
  }
  const auto [first, last] = kinds_by_hash_.equal_range(hash.value());
  const auto known =
      std::find_if(first, last, [&](const auto& entry) { return kinds_[entry.second] == kind; });
  if (known != last) return known->second;
  const auto number = static_cast<std::uint32_t>(kinds_.size());
  kinds_by_hash_.emplace(hash.value(), number);
  kinds_.push_back(std::move(kind));
  return number;
}

// What was told apart by counts alone is together from now on.
void IterationClustering::compare_sites_only() {
  call_trees_ = CallTrees::same_sites;
  kinds_.clear();
  kinds_by_hash_.clear();
  for (Cluster& cluster : clusters_) cluster.kind = number_of(cluster.content);
  distances_.clear();
}

void IterationClustering::give_up() {
  is_given_up_ = true;
  *this = [&] {
    IterationClustering none(settings_);
    none.is_given_up_ = true;
    return none;
  }();
}

void IterationClustering::add(const IterationProfile& profile) {
  if (is_given_up_ || parents_.size() == kMostIterations) return give_up();
  Cluster cluster;
  cluster.content = {1, profile};
  cluster.mean = figures_of(cluster.content);
  cluster.root = static_cast<std::uint32_t>(parents_.size());
  parents_.push_back(cluster.root);
  for (std::size_t f = 0; f < kFigures; ++f) sums_[f] += cluster.mean[f];
  insert(std::move(cluster));
}

void IterationClustering::append(const IterationClustering& later) {
  if (is_given_up_ || later.is_given_up_ ||
      parents_.size() + later.parents_.size() > kMostIterations)
    return give_up();
  const auto before = static_cast<std::uint32_t>(parents_.size());
  for (const std::uint32_t parent : later.parents_) parents_.push_back(before + parent);
  for (std::size_t f = 0; f < kFigures; ++f) sums_[f] += later.sums_[f];
  if (later.call_trees_ != call_trees_ && later.call_trees_ == CallTrees::same_sites)
    compare_sites_only();
  for (const Cluster& one : later.clusters_) {
    if (is_given_up_) return;
    Cluster cluster = one;
    cluster.root += before;
    insert(std::move(cluster));
  }
}

std::size_t IterationClustering::most_kinds() const {
  return std::max(kMostKinds, std::size_t{settings_.limit} * 4);
}

std::size_t IterationClustering::most_clusters() const {
  return settings_.limit + kinds_.size() - 1;
}

void IterationClustering::insert(Cluster cluster) {
  cluster.kind = number_of(cluster.content);
  clusters_.push_back(std::move(cluster));
  if (kinds_.size() > std::max<std::size_t>(settings_.limit / 2, 1) && !settings_.call_trees &&
      call_trees_ == CallTrees::same_counts)
    compare_sites_only();
  if (kinds_.size() > most_kinds()) return give_up();
  const bool is_first = distances_.empty();
  if (is_first && clusters_.size() <= most_clusters()) return;
  for (std::size_t f = 0; f < kFigures; ++f)
    scale_[f] = sums_[f] > 0 ? kWeights[f] * static_cast<double>(parents_.size()) / sums_[f] : 0;
  const std::size_t pairs = clusters_.size() * (clusters_.size() - 1) / 2;
  if (distances_.size() < pairs) distances_.resize(pairs);
  const auto slot = static_cast<std::uint32_t>(clusters_.size() - 1);
  if (is_first) {
    for (std::uint32_t one = 0; one <= slot; ++one)
      for (std::uint32_t other = 0; other < one; ++other)
        between(one, other) = measured(clusters_[one], clusters_[other]);
    for (std::uint32_t one = 0; one <= slot; ++one) find_nearest(one);
  } else {
    measure(slot);
    find_nearest(slot);
    for (std::uint32_t other = 0; other < slot; ++other) {
      if (between(slot, other) >= clusters_[other].distance) continue;
      clusters_[other].nearest = slot;
      clusters_[other].distance = between(slot, other);
    }
  }
  unite_closest();
}

float IterationClustering::measured(const Cluster& a, const Cluster& b) const {
  if (a.kind != b.kind) return kFar;
  double sum = 0;
  for (std::size_t f = 0; f < kFigures; ++f) sum += std::abs(a.mean[f] - b.mean[f]) * scale_[f];
  if (settings_.weight == SizeWeight::ward) {
    const auto n = static_cast<double>(a.content.size), m = static_cast<double>(b.content.size);
    sum *= std::sqrt(2 * n * m / (n + m));
  }
  return static_cast<float>(sum);
}

void IterationClustering::measure(std::uint32_t slot) {
  for (std::uint32_t other = 0; other < clusters_.size(); ++other)
    if (other != slot) between(slot, other) = measured(clusters_[slot], clusters_[other]);
}

void IterationClustering::find_nearest(std::uint32_t slot) {
  Cluster& cluster = clusters_[slot];
  cluster.nearest = kNone;
  cluster.distance = kFar;
  for (std::uint32_t other = 0; other < clusters_.size(); ++other) {
    if (other == slot || between(slot, other) >= cluster.distance) continue;
    cluster.nearest = other;
    cluster.distance = between(slot, other);
  }
}

void IterationClustering::unite_closest() {
  for (;;) {
    const auto closest = std::ranges::min_element(clusters_, {}, &Cluster::distance);
    if (closest->nearest == kNone) return;  // each kind has one cluster
    // Equal ones are one, whatever room there is: which of them the next equal one would join is chance.
    if (clusters_.size() <= most_clusters() && closest->distance > 0) return;
    const auto slot = static_cast<std::uint32_t>(closest - clusters_.begin());
    unite(std::min(slot, closest->nearest), std::max(slot, closest->nearest));
  }
}

// Into `a`; the last one takes the place of `b`. REQUIRES: a < b.
void IterationClustering::unite(std::uint32_t a, std::uint32_t b) {
  Cluster &one = clusters_[a], &other = clusters_[b];
  if (one.content.size < other.content.size) std::swap(one.root, other.root);
  parents_[other.root] = one.root;
  add_profile(one.content.sums, other.content.sums);
  one.content.size += other.content.size;
  one.mean = figures_of(one.content);

  const auto last = static_cast<std::uint32_t>(clusters_.size() - 1);
  if (b != last) {
    for (std::uint32_t slot = 0; slot < last; ++slot)
      if (slot != b) between(b, slot) = between(last, slot);
    clusters_[b] = std::move(clusters_[last]);
  }
  clusters_.pop_back();
  measure(a);
  for (std::uint32_t slot = 0; slot < last; ++slot) {
    Cluster& cluster = clusters_[slot];
    if (slot == a || cluster.nearest == a || cluster.nearest == b) {
      find_nearest(slot);
      continue;
    }
    if (cluster.nearest == last) cluster.nearest = b;
    if (between(slot, a) < cluster.distance) {
      cluster.nearest = a;
      cluster.distance = between(slot, a);
    }
  }
}

RankIterations IterationClustering::result(Rank rank) const {
  RankIterations result;
  result.rank = rank;
  result.limit = settings_.limit;
  result.call_trees = call_trees_;
  std::vector<std::uint32_t> label(parents_.size(), kNone);  // of roots
  for (std::uint32_t iteration = 0; iteration < parents_.size(); ++iteration) {
    std::uint32_t& its = label[root_of(parents_, iteration)];
    if (its == kNone) its = static_cast<std::uint32_t>(result.clusters.size());
    if (its == result.clusters.size()) result.clusters.emplace_back();
    result.sequence.append(its);
  }
  for (const Cluster& cluster : clusters_) result.clusters[label[cluster.root]] = cluster.content;
  return result;
}

std::size_t IterationClustering::heap_bytes() const {
  std::size_t bytes = parents_.capacity() * sizeof parents_.front() +
                      distances_.capacity() * sizeof distances_.front();
  for (const Cluster& cluster : clusters_)
    bytes += sizeof cluster + cluster.content.sums.capacity() * sizeof(SiteMetrics);
  for (const Kind& kind : kinds_) bytes += sizeof(Kind) + kind.capacity() * sizeof kind.front();
  return bytes;
}

}  // namespace reprise::trace_io
