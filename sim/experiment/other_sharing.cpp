// SPDX-License-Identifier: MIT
#include "sim/experiment/other_sharing.hpp"

#include <algorithm>
#include <cmath>

#include "sim/experiment/mean_times.hpp"
#include "sim/text/numbers.hpp"
#include "sim/text/time_ratio.hpp"

namespace reprise::sim {

std::optional<NetworkKind> other_sharing(NetworkKind network) {
  if (model_of(network).is_max_min) return NetworkKind::queue;
  if (network == NetworkKind::queue) return NetworkKind::flow;
  return std::nullopt;
}

std::optional<OtherSharing> with_other_sharing(const trace_io::Trace& trace,
                                               const platforms::Platform& platform,
                                               const ReplaySettings& settings,
                                               const Outcome& outcome) {
  const auto network = other_sharing(settings.network);
  if (!network || outcome.operations > kMostCompared) return std::nullopt;
  const double noticed = kNoticed * outcome.predicted_time.value;
  if (std::ranges::none_of(outcome.ranks, [&](const auto& rank) {
        return rank.finish.value - rank.compute.value > noticed;
      }))
    return std::nullopt;
  ReplaySettings others = settings;
  others.network = *network;
  others.observation = nullptr;
  others.watch = nullptr;  // which counts the calls of one replay
  const Seconds predicted = replay(trace, platform, others).predicted_time;
  return OtherSharing{*network, predicted,
                      std::abs(predicted.value - outcome.predicted_time.value) > noticed};
}

std::string describe(const OtherSharing& other, const Outcome& outcome) {
  return "by network " + std::string(name_of(other.network)) + " (" +
         std::string(model_of(other.network).summary) + ") the run takes " +
         seconds_text(other.predicted) + ", " +
         time_ratio_text(other.predicted / outcome.predicted_time, 2) +
         ": the run time depends strongly on how messages share links (--network all shows what "
         "each model says)";
}

std::string certainty_of(const OtherSharing& other, const Outcome& outcome) {
  return "; network models differ (" + outcome.network + " " +
         seconds_text(outcome.predicted_time) + ", " + std::string(name_of(other.network)) + " " +
         seconds_text(other.predicted) + ")";
}

}  // namespace reprise::sim
