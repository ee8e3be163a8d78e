// SPDX-License-Identifier: MIT
#include "trace-io/order/order_code.hpp"

#include <algorithm>

#include "trace-io/model/time_pools.hpp"
#include "trace-io/model/trace.hpp"
#include "trace-io/order/level_coder.hpp"

namespace reprise::trace_io {
namespace {

constexpr std::int64_t kLargestStep = std::int64_t{1} << 48;  // steps, residuals

// All rows of an order, levels first: calls begin_table() and visit(row) of the coder.
template <class Order, class Begin, class Visit>
void for_each_row(Order& order, const Begin& begin, const Visit& visit) {
  begin();
  visit(order.common.levels);
  for (auto& row : order.rows) visit(row.levels);
  if (order.stride == 0) return;
  begin();
  visit(order.common.groups);
  for (auto& row : order.rows) visit(row.groups);
}

// All levels of the orders: begin_table() and put_row() of the sink.
template <class Sink>
void put_levels(const Orders& orders, Sink& sink) {
  for (const auto& order : orders)
    if (order != nullptr)
      for_each_row(
          *order, [&] { sink.begin_table(); },
          [&](const std::vector<std::int32_t>& levels) {
            if (!levels.empty()) sink.put_row(levels);
          });
}

}  // namespace

std::vector<std::uint8_t> encoded_levels(const Orders& orders) {
  LevelEncoder encoder;
  put_levels(orders, encoder);
  return encoder.bytes();
}

std::size_t levels_price(const Orders& orders, LevelPrice& price) {
  price.begin_anew();
  put_levels(orders, price);
  return price.bytes();
}

Orders orders_of(const Trace& trace) {
  Orders orders;
  for (const auto& program : trace.threads)
    for_each_leaf(program, [&](const Leaf& leaf) {
      for (const PathDeltas& path : leaf.compute)
        for (const DeltaClass& delta : path.classes)
          if (delta.order != nullptr) orders.push_back(delta.order);
    });
  return orders;
}

bool decode_levels(std::span<const std::uint8_t> bytes, std::span<DurationOrder* const> orders) {
  LevelDecoder decoder(bytes);
  for (DurationOrder* order : orders)
    for_each_row(
        *order, [&] { decoder.begin_table(); },
        [&](std::vector<std::int32_t>& levels) {
          if (!levels.empty()) decoder.take_row(levels);
        });
  return decoder.is_at_end();
}

bool order_has_peaks(const DeltaClass& delta) {
  if (delta.order != nullptr) return !delta.order->peaks.empty();
  return std::ranges::any_of(delta.logs, [](const OrderLog& log) { return !log.peaks().empty(); });
}

bool has_peaks(const Trace& trace) {
  bool has = false;
  for (const auto& program : trace.threads)
    for_each_leaf(program, [&](const Leaf& leaf) {
      for (const PathDeltas& path : leaf.compute)
        has = has || std::ranges::any_of(path.classes, order_has_peaks);
    });
  return has;
}

std::size_t peaks_in(const DurationOrder& order) {
  std::size_t sum = 0;
  for (const auto& list : order.peaks) sum += static_cast<std::size_t>(list.distances.size());
  return sum;
}

std::size_t shape_bytes(const DurationOrder& order) {
  std::size_t bytes = 8 + 3 * order.residuals.size() + folded_bytes(order.executions);
  if (!order.peaks.empty()) bytes += 2 + folded_bytes(order.peaks_of_rows);
  for (const auto& list : order.peaks)
    bytes += 2 + folded_bytes(list.distances) + folded_bytes(list.durations);
  return bytes;
}

std::size_t shape_rows(DurationOrder& order, const RankList& members, bool has_common) {
  std::size_t longest = 0, most_groups = 0, all = 0;
  struct Lengths {
    std::size_t levels = 0, groups = 0;
  };
  std::vector<Lengths> lengths;
  const std::vector<Rank> ranks = members.ranks();
  ValueSequence::Cursor executions(order.executions);
  for (const Rank rank : ranks) {
    const auto count = static_cast<std::uint64_t>(executions.next());
    const Lengths its{OrderLog::kept_of(count, order.stride),
                      order.stride > 0 ? OrderLog::groups_of(count, order.stride) : 0};
    longest = std::max(longest, its.levels);
    most_groups = std::max(most_groups, its.groups);
    if (!order.ranks.contains(rank)) continue;
    lengths.push_back(its);
    all += its.levels + its.groups;
    if (all > kMostLevels) return all;
  }
  if (has_common) all += longest + most_groups;
  if (all > kMostLevels) return all;
  order.rows.assign(lengths.size(), {});
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    order.rows[i].levels.resize(lengths[i].levels);
    order.rows[i].groups.resize(lengths[i].groups);
  }
  order.common = {};
  if (has_common) {
    order.common.levels.resize(longest);
    order.common.groups.resize(most_groups);
  }
  return all;
}

