// SPDX-License-Identifier: MIT
#include "sim/network/approximate_shares.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace reprise::sim {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
// In tolerances. How far ahead a trend is published; by how much a link may be off before it is corrected; by how much a flow may
// be faster than a link's level before that link holds it back; and by how much at most a level may be off before it is published, where the link
// holds back few of the flows that cross it, so that all others together hardly notice. Chosen by cost and error of all-to-alls of
// 64 to 256 nodes.
constexpr double kAhead = 0.8;
constexpr double kUnseen = 1;
constexpr double kUnfair = 8;
constexpr double kLoose = 8;

}  // namespace

ApproximateShares::Link ApproximateShares::known(Link outside) {
  const auto [at, is_new] = numbers_.try_emplace(outside, static_cast<Link>(links_.size()));
  if (is_new) {
    links_.push_back({.capacity = capacity_(outside), .level = kInfinite});
    crossings_.emplace_back();
  }
  return at->second;
}

// Bounds stand behind the links' numbers by their bits, of which those of any bound above 1e-300 are larger.
ApproximateShares::Link ApproximateShares::known_bound(double bound) {
  const auto [at, is_new] =
      numbers_.try_emplace(std::bit_cast<std::uint64_t>(bound), static_cast<Link>(links_.size()));
  if (is_new) {
    links_.push_back({.capacity = bound, .level = bound, .published = bound, .is_bound = true});
    crossings_.emplace_back();
  }
  return at->second;
}

std::span<const ApproximateShares::Link> ApproximateShares::known_links(std::span<const Link> links,
                                                                        double bound) {
  scratch_.clear();
  for (const Link link : links) scratch_.push_back(known(link));
  if (std::isfinite(bound)) scratch_.push_back(known_bound(bound));
  return scratch_;
}

void ApproximateShares::enter(Flow flow, std::span<const Link> links, double bound, double bytes,
                              double now) {
  now_ = now;
  const auto found = classes_.find_or_add(known_links(links, bound));
  if (found.is_new) add(found.index);
  count(found.index, 1);
  ++flows_;
  times_.add_flow(found.index, flow, bytes, now);
}

ApproximateShares::Flow ApproximateShares::take(double now) {
  now_ = now;
  const VirtualTimes::End end = times_.take(now);
  count(end.of, -1);
  --flows_;
  const auto uses = classes_.uses(end.of);
  if (crossing_of(uses[0]).flows == 0) give_up(end.of);
  return end.flow;
}

double ApproximateShares::rate(std::span<const Link> links, double bound) {
  return times_.rate(classes_.find_or_add(known_links(links, bound)).index);
}

// Held back by the link that offers the least.
void ApproximateShares::add(Class one) {
  const auto uses = classes_.uses(one);
  Link bottleneck = uses[0].link;
  double least = kInfinite;
  for (const auto& use : uses) {
    const LinkState& link = links_[use.link];
    const double offer =
        link.is_bound ? link.level : (link.capacity - link.others) / (link.own + 1.0);
    if (offer < least) {
      least = offer;
      bottleneck = use.link;
    }
  }
  for (std::uint32_t i = 0; i < uses.size(); ++i) {
    Crossings& crossings = crossings_[uses[i].link];
    uses[i].place = static_cast<std::uint32_t>(crossings.list.size());
    cross(crossings, {one, 0, bottleneck, i}, uses);
    if (uses[i].link == bottleneck) hold_back(bottleneck, uses[i].place);
  }
  uses_ += uses.size();
  times_.add_class(one, bottleneck);
}

void ApproximateShares::cross(Crossings& crossings, const Crossing& added,
                              std::span<const FlowClasses::Use> uses) {
  if (uses.size() > crossings.width + 1) {
    const std::size_t wider = uses.size() - 1;
    std::vector<Link> spread(crossings.list.size() * wider, kNoLink);
    for (std::size_t i = 0; i < crossings.list.size(); ++i)
      std::copy_n(crossings.others.begin() + static_cast<std::ptrdiff_t>(i * crossings.width),
                  crossings.width, spread.begin() + static_cast<std::ptrdiff_t>(i * wider));
    crossings.others = std::move(spread);
    crossings.width = wider;
  }
  crossings.list.push_back(added);
  const std::size_t end = crossings.others.size() + crossings.width;
  for (std::uint32_t i = 0; i < uses.size(); ++i)
    if (i != added.use) crossings.others.push_back(uses[i].link);
  crossings.others.resize(end, kNoLink);
}

