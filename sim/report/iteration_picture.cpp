// SPDX-License-Identifier: MIT
#include "sim/report/iteration_picture.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "sim/report/number_text.hpp"

namespace reprise::sim::report {
namespace {

using markup::attr;
using markup::element;
using markup::Markup;
using markup::number;
using markup::rect;
using markup::words;

constexpr double kIterationWidth = 960, kIterationLeft = 110, kIterationRight = 20,
                 kIterationTop = 70, kGraph = 200, kIterationGap = 60;
constexpr double kMap = 320, kIterationPlot = kIterationWidth - kIterationLeft - kIterationRight;
constexpr std::size_t kRows = 128;

std::string value_text(double value, const std::string& unit) {
  return unit == "s" ? seconds(value) : digits(value, 4) + " " + unit;
}

double x_of(const trace_io::IterationTable& table, std::size_t column) {
  return kIterationLeft +
         kIterationPlot * static_cast<double>(column) / static_cast<double>(table.columns());
}

// A step for each column.
Markup line(const trace_io::IterationTable& table, double most, const char* stroke,
            const char* name, double trace_io::IterationTable::Extremes::*which) {
  std::string points;
  for (std::size_t c = 0; c < table.columns(); ++c) {
    const double value = table.graph[c].*which;
    const std::string y = number(kIterationTop + kGraph * (1 - (most > 0 ? value / most : 0)));
    points += (c == 0 ? "" : " ") + number(x_of(table, c)) + "," + y + " " +
              number(x_of(table, c + 1)) + "," + y;
  }
  return element("polyline", attr("points", points), attr("fill", "none"), attr("stroke", stroke),
                 attr("stroke-width", 1.5), element("title", name)) +
         "\n";
}

Markup graph(const trace_io::IterationTable& table, const std::string& unit) {
  using Extremes = trace_io::IterationTable::Extremes;
  double most = 0;
  for (const Extremes& one : table.graph) most = std::max(most, one.most);
  Markup all = words(kIterationLeft - 8, kIterationTop + 10, "end", value_text(most, unit)) +
               words(kIterationLeft - 8, kIterationTop + kGraph, "end", "0") +
               element("path", attr("class", "axis"), attr("fill", "none"),
                       attr("d", "M" + number(kIterationLeft) + "," + number(kIterationTop) + "v" +
                                     number(kGraph) + "h" + number(kIterationPlot)));
  all += line(table, most, "#c43d3d", "largest", &Extremes::most);
  const char* const middle = table.iterations_per_column == 1 ? "median" : "mean median";
  all += line(table, most, "#2468b4", middle, &Extremes::median);
  all += line(table, most, "#3d8b5f", "smallest", &Extremes::least);
  double x = kIterationLeft;
  for (const auto& [name, stroke] : {std::pair("largest", "#c43d3d"),
                                     {middle, "#2468b4"},
                                     {"smallest of all ranks", "#3d8b5f"}}) {
    all += rect(x, kIterationTop - 22, 14, 3, attr("fill", stroke)) +
           words(x + 20, kIterationTop - 16, "start", name);
    x += 100;
  }
  return all;
}

Markup map(const trace_io::IterationTable& table, const std::string& unit) {
  const std::size_t ranks = table.ranks.size(), rows = std::min(ranks, kRows);
  std::vector<std::vector<double>> values(rows, std::vector<double>(table.columns(), NAN));
  double most = -HUGE_VAL, least = HUGE_VAL;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t c = 0; c < table.columns(); ++c) {
      double sum = 0, count = 0;
      for (std::size_t r = row * ranks / rows; r < (row + 1) * ranks / rows; ++r)
        if (!std::isnan(table.map[r][c])) {
          sum += table.map[r][c];
          ++count;
        }
      if (count == 0) continue;
      values[row][c] = sum / count;
      most = std::max(most, values[row][c]);
      least = std::min(least, values[row][c]);
    }
  const double top = kIterationTop + kGraph + kIterationGap,
               height = kMap / static_cast<double>(rows);
  Markup all;
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t c = 0, end = 1; c < table.columns(); c = end) {
      end = c + 1;
      if (std::isnan(values[row][c])) continue;
      const auto colour = [&](std::size_t column) {
        const double value = values[row][column];
        return std::isnan(value) ? std::string()
                                 : shade(most > least ? (value - least) / (most - least) : 0);
      };
      const std::string fill = colour(c);
      while (end < table.columns() && colour(end) == fill) ++end;
      all += rect(x_of(table, c), top + height * static_cast<double>(row),
                  x_of(table, end) - x_of(table, c), height, attr("fill", fill)) +
             "\n";
    }
  const auto rank_at = [&](std::size_t r) {
    return "rank " + std::to_string(table.ranks[r].value);
  };
  all += words(kIterationLeft - 8, top + 12, "end", rank_at(0));
  if (ranks > 1) all += words(kIterationLeft - 8, top + kMap - 2, "end", rank_at(ranks - 1));
  const double bottom = top + kMap + 18;
  all += words(kIterationLeft, bottom, "start", "iteration 0") +
         words(kIterationWidth - kIterationRight, bottom, "end",
               "iteration " + std::to_string(table.iterations - 1)) +
         words(kIterationLeft, top - 10, "start",
               "light: " + value_text(least, unit) + ", dark: " + value_text(most, unit) +
                   (ranks > rows ? "; rows are means over several ranks" : ""));
  return all;
}

}  // namespace

Markup iterations_svg(const trace_io::IterationTable& table, const std::string& title,
                      const std::string& unit) {
  const double height = kIterationTop + kGraph + kIterationGap + kMap + 40;
  const std::string columns =
      table.iterations_per_column > 1
          ? std::to_string(table.iterations_per_column) + " iterations per column"
          : "one iteration per column";
  const Markup style = Markup::verbatim(
      ".iterations-ground{fill:#fff}.iterations-all{fill:#1b1f24}.axis{stroke:#8b929c}@media "
      "(prefers-color-scheme:dark){.iterations-ground{fill:#14171c}.iterations-all{fill:#e8eaed}}");
  return element(
             "svg", attr("xmlns", "http://www.w3.org/2000/svg"),
             attr("viewBox", "0 0 " + number(kIterationWidth) + " " + number(height)),
             attr("role", "img"), attr("font-family", "system-ui, sans-serif"),
             attr("font-size", 12), "\n", element("title", title), "\n", element("style", style),
             "\n",
             element("rect", attr("class", "iterations-ground"), attr("width", "100%"),
                     attr("height", "100%")),
             "\n",
             element("g", attr("class", "iterations-all"), "\n",
                     element("text", attr("x", 16), attr("y", 24), attr("font-size", 16),
                             attr("font-weight", 600), title),
                     words(kIterationWidth - kIterationRight, kIterationTop - 16, "end", columns),
                     "\n", graph(table, unit), "\n", map(table, unit))) +
         "\n";
}

}  // namespace reprise::sim::report
