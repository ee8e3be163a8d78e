// SPDX-License-Identifier: MIT
// Clusters the profiles of iterations while they come, into at most `limit` clusters a rank.
//
// How        each iteration is a cluster of its own at first. Where there are more than `limit`, the two closest ones of equal call trees become
//            one. Distance: Manhattan, between the means of a few figures of an iteration (kFigures), each in relation to its average
//            over all iterations so far; first computed when `limit` is exceeded for the first time.
// Figures    the four metrics over all sites; and, more specific: the whole time, the most computed in front of one site, the most spent in one site.
//            They stand for the profile of sites × metrics, in which likeness would drown.
// Weight     a distance grows with the clusters' sizes by sqrt(2·n·m / (n + m)), Ward's weight: two outliers become one sooner than two
//            levels of the baseline. The paper asks for such a weight and gives none; `none` is the plain distance.
// Call trees strong equivalence as long as it makes no more than `limit` classes, then weak; or as set. Clusters of different classes are
//            never united, so no iteration seems to make a call that it never made. Then `limit` is soft: each class keeps a cluster. With more than
//            kSoftness times `limit` classes there is nothing to be clustered, and it is given up.
// Exact      sums of each site and metric over all clusters.
// Cost       add: O(limit · kFigures + sites), some 28 000 instructions with 64 clusters, 120 000 with 256.
// Memory     limit² distances (0.5 MB for 256), limit profiles, 4 bytes an iteration.
// Source     iteration_clusters.hpp; sections 4.1 to 4.4 there.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "trace-io/model/iteration_clusters.hpp"

namespace reprise::trace_io {

enum class SizeWeight : std::uint8_t { ward, none };

class IterationClustering {
 public:
  static constexpr std::uint32_t kSoftness = 4;
  struct Settings {
    std::uint32_t limit = kDefaultClusters;
    SizeWeight weight = SizeWeight::ward;
    std::optional<CallTrees> call_trees{};  // none: strong, then weak if need be
  };

  explicit IterationClustering(Settings);

  void add(const IterationProfile&);  // the next iteration
  // The iterations of a later one behind these. REQUIRES: equal settings.
  void append(const IterationClustering& later);

  std::uint64_t iterations() const { return parents_.size(); }
  // More kinds of call trees than can be told apart, or more iterations than kMostIterations: nothing is kept.
  bool is_given_up() const { return is_given_up_; }
  RankIterations result(Rank) const;  // REQUIRES: !is_given_up()
  std::size_t heap_bytes() const;

 private:
  static constexpr std::size_t kFigures = kIterationMetrics + 3;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  using Figures = std::array<double, kFigures>;
  struct Cluster {
    IterationCluster content;
    Figures mean{};
    std::uint32_t kind = 0;  // of call tree
    std::uint32_t root = 0;  // an iteration of it, the root of all
    std::uint32_t nearest = kNone;
    double distance = 0;  // to the nearest
  };
  using Kind = std::vector<std::pair<SiteId, std::uint64_t>>;  // sites and calls in an iteration

  static Figures figures_of(const IterationCluster&);
  Kind kind_of(const IterationCluster&) const;
  std::uint32_t number_of(const IterationCluster&);
  void compare_sites_only();
  void insert(Cluster);
  void measure(std::uint32_t slot);
  void find_nearest(std::uint32_t slot);
  void unite_closest();
  void unite(std::uint32_t a, std::uint32_t b);
  double measured(const Cluster&, const Cluster&) const;
  double& between(std::uint32_t a, std::uint32_t b) { return distances_[a * room_ + b]; }
  void give_up();

  Settings settings_;
  CallTrees call_trees_;
  bool is_given_up_ = false;
  Figures sums_{};   // over all iterations
  Figures scale_{};  // 1 / average so far; 0 where that is 0
  std::vector<Cluster> clusters_;
  std::vector<std::uint32_t> parents_;  // a disjoint-set forest of iterations
  std::vector<Kind> kinds_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> kinds_by_hash_;
  std::vector<double> distances_;  // empty until there are more than `limit` clusters
  std::size_t room_ = 0;
};

// Adds up by site. Both in the order of sites.
void add_profile(IterationProfile& sums, const IterationProfile& more);

}  // namespace reprise::trace_io
