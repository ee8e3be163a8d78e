// SPDX-License-Identifier: MIT
// The simulations of a study, each under a name made of everything that decides its answer.
//
// Key    of the trace's bytes, the platform's document as changed, placement, network, deltas, changes, seed, which answers are asked
//        for, and the engine's sources. Labels do not count: a renamed value is not simulated again.
// Cost   each point's platform is built once: 0.1 ms a point.
#pragma once

#include <string>
#include <vector>

#include "sim/experiment/details/detail.hpp"
#include "sim/study/inputs.hpp"

namespace reprise::sim {

struct Run {
  std::size_t point = 0;  // of Plan::points
  std::uint32_t seed = 1;
  Details details;  // that it has to tell besides times and what limits them
  std::string key;
  const StudyInputs::Recording* recording = nullptr;  // of the point's
  std::optional<std::size_t> recording_number;        // counted from 1, where the point has several
  bool needs_own_process = false;                     // its network simulates once per process
};

struct Plan {
  std::vector<Point> points;
  // By point; of a point first each of its recordings with seed 1, then with seed 2, until there are as many runs as seeds.
  std::vector<Run> runs;
  std::vector<std::size_t>
      distinct;  // of the runs those with a key of their own: points may come to the same machine
};

// The engine that computes the answers: its version, and a name of all sources that decide them.
std::string_view engine_version();  // "0.1.0"
std::string_view engine_sources();  // 16 hexadecimal digits

// Also checks every point: throws InputError naming the point that cannot be simulated.
Plan plan_of(const Study&, const StudyInputs&);

}  // namespace reprise::sim