OrderSize order_size(const Trace& trace) {
  OrderSize size;
  for (const auto& program : trace.threads)
    for_each_leaf(program, [&](const Leaf& leaf) {
      size.paths += leaf.compute.size();
      for (const PathDeltas& path : leaf.compute)
        if (std::ranges::any_of(path.classes,
                                [](const DeltaClass& delta) { return delta.order != nullptr; }))
          ++size.ordered;
    });
  const Orders orders = orders_of(trace);
  for (const auto& order : orders) size.bytes += shape_bytes(*order);
  size.bytes += encoded_levels(orders).size();
  if (!trace.pools.empty()) size.bytes += kBytesApart * orders.size();
  return size;
}

std::string peaks_problem(const DurationOrder& order) {
  if (order.peaks.empty())
    return order.peaks_of_rows.empty() ? "" : "rows with peaks, and no peaks";
  if (order.stride == 0) return "peaks where all executions are kept";
  std::uint64_t all = 0;
  for (const auto& list : order.peaks) {
    const std::uint64_t size = list.distances.size();
    if (size > DurationOrder::kMostPeaks || (all += size) > DurationOrder::kMostPeaks)
      return "too many peaks";
    if (size == 0 || size != list.durations.size()) return "peaks without a duration each";
    std::int64_t execution = -1;
    for (const std::int64_t distance : list.distances.unrolled())
      if (distance < 1 || distance >> OrderLog::kPeakBits != 0 ||
          (execution += distance) >> OrderLog::kPeakBits != 0)
        return "a peak that no run can have";
    for (const std::int64_t duration : list.durations.unrolled())
      if (duration < 0 || duration > kLargestStep) return "a peak that no run can have";
  }
  if (order.peaks_of_rows.size() != order.rows.size())
    return std::to_string(order.peaks_of_rows.size()) + " numbers of peaks for " +
           std::to_string(order.rows.size()) + " rows";
  for (const std::int64_t list : order.peaks_of_rows.unrolled())
    if (list < 0 || list > static_cast<std::int64_t>(order.peaks.size()))
      return "a row with peaks that are not there";
  return "";
}

std::string order_problem(const DeltaClass& delta) {
  const auto members = static_cast<std::size_t>(delta.ranks.size());
  if (!delta.logs.empty() && delta.order != nullptr) return "logs beside an order";
  for (const OrderLog& log : delta.logs)
    if (!OrderLog::are_peaks(log.count(), log.stride(), log.peaks()))
      return "a log's peaks contradict its executions";
  if (!delta.logs.empty() && delta.logs.size() != members)
    return std::to_string(delta.logs.size()) + " logs for " + std::to_string(members) + " ranks";
  if (delta.order == nullptr) return "";
  const DurationOrder& order = *delta.order;
  if (delta.durations.count() == 0) return "an order without durations";
  if (order.executions.size() != members)
    return std::to_string(order.executions.size()) + " numbers of executions for " +
           std::to_string(members) + " ranks";
  ValueSequence::Cursor executions(order.executions);
  for (std::size_t i = 0; i < members; ++i)
    if (const std::int64_t count = executions.next(); count < 0 || count >> 62 != 0)
      return "a number of executions below 0 or above 62 bits";
  if (!order.ranks.minus(delta.ranks).empty())
    return "a row of durations of a rank without the call";
  if (order.step < 1 || order.step > kLargestStep || order.step_common < 0 ||
      order.step_common > kLargestStep)
    return "a step of durations below 1 or above 48 bits";
  if (order.residuals.size() > DurationOrder::kResidualBins) return "too many bins of residuals";
  for (const auto& residual : order.residuals)
    if (residual.count == 0 || residual.count >> 62U != 0 || residual.value > kLargestStep ||
        residual.value < -kLargestStep)
      return "a bin of residuals that no run can have";
  if (const auto problem = peaks_problem(order); !problem.empty()) return problem;
  DurationOrder shaped = order;
  if (shape_rows(shaped, delta.ranks, order.step_common > 0) > kMostLevels)
    return "more levels of durations than a trace can hold";
  const auto is_alike = [](const DurationOrder::Row& a, const DurationOrder::Row& b) {
    return a.levels.size() == b.levels.size() && a.groups.size() == b.groups.size();
  };
  if (!is_alike(order.common, shaped.common) || order.rows.size() != shaped.rows.size() ||
      !std::equal(order.rows.begin(), order.rows.end(), shaped.rows.begin(), is_alike))
    return "rows of durations that are not as long as their ranks' executions";
  return "";
}

}  // namespace reprise::trace_io
