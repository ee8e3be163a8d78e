// SPDX-License-Identifier: MIT
// All rates from scratch, exactly: progressive filling (Bertsekas and Gallager, Data Networks, 2nd ed., 1992, §6.5.2) of classes, which
// takes over where correcting the levels link by link would take longer.
#include <algorithm>
#include <limits>

#include "sim/network/approximate_shares.hpp"

namespace reprise::sim {
namespace {

struct Offer {
  double share;
  std::uint32_t link;
  // For a heap with the smallest share on top.
  friend bool operator<(const Offer& a, const Offer& b) {
    return a.share != b.share ? a.share > b.share : a.link > b.link;
  }
};

}  // namespace

// The link that offers the least is full first, and holds back what still crosses it.
void ApproximateShares::fill() {
  struct Filling {
    double left = 0;
    std::uint32_t waiting = 0;  // flows whose bottleneck is not known yet
  };
  std::vector<Filling> filling(links_.size());
  std::vector<char> is_fixed(classes_.size());
  std::vector<Offer> offers;
  for (Link link = 0; link < links_.size(); ++link) {
    for (const Crossing& crossing : crossings_[link].list) filling[link].waiting += crossing.flows;
    filling[link].left = links_[link].capacity;
    if (filling[link].waiting > 0)
      offers.push_back({links_[link].is_bound ? links_[link].capacity
                                              : filling[link].left / filling[link].waiting,
                        link});
    links_[link].own = 0;
    links_[link].others = links_[link].fastest = 0;
  }
  moving_.clear();
  std::make_heap(offers.begin(), offers.end());
  while (!offers.empty()) {
    const Offer next = offers.front();
    std::pop_heap(offers.begin(), offers.end());
    offers.pop_back();
    const Filling& full = filling[next.link];
    LinkState& link = links_[next.link];
    if (full.waiting == 0) continue;
    const double share = link.is_bound ? next.share : std::max(full.left, 0.0) / full.waiting;
    if (share > next.share) {  // classes have been fixed since, at less than their part
      offers.push_back({share, next.link});
      std::push_heap(offers.begin(), offers.end());
      continue;
    }
    link.level = link.published = share;
    for (const Crossing& crossing : crossings_[next.link].list) {
      if (is_fixed[crossing.of] != 0) continue;
      is_fixed[crossing.of] = 1;
      if (crossing.bottleneck != next.link) moving_.push_back({share, crossing.of, next.link});
      for (const auto& use : classes_.uses(crossing.of)) {
        filling[use.link].left -= share * crossing.flows;
        filling[use.link].waiting -= crossing.flows;
        LinkState& used = links_[use.link];
        if (use.link == next.link) {
          used.own += crossing.flows;
        } else {
          used.others += share * crossing.flows;
          used.fastest = std::max(used.fastest, share);
        }
      }
    }
  }
  for (const Moving& one : moving_) change_bottleneck(one.of, one.to);
  for (Link link = 0; link < links_.size(); ++link) {
    if (links_[link].own == 0 && !links_[link].is_bound)
      links_[link].level = std::numeric_limits<double>::infinity();
    else
      times_.set_rate(link, links_[link].level, now_);
  }
}

}  // namespace reprise::sim
