// SPDX-License-Identifier: MIT
// Whole numbers rounded to a few significant bits, and the short code that they have in files (FORMAT.md, section 2).
//
// Code    with b significant bits, m · 2^e has the code e · 2^(b−1) + m, where m < 2^b and, for e > 0, m ≥ 2^(b−1): ascending, without
//         gaps, and equal to the number itself below 2^b.
// Error   rounding moves a number by at most 2^−b of it, and those below 2^b not at all.
#pragma once

#include <cstdint>

namespace reprise::trace_io {

template <class Number>  // an unsigned integer
class ShortFloat {
 public:
  explicit constexpr ShortFloat(unsigned significant_bits) : bits_(significant_bits) {}

  // The nearest number that has a code; halves go up. REQUIRES: less than the type's largest power of two.
  constexpr Number rounded(Number number) const {
    const unsigned shift = exponent(number);
    return shift == 0 ? number : static_cast<Number>(((number >> (shift - 1)) + 1) >> 1U << shift);
  }
  constexpr bool has_code(Number number) const {
    return number >> exponent(number) << exponent(number) == number;
  }
  constexpr std::uint64_t code(Number number) const {  // REQUIRES: has_code
    const unsigned shift = exponent(number);
    return (std::uint64_t{shift} << (bits_ - 1)) + static_cast<std::uint64_t>(number >> shift);
  }
  // Codes above belong to numbers that the type does not hold.
  constexpr std::uint64_t largest_code() const {
    return (std::uint64_t{8 * sizeof(Number) - bits_} << (bits_ - 1)) +
           (std::uint64_t{1} << bits_) - 1;
  }
  constexpr Number number(std::uint64_t code) const {  // REQUIRES: code ≤ largest_code()
    if (code >> bits_ == 0) return code;
    const std::uint64_t top = std::uint64_t{1} << (bits_ - 1);
    return static_cast<Number>((code & (top - 1)) | top) << ((code >> (bits_ - 1)) - 1);
  }

 private:
  constexpr unsigned exponent(Number number) const {
    unsigned shift = 0;
    for (number >>= bits_; number != 0; number >>= 1) ++shift;
    return shift;
  }

  unsigned bits_;
};

}  // namespace reprise::trace_io
