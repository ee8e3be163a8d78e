// SPDX-License-Identifier: MIT
// Grids and dragonfly.
#include <algorithm>

#include "platforms/picture/parts.hpp"

namespace reprise::platforms {

double draw_network(Svg& svg, const Platform& platform, const Grid& grid, double top) {
  const auto& dimensions = grid.dimensions;
  constexpr double kBox = 60, kHeight = 26, kX = 120, kY = 62, kStub = 22;
  const auto columns = folded(dimensions[0].size, 6);
  const auto rows =
      dimensions.size() > 1 ? folded(dimensions[1].size, 5) : std::vector<std::int64_t>{0};
  const double left = kGutter + 70, first = top + 24;
  const auto x_of = [&](std::size_t column) { return left + kX * static_cast<double>(column); };
  const auto y_of = [&](std::size_t row) { return first + kY * static_cast<double>(row); };
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (std::size_t column = 0; column < columns.size(); ++column) {
      const double x = x_of(column), y = y_of(row);
      const bool is_gap = rows[row] == kFolded || columns[column] == kFolded;
      if (is_gap) {
        const bool is_corner = rows[row] == kFolded && columns[column] == kFolded;
        svg.text(x, y + 4,
                 rows[row] == kFolded && !is_corner ? "⋮"
                 : is_corner                        ? "⋱"
                                                    : "…",
                 "label", Svg::Align::kMiddle);
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
      if (rows[row] != kFolded && column + 1 < columns.size())
        svg.line(x + half(is_gap, kBox), y,
                 x_of(column + 1) - half(columns[column + 1] == kFolded, kBox), y, "cable");
      if (columns[column] != kFolded && row + 1 < rows.size())
        svg.line(x, y + half(is_gap, kHeight), x,
                 y_of(row + 1) - half(rows[row + 1] == kFolded, kHeight), "far");
      if (grid.is_closed && rows[row] != kFolded && dimensions[0].size > 2) {  // the ring is closed
        if (column == 0) svg.line(x - kBox / 2, y, x - kBox / 2 - kStub, y, "wrap");
        if (column + 1 == columns.size())
          svg.line(x + kBox / 2, y, x + kBox / 2 + kStub, y, "wrap");
      }
      if (grid.is_closed && columns[column] != kFolded && dimensions.size() > 1 &&
          dimensions[1].size > 2) {
        if (row == 0) svg.line(x, y - kHeight / 2, x, y - kHeight / 2 - kStub / 1.6, "wrap");
        if (row + 1 == rows.size())
          svg.line(x, y + kHeight / 2, x, y + kHeight / 2 + kStub / 1.6, "wrap");
      }
    }
  }
  double label = first - 4;
  for (std::size_t i = 0; i < dimensions.size(); ++i, label += 36) {
    svg.text(24, label,
             dimensions[i].name + ": " + std::to_string(dimensions[i].size) +
                 (i == 0   ? " across"
                  : i == 1 ? " down"
                           : " such planes deep"),
             "label");
    svg.text(24, label + 14, figures_of(dimensions[i].link), "small");
  }
  svg.text(24, label, grid.note, "small");
  return std::max(y_of(rows.size() - 1) + kHeight / 2 + kStub, label + 8) + 8;
}

double draw_network(Svg& svg, const Platform&, const Dragonfly& dragonfly, double top) {
  const auto groups = folded(dragonfly.groups, 4), routers = folded(dragonfly.routers, 4);
  const double left = kGutter,
               pitch = (kPictureWidth - 24 - left) / static_cast<double>(groups.size()),
               width = pitch - 12;
  const double arcs = std::max(64.0, 14.0 + 26.0 * static_cast<double>(groups.size() - 1)),
               box = top + arcs, height = 150;
  std::vector<double> middles;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const double x = left + pitch * (static_cast<double>(i) + 0.5);
    if (groups[i] == kFolded) {
      draw_fold(svg, x, box + height / 2, dragonfly.groups, groups.size());
      continue;
    }
    for (std::size_t k = 0; k < middles.size(); ++k)
      svg.arc(middles[k], x, box, 26 * (x - middles[k]) / pitch, "far");
    middles.push_back(x);
    svg.box(x - width / 2, box, width, height, "group");
    svg.text(x - width / 2 + 8, box + 18, "group " + std::to_string(groups[i]), "label");
    const double step = (width - 12) / static_cast<double>(routers.size()), row = box + 70;
    std::vector<double> drawn;
    for (std::size_t r = 0; r < routers.size(); ++r) {
      const double at = x - (width - 12) / 2 + step * (static_cast<double>(r) + 0.5);
      if (routers[r] == kFolded) {
        draw_fold(svg, at, row + 12, dragonfly.routers, routers.size());
        continue;
      }
      const double size = std::min(36.0, step - 4);
      svg.labelled(at - size / 2, row, size, 24, "switch", std::to_string(routers[r]));
      svg.labelled(at - size / 2, row + 46, size, 22, "node",
                   "×" + std::to_string(dragonfly.nodes));
      svg.line(at, row + 24, at, row + 46, "cable");
      for (const double other : drawn) svg.arc(other, at, row, 7 * (at - other) / step, "cable");
      drawn.push_back(at);
    }
  }
  const auto label = [&](double y, const std::string& first, const std::string& second) {
    svg.text(24, y, first, "label");
    svg.text(24, y + 14, second, "small");
  };
  label(top + 12, "between groups", figures_of(dragonfly.global_link));
  label(top + 42,
        std::to_string(dragonfly.global_cables) +
            (dragonfly.global_cables == 1 ? " cable a pair" : " cables a pair"),
        "");
  label(box + 56, "in a group of " + std::to_string(dragonfly.routers) + " routers",
        figures_of(dragonfly.local_link));
  label(box + 104, "node links", figures_of(dragonfly.node_link));
  return box + height + 8;
}

}  // namespace reprise::platforms
