// SPDX-License-Identifier: MIT
#include "platforms/load.hpp"

#include <algorithm>
#include <span>

#include "platforms/json/object_reader.hpp"
#include "platforms/load_parts.hpp"
#include "platforms/load_topology.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::platforms {
namespace {

using nlohmann::json;
constexpr KeyList<9> kPlatformKeys{
    {"format", "name", "source", "nodes", "intra_node", "mpi", "network", "storage", "$schema"}, 6};
constexpr KeyList<7> kNodesKeys{
    {"count", "cores", "sockets", "core_speed", "relative_speed", "names", "source"}, 2};
constexpr KeyList<4> kMixedNodesKeys{{"groups", "sockets", "names", "source"}, 1};
constexpr KeyList<5> kNodeGroupKeys{{"count", "cores", "core_speed", "relative_speed", "source"},
                                    2};
constexpr KeyList<7> kIntraNodeKeys{{"bandwidth", "latency", "per_receiver_bandwidth", "sharing",
                                     "mpi", "between_sockets", "source"},
                                    2};
constexpr KeyList<4> kSocketLinkKeys{{"bandwidth", "latency", "sharing", "source"}, 2};
constexpr KeyList<4> kNetworkKeys{{"topology", "link", "interface", "source"}, 2};
constexpr KeyList<5> kInterfaceKeys{{"bandwidth", "latency", "count", "sharing", "source"}, 2};
constexpr KeyList<15> kMpiKeys{
    {"eager_limit", "send_overhead", "recv_overhead", "rendezvous_handshake", "copy_bandwidth",
     "copy_factors", "progress", "latency_factors", "bandwidth_factors", "acknowledgements",
     "reduction_bandwidth", "reduction_factors", "uncertainty", "collectives", "source"},
    3};
constexpr KeyList<12> kMpiOverrideKeys{
    {"eager_limit", "send_overhead", "recv_overhead", "rendezvous_handshake", "copy_bandwidth",
     "copy_factors", "progress", "latency_factors", "bandwidth_factors", "acknowledgements",
     "uncertainty", "source"},
    0};
constexpr KeyList<19> kCollectivesKeys{
    {"selection", "barrier", "bcast", "reduce", "allreduce", "scan", "exscan", "gather", "gatherv",
     "scatter", "scatterv", "allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw",
     "reduce_scatter", "reduce_scatter_block", "source"},
    0};
constexpr KeyList<4> kCollectiveRuleKeys{{"algorithm", "up_to", "segment", "fanout"}, 1};
constexpr KeyList<8> kStorageKeys{
    {"kind", "read_bandwidth", "write_bandwidth", "latency", "metadata_latency", "operation_cost",
     "per_client_bandwidth", "source"},
    4};

constexpr std::array<std::string_view, 2> kStorageKinds{"shared", "per_node"};
constexpr std::array<std::string_view, 2> kProgressNames{"asynchronous", "in_calls"};
constexpr std::array<Progress, 2> kProgresses{Progress::kAsynchronous, Progress::kInCalls};

// Far beyond machines that exist; they keep a damaged file from asking for all memory.
constexpr std::uint64_t kMaxNodes = 1'000'000, kMaxCores = 65'536, kMaxSockets = 64,
                        kMaxInterfaces = 64;
constexpr std::uint64_t kMaxFanout = 65'536, kMaxEnds = 10'000'000;

class PlatformParser {
 public:
  explicit PlatformParser(const Document& document) : document_(document) {
    platform_.file = document.file;
  }

  Platform parse() {
    ObjectReader reader(document_.value, {document_.file, ""}, kPlatformKeys.keys);
    const std::uint64_t format = reader.count("format", 1, 1'000'000);
    if (format != 1)
      reader.refuse("format", "format " + std::to_string(format) + " is unknown",
                    "this version reads format 1");
    platform_.name = reader.text("name");
    if (!reader.has("source")) reader.any("source");  // required here, so that every number has one
    read_source(reader);
    if (reader.has("$schema")) reader.text("$schema");
    parse_nodes(reader.any("nodes"), reader.place().child("nodes"));
    parse_mpi(reader.any("mpi"), reader.place().child("mpi"), platform_.mpi);
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
    reader.finish();
    return std::move(platform_);
  }

 private:
  void read_source(ObjectReader& reader) { platforms::read_source(reader, platform_.sources); }

  void parse_nodes(const json& value, JsonPlace place) {
    Nodes& nodes = platform_.nodes;
    const bool is_mixed = value.is_object() && value.contains("groups");
    ObjectReader reader(
        value, std::move(place),
        is_mixed ? std::span<const std::string_view>(kMixedNodesKeys.keys) : kNodesKeys.keys);
    if (is_mixed) {
      parse_node_groups(reader);
    } else {
      nodes.count = static_cast<std::uint32_t>(reader.count("count", 1, kMaxNodes));
      nodes.cores = static_cast<std::uint32_t>(reader.count("cores", 1, kMaxCores));
      if (reader.has("core_speed")) nodes.core_speed = reader.speed("core_speed");
      if (reader.has("relative_speed")) nodes.relative_speed = reader.factor("relative_speed");
    }
    if (reader.has("sockets"))
      nodes.sockets = static_cast<std::uint32_t>(reader.count("sockets", 1, kMaxSockets));
    check_sockets(reader);
    if (reader.has("names")) parse_names(reader);
    read_source(reader);
    reader.finish();
  }

