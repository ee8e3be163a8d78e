// SPDX-License-Identifier: MIT
#include "platforms/topologies/star.hpp"

#include <limits>

#include "platforms/topologies/reader.hpp"

namespace reprise::platforms {
namespace {

enum StarCable : std::size_t { kStarNode, kStarBackbone };

class StarRoutes final : public TopologyRoutes {
 public:
  explicit StarRoutes(CableLinks links) : links_(std::move(links)) {}

 private:
  void append_links(NodeIndex from, NodeIndex to, std::vector<LinkIndex>& links) const override {
    links.push_back(links_.up(kStarNode, from));
    if (links_.first.size() > kStarBackbone) links.push_back(links_.first[kStarBackbone]);
    links.push_back(links_.down(kStarNode, to));
  }

  CableLinks links_;
};

}  // namespace

std::span<const std::string_view> Star::keys() { return kStarKeys.keys; }

Star Star::read(TopologyReader& reader) {
  Star star;
  if (reader.object().has("backbone"))
    star.backbone =
        read_network_link(reader.object(), "backbone", Sharing::kShared, reader.notes());
  return star;
}

double Star::room() const { return std::numeric_limits<double>::infinity(); }

std::vector<NodeIndex> Star::group_sizes() const { return {}; }

std::vector<Cable> Star::cables(LinkSpec& network_link, NodeIndex nodes) {
  const bool is_duplex = network_link.sharing == Sharing::kFullDuplex;
  std::vector<Cable> cables{{"node", "/network/link", &network_link, static_cast<double>(nodes),
                             is_duplex ? "node" : "node link"}};
  if (backbone)
    cables.push_back(
        {"backbone", "/network/topology/backbone", &*backbone, 1, "backbone", kOneLink});
  return cables;
}

std::unique_ptr<TopologyRoutes> Star::routes(const CableLinks& links, NodeIndex) const {
  return std::make_unique<StarRoutes>(links);
}

std::string Star::description() const { return "star"; }

}  // namespace reprise::platforms
