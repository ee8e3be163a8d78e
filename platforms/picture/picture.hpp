// SPDX-License-Identifier: MIT
// A picture of a machine: its switches, nodes and cables, with a table of all kinds of links.
//
// What is many is shortened: the first of a row, an ellipsis with the number left out, and the last. The plane that is drawn of a grid is
// that of its first two dimensions. Self-contained SVG, light or dark as the reader's screen is. Units: pixels.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/markup/markup.hpp"
#include "platforms/platform.hpp"

namespace reprise::platforms {

std::string picture_of(const Platform&);

inline constexpr double kPictureWidth = 960, kPictureRight = kPictureWidth - 24,
                        kGutter = 190;  // the gutter on the left holds words about the rows

class Svg {
 public:
  // KIND is a class of the style sheet in picture.cpp: "switch", "node", "group"; "cable", "wrap", "far"; "title", "label", "small".
  void box(double x, double y, double width, double height, std::string_view kind);
  void line(double x1, double y1, double x2, double y2, std::string_view kind);
  // From x1 to x2 at y, bulging by HEIGHT upwards.
  void arc(double x1, double x2, double y, double height, std::string_view kind);
  void text(double x, double y, std::string_view words, std::string_view kind,
            std::string_view anchor = "start");
  // A box with words in its middle.
  void labelled(double x, double y, double width, double height, std::string_view kind,
                std::string_view words);
  // In the gutter: what a row is, and STEP below it in small letters what is known of it.
  void caption(double y, std::string_view what, std::string_view figures, double step = 14);

  std::string finish(double width, double height, std::string_view title) const;

 private:
  markup::Markup ground_, lines_, body_;  // boxes of groups, on them lines, on them all else
};

// The first elements of a row, then kLeftOut, then the last one; all where there are at most MOST.
inline constexpr std::int64_t kLeftOut = -1;
std::vector<std::int64_t> shown_elements(std::uint64_t count, std::size_t most);

// COUNT elements, at most MOST of them shown, side by side from LEFT to RIGHT; those left out are an ellipsis at Y.
struct Row {
  std::uint64_t count;
  std::size_t most;
  double left, right, y;
};
// DRAW(element, x of its middle, width of its place), from left to right.
void draw_row(Svg&, const Row&, const std::function<void(std::uint64_t, double, double)>& draw);
std::string link_text(const LinkSpec&);  // "2.5 GB/s, 1.2 us"

// Each draws below TOP and returns where it ends.
double draw_network(Svg&, const Platform&, const Star&, double top);
double draw_network(Svg&, const Platform&, const FatTree&, double top);
double draw_network(Svg&, const Platform&, const Dragonfly&, double top);
double draw_network(Svg&, const Platform&, const Grid&, double top);
double draw_network(Svg&, const Platform&, const RoutedBySimgrid&, double top);
double draw_node(Svg&, const Platform&, double top);

}  // namespace reprise::platforms
