// SPDX-License-Identifier: MIT
#include "platforms/load.hpp"

#include <algorithm>
#include <span>

#include "platforms/costs.hpp"
#include "platforms/json/document_kind.hpp"
#include "platforms/json/object_reader.hpp"
#include "platforms/load_mpi.hpp"
#include "platforms/topologies/reader.hpp"
#include "platforms/xml/simgrid_platform.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::platforms {
namespace {

using nlohmann::json;
// Far beyond machines that exist; they keep a damaged file from asking for all memory.
constexpr std::uint64_t kMaxNodes = 1'000'000, kMaxCores = 65'536, kMaxSockets = 64,
                        kMaxInterfaces = 64;
constexpr std::uint64_t kMaxEnds = 10'000'000;

class PlatformParser {
 public:
  explicit PlatformParser(const Document& document) : document_(document) {
    platform_.file = document.file;
  }

  Platform parse() {
    refuse_other_kind(document_, DocumentKind::platform);
    ObjectReader reader(document_.value, {document_.file, ""}, kPlatformKeys);
    reader.expect_format_1();
    platform_.name = reader.text("name");
    if (!reader.has("source")) reader.any("source");  // required here, so that every number has one
    read_source(reader);
    if (reader.has("remarks")) platform_.remarks = read_texts(reader, "remarks");
    if (reader.has("$schema")) reader.text("$schema");
    parse_nodes(reader.any("nodes"), reader.place().child("nodes"));
    read_mpi(reader.any("mpi"), reader.place().child("mpi"), platform_);
    platform_.intra_node_mpi = platform_.mpi;
    parse_intra_node(reader.any("intra_node"), reader.place().child("intra_node"));
    if (reader.has("network")) {
      parse_network(reader.any("network"), reader.place().child("network"));
    } else if (platform_.nodes.count > 1) {
      throw InputError(
          reader.place().child("nodes").child("count").text(),
          std::to_string(platform_.nodes.count) + " nodes, but no network between them",
          "add the key \"network\", or set the count to 1");
    }
    if (reader.has("storage"))
      parse_storage(reader.any("storage"), reader.place().child("storage"));
    for (const char* key : {"price", "power"})
      if (reader.has(key)) reader.any(key);  // costs.hpp: no time depends on them
    check_costs(document_, platform_.sources);
    reader.finish();
    return std::move(platform_);
  }

 private:
  void read_source(ObjectReader& reader) { platforms::read_source(reader, platform_.sources); }

  void parse_nodes(const json& value, JsonPlace place) {
    Nodes& nodes = platform_.nodes;
    const bool is_mixed = value.is_object() && value.contains("groups");
    ObjectReader reader = is_mixed ? ObjectReader(value, std::move(place), kMixedNodesKeys)
                                   : ObjectReader(value, std::move(place), kNodesKeys);
    if (is_mixed) {
      parse_node_groups(reader);
    } else {
      nodes.count = static_cast<std::uint32_t>(reader.count("count", 1, kMaxNodes));
      nodes.cores = static_cast<std::uint32_t>(reader.count("cores", 1, kMaxCores));
      if (reader.has("core_speed")) nodes.core_speed = reader.speed("core_speed");
      if (reader.has("relative_speed")) nodes.relative_speed = reader.factor("relative_speed");
      if (reader.has("memory_bandwidth"))
        nodes.memory_bandwidth = reader.bandwidth("memory_bandwidth");
    }
    if (reader.has("sockets"))
      nodes.sockets = static_cast<std::uint32_t>(reader.count("sockets", 1, kMaxSockets));
    check_sockets(reader);
    if (reader.has("names")) parse_names(reader);
    read_source(reader);
    reader.finish();
  }

  static std::vector<std::string> read_texts(ObjectReader& reader, const char* key) {
    std::vector<std::string> texts;
    for (const json& text : reader.list(key, 1)) {
      if (!text.is_string()) reader.refuse(key, "expected texts, found " + describe_value(text));
      texts.push_back(text.get<std::string>());
    }
    return texts;
  }

