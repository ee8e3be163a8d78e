// SPDX-License-Identifier: MIT
// Numbers of unwind tables, one after the other. What would lie behind the end reads as 0 and is noted.
#pragma once

#include <cstdint>
#include <cstring>

#include "recorder/sampling/unwind_tables.hpp"

namespace reprise::recorder {

class TableReader {
 public:
  explicit TableReader(TableBytes bytes) : at_(bytes.data()), end_(bytes.data() + bytes.size()) {}

  bool is_at_end() const { return at_ >= end_; }
  bool is_sound() const { return is_sound_; }
  const std::uint8_t* position() const { return at_; }

  template <class Number>
  Number fixed() {
    Number number{};
    if (end_ - at_ < static_cast<std::ptrdiff_t>(sizeof number)) {
      fail();
      return number;
    }
    std::memcpy(&number, at_, sizeof number);
    at_ += sizeof number;
    return number;
  }
  std::uint64_t unsigned_number() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = fixed<std::uint8_t>();
      number |= std::uint64_t{byte & 0x7fU} << shift;
      if ((byte & 0x80U) == 0) return number;
    }
    fail();
    return 0;
  }
  std::int64_t signed_number() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = fixed<std::uint8_t>();
      number |= std::uint64_t{byte & 0x7fU} << shift;
      if ((byte & 0x80U) != 0) continue;
      if ((byte & 0x40U) != 0 && shift + 7 < 64) number |= ~std::uint64_t{0} << (shift + 7);
      return static_cast<std::int64_t>(number);
    }
    fail();
    return 0;
  }
  TableBytes block(std::uint64_t size) {
    if (size > static_cast<std::uint64_t>(end_ - at_)) {
      fail();
      return {};
    }
    const TableBytes bytes(at_, static_cast<std::size_t>(size));
    at_ += size;
    return bytes;
  }

 private:
  void fail() {
    is_sound_ = false;
    at_ = end_;
  }

  const std::uint8_t* at_;
  const std::uint8_t* end_;
  bool is_sound_ = true;
};

}  // namespace reprise::recorder
