// SPDX-License-Identifier: MIT
// Latency and bandwidth of the ways from a node to its partners, for networks that ask nothing else of a route.
//
// How     machines have few kinds of ways: a place is the partner and the number of its kind, 8 bytes.
// Cost    a hit reads one cache line and a kind; a miss is the route table's O(hops). Memory: partner_table.hpp.
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "platforms/routes.hpp"
#include "sim/network/partner_table.hpp"
#include "sim/network/used_cables.hpp"

namespace reprise::sim {

class RouteCostCache {
 public:
  struct RouteCost {
    double latency = 0, bandwidth = 0;  // seconds; bytes per second, of the narrowest link
  };

  explicit RouteCostCache(const platforms::RouteTable& routes)
      : routes_(routes), partners_(routes.end_count()), used_(routes) {}

  const UsedCables& used() const { return used_; }

  // Valid until the next call. REQUIRES: both are ends of the table.
  const RouteCost& find(platforms::NodeIndex from, platforms::NodeIndex to) {
    return kinds_[partners_.find(from, to, [&](Place& fresh) { fresh.kind = kind_of(from, to); })
                      .kind];
  }

 private:
  struct Place {
    platforms::NodeIndex to = kNoPartner;
    std::uint32_t kind = 0;
  };

  std::uint32_t kind_of(platforms::NodeIndex from, platforms::NodeIndex to) {
    routes_.find_route(from, to, scratch_);
    used_.note(scratch_);
    const auto [at, is_new] =
        numbers_.try_emplace({scratch_.latency.value, scratch_.bandwidth.value}, kinds_.size());
    if (is_new) kinds_.push_back({scratch_.latency.value, scratch_.bandwidth.value});
    return at->second;
  }

  const platforms::RouteTable& routes_;
  PartnerTable<Place> partners_;
  std::vector<RouteCost> kinds_;
  std::map<std::pair<double, double>, std::uint32_t> numbers_;  // of the kinds
  UsedCables used_;
  platforms::Route scratch_;
};

}  // namespace reprise::sim
