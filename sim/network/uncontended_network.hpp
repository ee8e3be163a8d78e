// SPDX-License-Identifier: MIT
// Every message as if it were alone: latency plus size over the narrowest bandwidth of its route, whatever else is going on.
//
// Model  the LogGP time of one message: L + (n − 1)·G with G the inverse of the bandwidth (Alexandrov, Ionescu, Schauser and
//        Scheiman, SPAA 1995); here n·G, as in every network of ours.
// Cost   two heap events a message; no SimGrid, any number per process.
#pragma once

#include <memory>
#include <span>

#include "platforms/platform.hpp"
#include "sim/conditions.hpp"
#include "sim/network/network.hpp"

namespace reprise::sim {

std::unique_ptr<Network> make_uncontended_network(const platforms::Platform&,
                                                  std::span<const LinkChange> = {});

}  // namespace reprise::sim
