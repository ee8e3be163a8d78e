// SPDX-License-Identifier: MIT
// Who hears how flows share links: for whoever follows what a flow's end depends on.
#pragma once

#include <cstdint>
#include <span>

#include "platforms/routes.hpp"

namespace reprise::sim {

// All of what happens at one instant begins and ends first; then rates change. FLOW: Network::Transfer::id. Rates in bytes per second.
class FlowObserver {
 public:
  using Links = std::span<const platforms::LinkIndex>;

  virtual ~FlowObserver() = default;
  // It takes its share of the links from now on; it is about to end, and then its tail is reported.
  virtual void on_flow_begin(std::uint64_t flow, double now, Links) = 0;
  virtual void on_flow_end(std::uint64_t flow, double now, Links) = 0;
  // BEFORE: 0 where it has just begun. LEFT: bytes.
  virtual void on_rate(std::uint64_t flow, double now, double before, double after, double left,
                       Links) = 0;
  // From now on, until it is over, rates are not told: a crowd is solved within a tolerance.
  virtual void on_crowd(double now, bool is_over) = 0;
};

}  // namespace reprise::sim
