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
#include "sim/varying_rate.hpp"

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
  // Of the platform's own profiles, in place of these factors: from the beginning of `when` on.
  std::vector<FactorStep> bandwidth_steps{}, latency_steps{};
  bool is_of_platform() const { return !bandwidth_steps.empty() || !latency_steps.empty(); }
  bool is_always() const { return when.is_always() && !is_of_platform(); }
};

struct NodeChange {
  std::string where;
  NumberRanges nodes;
  TimeSpan when;
  double compute = 1;  // 2: computing takes twice as long
  // Of the platform's own profiles, in place of that: how fast it is, from the beginning of `when` on.
  std::vector<FactorStep> speed_steps{};
  bool is_of_platform() const { return !speed_steps.empty(); }
  bool is_always() const { return when.is_always() && !is_of_platform(); }
};

// A part of all interruptions: the share of those that take up to this one, as it ascends to 1, and how long one takes.
struct DurationShare {
  double up_to = 1, duration = 0;
};
// Interruptions of one core, by its number in a node, or of one rank.
struct NoisePattern {
  double every = 0;  // seconds of computing between two, in the mean; infinite: none come
  std::vector<DurationShare> durations;
  // As recorded: they are dealt out in turn, so that COUNT in a row take TOTAL seconds. 0: each is drawn.
  std::uint64_t count = 0;
  double total = 0;
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
  // Instead of every and duration: for each core, the ranks' cores modulo their number; or for each rank that there is a pattern of.
  enum class Patterns : std::uint8_t { none, of_cores, of_ranks };
  Patterns patterns_are = Patterns::none;
  std::vector<NoisePattern> patterns{};
};

struct Conditions {
  std::vector<LinkChange> links;
  std::vector<NodeChange> nodes;
  std::vector<NoiseChange> noise;
};

}  // namespace reprise::sim
