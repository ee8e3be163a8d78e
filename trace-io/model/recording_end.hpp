// SPDX-License-Identifier: MIT
// Where a thread was when its recording ended without MPI_Finalize: in which call it hung, or after which one its process died.
//
// Known    where the recorder was told: a signal that can be caught, exit(), MPI_Abort. Of a process that SIGKILL ended nothing is known after its
//          last snapshot.
// Time     wall-clock time, whatever the trace's clock. The call itself is not among the trace's events, for it has not returned.
#pragma once

#include <compare>
#include <cstdint>

#include "trace-io/base/quantity.hpp"
#include "trace-io/model/event.hpp"

namespace reprise::trace_io {

enum class LastPlace : std::uint8_t {
  inside,   // in a call
  polling,  // between polls that found nothing (MPI_Test, MPI_Iprobe)
  outside,  // after a call
};
inline constexpr std::uint8_t kLastPlaces = 3;
inline constexpr std::int32_t kMostSignals = 64;

struct RecordingEnd {
  Rank rank;
  std::uint32_t thread = 0;  // index into Trace::threads
  LastPlace place = LastPlace::outside;
  SiteId site = kNoSite;    // of that call; kNoSite: not known
  Nanoseconds time{};       // since the thread came there; 0: not known
  std::int32_t signal = 0;  // that ended the process; 0: exit() or MPI_Abort
  friend bool operator==(const RecordingEnd&, const RecordingEnd&) = default;
};

}  // namespace reprise::trace_io
