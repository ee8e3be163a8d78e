// SPDX-License-Identifier: MIT
#include "trace-io/base/units.hpp"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

using namespace reprise;

TEST_CASE("units: a time is the double nearest to what is written", "[base]") {
  CHECK(parse_seconds("0.6 us", "").value == 0.6e-6);
  CHECK(parse_seconds("0.6us", "").value == 0.6e-6);
  CHECK(parse_seconds("0.6 µs", "").value == 0.6e-6);
  CHECK(parse_seconds("90 ns", "").value == 90e-9);
  CHECK(parse_seconds("3 ps", "").value == 3e-12);
  CHECK(parse_seconds("20 ms", "").value == 20e-3);
  CHECK(parse_seconds("1.5e1 s", "").value == 15.0);
  CHECK(parse_seconds("1E+2 s", "").value == 100.0);
  CHECK(parse_seconds("2 min", "").value == 120.0);
  CHECK(parse_seconds("1.5 h", "").value == 5400.0);
  CHECK(parse_seconds("0 s", "").value == 0.0);
  CHECK(parse_seconds(".5 s", "").value == 0.5);
}

TEST_CASE("units: SI and binary sizes are distinct and exact", "[base]") {
  CHECK(parse_bytes("64 KiB", "").value == 65536);
  CHECK(parse_bytes("64 kB", "").value == 64000);
  CHECK(parse_bytes("1 MiB", "").value == 1048576);
  CHECK(parse_bytes("1.001 MB", "").value == 1001000);
  CHECK(parse_bytes("1.5 KiB", "").value == 1536);
  CHECK(parse_bytes("2 GiB", "").value == 2147483648);
  CHECK(parse_bytes("1 TiB", "").value == 1099511627776);
  CHECK(parse_bytes("0 B", "").value == 0);
  CHECK(parse_bytes(".5 kB", "").value == 500);
  CHECK(parse_bytes("1.000 B", "").value == 1);
  CHECK(parse_bytes("1e-1 kB", "").value == 100);
  CHECK(parse_bytes("18446744073709551615 B", "").value ==
        std::numeric_limits<std::uint64_t>::max());
  CHECK(parse_bytes("9007199254740993 B", "").value == 9007199254740993);  // no double holds it
}

TEST_CASE("units: a bit is an eighth of a byte", "[base]") {
  CHECK(parse_bytes_per_second("100 Gbit/s", "").value == 12.5e9);
  CHECK(parse_bytes_per_second("12.5 GB/s", "").value == 12.5e9);
  CHECK(parse_bytes_per_second("1 Mbit/s", "").value == 125e3);
  CHECK(parse_bytes_per_second("8 bit/s", "").value == 1.0);
  CHECK(parse_bytes_per_second("1 MiB/s", "").value == 1048576.0);
  CHECK(parse_bytes_per_second("2 TB/s", "").value == 2e12);
}

TEST_CASE("units: speeds, factors and counts", "[base]") {
  CHECK(parse_flop_per_second("8.9 Gflop/s", "").value == 8.9e9);
  CHECK(parse_flop_per_second("1 Pflop/s", "").value == 1e15);
  CHECK(parse_factor("0.5x", "") == 0.5);
  CHECK(parse_factor("2x", "") == 2.0);
  CHECK(parse_factor("50%", "") == 0.5);
  CHECK(parse_factor("7%", "") == 0.07);
  CHECK(parse_factor("0%", "", LeastFactor::zero) == 0);
  CHECK(parse_count("64", "") == 64);
  CHECK(parse_count("18446744073709551615", "") == std::numeric_limits<std::uint64_t>::max());
}

TEST_CASE("units: text has a prefix that keeps the number between 1 and 1000", "[base]") {
  CHECK(to_text(Seconds{0.6e-6}) == "600 ns");
  CHECK(to_text(Seconds{1e-6}) == "1 us");
  CHECK(to_text(Seconds{1.5}) == "1.5 s");
  CHECK(to_text(Seconds{86400}) == "86400 s");
  CHECK(to_text(Seconds{0}) == "0 s");
  CHECK(to_text(Seconds{2.5e-15}) == "0.0025 ps");
  CHECK(to_text(Seconds{-2e-3}) == "-2 ms");
  CHECK(to_text(Seconds{1e30}) == "1e30 s");
  CHECK(to_text(BytesPerSecond{12.5e9}) == "12.5 GB/s");
  CHECK(to_text(BytesPerSecond{999}) == "999 B/s");
  CHECK(to_text(BytesPerSecond{0}) == "0 B/s");
  CHECK(to_text(FlopPerSecond{8.9e9}) == "8.9 Gflop/s");
}

TEST_CASE("units: sizes are written in binary units where they are whole in one", "[base]") {
  CHECK(to_text(Bytes{0}) == "0 B");
  CHECK(to_text(Bytes{1000}) == "1 kB");
  CHECK(to_text(Bytes{1024}) == "1 KiB");
  CHECK(to_text(Bytes{65536}) == "64 KiB");
  CHECK(to_text(Bytes{1536}) == "1.536 kB");
  CHECK(to_text(Bytes{12345}) == "12.345 kB");
  CHECK(to_text(Bytes{1002000}) == "1.002 MB");
  CHECK(to_text(Bytes{1048576}) == "1 MiB");
  CHECK(to_text(Bytes{1099511627776}) == "1 TiB");
}

TEST_CASE("units: text of any value parses back to the same value", "[base]") {
  std::mt19937_64 random(20240817);
  for (int i = 0; i < 20000; ++i) {
    const double mantissa = 1.0 + static_cast<double>(random() >> 11) * 0x1p-53;
    const double value = std::ldexp(mantissa, static_cast<int>(random() % 140) - 70);
    REQUIRE(parse_seconds(to_text(Seconds{value}), "").value == value);
    REQUIRE(parse_bytes_per_second(to_text(BytesPerSecond{value}), "").value == value);
    REQUIRE(parse_flop_per_second(to_text(FlopPerSecond{value}), "").value == value);
    const std::uint64_t bytes = random() >> (random() % 64);
    REQUIRE(parse_bytes(to_text(Bytes{bytes}), "").value == bytes);
  }
}
