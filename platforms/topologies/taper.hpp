// SPDX-License-Identifier: MIT
// How wide a topology of levels of switches is from its nodes up: cables per node, and the oversubscription of every level.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platforms/topologies/registry.hpp"

namespace reprise::platforms {

// Of one switch of each level but the last, which has none above it.
struct LevelWidth {
  std::uint64_t down = 0, up = 0;               // cables
  BytesPerSecond down_bandwidth, up_bandwidth;  // of each of them
  // What comes from below over what fits upwards: above 1 not all nodes can send upwards at full speed.
  double oversubscription() const {
    return static_cast<double>(down) * down_bandwidth.value /
           (static_cast<double>(up) * up_bandwidth.value);
  }
};

struct Taper {
  std::uint64_t cables_per_node = 1;
  std::vector<LevelWidth> levels;  // levels[0] is of the switches that nodes are connected to
};

// Of a fat tree; nothing where the nodes are joined otherwise.
std::optional<Taper> taper_of(const Topology&);

// "level 1: 16 nodes down, 8 cables up: 2:1"; the first line has the cables per node.
std::vector<std::string> taper_lines(const Taper&);

// What such a file seldom means, with what it may have meant: several cables per node, a level wider than the one below.
std::vector<std::string> taper_remarks(const Taper&);

}  // namespace reprise::platforms
