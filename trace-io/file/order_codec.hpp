// SPDX-License-Identifier: MIT
// The order of compute times in the payload (FORMAT.md, section 9), for both directions: the shapes beside each delta class, the levels of all
// of them at the end.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "trace-io/check/sequence_sums.hpp"
#include "trace-io/file/format.hpp"
#include "trace-io/file/payload_io.hpp"
#include "trace-io/order/order_code.hpp"

namespace reprise::trace_io {

template <class Io>
class OrdersCodec {
 public:
  explicit OrdersCodec(Io& io) : io_(io) {}

  // Of a class of compute times whose ranks and durations are known.
  void of(const DeltaClass& delta) {
    const std::uint64_t kind = delta.order != nullptr ? kOrder : delta.logs.empty() ? kNone : kLogs;
    const bool has_peaks = order_has_peaks(delta);
    io_.number(kColumn, kind + (has_peaks ? kWithPeaks : 0));
    if (kind == kLogs)
      for (const OrderLog& one : delta.logs) put_log(one, has_peaks);
    if (kind != kOrder) return;
    const DurationOrder& order = *delta.order;
    io_.number(kColumn, order.stride);
    io_.sequence(kColumn, order.executions);
    io_.ranks(kColumn, order.ranks, delta.ranks);
    io_.number(kColumn, static_cast<std::uint64_t>(order.step));
    io_.number(kColumn, static_cast<std::uint64_t>(order.step_common));
    io_.number(kColumn, order.residuals.size());
    std::int64_t before = 0;
    for (const auto& residual : order.residuals) {
      io_.number(kColumn, residual.count);
      io_.time(kColumn, Nanoseconds{residual.value - before});
      before = residual.value;
    }
    if (has_peaks) put_peaks(order);
    orders_.push_back(delta.order);
  }
  void of(DeltaClass& delta) {
    const std::uint64_t form = io_.number(kColumn);
    if (form == kNone) return;
    const bool has_peaks = form > kWithPeaks && io_.version() >= kPeaksVersion;
    const std::uint64_t kind = form - (has_peaks ? kWithPeaks : 0);
    if (kind == kLogs) {
      for (std::int32_t i = 0; i < delta.ranks.size(); ++i)
        delta.logs.push_back(take_log(has_peaks));
      return;
    }
    if (kind != kOrder)
      io_.refuse(kColumn, "form of order " + std::to_string(form) + " does not exist");
    auto order = std::make_shared<DurationOrder>();
    take_shape(*order, delta.ranks);
    if (has_peaks) take_peaks(*order);
    orders_.push_back(order.get());
    delta.order = std::move(order);
  }

  // Of all orders so far. KNOWN: null, or the levels of these or of other orders.
  void levels([[maybe_unused]] const CodedLevels* known) {
    if constexpr (Io::kReads) {
      if (orders_.empty()) return;
      if (!decode_levels(io_.in().take_bytes(kColumn), orders_))
        io_.refuse(kColumn, "levels that continue after the last order");
    } else if (!orders_.empty()) {
      const bool is_known = known != nullptr && known->orders == orders_;
      io_.bytes(kColumn, is_known ? known->bytes : encoded_levels(orders_));
    }
  }

 private:
  static constexpr Column kColumn = Column::order;
  static constexpr std::uint64_t kNone = 0, kLogs = 1, kOrder = 2, kWithPeaks = 4;
  static constexpr std::uint64_t kLargestNumber = std::uint64_t{1} << 48U;  // steps, residuals

  void put_log(const OrderLog& log, bool has_peaks) {
    io_.number(kColumn, log.count());
    if (log.count() == 0) return;
    io_.number(kColumn, log.stride());
    std::int64_t before = 0;
    for (const std::uint16_t code : log.codes()) {
      io_.time(kColumn, Nanoseconds{code - before});
      before = code;
    }
    for (const std::int64_t sum : log.sums()) io_.time(kColumn, Nanoseconds{sum});
    if (!has_peaks) return;
    io_.number(kColumn, log.peaks().size());
    std::uint64_t last = ~std::uint64_t{0};
    for (const OrderLog::Peak& peak : log.peaks()) {
      io_.number(kColumn, peak.execution() - std::exchange(last, peak.execution()));
      io_.number(kColumn, peak.code());
    }
  }

  void put_peaks(const DurationOrder& order) {
    io_.number(kColumn, order.peaks.size());
    for (const auto& list : order.peaks) {
      io_.sequence(kColumn, list.distances);
      io_.sequence(kColumn, list.durations);
    }
    io_.sequence(kColumn, order.peaks_of_rows);
  }

  // REQUIRES: the rows are there.
  void take_peaks(DurationOrder& order) {
    const std::uint64_t lists = io_.number(kColumn);
    if (lists == 0 || lists > order.rows.size())
      io_.refuse(kColumn, std::to_string(lists) + " lists of peaks for " +
                              std::to_string(order.rows.size()) + " rows");
    for (std::uint64_t i = 0; i < lists; ++i) {
      auto& list = order.peaks.emplace_back();
      io_.sequence(kColumn, list.distances);
      io_.sequence(kColumn, list.durations);
    }
    io_.sequence(kColumn, order.peaks_of_rows);
    if (const std::string problem = peaks_problem(order); !problem.empty())
      io_.refuse(kColumn, problem);
  }

