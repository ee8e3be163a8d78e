// SPDX-License-Identifier: MIT
// Numbers one after the other in one buffer, as a rank sends them to another: LEB128, signed ones as zigzag.
//
// Groups   numbers that come together: the widths of all first, in bytes, two to a byte, then their low bytes. That takes no branch for each byte.
// Cost    a few ns a number. Errors: the reader throws InputError where the bytes end too soon, or a number is none; what the numbers mean is
//         for whoever made both ends (message.hpp checks the sum of all bytes first).
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "trace-io/base/error.hpp"
#include "trace-io/base/integers.hpp"

namespace reprise::trace_io {

inline constexpr std::size_t kWord = sizeof(std::uint64_t);

constexpr std::uint64_t little_endian(std::uint64_t number) {
  return std::endian::native == std::endian::little ? number : __builtin_bswap64(number);
}

class ByteWriter {
 public:
  void put(std::uint64_t number) { put_bits(number); }
  void put_signed(std::int64_t number) { put_bits(zigzag(number)); }
  void put_wide(Wide number) { put_bits(number); }
  void put_group(std::span<const std::uint64_t> numbers) {
    make_room(numbers.size() * (kWord + 1) + kWord);
    std::byte* widths = bytes_.data() + size_;
    std::byte* to = widths + (numbers.size() + 1) / 2;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const auto width = static_cast<unsigned>(std::bit_width(numbers[i]) + 7) / 8;
      const std::uint64_t word = little_endian(numbers[i]);
      std::memcpy(to, &word, kWord);
      to += width;
      if (i % 2 == 0)
        *widths = static_cast<std::byte>(width);
      else
        *widths++ |= static_cast<std::byte>(width << 4U);
    }
    size_ = static_cast<std::size_t>(to - bytes_.data());
  }
  void put_bytes(std::span<const std::byte> bytes) {  // their number first
    put(bytes.size());
    append(bytes);
  }
  // That so many bytes come in all, more or less.
  void expect(std::size_t bytes) { bytes_.reserve(bytes); }
  void append(std::span<const std::byte> bytes) {
    make_room(bytes.size());
    std::copy(bytes.begin(), bytes.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(size_));
    size_ += bytes.size();
  }
  std::span<const std::byte> bytes() const { return std::span(bytes_).first(size_); }
  std::vector<std::byte> take() {
    bytes_.resize(size_);
    return std::move(bytes_);
  }

 private:
  static constexpr std::size_t kLongest = 19;  // bytes of a number of 128 bits

  void make_room(std::size_t bytes) {
    if (bytes_.size() - size_ < bytes) [[unlikely]]
      make_more_room(bytes);
  }
  // A little at a time: what is made is touched.
  [[gnu::noinline]] void make_more_room(std::size_t bytes) {
    constexpr std::size_t kStep = 4096;
    bytes_.resize(size_ + bytes + std::clamp(size_, std::size_t{256}, kStep));
  }
  template <class Number>
  void put_bits(Number number) {
    make_room(kLongest);
    std::byte* to = bytes_.data() + size_;
    for (; number >= 0x80; number >>= 7)
      *to++ = static_cast<std::byte>(static_cast<unsigned>(number & 0x7f) | 0x80U);
    *to++ = static_cast<std::byte>(number);
    size_ = static_cast<std::size_t>(to - bytes_.data());
  }

  std::vector<std::byte> bytes_;  // more than were put
  std::size_t size_ = 0;
};

class ByteReader {
 public:
  // Both must outlive the reader. `name`: of the sender, for errors.
  ByteReader(std::span<const std::byte> bytes, const std::string& name)
      : next_(bytes.data()), end_(bytes.data() + bytes.size()), name_(name) {}

  std::uint64_t take() {
    if (next_ != end_ && (std::to_integer<unsigned>(*next_) & 0x80U) == 0)
      return std::to_integer<std::uint64_t>(*next_++);
    return take_bits<std::uint64_t>();
  }
  std::int64_t take_signed() { return unzigzag(take()); }
  Wide take_wide() { return take_bits<Wide>(); }
  void take_group(std::span<std::uint64_t> numbers) {
    const std::byte* widths = next_;
    const std::size_t heads = (numbers.size() + 1) / 2;
    if (heads > left()) refuse();
    next_ += heads;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const unsigned both = std::to_integer<unsigned>(*widths);
      const unsigned width = i % 2 == 0 ? both & 15U : both >> 4U;
      widths += i % 2;
      if (width > kWord || width > left()) [[unlikely]]
        refuse();
      std::uint64_t word = 0;
      if (left() >= kWord) [[likely]] {
        std::memcpy(&word, next_, kWord);
        word = width == 0 ? 0 : little_endian(word) & (~std::uint64_t{0} >> (64 - 8 * width));
      } else {
        std::memcpy(&word, next_, width);
        word = little_endian(word);
      }
      numbers[i] = word;
      next_ += width;
    }
  }
  std::span<const std::byte> take_bytes() {
    const std::uint64_t size = count();
    return take(size);
  }
  // Those that come next.
  std::span<const std::byte> take(std::size_t bytes) {
    if (bytes > left()) refuse();
    const std::span taken(next_, bytes);
    next_ += bytes;
    return taken;
  }
  // A number of things that take at least one byte each.
  std::size_t count() {
    const std::uint64_t number = take();
    if (number > left()) refuse();
    return number;
  }
  bool is_at_end() const { return next_ == end_; }
  [[noreturn, gnu::cold, gnu::noinline]] void refuse() const {
    throw InputError(name_, "what it sent is damaged", "record the program again");
  }

 private:
  std::size_t left() const { return static_cast<std::size_t>(end_ - next_); }
  template <class Number>
  Number take_bits() {
    Number number = 0;
    for (unsigned shift = 0; shift < 8 * sizeof(Number); shift += 7) {
      if (next_ == end_) refuse();
      const auto byte = std::to_integer<unsigned>(*next_++);
      number |= static_cast<Number>(byte & 0x7fU) << shift;
      if ((byte & 0x80U) == 0) return number;
    }
    refuse();
  }

  const std::byte *next_, *end_;
  const std::string& name_;
};

}  // namespace reprise::trace_io
