// SPDX-License-Identifier: MIT
// Nodes and links of a SimGrid platform file of any shape, routed by SimGrid itself (platforms/simgrid/router.hpp).
//
// Node    n is the file's host n, in the order in which they are declared there.
// Cables  each is one link with one direction or none: SimGrid has made an …_UP and a …_DOWN of what is split. Their classes and names are the
//         router's; where hosts are joined by coordinates alone, one class more, "coordinates", stands for routes without a link.
// Latency that a route has besides its links' (coordinates: Vivaldi) belongs to no link, and no scaling reaches it.
// Inside  a host that has no loopback link in SimGrid messages take the route that SimGrid has from the host to itself.
// Profiles are of links and hosts by their names in the file; a link that is split has two, and both follow.
// Copies  share the router, and the figures of their links are their own.
// Source  SimGrid 3.32; tests/unit/platforms/routed_by_simgrid_test.cpp.
#pragma once

#include "platforms/topologies/profile.hpp"
#include "platforms/topologies/topology.hpp"

namespace reprise::platforms {

class SimgridRouter;
struct SimgridLoopback;

struct RoutedBySimgrid {
  static constexpr std::string_view kKind = "simgrid_file", kNoun = "SimGrid file",
                                    kRoomPlace = "file", kRoom = "the room is the file's hosts";
  static constexpr const char* kCoordinates = "coordinates";

  struct Links {
    std::string name;
    LinkSpec link;
    bool operator==(const Links&) const = default;
  };
  std::string file;          // beside the platform file
  std::vector<Links> links;  // by class
  std::vector<SimgridProfile> profiles;
  std::vector<std::string> left_out;  // what of the file no replay here can do, in words
  std::shared_ptr<const SimgridRouter> router;

  static std::span<const std::string_view> keys();
  static RoutedBySimgrid read(TopologyReader&);
  double room() const;
  std::vector<NodeIndex> group_sizes() const;  // none: which hosts are near each other is not said
  std::vector<Cable> cables(LinkSpec& network_link, NodeIndex nodes);
  std::unique_ptr<TopologyRoutes> routes(const CableLinks&, NodeIndex nodes) const;
  // The links that a profile of bandwidth or latency is of, by class and number in it; the node that one of speed is of.
  struct LinkOfClass {
    std::string name;
    std::uint32_t number = 0;
  };
  std::vector<LinkOfClass> links_of_profile(const SimgridProfile&) const;
  NodeIndex node_of_profile(const SimgridProfile&) const;
  std::string description() const;
  bool operator==(const RoutedBySimgrid&) const = default;
};

// Whether messages inside a host take links of the network: its route to itself is more than a loopback link.
bool goes_out(const SimgridLoopback&);

// The figures of the router's classes as the file has them, and the class of routes without links where there are such.
std::vector<RoutedBySimgrid::Links> links_of(const SimgridRouter&);

}  // namespace reprise::platforms
