// SPDX-License-Identifier: MIT
#include "platforms/topologies/hyperx.hpp"

#include <algorithm>

#include "platforms/topologies/reader.hpp"

namespace reprise::platforms {
namespace {

constexpr std::size_t kNodeCables = 0, kFirstDimension = 1;  // kinds of cables

class HyperXRoutes final : public TopologyRoutes {
 public:
  HyperXRoutes(const HyperX& hyperx, CableLinks links)
      : dimensions_(hyperx.dimensions), nodes_(hyperx.nodes), links_(std::move(links)) {}

 private:
  void append_links(NodeIndex from, NodeIndex to, std::vector<LinkIndex>& links) const override {
    links.push_back(links_.up(kNodeCables, from));
    std::uint32_t at = from / nodes_;
    const std::uint32_t target = to / nodes_;
    std::uint32_t stride = 1;
    for (std::size_t i = 0; i < dimensions_.size(); ++i) {
      const HyperX::Dimension& dimension = dimensions_[i];
      const std::uint32_t here = at / stride % dimension.size,
                          there = target / stride % dimension.size;
      if (here != there) {
        const std::uint32_t row = at / (stride * dimension.size) * stride + at % stride;
        const std::uint32_t pairs = dimension.size * (dimension.size - 1) / 2;
        const auto [low, high] = std::minmax(here, there);
        const std::uint32_t cable =
            (row * pairs + pair_number(low, high)) * dimension.parallel + to % dimension.parallel;
        links.push_back(here < there ? links_.up(kFirstDimension + i, cable)
                                     : links_.down(kFirstDimension + i, cable));
        at = at - here * stride + there * stride;
      }
      stride *= dimension.size;
    }
    links.push_back(links_.down(kNodeCables, to));
  }

  std::vector<HyperX::Dimension> dimensions_;
  std::uint32_t nodes_;
  CableLinks links_;
};

}  // namespace

std::span<const std::string_view> HyperX::keys() { return kHyperxKeys.keys; }

HyperX HyperX::read(TopologyReader& reader) {
  return {reader.list<Dimension>("dimensions", kMaxDimensions, kHyperxDimensionKeys.keys,
                                 [](TopologyReader& dimension) {
                                   return Dimension{dimension.count("size", 2),
                                                    dimension.count_or("parallel", 1),
                                                    dimension.link("link")};
                                 }),
          reader.count("nodes"), reader.link("node_link")};
}

double HyperX::room() const {
  double positions = nodes;
  for (const Dimension& dimension : dimensions) positions *= dimension.size;
  return positions;
}

std::vector<NodeIndex> HyperX::group_sizes() const {
  std::vector<NodeIndex> sizes{nodes};
  for (std::size_t i = 0; i + 1 < dimensions.size(); ++i)
    sizes.push_back(sizes.back() * dimensions[i].size);
  return sizes;
}

std::vector<Cable> HyperX::cables(LinkSpec&, NodeIndex) {
  const double routers = room() / nodes;
  std::vector<Cable> cables{{"node", "/network/topology/node_link", &node_link, room(), "node"}};
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    Dimension& dimension = dimensions[i];
    const std::string name = dimension_name(i, dimensions.size());
    cables.push_back({name, "/network/topology/dimensions/" + std::to_string(i) + "/link",
                      &dimension.link, routers * (dimension.size - 1.0) / 2 * dimension.parallel,
                      name});
  }
  return cables;
}

std::unique_ptr<TopologyRoutes> HyperX::routes(const CableLinks& links, NodeIndex) const {
  return std::make_unique<HyperXRoutes>(*this, links);
}

std::string HyperX::description() const {
  std::string sizes;
  for (const Dimension& dimension : dimensions)
    sizes += (sizes.empty() ? "HyperX " : "×") + std::to_string(dimension.size);
  return sizes + " of " + std::to_string(nodes) + (nodes == 1 ? " node" : " nodes") + " each";
}

Grid HyperX::grid() const {
  Grid grid;
  grid.nodes = nodes;
  grid.is_closed = false;
  grid.note = "each router is joined to all of its row and column";
  for (std::size_t i = 0; i < dimensions.size(); ++i)
    grid.dimensions.push_back(
        {dimension_name(i, dimensions.size()), dimensions[i].size, dimensions[i].link});
  return grid;
}

}  // namespace reprise::platforms
