// SPDX-License-Identifier: MIT
#include "sim/cli/words.hpp"

#include <catch2/catch.hpp>

#include "sim/cli/json_text.hpp"

using namespace reprise::cli;

TEST_CASE("words: digits are grouped by three", "[cli]") {
  CHECK(grouped(0) == "0");
  CHECK(grouped(999) == "999");
  CHECK(grouped(1000) == "1 000");
  CHECK(grouped(1234567) == "1 234 567");
  CHECK(grouped(18446744073709551615u) == "18 446 744 073 709 551 615");
}

TEST_CASE("words: one is singular, none and many are plural", "[cli]") {
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
