// SPDX-License-Identifier: MIT
// Which contended links carry how many flows, and which flow is alone on a link: what lets a network skip its solver.
//
// Cost  O(links of the route) per flow; memory 8 bytes a link.
#pragma once

#include <cstdint>
#include <vector>

#include "platforms/routes.hpp"

namespace reprise::sim {

class SoloFlows {
 public:
  static constexpr std::uint32_t kNobody = ~std::uint32_t{0};

  explicit SoloFlows(const platforms::RouteTable& routes)
      : routes_(routes), load_(routes.link_count()) {}

  // Whether a flow that enters now would be alone.
  bool is_free(const std::vector<platforms::LinkIndex>& links) const {
    for (const auto link : links)
      if (load_[link].flows != 0 && routes_.link(link).is_contended) return false;
    return true;
  }

  // Enters the flow on its links. `disturb(other)` is called for each solo flow that is no longer alone, before this one
  // counts. Returns whether the new flow is alone.
  template <class Disturb>
  bool enter(std::uint32_t flow, const std::vector<platforms::LinkIndex>& links, Disturb disturb) {
    bool alone = true;
    for (const auto link : links) {
      if (!routes_.link(link).is_contended) continue;
      if (load_[link].flows == 0) continue;
      alone = false;
      if (const auto other = load_[link].solo; other != kNobody) disturb(other);
    }
    for (const auto link : links) {
      ++load_[link].flows;
      load_[link].solo = alone ? flow : kNobody;
    }
    return alone;
  }

  // A solo flow that goes on in company.
  void give_up_solitude(const std::vector<platforms::LinkIndex>& links) {
    for (const auto link : links) load_[link].solo = kNobody;
  }

  void leave(const std::vector<platforms::LinkIndex>& links) {
    for (const auto link : links) {
      --load_[link].flows;
      load_[link].solo = kNobody;
    }
  }

 private:
  struct Load {
    std::uint32_t flows = 0, solo = kNobody;
  };
  const platforms::RouteTable& routes_;
  std::vector<Load> load_;
};

}  // namespace reprise::sim
