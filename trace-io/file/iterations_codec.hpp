// SPDX-License-Identifier: MIT
// Clusters of iterations in the payload (FORMAT.md, section 9), for both directions: behind the levels of the order, where there are any.
//
// Call trees are numbered over the file, so that ranks and clusters of one tree name its sites once; a mean is told by what it differs from that of the
// cluster before of the same tree.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace-io/file/payload_tables.hpp"
#include "trace-io/iterations/ranks_iterations.hpp"

namespace reprise::trace_io {

template <class Io>
class IterationsCodec {
 public:
  IterationsCodec(Io& io, InOut<Io, Trace>& trace) : io_(io), trace_(trace) {}

  static constexpr std::uint64_t kPart = 1;

  void all() {
    ranks(trace_.marked_iterations);
    for (auto& program : trace_.threads) find_loops(program);
    std::uint64_t number = 0;
    if constexpr (Io::kReads) {
      const std::uint64_t count = io_.in().count(kColumn, "loops with iterations");
      for (std::uint64_t i = 0; i < count; ++i, ++number) {
        number += io_.number(kColumn);
        if (number >= loops_.size())
          io_.refuse(kColumn, "iterations of loop " + std::to_string(number) + ", there are " +
                                  std::to_string(loops_.size()) + " loops");
        ranks(loops_[number]->clusters);
      }
    } else {
      std::uint64_t count = 0;
      for (const Loop* loop : loops_) count += loop->clusters.empty() ? 0 : 1;
      io_.number(kColumn, count);
      for (std::uint64_t i = 0; i < loops_.size(); ++i) {
        if (loops_[i]->clusters.empty()) continue;
        io_.number(kColumn, i - number);
        number = i + 1;
        ranks(loops_[i]->clusters);
      }
    }
  }

 private:
  static constexpr Column kColumn = Column::order;
  static constexpr std::uint64_t kLargest = std::uint64_t{1} << 62U;  // of sums
  struct Tree {
    std::vector<SiteId> sites;
    std::vector<std::uint64_t> latest;  // means, metric by metric
  };

  template <class Nodes>
  void find_loops(Nodes& nodes) {
    for (auto& node : nodes)
      if (auto* loop = std::get_if<Loop>(&node.content)) {
        loops_.push_back(loop);
        find_loops(loop->body);
      }
  }

  void ranks(InOut<Io, std::vector<RankIterations>>& all) {
    std::int64_t next = 0;
    io_.each(kColumn, kColumn, all, "ranks with iterations", [&](InOut<Io, RankIterations>& one) {
      const std::uint64_t gap =
          io_.number(kColumn, static_cast<std::uint64_t>(one.rank.value - next));
      if constexpr (Io::kReads) {
        if (gap >= static_cast<std::uint64_t>(trace_.header.ranks - next))
          io_.refuse(kColumn, "iterations of a rank that does not exist");
        one.rank = Rank{static_cast<std::int32_t>(next + static_cast<std::int64_t>(gap))};
      }
      next = std::int64_t{one.rank.value} + 1;
      io_.u32(kColumn, one.limit, "limit of clusters");
      io_.choice(kColumn, one.call_trees, 3, "equivalence of call trees");
      io_.sequence(kColumn, one.sequence);
      clusters(one.clusters);
    });
  }

  void clusters(InOut<Io, std::vector<IterationCluster>>& all) {
    std::vector<std::uint64_t> trees;
    io_.each(kColumn, kColumn, all, "clusters", [&](InOut<Io, IterationCluster>& cluster) {
      const std::uint64_t size = io_.number(kColumn, cluster.size);
      if constexpr (Io::kReads) {
        if (size == 0 || size > kMostIterations)
          io_.refuse(kColumn, "a cluster of " + std::to_string(size) + " iterations");
        cluster.size = size;
      }
      trees.push_back(tree_of(cluster));
    });
    for (std::size_t metric = 0; metric < kIterationMetrics; ++metric)
      for (std::size_t i = 0; i < all.size(); ++i) values(all[i], metric, trees_[trees[i]]);
  }

