// SPDX-License-Identifier: MIT
#include "sim/answers/traffic.hpp"

#include "sim/engine/observe/observation.hpp"
#include "sim/engine/replay.hpp"

namespace reprise::sim {

TrafficPairs count_traffic(const trace_io::Trace& trace, const platforms::Platform& platform,
                           const platforms::Placement& placement) {
  Observation observation({.pairs = true});
  ReplaySettings settings;
  settings.placement = placement;
  settings.network = NetworkKind::uncontended;
  settings.deltas = Deltas::mean;
  settings.wildcards = Wildcards::recorded;
  settings.observation = &observation;
  replay(trace, platform, settings);
  return observation.pairs();
}

}  // namespace reprise::sim
