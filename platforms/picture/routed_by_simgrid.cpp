// SPDX-License-Identifier: MIT
// A machine that SimGrid routes: its nodes below one box, as what joins them is the file's affair; the table of links follows.
#include <algorithm>

#include "platforms/picture/picture.hpp"

namespace reprise::platforms {

double draw_network(Svg& svg, const Platform& platform, const RoutedBySimgrid& topology,
                    double top) {
  constexpr double kBoxHeight = 30, kGap = 66, kNodeHeight = 26, kWidth = 88;
  const double left = kGutter, right = kPictureRight, nodes = top + kBoxHeight + kGap;
  svg.labelled(left, top, right - left, kBoxHeight, "switch", topology.file);
  svg.caption(top + 14, "zones and routes", "as SimGrid has them", 15);
  svg.caption(nodes + 10, std::to_string(platform.nodes.count) + " nodes", "", 15);
  const auto& names = platform.nodes.names;
  draw_row(svg, {platform.nodes.count, 8, left, right, nodes + kNodeHeight / 2},
           [&](std::uint64_t node, double x, double pitch) {
             const double width = std::min(kWidth, pitch - 6);
             const std::string name = node < names.size() ? names[node] : std::to_string(node);
             constexpr std::size_t kLetters = 12;
             svg.labelled(x - width / 2, nodes, width, kNodeHeight, "node",
                          name.size() <= kLetters ? name : std::to_string(node));
             svg.line(x, nodes, x, top + kBoxHeight, "cable");
           });
  return nodes + kNodeHeight + 12;
}

}  // namespace reprise::platforms