  std::uint64_t tree_of(const IterationCluster& cluster) {
    std::vector<SiteId> sites;
    for (const auto& [site, metrics] : cluster.sums) sites.push_back(site);
    for (std::uint64_t i = 0; i < trees_.size(); ++i)
      if (trees_[i].sites == sites) {
        io_.number(kColumn, i + 1);
        return i;
      }
    io_.number(kColumn, 0);
    io_.number(kColumn, sites.size());
    std::uint64_t next = 0;
    for (const SiteId site : sites) {
      io_.number(kColumn, site - next);
      next = std::uint64_t{site} + 1;
    }
    return add_tree(std::move(sites));
  }
  std::uint64_t tree_of(IterationCluster& cluster) {
    std::uint64_t tree = io_.in().take_reference(kColumn, trees_.size() + 1, "call tree");
    if (tree > 0) {
      --tree;
    } else {
      std::vector<SiteId> sites(io_.in().count(kColumn, "sites"));
      std::uint64_t next = 0;
      for (SiteId& site : sites) {
        next += io_.number(kColumn);
        if (next >= trace_.sites.size())
          io_.refuse(kColumn, "a site that does not exist, there are " +
                                  std::to_string(trace_.sites.size()) + " sites");
        site = static_cast<SiteId>(next++);
      }
      tree = add_tree(std::move(sites));
    }
    // Each site has numbers to come.
    io_.in().checked_count(trees_[tree].sites.size(), kColumn, kColumn, "sites");
    for (const SiteId site : trees_[tree].sites) cluster.sums.push_back({site, {}});
    return tree;
  }
  std::uint64_t add_tree(std::vector<SiteId> sites) {
    std::vector<std::uint64_t> latest(sites.size() * kIterationMetrics, 0);
    trees_.push_back({std::move(sites), std::move(latest)});
    return trees_.size() - 1;
  }

  static bool is_time(std::size_t metric) {
    return metric >= static_cast<std::size_t>(IterationMetric::compute);
  }
  static std::uint64_t near_code(std::uint64_t mean) {
    return kRoundedMeans.code(kRoundedMeans.rounded(mean));
  }

  void values(const IterationCluster& cluster, std::size_t metric, Tree& tree) {
    for (std::size_t i = 0; i < cluster.sums.size(); ++i) {
      const std::uint64_t sum = cluster.sums[i].metrics.of[metric];
      const std::uint64_t mean = sum / cluster.size, rest = sum % cluster.size;
      std::uint64_t& latest = tree.latest[metric * tree.sites.size() + i];
      const bool has_code = is_time(metric) && rest == 0 && kRoundedMeans.has_code(mean);
      if (has_code) {
        io_.number(kColumn, 1 + zigzag(difference(static_cast<std::int64_t>(near_code(mean)),
                                                  static_cast<std::int64_t>(near_code(latest)))));
      } else {
        if (is_time(metric)) io_.number(kColumn, 0);
        io_.near(kColumn, mean, latest);
        if (cluster.size > 1) io_.number(kColumn, rest);
      }
      latest = mean;
    }
  }
  void values(IterationCluster& cluster, std::size_t metric, Tree& tree) {
    for (std::size_t i = 0; i < cluster.sums.size(); ++i) {
      std::uint64_t& latest = tree.latest[metric * tree.sites.size() + i];
      std::uint64_t mean = 0, rest = 0;
      const std::uint64_t code = is_time(metric) ? io_.number(kColumn) : 0;
      if (code > 0) {
        const std::uint64_t its =
            near_code(latest) + static_cast<std::uint64_t>(unzigzag(code - 1));
        mean = its <= kRoundedMeans.largest_code() ? kRoundedMeans.number(its) : kLargest;
      } else {
        mean = io_.near(kColumn, 0, latest);
        if (cluster.size > 1) rest = io_.number(kColumn);
      }
      if (mean >= kLargest / cluster.size || rest >= cluster.size)
        io_.refuse(kColumn, "a sum over iterations that no run can have");
      cluster.sums[i].metrics.of[metric] = mean * cluster.size + rest;
      latest = mean;
    }
  }

  Io& io_;
  InOut<Io, Trace>& trace_;
  std::vector<InOut<Io, Loop>*> loops_;  // of all programs, outer before inner
  std::vector<Tree> trees_;
};

}  // namespace reprise::trace_io
