// SPDX-License-Identifier: MIT
// Destination-mod-k routes in a parallel-ports generalised fat tree, cable for cable those of SimGrid 3.32.
//
// An element of level l (0: nodes, then switches) has a label of h digits. Digit i counts parents (radix up_i) where i < l
// and children (radix down_i) elsewhere; its position in the level is the label read with digit 0 least significant. Two
// elements of levels l and l+1 are joined where their labels agree in every digit but digit l.
// Up      at level l towards destination d: port (d / Π_{i<l} up_i) mod (up_l · parallel_l), until d lies below.
// Down    the child is fixed by d's digit; of parallel cables SimGrid takes the one numbered source mod parallel, except
//         that it does not begin its scan of the ports afresh after a step down (see append_links).
// Cables  numbered by level, then by the lower element's position, then by parent, then by parallel cable.
// Source  E. Zahavi, "D-Mod-K Routing Providing Non-Blocking Traffic for Shift Permutations on Real Life Fat Trees", 2010;
//         SimGrid 3.32, kernel/routing/FatTreeZone.
#pragma once

#include <cstddef>

#include "platforms/routes.hpp"

namespace reprise::platforms {

class FatTreeRoutes final : public RouteTable {
 public:
  static constexpr std::size_t kMaxHeight = 8;  // levels of switches

  // REQUIRES: TREE is the platform's topology and has room for its nodes.
  FatTreeRoutes(const Platform& platform, const FatTree& tree);

  std::uint64_t leaf_count() const noexcept { return leaf_count_; }
  std::uint64_t cable_count() const noexcept { return cable_count_; }
  LinkIndex links_per_cable() const noexcept {
    return links_per_cable_;
  }  // 2 where full duplex: up, down
  LinkIndex first_cable_link() const noexcept { return first_; }

 private:
  // 32 bits, for the divisions' sake: the parser limits a tree to far fewer cables than they can number.
  struct Level {
    std::uint32_t down, up, parallel;
    std::uint32_t
        parents_below;  // Π up_i of the levels below: the weight of this level's digit in an upper position
    std::uint32_t
        children_below;  // Π down_i of the levels below: the weight of this level's digit in a node's number
    std::uint32_t first_cable;  // of those between this level's switches and what is below them
  };

  void append_links(NodeIndex from, NodeIndex to, std::vector<LinkIndex>& links) const override;
  LinkIndex up_link(const Level&, std::uint32_t lower_position, std::uint32_t parent,
                    std::uint32_t cable) const;

  std::vector<Level> levels_;
  std::uint64_t leaf_count_ = 1;
  std::uint64_t cable_count_ = 0;
  LinkIndex links_per_cable_;
  LinkIndex first_;
};

}  // namespace reprise::platforms