  void parse_names(ObjectReader& reader) {
    platform_.nodes.names = read_texts(reader, "names");
    if (platform_.nodes.names.size() != platform_.nodes.count)
      reader.refuse("names", std::to_string(platform_.nodes.names.size()) +
                                 " names, but the count is " +
                                 std::to_string(platform_.nodes.count));
  }

  void parse_node_groups(ObjectReader& parent) {
    Nodes& nodes = platform_.nodes;
    const json& list = parent.list("groups", 1);
    std::uint64_t count = 0;
    nodes.cores = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      ObjectReader reader(list[i], parent.place().child("groups").child(i), kNodeGroupKeys);
      NodeGroup group;
      group.count = static_cast<std::uint32_t>(reader.count("count", 1, kMaxNodes));
      group.cores = static_cast<std::uint32_t>(reader.count("cores", 1, kMaxCores));
      if (reader.has("core_speed")) group.core_speed = reader.speed("core_speed");
      if (reader.has("relative_speed")) group.relative_speed = reader.factor("relative_speed");
      if (reader.has("memory_bandwidth"))
        group.memory_bandwidth = reader.bandwidth("memory_bandwidth");
      read_source(reader);
      reader.finish();
      count += group.count;
      if (count > kMaxNodes)
        parent.refuse("groups", "more than " + std::to_string(kMaxNodes) + " nodes");
      nodes.cores = std::max(nodes.cores, group.cores);
      nodes.groups.push_back(group);
    }
    nodes.count = static_cast<std::uint32_t>(count);
  }

  void check_sockets(const ObjectReader& reader) const {
    const Nodes& nodes = platform_.nodes;
    if (std::uint64_t{nodes.count} * nodes.sockets > kMaxEnds)
      reader.refuse("sockets", "more than " + std::to_string(kMaxEnds) + " sockets in all");
    if (nodes.cores % nodes.sockets != 0)
      reader.refuse("sockets", std::to_string(nodes.cores) +
                                   " cores cannot be divided evenly among " +
                                   std::to_string(nodes.sockets) + " sockets");
    for (const NodeGroup& group : nodes.groups)
      if (nodes.sockets > 1 && group.cores != nodes.cores)
        reader.refuse("sockets",
                      "nodes with several sockets must all have the same number of cores, but "
                      "there are nodes of " +
                          std::to_string(group.cores) + " and of " + std::to_string(nodes.cores));
  }

  void parse_intra_node(const json& value, JsonPlace place) {
    ObjectReader reader(value, std::move(place), kIntraNodeKeys);
    platform_.intra_node = read_link(reader, kIntraNodeSharingNames, kNodeSharings,
                                     Sharing::kShared, platform_.sources);
    if (reader.has("per_receiver_bandwidth"))
      platform_.intra_node_per_receiver = reader.bandwidth("per_receiver_bandwidth");
    if (reader.has("mpi"))
      read_mpi_override(reader.any("mpi"), reader.place().child("mpi"), platform_);
    if (reader.has("between_sockets")) {
      if (platform_.nodes.sockets == 1)
        reader.refuse("between_sockets", "the nodes have one socket",
                      "give their number with /nodes/sockets");
      ObjectReader link(reader.any("between_sockets"), reader.place().child("between_sockets"),
                        kSocketLinkKeys);
      platform_.inter_socket = read_link(link, kSocketLinkSharingNames, kNodeSharings,
                                         Sharing::kShared, platform_.sources);
      link.finish();
    } else if (platform_.nodes.sockets > 1) {
      throw InputError(reader.place().text(),
                       "the nodes have " + std::to_string(platform_.nodes.sockets) +
                           " sockets, but no path between them",
                       "add the key \"between_sockets\" with a bandwidth and a latency");
    }
    reader.finish();
  }