  OrderLog take_log(bool has_peaks) {
    const std::uint64_t count = io_.number(kColumn);
    if (count == 0) return {};
    const std::uint64_t stride = io_.number(kColumn);
    if (count >> 62U != 0 || stride > OrderLog::kLargestStride ||
        OrderLog::groups_of(count, static_cast<unsigned>(stride)) > OrderLog::kBlocks)
      io_.refuse(kColumn, "a log of " + std::to_string(count) + " durations in groups of 2^" +
                              std::to_string(stride) + " blocks");
    const auto apart = static_cast<unsigned>(stride);
    std::vector<std::uint16_t> codes(OrderLog::kept_of(count, apart));
    std::int64_t code = 0;
    for (std::uint16_t& one : codes) {
      code = advanced(code, io_.in().take_signed(kColumn));
      if (code < 0 || code > OrderLog::kLargestCode)
        io_.refuse(kColumn, "a duration beyond what a log can hold");
      one = static_cast<std::uint16_t>(code);
    }
    std::vector<std::int64_t> sums(OrderLog::groups_of(count, apart));
    for (std::int64_t& sum : sums) {
      sum = io_.in().take_signed(kColumn);
      if (sum < 0) io_.refuse(kColumn, "a negative sum of durations");
    }
    std::vector<OrderLog::Peak> peaks;
    if (has_peaks) peaks = take_peaks_of_log(count, apart);
    return OrderLog::from_parts(count, apart, std::move(codes), std::move(sums), std::move(peaks));
  }

  std::vector<OrderLog::Peak> take_peaks_of_log(std::uint64_t count, unsigned stride) {
    const std::uint64_t number = io_.number(kColumn);
    if (number > OrderLog::kMostPeaks)
      io_.refuse(kColumn, "a log with " + std::to_string(number) + " peaks");
    std::vector<OrderLog::Peak> peaks;
    std::uint64_t last = ~std::uint64_t{0};
    for (std::uint64_t i = 0; i < number; ++i) {
      last += io_.number(kColumn);
      const std::uint64_t code = io_.number(kColumn);
      if (last >= count || last >> OrderLog::kPeakBits != 0 || code > OrderLog::kLargestCode)
        io_.refuse(kColumn, "a peak beyond what a log can hold");
      peaks.emplace_back(last, static_cast<std::uint16_t>(code));
    }
    if (!OrderLog::are_peaks(count, stride, peaks))
      io_.refuse(kColumn, "a log's peaks contradict its executions");
    return peaks;
  }

  void take_shape(DurationOrder& order, const RankList& members) {
    const std::uint64_t stride = io_.number(kColumn);
    if (stride > OrderLog::kLargestStride)
      io_.refuse(kColumn, "groups of 2^" + std::to_string(stride) + " blocks");
    order.stride = static_cast<unsigned>(stride);
    io_.sequence(kColumn, order.executions);
    ordered_ranks_ += static_cast<std::size_t>(members.size());
    if (ordered_ranks_ > kMostOrderedRanks)
      io_.refuse(kColumn, "orders of more than " + std::to_string(kMostOrderedRanks) + " ranks");
    if (order.executions.size() != static_cast<std::uint64_t>(members.size()))
      io_.refuse(kColumn, std::to_string(order.executions.size()) + " numbers of executions for " +
                              std::to_string(members.size()) + " ranks");
    const SequenceSums executions(order.executions);
    if (executions.least() < 0 || executions.greatest() >> 62U != 0)
      io_.refuse(kColumn, "a number of executions below 0 or above 62 bits");
    io_.ranks(kColumn, order.ranks, members);
    order.step = number_of("a step", 1);
    order.step_common = number_of("a step", 0);
    const std::uint64_t residuals = io_.number(kColumn);
    if (residuals > DurationOrder::kResidualBins)
      io_.refuse(kColumn, std::to_string(residuals) + " bins of residuals");
    std::int64_t value = 0;
    for (std::uint64_t i = 0; i < residuals; ++i) {
      const std::uint64_t count = io_.number(kColumn);
      value = advanced(value, io_.in().take_signed(kColumn));
      if (count == 0 || count >> 62U != 0 || value > static_cast<std::int64_t>(kLargestNumber) ||
          value < -static_cast<std::int64_t>(kLargestNumber))
        io_.refuse(kColumn, "a bin of residuals that no run can have");
      order.residuals.push_back({count, value});
    }
    levels_ += shape_rows(order, members, order.step_common > 0);
    if (levels_ > kMostLevels)
      io_.refuse(kColumn, "more than " + std::to_string(kMostLevels) + " levels of durations");
  }

  std::int64_t number_of(const char* what, std::uint64_t least) {
    const std::uint64_t number = io_.number(kColumn);
    if (number < least || number > kLargestNumber)
      io_.refuse(kColumn, std::string(what) + " of " + std::to_string(number));
    return static_cast<std::int64_t>(number);
  }

  Io& io_;
  std::conditional_t<Io::kReads, std::vector<DurationOrder*>, Orders> orders_;
  std::size_t levels_ = 0, ordered_ranks_ = 0;
};

}  // namespace reprise::trace_io
