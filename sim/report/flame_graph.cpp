// SPDX-License-Identifier: MIT
#include "sim/report/flame_graph.hpp"

#include <algorithm>
#include <cstdint>
#include <map>

#include "sim/report/number_text.hpp"

namespace reprise::sim::report {
namespace {

using markup::attr;
using markup::element;
using markup::Markup;
using markup::number;
using markup::words;

constexpr double kFlameWidth = 960, kFlameLeft = 16, kFlameRight = 16, kFlameTop = 44,
                 kFlameRow = 18, kHeading = 26;
constexpr double kFlamePlot = kFlameWidth - kFlameLeft - kFlameRight, kNarrowest = 0.5,
                 kLetter = 6.6;
constexpr std::size_t kMostRows = 100;

struct Box {
  std::uint64_t samples = 0;
  std::map<std::string, Box> above;
};

Box tree_of(const FlameGraph& graph) {
  Box root;
  for (const FoldedStack& stack : graph.stacks) {
    root.samples += stack.samples;
    Box* box = &root;
    for (const std::string& name : stack.functions) {
      box = &box->above[name];
      box->samples += stack.samples;
    }
  }
  return root;
}

std::size_t rows_of(const Box& box, double least) {
  std::size_t most = 0;
  for (const auto& [name, above] : box.above)
    if (static_cast<double>(above.samples) >= least) most = std::max(most, rows_of(above, least));
  return std::min(most + 1, kMostRows);
}

// The same for a name wherever it stands: from yellow to red.
std::string colour_of(const std::string& name) {
  std::uint32_t hash = 2166136261U;
  for (const char letter : name) hash = (hash ^ static_cast<std::uint8_t>(letter)) * 16777619U;
  return "hsl(" + std::to_string(8 + hash % 44) + " " + std::to_string(70 + hash / 64 % 25) + "% " +
         std::to_string(58 + hash / 4096 % 12) + "%)";
}

// As much of the name as there is room for, whole characters.
std::string fitting(const std::string& name, double width) {
  const auto room = static_cast<std::size_t>(std::max(0.0, (width - 6) / kLetter));
  if (room < 3) return "";
  if (name.size() <= room) return name;
  std::size_t end = room - 2;
  while (end > 0 && (static_cast<std::uint8_t>(name[end]) & 0xc0U) == 0x80U) --end;
  return name.substr(0, end) + "..";
}

class Drawing {
 public:
  Drawing(std::uint64_t samples, double bottom)
      : unit_(kFlamePlot / static_cast<double>(std::max<std::uint64_t>(1, samples))),
        bottom_(bottom) {}

  Markup boxes(const Box& box, double x, std::size_t row) const {
    Markup all;
    if (row >= kMostRows) return all;
    for (const auto& [name, above] : box.above) {
      const double width = unit_ * static_cast<double>(above.samples);
      if (width >= kNarrowest)
        all += one(name, above.samples, x, width, row) + boxes(above, x, row + 1);
      x += width;
    }
    return all;
  }

 private:
  Markup one(const std::string& name, std::uint64_t samples, double x, double width,
             std::size_t row) const {
    const double y = bottom_ - kFlameRow * static_cast<double>(row + 1);
    const std::string text = fitting(name, width);
    Markup box = element("rect", attr("x", number(x)), attr("y", number(y)),
                         attr("width", number(width)), attr("height", number(kFlameRow - 1)),
                         attr("fill", colour_of(name)), attr("rx", 1));
    if (!text.empty())
      box += element("text", attr("x", number(x + 3)), attr("y", number(y + kFlameRow - 5)),
                     attr("fill", "#1b1f24"), text);
    return element("g",
                   element("title",
                           name + ": " +
                               digits(100 * unit_ * static_cast<double>(samples) / kFlamePlot, 3) +
                               " %, " + std::to_string(samples) + " samples"),
                   box) +
           "\n";
  }

  const double unit_, bottom_;
};

}  // namespace

Markup flame_graphs_svg(const std::string& title, const std::vector<FlameGraph>& graphs) {
  double y = kFlameTop;
  Markup all;
  for (const FlameGraph& graph : graphs) {
    const Box root = tree_of(graph);
    const double least = kNarrowest * static_cast<double>(root.samples) / kFlamePlot;
    const double height = kFlameRow * static_cast<double>(rows_of(root, least));
    all += words(kFlameLeft, y + 14, "start", graph.title) + "\n";
    all += Drawing(root.samples, y + kHeading + height).boxes(root, kFlameLeft, 0);
    y += kHeading + height + 20;
  }
  const Markup style = Markup::verbatim(
      ".flames-ground{fill:#fff}.flames-all{fill:#1b1f24}@media "
      "(prefers-color-scheme:dark){.flames-ground{fill:#14171c}.flames-all{fill:#e8eaed}}");
  return element("svg", attr("xmlns", "http://www.w3.org/2000/svg"),
                 attr("viewBox", "0 0 " + number(kFlameWidth) + " " + number(y)),
                 attr("role", "img"), attr("font-family", "system-ui, sans-serif"),
                 attr("font-size", 12), "\n", element("title", title), "\n",
                 element("style", style), "\n",
                 element("rect", attr("class", "flames-ground"), attr("width", "100%"),
                         attr("height", "100%")),
                 "\n",
                 element("g", attr("class", "flames-all"), "\n",
                         element("text", attr("x", 16), attr("y", 24), attr("font-size", 16),
                                 attr("font-weight", 600), title),
                         "\n", all)) +
         "\n";
}

}  // namespace reprise::sim::report
