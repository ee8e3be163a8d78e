// SPDX-License-Identifier: MIT
// Cells of the page's tables. A cell of a number carries it as the results have it: <td data-value="0.0753…">75.3</td>.
#pragma once

#include <string>

#include "sim/report/html.hpp"

namespace reprise::sim::report {

inline std::string number_cell(const std::string& shown, double value,
                               const std::string& more = "") {
  return "<td class=\"n\" data-value=\"" + exact(value) + "\"" + more + ">" + shown + "</td>";
}
inline std::string text_cell(const std::string& text) { return "<td>" + escaped(text) + "</td>"; }
inline std::string empty_cell() { return "<td class=\"n\">–</td>"; }
// A share with a bar behind it.
inline std::string share_cell(double share, const char* kind) {
  const double width = share < 0 ? 0 : share > 1 ? 1 : share;
  return number_cell(
      percent(share), share,
      std::string(" style=\"--w:") + digits(100 * width, 3) + "%\" data-bar=\"" + kind + "\"");
}
inline std::string head(const std::string& title, bool is_number = false,
                        const std::string& hint = "") {
  return std::string("<th scope=\"col\"") + (is_number ? " class=\"n\"" : "") +
         (hint.empty() ? "" : " title=\"" + escaped(hint) + "\"") + ">" + escaped(title) + "</th>";
}

}  // namespace reprise::sim::report
