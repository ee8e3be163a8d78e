// SPDX-License-Identifier: MIT
#include "trace-io/base/integers.hpp"

#include <catch2/catch.hpp>
#include <limits>

#include "trace-io/base/units.hpp"

namespace reprise::trace_io {

TEST_CASE("integers: zigzag numbers 0, -1, 1, -2, … and leads back", "[base]") {
  CHECK(zigzag(0) == 0);
  CHECK(zigzag(-1) == 1);
  CHECK(zigzag(1) == 2);
  CHECK(zigzag(-64) == 127);
  for (const std::int64_t number :
       {std::int64_t{0}, std::int64_t{-7}, std::int64_t{1} << 40,
        std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()})
    CHECK(unzigzag(zigzag(number)) == number);
}

TEST_CASE("integers: sums and differences wrap at 64 bits", "[base]") {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  CHECK(advanced(5, -2) == 3);
  CHECK(advanced(5, -2, 4) == -3);
  CHECK(advanced(kMost, 1) == std::numeric_limits<std::int64_t>::min());
  CHECK(difference(advanced(kMost, 7, 3), 21) == kMost);
}

TEST_CASE("integers: a LEB128 number takes a byte for every seven bits", "[base]") {
  CHECK(varint_bytes(0) == 1);
  CHECK(varint_bytes(127) == 1);
  CHECK(varint_bytes(128) == 2);
  CHECK(varint_bytes(~std::uint64_t{0}) == 10);
}

TEST_CASE("integers: hexadecimal digits, as many as asked for", "[base]") {
  CHECK(hexadecimal(0) == "0");
  CHECK(hexadecimal(0x1f40) == "1f40");
  CHECK(hexadecimal(0xab, 4) == "00ab");
}

TEST_CASE("units: a recorded duration has the largest unit that keeps it whole", "[base]") {
  CHECK(to_text(Nanoseconds{0}) == "0ns");
  CHECK(to_text(Nanoseconds{999}) == "999ns");
  CHECK(to_text(Nanoseconds{10'000}) == "10us");
  CHECK(to_text(Nanoseconds{1'500'000}) == "1500us");
  CHECK(to_text(Nanoseconds{7'000'000'000'000}) == "7000s");
}

}  // namespace reprise::trace_io
