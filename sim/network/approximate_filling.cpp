// SPDX-License-Identifier: MIT
// All rates of a crowd from scratch, exactly: progressive filling (Bertsekas and Gallager, Data Networks, 2nd ed., 1992, §6.5.2) of classes
// of flows. The link that offers the least is full first, and holds back what still crosses it.
//
// Cost  O(uses of links by classes + links · log links · times that a link's offer rises): with a million classes memory is what
//       takes the time, so classes are fetched before they are needed.
#include <algorithm>
#include <cmath>

#include "sim/network/approximate_shares.hpp"

namespace reprise::sim {
namespace {

constexpr std::size_t kAhead = 32;  // classes of a link

}  // namespace

void ApproximateShares::fill() {
  if (!weights_.empty()) weigh();
  ++fillings_;
  do {
    fill_classes();
    take_over();
  } while (tighten() || give_up_bundling());
  loosen();
}

void ApproximateShares::forget_empty() {
  for (auto& classes : crossings_)
    std::erase_if(classes, [this](Class one) { return held_[one].flows == 0; });
  for (Class one = 0; one < classes_.size(); ++one)
    if (held_[one].flows == 0 && !classes_.links(one).empty()) classes_.give_back(one);
  empty_ = 0;
}

// Anew, so that what adding and subtracting leaves behind does not add up.
void ApproximateShares::weigh() {
  for (Link index = 0; index < links_.size(); ++index) {
    links_[index].weight = 0;
    for (const Class one : crossings_[index])
      links_[index].weight += held_[one].flows * weight(one);
  }
}

double ApproximateShares::waiting_weight(Link link) const {
  double sum = 0;
  for (const Class one : crossings_[link])
    if (held_[one].next == kNoLink) sum += held_[one].flows * weight(one);
  return sum;
}

void ApproximateShares::fill_classes() {
  for (Held& held : held_) held.next = kNoLink;
  filling_.resize(links_.size());
  offers_.clear();
  for (Link index = 0; index < links_.size(); ++index) {
    LinkState& link = links_[index];
    filling_[index] = {link.capacity, link.weight, link.flows};
    link.own = 0;
    link.own_weight = 0;
    const double share = link.is_bound ? link.capacity : link.capacity / link.weight;
    if (link.flows > 0 && !link.is_slack && std::isfinite(share)) offers_.push_back({share, index});
  }
  std::make_heap(offers_.begin(), offers_.end());
  while (!offers_.empty()) {
    const Offer next = offers_.front();
    std::pop_heap(offers_.begin(), offers_.end());
    offers_.pop_back();
    Filling& full = filling_[next.link];
    if (full.waiting == 0) continue;
    if (!weights_.empty()) full.weight = waiting_weight(next.link);
    LinkState& link = links_[next.link];
    const double share = link.is_bound ? next.share : std::max(full.left, 0.0) / full.weight;
    if (share > next.share) {  // classes have been fixed since, at less than their part
      offers_.push_back({share, next.link});
      std::push_heap(offers_.begin(), offers_.end());
      continue;
    }
    link.level = link.counted = share;
    link.own = full.waiting;
    link.own_weight = full.weight;
    const auto& classes = crossings_[next.link];
    visited_ += classes.size();
    for (std::size_t i = 0; i < classes.size(); ++i) {
      if (i + 2 * kAhead < classes.size()) fetch(held_[classes[i + 2 * kAhead]]);
      if (i + kAhead < classes.size() && held_[classes[i + kAhead]].next == kNoLink)
        classes_.prepare(classes[i + kAhead]);
      const Class one = classes[i];
      Held& held = held_[one];
      if (held.next != kNoLink) continue;
      held.next = next.link;
      const std::uint32_t flows = held.flows;
      const double weight = flows * this->weight(one), rate = share * weight;
      for (const Link used : classes_.links(one)) {
        filling_[used].left -= rate;
        filling_[used].weight -= weight;
        filling_[used].waiting -= flows;
      }
    }
  }
}

// Levels, and classes that another link holds back than before.
void ApproximateShares::take_over() {
  for (Link index = 0; index < links_.size(); ++index) {
    LinkState& link = links_[index];
    if (link.is_bound || link.is_slack || link.flows == 0) continue;
    link.others = link.capacity - filling_[index].left - link.own_weight * link.level;
  }
  const double hardly = 1 + kHardly;
  grown_.clear();
  changed_little_.clear();
  growth_ = 1;
  crowded_ = 0;
  for (Class one = 0; one < classes_.size(); ++one) {
    Held& held = held_[one];
    if (held.flows == 0) continue;
    ++crowded_;
    if (are_some_slack_) {
      const double growth = links_[held.next].level / basis_[one];
      if (growth > kGrown)
        grown_.push_back(one);
      else if (growth > hardly || growth * hardly < 1)
        changed_little_.push_back(one);
      if (growth <= kGrown) growth_ = std::max(growth_, growth);
    }
    if (held.by == held.next) continue;
    held.by = held.next;
    times_.move_class(one, held.by, now_);
  }
  for (Link index = 0; index < links_.size(); ++index)
    if (links_[index].own > 0) times_.set_rate(index, links_[index].level, now_);
}

}  // namespace reprise::sim
