// SPDX-License-Identifier: MIT
// Nodes whose ranks share cores or memory bandwidth: who computes when, and how fast.
//
// Model   cores: egalitarian processor sharing (Kleinrock, "Time-Shared Systems: A Theoretical Treatment", JACM 14(2), 1967), as a fair
//         scheduler's average: k stretches of computing on c cores each run at min(1, c/k). Memory: memory_sharing.hpp.
// How     stretches that ask for equally many bytes a second are a class, whose virtual time runs at its speed; a stretch of w seconds that
//         begins at virtual time v ends at v + w, whatever begins and ends meanwhile. One end per node is awaited at a time; a
//         ticket of an end that is out of date is ignored.
// Cost    O(log stretches of the node + demands that differ there) per beginning and end.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "platforms/placement.hpp"
#include "sim/engine/compute/disturbances.hpp"
#include "sim/engine/compute/memory_sharing.hpp"
#include "sim/network/pool.hpp"

namespace reprise::sim {

class NodeSharing {
 public:
  // DISTURBANCES: what makes nodes slower for a while; null where nothing does. Must outlive this.
  // DEMAND: the most bytes a second that a rank asks for; 0: not known, memory bounds nothing.
  NodeSharing(std::span<const platforms::RankLocation>, const platforms::Nodes&,
              const Disturbances* = nullptr, BytesPerSecond demand = {});
  // Whether the rank's node has more ranks than cores, or ranks that may ask for more than its memory moves.
  bool are_shared(std::int32_t rank) const {
    return any_shared_ && is_shared_[node_of_[static_cast<std::size_t>(rank)]];
  }

  // Call on_end(ticket) at that time.
  struct End {
    double time = 0;
    std::uint32_t ticket = 0;
  };
  // Of WORK seconds at full speed, in which DEMAND bytes a second are moved to and from memory.
  End begin(std::int32_t rank, std::uint32_t actor, double work, double demand, double now);
  struct Ended {
    std::uint32_t actor = 0;
    double at_memory = 0;  // seconds for which memory bandwidth set the speed
    double longer = 0;     // by which that is more than the same work takes on a core
  };
  // Adds the stretches that are over, in the order of their ends, then of their beginnings.
  std::optional<End> on_end(std::uint32_t ticket, double now, std::vector<Ended>& done);
  // On how many nodes memory bandwidth has set the speed.
  std::uint32_t nodes_at_memory() const;

 private:
  struct Stretch {
    double end = 0;  // in virtual time
    std::uint64_t sequence = 0;
    std::uint32_t actor = 0;
    double at_memory = 0, longer = 0;  // of its class when it began
    bool operator>(const Stretch& other) const {
      return end != other.end ? end > other.end : sequence > other.sequence;
    }
  };
  struct Class {
    double virtual_time = 0, at_memory = 0, longer = 0;
    std::vector<Stretch> stretches;  // a heap, the earliest end first
  };
  struct Node {
    double updated = 0, cores = 1;
    double bandwidth = 0;  // of its memory; 0: bounds nothing
    std::uint64_t changes = 0;
    const VaryingRate* speed = nullptr;  // null: as recorded, always
    bool was_at_memory = false;
    std::vector<MemoryDemand> demands;  // of the classes, ascending, with their speeds
    std::vector<Class> classes;
  };
  struct Ticket {
    std::uint32_t node = 0;
    std::uint64_t change = 0;
  };
  static Class& class_of(Node&, double demand);
  static void set_speeds(Node&);
  static void update(Node&, double now);
  End next_end(std::uint32_t node, double now);

  std::vector<std::uint32_t> node_of_;  // by rank
  std::vector<bool> is_shared_;         // by node
  bool any_shared_ = false;
  std::vector<Node> nodes_;
  Pool<Ticket> tickets_;
  std::uint64_t sequence_ = 0;
};

}  // namespace reprise::sim