  void parse_names(ObjectReader& reader) {
    for (const json& name : reader.list("names", 1)) {
      if (!name.is_string())
        reader.refuse("names", "expected texts, found " + describe_value(name));
      platform_.nodes.names.push_back(name.get<std::string>());
    }
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
      ObjectReader reader(list[i], parent.place().child("groups").child(i), kNodeGroupKeys.keys);
      NodeGroup group;
      group.count = static_cast<std::uint32_t>(reader.count("count", 1, kMaxNodes));
      group.cores = static_cast<std::uint32_t>(reader.count("cores", 1, kMaxCores));
      if (reader.has("core_speed")) group.core_speed = reader.speed("core_speed");
      if (reader.has("relative_speed")) group.relative_speed = reader.factor("relative_speed");
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
                                   " cores cannot be dealt out evenly to " +
                                   std::to_string(nodes.sockets) + " sockets");
    for (const NodeGroup& group : nodes.groups)
      if (nodes.sockets > 1 && group.cores != nodes.cores)
        reader.refuse("sockets",
                      "nodes of several sockets have equally many cores, but there are nodes of " +
                          std::to_string(group.cores) + " and of " + std::to_string(nodes.cores));
  }

  void parse_intra_node(const json& value, JsonPlace place) {
    ObjectReader reader(value, std::move(place), kIntraNodeKeys.keys);
    platform_.intra_node =
        read_link(reader, kNodeSharingNames, kNodeSharings, Sharing::kShared, platform_.sources);
    if (reader.has("per_receiver_bandwidth"))
      platform_.intra_node_per_receiver = reader.bandwidth("per_receiver_bandwidth");
    if (reader.has("mpi")) {
      ObjectReader mpi(reader.any("mpi"), reader.place().child("mpi"), kMpiOverrideKeys.keys);
      read_mpi(mpi, platform_.intra_node_mpi);
      mpi.finish();
    }
    if (reader.has("between_sockets")) {
      if (platform_.nodes.sockets == 1)
        reader.refuse("between_sockets", "the nodes have one socket",
                      "say how many there are with /nodes/sockets");
      ObjectReader link(reader.any("between_sockets"), reader.place().child("between_sockets"),
                        kSocketLinkKeys.keys);
      platform_.inter_socket =
          read_link(link, kNodeSharingNames, kNodeSharings, Sharing::kShared, platform_.sources);
      link.finish();
    } else if (platform_.nodes.sockets > 1) {
      throw InputError(reader.place().text(),
                       "the nodes have " + std::to_string(platform_.nodes.sockets) +
                           " sockets, but nothing is between them",
                       "add the key \"between_sockets\" with a bandwidth and a latency");
    }
    reader.finish();
  }

  void parse_network(const json& value, JsonPlace place) {
    ObjectReader reader(value, std::move(place), kNetworkKeys.keys);
    Network& network = platform_.network.emplace();
    network.link = read_network_link(reader, "link", Sharing::kFullDuplex, platform_.sources);
    if (reader.has("interface")) {
      ObjectReader interface(reader.any("interface"), reader.place().child("interface"),
                             kInterfaceKeys.keys);
      network.interface.emplace();
      if (interface.has("count"))
        network.interface->count =
            static_cast<std::uint32_t>(interface.count("count", 1, kMaxInterfaces));
      network.interface->link =
          read_link(interface, kSharingNames, kSharings, Sharing::kFullDuplex, platform_.sources);
      interface.finish();
    }
    read_topology(reader.any("topology"), reader.place().child("topology"), platform_.nodes.count,
                  network, platform_.sources);
    read_source(reader);
    reader.finish();
  }

