// SPDX-License-Identifier: MIT
// Quantities as people write them: "12.5 GB/s", "100 Gbit/s", "0.6 us", "64 KiB", "8.9 Gflop/s", "0.5x".
//
// Form    a decimal number, at most one blank, a unit. "0.6 us" gives exactly the double nearest to 0.6e-6.
// Units   SI and binary prefixes are distinct (GB is not GiB), bits and bytes too. A bare number, an unknown unit, a
//         negative, infinite or not-a-number value and one that a double cannot hold are refused.
// Errors  InputError{WHERE, …}; WHERE is put in front of the message and names the file and the key.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "trace-io/base/quantity.hpp"

namespace reprise {

// All throw InputError{where, "\"12.5\" has no unit", "write a rate such as \"12.5 GB/s\" or \"100 Gbit/s\""} and alike.
Seconds parse_seconds(std::string_view text, const std::string& where);
Bytes parse_bytes(std::string_view text, const std::string& where);
BytesPerSecond parse_bytes_per_second(std::string_view text, const std::string& where);
FlopPerSecond parse_flop_per_second(std::string_view text, const std::string& where);

// "0.5x": a positive factor.
enum class LeastFactor : std::uint8_t { above_zero, zero };
double parse_factor(std::string_view text, const std::string& where,
                    LeastFactor least = LeastFactor::above_zero);

// Digits only, no sign, no unit: for counts on a command line.
std::uint64_t parse_count(std::string_view text, const std::string& where);

// The shortest text that parses back to the same value, with a prefix that keeps the number in 1 … 1000 where one exists.
std::string to_text(Seconds);
std::string to_text(Bytes);
std::string to_text(BytesPerSecond);
std::string to_text(FlopPerSecond);
// A recorded duration with the largest unit that keeps it whole: "10us".
std::string to_text(Nanoseconds);

}  // namespace reprise
