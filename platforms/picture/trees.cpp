// SPDX-License-Identifier: MIT
// Star and fat tree: rows of switches above a row of nodes; and a machine of one node.
#include <algorithm>

#include "platforms/picture/picture.hpp"

namespace reprise::platforms {
namespace {

constexpr double kBox = 88, kBoxHeight = 30, kStep = 96;  // of switches, and from row to row
constexpr double kNodeHeight = 26;

struct Place {
  std::uint64_t element;
  double x;  // of its middle
};

// A row of boxes of at most WIDTH; NAME stands before their numbers.
std::vector<Place> draw_boxes(Svg& svg, const Row& row, double width, double height,
                              const char* kind, const std::string& name = "") {
  std::vector<Place> places;
  draw_row(svg, row, [&](std::uint64_t element, double x, double pitch) {
    const double box = std::min(width, pitch - 6);
    svg.labelled(x - box / 2, row.y - height / 2, box, height, kind,
                 name + std::to_string(element));
    places.push_back({element, x});
  });
  return places;
}

void label_row(Svg& svg, double y, const std::string& what, const std::string& figures) {
  svg.caption(y - 2, what, figures, 15);
}

std::string counted(std::uint64_t count, const std::string& noun, const std::string& more) {
  return std::to_string(count) + ' ' + noun + (count == 1 ? "" : more);
}

}  // namespace

double draw_network(Svg& svg, const Platform& platform, const Star& star, double top) {
  const auto& backbone = star.backbone;
  const double left = kGutter, right = kPictureRight, nodes = top + kStep + kBoxHeight;
  svg.labelled((left + right) / 2 - 60, top, 120, kBoxHeight, "switch",
               backbone ? "backbone" : "switch");
  label_row(svg, top + 16, "one crossbar", backbone ? link_text(*backbone) : "no limit of its own");
  label_row(svg, top + kBoxHeight + (kStep - kBoxHeight) / 2 + 12, "node links",
            link_text(platform.network->link));
  label_row(svg, nodes + 12, counted(platform.nodes.count, "node", "s"), "");
  for (const Place& node :
       draw_boxes(svg, {platform.nodes.count, 9, left, right, nodes + kNodeHeight / 2}, 66,
                  kNodeHeight, "node"))
    svg.line(node.x, nodes, (left + right) / 2, top + kBoxHeight, "cable");
  return nodes + kNodeHeight + 12;
}

double draw_network(Svg& svg, const Platform& platform, const FatTree& tree, double top) {
  const auto& levels = tree.levels;
  const double left = kGutter, right = kPictureRight;
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
    rows[height] = draw_boxes(svg, {counts[height], 4, left, right, y + kBoxHeight / 2}, kBox,
                              kBoxHeight, "switch");
    label_row(svg, y + 16, counted(counts[height], "switch", "es"),
              (levels.size() == 1 ? "" : "level " + std::to_string(height) + ", ") +
                  std::to_string(level.down * level.parallel) + " ports down" +
                  (height < levels.size()
                       ? ", " + std::to_string(levels[height].up * levels[height].parallel) + " up"
                       : ""));
    label_row(svg, y + kBoxHeight + (kStep - kBoxHeight) / 2, link_text(level.link),
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
  const std::size_t leaves = shown_elements(counts[1], 4).size();
  const double half = ((right - left) / static_cast<double>(leaves) - 8) / 2;
  for (const Place& leaf : rows[1]) {
    // Of several switches above the same nodes the first one has them drawn.
    if (leaf.element % below[1] != 0) continue;
    const Row nodes = {levels[0].down, leaves == 1 ? std::size_t{9} : 3, leaf.x - half,
                       leaf.x + half, y + kNodeHeight / 2};
    draw_row(svg, nodes, [&](std::uint64_t element, double x, double step) {
      const double width = std::min(52.0, step - 6);
      const std::uint64_t node = leaf.element / below[1] * levels[0].down + element;
      const bool is_node = node < platform.nodes.count;
      svg.labelled(x - width / 2, y, width, kNodeHeight, is_node ? "node" : "group",
                   is_node ? std::to_string(node) : "free");
      for (const Place& parent : rows[1])
        if (parent.element / below[1] == leaf.element / below[1])
          svg.line(x, y, parent.x, y - kStep + kBoxHeight, "cable");
    });
  }
  label_row(svg, y + 12, counted(platform.nodes.count, "node", "s"),
            std::to_string(levels[0].down) + " below each switch");
  return y + kNodeHeight + 14;
}

double draw_node(Svg& svg, const Platform& platform, double top) {
  const Nodes& nodes = platform.nodes;
  const double left = kGutter, right = kPictureRight, height = 110;
  svg.box(left, top, right - left, height, "group");
  svg.text(left + 12, top + 20, "node 0", "label");
  label_row(svg, top + height / 2, "inside a socket", link_text(platform.intra_node));
  if (nodes.sockets > 1)
    label_row(svg, top + height / 2 + 36, "between sockets", link_text(platform.inter_socket));
  const auto sockets = draw_boxes(svg, {nodes.sockets, 5, left + 12, right - 12, top + 62}, 220, 52,
                                  "node", "socket ");
  for (std::size_t i = 0; i < sockets.size(); ++i) {
    svg.text(sockets[i].x, top + 82, std::to_string(nodes.cores / nodes.sockets) + " cores",
             "small", "middle");
    if (i > 0) svg.line(sockets[i - 1].x, top + 62, sockets[i].x, top + 62, "far");
  }
  return top + height + 8;
}

}  // namespace reprise::platforms
