// SPDX-License-Identifier: MIT
#include "platforms/topologies/taper.hpp"

#include <cstdio>

#include "trace-io/base/units.hpp"

namespace reprise::platforms {
namespace {

std::string several(std::uint64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

// "2:1", "1:2", "1.25:1".
std::string ratio(double oversubscription) {
  char text[40];
  if (oversubscription >= 1)
    std::snprintf(text, sizeof text, "%.3g:1", oversubscription);
  else
    std::snprintf(text, sizeof text, "1:%.3g", 1 / oversubscription);
  return text;
}

}  // namespace

std::optional<Taper> taper_of(const Topology& topology) {
  const auto* const tree = std::get_if<FatTree>(&topology);
  if (tree == nullptr || tree->levels.empty()) return std::nullopt;
  const auto upwards = [](const FatTree::Level& level) {
    return std::uint64_t{level.up} * level.parallel;
  };
  const auto& levels = tree->levels;
  Taper taper;
  taper.cables_per_node = upwards(levels[0]);
  for (std::size_t i = 0; i + 1 < levels.size(); ++i)
    taper.levels.push_back({std::uint64_t{levels[i].down} * levels[i].parallel,
                            upwards(levels[i + 1]), levels[i].link.bandwidth,
                            levels[i + 1].link.bandwidth});
  return taper;
}

std::vector<std::string> taper_lines(const Taper& taper) {
  std::vector<std::string> lines{several(taper.cables_per_node, "cable") + " per node"};
  for (std::size_t i = 0; i < taper.levels.size(); ++i) {
    const LevelWidth& level = taper.levels[i];
    const bool is_node = i == 0 && taper.cables_per_node == 1,
               differ = level.down_bandwidth != level.up_bandwidth;
    const auto each = [&](BytesPerSecond bandwidth) {
      return differ ? " of " + to_text(bandwidth) : "";
    };
    lines.push_back("level " + std::to_string(i + 1) + ": " +
                    several(level.down, is_node ? "node" : "cable") + each(level.down_bandwidth) +
                    " down, " + several(level.up, "cable") + each(level.up_bandwidth) +
                    " up: " + ratio(level.oversubscription()));
  }
  return lines;
}

std::vector<std::string> taper_remarks(const Taper& taper) {
  std::vector<std::string> remarks;
  if (taper.cables_per_node > 1)
    remarks.push_back("every node has " + std::to_string(taper.cables_per_node) +
                      " cables: \"up\" of levels[0] counts the cables above a node. For one cable "
                      "per node give it \"up\": 1; the uplinks of the first switches are \"up\" of "
                      "levels[1]");
  for (std::size_t i = 0; i < taper.levels.size(); ++i)
    if (taper.levels[i].oversubscription() < 1 - 1e-9)
      remarks.push_back("the switches of level " + std::to_string(i + 1) +
                        " have more bandwidth upwards than their " +
                        (i == 0 ? "nodes" : "lower levels") + " can use (" +
                        ratio(taper.levels[i].oversubscription()) + "): \"up\" of levels[" +
                        std::to_string(i + 1) + "] counts the cables above each of them");
  return remarks;
}

}  // namespace reprise::platforms
