// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "sim/text/numbers.hpp"
#include "sim/text/printable.hpp"
#include "sim/text/tables.hpp"
#include "sim/text/time_ratio.hpp"

using namespace reprise;

TEST_CASE("numbers: digits are grouped by three", "[cli]") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1 000");
  CHECK(grouped(1234567) == "1 234 567");
  CHECK(grouped(18446744073709551615u) == "18 446 744 073 709 551 615");
}

TEST_CASE("numbers: one is singular, none and many are plural", "[cli]") {
  CHECK(counted(0, "node") == "0 nodes");
  CHECK(counted(1, "node") == "1 node");
  CHECK(counted(1200, "node") == "1 200 nodes");
}

TEST_CASE("numbers: times are compared in percent, and from twice as long on by a factor",
          "[cli]") {
  CHECK(time_ratio_text(0.505) == "49.5% less time");
  CHECK(time_ratio_text(0.5) == "50% less time");
  CHECK(time_ratio_text(1 / 2.29) == "56.3% less time");
  CHECK(time_ratio_text(0.0004) == "99.96% less time");
  CHECK(time_ratio_text(1.999) == "99.9% more time");
  CHECK(time_ratio_text(2) == "2 times as long");
  CHECK(time_ratio_text(2.294) == "2.29 times as long");
  CHECK(time_ratio_text(1.264, 2) == "26% more time");
}

TEST_CASE("json_text: bytes that are no UTF-8 are replaced, not refused", "[cli]") {
  CHECK(json_text({{"path",
                    "a\xff"
                    "b"}}) ==
        "{\n  \"path\": \"a\xef\xbf\xbd"
        "b\"\n}\n");
}

TEST_CASE("csv_text: what needs it is quoted", "[cli]") {
  const nlohmann::ordered_json rows =
      nlohmann::ordered_json::array({{{"name", "a, \"b\""}, {"value", 0.5}, {"none", nullptr}},
                                     {{"name", ""}, {"value", 12}, {"none", 1}}});
  CHECK(csv_text(rows) == "name,value,none\n\"a, \"\"b\"\"\",0.5,\n,12,1\n");
}

TEST_CASE("csv_text: what a spreadsheet would take for a formula is a text", "[cli]") {
  for (const char* formula : {"=1+2", "+1", "-1", "@SUM(A1)", "\t=1"})
    CHECK(csv_field(formula) == "\"'" + std::string(formula) + "\"");
  CHECK(csv_field(-1.5) == "-1.5");  // a number is one
  CHECK(csv_field("a=1") == "a=1");
  CHECK(csv_field("=\"x\"") == "\"'=\"\"x\"\"\"");
}

TEST_CASE("printable: control characters are shown, not obeyed", "[cli]") {
  CHECK(printable("a\nb\tc \"d\" \xc3\xa4") == "a\nb\tc \"d\" \xc3\xa4");
  CHECK(printable("\x1b]0;title\x07") == "\\x1b]0;title\\x07");
  CHECK(printable("over\rwritten\x7f") == "over\\x0dwritten\\x7f");
  CHECK(printable("\xc2\x9b"
                  "31m") == "\\x9b31m");  // CSI as one character
  CHECK(csv_field("\x1b[2J") == "\\x1b[2J");
}
