// SPDX-License-Identifier: MIT
// Dimension-ordered routes in a torus, hop for hop those of SimGrid 3.32.
//
// A node's coordinates are its number read with the dimensions' sizes as radices, the first dimension least significant.
// Route   the first dimension to its end, then the next; in each the shorter way round. Of two equally long ways the rising one,
//         but from the middle to coordinate 0 the falling one (SimGrid's comparison of coordinates decides so).
// Cables  numbered by dimension, then by the node at their lower end: cable i of a dimension joins node i to the next one, and
//         the last to the first. A dimension of size 2 has a cable for each pair.
// Source  Dally, Seitz, "Deadlock-Free Message Routing in Multiprocessor Interconnection Networks", IEEE TC 36(5), 1987;
//         SimGrid 3.32, kernel/routing/TorusZone.
#pragma once

#include "platforms/routes.hpp"

namespace reprise::platforms {

class TorusRoutes final : public RouteTable {
 public:
  // REQUIRES: TORUS is the platform's topology and has room for its nodes.
  TorusRoutes(const Platform& platform, const Torus& torus);

 private:
  struct Dimension {
    std::uint32_t size, stride;  // stride: the difference between the numbers of neighbours
    LinkIndex first;
  };

  void append_links(NodeIndex from, NodeIndex to, std::vector<LinkIndex>& links) const override;

  std::vector<Dimension> dimensions_;
  LinkIndex links_per_cable_;
};

// What a dimension's cables are called: x, y, z, w; a, b, c … where there are more than four.
std::string torus_dimension_name(std::size_t dimension, std::size_t dimensions);

}  // namespace reprise::platforms
