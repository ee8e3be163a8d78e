// SPDX-License-Identifier: MIT
#include "platforms/load.hpp"

#include <array>
#include <set>
#include <span>

#include "platforms/json/object_reader.hpp"
#include "platforms/topologies/fat_tree_routes.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::platforms {
namespace {

using nlohmann::json;
using Keys = std::span<const std::string_view>;

// The keys of each kind of object: the required ones, then the optional ones.
template <std::size_t N>
struct KeyList {
  std::array<std::string_view, N> keys;
  std::size_t required;
};
constexpr KeyList<9> kPlatformKeys{
    {"format", "name", "source", "nodes", "intra_node", "mpi", "network", "storage", "$schema"}, 6};
constexpr KeyList<5> kNodesKeys{{"count", "cores", "core_speed", "names", "source"}, 2};
constexpr KeyList<5> kIntraNodeKeys{{"bandwidth", "latency", "sharing", "mpi", "source"}, 2};
constexpr KeyList<4> kLinkKeys{{"bandwidth", "latency", "sharing", "source"}, 2};
constexpr KeyList<3> kNetworkKeys{{"topology", "link", "source"}, 2};
constexpr KeyList<3> kStarKeys{{"kind", "backbone", "source"}, 1};
constexpr KeyList<3> kFatTreeKeys{{"kind", "levels", "source"}, 2};
constexpr KeyList<5> kLevelKeys{{"down", "up", "parallel", "link", "source"}, 2};
constexpr KeyList<3> kLevelLinkKeys{{"bandwidth", "latency", "source"}, 0};
constexpr KeyList<11> kMpiKeys{{"eager_limit", "send_overhead", "recv_overhead", "rendezvous_handshake", "copy_bandwidth", "progress",
                                "latency_factors", "bandwidth_factors", "reduction_bandwidth", "collectives", "source"},
                              3};
constexpr KeyList<9> kMpiOverrideKeys{{"eager_limit", "send_overhead", "recv_overhead", "rendezvous_handshake",
                                       "copy_bandwidth", "progress", "latency_factors", "bandwidth_factors", "source"},
                                      0};
constexpr KeyList<19> kCollectivesKeys{
    {"selection", "barrier", "bcast", "reduce", "allreduce", "scan", "exscan", "gather", "gatherv", "scatter", "scatterv",
     "allgather", "allgatherv", "alltoall", "alltoallv", "alltoallw", "reduce_scatter", "reduce_scatter_block", "source"},
    0};
constexpr KeyList<4> kCollectiveRuleKeys{{"algorithm", "up_to", "segment", "fanout"}, 1};
constexpr KeyList<8> kStorageKeys{{"kind", "read_bandwidth", "write_bandwidth", "latency", "metadata_latency",
                                   "operation_cost", "per_client_bandwidth", "source"},
                                  4};
constexpr KeyList<2> kSizeFactorKeys{{"from", "factor"}, 2};

constexpr std::array<std::string_view, 2> kTopologyKinds{"star", "fat_tree"};
constexpr std::array<std::string_view, 2> kStorageKinds{"shared", "per_node"};
constexpr std::array<std::string_view, 3> kSharingNames{"shared", "full_duplex", "uncontended"};
constexpr std::array<Sharing, 3> kSharings{Sharing::kShared, Sharing::kFullDuplex, Sharing::kUncontended};
constexpr std::array<std::string_view, 2> kProgressNames{"asynchronous", "in_calls"};
constexpr std::array<Progress, 2> kProgresses{Progress::kAsynchronous, Progress::kInCalls};
constexpr std::array<std::string_view, 2> kNodeSharingNames{"shared", "uncontended"};
constexpr std::array<Sharing, 2> kNodeSharings{Sharing::kShared, Sharing::kUncontended};

// Far beyond machines that exist; they keep a damaged file from asking for all memory.
constexpr std::uint64_t kMaxNodes = 1'000'000, kMaxCores = 65'536, kMaxPorts = 65'536;
constexpr std::size_t kMaxLevels = FatTreeRoutes::kMaxHeight;
constexpr std::uint64_t kMaxCables = 10'000'000;

class PlatformParser {
 public:
  explicit PlatformParser(const Document& document) : document_(document) { platform_.file = document.file; }

  Platform parse() {
    ObjectReader reader(document_.value, {document_.file, ""}, kPlatformKeys.keys);
    const std::uint64_t format = reader.count("format", 1, 1'000'000);
    if (format != 1) reader.refuse("format", "format " + std::to_string(format) + " is unknown", "this version reads format 1");
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
      throw InputError(reader.place().child("nodes").child("count").text(),
                       std::to_string(platform_.nodes.count) + " nodes, but no network between them",
                       "add the key \"network\", or set the count to 1");
    }
    if (reader.has("storage")) parse_storage(reader.any("storage"), reader.place().child("storage"));
    reader.finish();
    return std::move(platform_);
  }

