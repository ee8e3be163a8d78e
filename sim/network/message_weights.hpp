// SPDX-License-Identifier: MIT
// What messages weigh where they share links: all the same, or by the inverse of their routes' latency.
//
// Source  SimGrid 3.32, src/surf/network_cm02.cpp: a flow's penalty is the latency of its route and weight-S / bandwidth for each of its links;
//         where its latency is 0 the penalty is 1 s, whatever the links. Latency factors by size are not in it. The rate on a full link is
//         inverse to the penalty (H. Casanova, L. Marchal, A Network Model for Simulation of Grid Application, LIP 2002-40; P. Velho,
//         L. Schnorr, H. Casanova, A. Legrand, On the validity of flow-level TCP network models, ACM TOMACS 23(4), 2013).
// Cost    O(links of the route) where there is a weight-S.
#pragma once

#include <limits>
#include <span>

#include "platforms/routes.hpp"
#include "sim/network/link_conditions.hpp"

namespace reprise::sim {

class MessageWeights {
 public:
  // All must live as long as this.
  MessageWeights(const platforms::Platform& platform, const platforms::RouteTable& routes,
                 const LinkConditions& conditions)
      : settings_(platform.latency_weights()), routes_(routes), conditions_(conditions) {}

  bool are_equal() const { return settings_ == nullptr; }

  // LATENCY: of the whole route, at that time. 1 where all are equal, else per second.
  double weight(std::span<const platforms::LinkIndex> route, double latency, double time) const {
    if (settings_ == nullptr || latency <= 0) return 1;
    double penalty = latency;
    const auto weight_s = static_cast<double>(settings_->weight_s.value);
    if (weight_s > 0)
      for (const auto link : route)
        penalty +=
            weight_s / (routes_.link(link).bandwidth.value * conditions_.bandwidth_at(link, time));
    return 1 / penalty;
  }

  bool have_window() const { return settings_ != nullptr && settings_->tcp_gamma.has_value(); }
  // What the TCP window lets through on a route of links; infinite without one.
  double bound(double latency) const {
    if (settings_ == nullptr || !settings_->tcp_gamma || latency <= 0)
      return std::numeric_limits<double>::infinity();
    return static_cast<double>(settings_->tcp_gamma->value) / (2 * latency);
  }

 private:
  const platforms::LatencyWeights* const settings_;
  const platforms::RouteTable& routes_;
  const LinkConditions& conditions_;
};

}  // namespace reprise::sim
