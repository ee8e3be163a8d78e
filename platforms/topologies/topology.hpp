// SPDX-License-Identifier: MIT
// What a topology is to the rest of the program: one struct, and this is all that it has to say of itself.
//
// A topology T is a plain value, an alternative of Topology (registry.hpp), with
//   T::kKind                    its name in a platform file: "fat_tree"
//   T::kNoun, kRoomPlace, kRoom what messages call it, where its size is said, and how many nodes fit, in words
//   T::keys(), read(reader)     the keys of its object there, from platform.schema.json, and how it is read (reader.hpp)
//   room()                      how many nodes fit
//   group_sizes()               nodes of each of its nested groups, the smallest first, the whole left out: of a leaf switch, of a pod
//   cables(link, nodes)         every kind of cable with its name, place in the file, figures and number, in the order of the links' numbers
//   routes(cables, nodes)       which links lie between two nodes
//   description()               for people: "torus 8×8×8"
// and optionally grid(), if its picture is a grid; otherwise platforms/picture has a drawing for it. Scaling, effects, scenarios,
// calibration, pictures and SimGrid's zones need nothing else. CONTRIBUTING.md and docs/ARCHITECTURE.md list the steps.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/topologies/link.hpp"

namespace reprise::platforms {

class TopologyReader;

using NodeIndex = std::uint32_t;
using LinkIndex = std::uint32_t;

// What the two links of a full-duplex cable are called behind the cable's name; kOneLink where it is never two.
using Directions = std::array<const char*, 2>;
inline constexpr Directions kOneLink{nullptr, nullptr};

// Cables of one kind. `link` points into the topology or the network that was asked.
struct Cable {
  std::string name;  // by which reports and scenarios know them: "node", "spine", "global", "x"
  std::string
      pointer;  // their object in the platform file, which need not be there: the network's link holds then
  LinkSpec* link = nullptr;
  double count = 0;        // of cables; a double, as a file may ask for more than any integer holds
  std::string link_class;  // what their links are called, without the direction: "level 1"
  Directions directions = {" up", " down"};
};

// Where a topology's links begin in the table of all links, for each of its kinds of cables.
struct CableLinks {
  std::vector<LinkIndex> first;
  LinkIndex per_cable = 1;  // 2 where full duplex: up, then down

  LinkIndex up(std::size_t kind, std::uint32_t cable) const {
    return first[kind] + cable * per_cable;
  }
  LinkIndex down(std::size_t kind, std::uint32_t cable) const {
    return up(kind, cable) + per_cable - 1;
  }
};

class TopologyRoutes {
 public:
  virtual ~TopologyRoutes() = default;
  // Appends the links between two nodes, which differ unless is_inside() says otherwise.
  virtual void append_links(NodeIndex from, NodeIndex to, std::vector<LinkIndex>& links) const = 0;
  // Whether messages inside a node take links of the network as well: then its links to itself are asked for, too.
  virtual bool is_inside(NodeIndex) const { return false; }
  // What a route's latency is above the sum of its links', where that may be.
  virtual bool adds_latency() const { return false; }
  virtual Seconds more_latency(NodeIndex, NodeIndex) const { return {}; }
};

// A topology as a picture of it shows it: elements in rows and columns, of which the first two dimensions are drawn.
struct Grid {
  struct Dimension {
    std::string name;
    std::uint32_t size = 1;
    LinkSpec link;
  };
  std::vector<Dimension> dimensions;  // the first varies fastest
  std::uint32_t nodes = 1;            // at each point; a point with one is the node itself
  bool is_closed = true;              // the last of a row is joined to the first
  std::string note;                   // what the lines do not show
};

// The place of {low, high} among the pairs below N, ordered by the higher one. REQUIRES: low < high.
constexpr std::uint32_t pair_number(std::uint32_t low, std::uint32_t high) {
  return high * (high - 1) / 2 + low;
}

// x, y, z, w; a, b, c … where there are more than four.
inline std::string dimension_name(std::size_t dimension, std::size_t dimensions) {
  return std::string(1, dimensions <= 4 ? "xyzw"[dimension] : static_cast<char>('a' + dimension));
}

inline constexpr std::size_t kMaxDimensions = 8;  // of a grid; and levels of a tree

template <class T>
concept IsTopology = std::copyable<T> && std::equality_comparable<T> &&
    requires(T topology, const T& constant, TopologyReader& reader, LinkSpec& link,
             const CableLinks& links, NodeIndex nodes) {
  { T::kKind } -> std::convertible_to<std::string_view>;
  { T::kNoun } -> std::convertible_to<std::string_view>;
  { T::kRoomPlace } -> std::convertible_to<std::string_view>;
  { T::kRoom } -> std::convertible_to<std::string_view>;
  { T::keys() } -> std::same_as<std::span<const std::string_view>>;
  { T::read(reader) } -> std::same_as<T>;
  { constant.room() } -> std::same_as<double>;
  { constant.group_sizes() } -> std::same_as<std::vector<NodeIndex>>;
  { topology.cables(link, nodes) } -> std::same_as<std::vector<Cable>>;
  { constant.routes(links, nodes) } -> std::same_as<std::unique_ptr<TopologyRoutes>>;
  { constant.description() } -> std::same_as<std::string>;
};

}  // namespace reprise::platforms
