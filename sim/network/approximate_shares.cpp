// SPDX-License-Identifier: MIT
#include "sim/network/approximate_shares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/time_grid.hpp"

namespace reprise::sim {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr std::size_t kFewEmpty = 1024;

}  // namespace

void ApproximateShares::clear() {
  links_.clear();
  std::fill(numbers_.begin(), numbers_.end(), kNoLink);
  bounds_.clear();
  states_.clear();
  classes_.clear();
  weights_.clear();
  held_.clear();
  basis_.clear();
  are_some_slack_ = was_arranged_ = false;
  over_.clear();
  grown_.clear();
  changed_little_.clear();
  visited_ = 0;
  given_up_ = 0;
  fillings_ = 0;
  excess_.clear();
  excess_due_ = kInfinite;
  times_.clear();
  queue_.clear();
  entered_.clear();
  for (auto& classes : crossings_) classes.clear();
  for (auto& flows : passers_) flows.clear();
  flows_ = changes_ = recent_changes_ = changes_of_generation_ = empty_ = 0;
  is_begun_ = false;
}

void ApproximateShares::add_link(const LinkState& link) {
  links_.push_back(link);
  if (crossings_.size() >= links_.size()) return;
  crossings_.emplace_back();
  passers_.emplace_back();
}

ApproximateShares::Link ApproximateShares::known(Link outside) {
  if (numbers_.size() <= outside) numbers_.resize(outside + 1, kNoLink);
  if (numbers_[outside] == kNoLink) {
    numbers_[outside] = static_cast<Link>(links_.size());
    add_link({.capacity = capacity_(outside), .outside = outside});
  }
  return numbers_[outside];
}

// The weight too is what flows of a class have in common, and known by this link.
ApproximateShares::Link ApproximateShares::known_bound(double bound, double weight) {
  const auto [at, is_new] = bounds_.try_emplace({bound, weight}, static_cast<Link>(links_.size()));
  if (is_new) {
    const double level = bound / weight;
    add_link({.capacity = level, .level = level, .counted = level, .is_bound = true});
  }
  return at->second;
}

std::span<const ApproximateShares::Link> ApproximateShares::known_links(std::span<const Link> links,
                                                                        double bound,
                                                                        double weight) {
  scratch_.clear();
  for (const Link link : links) scratch_.push_back(known(link));
  if (std::isfinite(bound) || weight != 1) scratch_.push_back(known_bound(bound, weight));
  return scratch_;
}

void ApproximateShares::set_weight(Class one, double weight) {
  if (weights_.empty() && weight == 1) return;
  if (weights_.size() <= one) weights_.resize(one + std::size_t{1}, 1);
  weights_[one] = weight;
}

void ApproximateShares::enter(Flow flow, std::span<const Link> links, double bound, double bytes,
                              double now, double weight) {
  now_ = now;
  if (!is_begun_) filled_at_ = renewed_at_ = generations_[0] = generations_[1] = now;
  is_begun_ = true;
  const std::span<const Link> known = known_links(links, bound, weight);
  if (states_.size() <= flow) states_.resize(flow + std::size_t{1});
  uses_.clear(flow);
  for (const Link link : known) uses_.add(flow, link);
  if (are_some_slack_ && weight != 1) tighten_all();  // where some weigh more all links count
  if (are_some_slack_ && tight_links(known).empty()) tighten_all_of(flow);
  const Class one = class_over(tight_links(uses_[flow]));
  set_weight(one, weight);
  if (held_[one].flows == 0) {
    hold_back(one);
    times_.add_class(one, held_[one].by);
    --empty_;
  }
  ++flows_;
  states_[flow] = {kNotCounted, one, false};
  if (are_some_slack_) entered_.push_back(flow);
  count(flow, one, 1);
  times_.add_flow(one, flow, bytes / weight, now);
}

// The class over these links, all of which make classes; perhaps a new one, without flows.
ApproximateShares::Class ApproximateShares::class_over(std::span<const Link> links) {
  const auto [one, is_new] = classes_.find_or_add(links);
  if (!is_new) return one;
  if (held_.size() <= one) {
    held_.resize(one + std::size_t{1});
    basis_.resize(one + std::size_t{1});
  }
  held_[one] = {};
  basis_[one] = kInfinite;
  for (const Link link : links) crossings_[link].push_back(one);
  ++empty_;
  return one;
}

ApproximateShares::Flow ApproximateShares::taken(const VirtualTimes::End& end) {
  --flows_;
  taken_from_ = links_[held_[end.of].by].outside;
  count(end.flow, end.of, -1);
  states_[end.flow].of = kNoClass;
  if (held_[end.of].flows == 0) ++empty_;
  return end.flow;
}

void ApproximateShares::prepare(Flow flow, std::span<const Link> links, unsigned steps) {
  if (steps != 1 && steps != 2) return;
  scratch_.clear();
  for (const Link link : links) {
    if (link >= numbers_.size() || numbers_[link] == kNoLink) return;
    if (!links_[numbers_[link]].is_slack) scratch_.push_back(numbers_[link]);
  }
  if (scratch_.empty()) return;
  if (steps == 2) return classes_.prepare(scratch_);
  const Class one = classes_.glance(scratch_);
  if (one < held_.size()) {
    classes_.prepare(one);
    fetch(held_[one]);
    times_.prepare(one);
  }
  if (flow < states_.size()) {
    fetch(states_[flow]);
    uses_.prepare(flow);
  }
}

