// SPDX-License-Identifier: MIT
// What is not as the platform and the recording say, and perhaps for some time only: degraded links, slow nodes, noise.
//
// Times are simulated seconds from the end of MPI_Init, where predicted times begin. What holds at one time multiplies.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "sim/number_ranges.hpp"

namespace reprise::sim {

struct TimeSpan {
  double from = 0, to = std::numeric_limits<double>::infinity();
  bool is_always() const { return from <= 0 && to == std::numeric_limits<double>::infinity(); }
};

struct LinkChange {
  std::string where;  // who says so, for messages: "s.json at /changes/2"
  std::string
      links;  // a link class ("node up"), a cable ("node": both directions), or "node:0-3": those nodes' own links
  NumberRanges cables;  // which of the class, numbered from 0; empty: all
  TimeSpan when;
  double bandwidth = 1, latency = 1;  // factors above zero
};

struct NodeChange {
  std::string where;
  NumberRanges nodes;
  TimeSpan when;
  double compute = 1;  // 2: computing takes twice as long
};

// Interruptions of computing (docs/MODEL.md, Noise). They come in a rank's own computing time, so that what a rank suffers depends on
// the seed alone, and not on the machine or the network.
struct NoiseChange {
  enum class Arrivals : std::uint8_t { periodic, random };
  std::string where;
  NumberRanges ranks, nodes;  // empty: all
  double every = 0;           // seconds of computing between two interruptions, in the mean
  double duration = 0;        // seconds that each takes, in the mean
  Arrivals arrivals = Arrivals::periodic;
};

struct Conditions {
  std::vector<LinkChange> links;
  std::vector<NodeChange> nodes;
  std::vector<NoiseChange> noise;
};

}  // namespace reprise::sim
