// SPDX-License-Identifier: MIT
// Links whose bandwidth or latency is not what the platform says, all the time or for a while; which links a change names.
//
// Cost    nothing where there are no changes but a test for it. Else 4 bytes a link, and per message a look-up for each of its links.
// Errors  InputError{change.where, …}: links that there are not.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "platforms/routes.hpp"
#include "sim/conditions.hpp"
#include "sim/varying_rate.hpp"

namespace reprise::sim {

// Ascending.
std::vector<platforms::LinkIndex> links_named(const platforms::RouteTable&, const LinkChange&);

class LinkConditions {
 public:
  LinkConditions(const platforms::RouteTable&, std::span<const LinkChange>);

  bool empty() const { return lines_.empty(); }
  // The factors of a link's bandwidth over time; null where it is what the platform says.
  const VaryingRate* bandwidth(platforms::LinkIndex link) const {
    if (empty() || number_[link] == kNone) return nullptr;
    return &lines_[number_[link]].bandwidth;
  }
  double bandwidth_at(platforms::LinkIndex link, double time) const {
    const VaryingRate* rate = bandwidth(link);
    return rate == nullptr ? 1 : rate->at(time);
  }
  double latency_at(platforms::LinkIndex link, double time) const {
    return empty() || number_[link] == kNone ? 1 : lines_[number_[link]].latency.at(time);
  }
  // Of a whole route: its latency; and when so many bytes, alone on it, have come through the narrowest link of each moment, never faster
  // than MOST.
  double latency(std::span<const platforms::LinkIndex> route, double time) const;
  double end(std::span<const platforms::LinkIndex> route, double start, double bytes,
             double most = std::numeric_limits<double>::infinity()) const;

  // Whether a link of the route changes while the program runs.
  bool vary(std::span<const platforms::LinkIndex> route) const;
  // The mean factor of a link's bandwidth from 0 to UNTIL. REQUIRES: 0 < UNTIL.
  double mean_bandwidth(platforms::LinkIndex link, double until) const;
  // By link, whether its bandwidth is changed and most links of its class do not share the change. Empty where there are no changes.
  std::vector<bool> stand_out() const;

  // From here on changes of latency alone are turns, too.
  void turn_with_latency();
  // Of bandwidths, after time 0, in order of time.
  struct Turn {
    double time = 0;
    platforms::LinkIndex link = 0;
  };
  const std::vector<Turn>& turns() const { return turns_; }
  // When the next of them is to happen; infinite where none is left.
  double next_turn() const { return next_turn_; }
  // They happen: changed(link) for each until NOW.
  template <class Changed>
  void turn(double now, Changed changed) {
    for (; turned_ < turns_.size() && turns_[turned_].time <= now; ++turned_)
      changed(turns_[turned_].link);
    find_next_turn();
  }

  // A message was on these links then.
  void note(std::span<const platforms::LinkIndex> links, double from, double to);
  // Which changes no message has met, by their places in the list.
  std::vector<std::size_t> unmet() const;

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Line {
    VaryingRate bandwidth, latency;
    std::vector<std::uint32_t> changes;
  };
  struct Spell {
    TimeSpan when;
    bool is_met = false;
  };
  const platforms::RouteTable& routes_;
  std::vector<std::uint32_t> number_;  // by link: of its line
  std::vector<Line> lines_;            // one for all links that meet the same changes
  std::vector<Spell> spells_;          // by change
  void add_turns(VaryingRate Line::*what);
  void find_next_turn() {
    next_turn_ =
        turned_ < turns_.size() ? turns_[turned_].time : std::numeric_limits<double>::infinity();
  }

  std::vector<Turn> turns_;
  std::size_t turned_ = 0;  // how many of them have happened
  double next_turn_ = std::numeric_limits<double>::infinity();
};

}  // namespace reprise::sim
