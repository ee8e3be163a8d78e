// SPDX-License-Identifier: MIT
#include "platforms/load_topology.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "platforms/topologies/fat_tree_routes.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::platforms {
namespace {

using nlohmann::json;

constexpr KeyList<3> kStarKeys{{"kind", "backbone", "source"}, 1};
constexpr KeyList<3> kFatTreeKeys{{"kind", "levels", "source"}, 2};
constexpr KeyList<5> kLevelKeys{{"down", "up", "parallel", "link", "source"}, 2};
constexpr KeyList<3> kTorusKeys{{"kind", "dimensions", "source"}, 2};
constexpr KeyList<3> kDimensionKeys{{"size", "link", "source"}, 1};
constexpr KeyList<9> kDragonflyKeys{{"kind", "groups", "routers", "nodes", "global_cables",
                                     "node_link", "local_link", "global_link", "source"},
                                    4};

constexpr std::array<std::string_view, 4> kTopologyKinds{"star", "fat_tree", "torus", "dragonfly"};

// Far beyond machines that exist; they keep a damaged file from asking for all memory.
constexpr std::uint64_t kMaxPorts = 65'536;
constexpr std::size_t kMaxLevels = FatTreeRoutes::kMaxHeight, kMaxDimensions = 8;
constexpr double kMaxCables = 10'000'000;

class TopologyReader {
 public:
  TopologyReader(ObjectReader reader, std::uint32_t nodes, Network& network, SourceNotes& notes)
      : reader_(std::move(reader)), nodes_(nodes), network_(network), notes_(notes) {
    reader_.any("kind");
  }

  void star() {
    Star star;
    if (reader_.has("backbone"))
      star.backbone = read_network_link(reader_, "backbone", Sharing::kShared, notes_);
    network_.topology = star;
  }

  void fat_tree() {
    FatTree tree;
    const json& levels = reader_.list("levels", 1);
    const JsonPlace place = reader_.place().child("levels");
    if (levels.size() > kMaxLevels)
      reader_.refuse("levels", "more than " + std::to_string(kMaxLevels) + " levels");
    for (std::size_t i = 0; i < levels.size(); ++i)
      tree.levels.push_back(level(levels[i], place.child(i)));
    check_size(tree, place);
    network_.topology = std::move(tree);
  }

  void torus() {
    Torus torus;
    const json& dimensions = reader_.list("dimensions", 1);
    const JsonPlace place = reader_.place().child("dimensions");
    if (dimensions.size() > kMaxDimensions)
      reader_.refuse("dimensions", "more than " + std::to_string(kMaxDimensions) + " dimensions");
    double positions = 1;
    for (std::size_t i = 0; i < dimensions.size(); ++i) {
      ObjectReader reader(dimensions[i], place.child(i), kDimensionKeys.keys);
      const auto size = static_cast<std::uint32_t>(reader.count("size", 2, kMaxPorts));
      torus.dimensions.push_back({size, read_link_change(reader, "link", network_.link, notes_)});
      read_source(reader, notes_);
      reader.finish();
      positions *= size;
    }
    check_cables("torus", positions * static_cast<double>(dimensions.size()), place);
    check_room("torus", positions, place,
               "the room is the product of \"size\" over the dimensions");
    network_.topology = std::move(torus);
  }

  void dragonfly() {
    Dragonfly dragonfly;
    const auto count = [&](std::string_view key) {
      return static_cast<std::uint32_t>(reader_.count(key, 1, kMaxPorts));
    };
    dragonfly.groups = count("groups");
    dragonfly.routers = count("routers");
    dragonfly.nodes = count("nodes");
    if (reader_.has("global_cables")) dragonfly.global_cables = count("global_cables");
    dragonfly.node_link = read_link_change(reader_, "node_link", network_.link, notes_);
    dragonfly.local_link = read_link_change(reader_, "local_link", network_.link, notes_);
    dragonfly.global_link = read_link_change(reader_, "global_link", network_.link, notes_);
    const double groups = dragonfly.groups, routers = dragonfly.routers,
                 nodes = groups * routers * dragonfly.nodes;
    check_cables("dragonfly",
                 nodes + groups * routers * (routers - 1) / 2 +
                     groups * (groups - 1) / 2 * dragonfly.global_cables,
                 reader_.place());
    check_room("dragonfly", nodes, reader_.place(), "the room is groups × routers × nodes");
    network_.topology = dragonfly;
  }

