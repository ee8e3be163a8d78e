// SPDX-License-Identifier: MIT
// What slack links carry (approximate_bundles.cpp), and when one of them has too much.
//
// How     a slack link's `others` are its flows with the rates that they had when they were counted. A filling changes the rates of whole
//         classes; flows are counted anew where that can matter, and a link with more than its capacity is slack no more.
// Excess  a link that has little more than its capacity may stay slack for a while, as where the first or last ranks of an all-to-all fill
//         their own links for a moment: making classes for it costs more than what it shares wrongly. What it has carried too much,
//         in time of its capacity, is added up by the trapezoidal rule from filling to filling, and may be kExcess tolerances of the crowd's age.
// Cost    O(flows whose rates have changed, or flows over links that may be too full, whichever are fewer), and O(links), for each filling.
#include <algorithm>
#include <limits>
#include <utility>

#include "sim/network/approximate_shares.hpp"
#include "sim/time_grid.hpp"

namespace reprise::sim {
namespace {

constexpr std::size_t kPassersAhead = 24;
// Flows that have come over a slack link for each that is there, from which on those that are gone are forgotten.
constexpr std::size_t kManyGone = 4, kFewPassers = 64;

}  // namespace

// On slack links flows count with the rates that they have when all of an instant have come.
void ApproximateShares::count_entered() {
  for (const Flow flow : entered_) {
    FlowState& state = states_[flow];
    if (state.of == kNoClass || state.counted != kNotCounted) continue;  // gone, or there twice
    state.counted = level(state.of);
    basis_[state.of] = std::min(basis_[state.of], state.counted);
    for (const Link index : uses_[flow]) {
      LinkState& link = links_[index];
      if (!link.is_slack) continue;
      const bool was_over = is_over(link);
      link.others += state.counted;
      if (!was_over && is_over(link)) over_.push_back(index);
    }
  }
  entered_.clear();
}

void ApproximateShares::count_anew(Flow flow) {
  FlowState& state = states_[flow];
  const double now = level(state.of), more = now - state.counted;
  if (more == 0) return;
  state.counted = now;
  basis_[state.of] = std::min(basis_[state.of], now);
  for (const Link link : uses_[flow])
    if (links_[link].is_slack) links_[link].others += more;
}

void ApproximateShares::note_passer(Link index, Flow flow) {
  std::vector<Flow>& flows = passers_[index];
  flows.push_back(flow);
  if (flows.size() < kFewPassers + kManyGone * links_[index].flows) return;
  std::sort(flows.begin(), flows.end());
  flows.erase(std::unique(flows.begin(), flows.end()), flows.end());
  std::erase_if(flows, [this, index](Flow one) { return !passes(one, index); });
}

bool ApproximateShares::passes(Flow flow, Link link) const {
  const auto links = uses_[flow];
  return states_[flow].of != kNoClass && std::find(links.begin(), links.end(), link) != links.end();
}

void ApproximateShares::count_anew_over(Link index) {
  const std::vector<Flow>& flows = passers_[index];
  for (std::size_t i = 0; i < flows.size(); ++i) {
    if (i + kPassersAhead < flows.size()) fetch(states_[flows[i + kPassersAhead]]);
    if (states_[flows[i]].of != kNoClass) count_anew(flows[i]);
  }
}

double ApproximateShares::growth() const {
  double growth = 1;
  for (Class one = 0; one < classes_.size(); ++one)
    if (held_[one].flows > 0) growth = std::max(growth, level(one) / basis_[one]);
  return growth;
}

bool ApproximateShares::have_slack_links_room() const {
  if (!are_some_slack_) return true;
  const double growth = this->growth();
  return std::all_of(links_.begin(), links_.end(), [this, growth](const LinkState& link) {
    return !link.is_slack || has_room(link, growth);
  });
}

// Counts anew what has changed in the last filling, as far as slack links may be too full by it: where that is less, all flows whose rates
// have changed, otherwise those of classes that have grown much, and later those of such links. Returns whether it was all.
bool ApproximateShares::count_changed() {
  std::size_t of_links = 0, of_classes = 0;
  for (Link index = 0; index < links_.size(); ++index)
    if (const LinkState& link = links_[index]; link.is_slack && !has_room(link, growth_))
      of_links += passers_[index].size();
  for (const Class one : changed_little_) of_classes += held_[one].flows;
  const bool is_all = of_classes <= of_links;
  if (is_all) {
    grown_.insert(grown_.end(), changed_little_.begin(), changed_little_.end());
    growth_ = 1;
  }
  for (const Class one : grown_) {
    basis_[one] = level(one);
    times_.each_flow(one, [this](Flow flow) { count_anew(flow); });
  }
  grown_.clear();
  changed_little_.clear();
  return is_all;
}

// Whether a link was slack and is so no more.
bool ApproximateShares::tighten() {
  over_.clear();
  const double passed = now_ - std::exchange(excess_since_, now_);
  excess_due_ = std::numeric_limits<double>::infinity();
  if (!are_some_slack_) return false;
  const bool are_counted = count_changed();
  excess_.resize(links_.size());
  const bool is_new_generation =
      std::exchange(excess_generation_, generations_[0]) != generations_[0];
  bool is_any = false;
  for (Link index = 0; index < links_.size(); ++index) {
    LinkState& link = links_[index];
    Excess& excess = excess_[index];
    const double before = std::exchange(excess.over, 0);
    double over = 0;
    if (is_new_generation) excess.seconds = 0;
    if (link.is_slack && !has_room(link, growth_)) {
      if (!are_counted) count_anew_over(index);
      if (!has_room(link)) over = link.others / link.capacity - 1;
    }
    excess.seconds += (before + over) / 2 * passed;
    link.is_tightened = over > 0 && !bears(excess, over);
    is_any |= link.is_tightened;
  }
  if (is_any) part();
  return is_any;
}

// Whether a link that is too full, by this share of its capacity, may stay so for a while.
bool ApproximateShares::bears(Excess& excess, double over) {
  const double most = kExcess * tolerance_ * (now_ - generations_[0]);
  if (over > kMostOver || 2 * excess.seconds >= most) return false;
  const double due = now_ + on_grid((most - excess.seconds) / over);
  if (due <= now_) return false;
  excess.over = over;
  excess_due_ = std::min(excess_due_, due);
  return true;
}

// All links have room.
void ApproximateShares::end_excess() {
  const double passed = now_ - std::exchange(excess_since_, now_);
  for (Excess& excess : excess_) excess.seconds += std::exchange(excess.over, 0) / 2 * passed;
  excess_due_ = std::numeric_limits<double>::infinity();
}

}  // namespace reprise::sim
