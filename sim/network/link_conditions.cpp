// SPDX-License-Identifier: MIT
#include "sim/network/link_conditions.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "trace-io/base/error.hpp"
#include "trace-io/base/suggestion.hpp"

namespace reprise::sim {
namespace {

using platforms::LinkIndex;
using platforms::RouteTable;

constexpr std::string_view kOfNodes = "node:";

// What bounds receivers inside a node is no link of its own, and stays as it is.
bool is_of_receivers(const RouteTable& routes, const platforms::LinkClass& link_class) {
  return routes.receiver_bound() && &routes.link(*routes.receiver_bound()) == &link_class;
}

// What links are called: all of a kind of cable, "spine", and one direction of them as reports have it, "level 2 up"; and both of these with the
// other's noun, "level 2" and "spine up".
std::vector<std::string> names_of(const platforms::LinkClass& link_class) {
  std::vector<std::string> names{link_class.cable, link_class.name};
  const auto blank = link_class.name.rfind(' ');
  const std::string direction = blank == std::string::npos ? "" : link_class.name.substr(blank);
  if (direction != " up" && direction != " down") return names;
  for (std::string name : {link_class.name.substr(0, blank), link_class.cable + direction})
    if (std::find(names.begin(), names.end(), name) == names.end())
      names.push_back(std::move(name));
  return names;
}

bool is_called(const platforms::LinkClass& link_class, const std::string& name) {
  const auto names = names_of(link_class);
  return std::find(names.begin(), names.end(), name) != names.end();
}

[[noreturn]] void refuse(const LinkChange& change, const RouteTable& routes) {
  std::vector<std::string> names;
  std::string list;
  for (const auto& link_class : routes.link_classes())
    for (const std::string& name : names_of(link_class))
      if (!is_of_receivers(routes, link_class) &&
          std::find(names.begin(), names.end(), name) == names.end()) {
        names.push_back(name);
        list += (list.empty() ? "" : ", ") + name;
      }
  const auto nearest = nearest_word(change.links, names);
  throw InputError(
      change.where + "/link", "the platform has no links \"" + change.links + '"',
      nearest ? "did you mean \"" + *nearest + "\"?" : "there are: " + list + ", and node:N");
}

// The network's links that a node's messages cross first and last: those at its interface, and the first of the topology.
std::vector<LinkIndex> links_of_nodes(const RouteTable& routes, const LinkChange& change) {
  const NumberRanges nodes =
      parse_ranges(std::string_view(change.links).substr(kOfNodes.size()), change.where + "/link");
  if (highest(nodes) >= routes.node_count())
    throw InputError(change.where + "/link", "node " + std::to_string(highest(nodes)) +
                                                 " is not among the platform's " +
                                                 std::to_string(routes.node_count()) + " nodes");
  if (routes.node_count() == 1)
    throw InputError(change.where + "/link", "the platform has no network");
  const auto ends = routes.ends_per_node();
  std::set<LinkIndex> links;
  const auto add = [&](auto first, auto last) {
    for (; first != last; ++first) {
      links.insert(*first);
      if (routes.link(*first).cable != "interface") return;
    }
  };
  platforms::Route route;
  for (platforms::NodeIndex node = 0; node < routes.node_count(); ++node) {
    if (!contains(nodes, node)) continue;
    for (platforms::NodeIndex other = 0; other < routes.node_count(); ++other) {
      if (other == node) continue;
      // Where messages leave the topology depends on the other node, by which interface on the end.
      const bool is_next = other == (node + 1) % routes.node_count();
      for (std::uint32_t end = 0; end < (is_next ? ends : 1); ++end) {
        routes.find_route(node * ends + end, other * ends, route);
        add(route.links.begin(), route.links.end());
        routes.find_route(other * ends, node * ends + end, route);
        add(route.links.rbegin(), route.links.rend());
      }
    }
  }
  return {links.begin(), links.end()};
}

}  // namespace

std::vector<LinkIndex> links_named(const RouteTable& routes, const LinkChange& change) {
  if (routes.adds_latency())
    throw InputError(change.where,
                     "this machine's latencies come from host coordinates: single links, and links "
                     "for a time, cannot be changed",
                     "change all links of a kind, for the whole run");
  if (change.links.starts_with(kOfNodes)) return links_of_nodes(routes, change);
  std::vector<bool> named;  // by class
  for (const auto& link_class : routes.link_classes())
    named.push_back(is_called(link_class, change.links));
  std::vector<LinkIndex> links;
  std::map<std::uint32_t, std::int64_t> number;  // of the next link, by class
  std::int64_t count = 0;
  for (LinkIndex link = 0; link < routes.link_count(); ++link) {
    if (!named[routes.link_class_index(link)]) continue;
    if (link == routes.receiver_bound()) continue;
    const std::int64_t cable = number[routes.link_class_index(link)]++;
    count = std::max(count, cable + 1);
    if (contains(change.cables, cable)) links.push_back(link);
  }
  if (count == 0) refuse(change, routes);
  if (highest(change.cables) >= count)
    throw InputError(change.where + "/cables",
                     "number " + std::to_string(highest(change.cables)) + " is not among the " +
                         std::to_string(count) + " links \"" + change.links + '"',
                     "they are numbered from 0");
  return links;
}

LinkConditions::LinkConditions(const RouteTable& routes, std::span<const LinkChange> changes)
    : routes_(routes) {
  for (std::uint32_t i = 0; i < changes.size(); ++i) {
    const LinkChange& change = changes[i];
    const bool is_none = change.bandwidth == 1 && change.latency == 1 && !change.is_of_platform();
    const auto links = links_named(routes, change);
    spells_.push_back({change.when, is_none});
    if (is_none) continue;
    if (number_.empty()) number_.assign(routes.link_count(), kNone);
    std::map<std::uint32_t, std::uint32_t>
        refined;  // links that were alike so far stay so, changed or not
    for (const LinkIndex link : links) {
      const auto [at, is_new] =
          refined.emplace(number_[link], static_cast<std::uint32_t>(lines_.size()));
      if (is_new) {
        Line line = number_[link] == kNone ? Line{} : lines_[number_[link]];
        line.bandwidth.multiply(change.when.from, change.when.to, change.bandwidth);
        line.latency.multiply(change.when.from, change.when.to, change.latency);
        line.bandwidth.follow(change.bandwidth_steps);
        line.latency.follow(change.latency_steps);
        line.changes.push_back(i);
        lines_.push_back(std::move(line));
      }
      number_[link] = at->second;
    }
  }
  add_turns(&Line::bandwidth);
}

bool LinkConditions::vary(std::span<const LinkIndex> route) const {
  return !empty() && std::any_of(route.begin(), route.end(), [&](LinkIndex link) {
    if (number_[link] == kNone) return false;
    const Line& line = lines_[number_[link]];
    return line.bandwidth.next_change(0) != VaryingRate::kNever ||
           line.latency.next_change(0) != VaryingRate::kNever;
  });
}

double LinkConditions::mean_bandwidth(LinkIndex link, double until) const {
  const VaryingRate* rate = bandwidth(link);
  return rate == nullptr ? 1 : rate->done(0, until) / until;
}

std::vector<bool> LinkConditions::stand_out() const {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> alike;  // by class and line
  std::map<std::uint32_t, std::size_t> links;                            // by class
  for (LinkIndex link = 0; link < number_.size(); ++link) {
    ++alike[{routes_.link_class_index(link), number_[link]}];
    ++links[routes_.link_class_index(link)];
  }
  std::vector<bool> stand_out;
  for (LinkIndex link = 0; link < number_.size(); ++link) {
    const std::uint32_t link_class = routes_.link_class_index(link);
    const VaryingRate* rate = bandwidth(link);
    const bool is_changed =
        rate != nullptr && (rate->at(0) != 1 || rate->next_change(0) != VaryingRate::kNever);
    stand_out.push_back(is_changed && 2 * alike[{link_class, number_[link]}] <= links[link_class]);
  }
  return stand_out;
}

void LinkConditions::turn_with_latency() { add_turns(&Line::latency); }

void LinkConditions::add_turns(VaryingRate Line::*what) {
  for (LinkIndex link = 0; link < number_.size(); ++link) {
    if (number_[link] == kNone) continue;
    const VaryingRate& rate = lines_[number_[link]].*what;
    for (double time = rate.next_change(0); time != VaryingRate::kNever;
         time = rate.next_change(time))
      turns_.push_back({time, link});
  }
  std::stable_sort(turns_.begin(), turns_.end(),
                   [](const Turn& a, const Turn& b) { return a.time < b.time; });
  find_next_turn();
}

double LinkConditions::latency(std::span<const LinkIndex> route, double time) const {
  double sum = 0;
  for (const LinkIndex link : route)
    sum += routes_.link(link).latency.value * latency_at(link, time);
  return sum;
}

double LinkConditions::end(std::span<const LinkIndex> route, double time, double bytes,
                           double most) const {
  for (;;) {
    double narrowest = most, until = VaryingRate::kNever;
    for (const LinkIndex link : route) {
      const VaryingRate* rate = bandwidth(link);
      const double whole = routes_.link(link).bandwidth.value;
      narrowest = std::min(narrowest, rate == nullptr ? whole : whole * rate->at(time));
      if (rate != nullptr) until = std::min(until, rate->next_change(time));
    }
    if (time + bytes / narrowest <= until) return time + bytes / narrowest;
    bytes -= (until - time) * narrowest;
    time = until;
  }
}

void LinkConditions::note(std::span<const LinkIndex> links, double from, double to) {
  for (const LinkIndex link : links) {
    if (number_[link] == kNone) continue;
    for (const std::uint32_t change : lines_[number_[link]].changes) {
      Spell& spell = spells_[change];
      if (from < spell.when.to && to >= spell.when.from) spell.is_met = true;
    }
  }
}

std::vector<std::size_t> LinkConditions::unmet() const {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < spells_.size(); ++i)
    if (!spells_[i].is_met) places.push_back(i);
  return places;
}

}  // namespace reprise::sim
