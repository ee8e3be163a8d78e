// SPDX-License-Identifier: MIT
// Star and fat tree: rows of switches above a row of nodes; and a machine of one node.
#include <algorithm>

#include "platforms/picture/parts.hpp"

namespace reprise::platforms {
namespace {

constexpr double kBox = 88, kBoxHeight = 30, kStep = 96;  // of switches, and from row to row
constexpr double kNodeHeight = 26;

struct Place {
  std::uint64_t element;
  double x;  // of its middle
};

// COUNT elements over the width from LEFT to RIGHT, folded; NAME stands before their numbers.
std::vector<Place> draw_row(Svg& svg, std::uint64_t count, std::size_t most, double left,
                            double right, double y, double box, double height, const char* kind,
                            const std::string& name) {
  const auto shown = folded(count, most);
  const double pitch = (right - left) / static_cast<double>(shown.size());
  std::vector<Place> places;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const double x = left + pitch * (static_cast<double>(i) + 0.5);
    if (shown[i] == kFolded) {
      draw_fold(svg, x, y + height / 2, count, shown.size());
      continue;
    }
    const double width = std::min(box, pitch - 6);
    svg.labelled(x - width / 2, y, width, height, kind, name + std::to_string(shown[i]));
    places.push_back({static_cast<std::uint64_t>(shown[i]), x});
  }
  return places;
}

void label_row(Svg& svg, double y, const std::string& first, const std::string& second) {
  svg.text(24, y - 2, first, "label");
  svg.text(24, y + 13, second, "small");
}

std::string counted(std::uint64_t count, const std::string& noun, const std::string& more) {
  return std::to_string(count) + ' ' + noun + (count == 1 ? "" : more);
}

}  // namespace

double draw_network(Svg& svg, const Platform& platform, const Star& star, double top) {
  const auto& backbone = star.backbone;
  const double left = kGutter, right = kPictureWidth - 24, nodes = top + kStep + kBoxHeight;
  svg.labelled((left + right) / 2 - 60, top, 120, kBoxHeight, "switch",
               backbone ? "backbone" : "switch");
  label_row(svg, top + 16, "one crossbar",
            backbone ? figures_of(*backbone) : "no limit of its own");
  label_row(svg, top + kBoxHeight + (kStep - kBoxHeight) / 2 + 12, "node links",
            figures_of(platform.network->link));
  label_row(svg, nodes + 12, counted(platform.nodes.count, "node", "s"), "");
  for (const Place& node :
       draw_row(svg, platform.nodes.count, 9, left, right, nodes, 66, kNodeHeight, "node", ""))
    svg.line(node.x, nodes, (left + right) / 2, top + kBoxHeight, "cable");
  return nodes + kNodeHeight + 12;
}

double draw_network(Svg& svg, const Platform& platform, const FatTree& tree, double top) {
  const auto& levels = tree.levels;
  const double left = kGutter, right = kPictureWidth - 24;
  // Elements of each height, and of how many parents' digits their number begins (topologies/fat_tree.hpp).
  std::vector<std::uint64_t> counts{static_cast<std::uint64_t>(tree.room())}, below{1};
  for (const auto& level : levels) {
    counts.push_back(counts.back() / level.down * level.up);
    below.push_back(below.back() * level.up);
  }
  std::vector<std::vector<Place>> rows(levels.size() + 1);
  double y = top;
  for (std::size_t height = levels.size(); height >= 1; --height, y += kStep) {
    const auto& level = levels[height - 1];
    rows[height] = draw_row(svg, counts[height], 4, left, right, y, kBox, kBoxHeight, "switch", "");
    label_row(svg, y + 16, counted(counts[height], "switch", "es"),
              (levels.size() == 1 ? "" : "level " + std::to_string(height) + ", ") +
                  std::to_string(level.down * level.parallel) + " ports down" +
                  (height < levels.size()
                       ? ", " + std::to_string(levels[height].up * levels[height].parallel) + " up"
                       : ""));
    label_row(svg, y + kBoxHeight + (kStep - kBoxHeight) / 2, figures_of(level.link),
              height > 1 || level.up * level.parallel > 1
                  ? counted(std::uint64_t{level.up} * level.parallel, "cable", "s") +
                        (height > 1 ? " each" : " a node")
                  : "a cable a node");
    if (height == levels.size()) continue;
    const auto& above = levels[height];
    for (const Place& child : rows[height])
      for (const Place& parent : rows[height + 1])
        if (parent.element % below[height] == child.element % below[height] &&
            parent.element / below[height + 1] == child.element / below[height] / above.down)
          svg.line(child.x, y, parent.x, y - kStep + kBoxHeight,
                   above.parallel > 1 ? "far" : "cable");
  }
  // Nodes below the switches of the first level, as many as there is room for.
  const std::uint64_t leaves = std::max<std::size_t>(1, folded(counts[1], 4).size());
  const double pitch = (right - left) / static_cast<double>(leaves);
  for (const Place& leaf : rows[1]) {
    if (leaf.element % below[1] !=
        0) {  // of several switches above the same nodes the first one has them drawn
      continue;
    }
    const std::uint64_t first = leaf.element / below[1] * levels[0].down;
    const auto shown = folded(levels[0].down, leaves == 1 ? 9 : 3);
    const double step = (pitch - 8) / static_cast<double>(shown.size());
    for (std::size_t i = 0; i < shown.size(); ++i) {
      const double x = leaf.x - (pitch - 8) / 2 + step * (static_cast<double>(i) + 0.5);
      if (shown[i] == kFolded) {
        draw_fold(svg, x, y + kNodeHeight / 2, levels[0].down, shown.size());
        continue;
      }
      const double width = std::min(52.0, step - 6);
      const std::uint64_t node = first + static_cast<std::uint64_t>(shown[i]);
      svg.labelled(x - width / 2, y, width, kNodeHeight,
                   node < platform.nodes.count ? "node" : "group",
                   node < platform.nodes.count ? std::to_string(node) : "free");
      for (const Place& parent : rows[1])
        if (parent.element / below[1] == leaf.element / below[1])
          svg.line(x, y, parent.x, y - kStep + kBoxHeight, "cable");
    }
  }
  label_row(svg, y + 12, counted(platform.nodes.count, "node", "s"),
            std::to_string(levels[0].down) + " below each switch");
  return y + kNodeHeight + 14;
}

double draw_node(Svg& svg, const Platform& platform, double top) {
  const Nodes& nodes = platform.nodes;
  const double left = kGutter, right = kPictureWidth - 24, height = 110;
  svg.box(left, top, right - left, height, "group");
  svg.text(left + 12, top + 20, "node 0", "label");
  label_row(svg, top + height / 2, "inside a socket", figures_of(platform.intra_node));
  if (nodes.sockets > 1)
    label_row(svg, top + height / 2 + 36, "between sockets", figures_of(platform.inter_socket));
  const auto sockets =
      draw_row(svg, nodes.sockets, 5, left + 12, right - 12, top + 36, 220, 52, "node", "socket ");
  for (std::size_t i = 0; i < sockets.size(); ++i) {
    svg.text(sockets[i].x, top + 82, std::to_string(nodes.cores / nodes.sockets) + " cores",
             "small", Svg::Align::kMiddle);
    if (i > 0) svg.line(sockets[i - 1].x, top + 62, sockets[i].x, top + 62, "far");
  }
  return top + height + 8;
}

}  // namespace reprise::platforms
