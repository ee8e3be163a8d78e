// SPDX-License-Identifier: MIT
#include "trace-io/merge/alignment.hpp"

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "trace-io/base/integers.hpp"

namespace reprise::trace_io {
namespace {

struct Sites {
  std::vector<SiteCount> counts;
  bool is_sampled = false;
};

void add_sites(Sites& sites, const Sites& more) {
  std::vector<SiteCount> both;
  both.reserve(sites.counts.size() + more.counts.size());
  auto a = sites.counts.begin();
  auto b = more.counts.begin();
  const auto is_left = [&] { return a != sites.counts.end() || b != more.counts.end(); };
  while (both.size() < NodeShape::kSiteLimit && is_left()) {
    if (b == more.counts.end() || (a != sites.counts.end() && a->key < b->key))
      both.push_back(*a++);
    else if (a == sites.counts.end() || b->key < a->key)
      both.push_back(*b++);
    else
      both.push_back({a->key, a++->leaves + b++->leaves});
  }
  sites.is_sampled = sites.is_sampled || more.is_sampled || is_left();
  sites.counts = std::move(both);
}

// The union of many, by halves: O(n log n).
Sites united_sites(std::span<const NodeShape> body) {
  if (body.size() == 1) return {body.front().sites, body.front().is_sampled};
  Sites sites = united_sites(body.first(body.size() / 2));
  add_sites(sites, united_sites(body.subspan(body.size() / 2)));
  return sites;
}

void note_sites(NodeShape& shape) {
  shape.site_bits = 0;
  for (const SiteCount& site : shape.sites)
    shape.site_bits |= std::uint64_t{1} << (site.key >> 58U);
}

NodeShape shape_of(const Node& node) {
  NodeShape shape;
  if (const Leaf* leaf = std::get_if<Leaf>(&node.content)) {
    shape.hash = mixed_bits(leaf->site + 1);
    shape.sites = {{site_key(leaf->site), 1}};
    note_sites(shape);
    return shape;
  }
  shape.is_loop = true;
  shape.body = shapes_of(std::get<Loop>(node.content).body);
  shape.leaves = 0;
  shape.hash = mixed_bits(~shape.body.size());
  for (const NodeShape& inner : shape.body) {
    shape.leaves += inner.leaves;
    shape.hash = mixed_bits(shape.hash * 3 + inner.hash);
  }
  Sites sites = united_sites(shape.body);
  shape.sites = std::move(sites.counts);
  note_sites(shape);
  shape.is_sampled = sites.is_sampled;
  return shape;
}

using Shapes = std::span<const NodeShape>;

// One stretch of both lists that is still to be aligned.
struct Piece {
  Shapes a, b;
  std::size_t a_first = 0, b_first = 0;  // their places in the whole lists

