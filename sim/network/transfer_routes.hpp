// SPDX-License-Identifier: MIT
// Which way transfers under way have gone, kept only where conditions of links change: what was met on it is noted at their ends.
//
// Cost  nothing where there are no conditions; else a look-up of the route. Memory: 16 bytes a transfer under way, where there are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/network/link_conditions.hpp"
#include "sim/network/network.hpp"
#include "sim/network/route_cache.hpp"

namespace reprise::sim {

class TransferRoutes {
 public:
  // Both must live as long as this.
  TransferRoutes(RouteCache& cache, LinkConditions& conditions)
      : cache_(cache), conditions_(conditions) {}

  void begin(std::uint32_t index, const Network::Transfer& transfer) {
    if (conditions_.empty()) return;
    if (ways_.size() <= index) ways_.resize(index + std::size_t{1});
    ways_[index] = {transfer.from, transfer.to, transfer.start.value};
  }
  // Valid until the cache is asked again. REQUIRES: there are conditions, it has begun.
  std::span<const platforms::LinkIndex> links(std::uint32_t index) {
    return cache_.find(ways_[index].from, ways_[index].to).links;
  }
  void end(std::uint32_t index, double now) {
    if (!conditions_.empty()) conditions_.note(links(index), ways_[index].start, now);
  }

 private:
  struct Way {
    platforms::NodeIndex from = 0, to = 0;
    double start = 0;
  };
  RouteCache& cache_;
  LinkConditions& conditions_;
  std::vector<Way> ways_;
};

}  // namespace reprise::sim
