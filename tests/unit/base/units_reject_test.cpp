// SPDX-License-Identifier: MIT
#include <catch2/catch.hpp>
#include <string>

#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"

using namespace reprise;

namespace {

template <class Parse>
std::string message(Parse parse, std::string_view text) {
  try {
    parse(text, "here");
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

const std::string kTimeHint = "\n  write a time such as \"0.6 us\" or \"20 ms\"";
const std::string kSizeHint = "\n  write a size such as \"64 KiB\" or \"1 MB\"";
const std::string kRateHint = "\n  write a rate such as \"12.5 GB/s\" or \"100 Gbit/s\"";
const std::string kBitsHint = "\n  write \"Gbit/s\" for bits and \"GB/s\" for bytes";
const std::string kFactorHint = "\n  write a factor such as \"0.5x\"";
const std::string kCountHint = "\n  write a whole number such as \"64\"";

double factor(std::string_view text, const std::string& where) { return parse_factor(text, where); }

}  // namespace

TEST_CASE("units: a rate without its unit is refused", "[base]") {
  CHECK(message(parse_bytes_per_second, "12.5") == "here: \"12.5\" has no unit" + kRateHint);
  CHECK(message(parse_bytes_per_second, "12.5 ") == "here: \"12.5 \" has no unit" + kRateHint);
}

TEST_CASE("units: a unit of another kind is unknown", "[base]") {
  CHECK(message(parse_seconds, "3 GB") == "here: \"3 GB\" has an unknown unit \"GB\"" + kTimeHint);
  CHECK(message(parse_bytes, "3 us") == "here: \"3 us\" has an unknown unit \"us\"" + kSizeHint);
  CHECK(message(parse_bytes_per_second, "3 GB") ==
        "here: \"3 GB\" has an unknown unit \"GB\"" + kRateHint);
  CHECK(message(parse_flop_per_second, "3 GHz") ==
        "here: \"3 GHz\" has an unknown unit \"GHz\"\n  write a speed such as \"8.9 Gflop/s\"");
}

TEST_CASE("units: a slip in upper and lower case names the right spelling", "[base]") {
  CHECK(message(parse_bytes, "64 Kib") ==
        "here: \"64 Kib\" has an unknown unit \"Kib\"\n  did you mean \"KiB\"?");
  CHECK(message(parse_seconds, "5 MS") ==
        "here: \"5 MS\" has an unknown unit \"MS\"\n  did you mean \"ms\"?");
  CHECK(message(parse_flop_per_second, "5 GFlop/s") ==
        "here: \"5 GFlop/s\" has an unknown unit \"GFlop/s\"\n  did you mean \"Gflop/s\"?");
}

TEST_CASE("units: between bits and bytes nothing is guessed", "[base]") {
  CHECK(message(parse_bytes_per_second, "100 Gb/s") ==
        "here: \"100 Gb/s\" has an unknown unit \"Gb/s\"" + kBitsHint);
  CHECK(message(parse_bytes_per_second, "100 Gbps") ==
        "here: \"100 Gbps\" has an unknown unit \"Gbps\"" + kBitsHint);
}

TEST_CASE("units: what does not start with a number is refused", "[base]") {
  CHECK(message(parse_seconds, "") == "here: \"\" does not start with a number" + kTimeHint);
  CHECK(message(parse_seconds, "fast") ==
        "here: \"fast\" does not start with a number" + kTimeHint);
  CHECK(message(parse_seconds, "inf s") ==
        "here: \"inf s\" does not start with a number" + kTimeHint);
  CHECK(message(parse_seconds, "nan s") ==
        "here: \"nan s\" does not start with a number" + kTimeHint);
  CHECK(message(parse_seconds, " 1 s") ==
        "here: \" 1 s\" does not start with a number" + kTimeHint);
  CHECK(message(parse_seconds, "+1 s") ==
        "here: \"+1 s\" does not start with a number" + kTimeHint);
  CHECK(message(parse_seconds, ". s") == "here: \". s\" does not start with a number" + kTimeHint);
}

TEST_CASE("units: a negative value is refused", "[base]") {
  CHECK(message(parse_seconds, "-1 us") == "here: \"-1 us\" is negative" + kTimeHint);
  CHECK(message(parse_bytes, "-0 B") == "here: \"-0 B\" is negative" + kSizeHint);
  CHECK(message(factor, "-2x") == "here: \"-2x\" is negative" + kFactorHint);
}

TEST_CASE("units: a value beyond the type is refused", "[base]") {
  CHECK(message(parse_seconds, "1e999 s") == "here: \"1e999 s\" is out of range" + kTimeHint);
  CHECK(message(parse_seconds, "1e99999999999 s") ==
        "here: \"1e99999999999 s\" is out of range" + kTimeHint);
  CHECK(message(parse_seconds, "1e308 h") == "here: \"1e308 h\" is out of range" + kTimeHint);
  CHECK(message(parse_bytes, "18446744073709551616 B") ==
        "here: \"18446744073709551616 B\" is out of range" + kSizeHint);
  CHECK(message(parse_bytes, "16777216 TiB") ==
        "here: \"16777216 TiB\" is out of range" + kSizeHint);
  CHECK(message(parse_bytes, "1e17 B") == "here: \"1e17 B\" is out of range" + kSizeHint);
}

TEST_CASE("units: a size must be a whole number of bytes", "[base]") {
  CHECK(message(parse_bytes, "1.5 B") ==
        "here: \"1.5 B\" is not a whole number of bytes" + kSizeHint);
  CHECK(message(parse_bytes, "0.3 KiB") ==
        "here: \"0.3 KiB\" is not a whole number of bytes" + kSizeHint);
}

TEST_CASE("units: more than one blank and anything after the unit is refused", "[base]") {
  CHECK(message(parse_seconds, "1  s") == "here: \"1  s\" has an unknown unit \" s\"" + kTimeHint);
  CHECK(message(parse_seconds, "1 s ") == "here: \"1 s \" has an unknown unit \"s \"" + kTimeHint);
  CHECK(message(parse_seconds, "1,5 s") ==
        "here: \"1,5 s\" has an unknown unit \",5 s\"" + kTimeHint);
  CHECK(message(parse_seconds, "0x1p3 s") ==
        "here: \"0x1p3 s\" has an unknown unit \"x1p3 s\"" + kTimeHint);
}

TEST_CASE("units: a factor ends in x and is above zero", "[base]") {
  CHECK(message(factor, "0.5") == "here: \"0.5\" is not a factor\n  write \"0.5x\"");
  CHECK(message(factor, "1/1.6") == "here: \"1/1.6\" is not a factor\n  write \"0.625x\"");
  CHECK(message(factor, "2/0") == "here: \"2/0\" is not a factor" + kFactorHint);
  CHECK(message(factor, "0.5 x") == "here: \"0.5 x\" is not a factor" + kFactorHint);
  CHECK(message(factor, "x") == "here: \"x\" does not start with a number" + kFactorHint);
  CHECK(parse_factor("0x", "here", LeastFactor::zero) == 0);
  CHECK(message(factor, "0x") == "here: \"0x\" is not above zero" + kFactorHint);
  CHECK(message(factor, "1e400x") == "here: \"1e400x\" is out of range" + kFactorHint);
}

TEST_CASE("units: a count has digits only", "[base]") {
  CHECK(message(parse_count, "") == "here: \"\" is not a whole number" + kCountHint);
  CHECK(message(parse_count, "-1") == "here: \"-1\" is not a whole number" + kCountHint);
  CHECK(message(parse_count, "1.5") == "here: \"1.5\" is not a whole number" + kCountHint);
  CHECK(message(parse_count, "64k") == "here: \"64k\" is not a whole number" + kCountHint);
  CHECK(message(parse_count, "18446744073709551616") ==
        "here: \"18446744073709551616\" is out of range" + kCountHint);
}
