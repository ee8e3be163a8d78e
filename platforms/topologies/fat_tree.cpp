// SPDX-License-Identifier: MIT
#include "platforms/topologies/fat_tree.hpp"

#include "platforms/topologies/reader.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::platforms {
namespace {

// "node" below the first switches, "spine" below the last ones, "leaf" in between ("leaf 2" … where there are more levels).
std::string cable_name(std::size_t level, std::size_t levels) {
  if (level == 0) return "node";
  if (level + 1 == levels) return "spine";
  return level == 1 ? "leaf" : "leaf " + std::to_string(level);
}

class FatTreeRoutes final : public TopologyRoutes {
 public:
  FatTreeRoutes(const FatTree& tree, const CableLinks& links) : links_per_cable_(links.per_cable) {
    REPRISE_ASSERT(tree.levels.size() <= kMaxDimensions, "a tree has few levels");
    std::uint32_t parents_below = 1;
    for (std::size_t i = 0; i < tree.levels.size(); ++i) {
      const FatTree::Level& level = tree.levels[i];
      levels_.push_back({level.down, level.up, level.parallel, parents_below, links.first[i]});
      parents_below *= level.up;
    }
  }

 private:
  // 32 bits, for the divisions' sake: the parser limits a tree to far fewer cables than they can number.
  struct Level {
    std::uint32_t down, up, parallel;
    // Π up_i of the levels below: the weight of this level's digit in an upper position
    std::uint32_t parents_below;
    LinkIndex first;  // of the cables between this level's switches and what is below them
  };

  void append_links(NodeIndex from, NodeIndex to, std::vector<LinkIndex>& links) const override {
    // Of the element that the route passes at each height: the digits that count parents, as a number; and those of the two
    // nodes that count children, which it shares with the sender on the way up and with the receiver on the way down.
    std::array<std::uint32_t, kMaxDimensions + 1> parents, to_children;
    std::uint32_t from_children = from;
    parents[0] = 0;
    to_children[0] = to;
    // Up, until the destination lies below.
    std::size_t height = 0;
    while (height == 0 || from_children != to_children[height]) {
      const Level& level = levels_[height];
      const std::uint32_t port = to / level.parents_below % (level.up * level.parallel);
      const std::uint32_t cable = port / level.up, parent = port - cable * level.up;
      links.push_back(
          up_link(level, parents[height] + level.parents_below * from_children, parent, cable));
      parents[height + 1] = parents[height] + level.parents_below * parent;
      to_children[height + 1] = to_children[height] / level.down;
      from_children /= level.down;
      ++height;
    }
    // Down. SimGrid scans a switch's ports for the destination's, from the cable it chose on, and after a step down goes on
    // scanning the next switch's ports from the same number: with parallel cables this decides which one is taken. Of `down` ports one
    // after the other one is the destination's.
    while (height > 0) {
      std::uint32_t port = from % levels_[height - 1].parallel * levels_[height - 1].down;
      for (; height > 0; ++port) {
        const Level& level = levels_[height - 1];
        const std::uint32_t child = to_children[height - 1] - to_children[height] * level.down;
        std::uint32_t cable = port / level.down;
        if (port - cable * level.down > child) ++cable;
        if (cable >= level.parallel) break;
        port = cable * level.down + child;
        const std::uint32_t parent = (parents[height] - parents[height - 1]) / level.parents_below;
        const std::uint32_t position =
            parents[height - 1] + level.parents_below * to_children[height - 1];
        links.push_back(up_link(level, position, parent, cable) + links_per_cable_ - 1);
        --height;
      }
    }
  }

  LinkIndex up_link(const Level& level, std::uint32_t lower_position, std::uint32_t parent,
                    std::uint32_t cable) const {
    return level.first +
           ((lower_position * level.up + parent) * level.parallel + cable) * links_per_cable_;
  }

  std::vector<Level> levels_;
  LinkIndex links_per_cable_;
};

}  // namespace

std::span<const std::string_view> FatTree::keys() { return kFatTreeKeys.keys; }

FatTree FatTree::read(TopologyReader& reader) {
  return {reader.list<Level>("levels", kMaxDimensions, kLevelKeys.keys, [](TopologyReader& level) {
    return Level{level.count("down"), level.count("up"), level.count_or("parallel", 1),
                 level.link("link")};
  })};
}

// In floating point, as the cables' numbers: the products of eight port counts pass 2^64.
double FatTree::room() const {
  double leaves = 1;
  for (const Level& level : levels) leaves *= level.down;
  return leaves;
}

std::vector<NodeIndex> FatTree::group_sizes() const {
  std::vector<NodeIndex> sizes;
  for (std::size_t i = 0; i + 1 < levels.size(); ++i)
    sizes.push_back((i == 0 ? 1 : sizes.back()) * levels[i].down);
  return sizes;
}

std::vector<Cable> FatTree::cables(LinkSpec&, NodeIndex) {
  std::vector<Cable> cables;
  double elements = room();
  for (std::size_t i = 0; i < levels.size(); ++i) {
    Level& level = levels[i];
    cables.push_back({cable_name(i, levels.size()),
                      "/network/topology/levels/" + std::to_string(i) + "/link", &level.link,
                      elements * level.up * level.parallel, "level " + std::to_string(i + 1)});
    elements = elements / level.down * level.up;
  }
  return cables;
}

std::unique_ptr<TopologyRoutes> FatTree::routes(const CableLinks& links, NodeIndex) const {
  return std::make_unique<FatTreeRoutes>(*this, links);
}

std::string FatTree::description() const {
  return "fat tree of " + std::to_string(levels.size()) +
         (levels.size() == 1 ? " level" : " levels");
}

}  // namespace reprise::platforms
