// SPDX-License-Identifier: MIT
#include "platforms/topologies/dragonfly.hpp"

#include <algorithm>

#include "platforms/topologies/reader.hpp"

namespace reprise::platforms {
namespace {

enum DragonflyCable : std::size_t { kDragonflyNode, kDragonflyLocal, kDragonflyGlobal };

class DragonflyRoutes final : public TopologyRoutes {
 public:
  DragonflyRoutes(const Dragonfly& dragonfly, CableLinks links)
      : routers_(dragonfly.routers),
        nodes_(dragonfly.nodes),
        cables_(dragonfly.global_cables),
        ports_((dragonfly.groups * cables_ + routers_ - 1) / routers_),
        links_(std::move(links)) {}

 private:
  void append_links(NodeIndex from, NodeIndex to, std::vector<LinkIndex>& links) const override {
    const std::uint32_t from_router = from / nodes_, to_router = to / nodes_;
    const std::uint32_t from_group = from_router / routers_, to_group = to_router / routers_;
    links.push_back(links_.up(kDragonflyNode, from));
    std::uint32_t at = from_router % routers_;
    if (from_group != to_group) {
      const std::uint32_t cable = to % cables_;
      append_local(from_group, at, (to_group * cables_ + cable) / ports_, links);
      const auto [low, high] = std::minmax(from_group, to_group);
      const std::uint32_t number = pair_number(low, high) * cables_ + cable;
      links.push_back(from_group < to_group ? links_.up(kDragonflyGlobal, number)
                                            : links_.down(kDragonflyGlobal, number));
      at = (from_group * cables_ + cable) / ports_;
    }
    append_local(to_group, at, to_router % routers_, links);
    links.push_back(links_.down(kDragonflyNode, to));
  }

  void append_local(std::uint32_t group, std::uint32_t from_router, std::uint32_t to_router,
                    std::vector<LinkIndex>& links) const {
    if (from_router == to_router) return;
    const auto [low, high] = std::minmax(from_router, to_router);
    const std::uint32_t cable = group * (routers_ * (routers_ - 1) / 2) + pair_number(low, high);
    links.push_back(from_router < to_router ? links_.up(kDragonflyLocal, cable)
                                            : links_.down(kDragonflyLocal, cable));
  }

  std::uint32_t routers_, nodes_, cables_, ports_;
  CableLinks links_;
};

}  // namespace

std::span<const std::string_view> Dragonfly::keys() { return kDragonflyKeys.keys; }

Dragonfly Dragonfly::read(TopologyReader& reader) {
  return {reader.count("groups"),    reader.count("routers"),
          reader.count("nodes"),     reader.count_or("global_cables", 1),
          reader.link("node_link"),  reader.link("local_link"),
          reader.link("global_link")};
}

double Dragonfly::room() const { return static_cast<double>(groups) * routers * nodes; }

std::vector<NodeIndex> Dragonfly::group_sizes() const { return {nodes, nodes * routers}; }

std::vector<Cable> Dragonfly::cables(LinkSpec&, NodeIndex) {
  const double in_groups = static_cast<double>(groups) * routers * (routers - 1.0) / 2,
               between = groups * (groups - 1.0) / 2 * global_cables;
  const std::string place = "/network/topology/";
  return {{"node", place + "node_link", &node_link, room(), "node"},
          {"local", place + "local_link", &local_link, in_groups, "local"},
          {"global", place + "global_link", &global_link, between, "global"}};
}

std::unique_ptr<TopologyRoutes> Dragonfly::routes(const CableLinks& links, NodeIndex) const {
  return std::make_unique<DragonflyRoutes>(*this, links);
}

std::string Dragonfly::description() const {
  return "dragonfly of " + std::to_string(groups) + (groups == 1 ? " group" : " groups");
}

}  // namespace reprise::platforms
