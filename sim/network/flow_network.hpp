// SPDX-License-Identifier: MIT
// Messages as flows that share links max-min fairly.
//
// Model   SimGrid's CM02 with latency waited out first: a flow's rate is its max-min fair share of the links it crosses, at most
//         the narrowest of them; shares do not depend on distance. simgrid_network.hpp is the same model solved by SimGrid;
//         both give the same times to 1e-9 (tests/physics/flow_network_test.cpp).
// How     max_min_shares.hpp: a start or an end moves the rates of few flows, and all that starts and ends at one instant is
//         settled at once. An end that a new rate makes obsolete stays in the heap and is passed over when its time comes.
// Analytic   messages of fewer bytes than a threshold may be timed as if they were alone: they get the narrowest link's bandwidth and
//         take nothing from others. 0: none. What that changes: docs/MODEL.md, docs/RESULTS.md.
// Why not SimGrid   its solver visits every flow that is connected to a change, and completions search a list of all flows:
//         4 to 35 µs a message where this one needs below 1. And it simulates once per process only.
// Cost    see docs/RESULTS.md; no allocation in the steady state. Any number per process.
#pragma once

#include <memory>
#include <span>

#include "platforms/platform.hpp"
#include "sim/conditions.hpp"
#include "sim/network/network.hpp"

namespace reprise::sim {

std::unique_ptr<Network> make_flow_network(const platforms::Platform&, Bytes analytic_below = {},
                                           std::span<const LinkChange> = {});

}  // namespace reprise::sim
