// SPDX-License-Identifier: MIT
// Which links a message crosses from node to node, without SimGrid: for network models of our own, and for reports.
//
// Ends    routes run between parts of nodes, numbered node after node: cores that have one socket and one network interface are one
//         end (Platform::end_of). A node of one socket and one interface is one end, and then "end" and "node" are the same number.
// Links   numbered 0 … link_count()-1: first the sockets' own paths (link i is inside socket i), the links between the sockets of
//         a node, what bounds receivers inside nodes (one link for all: below), the network interfaces (striped ones of a node are one), then
//         the network's. A full-duplex cable is two links, up then down. The zone builder keeps the same numbers (zones/zone.hpp).
// Routing the same as SimGrid's, cable for cable (tests/unit/platforms holds them together).
// Cost    a route is computed in O(hops) and never stored; memory is O(links): nothing grows with the square of the nodes.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "platforms/platform.hpp"

namespace reprise::platforms {

// Links that are alike and carry one name in reports: "intra-node", "node up", "level 2 down" …
struct LinkClass {
  std::string name;
  std::string
      cable;  // the name without the direction, by which links are scaled together: "node", "leaf", "global", "x" …
  BytesPerSecond bandwidth;
  Seconds latency;
  bool is_contended = true;  // false: every flow has the whole bandwidth
};

struct Route {
  std::vector<LinkIndex> links;
  Seconds latency;           // sum over the links, and what the topology adds (topology.hpp)
  BytesPerSecond bandwidth;  // of the narrowest link, or of a TCP window (platform.hpp)
};

class RouteTable {
 public:
  explicit RouteTable(const Platform&);

  NodeIndex node_count() const noexcept { return node_count_; }
  NodeIndex end_count() const noexcept { return node_count_ * ends_per_node(); }
  std::uint32_t ends_per_node() const noexcept { return static_cast<std::uint32_t>(ends_.size()); }
  std::uint32_t sockets_per_node() const noexcept { return sockets_; }
  // That messages tell apart; 0 without any.
  std::uint32_t interfaces_per_node() const noexcept { return interfaces_; }
  // Numbers inside a node.
  struct End {
    std::uint32_t socket = 0, interface = 0;
  };
  const End& end_in_node(std::uint32_t number) const { return ends_[number]; }
  struct Interface {
    NodeIndex node = 0;
    std::uint32_t number = 0;  // of the node's
  };
  // Whose link it is, out or in; absent for links of another kind.
  std::optional<Interface> interface_of(LinkIndex) const;
  LinkIndex link_count() const noexcept { return static_cast<LinkIndex>(class_of_link_.size()); }
  // The link that stands for what each rank can take in from its own node, last on every route inside one; absent where nothing bounds
  // it. It is uncontended; a network that knows the ranks gives each receiver one of its own.
  std::optional<LinkIndex> receiver_bound() const noexcept { return receiver_bound_; }
  // Whether routes take longer than their links do (topology.hpp), which models of single links do not know.
  bool adds_latency() const noexcept { return topology_ && topology_->adds_latency(); }
  // The topology's, in the order of its cables().
  const CableLinks& cables() const noexcept { return cables_; }
  const std::vector<LinkClass>& link_classes() const noexcept { return classes_; }
  std::uint32_t link_class_index(LinkIndex link) const { return class_of_link_[link]; }
  const LinkClass& link(LinkIndex link) const { return classes_[class_of_link_[link]]; }

  // Overwrites INTO, whose storage is reused. REQUIRES: both < end_count(). Inside a socket: its own path; to another
  // of its node: both their paths and what is between them, unless the topology carries them (TopologyRoutes::is_inside); else over the
  // network, from the one end's interface to the other's.
  void find_route(NodeIndex from, NodeIndex to, Route& into) const;

 private:
  // A new class of links; `add_links` then appends links of it and returns the first one's index.
  std::uint32_t add_class(std::string name, std::string cable, const LinkSpec& spec);
  LinkIndex add_links(std::uint32_t link_class, std::uint64_t count);
  // Two links a cable where it IS_DUPLEX, of a class for each direction. Returns the first link's index.
  LinkIndex add_cables(const Cable&, bool is_duplex);

  NodeIndex node_count_;
  std::uint32_t sockets_;
  std::vector<End> ends_;                                       // of a node
  double tcp_gamma_ = std::numeric_limits<double>::infinity();  // bytes
  std::optional<LinkIndex> receiver_bound_;
  LinkIndex between_sockets_ = 0;  // the first of them
  std::uint32_t interfaces_ = 0, links_per_interface_ = 1;
  LinkIndex first_interface_ = 0;
  CableLinks cables_;
  std::unique_ptr<TopologyRoutes> topology_;  // null: one node, which has no other
  std::vector<LinkClass> classes_;
  std::vector<std::uint32_t> class_of_link_;
};

std::unique_ptr<RouteTable> make_route_table(const Platform&);

}  // namespace reprise::platforms
