// SPDX-License-Identifier: MIT
// A Platform as SimGrid objects: one Host per end of the RouteTable (per node where a node is one), one s4u::Link per link of the RouteTable, routes from the zone.
//
// Order of use, in a process that has not simulated yet (SimGrid 3.32 allows one simulation per process):
//   simgrid::s4u::Engine engine{"reprise"};   // never hand it the user's argv
//   configure_simgrid();                      // before any zone exists
//   Zone zone = build_zone(platform, *routes, LatencyPaidBy::kCaller);
// Names are deterministic: hosts "node-0" …, links "<class> <number>" for a star and SimGrid's own for a fat tree.
#pragma once

#include <vector>

#include "platforms/platform.hpp"
#include "platforms/routes.hpp"

namespace simgrid::s4u {
class Host;
class Link;
class NetZone;
}  // namespace simgrid::s4u

namespace reprise::platforms {

// SimGrid's flow model weighs flows that share a link by 1/latency of their routes (a TCP round-trip effect), so links
// with a latency share unequally between near and far senders. Where the caller waits out the route's latency on its own
// (Route::latency) before it starts the Comm, links have none and SimGrid's sharing is plain max-min: equal shares. On a platform with
// LatencyWeights they have theirs, which weigh, and take no time where the caller pays (configure_simgrid).
enum class LatencyPaidBy { kCaller, kSimGrid };

struct Zone {
  simgrid::s4u::NetZone* root = nullptr;
  std::vector<simgrid::s4u::Host*> hosts;  // by end of the RouteTable
  std::vector<simgrid::s4u::Link*> links;  // by LinkIndex of the RouteTable
};

// SimGrid as every simulation of ours sets it up: message time = latency + bytes / max-min share, nothing else.
// With WEIGHTS flows weigh by their routes' latency, as SimGrid has it, and wait for none of it: the caller has paid.
// REQUIRES: an Engine exists and has no zone yet. Throws RunError if SimGrid does not know one of the settings.
void configure_simgrid(const LatencyWeights* weights = nullptr);

// REQUIRES: an Engine exists, it has no zone yet, ROUTES was made from PLATFORM and outlives the engine. The zone is sealed.
Zone build_zone(const Platform& platform, const RouteTable& routes, LatencyPaidBy latency);

}  // namespace reprise::platforms
