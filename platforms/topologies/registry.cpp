// SPDX-License-Identifier: MIT
#include "platforms/topologies/registry.hpp"

#include <array>
#include <utility>

#include "platforms/topologies/reader.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::platforms {
namespace {

using nlohmann::json;

// Far beyond machines that exist; it keeps a damaged file from asking for all memory.
constexpr double kMaxCables = 10'000'000;

// "the tree has room for 32 nodes"
template <class T>
std::string room_text(const T& topology) {
  return "the " + std::string(T::kNoun) + " has room for " +
         std::to_string(static_cast<std::uint64_t>(topology.room())) + " nodes";
}

template <class T>
Topology read(TopologyReader& reader, LinkSpec link, NodeIndex nodes) {
  T topology = T::read(reader);
  reader.finish();
  const JsonPlace& own = reader.object().place();
  const JsonPlace place = T::kRoomPlace.empty() ? own : own.child(T::kRoomPlace);
  const std::string noun(T::kNoun);
  double cables = 0;
  for (const Cable& cable : topology.cables(link, nodes)) cables += cable.count;
  if (!(cables <= kMaxCables))
    throw InputError(place.text(), "the " + noun + " has more than " +
                                       std::to_string(static_cast<std::uint64_t>(kMaxCables)) +
                                       " cables");
  if (topology.room() < nodes)
    throw InputError(place.text(),
                     room_text(topology) + ", but /nodes/count is " + std::to_string(nodes),
                     std::string(T::kRoom));
  return topology;
}

struct Kind {
  std::string_view name;
  std::span<const std::string_view> keys;
  Topology (*read)(TopologyReader&, LinkSpec, NodeIndex);
};

template <class... Each>
std::array<Kind, sizeof...(Each)> kinds_of(const std::variant<Each...>*) {
  return {Kind{Each::kKind, Each::keys(), &read<Each>}...};
}

const auto& kinds() {
  static const auto all = kinds_of(static_cast<const Topology*>(nullptr));
  return all;
}

}  // namespace

std::vector<std::string_view> topology_kinds() {
  std::vector<std::string_view> names;
  for (const Kind& kind : kinds()) names.push_back(kind.name);
  return names;
}

Topology read_topology(const json& value, const JsonPlace& place, NodeIndex nodes,
                       const LinkSpec& network_link, SourceNotes& notes) {
  if (!value.is_object())
    throw InputError(place.text(), "expected an object, found " + describe_value(value));
  std::vector<std::string_view> every_key{"kind"};
  for (const auto& [key, ignored] : value.items()) every_key.push_back(key);
  const Kind& kind =
      kinds()[ObjectReader(value, place, every_key).choice("kind", topology_kinds())];
  TopologyReader reader(value, place, kind.keys, network_link, notes);
  reader.object().any("kind");
  return kind.read(reader, network_link, nodes);
}

std::string lack_of_room(const Topology& topology, NodeIndex nodes) {
  return std::visit(
      [&]<class T>(const T& one) -> std::string {
        if (one.room() >= nodes) return "";
        constexpr std::string_view kBegin = "the room is ";
        std::string_view what = T::kRoom;
        if (what.starts_with(kBegin)) what.remove_prefix(kBegin.size());
        return room_text(one) + ", " + std::string(what) + "; /network/topology" +
               (T::kRoomPlace.empty() ? "" : "/" + std::string(T::kRoomPlace)) +
               " with more room, and /nodes/count, make the machine larger";
      },
      topology);
}

std::vector<Cable> cables_of(Topology& topology, LinkSpec& network_link, NodeIndex nodes) {
  return std::visit([&](auto& one) { return one.cables(network_link, nodes); }, topology);
}

bool have_one_shape(Topology a, Topology b) {
  LinkSpec link;
  for (Topology* topology : {&a, &b})
    for (const Cable& cable : cables_of(*topology, link, 1)) *cable.link = {};
  return a == b;
}

}  // namespace reprise::platforms
