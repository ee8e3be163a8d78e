// SPDX-License-Identifier: MIT
#include "trace-io/merge/renumbering.hpp"

#include <algorithm>

#include "trace-io/base/error.hpp"

namespace reprise::trace_io {
namespace {

SiteId renumbered(SiteId site, const std::vector<SiteId>& sites) {
  if (site == kNoSite) return site;
  REPRISE_ASSERT(site < sites.size(), "every site of a program is in the trace's table");
  return sites[site];
}

void renumber_leaf(Leaf& leaf, const std::vector<SiteId>& sites) {
  leaf.site = renumbered(leaf.site, sites);
  for (PathDeltas& path : leaf.compute) path.predecessor = renumbered(path.predecessor, sites);
  std::sort(leaf.compute.begin(), leaf.compute.end(),
            [](const PathDeltas& x, const PathDeltas& y) { return x.predecessor < y.predecessor; });
}

void renumber_nodes(std::vector<Node>& nodes, const std::vector<SiteId>& sites) {
  for (Node& node : nodes) {
    if (Leaf* leaf = std::get_if<Leaf>(&node.content))
      renumber_leaf(*leaf, sites);
    else
      renumber_nodes(std::get<Loop>(node.content).body, sites);
  }
}

}  // namespace

void renumber_sites(std::vector<Node>& nodes, const std::vector<SiteId>& sites) {
  for (SiteId site = 0; site < sites.size(); ++site)
    if (sites[site] != site) return renumber_nodes(nodes, sites);
}

}  // namespace reprise::trace_io
