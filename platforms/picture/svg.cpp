// SPDX-License-Identifier: MIT
#include "platforms/picture/svg.hpp"

#include <cstdio>

namespace reprise::platforms {
namespace {

// Contrast of words is above 7:1 on either ground.
constexpr std::string_view kStyle = R"(<style>
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
</style>
)";

std::string number(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.5g", value);
  return buffer;
}

std::string escaped(std::string_view words) {
  std::string text;
  for (const char c : words) {
    switch (c) {
      case '&':
        text += "&amp;";
        break;
      case '<':
        text += "&lt;";
        break;
      case '>':
        text += "&gt;";
        break;
      case '"':
        text += "&quot;";
        break;
      default:
        text += c;
    }
  }
  return text;
}

std::string attribute(std::string_view name, double value) {
  return ' ' + std::string(name) + "=\"" + number(value) + '"';
}
std::string kind_of(std::string_view kind) { return " class=\"" + std::string(kind) + '"'; }

}  // namespace

void Svg::box(double x, double y, double width, double height, std::string_view kind) {
  (kind == "group" ? ground_ : body_) += "<rect" + attribute("x", x) + attribute("y", y) +
                                         attribute("width", width) + attribute("height", height) +
                                         " rx=\"4\"" + kind_of(kind) + "/>\n";
}

void Svg::line(double x1, double y1, double x2, double y2, std::string_view kind) {
  lines_ += "<line" + attribute("x1", x1) + attribute("y1", y1) + attribute("x2", x2) +
            attribute("y2", y2) + kind_of(kind) + "/>\n";
}

void Svg::arc(double x1, double x2, double y, double height, std::string_view kind) {
  lines_ += "<path d=\"M" + number(x1) + ' ' + number(y) + " Q" + number((x1 + x2) / 2) + ' ' +
            number(y - 2 * height) + ' ' + number(x2) + ' ' + number(y) + '"' + kind_of(kind) +
            "/>\n";
}

void Svg::text(double x, double y, std::string_view words, std::string_view kind, Align align) {
  const char* anchor = align == Align::kLeft ? "start" : align == Align::kMiddle ? "middle" : "end";
  body_ += "<text" + attribute("x", x) + attribute("y", y) + " text-anchor=\"" + anchor + '"' +
           kind_of(kind) + '>' + escaped(words) + "</text>\n";
}

void Svg::labelled(double x, double y, double width, double height, std::string_view kind,
                   std::string_view words) {
  box(x, y, width, height, kind);
  text(x + width / 2, y + height / 2 + 4, words, "small", Align::kMiddle);
}

std::string Svg::finish(double width, double height, std::string_view title) const {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\"" + attribute("width", width) +
         attribute("height", height) + " viewBox=\"0 0 " + number(width) + ' ' + number(height) +
         "\" role=\"img\">\n<title>" + escaped(title) + "</title>\n" + std::string(kStyle) +
         ground_ + lines_ + body_ + "</svg>\n";
}

}  // namespace reprise::platforms
