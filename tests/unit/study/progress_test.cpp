// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>

#include "sim/study/work.hpp"

using namespace reprise;
using namespace reprise::sim;

TEST_CASE("progress: pace and time left come from what this process did", "[study]") {
  CHECK(progress_text(0, 400, 0, Seconds{3}) == "0 of 400 simulations");
  CHECK(progress_text(120, 320, 20, Seconds{10}) ==
        "120 of 320 simulations, 2.0 a second, 100 s left");
}

TEST_CASE("progress: long times are minutes and hours", "[study]") {
  CHECK(progress_text(1, 3601, 1, Seconds{1}) ==
        "1 of 3601 simulations, 1.0 a second, 60 min left");
  CHECK(progress_text(10, 20, 10, Seconds{600}) ==
        "10 of 20 simulations, 1.0 a minute, 10 min left");
  CHECK(progress_text(1, 1001, 1, Seconds{60}) ==
        "1 of 1001 simulations, 1.0 a minute, 16 h 40 min left");
  CHECK(progress_text(100, 200, 100, Seconds{1}) ==
        "100 of 200 simulations, 100 a second, 1 s left");
}
