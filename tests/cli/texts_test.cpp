// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "sim/text/numbers.hpp"
#include "sim/text/tables.hpp"

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
