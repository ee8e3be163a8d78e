// SPDX-License-Identifier: MIT
// Grids and dragonfly.
#include <algorithm>

#include "platforms/picture/picture.hpp"

namespace reprise::platforms {

double draw_network(Svg& svg, const Platform& platform, const Grid& grid, double top) {
  const auto& dimensions = grid.dimensions;
  constexpr double kBox = 60, kHeight = 26, kX = 120, kY = 62, kStub = 22;
  const auto columns = shown_elements(dimensions[0].size, 6);
  const auto rows =
      dimensions.size() > 1 ? shown_elements(dimensions[1].size, 5) : std::vector<std::int64_t>{0};
  const double left = kGutter + 70, first = top + 24;
  const auto x_of = [&](std::size_t column) { return left + kX * static_cast<double>(column); };
  const auto y_of = [&](std::size_t row) { return first + kY * static_cast<double>(row); };
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t column = 0; column < columns.size(); ++column) {
      const double x = x_of(column), y = y_of(row);
      const bool is_gap = rows[row] == kLeftOut || columns[column] == kLeftOut;
      if (is_gap) {
        const bool is_corner = rows[row] == kLeftOut && columns[column] == kLeftOut;
        svg.text(x, y + 4,
                 rows[row] == kLeftOut && !is_corner ? "⋮"
                 : is_corner                         ? "⋱"
                                                     : "…",
                 "label", "middle");
      } else {
        const auto point = static_cast<std::uint64_t>(columns[column]) +
                           static_cast<std::uint64_t>(rows[row]) * dimensions[0].size;
        const std::uint64_t node = point * grid.nodes;  // the first there
        svg.labelled(x - kBox / 2, y - kHeight / 2, kBox, kHeight,
                     node < platform.nodes.count ? "node" : "group",
                     node >= platform.nodes.count ? "free"
                     : grid.nodes == 1            ? std::to_string(node)
                                       : std::to_string(point) + " ×" + std::to_string(grid.nodes));
      }
      const auto half = [](bool gap, double size) { return gap ? 10 : size / 2; };
      if (rows[row] != kLeftOut && column + 1 < columns.size())
        svg.line(x + half(is_gap, kBox), y,
                 x_of(column + 1) - half(columns[column + 1] == kLeftOut, kBox), y, "cable");
      if (columns[column] != kLeftOut && row + 1 < rows.size())
        svg.line(x, y + half(is_gap, kHeight), x,
                 y_of(row + 1) - half(rows[row + 1] == kLeftOut, kHeight), "far");
      if (grid.is_closed && rows[row] != kLeftOut &&
          dimensions[0].size > 2) {  // the ring is closed
        if (column == 0) svg.line(x - kBox / 2, y, x - kBox / 2 - kStub, y, "wrap");
        if (column + 1 == columns.size())
          svg.line(x + kBox / 2, y, x + kBox / 2 + kStub, y, "wrap");
      }
      if (grid.is_closed && columns[column] != kLeftOut && dimensions.size() > 1 &&
          dimensions[1].size > 2) {
        if (row == 0) svg.line(x, y - kHeight / 2, x, y - kHeight / 2 - kStub / 1.6, "wrap");
        if (row + 1 == rows.size())
          svg.line(x, y + kHeight / 2, x, y + kHeight / 2 + kStub / 1.6, "wrap");
      }
    }
  }
  double label = first - 4;
  for (std::size_t i = 0; i < dimensions.size(); ++i, label += 36) {
    svg.caption(label,
                dimensions[i].name + ": " + std::to_string(dimensions[i].size) +
                    (i == 0   ? " across"
                     : i == 1 ? " down"
                              : " such planes deep"),
                link_text(dimensions[i].link));
  }
  svg.text(24, label, grid.note, "small");
  return std::max(y_of(rows.size() - 1) + kHeight / 2 + kStub, label + 8) + 8;
}

double draw_network(Svg& svg, const Platform&, const Dragonfly& dragonfly, double top) {
  const auto groups = static_cast<double>(shown_elements(dragonfly.groups, 4).size());
  const double box = top + std::max(64.0, 14.0 + 26.0 * (groups - 1)), height = 150;
  std::vector<double> middles;
  const auto draw_group = [&](std::uint64_t group, double x, double pitch) {
    for (const double middle : middles) svg.arc(middle, x, box, 26 * (x - middle) / pitch, "far");
    middles.push_back(x);
    const double left = x - (pitch - 12) / 2, row = box + 70;
    svg.box(left, box, pitch - 12, height, "group");
    svg.text(left + 8, box + 18, "group " + std::to_string(group), "label");
    std::vector<double> routers;
    const auto draw_router = [&](std::uint64_t router, double at, double step) {
      const double size = std::min(36.0, step - 4);
      svg.labelled(at - size / 2, row, size, 24, "switch", std::to_string(router));
      svg.labelled(at - size / 2, row + 46, size, 22, "node",
                   "×" + std::to_string(dragonfly.nodes));
      svg.line(at, row + 24, at, row + 46, "cable");
      for (const double other : routers) svg.arc(other, at, row, 7 * (at - other) / step, "cable");
      routers.push_back(at);
    };
    const double half = (pitch - 24) / 2;
    draw_row(svg, {dragonfly.routers, 4, x - half, x + half, row + 12}, draw_router);
  };
  draw_row(svg, {dragonfly.groups, 4, kGutter, kPictureRight, box + height / 2}, draw_group);
  svg.caption(top + 12, "between groups", link_text(dragonfly.global_link));
  svg.caption(top + 42,
              std::to_string(dragonfly.global_cables) +
                  (dragonfly.global_cables == 1 ? " cable a pair" : " cables a pair"),
              "");
  svg.caption(box + 56, "in a group of " + std::to_string(dragonfly.routers) + " routers",
              link_text(dragonfly.local_link));
  svg.caption(box + 104, "node links", link_text(dragonfly.node_link));
  return box + height + 8;
}

}  // namespace reprise::platforms