double ApproximateShares::rate(std::span<const Link> links, double bound, double weight) {
  const Class one = class_over(tight_links(known_links(links, bound, weight)));
  return times_.rate(one) * weight;
}

// What each of its own flows would get, with so many more. However much the others are thought to have, never less than an equal
// part of the link: a max-min fair bottleneck gives nobody less.
double ApproximateShares::offer(const LinkState& link, double more) {
  return std::max((link.capacity - link.others) / (link.own_weight + more),
                  link.capacity / (link.weight + more));
}

// Held back by the link that offers the least.
void ApproximateShares::hold_back(Class one) {
  Link by = kNoLink;
  double least = kInfinite;
  for (const Link index : classes_.links(one)) {
    const LinkState& link = links_[index];
    const double share = link.is_bound ? link.capacity : offer(link, weight(one));
    if (by == kNoLink || share < least) {
      least = share;
      by = index;
    }
  }
  // what it holds back now is all that counts with its level
  if (links_[by].own == 0) links_[by].counted = least;
  held_[one] = {0, by};
  basis_[one] = kInfinite;
}

void ApproximateShares::count(Flow flow, Class one, std::int32_t flows) {
  Held& held = held_[one];
  const Link by = held.by;
  const double more = flows * weight(one), counted = states_[flow].counted;
  held.flows += static_cast<std::uint32_t>(flows);
  for (const Link index : uses_[flow]) {
    LinkState& link = links_[index];
    link.flows += static_cast<std::uint32_t>(flows);
    link.weight += more;
    if (index == by) {
      link.own += static_cast<std::uint32_t>(flows);
      link.own_weight += more;
    } else if (!link.is_slack) {
      link.others += more * links_[by].counted;
    } else if (flows > 0) {
      note_passer(index, flow);
    } else if (counted != kNotCounted) {
      link.others -= counted;
    }
    // without what rounding has left
    if (link.own == 0) link.own_weight = 0;
    if (link.flows == 0) link.others = link.weight = 0;
    if (!link.is_slack) queue(index);
  }
  ++changes_;
  ++recent_changes_;
  if (++changes_of_generation_ <= 2 * flows_) return;
  changes_of_generation_ = 0;
  generations_[0] = generations_[1];
  generations_[1] = now_;
}

void ApproximateShares::queue(Link index) {
  if (links_[index].is_queued) return;
  links_[index].is_queued = true;
  queue_.push_back(index);
}

double ApproximateShares::next_due() const {
  const double at_least = std::min(excess_due_, fill_due());
  if (recent_changes_ == 0) return at_least;
  const double flows_a_change = static_cast<double>(flows_) / static_cast<double>(recent_changes_);
  const double share =
      std::min(kMostAge, kAge * tolerance_ * std::max(1.0, flows_a_change / kManyFlows));
  return std::min(at_least, renewed_at_ + on_grid(share * (renewed_at_ - generations_[0])));
}

// When all is to be filled, whatever has been passed on.
double ApproximateShares::fill_due() const {
  if (changes_ == 0) return kInfinite;
  return filled_at_ + on_grid(kMostAge * (filled_at_ - generations_[0]));
}

bool ApproximateShares::is_turned_over() const {
  const double turnover = weights_.empty() ? kTurnover : kTurnover / 2;
  return static_cast<double>(changes_) > turnover * tolerance_ * static_cast<double>(flows_);
}

void ApproximateShares::settle(double now) {
  now_ = now;
  correct_queued();
  if (!entered_.empty()) count_entered();
  for (const Link link : over_) count_anew_over(link);
  std::erase_if(over_,
                [this](Link link) { return !links_[link].is_slack || !is_over(links_[link]); });
  const bool must_fill =
      !over_.empty() || is_turned_over() || std::min(excess_due_, fill_due()) <= now;
  if (must_fill || (next_due() <= now && !pass_on())) refill();
  times_.refresh(now);
}

void ApproximateShares::refill() {
  if (empty_ > kFewEmpty + classes_.size() / 4) forget_empty();
  if (is_filled())
    end_excess();
  else
    fill();
  changes_ = recent_changes_ = 0;
  filled_at_ = renewed_at_ = now_;
}

// Whether a filling would move nothing, as far as links tell without their flows: each link that holds flows back has no others, so that its
// level is exact, and each other link has room for its flows even if all of their rates had grown as much as the one that has most since they
// were counted; no level is above a bound of flows that links hold back. False where that cannot be told.
bool ApproximateShares::is_filled() const {
  double growth = 0, highest = 0;
  for (const LinkState& link : links_) {
    if (link.own == 0) continue;
    if (!link.is_bound && link.others > kRounding * link.capacity) return false;
    growth = std::max(growth, link.level / link.counted);
    if (!link.is_bound) highest = std::max(highest, link.level);
  }
  const auto has_room = [growth, highest](const LinkState& link) {
    if (link.is_bound) return link.own == link.flows || highest <= link.capacity;
    return link.own > 0 || link.is_slack || link.others * growth <= link.capacity * (1 + kRounding);
  };
  return std::all_of(links_.begin(), links_.end(), has_room) && have_slack_links_room();
}

void ApproximateShares::correct_queued() {
  for (const Link link : queue_) links_[link].is_queued = false;
  for (const Link link : queue_) correct(link);
  queue_.clear();
}

void ApproximateShares::correct(Link index) {
  LinkState& link = links_[index];
  if (link.own == 0) return;
  link.level = link.is_bound ? link.capacity : offer(link, 0);
  times_.set_rate(index, link.level, now_);
}

}  // namespace reprise::sim
