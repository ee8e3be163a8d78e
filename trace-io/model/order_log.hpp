// SPDX-License-Identifier: MIT
// What one rank's executions of one path took, one after the other, at constant size.
//
// Kept    blocks of kBlock executions in a row. While there are at most kBlocks of them, every block; then every second, every fourth, …, the
//         first of each group of 2^stride blocks, chosen by the execution's number alone: ranks that execute a path equally often
//         keep the same executions without talking to each other. And the exact sum of every group.
// Peaks   once blocks are left out, executions that took far longer than most, wherever they fell: above twice the duration that 31 of 32
//         do not exceed, and above five times its distance from the median. At most kMostPeaks, else the longer half of them.
// Exact   the sums; a duration that is kept to 1/1024 (ShortFloat of ten bits).
// Cost    add: O(1), a few ns. Memory: 2 bytes an execution kept, at most 4 KiB, 8 bytes a group, and 8 bytes a peak, at most 16 KiB; the first
//         8 executions and the first group need none beside the 88 bytes of the log.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "trace-io/base/integers.hpp"
#include "trace-io/base/quantity.hpp"
#include "trace-io/model/short_list.hpp"

namespace reprise::trace_io {

class OrderLog {
 public:
  static constexpr unsigned kBlockBits = 6, kBlock = 1U << kBlockBits;
  static constexpr std::size_t kBlocks = 32;
  static constexpr unsigned kLargestStride = 56;
  static constexpr ShortFloat<std::uint64_t> kDurations{10};         // ns
  static constexpr std::uint16_t kLargestCode = (52U << 9U) + 1023;  // of durations below 2^62 ns
  static constexpr std::size_t kMostPeaks = 2048;
  static constexpr unsigned kPeakBits = 48;  // executions beyond 2^48 are no peaks

  class Peak {
   public:
    Peak(std::uint64_t execution, std::uint16_t code) : both_(execution << 16U | code) {}
    std::uint64_t execution() const { return both_ >> 16U; }
    std::uint16_t code() const { return static_cast<std::uint16_t>(both_); }  // of kDurations
    std::uint64_t duration() const { return kDurations.number(code()); }      // ns
    friend bool operator==(const Peak&, const Peak&) = default;

   private:
    std::uint64_t both_;
  };

  OrderLog() = default;
  OrderLog(const OrderLog&);
  OrderLog(OrderLog&&) noexcept = default;
  OrderLog& operator=(const OrderLog&);
  OrderLog& operator=(OrderLog&&) noexcept = default;
  ~OrderLog() = default;
  // The parts as a file holds them. REQUIRES: are_parts() of the same, and peaks as are_peaks() says.
  static OrderLog from_parts(std::uint64_t count, unsigned stride,
                             std::span<const std::uint16_t> codes,
                             std::span<const std::int64_t> sums, std::vector<Peak> peaks = {});
  static bool are_parts(std::uint64_t count, unsigned stride, std::size_t codes, std::size_t sums);
  // Ascending, of executions below count, none where all are kept.
  static bool are_peaks(std::uint64_t count, unsigned stride, std::span<const Peak> peaks);
  // How many executions are kept of so many, and in how many groups they fall.
  static std::size_t kept_of(std::uint64_t count, unsigned stride);
  static std::size_t groups_of(std::uint64_t count, unsigned stride);
  // Of an execution among those kept; none where it is not.
  static std::optional<std::size_t> place_of(std::uint64_t execution, unsigned stride);

  void add(Nanoseconds duration) {  // REQUIRES: duration ≥ 0
    const std::uint64_t block = count_++ >> kBlockBits;
    if (block >> stride_ >= kBlocks) thin();
    const std::uint64_t group = block >> stride_;
    if (group >= sums_.size()) sums_.resize(group + 1);
    sums_[group] += duration.value;
    if (group << stride_ == block) codes_.push_back(code_of(duration));
    if (duration.value > floor_) note_peak(count_ - 1, code_of(duration));
  }
  // The executions of a later one behind one's own: those that it has not kept, as its kept ones say. Cost: O(its executions).
  void append(const OrderLog& later);
  // From now on every second of the blocks that were kept. Cost: O(kept).
  void thin();

  std::uint64_t count() const { return count_; }
  unsigned stride() const { return stride_; }                      // log2 of the blocks in a group
  std::span<const std::uint16_t> codes() const { return codes_; }  // of kDurations
  std::span<const std::int64_t> sums() const { return sums_; }     // by group, ns
  std::span<const Peak> peaks() const {                            // ascending
    return peaks_ ? std::span<const Peak>(peaks_->list) : std::span<const Peak>();
  }
  std::size_t heap_bytes() const {
    return codes_.heap_bytes() + sums_.heap_bytes() +
           (peaks_ ? sizeof *peaks_ + peaks_->list.capacity() * sizeof(Peak) : 0);
  }
  friend bool operator==(const OrderLog& a, const OrderLog& b) {
    return a.count_ == b.count_ && a.stride_ == b.stride_ && a.codes_ == b.codes_ &&
           a.sums_ == b.sums_ && std::ranges::equal(a.peaks(), b.peaks());
  }

 private:
  static std::uint16_t code_of(Nanoseconds duration) {
    const auto number = static_cast<std::uint64_t>(duration.value);
    if (number < 1024) return static_cast<std::uint16_t>(number);
    const unsigned shift = 54U - static_cast<unsigned>(__builtin_clzll(number));
    return static_cast<std::uint16_t>((shift << 9U) +
                                      (((number >> (shift - 1)) + 1) >> 1U));  // halves go up
  }

  static constexpr std::int64_t kNoPeaks = INT64_MAX;
  static constexpr std::size_t kFewPeaks = 256;
  static constexpr std::uint32_t kCodesInPlace = 8, kSumsInPlace = 1;
  void note_peak(std::uint64_t execution, std::uint16_t code);
  std::int64_t peak_floor() const;
  void limit_peaks();

  struct Peaks {
    std::vector<Peak> list;
    std::size_t many = kFewPeaks;  // at so many the floor is found out anew
  };
  Peaks& own_peaks() {
    if (!peaks_) peaks_ = std::make_unique<Peaks>();
    return *peaks_;
  }

  std::uint64_t count_ = 0;
  // Of most paths a handful: in place.
  ShortList<std::uint16_t, kCodesInPlace> codes_;
  ShortList<std::int64_t, kSumsInPlace> sums_;
  std::unique_ptr<Peaks> peaks_;  // null: none, as while every block is kept
  // What is longer is a peak; 0: to be found out. Follows from the rest, but for what came before it was last found out.
  std::int64_t floor_ = kNoPeaks;
  unsigned stride_ = 0;
};

}  // namespace reprise::trace_io
