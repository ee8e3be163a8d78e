// SPDX-License-Identifier: MIT
#include "platforms/effects.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "platforms/load.hpp"
#include "platforms/node_order.hpp"
#include "trace-io/base/error.hpp"
#include "trace-io/base/units.hpp"

namespace reprise::platforms {
namespace {

bool holds(const std::vector<std::string>& sorted, const std::string& word) {
  return std::binary_search(sorted.begin(), sorted.end(), word);
}

class Comparison {
 public:
  // REPLAYED: the platform that USE is of, after all changes.
  Comparison(const Platform& before, const Platform& after, const Platform& replayed,
             const SettingsUse& use)
      : before_(before), after_(after), replayed_(replayed), use_(use) {}

  std::string why() {
    const bool moves = places_differ();
    if (moves) return "";
    compare_nodes();
    if (before_.network && !have_one_shape(*before_.network, *after_.network))
      unless(!use_.between_nodes.sizes.is_empty(), "no message crosses between nodes");
    else {
      compare_links();
      compare_interfaces();
    }
    if (before_.intra_node_per_receiver != after_.intra_node_per_receiver)
      unless(use_.inside_nodes.sizes.may_hold(1), "no message with data is inside a node");
    compare_sharing();
    compare_mpi(before_.mpi, after_.mpi, use_.between_nodes, "between nodes");
    compare_mpi(before_.intra_node_mpi, after_.intra_node_mpi, use_.inside_nodes, "inside a node");
    compare_collectives_and_storage();
    if (has_effect_) return "";
    return reason_.empty() ? "nothing that a replay uses has changed" : reason_;
  }

 private:
  // Only the first reason is reported; where there are several, they nearly always say the same.
  void unless(bool is_used, const std::string& reason) {
    if (is_used)
      has_effect_ = true;
    else if (reason_.empty())
      reason_ = reason;
  }

  // Who sits where, and whether on cores of their own; then everything may be another.
  bool places_differ() const {
    const Nodes &a = before_.nodes, &b = after_.nodes;
    if (before_.network.has_value() != after_.network.has_value()) return true;
    if (a.sockets != b.sockets) return true;
    if (use_.spreads_nodes && group_sizes(before_) != group_sizes(after_)) return true;
    for (const RankLocation& place : use_.places) {
      if (place.node >= b.count || place.node >= a.count) return true;
      if (a.cores_of(place.node) != b.cores_of(place.node) && !is_one_placement()) return true;
    }
    return a.count != b.count && !is_one_placement();
  }

  // The placement puts every rank where it was (on the same socket, beside the same network interface), on a core of its own.
  bool is_one_placement() const {
    if (use_.placement.order == PlacementOrder::kSearched) return false;
    const auto ranks = static_cast<std::uint32_t>(use_.places.size());
    std::vector<std::uint32_t> ends;
    for (const Platform* platform : {&before_, &after_}) {
      if (platform->nodes.core_count() < ranks) return false;
      const auto places = place_ranks(ranks, *platform, use_.placement);
      std::vector<std::uint32_t> ranks_on(platform->nodes.count);
      for (std::uint32_t rank = 0; rank < ranks; ++rank) {
        const RankLocation& place = places[rank];
        if (place.node != use_.places[rank].node) return false;
        if (++ranks_on[place.node] > platform->nodes.cores_of(place.node)) return false;
        const std::uint32_t end = platform->end_of(place.node, place.core);
        if (platform == &before_)
          ends.push_back(end);
        else if (end != ends[rank])
          return false;
      }
    }
    return true;
  }

  static bool have_one_shape(const Network& a, const Network& b) {
    return a.interface.has_value() == b.interface.has_value() &&
           platforms::have_one_shape(a.topology, b.topology);
  }

