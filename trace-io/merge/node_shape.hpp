// SPDX-License-Identifier: MIT
// What the alignment looks at: the sites of a node and how they are nested, not who executes it or with which values.
//
// Cost    O(nodes) time and memory for a whole program, plus the distinct sites of each loop (at most kSiteLimit kept).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

struct SiteCount {
  SiteId site = kNoSite;
  std::uint32_t leaves = 0;
};

struct NodeShape {
  // Similarity is a hint for compression alone: beyond this many distinct sites, the lowest numbers speak for the loop.
  static constexpr std::size_t kSiteLimit = 256;

  std::uint64_t hash = 0;  // equal where sites and nesting are equal
  bool is_loop = false;
  std::uint32_t leaves = 1;      // in all of the node
  std::vector<SiteCount> sites;  // ascending by site
  std::vector<NodeShape> body;   // of a loop
};

std::vector<NodeShape> shapes_of(std::span<const Node>);

// How many leaves of one can find a partner in the other, as far as their sites tell. O(sites of both).
std::uint32_t common_leaves(const NodeShape&, const NodeShape&);

// What it is worth to make one node of the two; 0: they must stay apart. Structurally equal nodes are worth the most that
// either could get; loops need half of the smaller one's leaves in common; a leaf can join a loop over its site alone.
std::uint32_t match_worth(const NodeShape&, const NodeShape&);

}  // namespace reprise::trace_io
