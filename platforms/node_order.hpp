// SPDX-License-Identifier: MIT
// In which order a placement takes a machine's nodes: what stands behind "@" in --placement block@spread.
//
// Groups  the topology's own, nested: the nodes of a leaf switch, of a pod; of a router, of a group of a dragonfly; of a row, of a plane of a
//         torus or HyperX (group_sizes() in topologies/topology.hpp). A star and a SimGrid file of any shape have none.
// Spread  goes round the smallest groups and takes a node of each. Which group is next: the smallest groups of the next larger groups in
//         turn, and so on outwards. Numbered in mixed radix by the groups' sizes, nodes are sorted by their digits, the innermost first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/platform.hpp"

namespace reprise::platforms {

struct NodeOrder {
  enum class Kind {
    kFirst,   // 0, 1, 2 …
    kSpread,  // one of each group in turn
    kRandom,  // a seeded shuffle
  };
  Kind kind = Kind::kFirst;
  std::uint64_t seed = 1;  // kRandom
  bool operator==(const NodeOrder&) const = default;
};

// "first", "spread", "random" or "random:7"; else InputError{WHERE, …}.
NodeOrder parse_node_order(std::string_view text, const std::string& where);

// As it is parsed: "spread", "random:7".
std::string name_of(const NodeOrder&);

// What stands behind a placement's name: "@spread"; nothing for the default.
std::string suffix_of(const NodeOrder&);

// Nodes in each group, the smallest first; none where all nodes are alike near, or where there is one.
std::vector<NodeIndex> group_sizes(const Platform&);

// Every node once. O(nodes · log nodes) for each nesting of the groups.
std::vector<NodeIndex> ordered_nodes(const Platform&, const NodeOrder&);

// Why an order other than the first is that one all the same: "all 16 nodes are in one group"; none where it is not.
std::optional<std::string> why_as_first(const Platform&, const NodeOrder&);

}  // namespace reprise::platforms
