// SPDX-License-Identifier: MIT
#include "platforms/topologies/torus.hpp"

#include "platforms/topologies/reader.hpp"

namespace reprise::platforms {
namespace {

class TorusRoutes final : public TopologyRoutes {
 public:
  TorusRoutes(const Torus& torus, const CableLinks& links) : links_per_cable_(links.per_cable) {
    std::uint32_t stride = 1;
    for (std::size_t i = 0; i < torus.dimensions.size(); ++i) {
      dimensions_.push_back({torus.dimensions[i].size, stride, links.first[i]});
      stride *= torus.dimensions[i].size;
    }
  }

 private:
  struct Dimension {
    std::uint32_t size, stride;  // stride: the difference between the numbers of neighbours
    LinkIndex first;
  };

  void append_links(NodeIndex from, NodeIndex to, std::vector<LinkIndex>& links) const override {
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
            dimension.size == 2 ? lower / round * dimension.stride + lower % dimension.stride
                                : lower;
        // The one cable of a pair rises from coordinate 0, whichever way round the step is counted.
        const bool is_up = dimension.size == 2 ? coordinate == 0 : rises;
        links.push_back(dimension.first + cable * links_per_cable_ +
                        (is_up ? 0 : links_per_cable_ - 1));
        at = next;
      }
    }
  }

  std::vector<Dimension> dimensions_;
  LinkIndex links_per_cable_;
};

}  // namespace

std::span<const std::string_view> Torus::keys() { return kTorusKeys.keys; }

Torus Torus::read(TopologyReader& reader) {
  return {reader.list<Dimension>(
      "dimensions", kMaxDimensions, kDimensionKeys.keys, [](TopologyReader& dimension) {
        return Dimension{dimension.count("size", 2), dimension.link("link")};
      })};
}

double Torus::room() const {
  double positions = 1;
  for (const Dimension& dimension : dimensions) positions *= dimension.size;
  return positions;
}

std::vector<NodeIndex> Torus::group_sizes() const {
  std::vector<NodeIndex> sizes;
  for (std::size_t i = 0; i + 1 < dimensions.size(); ++i)
    sizes.push_back((i == 0 ? 1 : sizes.back()) * dimensions[i].size);
  return sizes;
}

std::vector<Cable> Torus::cables(LinkSpec&, NodeIndex) {
  std::vector<Cable> cables;
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    const std::string name = dimension_name(i, dimensions.size());
    cables.push_back({name, "/network/topology/dimensions/" + std::to_string(i) + "/link",
                      &dimensions[i].link, dimensions[i].size == 2 ? room() / 2 : room(), name});
  }
  return cables;
}

std::unique_ptr<TopologyRoutes> Torus::routes(const CableLinks& links, NodeIndex) const {
  return std::make_unique<TorusRoutes>(*this, links);
}

std::string Torus::description() const {
  std::string sizes;
  for (const Dimension& dimension : dimensions)
    sizes += (sizes.empty() ? "torus " : "×") + std::to_string(dimension.size);
  return sizes;
}

Grid Torus::grid() const {
  Grid grid;
  grid.note = "dashed: round to the other side";
  for (std::size_t i = 0; i < dimensions.size(); ++i)
    grid.dimensions.push_back(
        {dimension_name(i, dimensions.size()), dimensions[i].size, dimensions[i].link});
  return grid;
}

}  // namespace reprise::platforms
