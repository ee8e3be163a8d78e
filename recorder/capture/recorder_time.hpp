// SPDX-License-Identifier: MIT
// What the recorder took for itself while the program ran, by the kind of work: none of it is in a compute or communicate delta.
//
// Not here: what comes before a call's first reading of the clock and after its last one, a tenth of it all.
#pragma once

#include <cstdint>

#include "trace-io/base/quantity.hpp"

namespace reprise::recorder {

struct RecorderTime {
  Nanoseconds snapshots{};    // writing parts (finish/snapshot.hpp)
  Nanoseconds calibration{};  // of the clock
  Nanoseconds folding{};      // from the end of each call until it is part of the program
  Nanoseconds
      long_folding{};  // of that, where it took long: searches for loops, unwound call paths, tables that grew
  std::uint64_t snapshot_count = 0, appends = 0, long_appends = 0;

  RecorderTime& operator+=(const RecorderTime& other) {
    snapshots += other.snapshots;
    calibration += other.calibration;
    folding += other.folding;
    long_folding += other.long_folding;
    snapshot_count += other.snapshot_count;
    appends += other.appends;
    long_appends += other.long_appends;
    return *this;
  }
};

}  // namespace reprise::recorder
