// SPDX-License-Identifier: MIT
// What is remembered of the routes that nodes used last: programs send to few partners, and looking up is cheaper than working out.
//
// Order   nothing depends on what is remembered.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "platforms/routes.hpp"
#include "platforms/settings_use.hpp"
#include "sim/fetch.hpp"
#include "sim/network/large_pages.hpp"

namespace reprise::sim {

// Which kinds of cables messages had on their way, and which network interfaces: a change of the others cannot matter to them.
class UsedCables {
 public:
  explicit UsedCables(const platforms::RouteTable& routes)
      : routes_(routes),
        are_noted_(routes.link_count()),
        used_(routes.link_classes().size()),
        interfaces_(std::size_t{routes.node_count()} * routes.interfaces_per_node()) {}
  void note(const platforms::Route& route) {
    for (const auto link : route.links) {
      if (std::exchange(are_noted_[link], 1) != 0) continue;
      used_[routes_.link_class_index(link)] = 1;
      if (const auto interface = routes_.interface_of(link))
        interfaces_[interface->node * routes_.interfaces_per_node() + interface->number] = true;
    }
  }
  std::vector<std::string> names() const {  // LinkClass::cable, sorted, each once
    std::vector<std::string> names;
    for (std::size_t i = 0; i < used_.size(); ++i)
      if (used_[i] != 0) names.push_back(routes_.link_classes()[i].cable);
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
  }
  platforms::InterfacesMet interfaces() const {
    const std::size_t per_node = routes_.interfaces_per_node();
    platforms::InterfacesMet met;
    for (std::size_t first = 0; first < interfaces_.size(); first += per_node) {
      const auto begin = interfaces_.begin() + static_cast<std::ptrdiff_t>(first);
      const auto used = std::count(begin, begin + static_cast<std::ptrdiff_t>(per_node), true);
      met.nodes += used > 0 ? 1 : 0;
      met.used += static_cast<std::uint64_t>(used);
    }
    return met;
  }

 private:
  const platforms::RouteTable& routes_;
  std::vector<char> are_noted_;  // by link
  std::vector<char> used_;
  std::vector<bool> interfaces_;  // node after node
};

inline constexpr platforms::NodeIndex kNoPartner = ~platforms::NodeIndex{0};

// What is known of the partners that a node sends to.
//
// How   each node that sends has a table of its own, of 8 places at first, doubled while partners crowd, up to 64 (on machines of more
//       than 16384 nodes 32). A partner is in one of the four places from its hash on; where all are taken and the table is as large as
//       it gets, the first is forgotten.
// Cost  a hit is a load or two; memory only where somebody sends.
// Place has a member `to`, kNoPartner in a new one.
template <class Place>
class PartnerTable {
 public:
  explicit PartnerTable(platforms::NodeIndex nodes)
      : most_(nodes > kMany ? 32 : 64), nodes_(nodes) {}

  // The partner's place; learn(place) fills in that of one who is not known. Valid until the next call.
  template <class Learn>
  const Place& find(platforms::NodeIndex from, platforms::NodeIndex to, Learn learn) {
    Node& node = nodes_[from];
    for (;;) {
      Place* place = node.places == 0 ? nullptr : place_of(node, to);
      if (place != nullptr) {
        if (place->to == to) return *place;
        if (place->to == kNoPartner || node.places == most_) {
          learn(*place);
          place->to = to;
          return *place;
        }
      }
      grow(node);
    }
  }

  // The partner will soon be asked for (sim/fetch.hpp).
  void prepare(platforms::NodeIndex from, platforms::NodeIndex to) const {
    const Node& node = nodes_[from];
    if (node.places != 0) prefetch(&node.table[home_of(to) & (node.places - 1)]);
  }
  // The partner's place, null where it is not known. Valid until the next find().
  const Place* known(platforms::NodeIndex from, platforms::NodeIndex to) const {
    const Node& node = nodes_[from];
    const Place* const place = node.places == 0 ? nullptr : place_of(node, to);
    return place != nullptr && place->to == to ? place : nullptr;
  }

 private:
  static constexpr platforms::NodeIndex kMany = 16384;
  static constexpr std::size_t kFirst = 8, kProbes = 4;
  struct Node {
    std::unique_ptr<Place[]> table;
    std::size_t places = 0;  // a power of two
  };

  // Powers of two are usual distances: all bits must count (multiplicative hashing, Knuth, TAOCP 3, §6.4).
  static std::size_t home_of(platforms::NodeIndex to) { return to * 2654435769U >> 16; }
  // Where the partner is, or else a free place, or else one whose partner may be forgotten.
  Place* place_of(const Node& node, platforms::NodeIndex to) const {
    const std::size_t first = home_of(to);
    for (std::size_t probe = 0; probe < kProbes; ++probe) {
      Place& place = node.table[(first + probe) & (node.places - 1)];
      if (place.to == to || place.to == kNoPartner) return &place;
    }
    return &node.table[first & (node.places - 1)];
  }

  void grow(Node& node) {
    const Node old = std::exchange(node, Node{});
    node.places = old.places == 0 ? kFirst : 2 * old.places;
    node.table = std::make_unique<Place[]>(node.places);
    for (std::size_t i = 0; i < old.places; ++i)
      if (old.table[i].to != kNoPartner) *place_of(node, old.table[i].to) = old.table[i];
  }

