// SPDX-License-Identifier: MIT
// What is known of the partners that a node sends to: programs send to few, and looking up is cheaper than working out.
//
// How   each node that sends has a table of its own, of 8 places at first, doubled while partners crowd, up to 64 (on machines of more
//       than 16384 nodes 32). A partner is in one of the four places from its hash on; where all are taken and the table is as large as
//       it gets, the first is forgotten.
// Cost  a hit is a load or two; memory only where somebody sends.
// Order nothing depends on what is remembered.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

#include "platforms/routes.hpp"

namespace reprise::sim {

inline constexpr platforms::NodeIndex kNoPartner = ~platforms::NodeIndex{0};

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

 private:
  static constexpr platforms::NodeIndex kMany = 16384;
  static constexpr std::size_t kFirst = 8, kProbes = 4;
  struct Node {
    std::unique_ptr<Place[]> table;
    std::size_t places = 0;  // a power of two
  };

  // Where the partner is, or else a free place, or else one whose partner may be forgotten.
  Place* place_of(const Node& node, platforms::NodeIndex to) const {
    // Powers of two are usual distances: all bits must count (multiplicative hashing, Knuth, TAOCP 3, §6.4).
    const std::size_t first = to * 2654435769U >> 16;
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

}  // namespace reprise::sim
