// SPDX-License-Identifier: MIT
// One node, no network: every message stays on the node's own path.
#pragma once

#include "platforms/routes.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::platforms {

class SingleNodeRoutes final : public RouteTable {
 public:
  explicit SingleNodeRoutes(const Platform& platform) : RouteTable(platform) {
    REPRISE_ASSERT(node_count() == 1, "only a single node needs no network");
  }

 private:
  void append_links(NodeIndex, NodeIndex, std::vector<LinkIndex>&) const override {
    REPRISE_ASSERT(false, "one node has no other");
  }
};

}  // namespace reprise::platforms
