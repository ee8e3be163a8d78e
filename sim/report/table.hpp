// SPDX-License-Identifier: MIT
// The page's tables. A cell of a number carries it as the results have it: <td data-value="0.0753…">75.3</td>.
#pragma once

#include <string>
#include <vector>

#include "markup/markup.hpp"

namespace reprise::sim::report {

struct Column {
  std::string title;
  bool is_number = false;
  std::string hint = "";
};

markup::Markup head_cell(const markup::Markup& content);  // of a row
markup::Markup text_cell(const markup::Markup& content);
markup::Markup number_cell(const markup::Markup& shown, double value,
                           const markup::Attributes& more = {});
// A number with a bar behind it, over SHARE of the cell.
markup::Markup bar_cell(const markup::Markup& shown, double value, double share, const char* kind,
                        const markup::Attributes& more = {});
markup::Markup share_cell(double share, const char* kind);
markup::Markup no_number();
markup::Markup row(const markup::Markup& cells, const markup::Attributes& attributes = {});

// SELECTOR: "table#points.sortable".
markup::Markup table(const char* selector, const std::vector<Column>& columns,
                     const markup::Markup& rows, const markup::Markup& caption = {});
markup::Markup scrolling(const markup::Markup& table, const char* label = "table");
markup::Markup as_table(const markup::Markup& table);  // folded away below a picture

}  // namespace reprise::sim::report
