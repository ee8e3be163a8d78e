// SPDX-License-Identifier: MIT
// The routes that a node used last.
//
// Cost  a hit reads one cache line: a place is 64 bytes with up to ten links in it; longer routes are elsewhere. A miss is the route
//       table's O(hops). Memory: partner_table.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "platforms/routes.hpp"
#include "sim/network/partner_table.hpp"
#include "sim/network/used_cables.hpp"

namespace reprise::sim {

class RouteCache {
 public:
  struct Route {
    std::span<const platforms::LinkIndex> links;
    Seconds latency;
    BytesPerSecond bandwidth;
  };

  explicit RouteCache(const platforms::RouteTable& routes)
      : routes_(routes), partners_(routes.end_count()), used_(routes) {}

  const UsedCables& used() const { return used_; }

  // Valid until the next call. REQUIRES: both are ends of the table.
  Route find(platforms::NodeIndex from, platforms::NodeIndex to) {
    const Place& place = partners_.find(from, to, [&](Place& fresh) { learn(fresh, from, to); });
    const auto* links = place.links.data();
    if (place.count > kShort) links = long_routes_[place.links[0]].data();
    return {{links, place.count}, Seconds{place.latency}, BytesPerSecond{place.bandwidth}};
  }

 private:
  static constexpr std::size_t kShort = 10;
  struct alignas(64) Place {
    platforms::NodeIndex to = kNoPartner;
    std::uint32_t count = 0;
    double latency = 0, bandwidth = 0;
    std::array<platforms::LinkIndex, kShort> links{};  // or the number of a long route
  };

  void learn(Place& place, platforms::NodeIndex from, platforms::NodeIndex to) {
    routes_.find_route(from, to, scratch_);
    used_.note(scratch_);
    if (place.count > kShort) free_.push_back(place.links[0]);
    place.count = static_cast<std::uint32_t>(scratch_.links.size());
    place.latency = scratch_.latency.value;
    place.bandwidth = scratch_.bandwidth.value;
    if (place.count <= kShort) {
      std::copy(scratch_.links.begin(), scratch_.links.end(), place.links.begin());
      return;
    }
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(long_routes_.size()));
      long_routes_.emplace_back();
    }
    place.links[0] = free_.back();
    free_.pop_back();
    long_routes_[place.links[0]] = scratch_.links;
  }

  const platforms::RouteTable& routes_;
  PartnerTable<Place> partners_;
  std::vector<std::vector<platforms::LinkIndex>> long_routes_;
  std::vector<std::uint32_t> free_;  // of these
  UsedCables used_;
  platforms::Route scratch_;
};

}  // namespace reprise::sim
