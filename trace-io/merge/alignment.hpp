// SPDX-License-Identifier: MIT
// Which nodes of two node lists become one.
//
// What    pairs in ascending order on both sides, so that either side's order survives; every pair is worth something (match_worth).
// How     equal heads and tails are paired; a middle of at most kAlignWork pairs of nodes is aligned for the greatest total
//         worth; a larger one is cut up first, by the longest common subsequence of equal nodes where the sides differ little,
//         else at the equal nodes that are unique on both sides (Cohen's patience difference). What remains too large after
//         that stays apart.
// Cost    linear for equal lists, O(n log n + cut pieces · kAlignWork) otherwise.
// Source  Noeth et al., IPDPS 2007, for the aim; Needleman and Wunsch 1970 for the middle.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "trace-io/merge/shortest_edit.hpp"
#include "trace-io/model/trace.hpp"

namespace reprise::trace_io {

// What the alignment looks at: the sites of a node and how they are nested, not who executes it or with which values.
//
// Cost    O(nodes) time and memory for a whole program, plus the distinct sites of each loop (at most kSiteLimit kept).

struct SiteCount {
  std::uint64_t key = 0;  // of the site: site_key()
  std::uint32_t leaves = 0;
};

// Distinct sites have distinct keys, and keys are in no order that programs know.
std::uint64_t site_key(SiteId);

struct NodeShape {
  // Of a loop with more distinct sites, those with the lowest keys are a sample of it: a bottom-k sketch (Cohen and Kaplan,
  // Summarizing Data using Bottom-k Sketches, PODC 2007), which estimates what two loops have in common to some 5 %.
  static constexpr std::size_t kSiteLimit = 256;

  std::uint64_t hash = 0;  // equal where sites and nesting are equal
  bool is_loop = false;
  bool is_sampled = false;       // it has more sites than are kept
  std::uint32_t leaves = 1;      // in all of the node
  std::vector<SiteCount> sites;  // ascending by key
  // Of 64 bits one of each site: two shapes without a common bit have no site in common.
  std::uint64_t site_bits = ~std::uint64_t{0};
  std::vector<NodeShape> body;  // of a loop
};

std::vector<NodeShape> shapes_of(std::span<const Node>);

// How many leaves of one can find a partner in the other by their sites, and how many of each were compared: all of them, or
// those of the sites with keys that both samples reach. O(sites of both).
struct CommonLeaves {
  std::uint32_t common = 0;
  std::uint32_t of_first = 0, of_second = 0;
};
CommonLeaves common_leaves(const NodeShape&, const NodeShape&);

// What it is worth to make one node of the two; 0: they must stay apart. Structurally equal nodes are worth the most that
// either could get; loops need half of the smaller one's leaves in common, by their samples where they have very many sites; a
// leaf can join a loop over its site alone.
std::uint32_t match_worth(const NodeShape&, const NodeShape&);

inline constexpr std::size_t kAlignWork = 1 << 16;

IndexPairs aligned(std::span<const NodeShape> a, std::span<const NodeShape> b);

}  // namespace reprise::trace_io
