// SPDX-License-Identifier: MIT
// HTML and SVG built from elements: what is opened is closed, and a text cannot become markup.
//
//     element("td.n", attr("data-value", "0.5"), "50 %")      <td class="n" data-value="0.5">50 %</td>
//
// Markup    elements and texts in order, as they are written. A text that becomes Markup is escaped; verbatim() alone takes something
//           as it stands (style sheets, scripts).
// Element   its name, perhaps with .class and #id as in CSS, then attributes and content. HTML's void elements have no end tag, SVG's
//           shapes end in "/>", all others have an end tag.
// Numbers   of attributes have five significant digits: a hundredth of a pixel on a canvas of less than 1000.
// Cost      an element copies its content once.
#pragma once

#include <concepts>
#include <string>
#include <string_view>

namespace reprise::markup {

// & < > " ' as entities; bytes that are no UTF-8, and control characters that XML forbids, as U+FFFD.
std::string escaped(std::string_view text);
std::string number(double value);

class Markup {
 public:
  Markup() = default;
  template <std::convertible_to<std::string_view> Text>
  Markup(const Text& text) : written_(escaped(text)) {}
  static Markup verbatim(std::string_view written);

  Markup& operator+=(const Markup& more);
  bool empty() const { return written_.empty(); }
  const std::string& written() const { return written_; }

 private:
  std::string written_;
};
inline Markup operator+(Markup first, const Markup& second) { return first += second; }

struct Attributes {
  std::string written;  // each with a space before it
  Attributes& operator+=(const Attributes& more);
};
inline Attributes operator+(Attributes first, const Attributes& second) { return first += second; }
Attributes attr(std::string_view name);  // without a value
Attributes attr(std::string_view name, std::string_view value);
Attributes attr(std::string_view name, double value);

Markup written_element(std::string_view selector, const Attributes&, const Markup& content);

// PARTS: attributes and content, in any order among one another.
template <typename... Parts>
Markup element(std::string_view selector, const Parts&... parts) {
  Attributes attributes;
  Markup content;
  [[maybe_unused]] const auto add = [&]<typename Part>(const Part& part) {
    if constexpr (std::same_as<Part, Attributes>)
      attributes += part;
    else
      content += part;
  };
  (add(parts), ...);
  return written_element(selector, attributes, content);
}

// SVG: a box, and words that begin, end or have their middle (ANCHOR) at a place.
Markup rect(double x, double y, double width, double height, const Attributes& more = {});
Markup words(double x, double y, std::string_view anchor, std::string_view text,
             const Attributes& more = {});

}  // namespace reprise::markup