 private:
  // "source": a text for all numbers of its object and below, or an object with a text for each key.
  void read_source(ObjectReader& reader) {
    if (!reader.has("source")) return;
    const json& source = reader.any("source");
    if (!source.is_object()) {
      if (!source.is_string()) reader.refuse("source", "expected a text or an object of texts, found " + describe_value(source));
      platform_.sources.push_back({reader.place().pointer, reader.text("source")});
      return;
    }
    std::vector<std::string_view> keys;
    for (const auto& [key, ignored] : reader.value().items())
      if (key != "source") keys.push_back(key);
    ObjectReader notes(source, reader.place().child("source"), keys);
    if (source.empty()) reader.refuse("source", "names no key");
    for (const std::string_view key : keys)
      if (notes.has(key)) platform_.sources.push_back({reader.place().child(key).pointer, notes.text(key)});
    notes.finish();
  }

  void parse_nodes(const json& value, JsonPlace place) {
    ObjectReader reader(value, std::move(place), kNodesKeys.keys);
    platform_.nodes.count = static_cast<std::uint32_t>(reader.count("count", 1, kMaxNodes));
    platform_.nodes.cores = static_cast<std::uint32_t>(reader.count("cores", 1, kMaxCores));
    if (reader.has("core_speed")) platform_.nodes.core_speed = reader.speed("core_speed");
    if (reader.has("names")) parse_names(reader);
    read_source(reader);
    reader.finish();
  }

  void parse_names(ObjectReader& reader) {
    for (const json& name : reader.list("names", 1)) {
      if (!name.is_string()) reader.refuse("names", "expected texts, found " + describe_value(name));
      platform_.nodes.names.push_back(name.get<std::string>());
    }
    if (platform_.nodes.names.size() != platform_.nodes.count)
      reader.refuse("names", std::to_string(platform_.nodes.names.size()) + " names, but the count is " + std::to_string(platform_.nodes.count));
  }

  void parse_intra_node(const json& value, JsonPlace place) {
    ObjectReader reader(value, std::move(place), kIntraNodeKeys.keys);
    platform_.intra_node = read_link(reader, kNodeSharingNames, kNodeSharings, Sharing::kShared);
    if (reader.has("mpi")) {
      ObjectReader mpi(reader.any("mpi"), reader.place().child("mpi"), kMpiOverrideKeys.keys);
      read_mpi(mpi, platform_.intra_node_mpi);
      mpi.finish();
    }
    reader.finish();
  }

  LinkSpec read_link(ObjectReader& reader, Keys sharing_names, std::span<const Sharing> sharings, Sharing usual) {
    LinkSpec link{reader.bandwidth("bandwidth"), reader.seconds("latency"), usual};
    if (reader.has("sharing")) link.sharing = sharings[reader.choice("sharing", sharing_names)];
    read_source(reader);
    return link;
  }

  void parse_network(const json& value, JsonPlace place) {
    ObjectReader reader(value, std::move(place), kNetworkKeys.keys);
    Network& network = platform_.network.emplace();
    ObjectReader link(reader.any("link"), reader.place().child("link"), kLinkKeys.keys);
    network.link = read_link(link, kSharingNames, kSharings, Sharing::kFullDuplex);
    link.finish();
    parse_topology(reader.any("topology"), reader.place().child("topology"), network);
    read_source(reader);
    reader.finish();
  }

  void parse_storage(const json& value, JsonPlace place) {
    ObjectReader reader(value, std::move(place), kStorageKeys.keys);
    Storage& storage = platform_.storage.emplace();
    storage.kind = reader.choice("kind", kStorageKinds) == 0 ? Storage::Kind::kShared : Storage::Kind::kPerNode;
    storage.read_bandwidth = reader.bandwidth("read_bandwidth");
    storage.write_bandwidth = reader.bandwidth("write_bandwidth");
    storage.latency = reader.seconds("latency");
    storage.metadata_latency = reader.has("metadata_latency") ? reader.seconds("metadata_latency") : storage.latency;
    if (reader.has("operation_cost")) storage.operation_cost = reader.seconds("operation_cost");
    if (reader.has("per_client_bandwidth")) storage.per_client_bandwidth = reader.bandwidth("per_client_bandwidth");
    read_source(reader);
    reader.finish();
  }

