// SPDX-License-Identifier: MIT
#include <algorithm>

#include "sim/report/static_charts.hpp"

namespace reprise::sim::report {

std::optional<Grid> grid_of(const StudyView& view) {
  if (view.numeric_axes.size() < 2) return std::nullopt;
  const PointView* like = view.baseline() != nullptr ? view.baseline() : view.fastest();
  if (like == nullptr) return std::nullopt;
  const std::size_t across = view.numeric_axes[0], down = view.numeric_axes[1];
  const auto labels = [&view](std::size_t axis) {
    std::vector<std::string> list;
    for (const auto& label : (*view.json)["study"]["axes"][axis]["labels"])
      list.push_back(label.is_string() ? label.get<std::string>() : label.dump());
    return list;
  };
  Grid grid{view.axes[across], view.axes[down], labels(across), labels(down), {}};
  grid.cells.assign(grid.columns.size() * grid.rows.size(), nullptr);
  for (const auto& point : view.points) {
    bool is_alike = point.is_done;
    for (std::size_t axis = 0; axis < view.axes.size(); ++axis)
      if (axis != across && axis != down && point.labels[axis] != like->labels[axis])
        is_alike = false;
    const auto column = std::find(grid.columns.begin(), grid.columns.end(), point.labels[across]) -
                        grid.columns.begin();
    const auto row =
        std::find(grid.rows.begin(), grid.rows.end(), point.labels[down]) - grid.rows.begin();
    if (!is_alike || static_cast<std::size_t>(column) >= grid.columns.size() ||
        static_cast<std::size_t>(row) >= grid.rows.size())
      continue;
    grid.cells[static_cast<std::size_t>(row) * grid.columns.size() +
               static_cast<std::size_t>(column)] = &point;
  }
  return grid;
}

}  // namespace reprise::sim::report
