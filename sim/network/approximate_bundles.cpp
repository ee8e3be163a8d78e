// SPDX-License-Identifier: MIT
// Links that cannot be anybody's bottleneck are left out of fillings: classes of flows that differ in these alone are filled as one bundle.
// An all-to-all of 1024 ranks on a fat tree has a million classes, and 32 000 bundles over the cables between its switches.
//
// Why it is exact   a link that holds no flow back changes no rate as long as its flows' rates are no more than its capacity. After each
//         filling that is shown for each slack link: its flows had `others` together when they were counted, each bundle at basis_, and no bundle
//         has grown more than the one that has most. Where that bound is more than the capacity they are counted again, and a link that
//         is nearly full, or too full, is slack no more: then all is filled anew.
// Cost    arranging the bundles costs about kArranging visits of a class, and is done only when fillings since the last time have cost as much.
#include <algorithm>
#include <utility>

#include "sim/network/approximate_shares.hpp"

namespace reprise::sim {
namespace {

// Of the capacity: at most, to become slack; more, not to be so any more.
constexpr double kSlack = 0.8, kTight = 0.9;
constexpr std::size_t kArranging = 16;
// Times that a class of nothing but slack links makes them tight, until links become slack again.
constexpr unsigned kMostEntering = 2;

}  // namespace

std::span<const ApproximateShares::Link> ApproximateShares::tight_links(Class one) {
  tight_.clear();
  for (const Link link : classes_.links(one))
    if (!links_[link].is_slack) tight_.push_back(link);
  return tight_;
}

void ApproximateShares::put_in_bundle(Class one) {
  if (is_bundled_ && tight_links(one).empty()) {
    if (++entered_ > kMostEntering) {
      for (LinkState& link : links_) link.is_slack = false;
      arrange(one);
    } else {
      for (const Link link : classes_.links(one)) links_[link].is_tightened = true;
      split(one);
    }
  }
  if (!is_bundled_) {
    for (const Link link : classes_.links(one)) crossings_[link].push_back(one);
    if (held_.size() <= one) held_.resize(one + std::size_t{1});
    return;
  }
  const std::span<const Link> links = tight_links(one);
  const auto [bundle, is_new] = bundles_.find_or_add(links);
  if (is_new) {
    if (held_.size() <= bundle) {
      held_.resize(bundle + std::size_t{1});
      first_of_.resize(bundle + std::size_t{1});
      basis_.resize(bundle + std::size_t{1});
    }
    held_[bundle] = {};
    first_of_[bundle] = kNoClass;
    for (const Link link : links) crossings_[link].push_back(bundle);
  }
  if (bundle_of_.size() <= one) {
    bundle_of_.resize(one + std::size_t{1});
    next_of_.resize(one + std::size_t{1});
  }
  bundle_of_[one] = bundle;
  next_of_[one] = first_of_[bundle];
  first_of_[bundle] = one;
}

double ApproximateShares::growth_of_bundles() const {
  double growth = 0;
  for (Bundle one = 0; one < bundle_count(); ++one)
    if (held_[one].flows > 0) growth = std::max(growth, links_[held_[one].by].level / basis_[one]);
  return growth;
}

bool ApproximateShares::have_slack_links_room() const {
  if (is_over_) return false;
  if (!is_bundled_) return true;
  const double growth = growth_of_bundles();
  return std::all_of(links_.begin(), links_.end(), [growth](const LinkState& link) {
    return !link.is_slack || link.others * growth <= link.capacity;
  });
}

// What flows on slack links have now, and where they are not slack any more what is counted there.
void ApproximateShares::recount() {
  for (LinkState& link : links_)
    if (link.own == 0) link.others = 0;
  for (Class one = 0; one < classes_.size(); ++one) {
    const double flows = flows_of_[one] * weight(one);
    if (flows == 0) continue;
    const LinkState& by = links_[held_[bundle(one)].by];
    for (const Link index : classes_.links(one)) {
      LinkState& link = links_[index];
      if (link.own == 0) link.others += flows * (link.is_slack ? by.level : by.counted);
    }
  }
  if (!is_bundled_) return;
  for (Bundle one = 0; one < bundle_count(); ++one) basis_[one] = links_[held_[one].by].level;
}

// Whether a link was slack and is so no more.
bool ApproximateShares::tighten() {
  if (have_slack_links_room()) return false;
  is_over_ = false;
  recount();
  bool is_any = false;
  for (LinkState& link : links_) {
    link.is_tightened = link.is_slack && link.others > kTight * link.capacity;
    is_any |= link.is_tightened;
  }
  if (is_any) split(kNoClass);
  return is_any;
}

// The classes over links that are tightened get bundles with these. Holders and levels stay.
void ApproximateShares::split(Class entering) {
  for (LinkState& link : links_) {
    if (!link.is_tightened) continue;
    link.is_slack = false;
    link.others = 0;
  }
  const auto is_moved = [this](Class one) {
    const auto links = classes_.links(one);
    return std::any_of(links.begin(), links.end(),
                       [this](Link link) { return links_[link].is_tightened; });
  };
  std::vector<Bundle> halved;
  for (Class one = 0; one < classes_.size(); ++one) {
    if (one == entering || !is_moved(one)) continue;
    const double rate = flows_of_[one] * links_[held_[bundle_of_[one]].by].counted;
    for (const Link link : classes_.links(one))
      if (links_[link].is_tightened) links_[link].others += rate;
    halved.push_back(bundle_of_[one]);
  }
  std::sort(halved.begin(), halved.end());
  halved.erase(std::unique(halved.begin(), halved.end()), halved.end());
  for (const Bundle from : halved) {
    Class one = std::exchange(first_of_[from], kNoClass);
    while (one != kNoClass) {
      const Class next = next_of_[one];
      if (is_moved(one)) {
        held_[from].flows -= flows_of_[one];
        put_in_bundle(one);
        const Bundle to = bundle_of_[one];
        held_[to].by = held_[from].by;
        held_[to].flows += flows_of_[one];
        basis_[to] = basis_[from];
      } else {
        next_of_[one] = std::exchange(first_of_[from], one);
      }
      one = next;
    }
  }
  for (LinkState& link : links_) link.is_tightened = false;
}

// After a filling: links with much room become slack, if that pays.
void ApproximateShares::loosen() {
  if (!weights_.empty() || classes_.size() <= few_classes_ ||
      visited_ < kArranging * classes_.size())
    return;
  std::size_t all = 0, slack = 0;
  const auto may_be_slack = [](const LinkState& link) {
    return link.own == 0 && link.flows > 0 && !link.is_bound && !link.is_slack &&
           link.others <= kSlack * link.capacity;
  };
  for (Link index = 0; index < links_.size(); ++index) {
    all += crossings_[index].size();
    if (may_be_slack(links_[index])) slack += crossings_[index].size();
  }
  visited_ = 0;
  if (4 * slack < all) return;
  for (LinkState& link : links_) link.is_slack = link.is_slack || may_be_slack(link);
  entered_ = 0;
  arrange(kNoClass);
}

// All classes that have flows, in bundles over the links that are not slack. Holders and levels stay. The class that is just entering has its
// place yet to be found.
void ApproximateShares::arrange(Class entering) {
  std::vector<Link> holders(classes_.size());
  for (Class one = 0; one < classes_.size(); ++one) {
    if (classes_.links(one).empty() || one == entering) continue;
    if (flows_of_[one] > 0)
      holders[one] = held_[bundle(one)].by;
    else
      classes_.give_back(one);
  }
  empty_ = 0;
  is_bundled_ = std::any_of(links_.begin(), links_.end(),
                            [](const LinkState& link) { return link.is_slack; });
  for (auto& classes : crossings_) classes.clear();
  bundles_.clear();
  held_.clear();
  for (Class one = 0; one < classes_.size(); ++one) {
    if (classes_.links(one).empty() || one == entering) continue;
    put_in_bundle(one);
    Held& held = held_[bundle(one)];
    held.by = holders[one];
    held.flows += flows_of_[one];
  }
  recount();
  visited_ = 0;
}

}  // namespace reprise::sim
