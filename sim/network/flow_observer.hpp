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
  using Link = platforms::LinkIndex;
  using Links = std::span<const Link>;
  static constexpr Link kNoLink = ~Link{0};

  virtual ~FlowObserver() = default;
  // It takes its share of the links from now on; it is about to end, and then its tail is reported.
  virtual void on_flow_begin(std::uint64_t flow, double now, Links) = 0;
  // HELD_BY: the link of the machine that holds it back, as far as that is known; kNoLink where none does but a bound of its own.
  virtual void on_flow_end(std::uint64_t flow, double now, Links, Link held_by) = 0;
  // BEFORE: 0 where it has just begun. LEFT: bytes. HELD_BY: from now on.
  virtual void on_rate(std::uint64_t flow, double now, double before, double after, double left,
                       Links, Link held_by) = 0;
  // Where links serve messages one after the other, and there are no rates: it has waited so many seconds for a link.
  virtual void on_wait(std::uint64_t flow, Link, double seconds) = 0;
  // From now on, until it is over, rates are not told: a crowd is solved within a tolerance.
  virtual void on_crowd(double now, bool is_over) = 0;
};

// A network's number of a link as the machine has it: behind the machine's links are those of receivers, which it has one for, and OWN, a bound.
inline FlowObserver::Link link_of_machine(const platforms::RouteTable& routes,
                                          FlowObserver::Link link, FlowObserver::Link own) {
  if (link < routes.link_count()) return link;
  return link == own ? FlowObserver::kNoLink
                     : routes.receiver_bound().value_or(FlowObserver::kNoLink);
}

}  // namespace reprise::sim
