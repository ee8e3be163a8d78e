// SPDX-License-Identifier: MIT
#include "sim/report/page.hpp"

#include <algorithm>

#include "sim/report/number_text.hpp"

// .incbin puts a file's bytes into the object file: g++ and clang, nothing else at build time. CMakeLists.txt names the files and
// makes this one depend on them.
#define EMBED(name, file)                            \
  __asm__(                                           \
      ".pushsection .rodata\n"                       \
      ".global reprise_embedded_" #name              \
      "\n"                                           \
      "reprise_embedded_" #name ":\n.incbin \"" file \
      "\"\n"                                         \
      ".global reprise_embedded_" #name              \
      "_end\n"                                       \
      "reprise_embedded_" #name                      \
      "_end:\n.byte 0\n"                             \
      ".popsection\n");                              \
  extern "C" const char reprise_embedded_##name[], reprise_embedded_##name##_end[];
#define EMBEDDED(name)         \
  std::string_view(            \
      reprise_embedded_##name, \
      static_cast<std::size_t>(reprise_embedded_##name##_end - reprise_embedded_##name))

EMBED(style, REPRISE_REPORT_STYLE)
EMBED(script, REPRISE_REPORT_SCRIPT)
EMBED(charts, REPRISE_REPORT_PAGE "/echarts/echarts.bundle.js")
EMBED(licences, REPRISE_REPORT_PAGE "/echarts/LICENCES.txt")

namespace reprise::sim::report {

std::string page_text(const std::string& title, const Markup& body) {
  const auto head = element("head", "\n", element("meta", attr("charset", "utf-8")), "\n",
                            element("meta", attr("name", "viewport"),
                                    attr("content", "width=device-width, initial-scale=1")),
                            "\n", element("title", title), "\n",
                            element("link", attr("rel", "icon"), attr("href", "data:,")), "\n",
                            element("style", "\n", Markup::verbatim(EMBEDDED(style))), "\n");
  const auto page =
      element("html", attr("lang", "en"), "\n", head, "\n", element("body", "\n", body), "\n");
  return "<!DOCTYPE html>\n" + page.written() + "\n";
}

Markup json_script(const std::string& id, const nlohmann::ordered_json& value) {
  using Json = nlohmann::ordered_json;
  std::string text;
  for (const char c : value.dump(-1, ' ', false, Json::error_handler_t::replace))
    text += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return element("script", attr("type", "application/json"), attr("id", id),
                 Markup::verbatim(text));
}

Markup scripts(const nlohmann::ordered_json& results, bool has_charts) {
  return json_script("results", results) + "\n" +
         (has_charts ? element("script", Markup::verbatim(EMBEDDED(charts))) + "\n" : Markup()) +
         element("script", "\n", Markup::verbatim(EMBEDDED(script))) + "\n";
}

std::string_view charts_licences() { return EMBEDDED(licences); }

Markup card(const Card& card) {
  const std::string title = card.id + "-title";
  return element("section", attr("class", card.is_wide ? "card wide" : "card"), attr("id", card.id),
                 attr("aria-labelledby", title), "\n", element("h2", attr("id", title), card.title),
                 "\n", element("p.lead", card.lead), "\n", card.body) +
         "\n";
}

Markup chart(const std::string& id, const std::string& text, const Markup& without_script) {
  return element("div.chart", attr("id", id), attr("role", "img"), attr("aria-label", text)) +
         "\n" + (without_script.empty() ? "" : element("noscript", without_script) + "\n");
}

Markup canvas(const std::string& id, const std::string& text) {
  return element("div", attr("class", "grid needs-script"), attr("id", id),
                 element("canvas", attr("tabindex", "0"), attr("role", "img"),
                         attr("aria-label", text + " Arrow keys walk from cell to cell.")),
                 element("p.readout", attr("aria-live", "polite"),
                         "Point at a cell, or use the arrow keys.")) +
         "\n";
}

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
