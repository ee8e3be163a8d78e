// SPDX-License-Identifier: MIT
// What messages on one path cost, in the terms of the replay's model (docs/MODEL.md), fitted to what was measured on it.
//
// One way    o_s + λL + n/(βB) + o_r, piece by piece (piecewise.hpp), cut at the eager limit where that is known; o_s and o_r as measured at
//            the smallest size, L what they leave of the time of that size, at least a tenth; B the last piece's.
// Exchange   takes longer than one way where senders wait for acknowledgements (a level for each range of sizes) and where two
//            messages share what carries them (a share of the bandwidth, from sizes of 256 KiB on). Without exchanges, osu_bibw or
//            osu_mbw_mr tell the latter. Inside a node, the two may share one capacity instead, whatever a message's own rate is at its
//            size (factors_apply_to: messages): where that halves the squares of ln(fitted / measured) at least.
// Handshake  between nodes: where the step at the eager limit has room for two latencies, less a fifth; inside a node never, the
//            receiver copies as soon as both have met.
// Residuals  fitted / measured − 1, of one-way times and exchanges.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "platforms/calibration/measurements.hpp"
#include "platforms/platform.hpp"

namespace reprise::platforms {

struct FittedTime {
  std::string series;  // "pingpong", "exchange"
  Bytes bytes;
  Seconds measured, fitted;
  std::uint64_t messages = 0;  // that were measured; 0 where nobody tells
};

struct PathFit {
  Seconds latency;
  BytesPerSecond per_message,
      in_all;  // the same where nothing tells more than one message from several
  bool has_own_overheads =
      false;  // else assumed to be a quarter of the smallest message's time each
  bool has_eager_limit = false;
  bool tells_progress = true;
  bool has_capacity = false;   // several messages at once were measured
  unsigned at_once = 0;        // how many
  unsigned cold_left_out = 0;  // times after computing that other processes disturbed
  Mpi mpi;
  std::string source;  // of the one-way times
  std::vector<FittedTime> times;
};

// Nothing where no one-way times of this path were measured. ASSUMED: the eager limit where none was measured.
std::optional<PathFit> fit_path(const Measurements&, MeasuredPath, Bytes assumed_eager_limit);

// A rate that depends on size: the last range's, and the factors of the ranges to it.
struct RateFit {
  BytesPerSecond rate;
  std::vector<SizeFactor> factors;  // empty where it does not depend on size
  std::string source;
};
// Nothing where it was not measured.
std::optional<RateFit> fit_rate(const Measurements&, Series::What);

}  // namespace reprise::platforms
