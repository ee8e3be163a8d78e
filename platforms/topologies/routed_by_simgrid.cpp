// SPDX-License-Identifier: MIT
#include "platforms/topologies/routed_by_simgrid.hpp"

#include <algorithm>
#include <filesystem>

#include "platforms/json/document.hpp"
#include "platforms/simgrid/router.hpp"
#include "platforms/topologies/reader.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::platforms {
namespace {

// SimGrid has no bound on a route without links; ours has one that no message feels.
constexpr BytesPerSecond kUnbounded{1e18};

class RoutesOfSimgrid final : public TopologyRoutes {
 public:
  RoutesOfSimgrid(const RoutedBySimgrid& topology, CableLinks cables)
      : router_(topology.router), cables_(std::move(cables)) {}

 private:
  void append_links(NodeIndex from, NodeIndex to, std::vector<LinkIndex>& links) const override {
    const SimgridRoute& route = router_->route(from, to);
    for (const std::uint32_t link : route.links) {
      const SimgridRouter::Place& place = router_->place(link);
      links.push_back(cables_.first[place.link_class] + place.number);
    }
    if (!route.links.empty()) return;
    if (!router_->machine().has_coordinates)
      throw RunError("SimGrid", "a route without links, and no host has coordinates");
    links.push_back(cables_.first[router_->classes().size()]);
  }

  bool adds_latency() const override { return router_->machine().has_coordinates; }

  Seconds more_latency(NodeIndex from, NodeIndex to) const override {
    const SimgridRoute& route = router_->route(from, to);
    double of_links = 0;
    for (const std::uint32_t link : route.links)
      of_links += router_->machine().links[link].latency.value;
    const double more = route.latency.value - of_links;
    // what adding in another order leaves behind
    return Seconds{more <= 1e-12 * route.latency.value ? 0 : more};
  }

  std::shared_ptr<const SimgridRouter> router_;
  CableLinks cables_;
};

std::string beside(const std::string& platform_file, const std::string& file) {
  return (std::filesystem::path(platform_file).parent_path() / file).string();
}

}  // namespace

std::vector<RoutedBySimgrid::Links> links_of(const SimgridRouter& router) {
  std::vector<RoutedBySimgrid::Links> list;
  for (const SimgridLinkClass& links : router.classes())
    list.push_back(
        {links.name,
         {links.bandwidth, links.latency,
          links.policy == SimgridPolicy::fatpipe ? Sharing::kUncontended : Sharing::kShared}});
  if (router.machine().has_coordinates)
    list.push_back({RoutedBySimgrid::kCoordinates, {kUnbounded, Seconds{}, Sharing::kUncontended}});
  return list;
}

std::span<const std::string_view> RoutedBySimgrid::keys() { return kSimgridFileKeys.keys; }

RoutedBySimgrid RoutedBySimgrid::read(TopologyReader& reader) {
  RoutedBySimgrid topology;
  ObjectReader& object = reader.object();
  topology.file = object.text("file");
  const std::string path = beside(object.place().file, topology.file);
  topology.router = known_simgrid_router(path);
  if (!topology.router) topology.router = simgrid_router(path, read_document_text(path));
  topology.links = links_of(*topology.router);
  if (object.has("links")) {
    const auto given =
        reader.list<Links>("links", std::max<std::size_t>(topology.links.size(), 1),
                           kSimgridLinksKeys.keys, [](TopologyReader& one) {
                             Links alike;
                             alike.name = one.object().text("name");
                             alike.link = read_link(one.object(), kSimgridLinksSharingNames,
                                                    kNodeSharings, Sharing::kShared, one.notes());
                             return alike;
                           });
    const bool are_same =
        std::equal(given.begin(), given.end(), topology.links.begin(), topology.links.end(),
                   [](const Links& a, const Links& b) { return a.name == b.name; });
    if (!are_same)
      object.refuse("links", "they are not those of " + topology.file,
                    "leave them out to use the file's own");
    topology.links = given;
  }
  if (object.has("left_out"))
    for (const nlohmann::json& what : object.list("left_out", 1)) {
      if (!what.is_string())
        object.refuse("left_out", "expected texts, found " + describe_value(what));
      topology.left_out.push_back(what.get<std::string>());
    }
  return topology;
}

double RoutedBySimgrid::room() const { return static_cast<double>(router->machine().hosts.size()); }

std::vector<Cable> RoutedBySimgrid::cables(LinkSpec&, NodeIndex) {
  std::vector<Cable> cables;
  for (std::size_t i = 0; i < links.size(); ++i)
    cables.push_back(
        {links[i].name, "/network/topology/links/" + std::to_string(i), &links[i].link,
         i < router->classes().size() ? static_cast<double>(router->classes()[i].count) : 1,
         links[i].name, kOneLink});
  return cables;
}

std::unique_ptr<TopologyRoutes> RoutedBySimgrid::routes(const CableLinks& cables, NodeIndex) const {
  return std::make_unique<RoutesOfSimgrid>(*this, cables);
}

std::string RoutedBySimgrid::description() const { return "routed by SimGrid"; }

}  // namespace reprise::platforms
