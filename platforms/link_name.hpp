// SPDX-License-Identifier: MIT
// What one link is called in answers, beside the name of its class.
#pragma once

#include <string>

#include "platforms/routes.hpp"

namespace reprise::platforms {

// "node 5" where all messages of that node, and of no other, go over the link at that end; else "number 3", counted from 0 within the
// link's class, as a scenario's `cables` does. Cost: two routes for each node.
std::string link_name(const RouteTable&, LinkIndex);

// "interface 1 out" of a node with several network interfaces; otherwise what its class is called.
std::string name_on_route(const RouteTable&, LinkIndex);

}  // namespace reprise::platforms
