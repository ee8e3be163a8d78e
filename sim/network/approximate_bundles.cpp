// SPDX-License-Identifier: MIT
// Links that cannot be anybody's bottleneck are left out of fillings, and flows that differ in these alone are one class. An all-to-all of
// 1024 ranks on a fat tree has a million flows, each over links of its own, and 32 000 classes over the cables between its switches.
//
// Why it is exact   a link that holds no flow back changes no rate as long as its flows' rates are no more than its capacity. After each
//         filling that is shown for each slack link: its flows had `others` together as they were counted, and no class has more than ApproximateShares::kGrown times
//         the least that flows of its were counted with. Where that is more than the capacity the link's flows are counted anew, and
//         a link that is nearly full, or too full, is slack no more: then all is filled anew.
// Cost    counting anew takes the flows of classes that have grown, and of links that may be too full. Arranging all flows in classes costs
//         about kArranging visits of a class for each, and is done only when fillings since the last time have cost as much. Where
//         there are nearly as many classes as flows all the same, counting is for nothing: bundling is given up, and tried again after twice as long.
#include <algorithm>
#include <utility>

#include "sim/network/approximate_shares.hpp"

namespace reprise::sim {
namespace {

constexpr double kSlack = 0.8;          // of the capacity: at most, to become slack
constexpr std::size_t kFlowsAhead = 8;  // flows
constexpr std::size_t kArranging = 4;
constexpr double kVain = 0.75;        // classes of these for each flow: bundling saves nothing
constexpr unsigned kMostGivenUp = 8;  // times that the wait doubles

}  // namespace

std::span<const ApproximateShares::Link> ApproximateShares::tight_links(
    std::span<const Link> links) {
  if (!are_some_slack_) return links;
  tight_.clear();
  for (const Link link : links)
    if (!links_[link].is_slack) tight_.push_back(link);
  return tight_;
}

// A flow over nothing but slack links may take all that they have.
void ApproximateShares::tighten_all_of(Flow flow) {
  for (const Link link : uses_[flow]) links_[link].is_tightened = true;
  part();
}

// The flows over links that are tightened get classes with these. Holders and levels stay.
void ApproximateShares::part() {
  std::vector<Class> parted;
  for (Link index = 0; index < links_.size(); ++index) {
    LinkState& link = links_[index];
    if (!link.is_tightened) continue;
    link.is_slack = false;
    link.others = 0;
    for (const Flow flow : passers_[index])
      if (FlowState& state = states_[flow]; !state.is_parting && passes(flow, index)) {
        state.is_parting = true;
        if (held_[state.of].next == kParting) continue;
        held_[state.of].next = kParting;
        parted.push_back(state.of);
      }
    passers_[index].clear();
  }
  for (const Class from : parted) part(from);
  for (LinkState& link : links_) link.is_tightened = false;
}

void ApproximateShares::part(Class from) {
  arranged_.clear();
  times_.part(
      from, now_, [this](Flow flow) { return states_[flow].is_parting; },
      [&](Flow flow, double left) {
        arranged_.push_back({left, flow, from});
      });
  const double counted = links_[held_[from].by].counted;
  std::vector<Class> into;
  for (std::size_t i = 0; i < arranged_.size(); ++i) {
    const auto [left, flow, of] = arranged_[i];
    prepare_arranging(i, false);
    const Class to = class_over(tight_links(uses_[flow]));
    if (held_[to].flows++ == 0) {
      --empty_;
      into.push_back(to);
      held_[to].by = held_[from].by;
      basis_[to] = basis_[from];
      times_.add_class(to, held_[to].by);
    }
    --held_[from].flows;
    states_[flow].of = to;
    states_[flow].is_parting = false;
    times_.append_flow(to, flow, left, now_);
    for (const Link link : uses_[flow])
      if (links_[link].is_tightened) links_[link].others += counted;
  }
  for (const Class to : into) times_.order(to);
  held_[from].next = kNoLink;
  if (held_[from].flows == 0) ++empty_;
}

// After a filling: links with much room become slack, if that pays.
void ApproximateShares::loosen() {
  if (!weights_.empty() || classes_.size() <= few_classes_ ||
      (was_arranged_ && visited_ < (kArranging * flows_ << given_up_)))
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
  was_arranged_ = true;
  if (4 * slack < all) return;
  for (LinkState& link : links_) link.is_slack = link.is_slack || may_be_slack(link);
  arrange(true);
}

// Whether it was in vain, and is.
bool ApproximateShares::give_up_bundling() {
  if (!are_some_slack_ || static_cast<double>(crowded_) <= kVain * static_cast<double>(flows_))
    return false;
  given_up_ = std::min(given_up_ + 1, kMostGivenUp);
  tighten_all();
  return true;
}

// All links make classes again. Some may have had too much until now, so all is to be filled.
void ApproximateShares::tighten_all() {
  for (LinkState& link : links_) link.is_slack = false;
  excess_.clear();
  excess_due_ = now_;
  arrange(false);
}

// What the flows behind the one of this number will touch is fetched. Alike: those of one class will have one class.
void ApproximateShares::prepare_arranging(std::size_t at, bool are_alike) {
  if (at + 2 * kFlowsAhead < arranged_.size()) {
    uses_.prepare(arranged_[at + 2 * kFlowsAhead].flow);
    fetch(states_[arranged_[at + 2 * kFlowsAhead].flow]);
  }
  if (const std::size_t next = at + kFlowsAhead; next < arranged_.size())
    if (!are_alike || arranged_[next].of != arranged_[next - 1].of)
      classes_.prepare(tight_links(uses_[arranged_[next].flow]));
}

// All flows in classes over the links that are not slack. Holders and levels stay. Where all links that were slack still are, flows of one
// class have one class again.
void ApproximateShares::arrange(bool is_loosened) {
  arranged_.clear();
  times_.each_left(now_, [this](Flow flow, Class of, double left) {
    arranged_.push_back({left, flow, of});
  });
  times_.clear_classes(now_);
  held_.swap(held_before_);
  const std::vector<double> weights = std::exchange(weights_, {});
  classes_.clear();
  held_.clear();
  basis_.clear();
  empty_ = 0;
  for (auto& classes : crossings_) classes.clear();
  for (auto& flows : passers_) flows.clear();
  are_some_slack_ = false;
  for (LinkState& link : links_) {
    if (link.own == 0) link.others = 0;
    are_some_slack_ |= link.is_slack;
  }
  Class one = kNoClass, before = kNoClass;
  for (std::size_t i = 0; i < arranged_.size(); ++i) {
    const auto [left, flow, of] = arranged_[i];
    prepare_arranging(i, is_loosened);
    if (!is_loosened || of != before) one = class_over(tight_links(uses_[flow]));
    before = of;
    const Link by = held_before_[of].by;
    const double weight = weights.empty() ? 1 : weights[of];
    if (held_[one].flows++ == 0) {
      --empty_;
      held_[one].by = by;
      basis_[one] = links_[by].level;
      set_weight(one, weight);
      times_.add_class(one, by);
    }
    states_[flow].of = one;
    states_[flow].counted = links_[by].level;
    times_.append_flow(one, flow, left, now_);
    for (const Link index : uses_[flow]) {
      LinkState& link = links_[index];
      if (link.own == 0)
        link.others += weight * (link.is_slack ? links_[by].level : links_[by].counted);
      if (link.is_slack) passers_[index].push_back(flow);
    }
  }
  for (Class one = 0; one < classes_.size(); ++one) times_.order(one);
  visited_ = 0;
}

}  // namespace reprise::sim
