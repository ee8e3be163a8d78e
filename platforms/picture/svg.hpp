// SPDX-License-Identifier: MIT
// A drawing as SVG text: boxes, lines, words, in colours that follow the reader's light or dark setting. Units: pixels.
#pragma once

#include <string>
#include <string_view>

namespace reprise::platforms {

class Svg {
 public:
  enum class Align { kLeft, kMiddle, kRight };

  // KIND is a class of the style sheet in svg.cpp: "switch", "node", "group"; "cable", "wrap", "far"; "title", "label", "small".
  void box(double x, double y, double width, double height, std::string_view kind);
  void line(double x1, double y1, double x2, double y2, std::string_view kind);
  void arc(double x1, double x2, double y, double height,
           std::string_view kind);  // from x1 to x2 at y, bulging by HEIGHT upwards
  void text(double x, double y, std::string_view words, std::string_view kind,
            Align align = Align::kLeft);
  // A box with words in its middle.
  void labelled(double x, double y, double width, double height, std::string_view kind,
                std::string_view words);

  std::string finish(double width, double height, std::string_view title) const;

 private:
  std::string ground_, lines_, body_;  // boxes of groups, on them lines, on them all else
};

}  // namespace reprise::platforms
