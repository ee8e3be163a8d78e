// SPDX-License-Identifier: MIT
// Numbers one after the other in one buffer, as a rank sends them to another: LEB128, signed ones as zigzag.
//
// Cost    a few ns a number. Errors: the reader throws InputError where the bytes end too soon, or a number is none; what the numbers mean is
//         for whoever made both ends (message.hpp checks the sum of all bytes first).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "trace-io/base/error.hpp"
#include "trace-io/base/integers.hpp"

namespace reprise::trace_io {

class ByteWriter {
 public:
  void put(std::uint64_t number) { put_bits(number); }
  void put_signed(std::int64_t number) { put_bits(zigzag(number)); }
  void put_wide(Wide number) { put_bits(number); }
  void put_bytes(std::span<const std::byte> bytes) {  // their number first
    put(bytes.size());
    make_room(bytes.size());
    std::copy(bytes.begin(), bytes.end(), bytes_.begin() + static_cast<std::ptrdiff_t>(size_));
    size_ += bytes.size();
  }
  std::vector<std::byte> take() {
    bytes_.resize(size_);
    return std::move(bytes_);
  }

 private:
  static constexpr std::size_t kLongest = 19;  // bytes of a number of 128 bits

  void make_room(std::size_t bytes) {
    if (bytes_.size() - size_ < bytes) [[unlikely]]
      bytes_.resize(2 * bytes_.size() + bytes + 256);
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
  std::span<const std::byte> take_bytes() {
    const std::uint64_t size = count();
    const std::span bytes(next_, size);
    next_ += size;
    return bytes;
  }
  // A number of things that take at least one byte each.
  std::size_t count() {
    const std::uint64_t number = take();
    if (number > static_cast<std::uint64_t>(end_ - next_)) refuse();
    return number;
  }
  bool is_at_end() const { return next_ == end_; }
  [[noreturn, gnu::cold, gnu::noinline]] void refuse() const {
    throw InputError(name_, "what it sent is damaged", "record the program again");
  }

 private:
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
