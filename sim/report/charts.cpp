// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "sim/report/number_text.hpp"
#include "sim/report/sections.hpp"

namespace reprise::sim::report {
namespace {

using markup::number;
using markup::rect;
using markup::words;

constexpr double kChartsWidth = 960, kChartsLeft = 300, kChartsRight = 110, kChartsRow = 26,
                 kChartsTop = 64, kCap = 5;
constexpr std::size_t kChartsShown = 24;
constexpr const char *kCompute = "#2468b4", *kGrey = "#8b929c";

// ID keeps the patterns and colours of several charts in one page apart.
Markup framed(const std::string& id, double height, const std::string& title,
              const std::string& description, const Markup& content) {
  const std::string all = "#" + id + "-all", ground = "#" + id + "-ground";
  const std::string style =
      ground + "{fill:#fff}" + all + "{fill:#1b1f24}" + all + " .faint{fill:#5a6270}" + all +
      " .band{stroke:#1b1f24;stroke-width:1.6}@media (prefers-color-scheme:dark){" + ground +
      "{fill:#14171c}" + all + "{fill:#e8eaed}" + all + " .faint{fill:#a6adb8}" + all +
      " .band{stroke:#fff}}";
  const auto tile = attr("width", 6) + attr("height", 6),
             pattern = tile + attr("patternUnits", "userSpaceOnUse");
  const auto moving = element("pattern", attr("id", id + "-moving"), pattern,
                              attr("patternTransform", "rotate(45)"),
                              element("rect", tile, attr("fill", "#e08a1e")),
                              element("rect", attr("width", 2), attr("height", 6),
                                      attr("fill", "#fff"), attr("fill-opacity", ".45")));
  const auto waiting = element("pattern", attr("id", id + "-waiting"), pattern,
                               element("rect", tile, attr("fill", kGrey)),
                               element("circle", attr("cx", 3), attr("cy", 3), attr("r", 1.2),
                                       attr("fill", "#fff"), attr("fill-opacity", ".6")));
  const auto heading = element("text", attr("x", 16), attr("y", 26), attr("font-size", 16),
                               attr("font-weight", 600), title);
  return element("svg", attr("xmlns", "http://www.w3.org/2000/svg"),
                 attr("viewBox", "0 0 " + number(kChartsWidth) + " " + number(height)),
                 attr("role", "img"), attr("aria-labelledby", id + "-title " + id + "-text"),
                 attr("font-family", "system-ui, sans-serif"), attr("font-size", 13), "\n",
                 element("title", attr("id", id + "-title"), title), "\n",
                 element("desc", attr("id", id + "-text"), description), "\n",
                 element("style", Markup::verbatim(style)), "\n", element("defs", moving, waiting),
                 "\n",
                 element("rect", attr("id", id + "-ground"), attr("width", "100%"),
                         attr("height", "100%")),
                 "\n", element("g", attr("id", id + "-all"), "\n", heading, "\n", content)) +
         "\n";
}

std::vector<const PointView*> shown_points(const StudyView& view) {
  std::vector<const PointView*> shown;
  for (const auto& point : view.points)
    if (point.is_done && (shown.size() < kChartsShown || point.is_baseline))
      shown.push_back(&point);
  return shown;
}

std::string shortened(const std::string& name) {
  if (name.size() <= 44) return name;
  std::size_t end = 42;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80)
    --end;  // not inside a character
  return name.substr(0, end) + "…";
}

Markup bar(double x, double y, double width, const char* fill) {
  return rect(x, y + 4, std::max(0.0, width), kChartsRow - 8, attr("fill", fill)) + "\n";
}

// A line from one end of the band to the other, with a cap at each end, over a row at Y; SCALE: user units for one of the band's.
Markup whisker(const std::optional<Interval>& band, double scale, double y) {
  if (!band) return {};
  const double from = kChartsLeft + band->low * scale, to = kChartsLeft + band->high * scale,
               middle = y + kChartsRow / 2;
  const auto stroke = [](double x1, double y1, double x2, double y2) {
    return element("line", attr("x1", x1), attr("y1", y1), attr("x2", x2), attr("y2", y2));
  };
  return element("g", attr("class", "band"), stroke(from, middle, to, middle),
                 stroke(from, middle - kCap, from, middle + kCap),
                 stroke(to, middle - kCap, to, middle + kCap)) +
         "\n";
}

Markup band_legend(double x, const std::string& name) {
  return element("g", attr("class", "band"),
                 element("path", attr("d", "M" + number(x) + " 47h22m-22 -5v10m22 -10v10"))) +
         "\n" + words(x + 30, 52, "start", name) + "\n";
}

double end_of(double value, const std::optional<Interval>& band) {
  return band ? std::max(value, band->high) : value;
}

Markup label_of(const PointView& point, double y) {
  const std::string label = shortened(point.name) + (point.is_baseline ? " (baseline)" : "");
  return words(kChartsLeft - 10, y + 17, "end", label) + "\n";
}

// POINT: null where there is no result.
Markup heat_cell(const PointView* point, double share, double x, double y, double width,
                 double height) {
  const auto box =
      point == nullptr ? attr("fill", "none") + attr("stroke", kGrey) : attr("fill", shade(share));
  const std::string ink = point == nullptr ? kGrey : share > 0.5 ? "#fff" : "#1b1f24";
  return rect(x + 1, y + 1, width - 2, height - 2, box) + "\n" +
         words(x + width / 2, y + 25, "middle", point == nullptr ? "–" : times(point->speedup),
               attr("style", "fill:" + ink) + (point != nullptr && point->is_baseline
                                                   ? attr("font-weight", 700)
                                                   : Attributes())) +
         "\n";
}

Markup heat_map(const Grid& grid) {
  double least = 1e300, most = 0;
  for (const auto* point : grid.cells)
    if (point != nullptr) {
      least = std::min(least, point->speedup);
      most = std::max(most, point->speedup);
    }
  const double left = 140, top = 96, height = 40,
               width = (kChartsWidth - left - 24) / static_cast<double>(grid.columns.size());
  Markup cells = words(left, 56, "start", grid.column_axis + " →", attr("class", "faint")) + "\n" +
                 words(left - 12, 80, "end", grid.row_axis + " ↓", attr("class", "faint")) + "\n";
  const auto x_of = [&](std::size_t column) { return left + width * static_cast<double>(column); };
  for (std::size_t column = 0; column < grid.columns.size(); ++column)
    cells += words(x_of(column) + width / 2, 84, "middle", grid.columns[column]) + "\n";
  for (std::size_t row = 0; row < grid.rows.size(); ++row) {
    const double y = top + height * static_cast<double>(row);
    cells += words(left - 12, y + 25, "end", grid.rows[row]) + "\n";
    for (std::size_t column = 0; column < grid.columns.size(); ++column) {
      const auto* point = grid.at(column, row);
      const double share =
          point == nullptr || most <= least ? 0 : (point->speedup - least) / (most - least);
      cells += heat_cell(point, share, x_of(column), y, width, height);
    }
  }
  return framed("speed-up", top + height * static_cast<double>(grid.rows.size()) + 24,
                "Speed-up against the baseline: " + grid.column_axis + " × " + grid.row_axis,
                "The darker, the faster; numbers are in the cells.", cells);
}

double height_of(const std::vector<const PointView*>& points) {
  return kChartsTop + kChartsRow * static_cast<double>(points.size()) + 12;
}

}  // namespace

