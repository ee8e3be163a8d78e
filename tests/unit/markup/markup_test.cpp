// SPDX-License-Identifier: MIT
#include "platforms/markup/markup.hpp"

#include <catch2/catch.hpp>

namespace reprise::markup {

TEST_CASE("markup: elements hold attributes and content in their order", "[markup]") {
  CHECK(element("p", "a ", element("b", "c"), " d").written() == "<p>a <b>c</b> d</p>");
  CHECK(element("td.n", attr("data-value", "0.5"), "50 %").written() ==
        "<td class=\"n\" data-value=\"0.5\">50 %</td>");
  CHECK(element("table#points.sortable").written() ==
        "<table id=\"points\" class=\"sortable\"></table>");
  CHECK(element("td", attr("data-bar"), attr("colspan", 2) + attr("class", "n")).written() ==
        "<td data-bar colspan=\"2\" class=\"n\"></td>");
  CHECK(("a" + element("b") + std::string("c")).written() == "a<b></b>c");
}

TEST_CASE("markup: void elements have no end tag, shapes none where they are empty", "[markup]") {
  CHECK(element("meta", attr("charset", "utf-8")).written() == "<meta charset=\"utf-8\">");
  CHECK(element("br").written() == "<br>");
  CHECK(element("rect").written() == "<rect/>");
  CHECK(element("rect", element("title", "a")).written() == "<rect><title>a</title></rect>");
  CHECK(element("canvas").written() == "<canvas></canvas>");
}

TEST_CASE("markup: numbers of attributes have five significant digits", "[markup]") {
  CHECK(rect(1.0 / 3, 960, 123.456, 0, attr("rx", 4)).written() ==
        "<rect x=\"0.33333\" y=\"960\" width=\"123.46\" height=\"0\" rx=\"4\"/>");
  CHECK(words(1, 2.5, "end", "a < b").written() ==
        "<text x=\"1\" y=\"2.5\" text-anchor=\"end\">a &lt; b</text>");
}

TEST_CASE("markup: texts cannot become markup, in content or in attributes", "[markup]") {
  CHECK(escaped("<b a='1'>\"&") == "&lt;b a=&#39;1&#39;&gt;&quot;&amp;");
  CHECK(element("p", attr("title", "\"><script>"), "</p>").written() ==
        "<p title=\"&quot;&gt;&lt;script&gt;\">&lt;/p&gt;</p>");
  CHECK(escaped("\xff!") == "\uFFFD!");
  CHECK(escaped("a\x01\t\n\r\x1f") == "a\uFFFD\t\n\r\uFFFD");
  CHECK(Markup::verbatim("a<b").written() == "a<b");
}

}  // namespace reprise::markup
