// SPDX-License-Identifier: MIT
// The time between two events of a call stream in one byte: 8 steps to a doubling, exact below 8 ticks.
//
// Carried  the writer counts from the moment that its codes so far add up to, so that what one code leaves out is in the next one: at each
//          event the sum is at most an eighth of the last interval behind. An interval beyond the largest code is made up for by those after it.
#pragma once

#include <bit>
#include <cstdint>

namespace reprise::trace_io {

inline constexpr std::uint64_t kLongestCoded = std::uint64_t{15} << 30U;  // ticks

// The largest one that is not longer.
constexpr std::uint8_t code_of_interval(std::uint64_t ticks) noexcept {
  if (ticks < 8) return static_cast<std::uint8_t>(ticks);
  if (ticks >= kLongestCoded) return 255;
  const auto doublings = static_cast<unsigned>(std::bit_width(ticks)) - 4;
  return static_cast<std::uint8_t>(8 + 8 * doublings + (ticks >> doublings & 7U));
}
constexpr std::uint64_t interval_of_code(std::uint8_t code) noexcept {
  if (code < 8) return code;
  return std::uint64_t{8U + (code & 7U)} << (code / 8U - 1);
}

}  // namespace reprise::trace_io
