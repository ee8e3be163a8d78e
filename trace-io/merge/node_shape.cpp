// SPDX-License-Identifier: MIT
#include "trace-io/merge/node_shape.hpp"

#include <algorithm>

namespace reprise::trace_io {
namespace {

// Of the splitmix64 generator (Steele, Lea, Flood, OOPSLA 2014): mixes all bits.
std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31);
}

void add_sites(std::vector<SiteCount>& sites, const std::vector<SiteCount>& more) {
  std::vector<SiteCount> both;
  both.reserve(sites.size() + more.size());
  auto a = sites.begin();
  auto b = more.begin();
  while (both.size() < NodeShape::kSiteLimit && (a != sites.end() || b != more.end())) {
    if (b == more.end() || (a != sites.end() && a->site < b->site))
      both.push_back(*a++);
    else if (a == sites.end() || b->site < a->site)
      both.push_back(*b++);
    else
      both.push_back({a->site, a++->leaves + b++->leaves});
  }
  sites = std::move(both);
}

// The union of many, by halves: O(n log n).
std::vector<SiteCount> united_sites(std::span<const NodeShape> body) {
  if (body.size() == 1) return body.front().sites;
  std::vector<SiteCount> sites = united_sites(body.first(body.size() / 2));
  add_sites(sites, united_sites(body.subspan(body.size() / 2)));
  return sites;
}

NodeShape shape_of(const Node& node) {
  NodeShape shape;
  if (const Leaf* leaf = std::get_if<Leaf>(&node.content)) {
    shape.hash = mixed(leaf->site + 1);
    shape.sites = {{leaf->site, 1}};
    return shape;
  }
  shape.is_loop = true;
  shape.body = shapes_of(std::get<Loop>(node.content).body);
  shape.leaves = 0;
  shape.hash = mixed(~shape.body.size());
  for (const NodeShape& inner : shape.body) {
    shape.leaves += inner.leaves;
    shape.hash = mixed(shape.hash * 3 + inner.hash);
  }
  shape.sites = united_sites(shape.body);
  return shape;
}

}  // namespace

std::vector<NodeShape> shapes_of(std::span<const Node> nodes) {
  std::vector<NodeShape> shapes;
  shapes.reserve(nodes.size());
  for (const Node& node : nodes) shapes.push_back(shape_of(node));
  return shapes;
}

std::uint32_t common_leaves(const NodeShape& x, const NodeShape& y) {
  std::uint32_t common = 0;
  auto a = x.sites.begin();
  auto b = y.sites.begin();
  while (a != x.sites.end() && b != y.sites.end()) {
    if (a->site < b->site)
      ++a;
    else if (b->site < a->site)
      ++b;
    else
      common += std::min(a++->leaves, b++->leaves);
  }
  return common;
}

std::uint32_t match_worth(const NodeShape& x, const NodeShape& y) {
  if (x.hash == y.hash) return 2 * x.leaves + 1;
  if (!x.is_loop && !y.is_loop) return 0;
  const std::uint32_t common = common_leaves(x, y);
  if (x.is_loop && y.is_loop) return 2 * common >= std::min(x.leaves, y.leaves) ? 2 * common : 0;
  const NodeShape& loop = x.is_loop ? x : y;
  return loop.sites.size() == 1 ? common : 0;
}

}  // namespace reprise::trace_io
