// SPDX-License-Identifier: MIT
// Numbers and nouns as they stand in what people read on a terminal.
#pragma once

#include <cstdint>
#include <string>

#include "trace-io/base/quantity.hpp"

namespace reprise {

std::string grouped(std::uint64_t);                           // 1234567 → "1 234 567"
std::string counted(std::uint64_t, const std::string& noun);  // "1 node", "1 200 nodes"
std::string seconds_text(Seconds);  // "0.123456 s": six digits are what the model can carry
std::string duration_text(
    Seconds);  // "15.02 us": four digits of a short time, in the unit that fits; "0 s"

// As printf. A text beyond 511 bytes is cut.
__attribute__((format(printf, 1, 2))) std::string formatted(const char* format, ...);

// TEXT and as many blanks as make it so many characters wide on a terminal, UTF-8 counted as what it shows.
std::string padded(const std::string& text, std::size_t width);
std::size_t columns(const std::string& text);

}  // namespace reprise
