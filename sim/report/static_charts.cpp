// SPDX-License-Identifier: MIT
#include "sim/report/static_charts.hpp"

#include <algorithm>
#include <cmath>

#include "sim/report/html.hpp"

namespace reprise::sim::report {
namespace {

constexpr double kWidth = 960, kLeft = 300, kRight = 110, kRow = 26, kTop = 64;
constexpr std::size_t kShown = 24;

std::string number(double value) { return exact(std::round(value * 100) / 100); }

std::string text_at(double x, double y, const std::string& text, const char* anchor,
                    const char* kind = "") {
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" text-anchor=\"" + anchor + "\"" +
         (*kind ? std::string(" class=\"") + kind + "\"" : "") + ">" + escaped(text) + "</text>\n";
}

std::string box(double x, double y, double width, double height, const std::string& attributes) {
  return "<rect x=\"" + number(x) + "\" y=\"" + number(y) + "\" width=\"" +
         number(std::max(0.0, width)) + "\" height=\"" + number(height) + "\" " + attributes +
         "/>\n";
}

// ID keeps the patterns of several charts in one page apart.
std::string opened(const std::string& id, double height, const std::string& title,
                   const std::string& description) {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + number(kWidth) + " " +
         number(height) + "\" role=\"img\" aria-labelledby=\"" + id + "-title " + id +
         "-text\" font-family=\"system-ui, sans-serif\" font-size=\"13\">\n<title id=\"" + id +
         "-title\">" + escaped(title) + "</title>\n<desc id=\"" + id + "-text\">" +
         escaped(description) + "</desc>\n<style>#" + id + "-ground{fill:#fff}#" + id +
         "-all{fill:#1b1f24}#" + id +
         "-all .faint{fill:#5a6270}@media (prefers-color-scheme:dark){#" + id +
         "-ground{fill:#14171c}#" + id + "-all{fill:#e8eaed}#" + id +
         "-all .faint{fill:#a6adb8}}</style>\n<defs><pattern id=\"" + id +
         "-moving\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" "
         "patternTransform=\"rotate(45)\"><rect width=\"6\" height=\"6\" "
         "fill=\"#e08a1e\"/><rect width=\"2\" height=\"6\" fill=\"#fff\" "
         "fill-opacity=\".45\"/></pattern><pattern id=\"" +
         id +
         "-waiting\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\"><rect width=\"6\" "
         "height=\"6\" fill=\"#8b929c\"/><circle cx=\"3\" cy=\"3\" "
         "r=\"1.2\" fill=\"#fff\" fill-opacity=\".6\"/></pattern></defs>\n<rect id=\"" +
         id + "-ground\" width=\"100%\" height=\"100%\"/>\n<g id=\"" + id +
         "-all\">\n<text x=\"16\" y=\"26\" font-size=\"16\" font-weight=\"600\">" + escaped(title) +
         "</text>\n";
}

std::vector<const PointView*> shown_points(const StudyView& view) {
  std::vector<const PointView*> shown;
  for (const auto& point : view.points)
    if (point.is_done && (shown.size() < kShown || point.is_baseline)) shown.push_back(&point);
  return shown;
}

std::string shortened(const std::string& name) {
  if (name.size() <= 44) return name;
  std::size_t end = 42;
  while (end > 0 && (static_cast<unsigned char>(name[end]) & 0xC0) == 0x80)
    --end;  // not inside a character
  return name.substr(0, end) + "…";
}

std::string label_of(const PointView& point, double y) {
  return text_at(kLeft - 10, y + 17,
                 shortened(point.name) + (point.is_baseline ? " (baseline)" : ""), "end");
}

std::string colour(double share) {  // light to dark blue
  const auto mix = [share](double from, double to) {
    return static_cast<int>(std::lround(from + (to - from) * share));
  };
  char text[16];
  std::snprintf(text, sizeof text, "#%02x%02x%02x", mix(0xe8, 0x08), mix(0xf1, 0x45),
                mix(0xfa, 0x94));
  return text;
}

std::string heat_map(const Grid& grid) {
  double least = 1e300, most = 0;
  for (const auto* point : grid.cells)
    if (point != nullptr) {
      least = std::min(least, point->speedup);
      most = std::max(most, point->speedup);
    }
  const double left = 140, top = 96,
               width = (kWidth - left - 24) / static_cast<double>(grid.columns.size()), height = 40;
  std::string svg =
      opened("speed-up", top + height * static_cast<double>(grid.rows.size()) + 24,
             "Speed-up against the baseline: " + grid.column_axis + " × " + grid.row_axis,
             "The darker, the faster; numbers are in the cells.");
  svg += text_at(left, 56, grid.column_axis + " →", "start", "faint") +
         text_at(left - 12, 80, grid.row_axis + " ↓", "end", "faint");
  for (std::size_t column = 0; column < grid.columns.size(); ++column)
    svg += text_at(left + width * (static_cast<double>(column) + 0.5), 84, grid.columns[column],
                   "middle");
  for (std::size_t row = 0; row < grid.rows.size(); ++row) {
    const double y = top + height * static_cast<double>(row);
    svg += text_at(left - 12, y + 25, grid.rows[row], "end");
    for (std::size_t column = 0; column < grid.columns.size(); ++column) {
      const auto* point = grid.cells[row * grid.columns.size() + column];
      const double x = left + width * static_cast<double>(column);
      const double share =
          point == nullptr || most <= least ? 0 : (point->speedup - least) / (most - least);
      svg += box(
          x + 1, y + 1, width - 2, height - 2,
          point == nullptr ? "fill=\"none\" stroke=\"#8b929c\"" : "fill=\"" + colour(share) + "\"");
      svg += "<text x=\"" + number(x + width / 2) + "\" y=\"" + number(y + 25) +
             "\" text-anchor=\"middle\" style=\"fill:" +
             (point == nullptr ? "#8b929c"
              : share > 0.5    ? "#fff"
                               : "#1b1f24") +
             "\"" + (point != nullptr && point->is_baseline ? " font-weight=\"700\"" : "") + ">" +
             (point == nullptr ? "–" : times(point->speedup)) + "</text>\n";
    }
  }
  return svg + "</g></svg>\n";
}

}  // namespace

std::string run_time_svg(const StudyView& view) {
  const auto points = shown_points(view);
  if (points.empty()) return "";
  double longest = 0;
  for (const auto* point : points)
    longest = std::max({longest, point->time, point->compute + point->communication + point->wait});
  const double scale = longest > 0 ? (kWidth - kLeft - kRight) / longest : 0;
  std::string svg = opened("run-time", kTop + kRow * static_cast<double>(points.size()) + 12,
                           "What the run time is made of",
                           "For each point a bar: computing, moving data and waiting of a rank on "
                           "average; at its end the run time.");
  double x = kLeft;
  for (const auto& [name, fill] : {std::pair("computing", "#2468b4"),
                                   {"moving data", "url(#run-time-moving)"},
                                   {"waiting", "url(#run-time-waiting)"}}) {
    svg += box(x, 40, 14, 14, std::string("fill=\"") + fill + "\"") +
           text_at(x + 20, 52, name, "start");
    x += 130;
  }
  double y = kTop;
  for (const auto* point : points) {
    svg += label_of(*point, y);
    double at = kLeft;
    for (const auto& [value, fill] : {std::pair(point->compute, "#2468b4"),
                                      {point->communication, "url(#run-time-moving)"},
                                      {point->wait, "url(#run-time-waiting)"}}) {
      svg += box(at, y + 4, value * scale, kRow - 8, std::string("fill=\"") + fill + "\"");
      at += value * scale;
    }
    svg += text_at(std::max(at, kLeft + point->time * scale) + 8, y + 17, seconds(point->time),
                   "start");
    y += kRow;
  }
  return svg + "</g></svg>\n";
}

std::string speed_up_svg(const StudyView& view) {
  const auto points = shown_points(view);
  double most = 0;
  for (const auto* point : points) most = std::max(most, point->speedup);
  if (most <= 0) return "";
  if (const auto grid = grid_of(view)) return heat_map(*grid);
  const double scale = (kWidth - kLeft - kRight) / std::max(1.0, most);
  const double height = kTop + kRow * static_cast<double>(points.size()) + 12;
  std::string svg =
      opened("speed-up", height, "Speed-up against the baseline",
             "For each point a bar as long as its speed-up; the line is the baseline.");
  double y = kTop;
  for (const auto* point : points) {
    svg += label_of(*point, y) +
           box(kLeft, y + 4, point->speedup * scale, kRow - 8, "fill=\"#2468b4\"") +
           text_at(kLeft + point->speedup * scale + 8, y + 17, times(point->speedup), "start");
    y += kRow;
  }
  svg += "<line x1=\"" + number(kLeft + scale) + "\" x2=\"" + number(kLeft + scale) + "\" y1=\"" +
         number(kTop - 6) + "\" y2=\"" + number(height - 8) +
         "\" stroke=\"#8b929c\" stroke-width=\"1.5\" stroke-dasharray=\"4 3\"/>\n" +
         text_at(kLeft + scale, kTop - 12, "baseline", "middle", "faint");
  return svg + "</g></svg>\n";
}

}  // namespace reprise::sim::report
