// SPDX-License-Identifier: MIT
// Probes, the receives of messages that Mprobe took, and blocking wildcard calls that take what comes first in the simulation.
//
// Choice  is made before a wildcard call is carried out: the block of the chosen sender becomes the current one (wildcards.hpp has
//         what may come), and then the call takes the match that it took when it was recorded. Of messages that came at one
//         moment the recorded one is chosen.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/engine/point_to_point/point_to_point.hpp"
#include "sim/engine/point_to_point/wildcards.hpp"

namespace reprise::sim {

class Probes final : public ProbeListener {
 public:
  Probes(Runtime&, Transport&, PointToPoint&);

  Progress probe(std::uint32_t actor, const EventFields&);  // and Mprobe
  Progress matched_receive(std::uint32_t actor, const EventFields&, bool is_blocking);
  // The recorded message, or another one that the call may take, is there: its block is the current one.
  // REQUIRES: WildcardWindow::begins_at the actor's cursor.
  Progress choose(std::uint32_t actor);
  void on_probed(std::uint32_t actor, std::uint32_t message) override;

  // What a blocked actor looks for. REQUIRES: it is in_probe.
  const Pattern& pattern(std::uint32_t actor) const { return sides_[actor].pattern; }
  // Wildcards that took another message than when they were recorded.
  std::uint64_t reordered() const { return reordered_; }
  // Whether a message that came first was left to the call that took it when recorded, because its block is outside the window.
  bool has_left_messages() const { return has_left_messages_; }

 private:
  struct Side {  // an actor's
    Pattern pattern;
    bool is_choosing = false;                 // it looks for what a wildcard may take
    std::unique_ptr<WildcardWindow> window;   // null: it never had a choice
    Slots<std::uint32_t> messages{kNothing};  // that Mprobe matched
  };
  Progress watch(std::uint32_t actor);
  WildcardWindow& window_of(std::uint32_t actor);
  void take(std::uint32_t actor, std::uint32_t message);
  void note_arrival(std::uint32_t actor, std::uint32_t message, double arrived);
  std::int64_t peer_code(std::int32_t rank, const CommunicatorView&, std::int32_t world_rank) const;

  Runtime& runtime_;
  Transport& transport_;
  PointToPoint& point_to_point_;
  std::vector<Side> sides_;  // by actor
  std::uint64_t reordered_ = 0;
  bool has_left_messages_ = false;
  std::vector<std::uint32_t> found_;   // scratch: messages
  std::vector<std::int32_t> senders_;  // scratch
};

}  // namespace reprise::sim
