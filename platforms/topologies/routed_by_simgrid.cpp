// SPDX-License-Identifier: MIT
#include "platforms/topologies/routed_by_simgrid.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "platforms/json/document.hpp"
#include "platforms/simgrid/router.hpp"
#include "platforms/topologies/reader.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::platforms {
namespace {

// SimGrid has no bound on a route without links; ours has one that no message feels.
constexpr BytesPerSecond kUnbounded{1e18};

constexpr std::size_t kMostSteps = 1'000'000, kMostProfiles = 1'000'000;

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

  bool is_inside(NodeIndex node) const override {
    return goes_out(router_->machine().hosts[node].loopback);
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

// Both of a link that is split, by their places in the list of links; empty: there is none of that name.
std::vector<std::uint32_t> links_called(const SimgridMachine& machine, const std::string& name) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < machine.links.size(); ++i)
    if (const std::string& link = machine.links[i].name;
        link == name || link == name + "_UP" || link == name + "_DOWN")
      found.push_back(i);
  return found;
}

std::optional<NodeIndex> host_called(const SimgridMachine& machine, const std::string& name) {
  for (NodeIndex node = 0; node < machine.hosts.size(); ++node)
    if (machine.hosts[node].name == name) return node;
  return std::nullopt;
}

SimgridProfile read_profile(TopologyReader& reader, const SimgridMachine& machine) {
  static constexpr std::array<SimgridProfile::Of, 3> kOfs{
      SimgridProfile::Of::bandwidth, SimgridProfile::Of::latency, SimgridProfile::Of::speed};
  ObjectReader& object = reader.object();
  SimgridProfile profile;
  profile.of = kOfs[object.choice("of", kSimgridProfileOfNames)];
  profile.name = object.text("name");
  profile.where = object.place().text();
  const bool is_of_host = profile.of == SimgridProfile::Of::speed;
  if (is_of_host ? !host_called(machine, profile.name)
                 : links_called(machine, profile.name).empty())
    object.refuse("name", std::string("the file has no ") + (is_of_host ? "host" : "link") + " \"" +
                              profile.name + '"');
  if (!is_of_host && machine.has_coordinates)
    object.refuse("of",
                  "links of a machine whose latencies come from host coordinates do not change");
  profile.steps = reader.list<SimgridProfile::Step>(
      "steps", kMostSteps, kSimgridStepKeys.keys, [](TopologyReader& one) {
        return SimgridProfile::Step{one.object().seconds("from"), one.object().factor("factor")};
      });
  for (std::size_t i = 1; i < profile.steps.size(); ++i)
    if (profile.steps[i].from < profile.steps[i - 1].from)
      object.refuse("steps", "they are not in ascending order of time");
  if (object.has("repeat_every")) {
    profile.repeat_every = object.seconds("repeat_every");
    if (profile.repeat_every.value <= 0 || profile.repeat_every < profile.steps.back().from)
      object.refuse("repeat_every", "it is shorter than the time of the last step",
                    "give a longer time, or leave it out");
  }
  read_source(object, reader.notes());
  return profile;
}

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

bool goes_out(const SimgridLoopback& loopback) {
  return loopback.is_there && loopback.links != 1 &&
         (loopback.links > 0 || loopback.latency.value > 0);
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
  if (object.has("profiles"))
    topology.profiles = reader.list<SimgridProfile>(
        "profiles", kMostProfiles, kSimgridProfileKeys.keys,
        [&](TopologyReader& one) { return read_profile(one, topology.router->machine()); });
  if (object.has("left_out"))
    for (const nlohmann::json& what : object.list("left_out", 1)) {
      if (!what.is_string())
        object.refuse("left_out", "expected texts, found " + describe_value(what));
      topology.left_out.push_back(what.get<std::string>());
    }
  return topology;
}

double RoutedBySimgrid::room() const { return static_cast<double>(router->machine().hosts.size()); }

std::vector<NodeIndex> RoutedBySimgrid::group_sizes() const { return {}; }

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

std::vector<RoutedBySimgrid::LinkOfClass> RoutedBySimgrid::links_of_profile(
    const SimgridProfile& profile) const {
  std::vector<LinkOfClass> found;
  for (const std::uint32_t link : links_called(router->machine(), profile.name)) {
    const SimgridRouter::Place& place = router->place(link);
    found.push_back({links[place.link_class].name, place.number});
  }
  return found;
}

NodeIndex RoutedBySimgrid::node_of_profile(const SimgridProfile& profile) const {
  return host_called(router->machine(), profile.name).value();
}

std::string RoutedBySimgrid::description() const { return "routed by SimGrid"; }

}  // namespace reprise::platforms
