// SPDX-License-Identifier: MIT
#include "trace-io/text/iterations_text.hpp"

#include "trace-io/text/sequence_text.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::array<std::string_view, 3> kCallTrees = {"any", "sites", "counts"};

SiteMetrics read_site_metrics(Scanner& in, const Trace& tables) {
  SiteMetrics one;
  in.expect("@", "in front of a site");
  const std::size_t at = in.position();
  const std::uint64_t site = in.unsigned_number("a site's number");
  if (site >= tables.sites.size())
    in.refuse(at, "there is no site " + std::to_string(site) + ", " +
                      std::to_string(tables.sites.size()) + " are declared");
  one.site = static_cast<SiteId>(site);
  for (std::size_t m = 0; m < kIterationMetrics; ++m) {
    if (m > 0) in.expect("/", "between calls, bytes and times");
    one.metrics.of[m] = in.unsigned_number("a sum");
  }
  return one;
}

}  // namespace

std::string iterations_text(const RankIterations& one) {
  std::string text = "iterations rank " + std::to_string(one.rank.value) + " limit " +
                     std::to_string(one.limit) + " same ";
  text += kCallTrees[static_cast<std::size_t>(one.call_trees)];
  text += " sequence " + write_bracketed(one.sequence.terms()) + " clusters [";
  for (const IterationCluster& cluster : one.clusters) {
    text += (&cluster == one.clusters.data() ? "" : "; ") + std::to_string(cluster.size) + ": ";
    for (const auto& [site, metrics] : cluster.sums) {
      if (site != cluster.sums.front().site) text += ", ";
      text += "@" + std::to_string(site);
      for (std::size_t m = 0; m < kIterationMetrics; ++m)
        text += (m == 0 ? " " : "/") + std::to_string(metrics.of[m]);
    }
  }
  return text + "]";
}

RankIterations read_iterations(Scanner& in, const Trace& tables) {
  RankIterations one;
  in.expect("rank", "after \"iterations\"");
  const std::size_t rank_at = in.position();
  const std::uint64_t rank = in.unsigned_number("a rank");
  if (rank >= static_cast<std::uint64_t>(tables.header.ranks))
    in.refuse(rank_at, "there is no rank " + std::to_string(rank));
  one.rank = Rank{static_cast<std::int32_t>(rank)};
  in.expect("limit", "after the rank");
  const std::size_t limit_at = in.position();
  const std::uint64_t limit = in.unsigned_number("a number of clusters");
  if (limit > UINT32_MAX) in.refuse(limit_at, "a number of clusters does not fit 32 bits");
  one.limit = static_cast<std::uint32_t>(limit);
  in.expect("same", "after the limit");
  const std::size_t word_at = in.position();
  const std::string_view word = in.word("what is the same in a cluster");
  std::size_t trees = 0;
  while (trees < kCallTrees.size() && kCallTrees[trees] != word) ++trees;
  if (trees == kCallTrees.size()) in.refuse(word_at, "expected \"counts\", \"sites\" or \"any\"");
  one.call_trees = static_cast<CallTrees>(trees);
  in.expect("sequence", "after what is the same in a cluster");
  one.sequence = ValueSequence::from_terms(read_bracketed(in));
  in.expect("clusters", "after the sequence");
  in.expect("[", "in front of clusters");
  while (!in.accept("]")) {
    if (!one.clusters.empty()) in.expect(";", "between clusters");
    IterationCluster& cluster = one.clusters.emplace_back();
    cluster.size = in.unsigned_number("a number of iterations");
    in.expect(":", "after the number of iterations");
    while (in.next_is('@') || (!cluster.sums.empty() && in.accept(",")))
      cluster.sums.push_back(read_site_metrics(in, tables));
  }
  return one;
}

}  // namespace reprise::trace_io
