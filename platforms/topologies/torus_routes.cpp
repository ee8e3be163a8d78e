// SPDX-License-Identifier: MIT
#include "platforms/topologies/torus_routes.hpp"

#include <string>

namespace reprise::platforms {

std::string torus_dimension_name(std::size_t dimension, std::size_t dimensions) {
  return std::string(1, dimensions <= 4 ? "xyzw"[dimension] : static_cast<char>('a' + dimension));
}

TorusRoutes::TorusRoutes(const Platform& platform, const Torus& torus)
    : RouteTable(platform),
      links_per_cable_(platform.network->link.sharing == Sharing::kFullDuplex ? 2 : 1) {
  const std::uint64_t positions = torus.position_count();
  std::uint32_t stride = 1;
  for (std::size_t i = 0; i < torus.dimensions.size(); ++i) {
    const Torus::Dimension& dimension = torus.dimensions[i];
    const std::string name = torus_dimension_name(i, torus.dimensions.size());
    const std::uint64_t cables = dimension.size == 2 ? positions / 2 : positions;
    dimensions_.push_back({dimension.size, stride,
                           add_cables(name, name, dimension.link, cables, links_per_cable_ == 2)});
    stride *= dimension.size;
  }
}

void TorusRoutes::append_links(NodeIndex from, NodeIndex to, std::vector<LinkIndex>& links) const {
  NodeIndex at = from;
  for (const Dimension& dimension : dimensions_) {
    const std::uint32_t here = at / dimension.stride % dimension.size,
                        there = to / dimension.stride % dimension.size;
    if (here == there) continue;
    const std::uint32_t rising = there > here ? there - here : there + dimension.size - here;
    const std::uint32_t falling = dimension.size - rising;
    const bool rises =
        rising != falling ? rising < falling : there != 0 || here > dimension.size / 2;
    const std::uint32_t round = dimension.stride * dimension.size;
    for (std::uint32_t hops = rises ? rising : falling; hops > 0; --hops) {
      const std::uint32_t coordinate = at / dimension.stride % dimension.size;
      const bool wraps = coordinate == (rises ? dimension.size - 1 : 0);
      const NodeIndex next = rises ? at + dimension.stride - (wraps ? round : 0)
                                   : at - dimension.stride + (wraps ? round : 0);
      const NodeIndex lower = rises ? at : next;
      const std::uint32_t cable =
          dimension.size == 2 ? lower / round * dimension.stride + lower % dimension.stride : lower;
      // The one cable of a pair rises from coordinate 0, whichever way round the step is counted.
      const bool is_up = dimension.size == 2 ? coordinate == 0 : rises;
      links.push_back(dimension.first + cable * links_per_cable_ +
                      (is_up ? 0 : links_per_cable_ - 1));
      at = next;
    }
  }
}

}  // namespace reprise::platforms
