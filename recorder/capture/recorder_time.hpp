// SPDX-License-Identifier: MIT
// What the recorder took for itself while the program ran, by the kind of work: none of it is in a compute or communicate delta.
//
// Bookkeeping of a call that went as predicted is left out of the deltas too, but not counted here: it is short, and reading the
// clock for it would double it.
#pragma once

#include <cstdint>

#include "trace-io/base/quantity.hpp"

namespace reprise::recorder {

struct RecorderTime {
  Nanoseconds snapshots{};    // writing parts (finish/snapshot.hpp)
  Nanoseconds calibration{};  // of the clock
  Nanoseconds
      folding{};  // searches for loops, unwound call paths, tables that grew: appends of kLong and more
  std::uint64_t snapshot_count = 0, long_appends = 0;

  RecorderTime& operator+=(const RecorderTime& other) {
    snapshots += other.snapshots;
    calibration += other.calibration;
    folding += other.folding;
    snapshot_count += other.snapshot_count;
    long_appends += other.long_appends;
    return *this;
  }
};

}  // namespace reprise::recorder
