// SPDX-License-Identifier: MIT
// Counts of events in the payload (FORMAT.md, section 9), for both directions: behind what else may follow the order.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "trace-io/file/path_ends_codec.hpp"
#include "trace-io/model/compute_counters.hpp"

namespace reprise::trace_io {

template <class Io>
class ComputeCountersCodec {
 public:
  static constexpr std::uint64_t kPart = 5;

  ComputeCountersCodec(Io& io, InOut<Io, Trace>& trace) : io_(io), trace_(trace) {}

  void all() {
    if constexpr (Io::kReads) {
      ComputeCounters counters;
      describe(counters);
      trace_.counters = std::make_shared<const ComputeCounters>(std::move(counters));
    } else {
      describe(*trace_.counters);
    }
  }

 private:
  static constexpr Column kColumn = Column::order;

  void describe(InOut<Io, ComputeCounters>& counters) {
    io_.each(kColumn, kColumn, counters.events, "counted events",
             [this](InOut<Io, CountedEvent>& event) { this->event(event); });
    std::uint64_t before = 0;
    io_.each(kColumn, kColumn, counters.ways, "counted paths", [&](InOut<Io, WayCounts>& way) {
      describe_path_ends(io_, kColumn, trace_, way, before);
      if constexpr (Io::kReads) way.counts.resize(counters.events.size());
      std::int64_t time = 0;
      for (InOut<Io, Count>& count : way.counts) this->count(count, time);
    });
  }

  void event(InOut<Io, CountedEvent>& event) {
    const std::uint64_t number = io_.number(kColumn, static_cast<std::uint64_t>(event.event));
    if constexpr (Io::kReads) {
      if (number >= kCounterEvents.size())
        io_.refuse(kColumn, "counted event " + std::to_string(number) + " does not exist");
      event.event = static_cast<CounterEvent>(number);
    }
    for (auto* threads : {&event.threads, &event.absent, &event.scaled}) value(*threads);
  }

  // The time by its distance from that of the event before: most often it is the same.
  void count(InOut<Io, Count>& count, std::int64_t& time) {
    value(count.value);
    const std::uint64_t more = io_.number(kColumn, zigzag(count.time.value - time));
    if constexpr (Io::kReads) {
      const std::uint64_t sum =
          static_cast<std::uint64_t>(time) + static_cast<std::uint64_t>(unzigzag(more));
      if (sum >= kMostCounted) io_.refuse(kColumn, "an impossible counting time");
      count.time = Nanoseconds{static_cast<std::int64_t>(sum)};
    }
    time = count.time.value;
  }

  void value(InOut<Io, std::uint64_t>& value) {
    const std::uint64_t number = io_.number(kColumn, value);
    if constexpr (Io::kReads) {
      if (number > kMostCounted)
        io_.refuse(kColumn, "a count above what can be: " + std::to_string(number));
      value = number;
    }
  }

  Io& io_;
  InOut<Io, Trace>& trace_;
};

}  // namespace reprise::trace_io
