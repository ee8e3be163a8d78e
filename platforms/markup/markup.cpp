// SPDX-License-Identifier: MIT
#include "platforms/markup/markup.hpp"

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>

namespace reprise::markup {
namespace {

constexpr std::string_view kVoid[] = {"br", "hr", "img", "input", "link", "meta"};
constexpr std::string_view kShapes[] = {"circle",  "ellipse",  "line", "path",
                                        "polygon", "polyline", "rect", "use"};

template <std::size_t N>
bool holds(const std::string_view (&names)[N], std::string_view name) {
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

// Bytes that are no UTF-8 replaced, as the JSON library does it.
std::string valid(std::string_view text) {
  using nlohmann::json;
  return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace))
      .get<std::string>();
}

}  // namespace

std::string escaped(std::string_view text) {
  static constexpr std::string_view kSpecial = "&<>\"'";
  static constexpr const char* kEntities[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
  std::string result;
  for (const char c : valid(text)) {
    const bool is_control =
        static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
    if (const auto at = kSpecial.find(c); at != kSpecial.npos)
      result += kEntities[at];
    else if (is_control)
      result += "\uFFFD";
    else
      result += c;
  }
  return result;
}

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.5g", value);
  return text;
}

Markup Markup::verbatim(std::string_view written) {
  Markup markup;
  markup.written_ = written;
  return markup;
}

Markup& Markup::operator+=(const Markup& more) {
  written_ += more.written_;
  return *this;
}

Attributes& Attributes::operator+=(const Attributes& more) {
  written += more.written;
  return *this;
}

Attributes attr(std::string_view name) { return {" " + std::string(name)}; }
Attributes attr(std::string_view name, std::string_view value) {
  return {" " + std::string(name) + "=\"" + escaped(value) + '"'};
}
Attributes attr(std::string_view name, double value) { return attr(name, number(value)); }

Markup written_element(std::string_view selector, const Attributes& attributes,
                       const Markup& content) {
  std::size_t at = std::min(selector.find_first_of(".#"), selector.size());
  const std::string name(selector.substr(0, at));
  std::string text = "<" + name;
  while (at < selector.size()) {
    const std::size_t end = std::min(selector.find_first_of(".#", at + 1), selector.size());
    text +=
        attr(selector[at] == '.' ? "class" : "id", selector.substr(at + 1, end - at - 1)).written;
    at = end;
  }
  text += attributes.written;
  if (holds(kShapes, name) && content.empty()) return Markup::verbatim(text + "/>");
  text += '>';
  if (!holds(kVoid, name)) text += content.written() + "</" + name + '>';
  return Markup::verbatim(text);
}

Markup rect(double x, double y, double width, double height, const Attributes& more) {
  return element("rect", attr("x", x), attr("y", y), attr("width", width), attr("height", height),
                 more);
}

Markup words(double x, double y, std::string_view anchor, std::string_view text,
             const Attributes& more) {
  return element("text", attr("x", x), attr("y", y), attr("text-anchor", anchor), more, text);
}

}  // namespace reprise::markup
