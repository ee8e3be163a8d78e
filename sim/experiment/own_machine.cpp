// SPDX-License-Identifier: MIT
#include "sim/experiment/own_machine.hpp"

#include <algorithm>
#include <bit>

#include "platforms/calibration/base_curve.hpp"
#include "platforms/load.hpp"
#include "sim/recorded_machine.hpp"
#include "sim/text/numbers.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"
#include "trace-io/model/message_times.hpp"

namespace reprise::sim {
namespace {

using platforms::MeasuredPath;
using platforms::Measurements;
using platforms::Series;
using trace_io::LatencyStat;
using trace_io::MessageCost;
using trace_io::MessageDistance;

constexpr double kMedian = 0.5;

std::optional<MeasuredPath> path_of(MessageDistance distance) {
  if (distance == MessageDistance::same_node) return MeasuredPath::kIntraNode;
  if (distance == MessageDistance::other_node) return MeasuredPath::kInterNode;
  return std::nullopt;
}

// Where there are few of the first kind of times of a size, the second, if any.
Series series_of(const trace_io::MessageTimes& times, MeasuredPath path, Series::What what,
                 const char* name, LatencyStat MessageCost::*first,
                 LatencyStat MessageCost::*second) {
  Series series{what, path, 1, name, "", {}, {}};
  std::uint64_t messages = 0;
  for (const MessageCost& cost : times.costs) {
    if (path_of(cost.distance) != path) continue;
    const LatencyStat& stat = cost.*((cost.*first).count >= kFewestMessages ? first : second);
    platforms::Sample sample{Bytes{cost.bytes}, stat.quantile(kMedian).seconds()};
    if (stat.count < kFewestMessages || sample.time.value <= 0) continue;
    sample.count = stat.count;
    messages += sample.count;
    series.samples.push_back(sample);
  }
  series.source = counted(messages, "message") + " of the recorded run, of " +
                  counted(series.samples.size(), "size");
  return series;
}

// Where the sends of late receivers tell it.
std::optional<Bytes> eager_limit_of(const trace_io::MessageTimes& times, MeasuredPath path,
                                    Bytes of_the_base) {
  std::uint64_t eager = 0, held = ~std::uint64_t{0};
  bool has_eager = false;
  for (const MessageCost& cost : times.costs) {
    if (path_of(cost.distance) != path || cost.sent_ahead + cost.held_back < kFewestMessages)
      continue;
    if (cost.sent_ahead > cost.held_back) {
      eager = std::max(eager, cost.bytes);
      has_eager = true;
    } else {
      held = std::min(held, cost.bytes);
    }
  }
  const bool has_held = held != ~std::uint64_t{0};
  if (!has_eager && !has_held) return std::nullopt;
  if (!has_held) return std::max(Bytes{eager}, of_the_base);
  if (eager >= held) return Bytes{eager};  // the sizes do not decide it alone
  if (held < 2 || std::has_single_bit(held)) return Bytes{std::max(eager, held - 1)};
  return Bytes{std::max(eager, std::bit_floor(held - 1))};
}

std::uint64_t messages_in(const Measurements& measured) {
  std::uint64_t messages = 0;
  for (const Series& series : measured.series)
    if (series.what == Series::What::kOneWay)
      for (const platforms::Sample& sample : series.samples) messages += sample.count;
  return messages;
}

}  // namespace

Measurements measured_messages(const trace_io::Trace& trace, const platforms::Platform& base) {
  Measurements measured;
  if (!trace.messages) return measured;
  const trace_io::MessageTimes& times = *trace.messages;
  for (const MeasuredPath path : {MeasuredPath::kIntraNode, MeasuredPath::kInterNode}) {
    Series one_way = series_of(times, path, Series::What::kOneWay, "messages",
                               &MessageCost::one_way, &MessageCost::exchange);
    if (one_way.samples.empty()) continue;
    Series send = series_of(times, path, Series::What::kSendOverhead, "sends", &MessageCost::send,
                            &MessageCost::send),
           receive = series_of(times, path, Series::What::kRecvOverhead, "receives",
                               &MessageCost::receive, &MessageCost::receive);
    const platforms::Mpi& mpi = path == MeasuredPath::kIntraNode ? base.intra_node_mpi : base.mpi;
    if (const auto limit = eager_limit_of(times, path, mpi.eager_limit)) {
      measured.eager_limits.push_back({path, *limit,
                                       mpi.progress == platforms::Progress::kAsynchronous,
                                       "sends of the run", false});
      std::erase_if(send.samples, [&](const auto& sample) { return sample.bytes > *limit; });
      std::erase_if(receive.samples, [&](const auto& sample) { return sample.bytes > *limit; });
    }
    measured.series.push_back(std::move(one_way));
    if (!send.samples.empty() && !receive.samples.empty()) {
      measured.series.push_back(std::move(send));
      measured.series.push_back(std::move(receive));
    }
  }
  return measured;
}

platforms::Calibration calibrate_from(const trace_io::Trace& trace, const std::string& trace_path,
                                      platforms::CalibrationSettings settings) {
  if (!trace.messages)
    throw InputError(trace_path, "no message times were sampled",
                     "record the program with --messages sample:1%");
  if (!settings.base) settings.base = recorded_machine(trace.header);
  const platforms::Platform base = platforms::parse_platform(*settings.base);
  Measurements measured = measured_messages(trace, base);
  if (measured.series.empty())
    throw InputError(trace_path,
                     "no message size has " + std::to_string(kFewestMessages) +
                         " samples that a receiver had waited for",
                     "sample more of them (--messages sample:100%), or use reprise-probe");
  platforms::add_base_sizes(measured, base);
  measured.include_cold_caches = true;
  auto made = platforms::calibrate(measured, settings);
  if (was_oversubscribed(trace.header))
    made.remarks.emplace_back(
        "the recording had more ranks than cores: its messages waited for time slices, and so will "
        "the platform's");
  return made;
}

platforms::Document own_machine(const trace_io::Trace& trace) {
  platforms::Document assumed = recorded_machine(trace.header);
  if (!trace.messages || was_oversubscribed(trace.header) ||
      measured_messages(trace, platforms::parse_platform(assumed)).series.empty())
    return assumed;
  const std::string where = assumed.file;
  platforms::CalibrationSettings settings;
  settings.name = "recorded-machine";
  settings.base = std::move(assumed);
  const auto made = calibrate_from(trace, where, std::move(settings));
  return platforms::parse_document(made.platform.dump(), where);
}

std::string describe_own_machine(const trace_io::Trace& trace) {
  std::string text = describe_recorded_machine(trace.header);
  if (!trace.messages || was_oversubscribed(trace.header)) return text;
  const auto measured =
      measured_messages(trace, platforms::parse_platform(recorded_machine(trace.header)));
  if (measured.series.empty()) return text;
  // As far as the closing bracket: what follows was assumed, and has been measured.
  return text.substr(0, text.find("), its ") + 1) +
         ", its messages measured in the run: " + counted(messages_in(measured), "message");
}

}  // namespace reprise::sim
