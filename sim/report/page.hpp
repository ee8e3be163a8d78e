// SPDX-License-Identifier: MIT
// What pages are made of: the frame with the style, cards, places for pictures, tables; and the parts that are files of their own
// (page/), as bytes of this program.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/markup/markup.hpp"

namespace reprise::sim::report {

using markup::attr;
using markup::Attributes;
using markup::element;
using markup::Markup;

std::string page_text(const std::string& title, const Markup& body);
// The results, the charts library (page/echarts/echarts.bundle.js) where the page has charts, and page/*.js, one after the other.
Markup scripts(const nlohmann::ordered_json& results, bool has_charts = true);
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

struct Column {
  std::string title;
  bool is_number = false;
  std::string hint = "";
};
Markup head_cell(const Markup& content);  // of a row
Markup text_cell(const Markup& content);
// A number as the results have it: <td data-value="0.0753…">75.3</td>.
Markup number_cell(const Markup& shown, double value, const Attributes& more = {});
// A number with a bar behind it, over SHARE of the cell.
Markup bar_cell(const Markup& shown, double value, double share, const char* kind,
                const Attributes& more = {});
Markup share_cell(double share, const char* kind);
Markup no_number();
Markup row(const Markup& cells, const Attributes& attributes = {});
// SELECTOR: "table#points.sortable".
Markup table(const char* selector, const std::vector<Column>& columns, const Markup& rows,
             const Markup& caption = {});
Markup scrolling(const Markup& table, const char* label = "table");
Markup as_table(const Markup& table);  // folded away below a picture

}  // namespace reprise::sim::report
