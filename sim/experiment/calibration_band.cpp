// SPDX-License-Identifier: MIT
#include "sim/experiment/calibration_band.hpp"

#include <algorithm>
#include <set>

#include "platforms/calibration/message_costs.hpp"
#include "sim/processes/at_once.hpp"

namespace reprise::sim {
namespace {

bool crosses_nodes(const Outcome& predicted) {
  std::set<std::uint32_t> nodes;
  for (const auto& place : predicted.used.places) nodes.insert(place.node);
  return nodes.size() > 1;
}

}  // namespace

std::string why_no_band(const platforms::Platform& platform, const Outcome& predicted) {
  if (crosses_nodes(predicted) && !platform.mpi.uncertainty && platform.intra_node_mpi.uncertainty)
    return "the network between the platform's nodes was not measured";
  return "the platform states no uncertainty";
}

std::optional<CalibrationBand> calibration_band(const trace_io::Trace& trace,
                                                const platforms::Platform& platform,
                                                ReplaySettings settings, const Outcome& predicted,
                                                std::size_t jobs) {
  const double share = platforms::message_uncertainty(platform);
  if (share <= 0 || (crosses_nodes(predicted) && !platform.mpi.uncertainty)) return std::nullopt;
  settings.observation = nullptr;
  if (model_of(settings.network).simulates_once) settings.network = NetworkKind::flow;
  const auto times = at_once(
      jobs, 2, kFurtherReplay,
      [&](std::size_t i) {
        const double factor = i == 0 ? 1 / (1 + share) : 1 + share;
        return replay(trace, platforms::with_message_costs(platform, factor), settings)
            .predicted_time.value;
      },
      settings.watch);
  const double cheap = times[0], dear = times[1], as_is = predicted.predicted_time.value;
  return CalibrationBand{share, Seconds{std::min({cheap, dear, as_is})},
                         Seconds{std::max({cheap, dear, as_is})}};
}

}  // namespace reprise::sim