  // The kind decides which other keys there are.
  void parse_topology(const json& value, JsonPlace place, Network& network) {
    if (!value.is_object()) throw InputError(place.text(), "expected an object, found " + describe_value(value));
    std::vector<std::string_view> every_key{"kind"};
    for (const auto& [key, ignored] : value.items()) every_key.push_back(key);
    const std::size_t kind = ObjectReader(value, place, every_key).choice("kind", kTopologyKinds);
    if (kind == 0) {
      ObjectReader reader(value, std::move(place), kStarKeys.keys);
      reader.any("kind");
      Star star;
      if (reader.has("backbone")) {
        ObjectReader link(reader.any("backbone"), reader.place().child("backbone"), kLinkKeys.keys);
        star.backbone = read_link(link, kSharingNames, kSharings, Sharing::kShared);
        link.finish();
      }
      network.topology = star;
      read_source(reader);
      reader.finish();
    } else {
      parse_fat_tree(value, std::move(place), network);
    }
  }

  void parse_fat_tree(const json& value, JsonPlace place, Network& network) {
    ObjectReader reader(value, std::move(place), kFatTreeKeys.keys);
    reader.any("kind");
    FatTree tree;
    const json& levels = reader.list("levels", 1);
    const JsonPlace levels_place = reader.place().child("levels");
    if (levels.size() > kMaxLevels) reader.refuse("levels", "more than " + std::to_string(kMaxLevels) + " levels");
    for (std::size_t i = 0; i < levels.size(); ++i)
      tree.levels.push_back(parse_level(levels[i], levels_place.child(i), network.link));
    check_tree_size(tree, levels_place);
    network.topology = std::move(tree);
    read_source(reader);
    reader.finish();
  }

  FatTree::Level parse_level(const json& value, JsonPlace place, const LinkSpec& network_link) {
    ObjectReader reader(value, std::move(place), kLevelKeys.keys);
    FatTree::Level level;
    level.down = static_cast<std::uint32_t>(reader.count("down", 1, kMaxPorts));
    level.up = static_cast<std::uint32_t>(reader.count("up", 1, kMaxPorts));
    if (reader.has("parallel")) level.parallel = static_cast<std::uint32_t>(reader.count("parallel", 1, kMaxPorts));
    level.link = network_link;
    if (reader.has("link")) {
      ObjectReader link(reader.any("link"), reader.place().child("link"), kLevelLinkKeys.keys);
      if (link.has("bandwidth")) level.link.bandwidth = link.bandwidth("bandwidth");
      if (link.has("latency")) level.link.latency = link.seconds("latency");
      read_source(link);
      link.finish();
    }
    read_source(reader);
    reader.finish();
    return level;
  }

  void check_tree_size(const FatTree& tree, const JsonPlace& levels) const {
    // In floating point: the products of eight port counts pass 2^64.
    double leaves = 1, cables = 0;
    for (const FatTree::Level& level : tree.levels) leaves *= level.down;
    double elements = leaves;
    for (const FatTree::Level& level : tree.levels) {
      cables += elements * level.up * level.parallel;
      elements = elements / level.down * level.up;
    }
    if (!(cables <= static_cast<double>(kMaxCables)))
      throw InputError(levels.text(), "the tree has more than " + std::to_string(kMaxCables) + " cables");
    if (leaves < platform_.nodes.count) {
      throw InputError(levels.text(),
                       "the tree has room for " + std::to_string(static_cast<std::uint64_t>(leaves)) +
                           " nodes, but /nodes/count is " + std::to_string(platform_.nodes.count),
                       "the room is the product of \"down\" over the levels");
    }
  }

  void parse_mpi(const json& value, JsonPlace place, Mpi& mpi) {
    ObjectReader reader(value, std::move(place), kMpiKeys.keys);
    for (std::size_t i = 0; i < kMpiKeys.required; ++i) reader.any(kMpiKeys.keys[i]);
    read_mpi(reader, mpi);
    if (reader.has("reduction_bandwidth")) platform_.reduction_bandwidth = reader.bandwidth("reduction_bandwidth");
    if (reader.has("collectives")) parse_collectives(reader.any("collectives"), reader.place().child("collectives"));
    reader.finish();
  }

  void parse_collectives(const json& value, JsonPlace place) {
    ObjectReader reader(value, std::move(place), kCollectivesKeys.keys);
    if (reader.has("selection")) platform_.collectives.selection = reader.text("selection");
    for (const std::string_view operation : kCollectivesKeys.keys)
      if (operation != "selection" && operation != "source" && reader.has(operation)) parse_rules(reader, operation);
    read_source(reader);
    reader.finish();
  }