void ApproximateShares::exchange(Crossings& crossings, std::uint32_t place, std::uint32_t with) {
  if (place == with) return;
  Crossing &a = crossings.list[place], &b = crossings.list[with];
  std::swap(a, b);
  Link* const others = crossings.others.data();
  std::swap_ranges(others + place * crossings.width, others + (place + 1) * crossings.width,
                   others + with * crossings.width);
  classes_.uses(a.of)[a.use].place = place;
  classes_.uses(b.of)[b.use].place = with;
}

void ApproximateShares::hold_back(Link link, std::uint32_t place) {
  exchange(crossings_[link], place, crossings_[link].own++);
}

void ApproximateShares::let_go(Link link, std::uint32_t place) {
  exchange(crossings_[link], place, --crossings_[link].own);
}

void ApproximateShares::count(Class one, std::int32_t flows) {
  const auto uses = classes_.uses(one);
  const Link bottleneck = crossing_of(uses[0]).bottleneck;
  const double rate = links_[bottleneck].published;
  for (const auto& use : uses) {
    LinkState& link = links_[use.link];
    crossing_of(use).flows += static_cast<std::uint32_t>(flows);
    if (use.link == bottleneck) {
      link.own += static_cast<std::uint32_t>(flows);
      if (link.is_bound) times_.set_rate(use.link, link.level, now_);
    } else {
      link.others += flows * rate;
      link.fastest = std::max(link.fastest, rate);
    }
    queue(use.link);
  }
}

void ApproximateShares::give_up(Class one) {
  const auto uses = classes_.uses(one);
  for (const auto& use : uses) {
    Crossings& crossings = crossings_[use.link];
    if (use.place < crossings.own) let_go(use.link, use.place);
    exchange(crossings, use.place, static_cast<std::uint32_t>(crossings.list.size() - 1));
    crossings.list.pop_back();
    crossings.others.resize(crossings.others.size() - crossings.width);
    if (crossings.list.empty()) links_[use.link].others = 0;  // without what rounding has left
  }
  uses_ -= uses.size();
  classes_.give_back(one);
}

void ApproximateShares::queue(Link link) {
  if (links_[link].is_queued || links_[link].is_bound) return;
  links_[link].is_queued = true;
  queue_.push_back(link);
}

void ApproximateShares::settle(double now) {
  now_ = now;
  visits_ = 0;
  for (std::size_t i = 0; i < queue_.size(); ++i) {
    links_[queue_[i]].is_queued = false;
    correct(queue_[i]);
    if (visits_ > 2 * uses_ + 1024) {
      for (++i; i < queue_.size(); ++i) links_[queue_[i]].is_queued = false;
      fill();
    }
  }
  queue_.clear();
  times_.refresh(now);
}

// Whether others have changed enough for the link to be corrected.
inline bool ApproximateShares::is_off(const LinkState& link) const {
  if (link.own == 0) return link.others > link.capacity * (1 + tolerance_ * kUnseen);
  const double held = link.own * link.level;
  return std::abs(link.capacity - link.others - held) > held * tolerance_ * kUnseen;
}

void ApproximateShares::correct(Link index) {
  LinkState& link = links_[index];
  if (link.own == 0 && link.others <= link.capacity * (1 + tolerance_ * kUnseen)) {
    link.level = kInfinite;
    return;
  }
  link.level = link.own == 0 ? -kInfinite : (link.capacity - link.others) / link.own;
  if (link.level < link.fastest * (1 - kUnfair * tolerance_)) pull(index);
  times_.set_rate(index, link.level, now_);
  const auto& crossings = crossings_[index];
  const double share = static_cast<double>(crossings.list.size()) / std::max(crossings.own, 1U);
  if (std::abs(link.level - link.published) > tolerance_ * std::min(share, kLoose) * link.published)
    publish(index);
}

