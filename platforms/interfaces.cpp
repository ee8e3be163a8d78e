// SPDX-License-Identifier: MIT
#include "platforms/interfaces.hpp"

#include <cstdint>
#include <optional>
#include <variant>

#include "platforms/topologies/fat_tree.hpp"
#include "platforms/topologies/star.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::platforms {
namespace {

constexpr const char* kRemedy =
    " (/network/interface/use=striped lets each message use all interfaces of its node)";

std::string number_of(std::uint64_t count, const std::string& noun) {
  return std::to_string(count) + ' ' + noun + (count == 1 ? "" : "s");
}

// Several, or null.
const NetworkInterface* several(const Platform& platform) {
  if (!platform.network || !platform.network->interface) return nullptr;
  const NetworkInterface& interface = *platform.network->interface;
  return interface.count > 1 ? &interface : nullptr;
}

// What the topology's cables move from a node in all; absent where that is not one number.
std::optional<BytesPerSecond> bandwidth_of_cables(const Network& network) {
  if (network.link.sharing == Sharing::kUncontended) return std::nullopt;
  if (std::holds_alternative<Star>(network.topology)) return network.link.bandwidth;
  const auto* tree = std::get_if<FatTree>(&network.topology);
  if (tree == nullptr || tree->levels.empty()) return std::nullopt;
  const FatTree::Level& level = tree->levels.front();
  return BytesPerSecond{level.link.bandwidth.value * level.up * level.parallel};
}

// Cables that are narrower than their node's interfaces together.
void tell_cables(const Platform& platform, std::vector<std::string>& remarks) {
  const NetworkInterface* interface = several(platform);
  if (interface == nullptr || interface->link.sharing != platform.network->link.sharing) return;
  const auto cables = bandwidth_of_cables(*platform.network);
  const BytesPerSecond all{interface->link.bandwidth.value * interface->count};
  if (!cables || cables->value >= all.value) return;
  remarks.push_back("the " + number_of(interface->count, "network interface") + " of a node move " +
                    to_text(all) + " together, but the network's cables " + to_text(*cables) +
                    " from a node (/network/link/bandwidth)");
}

}  // namespace

const char* name_of(InterfaceUse use) {
  return use == InterfaceUse::kStriped ? "striped" : "by_core";
}

std::string interfaces_text(const Platform& platform) {
  if (!platform.network || !platform.network->interface) return "";
  const NetworkInterface& interface = *platform.network->interface;
  std::string text = number_of(interface.count, "network interface") + " per node of " +
                     to_text(interface.link.bandwidth);
  if (interface.count == 1) return text;
  return text + (interface.use == InterfaceUse::kStriped
                     ? " each, each message uses all (striped)"
                     : " each, each rank uses that of its core (by_core)");
}

std::vector<std::string> remarks_on_interfaces(const Platform& platform) {
  std::vector<std::string> remarks;
  const NetworkInterface* interface = several(platform);
  if (interface == nullptr) return remarks;
  if (platform.nodes.cores < interface->separate())
    remarks.push_back("nodes of " + number_of(platform.nodes.cores, "core") + " use " +
                      std::to_string(platform.nodes.cores) + " of their " +
                      number_of(interface->count, "network interface") +
                      ": each rank uses that of its core" + kRemedy);
  tell_cables(platform, remarks);
  return remarks;
}

std::vector<std::string> remarks_on_interfaces(const Platform& platform, const SettingsUse& use) {
  std::vector<std::string> remarks;
  const NetworkInterface* interface = several(platform);
  if (interface == nullptr || use.interfaces.nodes == 0) return remarks;
  const std::uint64_t there = use.interfaces.nodes * interface->separate();
  if (use.interfaces.used < there) {
    const bool has_few = platform.nodes.cores < interface->separate();
    remarks.push_back(
        std::to_string(there - use.interfaces.used) + " of the " +
        number_of(there, "network interface") + " of " + number_of(use.interfaces.nodes, "node") +
        " carried no message between nodes: each rank uses that of its core" +
        (has_few ? ", and a node has " + number_of(platform.nodes.cores, "core") : "") + kRemedy);
  }
  tell_cables(platform, remarks);
  return remarks;
}

}  // namespace reprise::platforms
