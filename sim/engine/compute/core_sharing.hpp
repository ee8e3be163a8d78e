// SPDX-License-Identifier: MIT
// Nodes with more ranks than cores: who computes when, and how fast.
//
// Model   egalitarian processor sharing (Kleinrock, "Time-Shared Systems: A Theoretical Treatment", JACM 14(2), 1967), as a fair
//         scheduler's average: k stretches of computing on c cores each run at min(1, c/k).
// How     a node's virtual time runs at that rate; a stretch of w seconds that begins at virtual time v ends at v + w, whatever
//         begins and ends meanwhile. One end per node is awaited at a time; a ticket of an end that is out of date is ignored.
// Cost    O(log stretches of the node) per beginning and end.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "platforms/placement.hpp"
#include "sim/engine/compute/disturbances.hpp"
#include "sim/network/pool.hpp"

namespace reprise::sim {

class CoreSharing {
 public:
  // DISTURBANCES: what makes nodes slower for a while; null where nothing does. Must outlive this.
  CoreSharing(std::span<const platforms::RankLocation>, const platforms::Nodes&,
              const Disturbances* = nullptr);
  // Whether the rank's node has more ranks than cores.
  bool are_shared(std::int32_t rank) const {
    return any_shared_ && is_shared(node_of_[static_cast<std::size_t>(rank)]);
  }

  // Call on_end(ticket) at that time.
  struct End {
    double time = 0;
    std::uint32_t ticket = 0;
  };
  End begin(std::int32_t rank, std::uint32_t actor, double work, double now);
  // Adds the actors whose stretches are over, in the order of their ends, then of their beginnings.
  std::optional<End> on_end(std::uint32_t ticket, double now, std::vector<std::uint32_t>& done);

 private:
  struct Stretch {
    double end = 0;  // in virtual time
    std::uint64_t sequence = 0;
    std::uint32_t actor = 0;
    bool operator>(const Stretch& other) const {
      return end != other.end ? end > other.end : sequence > other.sequence;
    }
  };
  struct Node {
    double virtual_time = 0, updated = 0, cores = 1;
    std::uint64_t changes = 0;
    const VaryingRate* speed = nullptr;  // null: as recorded, always
    std::vector<Stretch> stretches;      // a heap, the earliest end first
  };
  struct Ticket {
    std::uint32_t node = 0;
    std::uint64_t change = 0;
  };
  bool is_shared(std::uint32_t node) const { return ranks_on_[node] > cores_[node]; }
  double rate(const Node&) const;
  void update(Node&, double now) const;
  End next_end(std::uint32_t node, double now);

  std::vector<double> cores_;           // by node
  std::vector<std::uint32_t> node_of_;  // by rank
  std::vector<double> ranks_on_;        // by node
  bool any_shared_ = false;
  std::vector<Node> nodes_;
  Pool<Ticket> tickets_;
  std::uint64_t sequence_ = 0;
};

}  // namespace reprise::sim
