// SPDX-License-Identifier: MIT
#include "trace-io/model/order_log.hpp"

#include <algorithm>
#include <utility>

namespace reprise::trace_io {

OrderLog OrderLog::from_parts(std::uint64_t count, unsigned stride,
                              std::vector<std::uint16_t> codes, std::vector<std::int64_t> sums) {
  OrderLog log;
  log.count_ = count;
  log.stride_ = stride;
  log.codes_ = std::move(codes);
  log.sums_ = std::move(sums);
  return log;
}

bool OrderLog::are_parts(std::uint64_t count, unsigned stride, std::size_t codes,
                         std::size_t sums) {
  return stride <= kLargestStride && groups_of(count, stride) <= kBlocks &&
         codes == kept_of(count, stride) && sums == groups_of(count, stride);
}

std::size_t OrderLog::kept_of(std::uint64_t count, unsigned stride) {
  const unsigned bits = kBlockBits + stride;
  const std::uint64_t rest = count & ((std::uint64_t{1} << bits) - 1);
  return static_cast<std::size_t>((count >> bits << kBlockBits) +
                                  std::min<std::uint64_t>(rest, kBlock));
}

std::size_t OrderLog::groups_of(std::uint64_t count, unsigned stride) {
  const unsigned bits = kBlockBits + stride;
  return static_cast<std::size_t>((count + (std::uint64_t{1} << bits) - 1) >> bits);
}

void OrderLog::thin() {
  ++stride_;
  std::size_t kept = 0;
  for (std::size_t from = 0; from < codes_.size(); from += std::size_t{2} * kBlock)
    for (std::size_t i = from; i < std::min<std::size_t>(from + kBlock, codes_.size()); ++i)
      codes_[kept++] = codes_[i];
  codes_.resize(kept);
  for (std::size_t group = 0; 2 * group < sums_.size(); ++group)
    sums_[group] =
        sums_[2 * group] + (2 * group + 1 < sums_.size() ? sums_[2 * group + 1] : std::int64_t{0});
  sums_.resize((sums_.size() + 1) / 2);
}

void OrderLog::append(const OrderLog& later) {
  for (std::uint64_t k = 0; k < later.count_; ++k) {
    const std::uint64_t group = k >> kBlockBits >> later.stride_;
    const std::uint16_t code =
        later.codes_[static_cast<std::size_t>(group * kBlock + (k & (kBlock - 1)))];
    add(Nanoseconds{static_cast<std::int64_t>(kDurations.number(code))});
  }
}

}  // namespace reprise::trace_io
