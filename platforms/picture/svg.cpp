// SPDX-License-Identifier: MIT
// How the parts of a picture are written: shapes, words, rows, and the colours that follow the reader's light or dark setting.
#include <algorithm>

#include "platforms/picture/picture.hpp"

namespace reprise::platforms {
namespace {

using markup::attr;
using markup::element;
using markup::number;

// Contrast of words is above 7:1 on either ground.
constexpr std::string_view kStyle = R"(
svg { background: #ffffff; font-family: "DejaVu Sans", "Segoe UI", Helvetica, Arial, sans-serif; }
.switch { fill: #dbe7f6; stroke: #2b5c9e; } .node { fill: #e4f2e1; stroke: #3c7a34; } .group { fill: #f6f6f6; stroke: #8a8a8a; }
.cable { stroke: #2b5c9e; stroke-width: 1.4; fill: none; } .far { stroke: #b5530f; stroke-width: 1.4; fill: none; }
.wrap { stroke: #2b5c9e; stroke-width: 1.2; stroke-dasharray: 3 3; fill: none; }
text { fill: #1a1a1a; font-size: 12px; } text.title { font-size: 18px; font-weight: 600; } text.label { fill: #3a3a3a; } text.small { font-size: 11px; }
@media (prefers-color-scheme: dark) {
svg { background: #16181c; }
.switch { fill: #22344d; stroke: #86b3ec; } .node { fill: #223a20; stroke: #8cca83; } .group { fill: #1e2126; stroke: #8d939c; }
.cable, .wrap { stroke: #86b3ec; } .far { stroke: #f0a060; }
text { fill: #f0f0f0; } text.label { fill: #d2d2d2; }
}
)";

}  // namespace

void Svg::box(double x, double y, double width, double height, std::string_view kind) {
  (kind == "group" ? ground_ : body_) +=
      markup::rect(x, y, width, height, attr("rx", 4) + attr("class", kind)) + "\n";
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view kind) {
  lines_ += element("line", attr("x1", x1), attr("y1", y1), attr("x2", x2), attr("y2", y2),
                    attr("class", kind)) +
            "\n";
}

void Svg::arc(double x1, double x2, double y, double height, std::string_view kind) {
  const std::string curve = "M" + number(x1) + ' ' + number(y) + " Q" + number((x1 + x2) / 2) +
                            ' ' + number(y - 2 * height) + ' ' + number(x2) + ' ' + number(y);
  lines_ += element("path", attr("d", curve), attr("class", kind)) + "\n";
}

void Svg::text(double x, double y, std::string_view words, std::string_view kind,
               std::string_view anchor) {
  body_ += markup::words(x, y, anchor, words, attr("class", kind)) + "\n";
}

void Svg::labelled(double x, double y, double width, double height, std::string_view kind,
                   std::string_view words) {
  box(x, y, width, height, kind);
  text(x + width / 2, y + height / 2 + 4, words, "small", "middle");
}

void Svg::caption(double y, std::string_view what, std::string_view figures, double step) {
  text(24, y, what, "label");
  text(24, y + step, figures, "small");
}

std::string Svg::finish(double width, double height, std::string_view title) const {
  const auto picture = element(
      "svg", attr("xmlns", "http://www.w3.org/2000/svg"), attr("width", width),
      attr("height", height), attr("viewBox", "0 0 " + number(width) + ' ' + number(height)),
      attr("role", "img"), "\n", element("title", title), "\n",
      element("style", markup::Markup::verbatim(kStyle)), "\n", ground_, lines_, body_);
  return picture.written() + "\n";
}

std::vector<std::int64_t> shown_elements(std::uint64_t count, std::size_t most) {
  const bool is_shortened = count > most;
  std::vector<std::int64_t> shown;
  for (std::uint64_t i = 0; i < (is_shortened ? most - 2 : count); ++i)
    shown.push_back(static_cast<std::int64_t>(i));
  if (is_shortened) shown.insert(shown.end(), {kLeftOut, static_cast<std::int64_t>(count - 1)});
  return shown;
}

void draw_row(Svg& svg, const Row& row,
              const std::function<void(std::uint64_t, double, double)>& draw) {
  const auto shown = shown_elements(row.count, row.most);
  const double pitch = (row.right - row.left) / static_cast<double>(shown.size());
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const double x = row.left + pitch * (static_cast<double>(i) + 0.5);
    if (shown[i] != kLeftOut) {
      draw(static_cast<std::uint64_t>(shown[i]), x, pitch);
      continue;
    }
    svg.text(x, row.y, "…", "label", "middle");
    svg.text(x, row.y + 13, "×" + std::to_string(row.count - (shown.size() - 1)), "small",
             "middle");
  }
}

}  // namespace reprise::platforms
