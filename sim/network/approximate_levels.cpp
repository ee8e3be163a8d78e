// SPDX-License-Identifier: MIT
// Where only few levels have changed since the last filling, those are passed on to the links that their flows cross, instead of a filling of all.
//
// How     a link whose level has changed tells the other links of its flows, which correct their own; and each class that crosses it is
//         held back by the link that offers it the least now. A link that has got too full without holding anybody back does that, too.
//         One step of relaxation: what it changes elsewhere is passed on the next time.
// Why     in an all-to-all of 1024 ranks a filling visits 64 000 to a million classes, and between two of them that are due by age no
//         more than a thousand of a million flows end, those over a few cables.
// Cost    O(uses of links by the classes over links whose level has changed + links).
#include <algorithm>
#include <cmath>

#include "sim/network/approximate_shares.hpp"

namespace reprise::sim {
namespace {

constexpr std::size_t kClassesAhead = 16;  // classes of a link

}  // namespace

// Whether that was done: not where it would not be much cheaper than a filling, nor twice at one time.
bool ApproximateShares::pass_on() {
  if (classes_.size() <= few_classes_ || now_ <= renewed_at_) return false;
  std::size_t all = 0, changed = 0;
  scratch_.clear();
  for (Link index = 0; index < links_.size(); ++index) {
    const LinkState& link = links_[index];
    all += crossings_[index].size();
    if (!is_out_of_date(link)) continue;
    changed += crossings_[index].size();
    scratch_.push_back(index);
  }
  if (4 * changed > all) return false;
  for (const Link index : scratch_) pass_on(index);
  recent_changes_ = scratch_.empty() ? 0 : 1;
  correct_queued();
  renewed_at_ = now_;
  return std::none_of(links_.begin(), links_.end(),
                      [](const LinkState& link) { return link.is_slack && is_over(link); });
}

bool ApproximateShares::is_out_of_date(const LinkState& link) const {
  if (link.is_bound || link.is_slack) return false;
  if (link.own == 0) return link.others > (1 + kDrift * tolerance_) * link.capacity;
  return link.own_weight * std::abs(link.level - link.counted) >
         kDrift * tolerance_ * link.capacity;
}

void ApproximateShares::pass_on(Link index) {
  const auto& classes = crossings_[index];
  const double more = links_[index].level - links_[index].counted;
  links_[index].counted = links_[index].level;
  for (std::size_t i = 0; i < classes.size(); ++i) {
    if (i + 2 * kClassesAhead < classes.size()) fetch(held_[classes[i + 2 * kClassesAhead]]);
    if (i + kClassesAhead < classes.size()) classes_.prepare(classes[i + kClassesAhead]);
    const Class one = classes[i];
    if (held_[one].flows == 0) continue;
    if (held_[one].by == index) pass_level_on(index, one, more);
    hold_back_anew(one);
  }
}

// The flows of the class, which the link holds back, get so much more each.
void ApproximateShares::pass_level_on(Link index, Class one, double more) {
  const double of_all = more * held_[one].flows * weight(one);
  for (const Link used : classes_.links(one)) {
    if (used == index) continue;
    links_[used].others = std::max(0.0, links_[used].others + of_all);
    queue(used);
  }
  if (!are_some_slack_ || level(one) <= kGrown * basis_[one]) return;
  basis_[one] = level(one);
  times_.each_flow(one, [this](Flow flow) { count_anew(flow); });
}

// Moves to the link that offers it the least, if that is less than it has.
void ApproximateShares::hold_back_anew(Class one) {
  const Link from = held_[one].by;
  const std::uint32_t flows = held_[one].flows;
  const double weight = flows * this->weight(one);
  const double counted = links_[from].counted * weight;
  // What a link gives those that it holds back; one that holds back nobody leaves the class what the others do not take.
  const auto share = [&](const LinkState& link) {
    if (link.is_bound) return link.capacity;
    if (link.own > 0) return offer(link, 0);
    return std::max((link.capacity - link.others + counted) / weight, link.capacity / link.weight);
  };
  Link to = from;
  double least = (1 - tolerance_) * share(links_[from]);
  for (const Link used : classes_.links(one)) {
    const double offered = used == from ? least : share(links_[used]);
    if (offered >= least) continue;
    least = offered;
    to = used;
  }
  if (to == from) return;
  LinkState &before = links_[from], &after = links_[to];
  before.own -= flows;
  before.own_weight = before.own == 0 ? 0 : before.own_weight - weight;
  if (after.own == 0) after.level = after.counted = least;
  after.own += flows;
  after.own_weight += weight;
  after.others = std::max(0.0, after.others - counted);
  before.others += after.counted * weight;
  queue(from);
  queue(to);
  for (const Link used : classes_.links(one)) {
    if (used == from || used == to) continue;
    links_[used].others = std::max(0.0, links_[used].others + after.counted * weight - counted);
    queue(used);
  }
  held_[one].by = to;
  times_.move_class(one, to, now_);
}

}  // namespace reprise::sim
