// SPDX-License-Identifier: MIT
// Sections over all points of the study, as charts: what run times are made of, speed-ups over the axes of numbers.
#include <algorithm>

#include "sim/report/number_text.hpp"
#include "sim/report/sections.hpp"

namespace reprise::sim::report {
namespace {

Markup heat_table(const Grid& grid) {
  std::vector<Column> columns = {{grid.row_axis + " \\ " + grid.column_axis}};
  for (const auto& column : grid.columns) columns.push_back({column, true});
  Markup rows;
  for (std::size_t line = 0; line < grid.rows.size(); ++line) {
    Markup cells = head_cell(grid.rows[line]);
    for (std::size_t column = 0; column < grid.columns.size(); ++column) {
      const auto* point = grid.at(column, line);
      cells += point == nullptr ? no_number() : number_cell(times(point->speedup), point->speedup);
    }
    rows += row(cells);
  }
  return table("table#heat", columns, rows);
}

Markup speed_up_map(const StudyView& view) {
  const auto grid = grid_of(view);
  if (!grid) return {};
  return card({"map", "Speed-up over " + grid->column_axis + " and " + grid->row_axis,
               "Speed-up over the baseline; the stronger the colour, the faster.",
               chart("chart-heat",
                     "Speed-up against the baseline for each pair of values; the table below has "
                     "the same numbers.",
                     speed_up_svg(view)) +
                   as_table(heat_table(*grid)),
               true});
}

Markup run_times(const StudyView& view) {
  if (view.done() == 0) return {};
  const auto bars = grid_of(view) ? Markup() : speed_up_svg(view);
  return card({"run-times", "What the run time is made of",
               "Each bar is the run time, split by the mean over ranks: computing, moving data "
               "(overheads, latency, transfer) and waiting for others." +
                   (view.band_name.empty() ? std::string()
                                           : " The line at its end: " + view.band_name + "."),
               chart("chart-run-time",
                     "Stacked bars of computing, moving data and waiting for each point; the table "
                     "of all points has the same numbers.",
                     run_time_svg(view)),
               true}) +
         (bars.empty() ? bars : element("noscript", element("section.card", bars)) + "\n");
}

bool has_speedup_bands(const StudyView& view) {
  return std::ranges::any_of(view.points,
                             [](const PointView& point) { return point.speedup_band.has_value(); });
}

Markup curves(const StudyView& view) {
  if (view.numeric_axes.empty() || view.done() == 0) return {};
  const std::string& axis = view.axes[view.numeric_axes[0]];
  return card({"curves", "Speed-up curves",
               "How the speed-up grows along " + axis +
                   "; where a curve is flat, more gains nothing." +
                   (has_speedup_bands(view) ? " The upright lines: " + view.band_name + "." : ""),
               chart("chart-curves", "Speed-up against the factor on " + axis +
                                         "; the table of all points has the same numbers.")});
}

}  // namespace

Markup chart_sections(const StudyView& view) {
  return speed_up_map(view) + run_times(view) + curves(view);
}

}  // namespace reprise::sim::report
