// SPDX-License-Identifier: MIT
// The frame of a page: head with the style, cards, places for pictures, and the parts that are files of their own (page/), as bytes
// of this program.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "markup/markup.hpp"

namespace reprise::sim::report {

using markup::attr;
using markup::Attributes;
using markup::element;
using markup::Markup;

std::string page_text(const std::string& title, const Markup& body);
// The results, the charts library (page/echarts/echarts.bundle.js) and page/*.js, one after the other.
Markup scripts(const nlohmann::ordered_json& results);
// JSON that cannot end the script it stands in.
Markup json_script(const std::string& id, const nlohmann::ordered_json& value);
std::string_view charts_licences();

struct Card {
  std::string id, title, lead;
  Markup body;
  bool is_wide = false;
};
Markup card(const Card&);
// A picture that a script draws, in words for those who cannot see it; WITHOUT_SCRIPT takes its place where scripts are off.
Markup chart(const std::string& id, const std::string& text, const Markup& without_script = {});
// A picture of cells that can be pointed at.
Markup canvas(const std::string& id, const std::string& text);

}  // namespace reprise::sim::report