// Holds back flows that are faster than its level: the fastest first, until nobody is.
void ApproximateShares::pull(Link index) {
  LinkState& link = links_[index];
  moving_.clear();
  link.fastest = 0;
  const auto& crossings = crossings_[index];
  visits_ += crossings.list.size() - crossings.own;
  for (std::size_t i = crossings.own; i < crossings.list.size(); ++i) {
    const Crossing& crossing = crossings.list[i];
    const double rate = links_[crossing.bottleneck].published;
    if (rate > link.level)
      moving_.push_back({rate, crossing.of, crossing.flows});
    else
      link.fastest = std::max(link.fastest, rate);
  }
  std::sort(moving_.begin(), moving_.end(), [](const Moving& a, const Moving& b) {
    return a.rate != b.rate ? a.rate > b.rate : a.of < b.of;
  });
  double left = link.capacity - link.others;
  std::uint32_t own = link.own;
  std::size_t pulled = 0;
  for (; pulled < moving_.size(); ++pulled) {
    const Moving& next = moving_[pulled];
    if (own > 0 && next.rate * (1 - kUnfair / 2 * tolerance_) * own <= left) break;
    left += next.rate * next.to;
    own += next.to;
  }
  if (pulled < moving_.size()) link.fastest = moving_[pulled].rate;
  for (std::size_t i = 0; i < pulled; ++i) move(moving_[i].of, index);
  link.level = (link.capacity - link.others) / std::max(link.own, 1U);
}

void ApproximateShares::publish(Link index) {
  LinkState& link = links_[index];
  // Small steps are a trend: to tell half of what comes next leaves the others right in the mean.
  const double level = link.level, step = level - link.published;
  const bool is_trend = std::abs(step) < 2 * tolerance_ * link.published;
  const double published =
      is_trend ? level * (1 + std::copysign(kAhead * tolerance_, step)) : level;
  const double change = published - link.published;
  link.published = published;
  moving_.clear();
  const Crossings& crossings = crossings_[index];
  visits_ += crossings.own;
  const Link* others = crossings.others.data();
  for (std::uint32_t i = 0; i < crossings.own; ++i, others += crossings.width) {
    const Crossing& crossing = crossings.list[i];
    double lowest = kInfinite;
    Link at = index;
    for (const Link crossed : std::span(others, crossings.width)) {
      LinkState& other = links_[crossed];
      if (other.level < lowest) {
        lowest = other.level;
        at = crossed;
      }
      if (other.is_bound) continue;
      other.others += crossing.flows * change;
      other.fastest = std::max(other.fastest, published);
      if (!other.is_queued && is_off(other)) queue(crossed);
    }
    if (lowest * (1 + kUnfair * tolerance_) < level) moving_.push_back({level, crossing.of, at});
  }
  for (const Moving& one : moving_) move(one.of, one.to);
}

void ApproximateShares::move(Class one, Link to) {
  const auto uses = classes_.uses(one);
  const Crossing crossing = crossing_of(uses[0]);
  const Link from = crossing.bottleneck;
  const double before = crossing.flows * links_[from].published,
               after = crossing.flows * links_[to].published;
  for (const auto& use : uses) {
    LinkState& link = links_[use.link];
    if (use.link == from)
      link.own -= crossing.flows;
    else
      link.others -= before;
    if (use.link == to) {
      link.own += crossing.flows;
    } else {
      link.others += after;
      link.fastest = std::max(link.fastest, links_[to].published);
    }
    queue(use.link);
  }
  if (links_[to].is_bound) times_.set_rate(to, links_[to].level, now_);
  change_bottleneck(one, to);
}

void ApproximateShares::change_bottleneck(Class one, Link to) {
  for (const auto& use : classes_.uses(one)) {
    Crossing& crossing = crossing_of(use);
    const Link from = std::exchange(crossing.bottleneck, to);
    if (use.link == from) let_go(from, use.place);
    if (use.link == to) hold_back(to, use.place);
  }
  times_.move_class(one, to, now_);
}

}  // namespace reprise::sim
