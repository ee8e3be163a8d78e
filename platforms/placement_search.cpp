// SPDX-License-Identifier: MIT
#include "platforms/placement_search.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <queue>

#include "platforms/node_distances.hpp"
#include "platforms/rank_bisection.hpp"
#include "platforms/shuffle.hpp"
#include "trace-io/base/error.hpp"

namespace reprise::platforms {
namespace {

constexpr std::uint64_t kMostWork = 400'000'000;  // partners looked at, in all: a few seconds
constexpr int kMostPasses = 64;
constexpr int kAttempts = 8;         // as many only where that is quick
constexpr std::size_t kTries = 100;  // for each rank, at each threshold
constexpr std::uint64_t kBisectionWork = kMostWork / 16;
constexpr int kBisections = 8, kCuts = 12;  // as many only where that is quick

// Those that have a rank, ascending.
std::vector<NodeIndex> nodes_of(const std::vector<RankLocation>& places) {
  std::vector<NodeIndex> nodes;
  for (const RankLocation& place : places) nodes.push_back(place.node);
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

// REQUIRES: the node is among the ascending ones.
NodeIndex position_of(NodeIndex node, const std::vector<NodeIndex>& nodes) {
  return static_cast<NodeIndex>(std::lower_bound(nodes.begin(), nodes.end(), node) - nodes.begin());
}

class Search {
 public:
  Search(const RankTraffic& traffic, const Platform& platform, std::uint64_t seed,
         const NodeOrder& nodes)
      : random_(seed),
        partners_(traffic.size()),
        order_(traffic.size()),
        groups_(group_sizes(platform)) {
    Placement block;
    block.node_order = nodes;
    const auto places = place_ranks(static_cast<std::uint32_t>(traffic.size()), platform, block);
    distances_.emplace(platform, nodes_of(places));
    for (const RankLocation& place : places)
      block_.push_back(position_of(place.node, distances_->nodes()));
    for (std::uint32_t from = 0; from < traffic.size(); ++from)
      for (const SentBytes& sent : traffic[from]) {
        REPRISE_ASSERT(sent.to < traffic.size(), "traffic goes to ranks");
        if (sent.to == from || sent.bytes == 0) continue;
        partners_[from].push_back({sent.to, static_cast<double>(sent.bytes), 0});
        partners_[sent.to].push_back({from, 0, static_cast<double>(sent.bytes)});
      }
    for (auto& list : partners_) join(list);
    std::iota(order_.begin(), order_.end(), 0U);
    shuffle(order_, seed);
  }

  // By rank, as the machine numbers its nodes.
  std::vector<NodeIndex> best() {
    std::vector<NodeIndex> best = best_positions();
    for (NodeIndex& node : best) node = distances_->nodes()[node];
    return best;
  }

 private:
  std::vector<NodeIndex> best_positions() {
    std::vector<NodeIndex> best = block_;
    const std::vector<NodeIndex> constructed = construct();
    for (int attempt = 0; attempt < kAttempts && (attempt < 2 || work_ < kMostWork / 8);
         ++attempt) {
      Mapping mapping(attempt % 2 == 0 ? block_ : constructed, distances_->size());
      anneal(mapping);
      descend(mapping);
      if (cost(mapping.node_of) < cost(best)) best = mapping.node_of;
    }
    return bisected(std::move(best));
  }

  // BEST, or what is better by halves.
  std::vector<NodeIndex> bisected(std::vector<NodeIndex> best) {
    RankBisection bisection(partners_, *distances_, room(), groups_);
    const std::uint64_t bound = work_ + kBisectionWork;
    for (int attempt = 0; attempt < kBisections && work_ < bound; ++attempt) {
      Mapping mapping(bisection.place(random_, kCuts, work_, bound), distances_->size());
      descend(mapping);
      if (cost(mapping.node_of) < cost(best)) best = mapping.node_of;
    }
    return best;
  }

  std::vector<std::uint32_t> room() const {
    std::vector<std::uint32_t> room(distances_->size());
    for (const NodeIndex node : block_) ++room[node];
    return room;
  }

  struct Mapping {
    Mapping(std::vector<NodeIndex> nodes, std::size_t count)
        : node_of(std::move(nodes)), ranks_on(count) {
      for (std::uint32_t rank = 0; rank < node_of.size(); ++rank)
        ranks_on[node_of[rank]].push_back(rank);
    }
    void swap(std::uint32_t a, std::uint32_t b) {
      auto &here = ranks_on[node_of[a]], &there = ranks_on[node_of[b]];
      *std::find(here.begin(), here.end(), a) = b;
      *std::find(there.begin(), there.end(), b) = a;
      std::swap(node_of[a], node_of[b]);
    }
    std::vector<NodeIndex> node_of;                    // by rank
    std::vector<std::vector<std::uint32_t>> ranks_on;  // by node
  };

  // Entries for one partner become one.
  static void join(std::vector<Partner>& list) {
    std::sort(list.begin(), list.end(),
              [](const Partner& a, const Partner& b) { return a.rank < b.rank; });
    std::size_t kept = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (kept > 0 && list[kept - 1].rank == list[i].rank) {
        list[kept - 1].out += list[i].out;
        list[kept - 1].in += list[i].in;
      } else {
        list[kept++] = list[i];
      }
    }
    list.resize(kept);
  }

  double between(const Partner& partner, NodeIndex mine, NodeIndex its) const {
    return partner.out * (*distances_)(mine, its) + partner.in * (*distances_)(its, mine);
  }

  double cost(const std::vector<NodeIndex>& node_of) const {
    double sum = 0;
    for (std::size_t rank = 0; rank < partners_.size(); ++rank)
      for (const Partner& partner : partners_[rank])
        if (partner.rank > rank) sum += between(partner, node_of[rank], node_of[partner.rank]);
    return sum;
  }

  std::vector<NodeIndex> construct() {
    std::vector<std::uint32_t> room = this->room();
    std::vector<NodeIndex> node_of(partners_.size());
    std::vector<bool> is_placed(partners_.size());
    std::vector<double> bond(partners_.size());  // to those placed
    using Bonded = std::pair<double, std::uint32_t>;
    const auto weaker = [](const Bonded& a, const Bonded& b) {
      return a.first != b.first ? a.first < b.first : a.second > b.second;
    };
    std::priority_queue<Bonded, std::vector<Bonded>, decltype(weaker)> next(weaker);
    std::size_t start = 0;
    for (std::size_t placed = 0; placed < partners_.size();) {
      std::uint32_t rank = 0;
      if (next.empty()) {  // the first, or of a part that talks to nobody placed: in order
        while (is_placed[start]) ++start;
        rank = static_cast<std::uint32_t>(start);
      } else {
        const auto [strength, candidate] = next.top();
        next.pop();
        if (is_placed[candidate] || strength != bond[candidate]) continue;  // stronger by now
        rank = candidate;
      }
      node_of[rank] = cheapest(rank, room, is_placed, node_of);
      --room[node_of[rank]];
      is_placed[rank] = true;
      ++placed;
      for (const Partner& partner : partners_[rank]) {
        if (is_placed[partner.rank]) continue;
        bond[partner.rank] += partner.out + partner.in;
        next.emplace(bond[partner.rank], partner.rank);
      }
    }
    return node_of;
  }

  NodeIndex cheapest(std::uint32_t rank, const std::vector<std::uint32_t>& room,
                     const std::vector<bool>& is_placed, const std::vector<NodeIndex>& node_of) {
    NodeIndex best = 0;
    double least = -1;
    for (NodeIndex node = 0; node < room.size(); ++node) {
      if (room[node] == 0) continue;
      double sum = 0;
      for (const Partner& partner : partners_[rank])
        if (is_placed[partner.rank]) sum += between(partner, node, node_of[partner.rank]);
      if (least < 0 || sum < least) {
        least = sum;
        best = node;
      }
      if (least == 0) break;
      work_ += partners_[rank].size();
      if (work_ > kMostWork / 2) break;  // the rest as it comes
    }
    return best;
  }

  // What it costs RANK more to be on TO instead of where it is.
  double extra(const std::vector<NodeIndex>& node_of, std::uint32_t rank, NodeIndex to) {
    work_ += partners_[rank].size();
    double sum = 0;
    for (const Partner& partner : partners_[rank])
      sum += between(partner, to, node_of[partner.rank]) -
             between(partner, node_of[rank], node_of[partner.rank]);
    return sum;
  }

  // Where A and B change places, their own exchange keeps its way, turned round; extra() had each meet the other at home.
  double correction(const std::vector<NodeIndex>& node_of, std::uint32_t a, std::uint32_t b) const {
    const auto& list = partners_[a];
    const auto found = std::lower_bound(
        list.begin(), list.end(), b,
        [](const Partner& partner, std::uint32_t rank) { return partner.rank < rank; });
    if (found == list.end() || found->rank != b) return 0;
    const NodeIndex at = node_of[a], bt = node_of[b];
    return between(*found, at, bt) + between(*found, bt, at);
  }

  // Threshold accepting: a change that costs less than the threshold is made, and the threshold falls to nothing.
  void anneal(Mapping& mapping) {
    std::vector<std::uint32_t> talkers;
    for (const std::uint32_t rank : order_)
      if (!partners_[rank].empty()) talkers.push_back(rank);
    if (talkers.empty()) return;
    const std::uint64_t bound = work_ + kMostWork / 4;
    constexpr int kRounds = 50;
    std::vector<NodeIndex> best = mapping.node_of;
    double now = cost(mapping.node_of), least = now, first = 0;
    for (int round = 0; round <= kRounds;
         ++round) {  // the first one only measures what changes cost
      double sum = 0;
      const double threshold =
          round == 0 ? -1 : first * 0.5 * (kRounds - round) * (kRounds - round) / kRounds / kRounds;
      for (std::size_t i = 0; i < kTries * talkers.size(); ++i) {
        if (work_ >= bound) return mapping_is(mapping, least < now ? best : mapping.node_of);
        const std::uint32_t rank = talkers[next_random(random_) % talkers.size()];
        const std::uint32_t other = candidate(mapping, rank);
        if (mapping.node_of[rank] == mapping.node_of[other]) continue;
        const double change = extra(mapping.node_of, rank, mapping.node_of[other]) +
                              extra(mapping.node_of, other, mapping.node_of[rank]) +
                              correction(mapping.node_of, rank, other);
        sum += std::abs(change);
        if (round == 0 || change >= threshold) continue;
        mapping.swap(rank, other);
        now += change;
        if (now < least && round > kRounds / 2) {
          least = now;
          best = mapping.node_of;
        }
      }
      if (round == 0) first = sum / static_cast<double>(kTries * talkers.size());
    }
    if (least < now) mapping_is(mapping, best);
  }

  static void mapping_is(Mapping& mapping, std::vector<NodeIndex> nodes) {
    mapping = Mapping(std::move(nodes), mapping.ranks_on.size());
  }

  // Whom a rank may change places with to come nearer to a partner: one on the partner's node, another of that one's partners, or anyone.
  std::uint32_t candidate(const Mapping& mapping, std::uint32_t rank) {
    const auto pick = [this](const auto& list) -> const auto& {
      return list[next_random(random_) % list.size()];
    };
    const std::uint32_t partner = pick(partners_[rank]).rank;
    switch (next_random(random_) % 4) {
      case 0:
        return pick(order_);
      case 1:
        return pick(partners_[partner]).rank;
      default:
        return pick(mapping.ranks_on[mapping.node_of[partner]]);
    }
  }

  void descend(Mapping& mapping) {
    const std::uint64_t bound = work_ + kMostWork / 4;
    std::vector<NodeIndex> targets;
    bool improves = true;
    for (int pass = 0; pass < kMostPasses && improves && work_ < bound; ++pass) {
      improves = false;
      for (const std::uint32_t rank : order_) {
        if (work_ >= bound) break;
        targets.clear();
        for (const Partner& partner : partners_[rank])
          if (mapping.node_of[partner.rank] != mapping.node_of[rank])
            targets.push_back(mapping.node_of[partner.rank]);
        std::sort(targets.begin(), targets.end());
        targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
        improves = improve(rank, targets, mapping) || improves;
      }
    }
  }

  // The best change of places with a rank on one of the nodes, if any saves something.
  bool improve(std::uint32_t rank, const std::vector<NodeIndex>& targets, Mapping& mapping) {
    const NodeIndex home = mapping.node_of[rank];
    double best = 0;
    std::uint32_t with = rank;
    for (const NodeIndex target : targets) {
      const double mine = extra(mapping.node_of, rank, target);
      for (const std::uint32_t other : mapping.ranks_on[target]) {
        const double whole =
            mine + extra(mapping.node_of, other, home) + correction(mapping.node_of, rank, other);
        if (whole < best) {
          best = whole;
          with = other;
        }
      }
    }
    // A saving far below what one rank exchanges is rounding: without this, two ranks might change places for ever.
    if (with == rank || -best <= 1e-12 * exchanged(rank)) return false;
    mapping.swap(rank, with);
    return true;
  }

  double exchanged(std::uint32_t rank) const {
    double sum = 0;
    for (const Partner& partner : partners_[rank]) sum += partner.out + partner.in;
    return sum;
  }

  std::uint64_t random_;
  Partners partners_;
  std::vector<std::uint32_t> order_;  // in which ranks are tried
  std::vector<NodeIndex> block_;      // places in the list of nodes, as all nodes here
  std::vector<NodeIndex> groups_;     // nodes in each, the smallest first
  std::optional<NodeDistances> distances_;
  std::uint64_t work_ = 0;
};

}  // namespace

double hop_bytes(const RankTraffic& traffic, const Platform& platform,
                 const std::vector<RankLocation>& places) {
  REPRISE_ASSERT(traffic.size() == places.size(), "each rank has a place");
  const NodeDistances distances(platform, nodes_of(places));
  std::vector<NodeIndex> positions;
  for (const RankLocation& place : places)
    positions.push_back(position_of(place.node, distances.nodes()));
  double sum = 0;
  for (std::size_t from = 0; from < traffic.size(); ++from)
    for (const SentBytes& sent : traffic[from])
      sum += static_cast<double>(sent.bytes) * distances(positions[from], positions[sent.to]);
  return sum;
}

Placement search_placement(const RankTraffic& traffic, const Platform& platform, std::uint64_t seed,
                           const NodeOrder& nodes) {
  Placement placement;
  placement.order = PlacementOrder::kListed;
  placement.seed = seed;
  placement.node_order = nodes;
  placement.file = "the placement found";
  if (!traffic.empty()) placement.nodes = Search(traffic, platform, seed, nodes).best();
  return placement;
}

}  // namespace reprise::platforms