Markup run_time_svg(const StudyView& view) {
  const auto points = shown_points(view);
  if (points.empty()) return {};
  double longest = 0;
  for (const auto* point : points)
    longest = std::max(longest, end_of(point->time, point->time_band));
  const double scale = longest > 0 ? (kChartsWidth - kChartsLeft - kChartsRight) / longest : 0;
  struct Part {
    const char *name, *fill;
    double PointView::*seconds;
  };
  static constexpr Part kParts[] = {
      {"computing", kCompute, &PointView::compute},
      {"moving data", "url(#run-time-moving)", &PointView::communication},
      {"waiting", "url(#run-time-waiting)", &PointView::wait}};
  Markup bars;
  double x = kChartsLeft, y = kChartsTop;
  for (const Part& part : kParts) {
    bars += rect(x, 40, 14, 14, attr("fill", part.fill)) + "\n" +
            words(x + 20, 52, "start", part.name) + "\n";
    x += 130;
  }
  if (!view.band_name.empty()) bars += band_legend(x, view.band_name);
  for (const auto* point : points) {
    bars += label_of(*point, y);
    const double whole = point->compute + point->communication + point->wait;
    double at = kChartsLeft;
    for (const Part& part : kParts) {
      const double width = whole > 0 ? point->*part.seconds / whole * point->time * scale : 0;
      bars += bar(at, y, width, part.fill);
      at += width;
    }
    bars += whisker(point->time_band, scale, y) +
            words(kChartsLeft + end_of(point->time, point->time_band) * scale + 8, y + 17, "start",
                  seconds(point->time)) +
            "\n";
    y += kChartsRow;
  }
  return framed("run-time", height_of(points), "What the run time is made of",
                "One bar per point, as long as its run time, split by the mean over ranks: "
                "computing, moving data and waiting." +
                    (view.band_name.empty() ? "" : " The line at its end: " + view.band_name + "."),
                bars);
}

Markup speed_up_svg(const StudyView& view) {
  const auto points = shown_points(view);
  double most = 0;
  for (const auto* point : points)
    most = std::max(most, end_of(point->speedup, point->speedup_band));
  if (most <= 0) return {};
  if (const auto grid = grid_of(view)) return heat_map(*grid);
  const double scale = (kChartsWidth - kChartsLeft - kChartsRight) / std::max(1.0, most),
               one = kChartsLeft + scale, height = height_of(points);
  Markup bars;
  double y = kChartsTop;
  for (const auto* point : points) {
    const double width = point->speedup * scale;
    bars += label_of(*point, y) + bar(kChartsLeft, y, width, kCompute) +
            whisker(point->speedup_band, scale, y) +
            words(kChartsLeft + end_of(point->speedup, point->speedup_band) * scale + 8, y + 17,
                  "start", times(point->speedup)) +
            "\n";
    y += kChartsRow;
  }
  bars += element("line", attr("x1", one), attr("x2", one), attr("y1", kChartsTop - 6),
                  attr("y2", height - 8), attr("stroke", kGrey), attr("stroke-width", 1.5),
                  attr("stroke-dasharray", "4 3")) +
          "\n" + words(one, kChartsTop - 12, "middle", "baseline", attr("class", "faint")) + "\n";
  return framed("speed-up", height, "Speed-up against the baseline",
                "One bar per point, as long as its speed-up, with its band if known; the dashed "
                "line is the baseline.",
                bars);
}

}  // namespace reprise::sim::report
