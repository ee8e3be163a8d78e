// SPDX-License-Identifier: MIT
#include "trace-io/model/order_log.hpp"

#include <algorithm>
#include <utility>

namespace reprise::trace_io {

OrderLog::OrderLog(const OrderLog& other)
    : count_(other.count_),
      codes_(other.codes_),
      sums_(other.sums_),
      peaks_(other.peaks_ ? std::make_unique<Peaks>(*other.peaks_) : nullptr),
      floor_(other.floor_),
      stride_(other.stride_) {}

OrderLog& OrderLog::operator=(const OrderLog& other) {
  if (this == &other) return *this;
  auto peaks = other.peaks_ ? std::make_unique<Peaks>(*other.peaks_) : nullptr;
  codes_ = other.codes_;
  sums_ = other.sums_;
  peaks_ = std::move(peaks);
  count_ = other.count_;
  floor_ = other.floor_;
  stride_ = other.stride_;
  return *this;
}

OrderLog OrderLog::from_parts(std::uint64_t count, unsigned stride,
                              std::span<const std::uint16_t> codes,
                              std::span<const std::int64_t> sums, std::vector<Peak> peaks) {
  OrderLog log;
  log.count_ = count;
  log.stride_ = stride;
  log.codes_ = ShortList<std::uint16_t, kCodesInPlace>(codes);
  log.sums_ = ShortList<std::int64_t, kSumsInPlace>(sums);
  if (!peaks.empty()) log.own_peaks().list = std::move(peaks);
  if (stride > 0) log.floor_ = 0;
  return log;
}

bool OrderLog::are_peaks(std::uint64_t count, unsigned stride, std::span<const Peak> peaks) {
  if (peaks.empty()) return true;
  if (stride == 0 || peaks.size() > kMostPeaks || peaks.back().execution() >= count) return false;
  for (std::size_t i = 0; i < peaks.size(); ++i)
    if (peaks[i].code() > kLargestCode ||
        (i > 0 && peaks[i].execution() <= peaks[i - 1].execution()))
      return false;
  return true;
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

std::optional<std::size_t> OrderLog::place_of(std::uint64_t execution, unsigned stride) {
  const std::uint64_t block = execution >> kBlockBits, group = block >> stride;
  if (group << stride != block) return std::nullopt;
  return static_cast<std::size_t>(group * kBlock + (execution & (kBlock - 1)));
}

std::size_t OrderLog::groups_of(std::uint64_t count, unsigned stride) {
  const unsigned bits = kBlockBits + stride;
  return static_cast<std::size_t>((count + (std::uint64_t{1} << bits) - 1) >> bits);
}

// Of the durations kept: what is rarer than one in 32 is in few blocks, and would be repeated where it never was.
std::int64_t OrderLog::peak_floor() const {
  if (codes_.empty()) return kNoPeaks;
  std::vector<std::uint16_t> sorted(codes_.begin(), codes_.end());
  const auto number_at = [&sorted](std::size_t place) {
    const auto at = sorted.begin() + static_cast<std::ptrdiff_t>(place);
    std::ranges::nth_element(sorted, at);
    return static_cast<std::int64_t>(kDurations.number(*at));
  };
  const std::int64_t median = number_at(sorted.size() / 2),
                     most = number_at(sorted.size() - 1 - sorted.size() / 32);
  return std::max(2 * most, most + 4 * (most - median));
}

void OrderLog::note_peak(std::uint64_t execution, std::uint16_t code) {
  if (floor_ == 0) floor_ = std::max<std::int64_t>(1, peak_floor());
  if (static_cast<std::int64_t>(kDurations.number(code)) <= floor_ || execution >> kPeakBits != 0)
    return;
  Peaks& peaks = own_peaks();
  peaks.list.emplace_back(execution, code);
  if (peaks.list.size() >= peaks.many) limit_peaks();
}

// Those that are none any more go; if many are left there may be more, up to the most; then the longer half stays.
void OrderLog::limit_peaks() {
  floor_ = std::max<std::int64_t>(1, peak_floor());
  const auto is_below = [this](const Peak& peak) {
    return static_cast<std::int64_t>(peak.duration()) <= floor_;
  };
  auto& [peaks, many] = own_peaks();
  std::erase_if(peaks, is_below);
  if (2 * peaks.size() <= many) return;
  if (many < kMostPeaks) {
    many *= 2;
    return;
  }
  std::vector<std::uint16_t> codes;
  for (const Peak& peak : peaks) codes.push_back(peak.code());
  const auto middle = codes.begin() + static_cast<std::ptrdiff_t>(codes.size() / 2);
  std::ranges::nth_element(codes, middle);
  floor_ = static_cast<std::int64_t>(kDurations.number(*middle));
  if (std::ranges::max(codes) == *middle) --floor_;  // alike: the first of them stay
  std::erase_if(peaks, is_below);
  if (peaks.size() >= kMostPeaks) floor_ = kNoPeaks;
}

void OrderLog::thin() {
  if (stride_ == 0) {
    floor_ = 0;
    for (std::size_t i = 0; i < codes_.size(); ++i) note_peak(i, codes_[i]);
  }
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
  if (floor_ != kNoPeaks) floor_ = 0;
}

void OrderLog::append(const OrderLog& later) {
  // What is repeated is without peaks.
  std::vector<std::uint16_t> codes(later.codes_.begin(), later.codes_.end());
  if (!later.peaks().empty()) {
    std::vector<std::uint16_t> sorted = codes;
    const auto median = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::ranges::nth_element(sorted, median);
    for (const Peak& peak : later.peaks())
      if (const auto place = place_of(peak.execution(), later.stride_)) codes[*place] = *median;
  }
  const std::span peaks = later.peaks();
  auto peak = peaks.begin();
  for (std::uint64_t k = 0; k < later.count_; ++k) {
    const std::uint64_t group = k >> kBlockBits >> later.stride_;
    std::uint16_t code = codes[static_cast<std::size_t>(group * kBlock + (k & (kBlock - 1)))];
    if (peak != peaks.end() && peak->execution() == k) code = peak++->code();
    add(Nanoseconds{static_cast<std::int64_t>(kDurations.number(code))});
  }
}

}  // namespace reprise::trace_io
