// SPDX-License-Identifier: MIT
// The door of the module in which SimGrid is: a shared library that is loaded when a replay asks for the simgrid network.
//
// Why     SimGrid's library and the 37 that come with it take 20 ms to load, more than most replays; no other network needs them.
// Where   beside the recorder's library: ../lib from the program in a build tree, the installed library folder from an installed one.
// Rules   program and module are of one build. They share types, not symbols: each has its own copy of what it uses. Never unloaded.
#pragma once

#include <span>

#include "platforms/platform.hpp"
#include "sim/conditions.hpp"
#include "sim/network/network.hpp"

namespace reprise::sim {

inline constexpr char kSimgridModule[] = "reprise-simgrid.so";
inline constexpr char kSimgridEntry[] = "reprise_simgrid_network";

// The caller owns the network. Throws as the makers of networks do (network_model.hpp).
// The changes must live as long as the network.
using SimgridEntry = Network* (*)(const platforms::Platform&, std::span<const LinkChange>);

}  // namespace reprise::sim

extern "C" reprise::sim::Network* reprise_simgrid_network(
    const reprise::platforms::Platform&, std::span<const reprise::sim::LinkChange>);