  void compare_nodes() {
    const Nodes &a = before_.nodes, &b = after_.nodes;
    bool is_known = false, speeds = false, clocks = false, cores = false;
    for (std::uint32_t node = 0; node < std::min(a.count, b.count); ++node) {
      cores = cores || a.cores_of(node) != b.cores_of(node);
      clocks = clocks || a.core_speed_of(node) != b.core_speed_of(node);
      if (a.relative_speed_of(node) == b.relative_speed_of(node)) continue;
      speeds = true;
      is_known = is_known ||
                 std::binary_search(use_.computing_nodes.begin(), use_.computing_nodes.end(), node);
    }
    if (speeds) unless(is_known, "no rank computes on those nodes");
    if (clocks)
      unless(false,
             "core_speed only describes the machine; relative_speed and --compute rescale compute "
             "times");
    compare_memory();
    if (cores)
      unless(false,
             "each rank has a core of its own before and after; the threads of a rank are not "
             "modelled (--compute changes compute times)");
    if (a.count != b.count) unless(false, "the ranks are on the same nodes as before");
    if (a.names != b.names) unless(false, "node names are used by placement files only");
  }

  // What was not full is not full with more of it, nor where nobody asks for any.
  void compare_memory() {
    bool is_less_before = false, differs = false;
    for (const RankLocation& place : use_.places) {
      constexpr BytesPerSecond kNone{std::numeric_limits<double>::infinity()};
      const double before = before_.nodes.memory_bandwidth_of(place.node).value_or(kNone).value,
                   after = after_.nodes.memory_bandwidth_of(place.node).value_or(kNone).value;
      differs = differs || before != after;
      is_less_before = is_less_before || before < after;
    }
    if (!differs) return;
    if (!use_.asks_memory)
      unless(false, "the program's memory traffic is unknown (give it with --memory-traffic)");
    else
      unless(use_.fills_memory || is_less_before,
             "the ranks never saturate a node's memory bandwidth");
  }

  // What messages weigh where they meet, and what a TCP window lets through.
  void compare_sharing() {
    const LatencyWeights *a = before_.latency_weights(), *b = after_.latency_weights();
    if (a == b || (a != nullptr && b != nullptr && *a == *b)) return;
    unless(use_.between_nodes.sizes.may_hold(1) || use_.inside_nodes.sizes.may_hold(1),
           "no message has data");
  }

  bool all_on_one_node() const {
    return std::all_of(use_.places.begin(), use_.places.end(),
                       [&](const auto& place) { return place.node == use_.places[0].node; });
  }

  // How many interfaces a node has, and how messages use them.
  void compare_interfaces() {
    if (!before_.network || !before_.network->interface) return;
    const NetworkInterface &a = *before_.network->interface, &b = *after_.network->interface;
    if (a.count == b.count && a.use == b.use) return;
    // A count is nothing without the use that another change gives it.
    if (const auto& last = replayed_.network->interface;
        !last || last->count != b.count || last->use != b.use) {
      unless(true, "");
      return;
    }
    const bool has_messages = !use_.between_nodes.sizes.is_empty();
    if (a.bandwidth() == b.bandwidth() && a.separate() == b.separate()) {
      unless(false, "a node has one network interface");
    } else if (!use_.between_nodes.sizes.may_hold(1)) {
      unless(false, has_messages ? "the messages between nodes are empty: only latency counts"
                                 : "no message crosses between nodes");
    } else if (a.bandwidth() == b.bandwidth()) {
      unless(
          !divides_ranks_alike(a, b),
          "each rank uses the network interface of its core, and its messages share that with the "
          "same messages as before (/network/interface/use=striped lets each message use all)");
    } else {
      unless(true, "");
    }
  }

  // Whether those ranks of a node that share an interface are the same as before.
  bool divides_ranks_alike(const NetworkInterface& a, const NetworkInterface& b) const {
    if (a.separate() == 1 && use_.interfaces.used == use_.interfaces.nodes) return true;
    const auto number = [](const Platform& platform, const NetworkInterface& interface,
                           const RankLocation& place) {
      return place.core * interface.separate() / platform.nodes.cores_of(place.node);
    };
    std::map<std::pair<NodeIndex, std::uint32_t>, std::uint32_t> now, old;
    for (const RankLocation& place : use_.places) {
      const auto was = number(before_, a, place), is = number(after_, b, place);
      if (now.try_emplace({place.node, was}, is).first->second != is ||
          old.try_emplace({place.node, is}, was).first->second != was)
        return false;
    }
    return true;
  }

