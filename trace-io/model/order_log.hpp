// SPDX-License-Identifier: MIT
// What one rank's executions of one path took, one after the other, at constant size.
//
// Kept    blocks of kBlock executions in a row. While there are at most kBlocks of them, every block; then every second, every fourth, …, the
//         first of each group of 2^stride blocks, chosen by the execution's number alone: ranks that execute a path equally often
//         keep the same executions without talking to each other. And the exact sum of every group.
// Exact   the sums; a duration that is kept to 1/1024 (ShortFloat of ten bits).
// Cost    add: O(1), a few ns. Memory: 2 bytes an execution kept, at most 4 KiB, and 8 bytes a group.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "trace-io/base/integers.hpp"
#include "trace-io/base/quantity.hpp"

namespace reprise::trace_io {

class OrderLog {
 public:
  static constexpr unsigned kBlockBits = 6, kBlock = 1U << kBlockBits;
  static constexpr std::size_t kBlocks = 32;
  static constexpr unsigned kLargestStride = 56;
  static constexpr ShortFloat<std::uint64_t> kDurations{10};         // ns
  static constexpr std::uint16_t kLargestCode = (52U << 9U) + 1023;  // of durations below 2^62 ns

  OrderLog() = default;
  // The parts as a file holds them. REQUIRES: are_parts() of the same.
  static OrderLog from_parts(std::uint64_t count, unsigned stride, std::vector<std::uint16_t> codes,
                             std::vector<std::int64_t> sums);
  static bool are_parts(std::uint64_t count, unsigned stride, std::size_t codes, std::size_t sums);
  // How many executions are kept of so many, and in how many groups they fall.
  static std::size_t kept_of(std::uint64_t count, unsigned stride);
  static std::size_t groups_of(std::uint64_t count, unsigned stride);

  void add(Nanoseconds duration) {  // REQUIRES: duration ≥ 0
    const std::uint64_t block = count_++ >> kBlockBits;
    if (block >> stride_ >= kBlocks) thin();
    const std::uint64_t group = block >> stride_;
    if (group >= sums_.size()) sums_.resize(group + 1);
    sums_[group] += duration.value;
    if (group << stride_ == block) codes_.push_back(code_of(duration));
  }
  // The executions of a later one behind one's own: those that it has not kept, as its kept ones say. Cost: O(its executions).
  void append(const OrderLog& later);
  // From now on every second of the blocks that were kept.
  void thin();

  std::uint64_t count() const { return count_; }
  unsigned stride() const { return stride_; }                      // log2 of the blocks in a group
  std::span<const std::uint16_t> codes() const { return codes_; }  // of kDurations
  std::span<const std::int64_t> sums() const { return sums_; }     // by group, ns
  std::size_t heap_bytes() const {
    return codes_.capacity() * sizeof codes_.front() + sums_.capacity() * sizeof sums_.front();
  }
  friend bool operator==(const OrderLog&, const OrderLog&) = default;

 private:
  static std::uint16_t code_of(Nanoseconds duration) {
    const auto number = static_cast<std::uint64_t>(duration.value);
    if (number < 1024) return static_cast<std::uint16_t>(number);
    const unsigned shift = 54U - static_cast<unsigned>(__builtin_clzll(number));
    return static_cast<std::uint16_t>((shift << 9U) +
                                      (((number >> (shift - 1)) + 1) >> 1U));  // halves go up
  }

  std::uint64_t count_ = 0;
  unsigned stride_ = 0;
  std::vector<std::uint16_t> codes_;
  std::vector<std::int64_t> sums_;
};

}  // namespace reprise::trace_io
