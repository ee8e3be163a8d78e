// SPDX-License-Identifier: MIT
// The cables of a machine by name, and where in its file they are described.
#pragma once

#include <string>
#include <vector>

#include "platforms/json/document.hpp"
#include "platforms/platform.hpp"

namespace reprise::sim {

struct Cable {
  std::string
      name;  // as RouteTable's link classes name it: "node", "spine", "global", "intra-node"
  std::string
      pointer;  // of its object: "/network/topology/levels/1/link"; need not be there, the network's link holds then
  platforms::LinkSpec link;
};
std::vector<Cable> cables_of(const platforms::Platform&);

// Multiplies KEY ("bandwidth" or "latency") of that cable and of no other. REQUIRES: the document is the platform's that the
// cable is of.
void multiply_cable(platforms::Document&, const Cable&, const std::string& key, double factor,
                    const std::string& where);

}  // namespace reprise::sim