  // One algorithm's name for every size, or a list of rules.
  void parse_rules(ObjectReader& parent, std::string_view operation) {
    std::vector<CollectiveRule>& rules = platform_.collectives.rules;
    const JsonPlace place = parent.place().child(operation);
    if (parent.any(operation).is_string()) {
      rules.push_back({std::string(operation), std::nullopt, parent.text(operation), Bytes{}, 0, place.pointer});
      return;
    }
    if (!parent.any(operation).is_array())
      parent.refuse(operation, "expected an algorithm's name or a list of rules, found " + describe_value(parent.any(operation)));
    const json& list = parent.list(operation, 1);
    for (std::size_t i = 0; i < list.size(); ++i) {
      ObjectReader reader(list[i], place.child(i), kCollectiveRuleKeys.keys);
      CollectiveRule rule{std::string(operation), std::nullopt, reader.text("algorithm"), Bytes{}, 0,
                          place.child(i).child("algorithm").pointer};
      if (reader.has("up_to")) rule.up_to = reader.bytes("up_to");
      if (reader.has("segment")) rule.segment = reader.bytes("segment");
      if (reader.has("fanout")) rule.fanout = static_cast<std::uint32_t>(reader.count("fanout", 1, kMaxPorts));
      if (i > 0 && !rules.back().up_to)
        reader.refuse("algorithm", "the rule before it holds for every size", "only the last rule may have no \"up_to\"");
      if (i > 0 && rule.up_to && *rule.up_to <= *rules.back().up_to)
        reader.refuse("up_to", "not above the size before it", "list the sizes in ascending order, each once");
      rules.push_back(std::move(rule));
      reader.finish();
    }
  }

  // What is there; the rest of MPI stays as it is.
  void read_mpi(ObjectReader& reader, Mpi& mpi) {
    if (reader.has("eager_limit")) mpi.eager_limit = reader.bytes("eager_limit");
    if (reader.has("send_overhead")) mpi.send_overhead = reader.seconds("send_overhead");
    if (reader.has("recv_overhead")) mpi.recv_overhead = reader.seconds("recv_overhead");
    if (reader.has("rendezvous_handshake")) mpi.rendezvous_handshake = reader.flag("rendezvous_handshake");
    if (reader.has("copy_bandwidth")) mpi.copy_bandwidth = reader.bandwidth("copy_bandwidth");
    if (reader.has("progress")) mpi.progress = kProgresses[reader.choice("progress", kProgressNames)];
    if (reader.has("latency_factors")) mpi.latency_factors = parse_factors(reader, "latency_factors");
    if (reader.has("bandwidth_factors")) mpi.bandwidth_factors = parse_factors(reader, "bandwidth_factors");
    read_source(reader);
  }

  static std::vector<SizeFactor> parse_factors(ObjectReader& parent, std::string_view key) {
    std::vector<SizeFactor> factors;
    const json& list = parent.list(key, 1);
    for (std::size_t i = 0; i < list.size(); ++i) {
      ObjectReader reader(list[i], parent.place().child(key).child(i), kSizeFactorKeys.keys);
      const SizeFactor factor{reader.bytes("from"), reader.factor("factor")};
      if (!factors.empty() && factor.from <= factors.back().from)
        reader.refuse("from", "not above the size before it", "list the sizes in ascending order, each once");
      factors.push_back(factor);
      reader.finish();
    }
    return factors;
  }

  const Document& document_;
  Platform platform_;
};

template <std::size_t N>
ObjectKeys object_keys(std::string_view object, const KeyList<N>& list) {
  const auto split = list.keys.begin() + static_cast<std::ptrdiff_t>(list.required);
  return {object, {list.keys.begin(), split}, {split, list.keys.end()}};
}

}  // namespace

Platform parse_platform(const Document& document) { return PlatformParser(document).parse(); }

Platform load_platform(const std::string& path) { return parse_platform(load_document(path)); }

std::vector<ObjectKeys> known_platform_keys() {
  return {object_keys("platform", kPlatformKeys),     object_keys("nodes", kNodesKeys),
          object_keys("intra_node", kIntraNodeKeys),  object_keys("network", kNetworkKeys),
          object_keys("link", kLinkKeys),             object_keys("star", kStarKeys),
          object_keys("storage", kStorageKeys),
          object_keys("fat_tree", kFatTreeKeys),      object_keys("level", kLevelKeys),
          object_keys("level_link", kLevelLinkKeys),  object_keys("mpi", kMpiKeys),
          object_keys("size_factor", kSizeFactorKeys), object_keys("mpi_override", kMpiOverrideKeys),
          object_keys("collectives", kCollectivesKeys), object_keys("collective_rule", kCollectiveRuleKeys)};
}

}  // namespace reprise::platforms
