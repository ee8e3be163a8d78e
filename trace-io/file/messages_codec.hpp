// SPDX-License-Identifier: MIT
// Times of sampled messages in the payload (FORMAT.md, section 9), for both directions: the part behind the completions, where they are.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "trace-io/file/payload_tables.hpp"
#include "trace-io/model/message_times.hpp"

namespace reprise::trace_io {

template <class Io>
class MessagesCodec {
 public:
  static constexpr std::uint64_t kPart = 4;

  MessagesCodec(Io& io, InOut<Io, Trace>& trace) : io_(io), trace_(trace) {}

  void all() {
    if constexpr (Io::kReads) {
      MessageTimes times;
      all(times);
      trace_.messages = std::make_shared<const MessageTimes>(std::move(times));
    } else {
      all(*trace_.messages);
    }
  }

 private:
  static constexpr Column kColumn = Column::order;

  void all(InOut<Io, MessageTimes>& times) {
    choice(times.mode, kMessageModes, "way of choosing messages");
    for (auto* number :
         {&times.asked, &times.kept, &times.period, &times.variance, &times.least_bytes,
          &times.most_bytes, &times.messages, &times.chosen, &times.joined})
      one(*number);
    time(times.clock_error);
    io_.each(kColumn, kColumn, times.rows, "rows of messages",
             [this](InOut<Io, MessageRow>& row) { this->row(row); });
    io_.each(kColumn, kColumn, times.costs, "costs of messages",
             [this](InOut<Io, MessageCost>& cost) { this->cost(cost); });
  }

  void one(InOut<Io, std::uint64_t>& number) {
    const std::uint64_t read = io_.number(kColumn, number);
    if constexpr (Io::kReads) number = read;
  }
  void time(InOut<Io, Nanoseconds>& time) {
    const std::uint64_t read = io_.number(kColumn, static_cast<std::uint64_t>(time.value));
    if constexpr (Io::kReads) {
      if (read >> 62U != 0) io_.refuse(kColumn, "a time of messages that is too long");
      time = Nanoseconds{static_cast<std::int64_t>(read)};
    }
  }
  template <class Enum>
  void choice(Enum& value, std::uint64_t choices, const char* what) {
    const std::uint64_t read = io_.number(kColumn, static_cast<std::uint64_t>(value));
    if constexpr (Io::kReads) {
      if (read >= choices)
        io_.refuse(kColumn, std::string(what) + " " + std::to_string(read) + " does not exist");
      value = static_cast<Enum>(read);
    }
  }
  // 0: none; n: n − 1.
  void index(InOut<Io, std::uint32_t>& value, std::uint64_t limit, const char* what) {
    const std::uint64_t read = io_.number(kColumn, std::uint64_t{value + 1});
    if constexpr (Io::kReads) {
      if (read > limit)
        io_.refuse(kColumn, std::string(what) + " " + std::to_string(read - 1) + " does not exist");
      value = static_cast<std::uint32_t>(read) - 1;
    }
  }
  void rank(InOut<Io, std::int32_t>& value) {
    auto as_index = static_cast<std::uint32_t>(value);
    index(as_index, static_cast<std::uint64_t>(trace_.header.ranks), "rank");
    if constexpr (Io::kReads) value = static_cast<std::int32_t>(as_index);
  }

  void stat(InOut<Io, LatencyStat>& stat) {
    one(stat.count);
    if (stat.count == 0) return;
    time(stat.sum);
    time(stat.min);
    time(stat.max);
    std::uint64_t next = 0;
    io_.each(kColumn, kColumn, stat.buckets, "buckets of latencies",
             [&](InOut<Io, LatencyBucket>& bucket) {
               const std::uint64_t gap = io_.number(kColumn, bucket.code - next);
               if constexpr (Io::kReads) {
                 if (gap >= kLatencyBuckets - next)
                   io_.refuse(kColumn, "a bucket of latencies that does not exist");
                 bucket.code = static_cast<std::uint32_t>(next + gap);
               }
               next = std::uint64_t{bucket.code} + 1;
               one(bucket.count);
             });
  }

  void row(InOut<Io, MessageRow>& row) {
    rank(row.sender);
    rank(row.receiver);
    index(row.send_site, trace_.sites.size(), "site");
    index(row.receive_site, trace_.sites.size(), "site");
    choice(row.distance, kMessageDistances, "distance of messages");
    std::uint64_t size_class = io_.number(kColumn, row.size_class);
    if constexpr (Io::kReads) {
      if (size_class > 64) io_.refuse(kColumn, "a size class that does not exist");
      row.size_class = static_cast<std::uint32_t>(size_class);
    }
    one(row.bytes);
    stat(row.latency);
  }

  void cost(InOut<Io, MessageCost>& cost) {
    choice(cost.distance, kMessageDistances, "distance of messages");
    one(cost.bytes);
    stat(cost.one_way);
    stat(cost.exchange);
    stat(cost.send);
    stat(cost.receive);
    one(cost.sent_ahead);
    one(cost.held_back);
  }

  Io& io_;
  InOut<Io, Trace>& trace_;
};

}  // namespace reprise::trace_io
