// SPDX-License-Identifier: MIT
// A link's figures, and what a platform file says about where they come from.
#pragma once

#include <string>
#include <vector>

#include "trace-io/base/quantity.hpp"

namespace reprise::platforms {

// Who competes for a link's bandwidth.
enum class Sharing {
  kShared,       // both directions and all flows share one bandwidth (half duplex; a memory bus)
  kFullDuplex,   // each direction has the whole bandwidth, flows of one direction share it
  kUncontended,  // every flow gets the whole bandwidth (a bound per flow, never a bottleneck)
};

struct LinkSpec {
  BytesPerSecond bandwidth;
  Seconds latency;
  Sharing sharing = Sharing::kFullDuplex;

  bool operator==(const LinkSpec&) const = default;
};

// "/network/link" and what the file says about the numbers there and below.
struct SourceNote {
  std::string pointer, text;
};
using SourceNotes = std::vector<SourceNote>;

}  // namespace reprise::platforms
