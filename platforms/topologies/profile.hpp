// SPDX-License-Identifier: MIT
// How a link or a host of a SimGrid platform file changes while the program runs: a list of times and factors, perhaps over and over.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace-io/base/quantity.hpp"

namespace reprise::platforms {

struct SimgridProfile {
  enum class Of : std::uint8_t { bandwidth, latency, speed };
  // From then on, until the next one: times what the platform says.
  struct Step {
    Seconds from;
    double factor = 1;
    bool operator==(const Step&) const = default;
  };

  Of of = Of::bandwidth;
  std::string name;         // of the link, or of the host whose speed it is
  std::vector<Step> steps;  // ascending times
  Seconds repeat_every;     // the steps come again so much later, for ever; 0: once
  std::string where;        // who says so, for messages
  bool operator==(const SimgridProfile&) const = default;
};

}  // namespace reprise::platforms
