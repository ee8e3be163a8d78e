// SPDX-License-Identifier: MIT
#include "trace-io/merge/alignment.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "tests/unit/trace-io/merge/random_program.hpp"
#include "trace-io/merge/program_side.hpp"

namespace reprise::trace_io::testing {
namespace {

Node leaf(SiteId site) {
  Leaf content;
  content.site = site;
  return {{}, std::move(content)};
}

Node loop(std::vector<Node> body) {
  Loop content;
  content.body = std::move(body);
  return {{}, std::move(content)};
}

template <class... Sites>
std::vector<Node> leaves(Sites... sites) {
  return {leaf(static_cast<SiteId>(sites))...};
}

IndexPairs aligned_nodes(const std::vector<Node>& a, const std::vector<Node>& b) {
  return aligned(shapes_of(a), shapes_of(b));
}

using Tokens = std::vector<std::uint64_t>;

// The length of the longest common subsequence by the textbook recurrence.
std::size_t reference_length(const Tokens& a, const Tokens& b) {
  std::vector<std::vector<std::size_t>> best(a.size() + 1,
                                             std::vector<std::size_t>(b.size() + 1, 0));
  for (std::size_t i = 1; i <= a.size(); ++i)
    for (std::size_t j = 1; j <= b.size(); ++j)
      best[i][j] =
          a[i - 1] == b[j - 1] ? best[i - 1][j - 1] + 1 : std::max(best[i - 1][j], best[i][j - 1]);
  return best[a.size()][b.size()];
}

Node nested(std::vector<Node> first, std::vector<Node> second) {
  std::vector<Node> body;
  body.push_back(loop(std::move(first)));
  body.push_back(loop(std::move(second)));
  return loop(std::move(body));
}

std::uint32_t common(const NodeShape& x, const NodeShape& y) { return common_leaves(x, y).common; }

TEST_CASE("shapes: the sites of a loop ascend by their keys and count its leaves", "[merge]") {
  std::vector<Node> nodes;
  nodes.push_back(nested(leaves(1, 2), leaves(2, 3)));
  nodes.push_back(nested(leaves(3, 4, 5), leaves(5, 4, 4)));
  const std::vector<NodeShape> shapes = shapes_of(nodes);
  using Counts = std::map<SiteId, std::uint32_t>;
  const auto counts_of = [](const NodeShape& shape) {
    CHECK(std::ranges::is_sorted(shape.sites, {}, &SiteCount::key));
    Counts counts;
    for (SiteId site = 1; site <= 5; ++site)
      for (const SiteCount& count : shape.sites)
        if (count.key == site_key(site)) counts[site] += count.leaves;
    CHECK(counts.size() == shape.sites.size());
    return counts;
  };
  CHECK(counts_of(shapes[0]) == Counts{{1, 1}, {2, 2}, {3, 1}});
  CHECK(counts_of(shapes[1]) == Counts{{3, 1}, {4, 3}, {5, 2}});
  CHECK(shapes[1].leaves == 6);
  CHECK(common(shapes[0], shapes[1]) == 1);
  CHECK(common(shapes[1], shapes[1]) == 6);
}

TEST_CASE("shortest edit: finds a longest common subsequence of random lists", "[merge]") {
  Random random(1);
  for (int round = 0; round < 2000; ++round) {
    Tokens a(random.below(30)), b(random.below(30));
    const std::size_t alphabet = 1 + random.below(6);
    for (std::uint64_t& token : a) token = random.below(alphabet);
    for (std::uint64_t& token : b) token = random.below(alphabet);
    const auto pairs = longest_common_subsequence(a, b);
    REQUIRE(pairs.has_value());
    REQUIRE(pairs->size() == reference_length(a, b));
    for (std::size_t i = 0; i < pairs->size(); ++i) {
      REQUIRE(a[(*pairs)[i].first] == b[(*pairs)[i].second]);
      if (i > 0)
        REQUIRE(((*pairs)[i - 1].first < (*pairs)[i].first &&
                 (*pairs)[i - 1].second < (*pairs)[i].second));
    }
  }
}

TEST_CASE("shortest edit: gives up beyond the permitted number of differences", "[merge]") {
  const Tokens a(kMaxDifferences / 2 + 1, 1), b(kMaxDifferences / 2, 2);
  CHECK_FALSE(longest_common_subsequence(a, b).has_value());
  CHECK(longest_common_subsequence(Tokens(kMaxDifferences / 2, 1), b).has_value());
}

TEST_CASE("alignment: equal lists pair node by node", "[merge]") {
  std::vector<Node> a = leaves(1, 2), b = leaves(1, 2);
  a.push_back(loop(leaves(3, 4)));
  b.push_back(loop(leaves(3, 4)));
  CHECK(aligned_nodes(a, b) == IndexPairs{{0, 0}, {1, 1}, {2, 2}});
}

TEST_CASE("alignment: what only one side has stays without a partner", "[merge]") {
  CHECK(aligned_nodes(leaves(1, 2, 3, 4), leaves(1, 3, 5, 4)) ==
        IndexPairs{{0, 0}, {2, 1}, {3, 3}});
  CHECK(aligned_nodes(leaves(1, 2), {}).empty());
  CHECK(aligned_nodes(leaves(1), leaves(2)).empty());
}

TEST_CASE("alignment: a large similar loop outweighs an equal leaf on the other side of it",
          "[merge]") {
  std::vector<Node> a = leaves(1), b;
  a.push_back(loop(leaves(2, 3, 4)));
  b.push_back(loop(leaves(2, 3, 5)));
  b.push_back(leaf(1));
  CHECK(aligned_nodes(a, b) == IndexPairs{{1, 0}});
}

TEST_CASE("alignment: loops pair where half of the smaller one's leaves are in both", "[merge]") {
  std::vector<Node> small, half, less;
  small.push_back(loop(leaves(1, 2, 3, 4)));
  half.push_back(loop(leaves(3, 4, 5, 6, 7)));
  less.push_back(loop(leaves(4, 5, 6, 7)));
  CHECK(aligned_nodes(small, half) == IndexPairs{{0, 0}});
  CHECK(aligned_nodes(small, less).empty());
}

TEST_CASE("alignment: a leaf pairs with a loop over its site alone", "[merge]") {
  std::vector<Node> alone, among;
  alone.push_back(loop(leaves(1)));
  among.push_back(loop(leaves(1, 2)));
  CHECK(aligned_nodes(leaves(1), alone) == IndexPairs{{0, 0}});
  CHECK(aligned_nodes(alone, leaves(1)) == IndexPairs{{0, 0}});
  CHECK(aligned_nodes(leaves(1), among).empty());
}

TEST_CASE("alignment: lists too long for a table are cut at their differences", "[merge]") {
  std::vector<Node> a, b;
  for (SiteId site = 0; site < 1000; ++site) {
    a.push_back(leaf(site));
    if (site % 10 != 5) b.push_back(leaf(site));
  }
  CHECK(aligned_nodes(a, b).size() == b.size());
}

TEST_CASE(
    "alignment: lists that differ in more than an edit distance allows are cut at what is unique",
    "[merge]") {
  std::vector<Node> a, b;
  for (SiteId site = 0; site < 3000; ++site) {
    a.push_back(leaf(site));
    b.push_back(leaf(site % 2 == 0 ? site : site + 3000));
  }
  CHECK(aligned_nodes(a, b).size() == 1500);
}

TEST_CASE("alignment: long lists with nothing unique in common stay apart", "[merge]") {
  std::vector<Node> a, b;
  for (SiteId site = 0; site < 600; ++site) {
    a.push_back(leaf(site));
    b.push_back(leaf(site + 600));
  }
  CHECK(aligned_nodes(a, b).empty());
}

// System: one side has a call and then a loop over (1, 2), the other has (1, 2) written out behind calls of which the first is
// paired. Expectation: the paired call stays as it is, since the gap begins behind it; (1, 2) behind it becomes a loop.
TEST_CASE("written-out loops: a gap begins behind the paired node", "[merge]") {
  const auto looped = [] {
    std::vector<Node> nodes = leaves(1);
    nodes.push_back(loop(leaves(1, 2)));
    return side_of_program(std::move(nodes));
  };
  const bool is_lower = GENERATE(true, false);
  ProgramSide loop_side = looped(), written_out = side_of_program(leaves(1, 2, 1, 2));
  ProgramSide &a = is_lower ? written_out : loop_side, &b = is_lower ? loop_side : written_out;
  const IndexPairs pairs = aligned(a.shapes, b.shapes);
  REQUIRE(pairs == IndexPairs{{0, 0}});
  REQUIRE(fold_written_out_loops(a, b, pairs));
  std::vector<Node> expected = leaves(1, 2);
  expected.push_back(loop(leaves(1, 2)));
  CHECK(aligned(written_out.shapes, shapes_of(expected)) == IndexPairs{{0, 0}, {1, 1}, {2, 2}});
  CHECK(written_out.nodes.size() == 3);
  CHECK(aligned(loop_side.shapes, written_out.shapes) == IndexPairs{{0, 0}, {1, 2}});
}

// System: A before B on one side, B' before A on the other: only one of both can be paired. A is equal on both sides and has n = 4
// leaves, B and B' have c leaves in common. Expectation: an equal node is worth 2n + 1 = 9, a similar one 2c.
TEST_CASE("alignment: an equal loop outweighs a similar one of as many leaves, not of one more",
          "[merge]") {
  const auto pairs = [](std::vector<Node> similar_a, std::vector<Node> similar_b) {
    std::vector<Node> a, b;
    a.push_back(loop(leaves(1, 2, 3, 4)));
    a.push_back(loop(std::move(similar_a)));
    b.push_back(loop(std::move(similar_b)));
    b.push_back(loop(leaves(1, 2, 3, 4)));
    return aligned_nodes(a, b);
  };
  CHECK(pairs(leaves(11, 12, 13, 14, 20), leaves(11, 12, 13, 14, 21)) == IndexPairs{{0, 1}});
  CHECK(pairs(leaves(11, 12, 13, 14, 15, 20), leaves(11, 12, 13, 14, 15, 21)) ==
        IndexPairs{{1, 0}});
}

TEST_CASE("alignment: what a pair is worth", "[merge]") {
  const auto worth = [](Node a, Node b) {
    std::vector<Node> x, y;
    x.push_back(std::move(a));
    y.push_back(std::move(b));
    return match_worth(shapes_of(x).front(), shapes_of(y).front());
  };
  CHECK(worth(leaf(1), leaf(1)) == 3);
  CHECK(worth(leaf(1), leaf(2)) == 0);
  CHECK(worth(loop(leaves(1, 2)), loop(leaves(1, 2))) == 5);
  CHECK(worth(loop(leaves(1, 2)), loop(leaves(2, 1))) == 4);
  CHECK(worth(loop(leaves(1, 2)), loop(leaves(2, 3, 4))) == 2);
  CHECK(worth(loop(leaves(1, 2)), loop(leaves(3, 4))) == 0);
  CHECK(worth(leaf(1), loop(leaves(1))) == 1);
  CHECK(worth(loop(leaves(1, 1)), leaf(1)) == 1);
  CHECK(worth(leaf(1), loop(leaves(1, 2))) == 0);
  CHECK(worth(leaf(1), loop(leaves(2))) == 0);
  // The same sites, nested otherwise.
  const auto nested = [] {
    std::vector<Node> inner;
    inner.push_back(loop(leaves(1, 2)));
    return loop(std::move(inner));
  };
  CHECK(worth(nested(), loop(leaves(1, 2))) == 4);
}

TEST_CASE("alignment: of equal totals the one that passes over nodes of the first list first",
          "[merge]") {
  CHECK(aligned_nodes(leaves(9, 1, 1, 8), leaves(7, 1, 6)) == IndexPairs{{2, 1}});
  CHECK(aligned_nodes(leaves(7, 1, 6), leaves(9, 1, 1, 8)) == IndexPairs{{1, 1}});
}

TEST_CASE("shapes: of a loop with very many sites those with the lowest keys stand for it",
          "[merge]") {
  constexpr std::size_t kLimit = NodeShape::kSiteLimit;
  std::vector<Node> body, nodes;
  std::vector<std::uint64_t> keys;
  for (std::size_t i = kLimit + 10; i > 0; --i) {
    body.push_back(leaf(static_cast<SiteId>(i)));
    keys.push_back(site_key(static_cast<SiteId>(i)));
  }
  nodes.push_back(loop(std::move(body)));
  const NodeShape shape = shapes_of(nodes).front();
  CHECK(shape.leaves == kLimit + 10);
  CHECK(shape.is_sampled);
  REQUIRE(shape.sites.size() == kLimit);
  std::ranges::sort(keys);
  for (std::size_t i = 0; i < kLimit; ++i) CHECK(shape.sites[i].key == keys[i]);
}

// System: loops of 4000 sites, of which `shared` are in both; what either has alone comes first or last.
// Expectation: they are matched from half of their leaves on, wherever these stand, but for the sample's error.
TEST_CASE("alignment: loops with very many sites are matched by a sample of them", "[merge]") {
  constexpr SiteId kSites = 4000;
  for (const bool alone_first : {true, false})
    for (const SiteId shared : {0U, 1600U, 2400U, 3600U}) {
      INFO(shared << " of " << kSites << " sites, what is alone "
                  << (alone_first ? "first" : "last"));
      const auto side = [&](SiteId alone) {
        std::vector<Node> body, nodes;
        for (SiteId i = 0; i < kSites; ++i)
          body.push_back(leaf(i < shared ? 10'000 + i : alone + i));
        if (alone_first) std::ranges::reverse(body);
        nodes.push_back(loop(std::move(body)));
        return shapes_of(nodes).front();
      };
      const std::uint32_t worth = match_worth(side(alone_first ? 0 : 50'000), side(100'000));
      CHECK((worth > 0) == (shared >= kSites / 2));
      if (shared >= kSites / 2) CHECK(worth == Approx(2 * shared).epsilon(0.1));
    }
}

// Lists that are cut at what is unique on both sides, which is in two places: as many as keep their order, the longer run of them.
TEST_CASE("alignment: unique nodes that changed places are paired as far as they keep their order",
          "[merge]") {
  constexpr SiteId kFirst = 5000, kOther = 7000;
  std::vector<Node> a, b;
  const auto fill = [](std::vector<Node>& nodes, SiteId from, SiteId count) {
    for (SiteId i = 0; i < count; ++i) nodes.push_back(leaf(from + i));
  };
  // a: 3 moved ones, its own, 5 others; b: the 5 others, its own, the 3 moved ones.
  fill(a, 1, 3);
  fill(a, kFirst, 1500);
  fill(a, 11, 5);
  fill(b, 11, 5);
  fill(b, kOther, 1500);
  fill(b, 1, 3);
  IndexPairs expected;
  for (std::size_t i = 0; i < 5; ++i) expected.emplace_back(1503 + i, i);
  CHECK(aligned_nodes(a, b) == expected);
}

// System: calls that are loops on one side, so that nothing is equal and only their worth pairs them.
// Expectation: 256 · 256 = 65536 pairs of nodes are looked at, 256 · 257 are not.
TEST_CASE("alignment: a middle of up to 65536 pairs of nodes is aligned for the greatest worth",
          "[merge]") {
  const auto pairs = [](SiteId loops) {
    std::vector<Node> a, b;
    for (SiteId site = 0; site < 256; ++site) a.push_back(leaf(site));
    for (SiteId site = 0; site < loops; ++site) b.push_back(loop(leaves(site)));
    return aligned_nodes(a, b).size();
  };
  CHECK(pairs(256) == 256);
  CHECK(pairs(257) == 0);
}

// As above, behind 300 calls that are the same on both sides: what counts is how long the gap is, not where.
TEST_CASE("written-out loops: a short gap is searched wherever it is", "[merge]") {
  std::vector<Node> with_loop, without;
  for (SiteId site = 100; site < 400; ++site) {
    with_loop.push_back(leaf(site));
    without.push_back(leaf(site));
  }
  with_loop.push_back(loop(leaves(1, 2)));
  for (const SiteId site : {1U, 2U}) without.push_back(leaf(site));
  ProgramSide a = side_of_program(std::move(with_loop)), b = side_of_program(std::move(without));
  const IndexPairs pairs = aligned(a.shapes, b.shapes);
  REQUIRE(pairs.size() == 300);
  REQUIRE(fold_written_out_loops(a, b, pairs));
  CHECK(b.nodes.size() == 301);
  CHECK(aligned(a.shapes, b.shapes).size() == 301);
}

}  // namespace
}  // namespace reprise::trace_io::testing
