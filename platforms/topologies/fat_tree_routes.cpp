// SPDX-License-Identifier: MIT
#include "platforms/topologies/fat_tree_routes.hpp"

#include <array>
#include <string>

#include "trace-io/base/error.hpp"

namespace reprise::platforms {
namespace {

// "node" below the first switches, "spine" below the last ones, "leaf" in between ("leaf 2" … where there are more levels).
std::string cable_name(std::size_t level, std::size_t levels) {
  if (level == 0) return "node";
  if (level + 1 == levels) return "spine";
  return level == 1 ? "leaf" : "leaf " + std::to_string(level);
}

}  // namespace

FatTreeRoutes::FatTreeRoutes(const Platform& platform, const FatTree& tree)
    : RouteTable(platform),
      leaf_count_(tree.leaf_count()),
      links_per_cable_(platform.network->link.sharing == Sharing::kFullDuplex ? 2 : 1),
      first_(link_count()) {
  REPRISE_ASSERT(tree.levels.size() <= kMaxHeight, "a tree has few levels");
  std::uint64_t elements = leaf_count_, parents_below = 1, children_below = 1;
  for (std::size_t i = 0; i < tree.levels.size(); ++i) {
    const FatTree::Level& level = tree.levels[i];
    levels_.push_back(
        {level.down, level.up, level.parallel, static_cast<std::uint32_t>(parents_below),
         static_cast<std::uint32_t>(children_below), static_cast<std::uint32_t>(cable_count_)});
    const std::uint64_t cables = elements * level.up * level.parallel;
    const std::string name = "level " + std::to_string(i + 1);
    add_cables(name, cable_name(i, tree.levels.size()), level.link, cables, links_per_cable_ == 2);
    cable_count_ += cables;
    elements = elements / level.down * level.up;
    parents_below *= level.up;
    children_below *= level.down;
  }
}

LinkIndex FatTreeRoutes::up_link(const Level& level, std::uint32_t lower_position,
                                 std::uint32_t parent, std::uint32_t cable) const {
  const std::uint32_t number =
      level.first_cable + (lower_position * level.up + parent) * level.parallel + cable;
  return first_ + number * links_per_cable_;
}

void FatTreeRoutes::append_links(NodeIndex from, NodeIndex to,
                                 std::vector<LinkIndex>& links) const {
  // Of the element that the route passes at each height: the digits that count parents, as a number; and those of the two
  // nodes that count children, which it shares with the sender on the way up and with the receiver on the way down.
  std::array<std::uint32_t, kMaxHeight + 1> parents, to_children;
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
  // scanning the next switch's ports from the same number: with parallel cables this decides which one is taken.
  while (height > 0) {
    std::uint32_t port = from % levels_[height - 1].parallel * levels_[height - 1].down;
    for (; height > 0 && port < levels_[height - 1].down * levels_[height - 1].parallel; ++port) {
      const Level& level = levels_[height - 1];
      const std::uint32_t cable = port / level.down;
      const std::uint32_t child = to_children[height - 1] - to_children[height] * level.down;
      if (port - cable * level.down != child) continue;
      const std::uint32_t parent = (parents[height] - parents[height - 1]) / level.parents_below;
      const std::uint32_t position =
          parents[height - 1] + level.parents_below * to_children[height - 1];
      links.push_back(up_link(level, position, parent, cable) + links_per_cable_ - 1);
      --height;
    }
  }
}

}  // namespace reprise::platforms
