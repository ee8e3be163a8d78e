// SPDX-License-Identifier: MIT
#include "sim/study/machines.hpp"

#include <algorithm>

#include "platforms/load.hpp"
#include "sim/experiment/own_machine.hpp"

namespace reprise::sim {
namespace {

using nlohmann::ordered_json;

ordered_json machine_json(const std::string& named, const StudyInputs& inputs) {
  const platforms::Platform platform = platforms::parse_platform(inputs.platform(named));
  std::string source = named.empty() ? describe_own_machine(inputs.recordings()[0][0].trace) : "";
  if (!named.empty() && !platform.sources.empty() && platform.sources.front().pointer.empty())
    source = platform.sources.front().text;
  return {{"platform", named},
          {"name", named.empty() ? std::string("the machine of the recording") : platform.name},
          {"nodes", platform.nodes.count},
          {"cores", platform.nodes.cores},
          {"source", std::move(source)},
          {"states_uncertainty", platform.mpi.uncertainty || platform.intra_node_mpi.uncertainty}};
}

}  // namespace

ordered_json machines_json(const Study& study, const StudyInputs& inputs,
                           const std::vector<Point>& points) {
  auto machines = ordered_json::array();
  std::vector<std::string> known;
  for (const Point& point : points) {
    const std::string named = platform_of(study, point);
    if (std::ranges::find(known, named) != known.end()) continue;
    known.push_back(named);
    machines.push_back(machine_json(named, inputs));
  }
  return machines;
}

std::string uncalibrated_text(const ordered_json& machines,
                              const std::vector<std::string>& platforms) {
  std::vector<std::string> names;
  std::size_t examples = 0;
  for (const auto& machine : machines) {
    if (std::ranges::find(platforms, machine["platform"].get<std::string>()) == platforms.end())
      continue;
    names.push_back(machine["name"]);
    examples += machine["source"].get<std::string>().find("example machine") != std::string::npos;
  }
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  const bool is_one = names.size() == 1;
  text += is_one ? " (its file states no uncertainty" : " (their files state no uncertainty";
  if (examples == names.size())
    text += is_one ? "; an example machine" : "; example machines";
  else if (examples > 0)
    text += "; " + std::to_string(examples) +
            (examples == 1 ? " of them is an example machine" : " of them are example machines");
  return text + ")";
}

}  // namespace reprise::sim