  void finish() {
    read_source(reader_, notes_);
    reader_.finish();
  }

 private:
  FatTree::Level level(const json& value, JsonPlace place) {
    ObjectReader reader(value, std::move(place), kLevelKeys.keys);
    FatTree::Level level;
    level.down = static_cast<std::uint32_t>(reader.count("down", 1, kMaxPorts));
    level.up = static_cast<std::uint32_t>(reader.count("up", 1, kMaxPorts));
    if (reader.has("parallel"))
      level.parallel = static_cast<std::uint32_t>(reader.count("parallel", 1, kMaxPorts));
    level.link = read_link_change(reader, "link", network_.link, notes_);
    read_source(reader, notes_);
    reader.finish();
    return level;
  }

  void check_size(const FatTree& tree, const JsonPlace& levels) const {
    // In floating point: the products of eight port counts pass 2^64.
    double leaves = 1, cables = 0;
    for (const FatTree::Level& level : tree.levels) leaves *= level.down;
    double elements = leaves;
    for (const FatTree::Level& level : tree.levels) {
      cables += elements * level.up * level.parallel;
      elements = elements / level.down * level.up;
    }
    check_cables("tree", cables, levels);
    check_room("tree", leaves, levels, "the room is the product of \"down\" over the levels");
  }

  static void check_cables(const std::string& what, double cables, const JsonPlace& place) {
    if (!(cables <= kMaxCables))
      throw InputError(place.text(), "the " + what + " has more than " +
                                         std::to_string(static_cast<std::uint64_t>(kMaxCables)) +
                                         " cables");
  }

  void check_room(const std::string& what, double room, const JsonPlace& place,
                  const std::string& hint) const {
    if (room < nodes_)
      throw InputError(place.text(),
                       "the " + what + " has room for " +
                           std::to_string(static_cast<std::uint64_t>(room)) +
                           " nodes, but /nodes/count is " + std::to_string(nodes_),
                       hint);
  }

  ObjectReader reader_;
  std::uint32_t nodes_;
  Network& network_;
  SourceNotes& notes_;
};

}  // namespace

void read_topology(const json& value, JsonPlace place, std::uint32_t nodes, Network& network,
                   SourceNotes& notes) {
  if (!value.is_object())
    throw InputError(place.text(), "expected an object, found " + describe_value(value));
  std::vector<std::string_view> every_key{"kind"};
  for (const auto& [key, ignored] : value.items()) every_key.push_back(key);
  const std::size_t kind = ObjectReader(value, place, every_key).choice("kind", kTopologyKinds);
  constexpr std::array<std::span<const std::string_view>, 4> kKeys{
      kStarKeys.keys, kFatTreeKeys.keys, kTorusKeys.keys, kDragonflyKeys.keys};
  constexpr std::array kReaders{&TopologyReader::star, &TopologyReader::fat_tree,
                                &TopologyReader::torus, &TopologyReader::dragonfly};
  TopologyReader reader(ObjectReader(value, std::move(place), kKeys[kind]), nodes, network, notes);
  (reader.*kReaders[kind])();
  reader.finish();
}

std::vector<ObjectKeys> known_topology_keys() {
  return {object_keys("star", kStarKeys),           object_keys("fat_tree", kFatTreeKeys),
          object_keys("level", kLevelKeys),         object_keys("torus", kTorusKeys),
          object_keys("dimension", kDimensionKeys), object_keys("dragonfly", kDragonflyKeys)};
}

}  // namespace reprise::platforms
