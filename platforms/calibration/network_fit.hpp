// SPDX-License-Identifier: MIT
// A base's network with the latency and bandwidth that were measured between two nodes.
//
// Route     the first two nodes: neighbours, under one switch. All latencies of the network are multiplied by measured latency / latency of that
//           route, all bandwidths by measured bandwidth / bandwidth of its narrowest link. So the route has what was measured, and other
//           links keep their proportion: the oversubscription of a tree, the longer cables of its upper levels.
// Nothing   a base whose latency there is 0 gives its link an equal share of the measured one.
// Errors    InputError: a quantity of the base that does not parse.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "platforms/platform.hpp"

namespace reprise::platforms {

// NETWORK: the base's /network as an object; changed. MEASURED: bandwidth and latency of one message. SOURCE: of both.
void fit_network(nlohmann::ordered_json& network, const Platform& base, const LinkSpec& measured,
                 const std::string& source);

}  // namespace reprise::platforms
