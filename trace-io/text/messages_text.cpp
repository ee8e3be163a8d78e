// SPDX-License-Identifier: MIT
#include "trace-io/text/messages_text.hpp"

#include <array>
#include <string_view>

namespace reprise::trace_io {
namespace {

constexpr std::array<std::string_view, kMessageDistances> kDistances = {"itself", "same_node",
                                                                        "other_node"};
constexpr std::array<std::string_view, kMessageModes> kModes = {"random", "counter", "timer"};

std::string time_text(Nanoseconds time) { return std::to_string(time.value) + "ns"; }

template <class Number>
std::string or_any(Number number, Number any) {
  return number == any ? "any" : std::to_string(number);
}

// "3/900ns/200ns/400ns [420/1, 433/2]": count, sum, least, longest, and the buckets that hold some; "0" for none.
std::string stat_text(const LatencyStat& stat) {
  if (stat.count == 0) return "0";
  std::string text = std::to_string(stat.count) + "/" + time_text(stat.sum) + "/" +
                     time_text(stat.min) + "/" + time_text(stat.max) + " [";
  for (const LatencyBucket& bucket : stat.buckets) {
    if (text.back() != '[') text += ", ";
    text += std::to_string(bucket.code) + "/" + std::to_string(bucket.count);
  }
  return text + "]";
}

LatencyStat read_stat(Scanner& in) {
  LatencyStat stat;
  stat.count = in.unsigned_number("a number of messages");
  if (stat.count == 0) return stat;
  for (Nanoseconds* time : {&stat.sum, &stat.min, &stat.max}) {
    in.expect("/", "between count, sum, least and longest time");
    *time = Nanoseconds{in.nanoseconds("a time")};
  }
  in.expect("[", "in front of the buckets");
  while (!in.accept("]")) {
    if (!stat.buckets.empty()) in.expect(",", "between buckets");
    const std::size_t at = in.position();
    const std::uint64_t code = in.unsigned_number("a bucket");
    if (code >= kLatencyBuckets) in.refuse(at, "there is no bucket " + std::to_string(code));
    in.expect("/", "between a bucket and its count");
    stat.buckets.push_back(
        {static_cast<std::uint32_t>(code), in.unsigned_number("a number of messages")});
  }
  return stat;
}

template <class Enum, std::size_t kCount>
Enum read_word(Scanner& in, const std::array<std::string_view, kCount>& words, const char* what) {
  for (std::size_t i = 0; i < kCount; ++i)
    if (in.accept(words[i])) return static_cast<Enum>(i);
  in.refuse(std::string("expected ") + what);
}

std::uint32_t read_u32(Scanner& in, const char* what, std::uint32_t any) {
  if (in.accept("any")) return any;
  const std::size_t at = in.position();
  const std::uint64_t number = in.unsigned_number(what);
  if (number >= ~std::uint32_t{0}) in.refuse(at, std::string(what) + " does not fit 32 bits");
  return static_cast<std::uint32_t>(number);
}

}  // namespace

std::string messages_text(const MessageTimes& times) {
  const auto number = [](std::uint64_t value) { return std::to_string(value); };
  std::string text = "messages " + std::string(kModes[static_cast<std::size_t>(times.mode)]) +
                     " asked " + number(times.asked) + " kept " + number(times.kept) + " period " +
                     number(times.period) + " variance " + number(times.variance) + " bytes " +
                     number(times.least_bytes) + " " + number(times.most_bytes) + " sent " +
                     number(times.messages) + " chosen " + number(times.chosen) + " joined " +
                     number(times.joined) + " clock_error " + time_text(times.clock_error) + "\n";
  for (const MessageRow& row : times.rows)
    text += "message " + or_any(row.sender, MessageRow::kAnyRank) + " " +
            or_any(row.receiver, MessageRow::kAnyRank) + " sites " +
            or_any(row.send_site, MessageRow::kAnySite) + " " +
            or_any(row.receive_site, MessageRow::kAnySite) + " " +
            std::string(kDistances[static_cast<std::size_t>(row.distance)]) + " class " +
            std::to_string(row.size_class) + " bytes " + number(row.bytes) + " latency " +
            stat_text(row.latency) + "\n";
  for (const MessageCost& cost : times.costs)
    text += "message_cost " + std::string(kDistances[static_cast<std::size_t>(cost.distance)]) +
            " bytes " + number(cost.bytes) + " one_way " + stat_text(cost.one_way) + " exchange " +
            stat_text(cost.exchange) + " send " + stat_text(cost.send) + " receive " +
            stat_text(cost.receive) + " ahead " + number(cost.sent_ahead) + " held " +
            number(cost.held_back) + "\n";
  return text;
}

MessageTimes read_messages(Scanner& in) {
  MessageTimes times;
  times.mode = read_word<MessageMode>(in, kModes, "\"random\", \"counter\" or \"timer\"");
  const auto read = [&](const char* word, std::uint64_t& number) {
    in.expect(word, "in the statement \"messages\"");
    number = in.unsigned_number("a number");
  };
  read("asked", times.asked);
  read("kept", times.kept);
  read("period", times.period);
  read("variance", times.variance);
  read("bytes", times.least_bytes);
  times.most_bytes = in.unsigned_number("a number of bytes");
  read("sent", times.messages);
  read("chosen", times.chosen);
  read("joined", times.joined);
  in.expect("clock_error", "in the statement \"messages\"");
  times.clock_error = Nanoseconds{in.nanoseconds("a time")};
  return times;
}

MessageRow read_message_row(Scanner& in) {
  MessageRow row;
  const char* const rank = "a rank";
  row.sender = static_cast<std::int32_t>(read_u32(in, rank, ~std::uint32_t{0}));
  row.receiver = static_cast<std::int32_t>(read_u32(in, rank, ~std::uint32_t{0}));
  in.expect("sites", "after the ranks");
  row.send_site = read_u32(in, "a site", MessageRow::kAnySite);
  row.receive_site = read_u32(in, "a site", MessageRow::kAnySite);
  row.distance = read_word<MessageDistance>(in, kDistances, "a distance");
  in.expect("class", "after the distance");
  row.size_class = read_u32(in, "a size class", 0);
  in.expect("bytes", "after the size class");
  row.bytes = in.unsigned_number("a number of bytes");
  in.expect("latency", "after the bytes");
  row.latency = read_stat(in);
  return row;
}

MessageCost read_message_cost(Scanner& in) {
  MessageCost cost;
  cost.distance = read_word<MessageDistance>(in, kDistances, "a distance");
  in.expect("bytes", "after the distance");
  cost.bytes = in.unsigned_number("a number of bytes");
  in.expect("one_way", "after the bytes");
  cost.one_way = read_stat(in);
  in.expect("exchange", "after the one-way times");
  cost.exchange = read_stat(in);
  in.expect("send", "after the times of exchanges");
  cost.send = read_stat(in);
  in.expect("receive", "after the times of sends");
  cost.receive = read_stat(in);
  in.expect("ahead", "after the times of receives");
  cost.sent_ahead = in.unsigned_number("a number of sends");
  in.expect("held", "after the sends that were ahead");
  cost.held_back = in.unsigned_number("a number of sends");
  return cost;
}

}  // namespace reprise::trace_io
