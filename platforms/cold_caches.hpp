// SPDX-License-Identifier: MIT
// What MPI calls take longer when the rank has computed before: its caches then hold the program's data, not MPI's code and not the
// message.
//
// Ping-pongs never leave the caches; programs do. A send of 8 bytes that takes 0.1 us in a ping-pong takes 1.8 us behind a loop that
// goes through 16 MiB, and a message of 16 KiB 11 us instead of 4 (docs/RESULTS.md has the machine). Träff, Hunold et al. and IMB's
// -off_cache know the effect from benchmarks; here it is a cost of the model.
#pragma once

#include <vector>

#include "trace-io/base/quantity.hpp"

namespace reprise::platforms {

// What is added at this size.
struct SizePoint {
  Bytes bytes;
  Seconds time;
  bool operator==(const SizePoint&) const = default;
};

// What is added after so much computing to the send overhead, to the receive overhead, and to the copy of a member's own block in a
// collective. Ascending sizes.
struct ColdCosts {
  Seconds after;
  std::vector<SizePoint> send_overhead, recv_overhead, copy;
  bool operator==(const ColdCosts&) const = default;
};
using ColdCost = std::vector<SizePoint> ColdCosts::*;

// More than each further byte can cost: its line missed twice, at 100 ns a line of 64 bytes.
inline constexpr double kMostColdPerByte = 2 * 100e-9 / 64;

// LEVELS: ascending times of computing. Between two of them the cost is linear, 0 after no computing, the last one's beyond it. Of a
// level it is linear between two sizes, the first one's below the first and the last one's beyond the last: nothing was measured there, and
// of a message that is larger than the caches no more can be missing from them than they hold.
Seconds cold_cost(const std::vector<ColdCosts>& levels, ColdCost cost, Seconds computed,
                  Bytes size);

}  // namespace reprise::platforms
