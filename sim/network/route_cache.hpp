// SPDX-License-Identifier: MIT
// The routes that a node used last: programs send to few partners, and a table look-up is cheaper than a route.
//
// How   a node that sends gets 64 places, on machines of more than 16384 nodes 16; a destination has one of them, and what was there
//       before is forgotten.
// Cost  a hit is an indexed load; a miss is the route table's O(levels). Memory: 48 bytes a place and a route for each in use.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "platforms/routes.hpp"

namespace reprise::sim {

// Which classes of links were on any route that was asked for.
class UsedCables {
 public:
  explicit UsedCables(const platforms::RouteTable& routes) : routes_(routes), used_(routes.link_classes().size()) {}
  void note(const platforms::Route& route) {
    for (const auto link : route.links) used_[routes_.link_class_index(link)] = 1;
  }
  std::vector<std::string> names() const {  // LinkClass::cable, sorted, each once
    std::vector<std::string> names;
    for (std::size_t i = 0; i < used_.size(); ++i)
      if (used_[i] != 0) names.push_back(routes_.link_classes()[i].cable);
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
  }

 private:
  const platforms::RouteTable& routes_;
  std::vector<char> used_;
};

class RouteCache {
 public:
  explicit RouteCache(const platforms::RouteTable& routes)
      : routes_(routes), places_(routes.end_count() > kMany ? 16 : 64), nodes_(routes.end_count()), used_(routes) {}

  const UsedCables& used() const { return used_; }

  // Valid until the next call. REQUIRES: both are nodes of the table.
  const platforms::Route& find(platforms::NodeIndex from, platforms::NodeIndex to) {
    auto& node = nodes_[from];
    if (!node) node = std::make_unique<Place[]>(places_);
    // Powers of two are usual distances: all bits must count (multiplicative hashing, Knuth, TAOCP 3, §6.4).
    Place& place = node[(to * 2654435769U >> 16) & (places_ - 1)];
    if (place.to != to || place.route.links.empty()) {
      place.to = to;
      routes_.find_route(from, to, place.route);
      used_.note(place.route);
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
  UsedCables used_;
};

}  // namespace reprise::sim