  void compare_links() {
    Platform a = before_, b = after_;  // links point into a platform that they may change
    compare_links(node_links(a), node_links(b), use_.inside_nodes, true);
    compare_links(network_links(a), network_links(b), use_.between_nodes, false);
    if (before_.network && after_.network && reason_.empty() && !has_effect_) {
      // The network's own link, where every cable says for itself what it is.
      if (before_.network->link != after_.network->link)
        unless(false, "no link of the topology uses these values");
    }
  }

  void compare_links(const std::vector<Cable>& old, const std::vector<Cable>& now,
                     const PathUse& path, bool is_inside) {
    for (const Cable& b : now) {
      const auto a = std::find_if(old.begin(), old.end(),
                                  [&](const Cable& cable) { return cable.name == b.name; });
      if (b.name.empty() || a == old.end()) continue;  // a path that was not there: compared below
      if (*a->link == *b.link) continue;
      if (!holds(use_.cables, b.name)) {
        unless(false, !path.sizes.is_empty() ? "no message crosses such a link (" + b.name + ")"
                      : is_inside            ? "no message stays inside a node"
                      : all_on_one_node() ? "all ranks are on one node (--placement cyclic spreads "
                                            "them, /intra_node is their path)"
                                          : "no message crosses between nodes");
      } else if (a->link->latency == b.link->latency) {  // bandwidth or sharing
        unless(path.sizes.may_hold(1), "the messages there are empty: only latency counts");
      } else {
        unless(true, "");
      }
    }
  }

  void compare_mpi(const Mpi& a, const Mpi& b, const PathUse& use, const std::string& where) {
    const std::string none = "no message is " + where;
    if (a.eager_limit != b.eager_limit) {
      const auto [low, high] = std::minmax(a.eager_limit.value, b.eager_limit.value);
      unless(use.by_limit.may_hold(low + 1, high), use.sizes.is_empty()
                                                       ? none
                                                       : "no message " + where + " has more than " +
                                                             to_text(Bytes{low}) + " and at most " +
                                                             to_text(Bytes{high}));
    }
    if (a.send_overhead != b.send_overhead || a.recv_overhead != b.recv_overhead)
      unless(!use.sizes.is_empty(), none);
    if (a.cold_caches != b.cold_caches) unless(!use.sizes.is_empty(), none);
    if (a.rendezvous_handshake != b.rendezvous_handshake || a.rendezvous_head != b.rendezvous_head)
      unless(use.has_rendezvous, "no message " + where + " uses rendezvous");
    if (a.factors_apply_to != b.factors_apply_to) unless(!use.sizes.is_empty(), none);
    if (a.copy_bandwidth != b.copy_bandwidth)
      unless(use.has_copies,
             "no message " + where + " comes before its receive or is sent from a buffer");
    if (a.progress != b.progress)
      unless(use.has_rendezvous || !use_.operations.empty(),
             "no message " + where + " uses rendezvous, and there are no collectives");
    const auto factors = [&](const auto& old, const auto& now, const std::string& what) {
      const SizesMet sizes = what == "copy" && !use.has_copies ? SizesMet() : use.sizes;
      compare_by_size(old, now, &SizeFactor::factor, 1.0, sizes, where, what + " factor");
    };
    factors(a.copy_factors, b.copy_factors, "copy");
    compare_by_size(a.acknowledgements, b.acknowledgements, &SizeTime::time, Seconds{}, use.sizes,
                    where, "acknowledgement");
    if (a.uncertainty.has_value() != b.uncertainty.has_value() ||
        (a.uncertainty && (a.uncertainty->typical != b.uncertainty->typical ||
                           a.uncertainty->largest != b.uncertainty->largest)))
      unless(!use.sizes.is_empty(), none);
    factors(a.latency_factors, b.latency_factors, "latency");
    factors(a.bandwidth_factors, b.bandwidth_factors, "bandwidth");
  }

