// SPDX-License-Identifier: MIT
#include "sim/engine/critical_path/flow_slopes.hpp"

#include <algorithm>

namespace reprise::sim {

void FlowSlopes::Sum::add(const Cause& cause, const Slopes& first) {
  slopes.add(cause.slopes, 1);
  slopes.blur = std::max(slopes.blur, cause.slopes.blur);
  slopes.flaws |= cause.slopes.flaws;
  spread = std::max(spread, cause.slopes.distance(first));
  is_known = is_known && cause.is_known;
  count += 1;
}

void FlowSlopes::Sum::add(const Sum& other) {
  slopes.add(other.slopes, 1);
  slopes.blur = std::max(slopes.blur, other.slopes.blur);
  slopes.flaws |= other.slopes.flaws;
  spread = std::max(spread, other.spread);
  is_known = is_known && other.is_known;
  count += other.count;
}

void FlowSlopes::note_cause(double now, Links links, const Slopes* slopes) {
  if (is_settled_ || now != instant_) {
    causes_.clear();
    cause_links_.clear();
    are_alike_ = true;
    is_settled_ = false;
    instant_ = now;
  }
  is_added_up_ = false;
  Cause& cause = causes_.emplace_back();
  if (slopes != nullptr) cause.slopes = *slopes;
  cause.is_known = slopes != nullptr;
  cause_links_.insert(cause_links_.end(), links.begin(), links.end());
  cause.links_end = static_cast<std::uint32_t>(cause_links_.size());
  are_alike_ = are_alike_ && cause.is_known;
  if (causes_.size() == 1) return;
  are_alike_ = are_alike_ && is_about_same(cause.slopes.distance(causes_.front().slopes), now) &&
               cause.slopes.flaws == causes_.front().slopes.flaws;
}

void FlowSlopes::add_up_by_links() {
  ++settling_;
  sums_.clear();
  all_ = {};
  std::uint32_t link = 0;
  for (const Cause& cause : causes_) {
    all_.add(cause, causes_.front().slopes);
    for (; link < cause.links_end; ++link) {
      const platforms::LinkIndex crossed = cause_links_[link];
      if (link_sums_.size() <= crossed) link_sums_.resize(crossed + std::size_t{1});
      LinkSum& known = link_sums_[crossed];
      if (known.settling != settling_) {
        known = {settling_, static_cast<std::uint32_t>(sums_.size())};
        sums_.emplace_back();
      }
      sums_[known.sum].add(cause, causes_.front().slopes);
    }
  }
}

// What has moved the rate of a flow over these links.
const FlowSlopes::Sum& FlowSlopes::find_cause(double now, Links links) {
  is_settled_ = true;
  if (now != instant_ || causes_.empty()) {  // a link's own change, at its time
    found_ = {};
    found_.slopes[Parameter::rest] = now;
    found_.count = 1;
    return found_;
  }
  if (causes_.size() == 1 || are_alike_) {
    is_added_up_ = true;
    all_ = {};
    all_.add(causes_.front(), causes_.front().slopes);
    return all_;
  }
  if (!is_added_up_) add_up_by_links();
  is_added_up_ = true;
  found_ = {};
  for (const platforms::LinkIndex link : links)
    if (link < link_sums_.size() && link_sums_[link].settling == settling_)
      found_.add(sums_[link_sums_[link].sum]);
  return found_.count > 0 ? found_ : all_;
}

void FlowSlopes::follow(std::uint32_t message, double start, const Slopes& own,
                        Parameter bandwidth) {
  if (drift_of_.size() <= message) drift_of_.resize(message + std::size_t{1}, kNone);
  std::uint32_t& index = drift_of_[message];
  if (free_.empty()) {
    index = static_cast<std::uint32_t>(drifts_.size());
    drifts_.emplace_back();
  } else {
    index = free_.back();
    free_.pop_back();
  }
  Drift& drift = drifts_[index];
  drift.own = own.of;
  drift.moved = {};
  drift.start = start;
  drift.rate = drift.blur = 0;
  drift.flaws = 0;
  drift.bandwidth = bandwidth;
}

void FlowSlopes::change(std::uint32_t message, double now, double before, double after, double left,
                        Links links) {
  const Sum& cause = cause_of(now, links);
  Drift& drift = drifts_[drift_of_[message]];
  drift.rate = after;
  const double weight = after - before, elapsed = now - drift.start;
  if (!cause.is_known) {
    drift.flaws |= SlopeFlaw::kUnsolved;
    drift.blur += std::abs(weight) * elapsed;
    return;
  }
  // In one pass: this is done for each change of a rate.
  std::array<double, Slopes::kWidth> apart;
  const double each = 1 / cause.count;
  for (std::size_t i = 0; i < Slopes::kWidth; ++i)
    apart[i] = each * cause.slopes.of[i] - drift.own[i];
  // At places known to the compiler, so that `apart` stays in registers.
  const bool is_inside = drift.bandwidth == Parameter::inside_bandwidth;
  apart[static_cast<std::size_t>(Parameter::bandwidth)] -= is_inside ? 0 : elapsed;
  apart[static_cast<std::size_t>(Parameter::inside_bandwidth)] -= is_inside ? elapsed : 0;
  const double largest = Slopes::largest_of(apart);
  drift.flaws |= cause.slopes.flaws;
  const double room = std::min(elapsed, left / after), moved = kReach * largest;
  double blur = cause.slopes.blur;
  if (!is_about_same(cause.spread, now)) {
    drift.flaws |= SlopeFlaw::kTied;
    blur += cause.spread;
  }
  drift.blur += std::abs(weight) * std::min(blur, room / kReach);
  if (is_about_same(largest, now)) return;
  const double part = moved <= room ? 1 : room / moved, times = weight * part;
  for (std::size_t i = 0; i < Slopes::kWidth; ++i) drift.moved[i] += times * apart[i];
  if (part == 1) return;
  drift.flaws |= SlopeFlaw::kMoment;
  drift.blur += std::abs(weight) * part * largest;
}

void FlowSlopes::finish(std::uint32_t message, Slopes& slopes) {
  if (!is_followed(message)) return;
  const Drift& drift = drifts_[drift_of_[message]];
  const double each = 1 / drift.rate;
  for (std::size_t i = 0; i < Slopes::kWidth; ++i) slopes.of[i] += each * drift.moved[i];
  slopes.blur += drift.blur / drift.rate;
  slopes.drift += Slopes::largest_of(drift.moved) / drift.rate;
  slopes.flaws |= drift.flaws;
  free_.push_back(drift_of_[message]);
  drift_of_[message] = kNone;
}

void FlowSlopes::clear() { *this = {}; }

}  // namespace reprise::sim
