// SPDX-License-Identifier: MIT
// The routes that a node used last: programs send to few partners, and a table look-up is cheaper than a route.
//
// How   a node that sends gets kPlaces places, a destination has one of them; what was there before is forgotten.
// Cost  a hit is an indexed load; a miss is the route table's O(levels). Memory: under 1 KiB for each node that sends.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "platforms/routes.hpp"

namespace reprise::sim {

class RouteCache {
 public:
  explicit RouteCache(const platforms::RouteTable& routes) : routes_(routes), nodes_(routes.node_count()) {}

  // Valid until the next call. REQUIRES: both are nodes of the table.
  const platforms::Route& find(platforms::NodeIndex from, platforms::NodeIndex to) {
    auto& node = nodes_[from];
    if (!node) node = std::make_unique<Place[]>(kPlaces);
    // Powers of two are usual distances: their higher bits must count too.
    Place& place = node[(to ^ to >> 3 ^ to >> 6 ^ to >> 9) % kPlaces];
    if (place.to != to || place.route.links.empty()) {
      place.to = to;
      routes_.find_route(from, to, place.route);
    }
    return place.route;
  }

 private:
  static constexpr std::size_t kPlaces = 8;
  struct Place {
    platforms::NodeIndex to = 0;
    platforms::Route route;  // no links: nothing there yet
  };
  const platforms::RouteTable& routes_;
  std::vector<std::unique_ptr<Place[]>> nodes_;
};

}  // namespace reprise::sim