  const std::size_t most_;
  std::vector<Node> nodes_;
};

// Whole routes.
//
// How     the table of a node's partners is 8 bytes for each, so that those of 1000 nodes stay in the cache; the routes stand elsewhere, and
//         are fetched ahead when a partner is expected, and what came behind the last one before is looked at first.
// Cost    a hit reads a place and one cache line, with up to nine links in it; longer routes are elsewhere once more. A miss is the route
//         table's O(hops).
// Memory  64 bytes for each partner that is known at once, where a table grows perhaps one more.
class RouteCache {
 public:
  struct Route {
    std::span<const platforms::LinkIndex> links;
    Seconds latency;
    BytesPerSecond bandwidth;
  };

  explicit RouteCache(const platforms::RouteTable& routes)
      : routes_(routes), partners_(routes.end_count()), users_(routes.end_count()), used_(routes) {}

  const UsedCables& used() const { return used_; }
  void prepare(platforms::NodeIndex from, platforms::NodeIndex to) const {
    const Place* const place = partners_.known(from, to);
    if (place == nullptr) return;
    prefetch(&known_[place->number]);
    prefetch(&users_[from]);
  }
  // The node will soon send, presumably to whom it has sent next when it last sent to the same as now.
  void prepare(platforms::NodeIndex from) const {
    if (const User& user = users_[from]; user.next != kNone) prefetch(&known_[user.next]);
  }

  // Valid until the next call. REQUIRES: both are ends of the table.
  Route find(platforms::NodeIndex from, platforms::NodeIndex to) {
    const std::uint32_t foreseen = users_[from].next;
    const bool is_foreseen = foreseen != kNone && known_[foreseen].to == to;
    const std::uint32_t number = is_foreseen ? foreseen : look_up(from, to);
    foresee(users_[from], number);
    const Known& known = known_[number];
    const auto* links = known.links.data();
    if (known.count > kShort) links = long_routes_[known.links[0]].data();
    return {{links, known.count}, Seconds{known.latency}, BytesPerSecond{known.bandwidth}};
  }

 private:
  static constexpr std::size_t kShort = 9;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Place {
    platforms::NodeIndex to = kNoPartner;
    std::uint32_t number = kNone;  // of what is known
  };
  struct alignas(kCacheLine) Known {
    std::uint32_t count = 0;
    std::array<platforms::LinkIndex, kShort> links{};  // or the number of a long route
    platforms::NodeIndex to = kNoPartner;
    std::uint32_t after = kNone;  // number of what its node looked up next
    double latency = 0, bandwidth = 0;
  };
  static_assert(sizeof(Known) == kCacheLine);
  struct User {  // a node: the numbers of what it looked up last, and will perhaps look up next
    std::uint32_t last = kNone, next = kNone;
  };

  // Programs send to the same partners one after the other, again and again. Numbers stay with their node.
  void foresee(User& user, std::uint32_t number) {
    if (user.last != kNone) known_[user.last].after = number;
    user = {number, known_[number].after};
  }

  std::uint32_t look_up(platforms::NodeIndex from, platforms::NodeIndex to) {
    return partners_
        .find(from, to,
              [&](Place& fresh) {
                if (fresh.number == kNone) {
                  fresh.number = static_cast<std::uint32_t>(known_.size());
                  known_.emplace_back();
                }
                learn(known_[fresh.number], from, to);
              })
        .number;
  }

  void learn(Known& known, platforms::NodeIndex from, platforms::NodeIndex to) {
    routes_.find_route(from, to, scratch_);
    used_.note(scratch_);
    if (known.count > kShort) free_.push_back(known.links[0]);
    known.to = to;
    known.count = static_cast<std::uint32_t>(scratch_.links.size());
    known.latency = scratch_.latency.value;
    known.bandwidth = scratch_.bandwidth.value;
    if (known.count <= kShort) {
      std::copy(scratch_.links.begin(), scratch_.links.end(), known.links.begin());
      return;
    }
    if (free_.empty()) {
      free_.push_back(static_cast<std::uint32_t>(long_routes_.size()));
      long_routes_.emplace_back();
    }
    known.links[0] = free_.back();
    free_.pop_back();
    long_routes_[known.links[0]] = scratch_.links;
  }

  const platforms::RouteTable& routes_;
  PartnerTable<Place> partners_;
  LargeArray<Known> known_;
  std::vector<User> users_;  // by node
  std::vector<std::vector<platforms::LinkIndex>> long_routes_;
  std::vector<std::uint32_t> free_;  // of these
  UsedCables used_;
  platforms::Route scratch_;
};

// Latency and bandwidth alone, for networks that ask nothing else of a route.
//
// How   machines have few kinds of routes: a place is the partner and the number of its kind, 8 bytes.
// Cost  a hit reads one cache line and a kind; a miss is the route table's O(hops).
class RouteCostCache {
 public:
  struct RouteCost {
    double latency = 0, bandwidth = 0;  // seconds; bytes per second, of the narrowest link
  };

  explicit RouteCostCache(const platforms::RouteTable& routes)
      : routes_(routes), partners_(routes.end_count()), used_(routes) {}

  const UsedCables& used() const { return used_; }
  void prepare(platforms::NodeIndex from, platforms::NodeIndex to) const {
    partners_.prepare(from, to);
  }

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