  // What holds from some size on: FIRST below the first step.
  template <class Step, class Value>
  void compare_by_size(const std::vector<Step>& a, const std::vector<Step>& b, Value Step::*value,
                       Value first, const SizesMet& sizes, const std::string& where,
                       const std::string& what) {
    const auto at = [&](const std::vector<Step>& steps, std::uint64_t size) {
      Value found = first;
      for (const Step& step : steps)
        if (step.from.value <= size) found = step.*value;
      return found;
    };
    std::vector<std::uint64_t> from{0};
    for (const auto* list : {&a, &b})
      for (const Step& step : *list) from.push_back(step.from.value);
    std::sort(from.begin(), from.end());
    for (std::size_t i = 0; i < from.size(); ++i) {
      const std::uint64_t last =
          i + 1 < from.size() ? from[i + 1] - 1 : std::numeric_limits<std::uint64_t>::max();
      if (last < from[i] || at(a, from[i]) == at(b, from[i])) continue;
      unless(sizes.may_hold(from[i], last),
             "no message " + where + " has a size whose " + what + " has changed");
    }
  }

  static std::vector<std::string> rules_of(const Collectives& collectives,
                                           const std::string& operation) {
    std::vector<std::string> texts;
    for (const CollectiveRule& rule : collectives.rules)
      if (rule.operation == operation)
        texts.push_back(rule.algorithm + ' ' +
                        std::to_string(rule.up_to ? rule.up_to->value + 1 : 0) + ' ' +
                        std::to_string(rule.segment.value) + ' ' + std::to_string(rule.fanout));
    return texts;
  }

  void compare_collectives_and_storage() {
    const Collectives &a = before_.collectives, &b = after_.collectives;
    if (a.selection != b.selection) unless(!use_.operations.empty(), "there are no collectives");
    std::vector<std::string> operations;
    for (const auto* list : {&a.rules, &b.rules})
      for (const CollectiveRule& rule : *list) operations.push_back(rule.operation);
    for (const std::string& operation : operations)
      if (rules_of(a, operation) != rules_of(b, operation))
        unless(std::find(use_.operations.begin(), use_.operations.end(), operation) !=
                   use_.operations.end(),
               "no " + operation + " is called");
    if (before_.reduction_bandwidth != after_.reduction_bandwidth ||
        before_.reduction_factors != after_.reduction_factors)
      unless(use_.combines, "no data is combined: there are no reductions");
    if (before_.storage != after_.storage) unless(use_.has_files, "no file is used");
  }

  const Platform &before_, &after_, &replayed_;
  const SettingsUse& use_;
  bool has_effect_ = false;
  std::string reason_;
};

}  // namespace

std::string why_without_effect(const Platform& before, const Platform& after,
                               const SettingsUse& use) {
  return Comparison(before, after, after, use).why();
}

ChangeTracker::ChangeTracker(const Document& document) : first_(parse_platform(document)) {}

void ChangeTracker::changed(const std::string& what, const Document& now) {
  pending_ += (pending_.empty() ? "" : " and ") + what;
  try {
    steps_.push_back({pending_, parse_platform(now)});
    pending_.clear();
  } catch (const InputError&) {  // for the parser of the whole to say
  }
}

std::vector<std::string> ChangeTracker::without_effect(const SettingsUse& use) const {
  std::vector<std::string> facts;
  const Platform* before = &first_;
  for (const Step& step : steps_) {
    if (const std::string why = Comparison(*before, step.after, steps_.back().after, use).why();
        !why.empty())
      facts.push_back(step.what + ": " + why);
    before = &step.after;
  }
  return facts;
}

}  // namespace reprise::platforms
