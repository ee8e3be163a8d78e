// SPDX-License-Identifier: MIT
#include "trace-io/check/messages.hpp"

#include <tuple>

#include "trace-io/base/integers.hpp"
#include "trace-io/model/message_times.hpp"

namespace reprise::trace_io {
namespace {

std::string problem_of(const LatencyStat& stat) {
  if (stat.count == 0)
    return stat.buckets.empty() ? "" : "buckets of times where there are no times";
  Wide counted = 0, least = 0, most = 0;
  std::uint32_t next = 0;
  for (const LatencyBucket& bucket : stat.buckets) {
    if (bucket.code < next || bucket.code >= kLatencyBuckets || bucket.count == 0)
      return "buckets of times that are empty or not in order";
    next = bucket.code + 1;
    counted += bucket.count;
    least += Wide{bucket_start(bucket.code)} * bucket.count;
    most += Wide{bucket_start(next)} * bucket.count;
  }
  const auto min = static_cast<std::uint64_t>(stat.min.value),
             max = static_cast<std::uint64_t>(stat.max.value),
             sum = static_cast<std::uint64_t>(stat.sum.value);
  if (counted != stat.count || stat.min.value < 0 || min > max ||
      bucket_of(min) != stat.buckets.front().code || bucket_of(max) != stat.buckets.back().code ||
      sum < least || sum > most)
    return "times whose count, sum or extremes are not those of their buckets";
  return "";
}

auto order_of(const MessageRow& row) {
  return std::tuple(row.sender, row.receiver, row.send_site, row.receive_site, row.distance,
                    row.size_class);
}
auto order_of(const MessageCost& cost) { return std::tuple(cost.distance, cost.bytes); }

template <class Rows>
bool is_ordered(const Rows& rows) {
  for (std::size_t i = 1; i < rows.size(); ++i)
    if (!(order_of(rows[i - 1]) < order_of(rows[i]))) return false;
  return true;
}

std::string problem_of(const MessageRow& row, const Trace& trace) {
  const auto exists = [&](std::uint32_t site) {
    return site == MessageRow::kAnySite || site < trace.sites.size();
  };
  const bool any = row.sender == MessageRow::kAnyRank;
  if (any != (row.receiver == MessageRow::kAnyRank) || row.sender < MessageRow::kAnyRank ||
      row.receiver < MessageRow::kAnyRank || row.sender >= trace.header.ranks ||
      row.receiver >= trace.header.ranks)
    return "messages of ranks that do not exist";
  if (!exists(row.send_site) || !exists(row.receive_site))
    return "messages of call sites that do not exist";
  if (row.latency.count == 0) return "a row of no messages";
  if (row.size_class > 63) return "a size class that does not exist";
  const Wide count = row.latency.count;
  const Wide least = row.size_class == 0 ? 0 : Wide{1} << (row.size_class - 1),
             most = row.size_class == 0 ? 0 : (Wide{1} << row.size_class) - 1;
  if (row.bytes < least * count || row.bytes > most * count)
    return "bytes that are not of the messages' size class";
  return problem_of(row.latency);
}

}  // namespace

std::string messages_problem(const Trace& trace) {
  if (!trace.messages) return "";
  const MessageTimes& times = *trace.messages;
  if (times.asked > kWholeShare || times.kept > kWholeShare)
    return "a share of messages above all of them";
  if (times.chosen > times.messages || times.joined > times.chosen)
    return std::to_string(times.joined) + " messages joined of " + std::to_string(times.chosen) +
           " chosen of " + std::to_string(times.messages);
  if (!is_ordered(times.rows) || !is_ordered(times.costs))
    return "rows that are not in order, or there twice";
  Wide counted = 0;
  for (const MessageRow& row : times.rows) {
    if (std::string problem = problem_of(row, trace); !problem.empty()) return problem;
    counted += row.latency.count;
  }
  if (counted != times.joined) return "rows that do not add up to the messages joined";
  for (const MessageCost& cost : times.costs)
    for (const LatencyStat* stat : {&cost.one_way, &cost.exchange, &cost.send, &cost.receive})
      if (std::string problem = problem_of(*stat); !problem.empty()) return problem;
  return "";
}

}  // namespace reprise::trace_io
