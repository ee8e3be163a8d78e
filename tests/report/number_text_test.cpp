// SPDX-License-Identifier: MIT
#include "sim/report/number_text.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "sim/report/time_ratio.hpp"

namespace reprise::sim::report {

TEST_CASE("number text: numbers have so many significant digits and never an exponent",
          "[report]") {
  CHECK(digits(0.0753123, 4) == "0.07531");
  CHECK(digits(12.3456, 3) == "12.3");
  CHECK(digits(0.9996, 3) == "1.00");
  CHECK(digits(999.96, 4) == "1\u202f000");
  CHECK(digits(1234567, 3) == "1\u202f234\u202f567");
  CHECK(digits(-1234, 2) == "-1\u202f234");
  CHECK(digits(0, 3) == "0");
  CHECK(digits(1e-9, 3) == "0.00000000100");
  CHECK(digits(std::numeric_limits<double>::infinity(), 3) == "–");
  CHECK(whole(16000) == "16\u202f000");
}

TEST_CASE("number text: shares, times and sizes carry their units", "[report]") {
  CHECK(percent(0.7123) == "71\u202f%");
  CHECK(percent(0.0341) == "3.4\u202f%");
  CHECK(percent(0.00021) == "0.02\u202f%");
  CHECK(percent(0) == "0\u202f%");
  CHECK(seconds(0.0753) == "75.30\u202fms");
  CHECK(seconds(1.23456) == "1.235\u202fs");
  CHECK(seconds(2.5e-6) == "2.500\u202fµs");
  CHECK(bytes_text(16448000) == "16.4\u202fMB");
  CHECK(bytes_text(999.6) == "1.00\u202fkB");
  CHECK(times(1.336) == "1.34\u202f×");
  CHECK(counted(1, "seed") == "1 seed");
  CHECK(counted(5, "seed") == "5 seeds");
}

TEST_CASE("number text: times are compared as on a terminal", "[report]") {
  CHECK(time_ratio(0.437) == "56\u202f% less time");
  CHECK(time_ratio(1.9) == "90\u202f% more time");
  CHECK(time_ratio(2) == "2.00 times as long");
}

TEST_CASE("number text: a range has its unit elsewhere", "[report]") {
  CHECK(range_text(0.0753, 0.0761, unit_for(0.0753)) == "75.30 – 76.10");
  CHECK(range_text(1.5, 2, unit_for(1.5), " to ") == "1.500 to 2.000");
}

}  // namespace reprise::sim::report
