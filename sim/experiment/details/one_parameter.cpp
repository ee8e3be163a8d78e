// SPDX-License-Identifier: MIT
#include "sim/experiment/details/one_parameter.hpp"

#include <algorithm>
#include <utility>

#include "sim/engine/critical_path/critical_path.hpp"

namespace reprise::sim {

LinkPlace links_that_matter(const Replayed& replayed) {
  const auto places =
      platforms::place_ranks(static_cast<std::uint32_t>(replayed.trace.header.ranks),
                             replayed.platform, replayed.settings.placement);
  const bool one_node = std::all_of(places.begin(), places.end(), [&](const auto& place) {
    return place.node == places.front().node;
  });
  return one_node ? LinkPlace::inside_node : LinkPlace::network;
}

OneParameter::OneParameter(const Replayed& replayed, Parameter parameter)
    : replayed_(replayed), parameter_(parameter), place_(links_that_matter(replayed)) {}

Parameter parameter_at(Parameter parameter, LinkPlace place) {
  if (parameter == Parameter::compute || place == LinkPlace::network) return parameter;
  return parameter == Parameter::latency ? Parameter::inside_latency : Parameter::inside_bandwidth;
}

std::pair<double, double> OneParameter::base() const {
  const CriticalPath::Result path = replayed_.observation.path()->result();
  return {path.time, path.slopes[parameter_at(parameter_, place_)]};
}

std::pair<double, double> OneParameter::at(double factor) const {
  ReplaySettings settings = replayed_.settings;
  Observation observation({.slopes = true});
  settings.observation = &observation;
  platforms::Platform platform = replayed_.platform;
  if (parameter_ == Parameter::compute)
    settings.compute_scale *= factor;
  else if (parameter_ == Parameter::latency)
    platform = with_scaled_links(std::move(platform), LinkQuantity::latency, place_, factor);
  else
    platform = with_scaled_links(std::move(platform), LinkQuantity::bandwidth, place_, 1 / factor);
  replay(replayed_.trace, platform, settings);
  const CriticalPath::Result path = observation.path()->result();
  return {path.time, path.slopes[parameter_at(parameter_, place_)]};
}

}  // namespace reprise::sim
