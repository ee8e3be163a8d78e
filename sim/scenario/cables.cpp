// SPDX-License-Identifier: MIT
#include "sim/scenario/cables.hpp"

#include <algorithm>

#include "platforms/override.hpp"
#include "platforms/routes.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::sim {
namespace {

using platforms::LinkSpec;

// The topology's cables, in the order in which its route table names them.
std::vector<Cable> unnamed_cables(const platforms::Network& network) {
  const std::string topology = "/network/topology/";
  if (const auto* star = std::get_if<platforms::Star>(&network.topology)) {
    std::vector<Cable> cables{{"", "/network/link", network.link}};
    if (star->backbone) cables.push_back({"", topology + "backbone", *star->backbone});
    return cables;
  }
  if (const auto* dragonfly = std::get_if<platforms::Dragonfly>(&network.topology))
    return {{"", topology + "node_link", dragonfly->node_link},
            {"", topology + "local_link", dragonfly->local_link},
            {"", topology + "global_link", dragonfly->global_link}};
  std::vector<Cable> cables;
  const auto add = [&](const char* list, std::size_t i, const LinkSpec& link) {
    cables.push_back({"", topology + list + '/' + std::to_string(i) + "/link", link});
  };
  if (const auto* tree = std::get_if<platforms::FatTree>(&network.topology))
    for (std::size_t i = 0; i < tree->levels.size(); ++i) add("levels", i, tree->levels[i].link);
  if (const auto* torus = std::get_if<platforms::Torus>(&network.topology))
    for (std::size_t i = 0; i < torus->dimensions.size(); ++i)
      add("dimensions", i, torus->dimensions[i].link);
  return cables;
}

}  // namespace

std::vector<Cable> cables_of(const platforms::Platform& platform) {
  std::vector<Cable> cables{{"intra-node", "/intra_node", platform.intra_node}};
  if (platform.nodes.sockets > 1)
    cables.push_back({"inter-socket", "/intra_node/between_sockets", platform.inter_socket});
  if (!platform.network) return cables;
  if (platform.network->interface)
    cables.push_back({"interface", "/network/interface", platform.network->interface->link});
  std::vector<std::string> names;
  for (const auto& link_class : make_route_table(platform)->link_classes())
    if (std::find(names.begin(), names.end(), link_class.cable) == names.end())
      names.push_back(link_class.cable);
  const auto of_topology = unnamed_cables(*platform.network);
  REPRISE_ASSERT(names.size() == cables.size() + of_topology.size(),
                 "each cable of the routes is one of the file");
  for (const Cable& cable : of_topology)
    cables.push_back({names[cables.size()], cable.pointer, cable.link});
  return cables;
}

void multiply_cable(platforms::Document& document, const Cable& cable, const std::string& key,
                    double factor, const std::string& where) {
  nlohmann::json& object = document.value[nlohmann::json::json_pointer(cable.pointer)];
  if (object.is_object() && object.contains(key))
    return multiply_value(document, cable.pointer + '/' + key, factor, where);
  object[key] = key == "latency" ? to_text(Seconds{cable.link.latency.value * factor})
                                 : to_text(BytesPerSecond{cable.link.bandwidth.value * factor});
}

}  // namespace reprise::sim