  Piece part(std::size_t a_begin, std::size_t a_end, std::size_t b_begin, std::size_t b_end) const {
    return {a.subspan(a_begin, a_end - a_begin), b.subspan(b_begin, b_end - b_begin),
            a_first + a_begin, b_first + b_begin};
  }
  bool is_affordable() const { return b.empty() || a.size() <= kAlignWork / b.size(); }
};

std::vector<std::uint64_t> hashes(Shapes shapes) {
  std::vector<std::uint64_t> all;
  all.reserve(shapes.size());
  for (const NodeShape& shape : shapes) all.push_back(shape.hash);
  return all;
}

// The alignment of the greatest total worth. best[i][j]: of a from i on with b from j on. Where several are worth the same,
// two nodes are paired as soon as both are reached, and nodes of a are passed over before nodes of b.
void align_for_worth(const Piece& piece, IndexPairs& pairs) {
  const std::size_t n = piece.a.size(), m = piece.b.size(), width = m + 1;
  std::vector<std::uint32_t> worth(n * m);
  std::vector<std::uint64_t> best((n + 1) * width, 0);
  for (std::size_t i = n; i-- > 0;)
    for (std::size_t j = m; j-- > 0;) {
      const std::uint32_t pair_worth = match_worth(piece.a[i], piece.b[j]);
      worth[i * m + j] = pair_worth;
      const std::uint64_t paired = pair_worth == 0 ? 0 : pair_worth + best[(i + 1) * width + j + 1];
      best[i * width + j] = std::max({paired, best[(i + 1) * width + j], best[i * width + j + 1]});
    }
  for (std::size_t i = 0, j = 0; i < n && j < m;) {
    const std::uint64_t here = best[i * width + j];
    const std::uint32_t pair_worth = worth[i * m + j];
    if (pair_worth > 0 && here == pair_worth + best[(i + 1) * width + j + 1])
      pairs.emplace_back(piece.a_first + i++, piece.b_first + j++);
    else if (here == best[(i + 1) * width + j])
      ++i;
    else
      ++j;
  }
}

// Equal nodes that occur once on either side, as many as keep their order.
IndexPairs unique_anchors(const Piece& piece) {
  constexpr std::size_t kRepeated = std::numeric_limits<std::size_t>::max();
  const auto places_of = [](Shapes shapes) {
    std::unordered_map<std::uint64_t, std::size_t> places;  // looked up only
    for (std::size_t i = 0; i < shapes.size(); ++i)
      if (const auto [place, is_new] = places.emplace(shapes[i].hash, i); !is_new)
        place->second = kRepeated;
    return places;
  };
  const auto in_a = places_of(piece.a), in_b = places_of(piece.b);

  IndexPairs candidates;
  for (std::size_t i = 0; i < piece.a.size(); ++i) {
    if (in_a.at(piece.a[i].hash) == kRepeated) continue;
    const auto found = in_b.find(piece.a[i].hash);
    if (found != in_b.end() && found->second != kRepeated)
      candidates.emplace_back(i, found->second);
  }
  // The longest ascending subsequence of the places in b, by piles (patience sorting).
  constexpr std::size_t kNone = kRepeated;
  std::vector<std::size_t> tops, before(candidates.size(), kNone);
  for (std::size_t c = 0; c < candidates.size(); ++c) {
    const auto pile =
        std::lower_bound(tops.begin(), tops.end(), c, [&](std::size_t top, std::size_t candidate) {
          return candidates[top].second < candidates[candidate].second;
        });
    if (pile != tops.begin()) before[c] = *(pile - 1);
    if (pile == tops.end())
      tops.push_back(c);
    else
      *pile = c;
  }
  IndexPairs anchors;
  for (std::size_t c = tops.empty() ? kNone : tops.back(); c != kNone; c = before[c])
    anchors.push_back(candidates[c]);
  std::reverse(anchors.begin(), anchors.end());
  return anchors;
}

void align_piece(const Piece& piece, IndexPairs& pairs);

// Pairs the anchors and aligns the stretches between them.
void align_between(const Piece& piece, const IndexPairs& anchors, IndexPairs& pairs,
                   bool cut_further) {
  std::size_t i = 0, j = 0;
  const auto align_gap = [&](std::size_t a_end, std::size_t b_end) {
    const Piece gap = piece.part(i, a_end, j, b_end);
    if (cut_further)
      align_piece(gap, pairs);
    else if (gap.is_affordable())
      align_for_worth(gap, pairs);
  };
  for (const auto& [in_a, in_b] : anchors) {
    align_gap(in_a, in_b);
    pairs.emplace_back(piece.a_first + in_a, piece.b_first + in_b);
    i = in_a + 1;
    j = in_b + 1;
  }
  align_gap(piece.a.size(), piece.b.size());
}

void align_middle(const Piece& piece, IndexPairs& pairs) {
  if (piece.a.empty() || piece.b.empty()) return;
  if (piece.is_affordable()) return align_for_worth(piece, pairs);
  if (const auto common = longest_common_subsequence(hashes(piece.a), hashes(piece.b)))
    return align_between(piece, *common, pairs, false);
  if (const IndexPairs anchors = unique_anchors(piece); !anchors.empty())
    align_between(piece, anchors, pairs, true);
}

// An equal head or tail is worth the most that either of its nodes can get, so pairing it first loses nothing.
void align_piece(const Piece& piece, IndexPairs& pairs) {
  const std::size_t n = piece.a.size(), m = piece.b.size(), shorter = std::min(n, m);
  std::size_t head = 0, tail = 0;
  while (head < shorter && piece.a[head].hash == piece.b[head].hash) ++head;
  while (tail < shorter - head && piece.a[n - 1 - tail].hash == piece.b[m - 1 - tail].hash) ++tail;
  for (std::size_t i = 0; i < head; ++i) pairs.emplace_back(piece.a_first + i, piece.b_first + i);
  align_middle(piece.part(head, n - tail, head, m - tail), pairs);
  for (std::size_t i = tail; i > 0; --i)
    pairs.emplace_back(piece.a_first + n - i, piece.b_first + m - i);
}

}  // namespace

std::vector<NodeShape> shapes_of(std::span<const Node> nodes) {
  std::vector<NodeShape> shapes;
  shapes.reserve(nodes.size());
  for (const Node& node : nodes) shapes.push_back(shape_of(node));
  return shapes;
}

std::uint64_t site_key(SiteId site) { return mixed_bits(std::uint64_t{site} + 1); }

CommonLeaves common_leaves(const NodeShape& x, const NodeShape& y) {
  std::uint64_t reach = std::numeric_limits<std::uint64_t>::max();
  for (const NodeShape* shape : {&x, &y})
    if (shape->is_sampled) reach = std::min(reach, shape->sites.back().key);
  CommonLeaves leaves;
  auto a = x.sites.begin();
  auto b = y.sites.begin();
  const auto is_in_a = [&] { return a != x.sites.end() && a->key <= reach; };
  const auto is_in_b = [&] { return b != y.sites.end() && b->key <= reach; };
  while (is_in_a() || is_in_b()) {
    const std::uint64_t key = !is_in_b() || (is_in_a() && a->key < b->key) ? a->key : b->key;
    const std::uint32_t in_a = is_in_a() && a->key == key ? a++->leaves : 0;
    const std::uint32_t in_b = is_in_b() && b->key == key ? b++->leaves : 0;
    leaves.common += std::min(in_a, in_b);
    leaves.of_first += in_a;
    leaves.of_second += in_b;
  }
  return leaves;
}

std::uint32_t match_worth(const NodeShape& x, const NodeShape& y) {
  if (x.hash == y.hash) return 2 * x.leaves + 1;
  if (!x.is_loop && !y.is_loop) return 0;
  if ((x.site_bits & y.site_bits) == 0) return 0;  // most pairs have nothing in common
  const CommonLeaves compared = common_leaves(x, y);
  if (!x.is_loop || !y.is_loop) return (x.is_loop ? x : y).sites.size() == 1 ? compared.common : 0;
  const std::uint32_t fewer = std::min(compared.of_first, compared.of_second);
  if (compared.common == 0 || 2 * compared.common < fewer) return 0;
  if (!x.is_sampled && !y.is_sampled) return 2 * compared.common;
  return static_cast<std::uint32_t>(2 * std::uint64_t{compared.common} *
                                    std::min(x.leaves, y.leaves) / fewer);
}

IndexPairs aligned(std::span<const NodeShape> a, std::span<const NodeShape> b) {
  IndexPairs pairs;
  align_piece({a, b, 0, 0}, pairs);
  return pairs;
}

}  // namespace reprise::trace_io
