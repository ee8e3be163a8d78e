// SPDX-License-Identifier: MIT
#include "trace-io/text/order_text.hpp"

#include <span>
#include <utility>

#include "trace-io/order/order_code.hpp"
#include "trace-io/text/sequence_text.hpp"

namespace reprise::trace_io {
namespace {

template <class Number>
std::string folded(std::span<const Number> numbers) {
  ValueSequence sequence;
  for (const Number number : numbers) sequence.append(static_cast<std::int64_t>(number));
  return write_bracketed(sequence.terms());
}

std::string peaks_text(const OrderLog& log) {
  if (log.peaks().empty()) return "";
  std::vector<std::uint64_t> executions;
  std::vector<std::uint16_t> codes;
  for (const OrderLog::Peak& peak : log.peaks()) {
    executions.push_back(peak.execution());
    codes.push_back(peak.code());
  }
  return " peaks=" + folded<std::uint64_t>(executions) + "/" + folded<std::uint16_t>(codes);
}

std::string row_text(const DurationOrder::Row& row) {
  std::string text = folded<std::int32_t>(row.levels);
  if (!row.groups.empty()) text += "/" + folded<std::int32_t>(row.groups);
  return text;
}

// A folded list of numbers from least to most, at most `room` of them.
template <class Number>
std::vector<Number> read_folded(Scanner& in, std::size_t& room, std::int64_t least,
                                std::int64_t most) {
  const std::size_t at = in.position();
  const Terms terms =
      read_bracketed(in, [](Scanner& scanner) { return scanner.number("a number"); });
  const ValueSequence sequence = ValueSequence::from_terms(terms);
  if (sequence.size() > room) in.refuse(at, "too many numbers for an order of durations");
  room -= static_cast<std::size_t>(sequence.size());
  std::vector<Number> numbers;
  for (const std::int64_t number : sequence.unrolled()) {
    if (number < least || number > most)
      in.refuse(at, "a number " + std::to_string(number) + " that no order of durations has");
    numbers.push_back(static_cast<Number>(number));
  }
  return numbers;
}

std::vector<OrderLog::Peak> read_peaks(Scanner& in, std::size_t& room) {
  std::vector<OrderLog::Peak> peaks;
  if (!in.accept("peaks")) return peaks;
  const std::size_t at = in.position();
  in.expect("=", "after the name of a part");
  const auto executions =
      read_folded<std::uint64_t>(in, room, 0, (std::int64_t{1} << OrderLog::kPeakBits) - 1);
  in.expect("/", "between executions and their durations");
  const auto codes = read_folded<std::uint16_t>(in, room, 0, OrderLog::kLargestCode);
  if (executions.size() != codes.size()) in.refuse(at, "peaks without a duration each");
  for (std::size_t i = 0; i < codes.size(); ++i) peaks.emplace_back(executions[i], codes[i]);
  return peaks;
}

DurationOrder::Row read_levels(Scanner& in, std::size_t& room) {
  DurationOrder::Row row;
  row.levels = read_folded<std::int32_t>(in, room, INT32_MIN, INT32_MAX);
  if (in.accept("/")) row.groups = read_folded<std::int32_t>(in, room, INT32_MIN, INT32_MAX);
  return row;
}

}  // namespace

std::string order_text(const DeltaClass& delta) {
  std::string text;
  if (!delta.logs.empty()) {
    text += " logs=[";
    for (const OrderLog& log : delta.logs)
      text += (&log == delta.logs.data() ? "" : "; ") + std::to_string(log.count()) + "/" +
              std::to_string(log.stride()) + " " + folded(log.codes()) + " " + folded(log.sums()) +
              peaks_text(log);
    text += "]";
  }
  if (delta.order == nullptr) return text;
  const DurationOrder& order = *delta.order;
  text += " order=(stride=" + std::to_string(order.stride) +
          " executions=" + write_bracketed(order.executions.terms()) +
          " step=" + std::to_string(order.step);
  if (order.step_common != 0)
    text += " common=" + std::to_string(order.step_common) + " " + row_text(order.common);
  text += " residuals=[";
  for (const auto& residual : order.residuals)
    text += (&residual == order.residuals.data() ? "" : ", ") + std::to_string(residual.count) +
            "/" + std::to_string(residual.value);
  text += "]";
  if (!order.ranks.empty()) {
    text += " rows=" + order.ranks.text() + ":";
    for (const auto& row : order.rows) text += " " + row_text(row);
  }
  if (!order.peaks.empty()) {
    text += " peaks=" + write_bracketed(order.peaks_of_rows.terms()) + ":";
    for (const auto& list : order.peaks)
      text += " " + write_bracketed(list.distances.terms()) + "/" +
              write_bracketed(list.durations.terms());
  }
  return text + ")";
}

std::vector<OrderLog> read_logs(Scanner& in) {
  std::vector<OrderLog> logs;
  std::size_t room = kMostLevels;
  in.expect("[", "in front of logs");
  while (!in.accept("]")) {
    if (!logs.empty()) in.expect(";", "between logs");
    const std::size_t at = in.position();
    const std::uint64_t count = in.unsigned_number("a number of executions");
    in.expect("/", "after a number of executions");
    const std::uint64_t stride = in.unsigned_number("a number of halvings");
    const auto codes = read_folded<std::uint16_t>(in, room, 0, OrderLog::kLargestCode);
    const auto sums = read_folded<std::int64_t>(in, room, 0, INT64_MAX);
    auto peaks = read_peaks(in, room);
    if (count >> 62U != 0 || stride > OrderLog::kLargestStride ||
        !OrderLog::are_parts(count, static_cast<unsigned>(stride), codes.size(), sums.size()) ||
        !OrderLog::are_peaks(count, static_cast<unsigned>(stride), peaks))
      in.refuse(at, "the parts of a log contradict each other");
    logs.push_back(
        OrderLog::from_parts(count, static_cast<unsigned>(stride), codes, sums, std::move(peaks)));
  }
  return logs;
}

std::shared_ptr<const DurationOrder> read_order(Scanner& in, std::int32_t ranks) {
  auto order = std::make_shared<DurationOrder>();
  std::size_t room = kMostLevels;
  const auto key = [&](const char* name) {
    in.expect(name, "in an order");
    in.expect("=", "after the name of a part");
  };
  in.expect("(", "in front of an order");
  key("stride");
  const std::size_t at = in.position();
  const std::uint64_t stride = in.unsigned_number("a number of halvings");
  if (stride > OrderLog::kLargestStride) in.refuse(at, "so many halvings no order has");
  order->stride = static_cast<unsigned>(stride);
  key("executions");
  order->executions = ValueSequence::from_terms(read_bracketed(in));
  key("step");
  order->step = in.number("a step");
  if (in.accept("common")) {
    in.expect("=", "after the name of a part");
    order->step_common = in.number("a step");
    order->common = read_levels(in, room);
  }
  key("residuals");
  in.expect("[", "in front of residuals");
  while (!in.accept("]")) {
    if (!order->residuals.empty()) in.expect(",", "between residuals");
    const std::uint64_t count = in.unsigned_number("a count");
    in.expect("/", "between a count and its value");
    order->residuals.push_back({count, in.number("a residual")});
  }
  if (in.accept("rows")) {
    in.expect("=", "after the name of a part");
    order->ranks = read_ranks(in, ranks);
    in.expect(":", "after the ranks with a row");
    while (in.next_is('[')) order->rows.push_back(read_levels(in, room));
  }
  const std::size_t before_peaks = in.position();
  if (in.accept("peaks")) {
    in.expect("=", "after the name of a part");
    order->peaks_of_rows = ValueSequence::from_terms(read_bracketed(in));
    in.expect(":", "after which peaks a row has");
    while (in.next_is('[')) {
      auto& list = order->peaks.emplace_back();
      list.distances = ValueSequence::from_terms(read_bracketed(in));
      in.expect("/", "between peaks and their durations");
      list.durations = ValueSequence::from_terms(read_bracketed(in));
    }
    if (const std::string problem = peaks_problem(*order); !problem.empty())
      in.refuse(before_peaks, problem);
  }
  in.expect(")", "after an order");
  return order;
}

}  // namespace reprise::trace_io
