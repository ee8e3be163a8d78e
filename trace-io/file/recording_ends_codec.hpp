// SPDX-License-Identifier: MIT
// Where recordings ended without MPI_Finalize, in the payload (FORMAT.md, section 9), for both directions: behind what else may follow the order.
#pragma once

#include <cstdint>
#include <string>

#include "trace-io/file/payload_tables.hpp"
#include "trace-io/model/recording_end.hpp"

namespace reprise::trace_io {

template <class Io>
class RecordingEndsCodec {
 public:
  static constexpr std::uint64_t kPart = 6;

  RecordingEndsCodec(Io& io, InOut<Io, Trace>& trace) : io_(io), trace_(trace) {}

  void all() {
    std::uint64_t before = 0;
    io_.each(kColumn, kColumn, trace_.ends, "ends of recordings",
             [&](InOut<Io, RecordingEnd>& end) { this->end(end, before); });
  }

 private:
  static constexpr Column kColumn = Column::order;

  void end(InOut<Io, RecordingEnd>& end, std::uint64_t& before) {
    const std::uint64_t gap =
        io_.number(kColumn, static_cast<std::uint64_t>(end.rank.value) - before);
    const std::uint64_t thread = io_.number(kColumn, end.thread);
    const std::uint64_t place = io_.number(kColumn, static_cast<std::uint64_t>(end.place));
    const std::uint64_t site =
        io_.number(kColumn, end.site == kNoSite ? 0 : std::uint64_t{end.site} + 1);
    const std::uint64_t time = io_.number(kColumn, static_cast<std::uint64_t>(end.time.value));
    const std::uint64_t signal = io_.number(kColumn, static_cast<std::uint64_t>(end.signal));
    if constexpr (Io::kReads) {
      below(gap, static_cast<std::uint64_t>(trace_.header.ranks) - before, "rank");
      below(thread, trace_.threads.size(), "thread");
      below(place, kLastPlaces, "place");
      below(site, trace_.sites.size() + 1, "site");
      below(time, std::uint64_t{1} << 62U, "time");
      below(signal, kMostSignals + 1, "signal");
      end = {Rank{static_cast<std::int32_t>(before + gap)},
             static_cast<std::uint32_t>(thread),
             static_cast<LastPlace>(place),
             site == 0 ? kNoSite : static_cast<SiteId>(site - 1),
             Nanoseconds{static_cast<std::int64_t>(time)},
             static_cast<std::int32_t>(signal)};
    }
    before = static_cast<std::uint64_t>(end.rank.value);
  }

  void below(std::uint64_t number, std::uint64_t limit, const char* what) {
    if (number >= limit)
      io_.refuse(kColumn, std::string("the end of a recording with a ") + what + " that cannot be");
  }

  Io& io_;
  InOut<Io, Trace>& trace_;
};

}  // namespace reprise::trace_io
