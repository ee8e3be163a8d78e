// SPDX-License-Identifier: MIT
// Clusters the profiles of iterations while they come, into at most `limit` clusters a rank, and one more for each further call tree.
//
// How        each iteration is a cluster of its own at first. Where there are too many, the two closest ones of equal call trees become
//            one. Distance: Manhattan, between the means of a few figures of an iteration (kFigures), each in relation to its average
//            over all iterations so far; first computed when there are too many for the first time.
// Figures    the four metrics over all sites; and, more specific: the whole time, the most computed in front of one site, the most spent in one site.
//            They stand for the profile of sites × metrics, in which likeness would drown. The last two count half: their times are in two other
//            figures already (measured: with their full weight whole iterations are 5 to 15 % farther from the truth, without it call paths up to 25 %).
// Weight     a distance grows with the clusters' sizes by sqrt(2·n·m / (n + m)), Ward's weight: two outliers become one sooner than two
//            levels of the baseline. The paper asks for such a weight and gives none; `none` is the plain distance.
// Call trees strong equivalence as long as it makes no more than half of `limit` classes, then weak; or as set. Clusters of different classes are
//            never united, so no iteration seems to make a call that it never made. Classes do not use up `limit`, which is for what
//            varies within them: a mesh that is refined every few steps has a call tree of its own nearly every time, and if those counted, the steps
//            between, of one call tree, would be a single cluster. With more than most_kinds() classes there is nothing to be clustered, and it is given up.
// Exact      sums of each site and metric over all clusters.
// Cost       add: O(clusters · kFigures + sites), some 28 000 instructions with 64 clusters, 120 000 with 256.
// Memory     4 bytes for each pair of clusters (0.13 MB for 256; 3.3 MB with 1023 further call trees), the clusters' profiles, 4 bytes an iteration.
// Source     iteration_clusters.hpp; sections 4.1 to 4.4 there.
#pragma once

#include <algorithm>
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
  // Call trees that can be told apart, at least, and of a larger limit four times as many.
  static constexpr std::size_t kMostKinds = 256;
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
  static constexpr Figures kWeights = {1, 1, 1, 1, 1, 0.5, 0.5};
  struct Cluster {
    IterationCluster content;
    Figures mean{};
    std::uint32_t kind = 0;  // of call tree
    std::uint32_t root = 0;  // an iteration of it, the root of all
    std::uint32_t nearest = kNone;
    float distance = 0;  // to the nearest
  };
  using Kind = std::vector<std::pair<SiteId, std::uint64_t>>;  // sites and calls in an iteration

  static Figures figures_of(const IterationCluster&);
  Kind kind_of(const IterationCluster&) const;
  std::uint32_t number_of(const IterationCluster&);
  void compare_sites_only();
  std::size_t most_kinds() const;
  std::size_t most_clusters() const;
  void insert(Cluster);
  void measure(std::uint32_t slot);
  void find_nearest(std::uint32_t slot);
  void unite_closest();
  void unite(std::uint32_t a, std::uint32_t b);
  float measured(const Cluster&, const Cluster&) const;
  float& between(std::uint32_t a, std::uint32_t b) {  // REQUIRES: a != b
    const std::size_t more = std::max(a, b);
    return distances_[more * (more - 1) / 2 + std::min(a, b)];
  }
  void give_up();

  Settings settings_;
  CallTrees call_trees_;
  bool is_given_up_ = false;
  Figures sums_{};   // over all iterations
  Figures scale_{};  // weight / average so far; 0 where that is 0
  std::vector<Cluster> clusters_;
  std::vector<std::uint32_t> parents_;  // a disjoint-set forest of iterations
  std::vector<Kind> kinds_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> kinds_by_hash_;
  std::vector<float> distances_;  // of each pair once; empty until there are too many clusters
};

// Adds up by site. Both in the order of sites.
void add_profile(IterationProfile& sums, const IterationProfile& more);

}  // namespace reprise::trace_io
