// SPDX-License-Identifier: MIT
#include "sim/report/table.hpp"

#include <algorithm>

#include "sim/report/number_text.hpp"

namespace reprise::sim::report {

using markup::attr;
using markup::Attributes;
using markup::element;
using markup::Markup;

Markup head_cell(const Markup& content) { return element("th", attr("scope", "row"), content); }
Markup text_cell(const Markup& content) { return element("td", content); }
Markup no_number() { return element("td.n", "–"); }

Markup number_cell(const Markup& shown, double value, const Attributes& more) {
  return element("td.n", attr("data-value", exact(value)), more, shown);
}

Markup bar_cell(const Markup& shown, double value, double share, const char* kind,
                const Attributes& more) {
  const std::string width = digits(100 * std::clamp(share, 0.0, 1.0), 3);
  return number_cell(shown, value,
                     attr("style", "--w:" + width + "%") + attr("data-bar", kind) + more);
}

Markup share_cell(double share, const char* kind) {
  return bar_cell(percent(share), share, share, kind);
}

Markup row(const Markup& cells, const Attributes& attributes) {
  return element("tr", attributes, cells) + "\n";
}

Markup table(const char* selector, const std::vector<Column>& columns, const Markup& rows,
             const Markup& caption) {
  Markup heads;
  for (const Column& column : columns)
    heads +=
        element("th", attr("scope", "col"), column.is_number ? attr("class", "n") : Attributes(),
                column.hint.empty() ? Attributes() : attr("title", column.hint), column.title);
  return element(selector, caption.empty() ? caption : element("caption", caption),
                 element("thead", element("tr", heads)), element("tbody", "\n", rows));
}

Markup scrolling(const Markup& table, const char* label) {
  return element("div.scroll", attr("tabindex", "0"), attr("role", "group"),
                 attr("aria-label", label), table) +
         "\n";
}

Markup as_table(const Markup& table) {
  return element("details", element("summary", "As a table"), scrolling(table)) + "\n";
}

}  // namespace reprise::sim::report
