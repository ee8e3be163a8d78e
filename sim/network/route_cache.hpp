// SPDX-License-Identifier: MIT
// The routes that a node used last: programs send to few partners, and a table look-up is cheaper than a route.
//
// How   a node that sends gets 64 places, on machines of more than 16384 nodes 16; a destination has one of them, and what was there
//       before is forgotten.
// Cost  a hit is an indexed load; a miss is the route table's O(levels). Memory: 48 bytes a place and a route for each in use.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "platforms/routes.hpp"

namespace reprise::sim {

class RouteCache {
 public:
  explicit RouteCache(const platforms::RouteTable& routes)
      : routes_(routes), places_(routes.end_count() > kMany ? 16 : 64), nodes_(routes.end_count()) {}

  // Valid until the next call. REQUIRES: both are nodes of the table.
  const platforms::Route& find(platforms::NodeIndex from, platforms::NodeIndex to) {
    auto& node = nodes_[from];
    if (!node) node = std::make_unique<Place[]>(places_);
    // Powers of two are usual distances: all bits must count (multiplicative hashing, Knuth, TAOCP 3, §6.4).
    Place& place = node[(to * 2654435769U >> 16) & (places_ - 1)];
    if (place.to != to || place.route.links.empty()) {
      place.to = to;
      routes_.find_route(from, to, place.route);
    }
    return place.route;
  }

 private:
  static constexpr platforms::NodeIndex kMany = 16384;
  struct Place {
    platforms::NodeIndex to = 0;
    platforms::Route route;  // no links: nothing there yet
  };
  const platforms::RouteTable& routes_;
  const std::size_t places_;  // a power of two
  std::vector<std::unique_ptr<Place[]>> nodes_;
};

}  // namespace reprise::sim
