// SPDX-License-Identifier: MIT
// Words without their zero bytes ([002], "ZE"): of each 8 bytes a bitmap of those that are not zero, then these.
//
// Form    words of 2 bytes, little-endian; bit t of a bitmap is byte t of its group. The last group of a block may have fewer than 4 words:
//         what follows is not there. How many words there are is known from elsewhere.
// Cost    writer: constant a word, no allocation; 9 bytes for 8 at worst.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace reprise::trace_io {

class ZeroEliminator {
 public:
  static constexpr std::size_t kMostPerGroup = 9;  // bytes

  // REQUIRES: room for kMostPerGroup more than is_full() lets through.
  explicit ZeroEliminator(std::span<std::byte> room) noexcept : room_(room) {}

  // Whether a word more might not fit.
  bool is_full() const noexcept { return size_ + 2 * kMostPerGroup > room_.size(); }
  // REQUIRES: not is_full().
  void put(std::uint16_t word) noexcept {
    group_ |= std::uint64_t{word} << (16 * words_);
    if (++words_ == 4) end_group();
  }
  // Ends the group that has begun; the next word begins one.
  void end_group() noexcept {
    if (words_ == 0) return;
    unsigned bitmap = 0;
    std::byte* to = room_.data() + size_ + 1;
    for (unsigned t = 0; t < 8; ++t) {
      const auto byte = static_cast<std::byte>(group_ >> (8 * t) & 0xffU);
      if (byte == std::byte{0}) continue;
      bitmap |= 1U << t;
      *to++ = byte;
    }
    room_[size_] = static_cast<std::byte>(bitmap);
    size_ = static_cast<std::size_t>(to - room_.data());
    group_ = 0;
    words_ = 0;
  }
  std::size_t size() const noexcept { return size_; }
  void clear() noexcept {
    size_ = 0;
    group_ = 0;
    words_ = 0;
  }

 private:
  std::span<std::byte> room_;
  std::size_t size_ = 0;
  std::uint64_t group_ = 0;
  unsigned words_ = 0;
};

class ZeroRestorer {
 public:
  explicit ZeroRestorer(std::span<const std::byte> bytes) noexcept : rest_(bytes) {}
  // None where the bytes end. A last group that had fewer words gives zeros for the others.
  std::optional<std::uint16_t> next() noexcept {
    if (words_ == 0 && !read_group()) return std::nullopt;
    const auto word = static_cast<std::uint16_t>(group_);
    group_ >>= 16U;
    --words_;
    return word;
  }
  // Whether all bytes are read, but for what a last group has too many.
  bool at_end() const noexcept { return rest_.empty(); }

 private:
  bool read_group() noexcept {
    if (rest_.empty()) return false;
    const auto bitmap = static_cast<unsigned>(rest_[0]);
    if (rest_.size() < 1 + static_cast<std::size_t>(std::popcount(bitmap))) return false;
    std::size_t from = 1;
    group_ = 0;
    for (unsigned t = 0; t < 8; ++t)
      if ((bitmap >> t & 1U) != 0) group_ |= static_cast<std::uint64_t>(rest_[from++]) << (8 * t);
    rest_ = rest_.subspan(from);
    words_ = 4;
    return true;
  }

  std::span<const std::byte> rest_;
  std::uint64_t group_ = 0;
  unsigned words_ = 0;
};

}  // namespace reprise::trace_io
