// SPDX-License-Identifier: MIT
#include "sim/experiment/platform_profiles.hpp"

#include <algorithm>
#include <limits>

#include "sim/text/numbers.hpp"

namespace reprise::sim {
namespace {

using platforms::RoutedBySimgrid;
using platforms::SimgridProfile;

const RoutedBySimgrid* with_profiles(const platforms::Platform& platform) {
  const auto* routed =
      platform.network ? std::get_if<RoutedBySimgrid>(&platform.network->topology) : nullptr;
  return routed == nullptr || routed->profiles.empty() ? nullptr : routed;
}

bool repeats(const SimgridProfile& profile) { return profile.repeat_every.value > 0; }

// How often the steps of a profile that repeats are written out.
std::size_t times(const SimgridProfile& profile, const RoutedBySimgrid& all) {
  const std::size_t steps = kMostSteps / all.profiles.size() / profile.steps.size();
  return repeats(profile) ? std::max<std::size_t>(steps, 2) : 1;
}

std::vector<FactorStep> steps_of(const SimgridProfile& profile, const RoutedBySimgrid& all) {
  std::vector<FactorStep> steps;
  for (std::size_t i = 0; i < times(profile, all); ++i)
    for (const SimgridProfile::Step& step : profile.steps)
      steps.push_back(
          {step.from.value + static_cast<double>(i) * profile.repeat_every.value, step.factor});
  return steps;
}

LinkChange change_of(const SimgridProfile& profile, const RoutedBySimgrid::LinkOfClass& link,
                     const std::vector<FactorStep>& steps) {
  LinkChange change;
  change.where = profile.where;
  change.links = link.name;
  change.cables = {{link.number, link.number}};
  change.when.from = steps.front().from;
  (profile.of == SimgridProfile::Of::bandwidth ? change.bandwidth_steps : change.latency_steps) =
      steps;
  return change;
}

}  // namespace

void add_profiles(const platforms::Platform& platform, Conditions& conditions) {
  const RoutedBySimgrid* const routed = with_profiles(platform);
  if (routed == nullptr) return;
  for (const SimgridProfile& profile : routed->profiles) {
    const auto steps = steps_of(profile, *routed);
    if (profile.of == SimgridProfile::Of::speed) {
      NodeChange change;
      change.where = profile.where;
      const std::int64_t node = routed->node_of_profile(profile);
      change.nodes = {{node, node}};
      change.when.from = steps.front().from;
      change.speed_steps = steps;
      conditions.nodes.push_back(std::move(change));
    } else {
      for (const auto& link : routed->links_of_profile(profile))
        conditions.links.push_back(change_of(profile, link, steps));
    }
  }
}

std::vector<std::string> profiles_outrun(const platforms::Platform& platform, Seconds end) {
  std::vector<std::string> words;
  const RoutedBySimgrid* const routed = with_profiles(platform);
  if (routed == nullptr) return words;
  for (const SimgridProfile& profile : routed->profiles) {
    const Seconds last = profile.repeat_every * static_cast<double>(times(profile, *routed));
    if (repeats(profile) && end > last)
      words.push_back(profile.where + ": the profile of \"" + profile.name +
                      "\" is followed until " + duration_text(last) + " only");
  }
  return words;
}

}  // namespace reprise::sim