  void parse_storage(const json& value, JsonPlace place) {
    ObjectReader reader(value, std::move(place), kStorageKeys.keys);
    Storage& storage = platform_.storage.emplace();
    storage.kind = reader.choice("kind", kStorageKinds) == 0 ? Storage::Kind::kShared
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

  void parse_mpi(const json& value, JsonPlace place, Mpi& mpi) {
    ObjectReader reader(value, std::move(place), kMpiKeys.keys);
    for (std::size_t i = 0; i < kMpiKeys.required; ++i) reader.any(kMpiKeys.keys[i]);
    read_mpi(reader, mpi);
    if (reader.has("reduction_bandwidth"))
      platform_.reduction_bandwidth = reader.bandwidth("reduction_bandwidth");
    if (reader.has("reduction_factors"))
      platform_.reduction_factors = read_factors(reader, "reduction_factors");
    if (reader.has("collectives"))
      parse_collectives(reader.any("collectives"), reader.place().child("collectives"));
    reader.finish();
  }

  void parse_collectives(const json& value, JsonPlace place) {
    ObjectReader reader(value, std::move(place), kCollectivesKeys.keys);
    if (reader.has("selection")) platform_.collectives.selection = reader.text("selection");
    for (const std::string_view operation : kCollectivesKeys.keys)
      if (operation != "selection" && operation != "source" && reader.has(operation))
        parse_rules(reader, operation);
    read_source(reader);
    reader.finish();
  }

  // One algorithm's name for every size, or a list of rules.
  void parse_rules(ObjectReader& parent, std::string_view operation) {
    std::vector<CollectiveRule>& rules = platform_.collectives.rules;
    const JsonPlace place = parent.place().child(operation);
    if (parent.any(operation).is_string()) {
      rules.push_back({std::string(operation), std::nullopt, parent.text(operation), Bytes{}, 0,
                       place.pointer});
      return;
    }
    if (!parent.any(operation).is_array())
      parent.refuse(operation, "expected an algorithm's name or a list of rules, found " +
                                   describe_value(parent.any(operation)));
    const json& list = parent.list(operation, 1);
    for (std::size_t i = 0; i < list.size(); ++i) {
      ObjectReader reader(list[i], place.child(i), kCollectiveRuleKeys.keys);
      CollectiveRule rule{std::string(operation),
                          std::nullopt,
                          reader.text("algorithm"),
                          Bytes{},
                          0,
                          place.child(i).child("algorithm").pointer};
      if (reader.has("up_to")) rule.up_to = reader.bytes("up_to");
      if (reader.has("segment")) rule.segment = reader.bytes("segment");
      if (reader.has("fanout"))
        rule.fanout = static_cast<std::uint32_t>(reader.count("fanout", 1, kMaxFanout));
      if (i > 0 && !rules.back().up_to)
        reader.refuse("algorithm", "the rule before it holds for every size",
                      "only the last rule may have no \"up_to\"");
      if (i > 0 && rule.up_to && *rule.up_to <= *rules.back().up_to)
        reader.refuse("up_to", "not above the size before it",
                      "list the sizes in ascending order, each once");
      rules.push_back(std::move(rule));
      reader.finish();
    }
  }

  // What is there; the rest of MPI stays as it is.
  void read_mpi(ObjectReader& reader, Mpi& mpi) {
    if (reader.has("eager_limit")) mpi.eager_limit = reader.bytes("eager_limit");
    if (reader.has("send_overhead")) mpi.send_overhead = reader.seconds("send_overhead");
    if (reader.has("recv_overhead")) mpi.recv_overhead = reader.seconds("recv_overhead");
    if (reader.has("rendezvous_handshake"))
      mpi.rendezvous_handshake = reader.flag("rendezvous_handshake");
    if (reader.has("copy_bandwidth")) mpi.copy_bandwidth = reader.bandwidth("copy_bandwidth");
    if (reader.has("progress"))
      mpi.progress = kProgresses[reader.choice("progress", kProgressNames)];
    if (reader.has("latency_factors"))
      mpi.latency_factors = read_factors(reader, "latency_factors");
    if (reader.has("bandwidth_factors"))
      mpi.bandwidth_factors = read_factors(reader, "bandwidth_factors");
    if (reader.has("copy_factors")) mpi.copy_factors = read_factors(reader, "copy_factors");
    if (reader.has("acknowledgements"))
      mpi.acknowledgements = read_times(reader, "acknowledgements");
    if (reader.has("uncertainty")) mpi.uncertainty = read_uncertainty(reader);
    read_source(reader);
  }

  const Document& document_;
  Platform platform_;
};

}  // namespace

Platform parse_platform(const Document& document) { return PlatformParser(document).parse(); }

Platform load_platform(const std::string& path) { return parse_platform(load_document(path)); }

std::vector<ObjectKeys> known_platform_keys() {
  std::vector<ObjectKeys> keys{object_keys("platform", kPlatformKeys),
                               object_keys("nodes", kNodesKeys),
                               object_keys("mixed_nodes", kMixedNodesKeys),
                               object_keys("node_group", kNodeGroupKeys),
                               object_keys("intra_node", kIntraNodeKeys),
                               object_keys("socket_link", kSocketLinkKeys),
                               object_keys("network", kNetworkKeys),
                               object_keys("storage", kStorageKeys),
                               object_keys("interface", kInterfaceKeys),
                               object_keys("link", kLinkKeys),
                               object_keys("link_change", kLinkChangeKeys),
                               object_keys("mpi", kMpiKeys),
                               object_keys("size_factor", kSizeFactorKeys),
                               object_keys("size_time", kSizeTimeKeys),
                               object_keys("uncertainty", kUncertaintyKeys),
                               object_keys("residual", kResidualKeys),
                               object_keys("mpi_override", kMpiOverrideKeys),
                               object_keys("collectives", kCollectivesKeys),
                               object_keys("collective_rule", kCollectiveRuleKeys)};
  const auto topologies = known_topology_keys();
  keys.insert(keys.end(), topologies.begin(), topologies.end());
  return keys;
}

}  // namespace reprise::platforms