  void parse_network(const json& value, JsonPlace place) {
    ObjectReader reader(value, std::move(place), kNetworkKeys);
    Network& network = platform_.network.emplace();
    network.link = read_network_link(reader, "link", Sharing::kFullDuplex, platform_.sources);
    if (reader.has("interface")) {
      ObjectReader interface(reader.any("interface"), reader.place().child("interface"),
                             kInterfaceKeys);
      network.interface.emplace();
      if (interface.has("count"))
        network.interface->count =
            static_cast<std::uint32_t>(interface.count("count", 1, kMaxInterfaces));
      network.interface->link = read_link(interface, kInterfaceSharingNames, kSharings,
                                          Sharing::kFullDuplex, platform_.sources);
      if (interface.has("use"))
        network.interface->use = interface.choice("use", kInterfaceUseNames) == 0
                                     ? InterfaceUse::kByCore
                                     : InterfaceUse::kStriped;
      if (std::uint64_t{platform_.nodes.count} * platform_.ends_per_node() > kMaxEnds)
        interface.refuse("count", "more than " + std::to_string(kMaxEnds) + " interfaces in all",
                         "\"use\": \"striped\" makes those of a node one");
      interface.finish();
    }
    parse_sharing(reader, network);
    network.topology = read_topology(reader.any("topology"), reader.place().child("topology"),
                                     platform_.nodes.count, network.link, platform_.sources);
    read_source(reader);
    reader.finish();
  }

  // With max_min said what is of latency_weighted may stay, so that one word goes over from one to the other.
  static void parse_sharing(ObjectReader& reader, Network& network) {
    const bool is_said = reader.has("sharing");
    const bool is_weighted = is_said && reader.choice("sharing", kNetworkSharingNames) == 1;
    for (const char* key : {"weight_s", "tcp_gamma"})
      if (!is_said && reader.has(key))
        reader.refuse(key, "messages share links evenly here, whatever their routes' latency",
                      "add \"sharing\": \"latency_weighted\", or leave it out");
    LatencyWeights weights;
    if (reader.has("weight_s")) weights.weight_s = reader.bytes("weight_s");
    if (reader.has("tcp_gamma")) weights.tcp_gamma = reader.bytes("tcp_gamma");
    if (weights.tcp_gamma && weights.tcp_gamma->value == 0)
      reader.refuse("tcp_gamma", "a window of no bytes lets nothing through",
                    "leave it out: then nothing bounds messages so");
    if (is_weighted) network.latency_weights = weights;
  }

  void parse_storage(const json& value, JsonPlace place) {
    ObjectReader reader(value, std::move(place), kStorageKeys);
    Storage& storage = platform_.storage.emplace();
    storage.kind = reader.choice("kind", kStorageKindNames) == 0 ? Storage::Kind::kShared
                                                                 : Storage::Kind::kPerNode;
    storage.read_bandwidth = reader.bandwidth("read_bandwidth");
    storage.write_bandwidth = reader.bandwidth("write_bandwidth");
    storage.latency = reader.seconds("latency");
    storage.metadata_latency =
        reader.has("metadata_latency") ? reader.seconds("metadata_latency") : storage.latency;
    if (reader.has("operation_cost")) storage.operation_cost = reader.seconds("operation_cost");
    if (reader.has("per_client_bandwidth"))
      storage.per_client_bandwidth = reader.bandwidth("per_client_bandwidth");
    read_source(reader);
    reader.finish();
  }

  const Document& document_;
  Platform platform_;
};

}  // namespace

Platform parse_platform(const Document& document) { return PlatformParser(document).parse(); }

Document load_document(const std::string& path) {
  const std::string text = read_document_text(path);
  return looks_like_xml(text) ? parse_simgrid_platform(text, path) : parse_document(text, path);
}

Platform load_platform(const std::string& path) { return parse_platform(load_document(path)); }

}  // namespace reprise::platforms
