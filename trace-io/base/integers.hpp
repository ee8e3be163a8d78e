// SPDX-License-Identifier: MIT
// Integers as folded sequences, hashes and files need them: of 128 bits, modulo 2⁶⁴, zigzag, and rounded to a few significant bits.
//
// Cost  all but hexadecimal() neither calls nor allocates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace reprise::trace_io {

__extension__ using Wide = unsigned __int128;
__extension__ using WideSigned = __int128;

// value + times · stride modulo 2⁶⁴.
constexpr std::int64_t advanced(std::int64_t value, std::int64_t stride, std::uint64_t times = 1) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(value) +
                                   times * static_cast<std::uint64_t>(stride));
}
// a − b modulo 2⁶⁴: advanced() undone.
constexpr std::int64_t difference(std::int64_t a, std::int64_t b) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) - static_cast<std::uint64_t>(b));
}

// 0, −1, 1, −2, … as 0, 1, 2, 3, …: small codes for numbers near zero.
constexpr std::uint64_t zigzag(std::int64_t number) {
  return (static_cast<std::uint64_t>(number) << 1) ^ (number < 0 ? ~std::uint64_t{0} : 0);
}
constexpr std::int64_t unzigzag(std::uint64_t code) {
  return static_cast<std::int64_t>((code >> 1) ^ ((code & 1) != 0 ? ~std::uint64_t{0} : 0));
}

// Bytes of a LEB128 number: 7 bits each.
constexpr std::size_t varint_bytes(std::uint64_t number) {
  std::size_t bytes = 1;
  while ((number >>= 7) != 0) ++bytes;
  return bytes;
}

// 2⁶⁴ divided by the golden ratio, odd: the multiplier of our word-wise hashes.
inline constexpr std::uint64_t kHashMultiplier = 0x9e3779b97f4a7c15U;

// The finaliser of the splitmix64 generator (Steele, Lea, Flood, OOPSLA 2014): mixes all bits.
constexpr std::uint64_t mixed_bits(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9U;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebU;
  return value ^ (value >> 31);
}

// FNV-1a over whole words.
class WordHash {
 public:
  constexpr void add(std::uint64_t word) { hash_ = (hash_ ^ word) * 0x100000001b3U; }
  constexpr std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325U;
};

// Lower-case digits without a prefix, at least so many.
inline std::string hexadecimal(std::uint64_t number, std::size_t digits = 1) {
  std::string text;
  for (; number != 0 || text.size() < digits; number >>= 4)
    text.insert(text.begin(), "0123456789abcdef"[number & 15]);
  return text;
}

// For containers of whatever has a hash() of its own.
struct ByHash {
  template <class Thing>
  std::size_t operator()(const Thing& thing) const {
    return static_cast<std::size_t>(thing.hash());
  }
};

// Whole numbers rounded to a few significant bits, and the short code that they have in files (FORMAT.md, section 2).
//
// Code    with b significant bits, m · 2^e has the code e · 2^(b−1) + m, where m < 2^b and, for e > 0, m ≥ 2^(b−1): ascending, without
//         gaps, and equal to the number itself below 2^b.
// Error   rounding moves a number by at most 2^−b of it, and those below 2^b not at all.
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
