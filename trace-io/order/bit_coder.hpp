// SPDX-License-Identifier: MIT
// Binary decisions as bytes, each in as many bits as it was unexpected: an arithmetic coder without carries.
//
// Source  Mahoney: Adaptive Weighing of Context Models for Lossless Data Compression, Florida Tech. CS-2005-16.
// Cost    some 5 ns a decision. Integers alone: the same bytes on every machine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace reprise::trace_io {

// What of [low, high] is a one. PROBABILITY_OF_ONE: 1 … 4095 of 4096.
inline std::uint32_t split_range(std::uint32_t low, std::uint32_t high, unsigned probability) {
  const std::uint32_t range = high - low;
  return low + (range >> 12U) * probability + ((range & 0xfffU) * probability >> 12U);
}

class BitEncoder {
 public:
  void code(unsigned probability_of_one, const bool& bit) {
    const std::uint32_t middle = split_range(low_, high_, probability_of_one);
    (bit ? high_ : low_) = bit ? middle : middle + 1;
    while ((low_ ^ high_) >> 24U == 0) {
      bytes_.push_back(static_cast<std::uint8_t>(high_ >> 24U));
      low_ <<= 8U;
      high_ = high_ << 8U | 0xffU;
    }
  }
  // All bytes: so many of a number between low and high that zeros, or what else comes, leave it there. Nothing can be coded any more.
  std::vector<std::uint8_t> finish() {
    if (low_ > 0)
      for (unsigned shift = 24;; shift -= 8) {
        const std::uint32_t number = ((low_ >> shift) + 1) << shift;
        const bool is_between = shift == 0 || (number > low_ && number <= high_);
        if (!is_between) continue;
        const std::uint32_t last = shift == 0 ? low_ : number;
        for (unsigned byte = 24;; byte -= 8) {
          bytes_.push_back(static_cast<std::uint8_t>(last >> byte));
          if (byte == shift) break;
        }
        break;
      }
    while (!bytes_.empty() && bytes_.back() == 0) bytes_.pop_back();
    return std::move(bytes_);
  }
  std::size_t size() const { return bytes_.size(); }

 private:
  std::uint32_t low_ = 0, high_ = ~std::uint32_t{0};
  std::vector<std::uint8_t> bytes_;
};

// Bytes beyond the end are zeros: damaged bytes give other decisions, never an error.
class BitDecoder {
 public:
  explicit BitDecoder(std::span<const std::uint8_t> bytes)
      : bytes_(bytes) {  // they must outlive this
    for (int i = 0; i < 4; ++i) code_ = code_ << 8U | next_byte();
  }
  void code(unsigned probability_of_one, bool& bit) {
    const std::uint32_t middle = split_range(low_, high_, probability_of_one);
    bit = code_ <= middle;
    (bit ? high_ : low_) = bit ? middle : middle + 1;
    while ((low_ ^ high_) >> 24U == 0) {
      low_ <<= 8U;
      high_ = high_ << 8U | 0xffU;
      code_ = code_ << 8U | next_byte();
    }
  }
  bool is_at_end() const { return next_ >= bytes_.size(); }  // whether all bytes were needed

 private:
  std::uint8_t next_byte() {
    const std::size_t at = next_++;
    return at < bytes_.size() ? bytes_[at] : std::uint8_t{0};
  }
  std::span<const std::uint8_t> bytes_;
  std::size_t next_ = 0;
  std::uint32_t low_ = 0, high_ = ~std::uint32_t{0}, code_ = 0;
};

}  // namespace reprise::trace_io
